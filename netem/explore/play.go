package explore

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// Player plays a schedule, step by step, on a system as it is written: on processes
// and messages, with nothing looked up. What the explorer finds is played before it
// is believed.
type Player[M protocols.Message] struct {
	system   *System[M]
	root     *Root[M]
	seats    []seat[M]
	links    map[channel][]sent[M]
	left     Budget
	now      uint32 // steps of time
	steps    int
	counters netem.Counters
	number   uint64 // of messages
	print    uint64
	observer netem.Observer
	tracer   netem.Tracer
}

// seat is an address.
type seat[M protocols.Message] struct {
	process protocols.Process[M]
	crashed bool
	waits   bool // to start
	boots   bool // when the run begins
	depth   uint32
	timers  []setTimer
}

type setTimer struct {
	label protocols.Timer
	at    uint32
}

// sent is a message on its way.
type sent[M protocols.Message] struct {
	content M
	number  uint64
	depth   uint32
	until   uint32 // when it arrives at the latest
}

// NewPlayer returns a player at the beginning of a run.
func NewPlayer[M protocols.Message](s *System[M], root int) *Player[M] {
	n := s.Topology.Len()
	p := &Player[M]{system: s, root: &s.Roots[root], seats: make([]seat[M], n), links: map[channel][]sent[M]{}, left: s.Budget}
	for i := range p.seats {
		p.seats[i].process = p.root.Boot(protocols.ID(i))
		_, p.seats[i].boots = protocols.AsBooter(p.seats[i].process)
	}
	p.counters.Sent, p.counters.SentBy = make([]uint64, len(protocols.Sample(p.seats[0].process).Kinds())), make([]uint64, n)
	for _, id := range p.root.Dead {
		p.seats[id].crashed, p.seats[id].boots = true, false
	}
	for _, id := range p.root.Initiators {
		p.seats[id].waits = true
	}
	return p
}

// Observe sets who watches.
func (p *Player[M]) Observe(o netem.Observer) { p.observer = o }

// Trace sets who is told of every step.
func (p *Player[M]) Trace(t netem.Tracer) { p.tracer = t }

// Now is the time since the run began or, where there is none, the number of steps
// taken, as nanoseconds.
func (p *Player[M]) Now() des.Time {
	if p.system.Bound > 0 {
		return des.Time(p.now) * des.Time(p.system.Step)
	}
	return des.Time(p.steps)
}

// Told is the time that a Watch is told, as the explorer tells it.
func (p *Player[M]) Told() time.Duration { return p.system.told(p.now) }

// Depth is the longest chain of messages that has come to a process.
func (p *Player[M]) Depth(id protocols.ID) uint32 { return p.seats[id].depth }

// Counters are what was counted so far.
func (p *Player[M]) Counters() netem.Counters {
	c := p.counters
	c.Sent, c.SentBy = slices.Clone(c.Sent), slices.Clone(c.SentBy)
	for i := range p.seats {
		c.CausalDepth = max(c.CausalDepth, p.seats[i].depth)
	}
	return c
}

// Fingerprint is a hash of the steps taken.
func (p *Player[M]) Fingerprint() uint64 { return p.print }

// Rest reports whether nothing is left to happen.
func (p *Player[M]) Rest() bool {
	for i := range p.seats {
		s := &p.seats[i]
		if !s.crashed && (s.waits || s.boots || len(s.timers) > 0) {
			return false
		}
	}
	for _, on := range p.links {
		if len(on) > 0 {
			return false
		}
	}
	return true
}

// Step takes a step. The error says why it is not possible; after one, the player is
// of no more use. A panic of a handler is the caller's.
func (p *Player[M]) Step(s Step) error {
	if err := p.possible(s); err != nil {
		return err
	}
	p.steps++
	p.counters.Events++
	for _, b := range []byte(s.String()) {
		p.print = (p.print ^ uint64(b)) * 0x100000001b3
	}
	switch s.What {
	case Tick:
		p.now++
		return nil
	case Crash:
		p.left.Crashes--
		p.record(netem.Record{What: "crash", Who: s.Who}, nil)
		p.crash(s.Who)
		return nil
	case Lose, Duplicate:
		p.strike(s)
		return nil
	case Deliver:
		return p.deliver(s)
	}
	return p.react(s, netem.Record{What: s.What.String(), Who: s.Who, Timer: s.Timer}, p.handler(s))
}

// handler is what a process does in a step in which no message arrives.
func (p *Player[M]) handler(s Step) func(n *playing[M]) {
	seat := &p.seats[s.Who]
	return func(n *playing[M]) {
		switch s.What {
		case Boot:
			seat.boots = false
			seat.process.(protocols.Booter[M]).Boot(n)
		case Start:
			seat.waits = false
			seat.process.Start(n)
		case Timeout:
			seat.timers = slices.DeleteFunc(seat.timers, func(t setTimer) bool { return t.label == s.Timer })
			seat.process.Timeout(n, s.Timer)
		case Restart:
			p.restart(s.Who, n)
		}
	}
}

func (p *Player[M]) restart(id protocols.ID, n *playing[M]) {
	seat := &p.seats[id]
	p.left.Restarts--
	crashed := seat.process
	seat.crashed, seat.depth, seat.process = false, 0, p.root.Boot(id)
	if s, ok := protocols.AsStable(seat.process); ok {
		s.Restore(crashed)
	}
	if b, ok := protocols.AsBooter(seat.process); ok {
		b.Boot(n)
	}
	if r, ok := seat.process.(protocols.Recoverer[M]); ok {
		r.Recover(n)
	}
}

// deliver has a message arrive.
func (p *Player[M]) deliver(s Step) error {
	m := p.take(s)
	seat := &p.seats[s.Who]
	p.counters.LastMessage = p.Now()
	record := netem.Record{What: "deliver", Who: s.Who, From: s.From, Message: m.content, Number: m.number}
	if seat.crashed {
		record.What = "lost"
		p.counters.ToDead++
		p.record(record, nil)
		return nil
	}
	p.counters.Delivered++
	seat.depth = max(seat.depth, m.depth)
	return p.react(s, record, func(n *playing[M]) { seat.process.Receive(n, s.From, m.content) })
}

// strike is what a link does to a message.
func (p *Player[M]) strike(s Step) {
	on, i := p.find(s)
	m := p.links[on][i]
	if s.What == Duplicate {
		p.left.Duplicates--
		p.counters.Duplicated++
		p.links[on] = slices.Insert(p.links[on], i, m)
		p.record(netem.Record{What: "fault", Note: s.String()}, nil)
		return
	}
	p.left.Losses--
	p.counters.Lost++
	p.take(s)
	p.record(netem.Record{What: "lose", Who: s.Who, From: s.From, Message: m.content, Number: m.number}, nil)
}

// find is the message that a step is about: the first on its channel that prints so.
func (p *Player[M]) find(s Step) (on channel, i int) {
	on = channel{s.From, s.Who}
	return on, slices.IndexFunc(p.links[on], func(m sent[M]) bool { return fmt.Sprint(m.content) == s.Message })
}

func (p *Player[M]) take(s Step) sent[M] {
	on, i := p.find(s)
	m := p.links[on][i]
	p.links[on] = slices.Delete(p.links[on], i, i+1)
	return m
}

// react has a process handle something, lets leave what it sends, and stops it if
// it crashes in the middle.
func (p *Player[M]) react(s Step, record netem.Record, handle func(*playing[M])) error {
	n := &playing[M]{player: p, who: s.Who, choices: s.Choices}
	handle(n)
	if n.wrong != nil {
		return n.wrong
	}
	if len(n.choices) > 0 {
		return fmt.Errorf("the process chooses less often than the step says; left are %d", n.choices)
	}
	record.Choices = s.Choices
	left := n.sends
	if s.Sends >= 0 {
		if s.Sends > len(left) {
			return fmt.Errorf("the process sends %d messages in this step, and cannot crash after %d", len(left), s.Sends)
		}
		left = left[:s.Sends]
	}
	for _, m := range left {
		p.counters.Sent[m.content.Kind()]++
		p.counters.SentBy[s.Who]++
		p.counters.Bits += uint64(m.content.Bits())
		p.number++
		m.number = p.number
		record.Sent = append(record.Sent, netem.Sent{To: m.to, Message: m.content, Number: m.number})
		if !p.seats[m.to].crashed || p.system.Budget.Restarts > 0 {
			p.links[channel{s.Who, m.to}] = append(p.links[channel{s.Who, m.to}], m.sent)
		} else {
			p.counters.ToDead++
		}
	}
	p.record(record, func() { p.tell(s) })
	if s.Sends >= 0 {
		p.left.Crashes--
		p.record(netem.Record{What: "crash", Who: s.Who}, nil)
		p.crash(s.Who)
	}
	return nil
}

// tell tells the observer of a step, behind its record.
func (p *Player[M]) tell(s Step) {
	switch {
	case p.observer == nil:
	case s.What == Start:
		p.observer.Started(s.Who)
	case s.What == Restart:
		p.observer.Restarted(s.Who)
	default:
		p.observer.Stepped(s.Who)
	}
}

// record tells the tracer what happens, and then whoever else is to be told.
func (p *Player[M]) record(r netem.Record, then func()) {
	if p.tracer != nil {
		r.At, r.Step = p.Now(), p.steps
		if p.system.Bound == 0 {
			r.At = -1
		}
		p.tracer.Record(r)
	}
	if then != nil {
		then()
	}
}

// crash stops a process. If nobody comes back, what is under way to it is lost.
func (p *Player[M]) crash(id protocols.ID) {
	s := &p.seats[id]
	s.crashed, s.waits, s.timers = true, false, nil
	if p.system.Budget.Restarts == 0 {
		for from := range protocols.ID(len(p.seats)) {
			p.counters.ToDead += uint64(len(p.links[channel{from, id}]))
			delete(p.links, channel{from, id})
		}
	}
	if p.observer != nil {
		p.observer.Crashed(id)
	}
}

// possible says why a step is not, nil if it is.
func (p *Player[M]) possible(s Step) error {
	if s.What != Tick && (s.Who < 0 || int(s.Who) >= len(p.seats)) {
		return fmt.Errorf("there is no process %d; addresses are 0..%d", s.Who, len(p.seats)-1)
	}
	if s.Sends >= 0 && p.left.Crashes == 0 {
		return errors.New("no more processes may crash")
	}
	waiting := slices.ContainsFunc(p.seats, func(t seat[M]) bool { return t.waits && !t.crashed || t.boots })
	switch s.What {
	case Boot, Start, Crash, Restart:
		return p.mayLive(s)
	case Deliver, Timeout, Tick, Lose, Duplicate:
		if waiting {
			return errors.New("not all processes that start have started")
		}
	}
	switch s.What {
	case Timeout:
		return p.mayExpire(s)
	case Tick:
		return p.mayTick()
	}
	return p.mayArrive(s)
}

// mayLive is about what happens to a process.
func (p *Player[M]) mayLive(s Step) error {
	seat := &p.seats[s.Who]
	switch {
	case s.What == Restart && !seat.crashed:
		return fmt.Errorf("process %d has not crashed", s.Who)
	case s.What == Restart && p.left.Restarts == 0:
		return errors.New("no more processes may come back")
	case s.What != Restart && seat.crashed:
		return fmt.Errorf("process %d has crashed", s.Who)
	case s.What == Crash && p.left.Crashes == 0:
		return errors.New("no more processes may crash")
	case s.What == Start && !seat.waits:
		return fmt.Errorf("process %d is no initiator, or has started", s.Who)
	case s.What == Boot && !seat.boots:
		return fmt.Errorf("process %d has no service that begins", s.Who)
	}
	return nil
}

func (p *Player[M]) mayExpire(s Step) error {
	timers := p.seats[s.Who].timers
	i := slices.IndexFunc(timers, func(t setTimer) bool { return t.label == s.Timer })
	switch {
	case i < 0:
		return fmt.Errorf("process %d has no timer %d armed", s.Who, s.Timer)
	case p.system.Bound > 0 && timers[i].at > p.now:
		return fmt.Errorf("timer %d of process %d is not due before %v", s.Timer, s.Who, time.Duration(timers[i].at)*p.system.Step)
	case p.overdue() != "":
		return fmt.Errorf("%s arrives first", p.overdue())
	}
	return nil
}

// mayTick: time passes unless something has to happen now.
func (p *Player[M]) mayTick() error {
	if p.system.Bound == 0 {
		return errors.New("there is no time: delays are not bounded")
	}
	for i := range p.seats {
		for _, t := range p.seats[i].timers {
			if t.at <= p.now {
				return fmt.Errorf("timer %d of process %d expires first", t.label, i)
			}
		}
	}
	if m := p.overdue(); m != "" {
		return fmt.Errorf("%s arrives first", m)
	}
	return nil
}

// overdue is a message that has no time left, "" for none.
func (p *Player[M]) overdue() string {
	if p.system.Bound == 0 {
		return ""
	}
	for on, messages := range p.links {
		for _, m := range messages {
			if m.until <= p.now {
				return fmt.Sprintf("%v %d->%d", m.content, on.from, on.to)
			}
		}
	}
	return ""
}

func (p *Player[M]) mayArrive(s Step) error {
	on, i := p.find(s)
	switch {
	case i < 0 && len(p.links[on]) == 0:
		return fmt.Errorf("nothing is under way from %d to %d", s.From, s.Who)
	case i < 0:
		return fmt.Errorf("what is under way from %d to %d is %s", s.From, s.Who, p.underWay(on))
	case i > 0 && p.system.FIFO:
		return fmt.Errorf("%v arrives first: the link keeps the order", p.links[on][0].content)
	case s.What == Lose && p.left.Losses == 0:
		return errors.New("no more messages may be lost")
	case s.What == Duplicate && p.left.Duplicates == 0:
		return errors.New("no more messages may be duplicated")
	}
	return nil
}

func (p *Player[M]) underWay(on channel) string {
	var words []string
	for _, m := range p.links[on] {
		words = append(words, fmt.Sprint(m.content))
	}
	return strings.Join(words, ", ")
}

// playing is what a process sees of the world in a step that is played.
type playing[M protocols.Message] struct {
	player  *Player[M]
	who     protocols.ID
	choices []int
	wrong   error // why the step is not possible after all
	sends   []leaving[M]
}

type leaving[M protocols.Message] struct {
	sent[M]
	to protocols.ID
}

var (
	_ protocols.Node[protocols.Message] = (*playing[protocols.Message])(nil)
	_ protocols.Detector                = (*playing[protocols.Message])(nil)
)

func (n *playing[M]) ID() protocols.ID { return n.who }

func (n *playing[M]) Degree() int { return n.player.system.Topology.Degree(n.who) }

func (n *playing[M]) Neighbor(port int) protocols.ID {
	return n.player.system.Topology.Neighbor(n.who, port)
}

func (n *playing[M]) Send(to protocols.ID, m M) {
	p := n.player
	netem.MustReach(p.system.Topology, n.who, to)
	netem.MustBeKind(n.who, m.Kind(), len(m.Kinds()))
	n.sends = append(n.sends, leaving[M]{sent[M]{content: m, depth: p.seats[n.who].depth + 1, until: p.now + uint32(p.system.Bound)}, to})
}

func (n *playing[M]) SetTimer(t protocols.Timer, after time.Duration) {
	netem.MustBeTimer(n.who, t, after)
	n.StopTimer(t)
	at, step := n.player.now, n.player.system.Step
	if n.player.system.Bound > 0 {
		if after%step != 0 {
			n.wrong = fmt.Errorf("a timer of %v is no multiple of %v, the step of time", after, step)
		}
		at += uint32(min(after/step, math.MaxUint32))
	}
	s := &n.player.seats[n.who]
	s.timers = append(s.timers, setTimer{t, at})
}

func (n *playing[M]) StopTimer(t protocols.Timer) {
	s := &n.player.seats[n.who]
	s.timers = slices.DeleteFunc(s.timers, func(u setTimer) bool { return u.label == t })
}

func (n *playing[M]) Intn(of int) int {
	if len(n.choices) == 0 || n.choices[0] >= of {
		n.wrong = fmt.Errorf("the process chooses one of %d, which the step does not say; left are %d", of, n.choices)
		return 0
	}
	c := n.choices[0]
	n.choices = n.choices[1:]
	n.player.counters.Draws++
	return c
}

func (n *playing[M]) Suspects(p protocols.ID) bool {
	mustBeAddress(p, len(n.player.seats))
	return n.player.seats[p].crashed && !n.player.system.Blind
}
