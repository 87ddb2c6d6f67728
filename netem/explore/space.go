package explore

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

// space has the parts that states consist of. A state is a row of numbers, see layout:
// the numbers of the states of its processes, of their sets of timers, of the contents of
// the channels, and so on. The effect of a step on each part is computed once and then
// looked up.
type space struct {
	Network
	topology   netem.Topology
	n          int
	properties []Property
	layout     layout
	channels   []channel
	used       []bool // by channel: messages may be sent on it, as far as is known
	byEnds     []int  // the channel from p to q at p*n+q, -1 for none
	handlers   handlers
	roots      []plainRoot
	mayRestart bool // crashed processes may restart, and messages may reach them
	timed      bool // watches get the time
	idle       bool // timers make no difference: see withIdleTimers
	real       protocols.ID

	lock     sync.Mutex // needed to add to what follows
	replies  list[*reply]
	known    table // the reply, by event.key
	contents interned[string, content]
	timers   interned[string, timerSet]
	settings interned[string, []arming]
	labels   interned[protocols.Timer, protocols.Timer]
	watches  interned[hash, watched]
	changes  table  // of contents, timers and watches, by key
	notices  table  // of watches
	parts    uint64 // bytes of all of these, about

	problem atomic.Pointer[error]
}

// channel is a link, or the channel of a process to itself.
type channel struct{ from, to protocols.ID }

// plainRoot is a root without the types of the system.
type plainRoot struct {
	initiators, dead []protocols.ID
	watch            Watch
}

// layout has the positions of the parts in a state.
type layout struct {
	process, timers, channel int // the first of each kind
	watch, crashed, waiting  int
	booting, budget          int
	root, now, measure       int
	shadow, size             int
}

// content is the content of a channel: the messages in the order in which they were sent
// or, without FIFO, of their hashes.
type content struct {
	items  []item
	hash   hash
	urgent bool // one of them must arrive now
}

// item is a message on its way with the time that it still has.
type item struct {
	message uint32
	left    uint32
}

// timerSet is the timers that a process has armed, by label.
type timerSet struct {
	timers []armed
	hash   hash
	urgent bool // one of them must expire now
}

type armed struct {
	label uint32
	left  uint32 // steps of time
}

// watched is a state of a watch with its verdicts.
type watched struct {
	watch Watch
	hash  hash
	// broken is the first Always that is violated; lacking is the first Eventually that
	// would be violated at rest. 0 is none.
	broken, lacking int
	// A bit for each property: holds if it holds now; bad if an endless run among
	// states with that bit violates it; excused if it would be undecided at rest.
	holds, bad, excused uint64
}

func newSpace[M protocols.Message](s *System[M]) *space {
	sp := &space{
		Network: s.Network, topology: s.Topology, n: s.Topology.Len(),
		properties: append([]Property{NoPanic}, s.Properties...),
	}
	sp.mayRestart = s.Budget.Restarts > 0
	sp.timed = sp.mayRestart && s.Bound > 0
	for _, r := range s.Roots {
		sp.roots = append(sp.roots, plainRoot{r.Initiators, r.Dead, r.Watch})
	}
	sp.findChannels()
	sp.replies.add(nil)   // 0 stands for none
	sp.timerSetting(nil)  // 0 changes nothing
	sp.contentNumber(nil) // 0 is empty
	sp.timerNumber(nil)   // 0 is none
	sp.handlers = newTyped(s, sp)
	return sp
}

// findChannels numbers the channels, process by process: its links in the order of the
// ports, then the channel to itself. It also sets the layout.
func (s *space) findChannels() {
	s.byEnds = make([]int, s.n*s.n)
	for i := range s.byEnds {
		s.byEnds[i] = -1
	}
	for p := range protocols.ID(s.n) {
		for port := range s.topology.Degree(p) {
			s.addChannel(p, s.topology.Neighbor(p, port))
		}
		s.addChannel(p, p)
	}
	l := &s.layout
	l.process, l.timers, l.channel = 0, s.n, 2*s.n
	l.size = l.channel + len(s.channels)
	for _, place := range []*int{&l.watch, &l.crashed, &l.waiting, &l.booting, &l.budget, &l.root, &l.now, &l.measure, &l.shadow} {
		*place = l.size
		l.size++
	}
}

func (s *space) addChannel(from, to protocols.ID) {
	if s.channelOf(from, to) < 0 {
		s.byEnds[int(from)*s.n+int(to)] = len(s.channels)
		s.channels, s.used = append(s.channels, channel{from, to}), append(s.used, false)
	}
}

// channelOf is the channel from one process to another, -1 for none.
func (s *space) channelOf(from, to protocols.ID) int {
	if int(to) < 0 || int(to) >= s.n {
		return -1
	}
	return s.byEnds[int(from)*s.n+int(to)]
}

// keeps adds the memory of a part of states: its bytes, and the overhead of an element of
// a list with its entry in a map.
func (s *space) keeps(bytes int) { s.parts += uint64(bytes) + 150 }

// lookUp is the number of a key. work computes it if the key is new. Two workers may compute
// it at once, and get the same number: work numbers a part of a state by what it is.
func (s *space) lookUp(t *table, key uint64, work func() uint32) uint32 {
	i, ok := t.find(key)
	if !ok {
		i = work()
		s.lock.Lock()
		defer s.lock.Unlock()
		if _, ok := t.find(key); !ok {
			s.put(t, key, i)
		}
	}
	return i
}

// put gives a new key its number. It needs the lock.
func (s *space) put(t *table, key uint64, i uint32) {
	t.put(key, i)
	s.parts += 30 // of a table that is half full
}

// reply is the reaction of a process in a state to an event.
func (s *space) reply(process uint32, e event) *reply {
	key := e.key(process)
	i, ok := s.known.find(key)
	if !ok {
		s.lock.Lock()
		defer s.lock.Unlock()
		if i, ok = s.known.find(key); !ok {
			i = s.addReply(s.handlers.handle(process, e, nil))
			s.put(&s.known, key, i)
		}
	}
	return *s.replies.at(i)
}

// answered is the reaction of a process after the last of these answers.
func (s *space) answered(r *reply, process uint32, e event, answers []int) *reply {
	next := &r.next[answers[len(answers)-1]]
	if next.Load() == 0 {
		s.lock.Lock()
		defer s.lock.Unlock()
		if next.Load() == 0 {
			next.Store(s.addReply(s.handlers.handle(process, e, answers)))
		}
	}
	return *s.replies.at(next.Load())
}

// addReply numbers a reply.
func (s *space) addReply(r *reply) uint32 {
	s.keeps(40*len(r.sends) + 4*len(r.next))
	return s.replies.add(r)
}

// The operations on contents of channels, sets of timers and watches.
const (
	opPush uint64 = iota
	opTake
	opDouble
	opAge
	opSet
	opFire
	opAgeTimers
	opRotate
)

// changed looks up the result of an operation.
func (s *space) changed(of uint32, op, more uint64, work func() uint32) uint32 {
	return s.lookUp(&s.changes, uint64(of)<<36|op<<32|more, work)
}

// push puts a message on a channel.
func (s *space) push(on, message uint32) uint32 {
	return s.changed(on, opPush, uint64(message), func() uint32 {
		return s.contentNumber(slices.Concat(s.contents.at(on).items, []item{{message, uint32(s.Bound)}}))
	})
}

// take takes the i-th message from a channel.
func (s *space) take(on uint32, i int) uint32 {
	return s.changed(on, opTake, uint64(i), func() uint32 {
		return s.contentNumber(slices.Delete(slices.Clone(s.contents.at(on).items), i, i+1))
	})
}

// double inserts a copy of the i-th message after it.
func (s *space) double(on uint32, i int) uint32 {
	return s.changed(on, opDouble, uint64(i), func() uint32 {
		items := s.contents.at(on).items
		return s.contentNumber(slices.Insert(slices.Clone(items), i, items[i]))
	})
}

// age lets a step of time pass on a channel.
func (s *space) age(on uint32) uint32 {
	return s.changed(on, opAge, 0, func() uint32 {
		items := slices.Clone(s.contents.at(on).items)
		for i := range items {
			items[i].left--
		}
		return s.contentNumber(items)
	})
}

// contentNumber is the number of a content.
func (s *space) contentNumber(items []item) uint32 {
	if !s.FIFO {
		slices.SortFunc(items, s.compare)
	}
	var text []byte
	urgent := false
	for _, it := range items {
		text = s.handlers.messageHash(it.message).append(text)
		text = binary.AppendUvarint(text, uint64(it.left))
		urgent = urgent || s.Bound > 0 && it.left == 0
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	i, fresh := s.contents.number(string(text), func() content { return content{items, digest(text), urgent} })
	if fresh {
		s.keeps(8*len(items) + len(text))
	}
	return s.limited(i, "contents of channels")
}

// compare orders messages on their way by their hashes. Their numbers depend on which
// worker came first.
func (s *space) compare(a, b item) int {
	g, h := s.handlers.messageHash(a.message), s.handlers.messageHash(b.message)
	return cmp.Or(cmp.Compare(g.first, h.first), cmp.Compare(g.second, h.second), cmp.Compare(a.left, b.left))
}

// timerSetting numbers the changes that a handler makes to timers.
func (s *space) timerSetting(a []arming) uint32 {
	text := fmt.Sprint(a)
	i, fresh := s.settings.number(text, func() []arming { return a })
	if fresh {
		s.keeps(24*len(a) + len(text))
	}
	return i
}

// set applies a timer setting to a set of timers.
func (s *space) set(timers, setting uint32) uint32 {
	if setting == 0 {
		return timers
	}
	return s.changed(timers, opSet, uint64(setting), func() uint32 {
		set := slices.Clone(s.timers.at(timers).timers)
		for _, a := range *s.settings.at(setting) {
			label := s.labelNumber(a.label)
			set = slices.DeleteFunc(set, func(t armed) bool { return t.label == label })
			if !a.stop {
				set = append(set, armed{label, s.steps(a.after)})
			}
		}
		return s.timerNumber(set)
	})
}

// steps is a duration in steps of time, 0 without a Bound.
func (s *space) steps(d time.Duration) uint32 {
	if s.Bound == 0 {
		return 0
	}
	if d%s.Step != 0 {
		s.fail(fmt.Errorf("a timer of %v is no multiple of %v, the step of time; shorter steps are needed", d, s.Step))
	}
	return uint32(min(d/s.Step, math.MaxUint32))
}

// fail notes the first reason why the search cannot go on.
func (s *space) fail(err error) {
	if s.problem.Load() == nil {
		s.problem.Store(&err)
	}
}

// limited returns the number if it fits into a key. Otherwise the search fails.
func (s *space) limited(i uint32, of string) uint32 {
	if i >= maxStates {
		s.fail(fmt.Errorf("%w: more than %d %s", errRoom, maxStates, of))
		return 0
	}
	return i
}

// errRoom says that a search ran out of numbers.
var errRoom = errors.New("out of room")

// fire removes a timer from a set.
func (s *space) fire(timers, label uint32) uint32 {
	return s.changed(timers, opFire, uint64(label), func() uint32 {
		return s.timerNumber(slices.DeleteFunc(slices.Clone(s.timers.at(timers).timers), func(t armed) bool { return t.label == label }))
	})
}

// ageTimers lets a step of time pass for timers.
func (s *space) ageTimers(timers uint32) uint32 {
	return s.changed(timers, opAgeTimers, 0, func() uint32 {
		set := slices.Clone(s.timers.at(timers).timers)
		for i := range set {
			set[i].left--
		}
		return s.timerNumber(set)
	})
}

// timerNumber is the number of a set of timers.
func (s *space) timerNumber(set []armed) uint32 {
	label := func(t armed) int64 { return int64(*s.labels.at(t.label)) }
	slices.SortFunc(set, func(a, b armed) int { return int(label(a) - label(b)) })
	var text []byte
	urgent := false
	for _, t := range set {
		text = binary.AppendVarint(text, label(t))
		text = binary.AppendUvarint(text, uint64(t.left))
		urgent = urgent || s.Bound > 0 && t.left == 0
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	i, fresh := s.timers.number(string(text), func() timerSet { return timerSet{set, digest(text), urgent} })
	if fresh {
		s.keeps(8*len(set) + len(text))
	}
	return s.limited(i, "sets of timers")
}

func (s *space) labelNumber(label protocols.Timer) uint32 {
	s.lock.Lock()
	defer s.lock.Unlock()
	i, _ := s.labels.number(label, func() protocols.Timer { return label })
	return i
}

// watch tells a watch of a step.
func (s *space) watch(watch uint32, what StepKind, p protocols.ID, process, now uint32) uint32 {
	if what == Boot {
		what = Timeout // a watch does not tell them apart
	}
	if s.timed {
		return s.notified(watch, what, p, process, now)
	}
	return s.lookUp(&s.notices, uint64(watch)<<36|uint64(what)<<33|uint64(p)<<28|uint64(process), func() uint32 {
		return s.notified(watch, what, p, process, 0)
	})
}

// notified is the watch after the step.
func (s *space) notified(watch uint32, what StepKind, p protocols.ID, process, now uint32) uint32 {
	w := value.Clone(s.watches.at(watch).watch)
	notify(w, what, p, s.handlers.process(process), s.Network.watchTime(now))
	return s.watchNumber(w)
}

// notify tells a watch of a step.
func notify(w Watch, what StepKind, p protocols.ID, process any, now time.Duration) {
	switch what {
	case Start:
		w.Started(p, process, now)
	case Deliver:
		w.Received(p, process, now)
	case Crash:
		w.Crashed(p, now)
	case Restart:
		w.Restarted(p, process, now)
	default:
		w.Expired(p, process, now)
	}
}

// watchNumber is the number of a state of a watch.
func (s *space) watchNumber(w Watch) uint32 {
	text := value.Append(make([]byte, 0, 256), &w)
	h := digest(text)
	s.lock.Lock()
	defer s.lock.Unlock()
	i, fresh := s.watches.number(h, func() watched { return s.judged(w, h) })
	if fresh {
		s.keeps(2 * len(text))
	}
	return s.limited(i, "states of the properties")
}

// judged adds the verdicts of a watch. It does not judge NoPanic, the first property.
func (s *space) judged(w Watch, h hash) watched {
	is := watched{watch: w, hash: h}
	now, atRest := w.Verdicts(false), w.Verdicts(true)
	for i := len(s.properties) - 1; i > 0; i-- {
		bit, kind := uint64(1)<<i, s.properties[i].Kind
		if now[i-1] == protocols.Holds {
			is.holds |= bit
		}
		if kind == Always && now[i-1] == protocols.Violated {
			is.broken = i
		}
		if kind == Eventually && atRest[i-1] == protocols.Violated {
			is.lacking, is.bad = i, is.bad|bit
		}
		if kind == Eventually && atRest[i-1] == protocols.Undecided {
			is.excused |= bit
		}
		if kind == Finally {
			is.bad |= bit
		}
	}
	return is
}

// watched is the watch of a state.
func (s *space) watched(words []uint32) *watched { return s.watches.at(words[s.layout.watch]) }

// rotated is the watch rotated by one address.
func (s *space) rotated(watch uint32) uint32 {
	return s.changed(watch, opRotate, 0, func() uint32 {
		w := value.Clone(s.watches.at(watch).watch)
		w.(Rotator).Rotate()
		return s.watchNumber(w)
	})
}
