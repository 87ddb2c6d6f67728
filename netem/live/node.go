package live

import (
	"fmt"
	"sync"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// node is a process and its place in the network. It is the protocols.Node of the process.
type node struct {
	run     *run
	id      protocols.ID
	process protocols.Process[box.Message]
	inbox   inbox
	stream  des.Stream
	timers  map[protocols.Timer]*armed
	clock   uint64 // Lamport's
	reading netem.Clock
	count   uint64 // messages that it sent
	at      *Step  // the step that is taken
	known   *Step  // the same step as it was recorded, while the node takes it again
	hand    hand

	writing sync.Mutex // for log
	log     []Step
}

// note adds a step to the log.
func (n *node) note(s Step) {
	n.writing.Lock()
	defer n.writing.Unlock()
	n.log = append(n.log, s)
}

// appendSteps appends the steps of the log.
func (n *node) appendSteps(to []Step) []Step {
	n.writing.Lock()
	defer n.writing.Unlock()
	return append(to, n.log...)
}

// node returns a node of the run.
func (r *run) node(p protocols.ID) *node {
	return &node{
		run: r, id: p, process: r.Boot(p), timers: map[protocols.Timer]*armed{},
		stream: des.NewStream(r.Seed, "choice").Sub(uint64(p)),
	}
}

// armed is a timer that was set. Its expiry means nothing if the node has another one under the
// label by then, or none.
type armed struct {
	label  protocols.Timer
	at     des.Time // when it expires
	expiry *time.Timer
	held   bool // it has expired, and waits for a release
}

// work takes what happens from the inbox until the run is over.
func (n *node) work() {
	for {
		it, ok := n.inbox.take()
		if !ok {
			return
		}
		n.run.enter()
		switch {
		case it.timer != nil:
			n.expire(it.timer)
		case it.gone:
			n.run.single.gone(it.frame.from)
		default:
			n.receive(it.frame)
		}
		n.run.leave()
	}
}

// receive takes a message, or lets it wait.
func (n *node) receive(f frame) {
	m, err := box.Decode(n.process, f.body)
	if err != nil {
		n.run.panicked(n.id, fmt.Errorf("a message from %d is not understood: %w", f.from, err))
		return
	}
	if !n.admit(f, m) {
		n.run.target.room.enter(held{n, f, m, nil})
	}
}

// admit lets a message arrive. It returns false if the message has to wait for a release.
func (n *node) admit(f frame, m box.Message) bool {
	s := Step{Record: netem.Record{What: "deliver", Who: n.id, From: f.from, Message: m, Number: f.number}, Latency: n.run.now() - f.sent}
	if n.run.down[n.id] {
		s.What = "lost"
	} else if t := n.run.target; t != nil {
		wait, gone := t.arrives(n.id, f.from, m.Kind())
		switch {
		case gone:
			s.What = "cut"
		case wait < 0:
			return false
		case wait > 0:
			t.again(wait, held{n, f, m, nil})
			return true
		}
	}
	n.run.target.count()
	n.clock = max(n.clock, f.clock)
	if s.What == "deliver" {
		n.step(s, func() { n.process.Receive(n, f.from, m) })
	} else {
		n.clock = max(n.clock, n.run.floor) + 1
		s.Clock, s.Wall = n.clock, n.run.now()
		n.note(s)
	}
	if !n.run.isBackground(m.Kind()) {
		n.run.done()
	}
	return true
}

// expire lets a timer expire, or wait.
func (n *node) expire(t *armed) {
	if !n.notice(t) {
		n.run.target.room.enter(held{node: n, timer: t})
	}
}

// notice lets a timer expire if it is still armed. It returns false if the timer has to wait for
// a release.
func (n *node) notice(t *armed) bool {
	if n.timers[t.label] != t {
		return true
	}
	if early := time.Duration(t.at) - n.run.now(); early > 0 { // a late fault has set the clock back
		t.expiry.Reset(early)
		return true
	}
	switch wait := n.run.target.expires(n.id); {
	case wait < 0:
		return false
	case wait > 0:
		n.run.target.again(wait, held{node: n, timer: t})
		return true
	}
	n.run.target.count()
	delete(n.timers, t.label)
	s := Step{Record: netem.Record{What: "timeout", Who: n.id, Timer: t.label, Name: protocols.TimerName(n.process, t.label)}}
	if n.run.target == nil {
		s.Latency = n.run.now() - time.Duration(t.at)
	}
	n.step(s, func() { n.process.Timeout(n, t.label) })
	n.run.disarmed(t.label)
	return true
}

// step runs a handler, records the step and hands its messages to their links.
func (n *node) step(s Step, handle func()) {
	r := n.run
	if n.hand.late() {
		return // and takes no more steps
	}
	if r.taken.Add(1) == r.MaxSteps {
		r.end(OutOfSteps)
	}
	n.clock = max(n.clock, r.floor) + 1
	s.Wall = r.now()
	n.at = &s
	n.hand.Store(&s.Record)
	returned := n.handle(handle)
	if n.hand.late() {
		return
	}
	n.hand.Store(nil)
	s.Clock = n.clock
	var crashes bool
	if r.single != nil {
		crashes = r.single.record(&s)
	} else {
		crashes = returned && r.target.strikes(&s)
		s.count()
		n.note(s)
	}
	if !returned {
		return
	}
	for i := range s.Sent {
		n.leave(&s.Sent[i])
	}
	if r.imposed == nil {
		r.net.flush(s.Sent)
	}
	r.target.observe(s.What, n.id)
	if crashes && r.single != nil {
		r.single.die()
	} else if crashes {
		r.target.count()
		r.crash(n.id, true)
	}
}

// handle runs a handler. A panic ends the run, and so does a handler that ends its goroutine or has
// waited in vain.
func (n *node) handle(handler func()) (returned bool) {
	defer func() {
		x := recover()
		if x == nil && !returned {
			x = "the handler ended its goroutine (runtime.Goexit)"
		}
		switch text := n.run.late(x); {
		case x == nil:
		case text != "":
			n.hand.waited(text)
			n.run.end(Late)
		default:
			n.at.Panics = true
			n.run.panicked(n.id, x)
		}
	}()
	handler()
	return true
}

// late says for what a handler that panicked has waited in vain, or nothing.
func (r *run) late(panicked any) string {
	if r.Waits.Late == nil || panicked == nil {
		return ""
	}
	return r.Waits.Late(panicked)
}

// leave hands a message to its link, or to its socket if links leave messages alone.
func (n *node) leave(s *netem.Sent) {
	m := s.Message.(box.Message)
	text, err := protocols.Encode(m)
	if err != nil {
		n.run.panicked(n.id, fmt.Errorf("message %v has no form in JSON: %w", m, err))
		return
	}
	now := n.run.now()
	f := frame{from: n.id, number: s.Number, clock: n.clock, sent: now, body: text}
	if n.run.imposed != nil {
		copies, extra := n.run.target.sends(n.id, s)
		n.run.imposed.hand(des.Time(now), copies, extra, letter{s.To, m, f})
		return
	}
	if !n.run.isBackground(m.Kind()) {
		n.run.busy.Add(1)
	}
	if err := n.run.net.put(s.To, f); err != nil {
		n.run.panicked(n.id, err)
	}
}

// ID implements protocols.Node, as the methods below do.
func (n *node) ID() protocols.ID { return n.id }

func (n *node) Degree() int { return n.run.Topology.Degree(n.id) }

func (n *node) Neighbor(port int) protocols.ID { return n.run.Topology.Neighbor(n.id, port) }

func (n *node) Send(to protocols.ID, m box.Message) {
	netem.MustReach(n.run.Topology, n.id, to)
	netem.MustBeKind(n.id, m.Kind(), n.run.kinds)
	n.count++
	number := uint64(n.id+1)<<40 | n.count
	n.at.Sent = append(n.at.Sent, netem.Sent{To: to, Message: m, Number: number})
}

// Broadcast implements protocols.Broadcaster. The messages to all neighbours are one, which a crash does not split.
func (n *node) Broadcast(m box.Message) {
	for i, to := range protocols.NeighborsOf(n.id, n) {
		n.Send(to, m)
		n.at.Sent[len(n.at.Sent)-1].Same = i > 0
	}
}

func (n *node) SetTimer(t protocols.Timer, after time.Duration) {
	netem.MustBeTimer(n.id, t, after)
	n.StopTimer(t)
	if n.known != nil {
		return
	}
	now := des.Time(n.run.now())
	a := &armed{label: t, at: max(now, n.reading.When(n.reading.Shows(now).After(after)))}
	n.timers[t] = a
	if t > protocols.Background {
		n.run.busy.Add(1)
		n.run.planned.Add(1)
	}
	if wait := time.Duration(a.at - now); n.run.alarms == nil {
		a.expiry = time.AfterFunc(wait, func() { n.inbox.put(item{timer: a}) })
	} else {
		a.expiry = time.AfterFunc(wait-coarse, func() { n.run.alarms.add(a.at, alarm{n, a}) })
	}
}

// alarm is a timer of a node that will soon expire.
type alarm struct {
	node  *node
	timer *armed
}

// ring tells nodes of the timers that have expired.
func (r *run) ring() {
	for {
		due, ok := r.alarms.take(des.Time(r.now()))
		if !ok {
			return
		}
		due.Item.node.inbox.put(item{timer: due.Item.timer})
	}
}

func (n *node) StopTimer(t protocols.Timer) {
	if old := n.timers[t]; old != nil {
		delete(n.timers, t)
		old.expiry.Stop()
		if old.held {
			n.run.target.room.remove(&held{node: n, timer: old})
		}
		n.run.disarmed(t)
	}
}

func (n *node) Intn(of int) int {
	c := n.stream.Intn(of)
	n.at.Choices = append(n.at.Choices, c)
	return c
}

func (n *node) Now() time.Duration {
	now := time.Duration(n.reading.Shows(des.Time(n.run.now())))
	if i := len(n.at.Reads); n.known != nil && i < len(n.known.Reads) {
		now = n.known.Reads[i]
	}
	n.at.Reads = append(n.at.Reads, now)
	return now
}

// Suspects is a perfect failure detector, since a crash stops the world.
func (n *node) Suspects(p protocols.ID) bool {
	yes := n.run.down[p] && !n.run.Blind
	if i := len(n.at.Suspected); n.known != nil && i < len(n.known.Suspected) {
		yes = n.known.Suspected[i].Yes
	}
	n.at.Suspected = append(n.at.Suspected, netem.Suspicion{Who: p, Yes: yes})
	return yes
}
