package explore

import (
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

// Player plays a schedule, step by step, on the processes and messages themselves: without
// hashes, tables and numbers. A counterexample of the explorer is played before it is
// reported. So is a recorded run, on the network or on sockets.
type Player[M protocols.Message] struct {
	system   *System[M]
	root     *Root[M]
	seats    []seat[M]
	links    map[channel][]sent[M]
	down     map[netem.Link]bool
	notices  []Step // to processes that are still to be told of changes of links
	left     Budget
	now      uint32 // steps of time
	steps    int
	counters netem.Counters
	number   uint64 // of messages
	set      uint64 // timers that were set
	print    uint64
	intn     func(of int) int // see DrawBy
	clocks   bool             // see ReadClocks
	latest   time.Duration    // the largest reading of a clock
	// By kind of message, nil for none: messages that do not keep a run alive, and those of
	// a transformer.
	background, service []bool
	observer            netem.Observer
	relinked            func(a, b protocols.ID) // may be nil
	tracer              netem.Tracer
}

// seat is the place of a process.
type seat[M protocols.Message] struct {
	process protocols.Process[M]
	crashed bool
	waits   bool          // to start, as an initiator does
	boots   bool          // it has a Boot handler, which has not run
	reading time.Duration // the last of its clock
	depth   uint32
	sent    uint64 // messages
	timers  []setTimer
}

type setTimer struct {
	label protocols.Timer
	at    uint32
	set   uint64 // how many timers had been set before
}

// sent is a message on its way.
type sent[M protocols.Message] struct {
	content M
	number  uint64
	depth   uint32
	until   uint32 // the latest step of time at which it arrives
}

// NewPlayer returns a player at the beginning of a run.
func NewPlayer[M protocols.Message](s *System[M], root int) *Player[M] {
	n := s.Topology.Len()
	p := &Player[M]{system: s, root: &s.Roots[root], seats: make([]seat[M], n), links: map[channel][]sent[M]{}, down: map[netem.Link]bool{}, left: s.Budget}
	for _, k := range s.Down {
		p.down[k] = true
	}
	for i := range p.seats {
		p.seats[i].process = p.root.Boot(protocols.ID(i))
		_, p.seats[i].boots = protocols.AsBooter(p.seats[i].process)
	}
	sample := p.Sample()
	p.counters.Sent = make([]uint64, len(sample.Kinds()))
	p.background, p.service = protocols.BackgroundKinds(sample), protocols.OverheadKinds(sample)
	for _, id := range p.root.Dead {
		p.seats[id].crashed, p.seats[id].boots = true, false
	}
	for _, id := range p.root.Initiators {
		p.seats[id].waits = true
	}
	return p
}

// Sample is a message of the run, to ask for the kinds of messages.
func (p *Player[M]) Sample() protocols.Message { return protocols.Sample(p.seats[0].process) }

// ReadClocks gives each process a clock. Every step says what it shows: see Step.Reads. Without
// it all clocks show 0, as in an exploration.
func (p *Player[M]) ReadClocks() { p.clocks = true }

// Reading is the last time that a process read from its clock, 0 if it never did.
func (p *Player[M]) Reading(id protocols.ID) time.Duration { return p.seats[id].reading }

// Latest is the largest reading of all clocks so far.
func (p *Player[M]) Latest() time.Duration { return p.latest }

// Observe sets the observer.
func (p *Player[M]) Observe(o netem.Observer) { p.observer = o }

// ObserveLinks sets what is called when the link between two processes has changed, before they are
// told.
func (p *Player[M]) ObserveLinks(changed func(a, b protocols.ID)) { p.relinked = changed }

// Trace sets the tracer, which gets every step.
func (p *Player[M]) Trace(t netem.Tracer) { p.tracer = t }

// Now is the time since the run began or, without a Bound, the number of steps as
// nanoseconds.
func (p *Player[M]) Now() des.Time {
	if p.system.Bound > 0 {
		return des.Time(p.now) * des.Time(p.system.Step)
	}
	return des.Time(p.steps)
}

// Told is the time that the explorer gives a Watch.
func (p *Player[M]) Told() time.Duration { return p.system.watchTime(p.now) }

// Depth is the longest chain of messages that has come to a process.
func (p *Player[M]) Depth(id protocols.ID) uint32 { return p.seats[id].depth }

// UnderWay is the number of messages of a kind under way to processes that are alive.
func (p *Player[M]) UnderWay(kind int) (count int) {
	for on, messages := range p.links {
		for i := range messages {
			if messages[i].content.Kind() == kind && !p.seats[on.to].crashed {
				count++
			}
		}
	}
	return count
}

// Counters are the counters of the run so far.
func (p *Player[M]) Counters() netem.Counters {
	c := p.counters
	c.Sent = slices.Clone(c.Sent)
	for i := range p.seats {
		c.MaxSent = max(c.MaxSent, p.seats[i].sent)
		c.CausalDepth = max(c.CausalDepth, p.seats[i].depth)
	}
	return c
}

// Fingerprint is a hash of the steps taken.
func (p *Player[M]) Fingerprint() uint64 { return p.print }

// Rest reports whether only faults can happen, and what does not keep a run alive: see
// protocols.Background and protocols.Backgrounder.
func (p *Player[M]) Rest() bool {
	alive := func(t setTimer) bool { return t.label > protocols.Background }
	for i := range p.seats {
		s := &p.seats[i]
		if !s.crashed && (s.waits || s.boots || slices.ContainsFunc(s.timers, alive)) {
			return false
		}
	}
	if len(p.notices) > 0 {
		return false
	}
	for _, on := range p.links {
		for i := range on {
			if p.background == nil || !p.background[on[i].content.Kind()] {
				return false
			}
		}
	}
	return true
}

// Step takes a step. The error says why the step is not possible; after it the player is
// useless. A panic of a handler passes to the caller.
func (p *Player[M]) Step(s Step) error {
	if err := p.Possible(s); err != nil {
		return err
	}
	p.steps++
	p.counters.Events++
	p.hash([]byte(s.String())...)
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
	case Up, Down:
		p.changeLink(s)
		return nil
	case Deliver:
		return p.deliver(s)
	}
	record := netem.Record{What: s.What.String(), Who: s.Who, From: s.From, Timer: s.Timer}
	if s.What == Timeout && p.tracer != nil {
		record.Name = protocols.TimerName(p.seats[s.Who].process, s.Timer)
	}
	return p.react(s, record, p.handler(s))
}

// hash adds bytes to the fingerprint.
func (p *Player[M]) hash(bytes ...byte) {
	for _, b := range bytes {
		p.print = (p.print ^ uint64(b)) * 0x100000001b3
	}
}

// handler is the handler of a step that delivers no message.
func (p *Player[M]) handler(s Step) func(n protocols.Node[M]) {
	seat := &p.seats[s.Who]
	return func(n protocols.Node[M]) {
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
		case LinkUp, LinkDown:
			p.told(s, n)
		case Restart:
			p.restart(s.Who, n)
		}
	}
}

func (p *Player[M]) restart(id protocols.ID, n protocols.Node[M]) {
	seat := &p.seats[id]
	p.left.Restarts--
	crashed := seat.process
	seat.crashed, seat.depth, seat.process = false, 0, p.root.reboot(id)
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

// deliver delivers a message.
func (p *Player[M]) deliver(s Step) error {
	m := p.take(s)
	seat := &p.seats[s.Who]
	service := p.service != nil && p.service[m.content.Kind()]
	if !service {
		p.counters.LastMessage = p.Now()
	}
	record := netem.Record{What: "deliver", Who: s.Who, From: s.From, Message: m.content, Number: m.number}
	if seat.crashed {
		record.What = "lost"
		p.counters.ToDead++
		p.record(record, nil)
		return nil
	}
	p.counters.Delivered++
	if service {
		p.counters.Service++
	}
	seat.depth = max(seat.depth, m.depth)
	return p.react(s, record, func(n protocols.Node[M]) { seat.process.Receive(n, s.From, m.content) })
}

// strike loses or duplicates a message.
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

// find is the message of a step: the first on its channel with that text.
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

// react runs a handler, puts its messages on their links, and stops the process if it
// crashes in the middle.
func (p *Player[M]) react(s Step, record netem.Record, handle func(protocols.Node[M])) error {
	n := &playing[M]{player: p, step: &s, record: &record}
	handle(n)
	if err := n.finish(); err != nil {
		return err
	}
	for _, c := range record.Choices[len(s.Choices):] { // that the step does not name
		p.hash(byte(c), byte(c>>8))
	}
	left := n.sends
	if s.Sends >= 0 {
		if s.Sends > len(left) {
			return fmt.Errorf("the process sends %d messages in this step, and cannot crash after %d", len(left), s.Sends)
		}
		left = left[:s.Sends]
	}
	if slices.ContainsFunc(left, func(m leaving[M]) bool { return m.toAll }) {
		record.Left = len(left)
	}
	for _, m := range left {
		record.Sent = append(record.Sent, p.leave(s.Who, m)...)
	}
	p.record(record, func() { p.notify(s) })
	if s.Sends >= 0 {
		p.left.Crashes--
		p.record(netem.Record{What: "crash", Who: s.Who, Amid: true}, nil)
		p.crash(s.Who)
	}
	return nil
}

// leave counts a message, and puts it on its link or, of a broadcast, on those to the neighbours.
func (p *Player[M]) leave(from protocols.ID, m leaving[M]) (all []netem.Sent) {
	p.counters.Sent[m.content.Kind()]++
	p.seats[from].sent++
	p.counters.Bits += uint64(m.content.Bits())
	to := []protocols.ID{m.to}
	if m.toAll {
		to = p.Neighbors(from)
		p.counters.Spread(len(to))
	}
	for i, q := range to {
		copied := m.sent
		if i > 0 {
			copied.content = value.Clone(copied.content)
		}
		p.number++
		copied.number = p.number
		p.put(channel{from, q}, copied)
		all = append(all, netem.Sent{To: q, Message: copied.content, Number: copied.number})
	}
	return all
}

// put puts a message on its link.
func (p *Player[M]) put(on channel, m sent[M]) {
	switch {
	case on.from != on.to && p.down[netem.LinkBetween(on.from, on.to)]:
		p.counters.Cut++
	case p.seats[on.to].crashed && p.system.Budget.Restarts == 0:
		p.counters.ToDead++
	default:
		p.links[on] = append(p.links[on], m)
	}
}

// notify tells the observer of a step, after the tracer.
func (p *Player[M]) notify(s Step) {
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

// record gives the tracer a record, and then calls then.
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

// crash stops a process. Without restarts, the messages on their way to it are lost.
func (p *Player[M]) crash(id protocols.ID) {
	s := &p.seats[id]
	s.crashed, s.waits, s.boots, s.timers = true, false, false, nil
	p.notices = slices.DeleteFunc(p.notices, func(s Step) bool { return s.Who == id })
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
