package faults

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// Env is what an Injector must know of the run.
type Env struct {
	Seed       uint64
	N          int                      // processes
	Kinds      []string                 // of messages
	Initiators []protocols.ID           // for Plan.Expand; unused if the plan is explicit
	Identity   func(protocols.ID) int64 // of a process, for lies; nil if there are none
	Record     bool                     // keep in Happened what was done to single messages, too
	Tell       func(Event)              // is told of what happens when it does, but for what was planned with its instant; may be nil
}

// Injector carries a plan out on a run. The runtime asks it at every point at
// which a fault can strike: it has the methods of netem.Adversary. What it does
// depends on the plan, the seed and the order of the questions alone.
type Injector struct {
	plan   Plan
	target Target
	env    Env
	faults []fault
	active [hooks][]*fault // in the order of the plan; those of hook lines as they began

	waiting            []*fault     // for a leader or an election
	leader             protocols.ID // who became leader last; Leader, if nobody did
	leaders, elections uint64       // that were, that began
	handled            int          // kind of the message that the step handled
	beginning          bool         // an election began in this step

	busy      []occupied // by process; nil if none is slow
	clocks    map[protocols.ID]clock
	addressee protocols.ID // of the message that is being forged
	events    []Event
}

// hook is where a fault that is active takes part.
type hook uint8

const (
	nowhere hook = iota
	amid         // Leaves: crashes in the middle of a step
	severed      // Sent, Arrives: links that are down
	clogged      // Arrives: links that hold messages back
	paused       // Arrives, Expires
	slowed       // Steps, Sent, Arrives, Expires
	rules        // Sent: single messages
	deaf         // Arrives: messages that are not received
	liars        // Sent: forged identities
	lines        // of links
	clocked      // changed clocks
	hooks
)

var hookOf = [len(kinds)]hook{
	Crash: amid, Leave: severed, Partition: severed, Cut: severed, Clog: clogged, Pause: paused, Slow: slowed,
	OmitSends: rules, Drop: rules, Delay: rules, Duplicate: rules, OmitReceives: deaf,
	Lie: liars, Equivocate: liars, Link: lines, ClockOffset: clocked, ClockStep: clocked, ClockDrift: clocked,
}

// fault is a fault of the plan during the run.
type fault struct {
	*Fault
	index         int
	who, from, to protocols.ID // with the leader in place
	kind          int          // index of Message, -1 for every kind
	planned       bool         // the runtime has the crash or restart that it is, with its instant
	active, spent bool
	begun         des.Time
	count         uint64 // messages that matched
	chance        des.Stream
	member        []uint64      // by process, a bit a group of the partition
	step          time.Duration // by which a clock was set
	forge         func(int64) int64
}

// NewInjector returns an injector of the plan, which has passed its check. Random
// faults are drawn first, see Plan.Expand.
func NewInjector(plan Plan, target Target, env Env) *Injector {
	plan = plan.Expand(env.N, env.Kinds, env.Initiators, env.Seed)
	i := &Injector{plan: plan, target: target, env: env, leader: Leader, faults: make([]fault, len(plan))}
	for k := range i.faults {
		f := &i.faults[k]
		*f = fault{Fault: &plan[k], index: k, kind: -1}
		if f.Message != "" {
			f.kind = slices.Index(env.Kinds, f.Message)
		}
		if f.With > 0 {
			f.chance = des.NewStream(env.Seed, "fault", uint64(k))
		}
		_, known := f.When.instant()
		f.planned = known && f.Process >= 0
	}
	return i
}

// Plan is what the injector carries out, without anything random. It must not be
// modified.
func (i *Injector) Plan() Plan { return i.plan }

// Due has the fault of a token begin or end.
func (i *Injector) Due(token uint32) {
	f := &i.faults[token>>1]
	switch {
	case token&1 == 0:
		i.begin(f)
	case f.active:
		i.end(f)
		if f.Kind == Leave {
			i.target.RestartAt(f.who, i.target.Now())
			i.target.StartAt(f.who, i.target.Now())
		}
	}
}

// Tokens: twice the index of a fault, and one more for its end.
func (f *fault) begins() uint32 { return uint32(f.index) << 1 }
func (f *fault) ends() uint32   { return uint32(f.index)<<1 | 1 }

// Install plans what has an instant. It is called once, before the run.
func (i *Injector) Install() {
	for k := range i.faults {
		f := &i.faults[k]
		at, known := f.When.instant()
		switch {
		case known:
			i.install(f, at)
		case f.When.On == Events:
			i.target.InterveneAfter(f.When.Count, f.begins())
		default:
			i.waiting = append(i.waiting, f)
		}
	}
}

func (i *Injector) install(f *fault, at des.Time) {
	switch {
	case f.simple():
		i.installSimple(f, at)
	case f.Kind == Leave && f.planned:
		i.target.CrashAt(f.Process, at)
		i.target.InterveneAt(at, f.begins())
	case f.Kind == Join && f.planned:
		i.target.InterveneAt(at, f.begins())
		i.target.RestartAt(f.Process, at)
		i.target.StartAt(f.Process, at)
	default:
		i.target.InterveneAt(at, f.begins())
	}
	if f.For > 0 && hookOf[f.Kind] != amid {
		i.target.InterveneAt(at.After(f.For), f.ends())
	}
}

func (i *Injector) installSimple(f *fault, at des.Time) {
	i.note(Event{At: at, Fault: f.index, What: Began})
	switch f.Kind {
	case Crash:
		i.target.CrashAt(f.Process, at)
		if f.For > 0 {
			i.target.RestartAt(f.Process, at.After(f.For))
			i.note(Event{At: at.After(f.For), Fault: f.index, What: Ended})
		}
	case Restart:
		i.target.RestartAt(f.Process, at)
	case Start:
		i.target.StartAt(f.Process, at)
	}
}

// Became tells that a process has become the leader; whoever judges the run
// calls it after the step in which that happened.
func (i *Injector) Became(leader protocols.ID) {
	i.leader = leader
	i.leaders++
	i.fire(Leaders, i.leaders)
}

// fire has the faults begin that wait for that occasion: at this instant, before
// anything else happens.
func (i *Injector) fire(on Occasion, count uint64) {
	for _, f := range i.waiting {
		if f.When.On == on && f.When.Count == count {
			i.target.InterveneAt(i.target.Now(), f.begins())
		}
	}
}

// begin has a fault happen now. Nothing happens if it is to befall the leader
// and there was none.
func (i *Injector) begin(f *fault) {
	f.who, f.from, f.to = i.resolve(f.Process), i.resolve(f.From), i.resolve(f.To)
	if f.spent || f.who == Leader || f.from == Leader || f.to == Leader {
		return
	}
	now := i.target.Now()
	f.begun = now
	i.tell(Event{At: now, Fault: f.index, What: Began})
	switch f.Kind {
	case Crash:
		if f.Amid {
			i.activate(f)
			return
		}
		i.target.CrashAt(f.who, now)
		i.revive(f)
	case Restart:
		i.target.RestartAt(f.who, now)
	case Start:
		i.target.StartAt(f.who, now)
	case Join:
		i.join(f)
	case Resume:
		i.endAll(func(g *fault) bool { return g.who == f.who }, paused, slowed)
	case Heal:
		i.endAll(func(g *fault) bool { return g.Kind != Leave }, severed, clogged, rules, deaf, lines)
	case HealAll:
		i.healAll()
	default:
		i.activate(f)
	}
}

func (i *Injector) resolve(p protocols.ID) protocols.ID {
	if p == Leader {
		return i.leader
	}
	return p
}

// revive has a process that crashes now come back in its time.
func (i *Injector) revive(f *fault) {
	if f.For > 0 {
		i.target.RestartAt(f.who, i.target.Now().After(f.For))
	}
}

func (i *Injector) join(f *fault) {
	i.endAll(func(g *fault) bool { return g.Kind == Leave && g.who == f.who }, severed)
	if !f.planned {
		i.target.RestartAt(f.who, i.target.Now())
		i.target.StartAt(f.who, i.target.Now())
	}
}

// healAll ends every fault, and lets none begin any more but those that have an
// instant.
func (i *Injector) healAll() {
	for k := range i.faults {
		f := &i.faults[k]
		_, known := f.When.instant()
		f.spent = f.spent || !known
	}
	i.waiting = nil
	all := func(*fault) bool { return true }
	i.endAll(all, amid, severed, clogged, paused, slowed, rules, deaf, liars, lines, clocked)
}

func (i *Injector) endAll(which func(*fault) bool, hooks ...hook) {
	for _, h := range hooks {
		for _, f := range slices.Clone(i.active[h]) {
			if which(f) {
				i.end(f)
			}
		}
	}
}

func (i *Injector) activate(f *fault) {
	f.active = true
	h := hookOf[f.Kind]
	at := len(i.active[h])
	if h != lines {
		at, _ = slices.BinarySearchFunc(i.active[h], f.index, func(g *fault, index int) int { return g.index - index })
	}
	i.active[h] = slices.Insert(i.active[h], at, f)
	i.prepare(f)
	if _, known := f.When.instant(); !known && f.For > 0 && h != amid {
		i.target.InterveneAt(i.target.Now().After(f.For), f.ends())
	}
}

// prepare does what a fault does when it begins, or has to have from then on.
func (i *Injector) prepare(f *fault) {
	switch f.Kind {
	case Leave:
		if !f.planned {
			i.target.CrashAt(f.who, f.begun)
		}
	case Partition:
		f.member = memberships(f.Fault, i.env.N)
	case Slow:
		if i.busy == nil {
			i.busy = make([]occupied, i.env.N)
		}
	case Link:
		i.target.SetLine(f.Links, f.Line)
	case ClockOffset, ClockStep, ClockDrift:
		i.setClock(f)
	case Lie, Equivocate:
		f.forge = i.forger(f)
	}
}

func (i *Injector) end(f *fault) {
	f.active, f.member = false, nil
	h := hookOf[f.Kind]
	i.active[h] = slices.DeleteFunc(i.active[h], func(g *fault) bool { return g == f })
	i.tell(Event{At: i.target.Now(), Fault: f.index, What: Ended})
	switch f.Kind {
	case Pause, Slow, Clog:
		i.target.ReleaseAt(i.target.Now()) // once the faults have happened that are planned for now
	case Link:
		i.restoreLines(f)
	case ClockOffset, ClockStep, ClockDrift:
		i.resetClock(f)
	}
}

// restoreLines gives the links of a fault that has ended the lines that they
// would have without it.
func (i *Injector) restoreLines(f *fault) {
	i.target.SetLine(f.Links, "")
	others := i.active[lines]
	first := slices.IndexFunc(others, func(g *fault) bool { return g.Links.Overlaps(f.Links) })
	if first < 0 {
		return
	}
	for _, g := range others[first:] { // in their order: the last for a link counts
		i.target.SetLine(g.Links, g.Line)
	}
}
