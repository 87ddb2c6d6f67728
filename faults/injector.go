package faults

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// Env describes the run to an Injector.
type Env struct {
	Seed       uint64
	N          int                      // processes
	Kinds      []string                 // of messages
	Initiators []protocols.ID           // for Plan.Expand; unused if the plan is explicit
	Identity   func(protocols.ID) int64 // of a process, for lies; nil if there are none
	Off        []bool                   // faults of the plan that never begin, by index
	Tell       func(Event)              // gets each event at once, except of crashes, restarts, starts and links that are scheduled; may be nil
}

// Injector carries out a plan on a run. The runtime asks it wherever a fault can strike:
// it has the methods of netem.Adversary. Its answers depend only on the plan, the seed
// and the order of the questions.
type Injector struct {
	plan   Plan
	target Target
	env    Env
	faults []fault
	active [hooks][]*fault // in the order of the plan; at hook lines in the order of their beginnings

	waiting            []*fault     // for a leader or an election
	leader             protocols.ID // the process that became leader last; Leader if there is none
	leaders, elections uint64       // so far
	handled            int          // kind of the message that the step handled
	beginning          bool         // an election began in this step
	carried            bool         // the message of the last Sent, in the time carry
	carry              time.Duration

	busy      []occupied // by process; nil if none is slow
	clocks    map[protocols.ID]clock
	addressee protocols.ID // of the message that is being forged
}

// hook is the place where the injector asks for an active fault.
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

// fault is a fault of the plan during the run.
type fault struct {
	*Fault
	index         int
	who, from, to protocols.ID // of Process, From and To: Leader is resolved
	kind          int          // index of Message, -1 for every kind
	scheduled     bool         // Install gives the instant of its crash or restart to the runtime
	active        bool
	spent         bool // it never begins
	begun         des.Time
	count         uint64 // messages that matched
	chance        des.Stream
	member        []uint64      // by process; see memberships
	step          time.Duration // by which a clock was set
	life          renewing      // of a Fail
	forge         func(int64) int64
}

// NewInjector returns an injector of the plan, which has passed Plan.Check and
// Plan.DrawLinks. It draws the random faults first; see Plan.Expand.
func NewInjector(plan Plan, target Target, env Env) *Injector {
	plan = plan.Expand(env.N, env.Kinds, env.Initiators, env.Seed)
	i := &Injector{plan: plan, target: target, env: env, leader: Leader, faults: make([]fault, len(plan))}
	for k := range i.faults {
		f := &i.faults[k]
		*f = fault{Fault: &plan[k], index: k, kind: -1}
		if f.Message != "" {
			f.kind = slices.Index(env.Kinds, f.Message)
		}
		f.chance = des.NewStream(env.Seed, "fault", uint64(k))
		f.spent = k < len(env.Off) && env.Off[k]
		_, known := f.When.instant()
		f.scheduled = known && f.Process >= 0 && f.With == 0
	}
	return i
}

// Fork has the chances of faults come from other streams from now on: see netem.Forker. When a process
// that fails again and again will fail, or be back, is drawn anew.
func (i *Injector) Fork(salts []uint64) {
	for k := range i.faults {
		f := &i.faults[k]
		f.chance = des.NewStream(i.env.Seed, "fault fork", append([]uint64{uint64(k)}, salts...)...)
		if f.Kind == Fail && f.active {
			i.forget(f)
		}
	}
}

// Idle reports that no fault waits for an occasion or holds timers. Then the injector does nothing
// unless a message is sent or an instant has come for which it asked.
func (i *Injector) Idle() bool {
	return len(i.waiting)+len(i.active[paused])+len(i.active[slowed]) == 0 && i.busy == nil
}

// Plan returns the explicit faults that the injector carries out. It must not be
// modified.
func (i *Injector) Plan() Plan { return i.plan }

// Due begins or ends the fault of a token.
func (i *Injector) Due(token uint32) {
	f := &i.faults[token>>1]
	switch {
	case token&1 == 0:
		i.begin(f)
	case f.active && f.Kind == Fail:
		i.turn(f)
	case f.active:
		i.end(f)
		if f.Kind == Leave {
			i.target.RestartAt(f.who, i.target.Now())
			i.target.StartAt(f.who, i.target.Now())
		}
	}
}

// The token of a fault's beginning is twice its index; that of its end is one more.
func (f *fault) begins() uint32 { return uint32(f.index) << 1 }
func (f *fault) ends() uint32   { return uint32(f.index)<<1 | 1 }

// Install schedules the faults that have an instant. Call it once, before the run.
func (i *Injector) Install() {
	for k := range i.faults {
		f := &i.faults[k]
		at, known := f.When.instant()
		switch {
		case f.spent:
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
	case f.Kind == Leave && f.scheduled:
		i.target.CrashAt(f.Process, at)
		i.target.InterveneAt(at, f.begins())
	case f.Kind == Join && f.scheduled:
		i.target.InterveneAt(at, f.begins())
		i.target.RestartAt(f.Process, at)
		i.target.StartAt(f.Process, at)
	default:
		i.target.InterveneAt(at, f.begins())
	}
	if h := kinds[f.Kind].hook; f.For > 0 && h != amid && h != nowhere {
		i.target.InterveneAt(at.After(f.For), f.ends())
	}
}

func (i *Injector) installSimple(f *fault, at des.Time) {
	switch f.Kind {
	case Crash:
		i.target.CrashAt(f.Process, at)
		if f.For > 0 {
			i.target.RestartAt(f.Process, at.After(f.For))
		}
	case Restart:
		i.target.RestartAt(f.Process, at)
	case Start:
		i.target.StartAt(f.Process, at)
	case Down, Up:
		i.change(f, at)
	}
}

// change makes the links of a fault go down or come up. A fault with an end brings them up again.
func (i *Injector) change(f *fault, at des.Time) {
	i.target.ChangeLinks(f.Links, at, f.Kind == Up)
	if f.For > 0 {
		i.target.ChangeLinks(f.Links, at.After(f.For), true)
	}
}

// Became tells that a process has become the leader. The judge of the run calls it after
// the step.
func (i *Injector) Became(leader protocols.ID) {
	i.leader = leader
	i.leaders++
	i.fire(Leaders, i.leaders)
}

// fire begins the faults that wait for that occasion: at this instant, before any other
// event.
func (i *Injector) fire(on Occasion, count uint64) {
	for _, f := range i.waiting {
		if f.When.On == on && f.When.Count == count {
			i.target.InterveneAt(i.target.Now(), f.begins())
		}
	}
}

// begin begins a fault now. A fault of the leader does nothing while there is none.
func (i *Injector) begin(f *fault) {
	f.who, f.from, f.to = i.resolve(f.Process), i.resolve(f.From), i.resolve(f.To)
	if f.spent || f.who == Leader || f.from == Leader || f.to == Leader || f.Kind == Crash && !f.draw() {
		return
	}
	now := i.target.Now()
	f.begun = now
	i.announce(Event{At: now, Fault: f.index, What: Began})
	switch f.Kind {
	case Crash:
		if f.Amid {
			i.activate(f)
			return
		}
		i.target.CrashAt(f.who, now)
		i.revive(f)
	case Fail:
		i.renew(f)
	case Restart:
		i.target.RestartAt(f.who, now)
	case Start:
		i.target.StartAt(f.who, now)
	case Join:
		i.join(f)
	case Down, Up:
		i.change(f, now)
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

// revive schedules the restart of a process that crashes now.
func (i *Injector) revive(f *fault) {
	if f.For > 0 {
		i.target.RestartAt(f.who, i.target.Now().After(f.For))
	}
}

func (i *Injector) join(f *fault) {
	i.endAll(func(g *fault) bool { return g.Kind == Leave && g.who == f.who }, severed)
	if !f.scheduled {
		i.target.RestartAt(f.who, i.target.Now())
		i.target.StartAt(f.who, i.target.Now())
	}
}

// healAll ends every fault. From now on only faults with a known instant begin, and no process fails that
// does so again and again: one that is down then comes back when it would.
func (i *Injector) healAll() {
	for k := range i.faults {
		f := &i.faults[k]
		_, known := f.When.instant()
		f.spent = f.spent || !known || f.Kind == Fail && f.active
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
	h := kinds[f.Kind].hook
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

// prepare does the action of a fault at its beginning and makes the state that it needs
// while it is active.
func (i *Injector) prepare(f *fault) {
	switch f.Kind {
	case Leave:
		if !f.scheduled {
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
	h := kinds[f.Kind].hook
	i.active[h] = slices.DeleteFunc(i.active[h], func(g *fault) bool { return g == f })
	i.announce(Event{At: i.target.Now(), Fault: f.index, What: Ended})
	switch f.Kind {
	case Pause, Slow, Clog:
		i.target.ReleaseAt(i.target.Now()) // after the faults that are scheduled for now
	case Link:
		i.restoreLines(f)
	case ClockOffset, ClockStep, ClockDrift:
		i.resetClock(f)
	}
}

// restoreLines gives the links of an ended fault the lines that they would have without
// it.
func (i *Injector) restoreLines(f *fault) {
	i.target.SetLine(f.Links, "")
	rest := i.active[lines]
	first := slices.IndexFunc(rest, func(g *fault) bool { return g.Links.Overlaps(f.Links) })
	if first < 0 {
		return
	}
	for _, g := range rest[first:] { // in order: the last line of a link counts
		i.target.SetLine(g.Links, g.Line)
	}
}
