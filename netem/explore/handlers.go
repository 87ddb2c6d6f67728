package explore

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"bullring/internal/guard"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

// event is an event that a process handles.
type event struct {
	what StepKind
	who  protocols.ID
	from protocols.ID // the sender
	more uint32       // the number of the message, the label or the root
}

// key packs a state of a process and an event into a number.
func (e event) key(process uint32) uint64 {
	return uint64(process)<<36 | uint64(e.what)<<32 | uint64(e.who)<<27 | uint64(e.from)<<22 | uint64(e.more)
}

// The limits of the numbers in a key.
const (
	maxProcesses = 1 << 5
	maxStates    = 1 << 28 // of a process
	maxMessages  = 1 << 22
	maxChoices   = 1 << 10 // of one draw; each is explored
)

// reply is the reaction of a process in a state to an event, or its first question. It is
// computed once.
type reply struct {
	asks asks
	of   int             // the process that it asks about, or the number of choices
	next []atomic.Uint32 // by answer, the number of the next reply; 0 if it is not known yet

	process  uint32 // its new state
	sends    []send
	timers   uint32 // the number of its timer setting
	bits     []int  // the size of the first 0, 1, 2... messages
	own      []int  // the number of those that are not protocols.Overhead
	depth    uint32 // of the longest chain of messages that has come to the process
	round    int    // that the process is in, if rounds have a limit
	panicked string
}

// asks is a question of a process in the middle of a step.
type asks uint8

const (
	nothing asks = iota
	whetherCrashed
	toChoose
	whetherNear
)

// send is a message that a process sends.
type send struct {
	to      protocols.ID
	channel int // toAll of a broadcast
	message uint32
}

const toAll = -1

// arming sets or stops a timer.
type arming struct {
	label protocols.Timer
	after time.Duration
	stop  bool
}

// handlers hides the types of processes and messages from the search.
type handlers interface {
	// first is the first state of the process at an address.
	first(root int, p protocols.ID) (process uint32, boots bool)
	// linked reports whether a process is told of changes of its links.
	linked(process uint32) bool
	// remains is the part of a crashed process that its successor can read.
	remains(process uint32) uint32
	// handle runs a handler, given the answers to its questions so far.
	handle(process uint32, e event, answers []int) *reply
	process(number uint32) any
	processHash(number uint32) hash
	messageHash(number uint32) hash
	message(number uint32) any
}

// typed are the processes and messages of a space.
type typed[M protocols.Message] struct {
	system    *System[M]
	space     *space
	processes values[process[M]]
	messages  values[message[M]]
}

// values are values by the hashes of their fields.
type values[T any] struct{ interned[hash, hashed[T]] }

type hashed[T any] struct {
	value T
	hash  hash
}

// numberOf returns the number of a value.
func (l *values[T]) numberOf(s *store, v T) uint32 {
	text := value.Append(nil, &v)
	h := digest(text)
	i, fresh := l.number(h, func() hashed[T] { return hashed[T]{v, h} })
	if fresh {
		s.keeps(2 * len(text))
	}
	return i
}

// process is a process and, if Depth is measured, the longest chain of messages that has
// come to it. The zero value is a dead process.
type process[M protocols.Message] struct {
	protocols.Process[M]
	depth uint32
}

type message[M protocols.Message] struct {
	content M
	depth   uint32
}

func newTyped[M protocols.Message](s *System[M], space *space) *typed[M] {
	t := &typed[M]{system: s, space: space}
	t.processNumber(process[M]{})
	return t
}

func (t *typed[M]) process(number uint32) any {
	return t.shown(t.processes.at(number).value.Process)
}

// shown is a process as watches see it.
func (t *typed[M]) shown(p protocols.Process[M]) any {
	if t.system.Shown != nil && p != nil {
		return t.system.Shown(p)
	}
	return p
}

func (t *typed[M]) processHash(number uint32) hash { return t.processes.at(number).hash }
func (t *typed[M]) message(number uint32) any      { return t.messages.at(number).value.content }
func (t *typed[M]) messageHash(number uint32) hash { return t.messages.at(number).hash }

func (t *typed[M]) processNumber(p process[M]) uint32 {
	return t.space.limited(t.processes.numberOf(t.space.store, p), "states of a process")
}

func (t *typed[M]) messageNumber(m message[M]) uint32 {
	i := t.messages.numberOf(t.space.store, m)
	if i >= maxMessages {
		t.space.fail(fmt.Errorf("%w: more than %d messages", errRoom, maxMessages))
		return 0
	}
	return i
}

func (t *typed[M]) first(root int, p protocols.ID) (uint32, bool) {
	made := t.system.Roots[root].Boot(p)
	_, boots := protocols.AsBooter(made)
	return t.processNumber(process[M]{Process: made}), boots
}

func (t *typed[M]) linked(number uint32) bool {
	_, linked := protocols.AsLinked(t.processes.at(number).value.Process)
	return linked
}

func (t *typed[M]) remains(number uint32) uint32 {
	if _, stable := protocols.AsStable(t.processes.at(number).value.Process); stable {
		return number
	}
	return 0
}

// handle runs a handler and repeats it to see that the reaction is the same: once, and
// more often while few events are known, since a map of two entries has two orders.
func (t *typed[M]) handle(number uint32, e event, answers []int) (r *reply) {
	guard.Call(func() { r = t.settled(number, e, answers) }, func(x any) { r = &reply{panicked: fmt.Sprint(x)} })
	return r
}

func (t *typed[M]) settled(number uint32, e event, answers []int) *reply {
	r := t.attempt(number, e, answers)
	for range min(1+repeats/(1+int(t.space.replies.list.count)), mostRepeats) {
		if again := t.attempt(number, e, answers); !r.equals(again) {
			t.space.fail(&NotDeterministicError{Step: t.eventText(e), Once: t.replyText(r), Again: t.replyText(again)})
			break
		}
	}
	return r
}

const (
	repeats     = 1024 // the first of so many events are repeated more than once
	mostRepeats = 32
)

func (t *typed[M]) attempt(number uint32, e event, answers []int) (r *reply) {
	p := value.Clone(t.processes.at(number).value)
	n := &node[M]{typed: t, who: e.who, answers: answers, reply: &reply{bits: []int{0}, own: []int{0}}}
	defer func() {
		switch x := recover().(type) {
		case nil:
		case value.Incomparable:
			t.space.fail(x)
			r = &reply{panicked: x.Error()}
		case *FailedError:
			t.space.fail(x)
			r = &reply{panicked: x.Error()}
		case question:
			r = &reply{asks: x.asks, of: x.of, next: make([]atomic.Uint32, x.answers)}
		default:
			r = &reply{panicked: fmt.Sprint(x)}
		}
	}()
	p = t.run(p, n, e)
	n.reply.process, n.reply.depth = t.processNumber(p), p.depth
	n.reply.timers = t.space.timers.timerSetting(n.timers)
	if t.space.Limits.Rounds > 0 {
		n.reply.round, _ = protocols.RoundOf(t.shown(p.Process))
	}
	return n.reply
}

// run runs the handler of the event.
func (t *typed[M]) run(p process[M], n *node[M], e event) process[M] {
	n.depth = p.depth
	switch e.what {
	case Boot:
		p.Process.(protocols.Booter[M]).Boot(n)
	case Start:
		p.Start(n)
	case Deliver:
		m := value.Clone(t.messages.at(e.more).value)
		p.depth = max(p.depth, m.depth)
		n.depth = p.depth
		p.Receive(n, e.from, m.content)
	case Timeout:
		p.Timeout(n, *t.space.timers.labels.at(e.more))
	case LinkUp:
		p.Process.(protocols.Linked[M]).LinkUp(n, e.from)
	case LinkDown:
		p.Process.(protocols.Linked[M]).LinkDown(n, e.from)
	case Restart:
		crashed := p.Process
		p.depth, n.depth = 0, 0
		p.Process = t.system.Roots[e.more].reboot(e.who)
		if s, ok := protocols.AsStable(p.Process); ok && crashed != nil {
			s.Restore(crashed)
		}
		if b, ok := protocols.AsBooter(p.Process); ok {
			b.Boot(n)
		}
		if r, ok := p.Process.(protocols.Recoverer[M]); ok {
			r.Recover(n)
		}
	}
	return p
}

// node is the protocols.Node of a handler whose reply is computed.
type node[M protocols.Message] struct {
	typed   *typed[M]
	who     protocols.ID
	answers []int
	asked   int
	depth   uint32
	timers  []arming
	reply   *reply
	near    []protocols.ID // the neighbours, once it has asked for them
}

var (
	_ protocols.Node[protocols.Message]        = (*node[protocols.Message])(nil)
	_ protocols.Near                           = (*node[protocols.Message])(nil)
	_ protocols.Broadcaster[protocols.Message] = (*node[protocols.Message])(nil)
)

// question is the panic that ends a handler whose question has no answer yet.
type question struct {
	asks
	of, answers int
}

func (n *node[M]) answer(q question) int {
	if n.asked == len(n.answers) {
		panic(q)
	}
	n.asked++
	return n.answers[n.asked-1]
}

func (n *node[M]) topology() netem.Topology { return n.typed.system.Topology }

func (n *node[M]) ID() protocols.ID { return n.who }

func (n *node[M]) Degree() int { return n.topology().Degree(n.who) }

func (n *node[M]) Neighbor(port int) protocols.ID { return n.topology().Neighbor(n.who, port) }

// Neighbors implements protocols.Near.
func (n *node[M]) Neighbors() []protocols.ID {
	if n.near == nil {
		n.near = slices.DeleteFunc(protocols.NeighborsOf(n.who, n), func(q protocols.ID) bool {
			return n.typed.space.Moves() && n.answer(question{whetherNear, int(q), 2}) == 0
		})
	}
	return n.near
}

func (n *node[M]) Send(to protocols.ID, m M) {
	netem.MustReach(n.topology(), n.who, to)
	n.leave(to, n.typed.space.channels.channelOf(n.who, to), m)
}

// Broadcast implements protocols.Broadcaster.
func (n *node[M]) Broadcast(m M) { n.leave(n.who, toAll, m) }

// leave adds a message to the reply.
func (n *node[M]) leave(to protocols.ID, channel int, m M) {
	netem.MustBeKind(n.who, m.Kind(), len(m.Kinds()))
	sent := message[M]{content: m}
	if n.typed.system.Measure == Depth {
		sent.depth = n.depth + 1
	}
	n.reply.sends = append(n.reply.sends, send{to, channel, n.typed.messageNumber(value.Clone(sent))})
	n.reply.bits = append(n.reply.bits, n.reply.bits[len(n.reply.bits)-1]+m.Bits())
	own := n.reply.own[len(n.reply.own)-1]
	if o, ok := any(m).(protocols.Overhead); !ok || !o.Overhead(m.Kind()) {
		own++
	}
	n.reply.own = append(n.reply.own, own)
}

func (n *node[M]) SetTimer(t protocols.Timer, after time.Duration) {
	netem.MustBeTimer(n.who, t, after)
	n.timers = append(n.timers, arming{label: t, after: after})
}

func (n *node[M]) StopTimer(t protocols.Timer) {
	n.timers = append(n.timers, arming{label: t, stop: true})
}

func (n *node[M]) Intn(of int) int {
	switch {
	case of <= 0:
		panic(fmt.Sprintf("a choice from %d", of))
	case of > maxChoices:
		n.typed.space.fail(fmt.Errorf("process %d chooses one of %d; choices of up to %d can be explored", n.who, of, maxChoices))
		panic("a choice that cannot be explored")
	}
	return n.answer(question{toChoose, of, of})
}

// Now is 0: an exploration has no clocks.
func (n *node[M]) Now() time.Duration { return 0 }

func (n *node[M]) Suspects(p protocols.ID) bool {
	mustBeAddress(p, n.typed.space.n)
	return !n.typed.system.Blind && n.answer(question{whetherCrashed, int(p), 2}) == 1
}

// mustBeAddress panics if a process asks about an address that does not exist.
func mustBeAddress(p protocols.ID, n int) {
	if p < 0 || int(p) >= n {
		panic(fmt.Sprintf("a process asks about address %d; there are 0..%d", p, n-1))
	}
}
