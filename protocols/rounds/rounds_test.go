package rounds_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/rounds"
)

const unit = time.Millisecond

// word is the message of the algorithm below: a number.
type word uint64

func (word) Kind() int                           { return 0 }
func (word) Kinds() []string                     { return []string{"WORD"} }
func (word) Bits() int                           { return 8 + 64 }
func (w word) String() string                    { return fmt.Sprintf("WORD(%d)", uint64(w)) }
func (w word) Forge(f func(id int64) int64) word { return word(f(int64(w))) }

// mixer is an algorithm that notices everything: what it sends, and whether to a
// neighbour at all, depends on all that it has received, in which round and from whom.
type mixer struct {
	state  uint64
	rounds int // left
	starts int
	halted bool
}

func (p *mixer) Halted() bool { return p.halted }

func (p *mixer) Start(n protocols.Node[word]) {
	p.starts++
	p.state = p.mix(uint64(n.ID()), 1)
	p.halted = p.rounds == 0
}

func (p *mixer) mix(x, y uint64) uint64 {
	return (x^0x9e3779b97f4a7c15)*0xbf58476d1ce4e5b9 + y*0x94d049bb133111eb
}

func (p *mixer) Messages(n protocols.Node[word]) {
	for port := range n.Degree() {
		for k := range (p.state >> (8 + 2*port)) % 3 { // none, one or two
			n.Send(n.Neighbor(port), word(p.mix(p.state, k+uint64(port))))
		}
	}
}

func (p *mixer) Transition(_ protocols.Node[word], arrived []protocols.Arrival[word]) {
	for _, a := range arrived {
		p.state = p.mix(p.state^uint64(a.Message), uint64(a.From))
	}
	p.state = p.mix(p.state, 7)
	p.rounds--
	p.halted = p.rounds == 0
}

// sheet is the node of a process in the model: it writes down what is sent.
type sheet struct {
	topology netem.Topology
	id       protocols.ID
	sent     []sentWord
}

type sentWord struct {
	from, to protocols.ID
	m        word
}

func (s *sheet) ID() protocols.ID                        { return s.id }
func (s *sheet) Degree() int                             { return s.topology.Degree(s.id) }
func (s *sheet) Neighbor(port int) protocols.ID          { return s.topology.Neighbor(s.id, port) }
func (s *sheet) Send(to protocols.ID, m word)            { s.sent = append(s.sent, sentWord{s.id, to, m}) }
func (s *sheet) SetTimer(protocols.Timer, time.Duration) { panic("a timer") }
func (s *sheet) StopTimer(protocols.Timer)               { panic("a timer") }
func (s *sheet) Intn(int) int                            { return 0 }
func (s *sheet) Suspects(protocols.ID) bool              { return false }
func (s *sheet) Now() time.Duration                      { panic("a clock") }

// model runs the algorithm as Lynch's section 2.1 defines it, with no network at all.
func model(topology netem.Topology, length int) (states []uint64, messages int) {
	n := topology.Len()
	ps := make([]*mixer, n)
	for i := range ps {
		ps[i] = &mixer{rounds: length}
		ps[i].Start(&sheet{topology: topology, id: protocols.ID(i)})
	}
	for range length {
		var sent []sentWord
		for i, p := range ps {
			s := &sheet{topology: topology, id: protocols.ID(i)}
			p.Messages(s)
			sent = append(sent, s.sent...)
		}
		messages += len(sent)
		for i, p := range ps {
			var arrived []protocols.Arrival[word]
			for _, s := range sent { // by sender, in the order of sends
				if s.to == protocols.ID(i) {
					arrived = append(arrived, protocols.Arrival[word]{From: s.from, Message: s.m})
				}
			}
			p.Transition(&sheet{topology: topology, id: protocols.ID(i)}, arrived)
		}
	}
	for _, p := range ps {
		states = append(states, p.state)
	}
	return states, messages
}

// run runs mixers and returns their states.
func run[W protocols.Message](t *testing.T, cfg netem.Config, length int, starts []protocols.ID, wrap func(*mixer) protocols.Process[W]) ([]uint64, *netem.Network[W]) {
	t.Helper()
	ps := make([]*mixer, cfg.Topology.Len())
	cfg.FIFO, cfg.MaxEvents = true, 1<<20
	net := netem.New(cfg, func(id protocols.ID) protocols.Process[W] {
		ps[id] = &mixer{rounds: length}
		return wrap(ps[id])
	})
	for _, id := range starts {
		net.StartAt(id, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("%v after %d rounds: %v", cfg.Topology, length, end)
	}
	var states []uint64
	for _, p := range ps {
		if p.starts != 1 || !p.halted {
			t.Fatalf("%v, %d rounds: a process started %d times, halted %v", cfg.Topology, length, p.starts, p.halted)
		}
		states = append(states, p.state)
	}
	return states, net
}

func topologies() []netem.Topology {
	return []netem.Topology{netem.BiRing(1), netem.BiRing(2), netem.BiRing(5), netem.Complete(2), netem.Complete(4)}
}

func all(n int) []protocols.ID {
	ids := make([]protocols.ID, n)
	for i := range ids {
		ids[i] = protocols.ID(i)
	}
	return ids
}

// In lock-step every delay up to the round, none at all included, makes the run of the
// model; and the last message arrives when the last round ends, at the latest.
func TestLockstepIsTheModel(t *testing.T) {
	for _, topology := range append(topologies(), netem.Ring(1), netem.Ring(4)) {
		for length := range 6 {
			want, messages := model(topology, length)
			for _, delay := range []des.Distribution{des.Constant(unit), des.Constant(0), des.Uniform(0, unit), des.Uniform(unit/2, unit)} {
				for seed := range uint64(3) {
					cfg := netem.Config{Topology: topology, Delay: delay, Seed: seed}
					got, net := run(t, cfg, length, all(topology.Len()), func(m *mixer) protocols.Process[rounds.Stamped[word]] {
						return rounds.NewLockstep(m, unit)
					})
					if !slices.Equal(got, want) {
						t.Fatalf("%v, %d rounds, delay %v: states %x, in the model %x", topology, length, delay, got, want)
					}
					if c := net.Counters(); int(c.Messages()) != messages || c.LastMessage > des.Time(length)*des.Time(unit) {
						t.Fatalf("%v, %d rounds, delay %v: %d messages, the last at %v; want %d", topology, length, delay, c.Messages(), c.LastMessage, messages)
					}
				}
			}
		}
	}
}

// Behind alpha every schedule makes the run of the model, with any initiators, on links of
// any order; an ACK for each message and a SAFE for each directed link and round come
// on top.
func TestAlphaIsTheModel(t *testing.T) {
	for _, topology := range topologies() {
		m := 0
		for id := range protocols.ID(topology.Len()) {
			m += topology.Degree(id)
		}
		for length := range 6 {
			want, messages := model(topology, length)
			for _, delay := range []des.Distribution{des.Constant(unit), des.Constant(0), des.Exponential(unit), des.Uniform(0, 10*unit)} {
				for set := 1; set < 1<<topology.Len(); set++ {
					if length == 0 && set != 1<<topology.Len()-1 {
						continue // no process hears of the others
					}
					var starts []protocols.ID
					for id := range topology.Len() {
						if set>>id&1 == 1 {
							starts = append(starts, protocols.ID(id))
						}
					}
					cfg := netem.Config{Topology: topology, Delay: delay, Seed: uint64(set)}
					got, net := run(t, cfg, length, starts, func(m *mixer) protocols.Process[rounds.AlphaMessage[word]] {
						return rounds.NewAlpha(m)
					})
					if !slices.Equal(got, want) {
						t.Fatalf("%v, %d rounds, delay %v, %v start: states %x, in the model %x", topology, length, delay, starts, got, want)
					}
					if sent, want := net.Counters().Sent, []uint64{uint64(messages), uint64(messages), uint64(m * length)}; !slices.Equal(sent, want) {
						t.Fatalf("%v, %d rounds, delay %v, %v start: sent %v, want %v", topology, length, delay, starts, sent, want)
					}
				}
			}
		}
	}
}

// sleeper sends once, after so many rounds, and whenever something comes.
type sleeper struct {
	mixer
	naps []int // what Sleep says, the last for ever
	woke int
	came int
}

func (p *sleeper) Start(protocols.Node[word])    {}
func (p *sleeper) Messages(protocols.Node[word]) {}
func (p *sleeper) Wake()                         { p.woke++ }
func (p *sleeper) Transition(_ protocols.Node[word], arrived []protocols.Arrival[word]) {
	p.came += len(arrived)
}

func (p *sleeper) Sleep() int {
	nap := p.naps[0]
	if len(p.naps) > 1 {
		p.naps = p.naps[1:]
	}
	return nap
}

// A process that sleeps costs two events, however long it does; what comes stirs it,
// and does not move the hour at which it is to be woken, unless it says so.
func TestSleepersAreLetSleep(t *testing.T) {
	// Beside what is counted here there are two starts, a delivery and the end of the
	// sender's round.
	const others = 4
	for _, c := range []struct {
		naps  []int
		woke  int
		stirs uint64
		last  time.Duration
	}{
		{naps: []int{1_000_000_000, protocols.Asleep}, woke: 0, stirs: 1, last: 3 * unit / 2},
		{naps: []int{1_000_000_000, protocols.Unchanged, protocols.Asleep}, woke: 1, stirs: 1, last: 1_000_000_000 * unit},
		{naps: []int{1_000, 2_000, protocols.Asleep}, woke: 1, stirs: 1, last: 2_000*unit + 3*unit/2},
		{naps: []int{protocols.Asleep}, woke: 0, stirs: 1, last: 3 * unit / 2},
		{naps: []int{1, 1, 1, protocols.Asleep}, woke: 2, stirs: 1, last: 5 * unit / 2},
	} {
		p := &sleeper{naps: c.naps}
		net := netem.New(netem.Config{Topology: netem.Complete(2), Delay: des.Constant(3 * unit / 2), FIFO: true}, func(id protocols.ID) protocols.Process[rounds.Stamped[word]] {
			if id == 0 {
				return rounds.NewLockstep(p, unit)
			}
			return rounds.NewLockstep(&once{}, unit)
		})
		net.StartAt(0, 0)
		net.StartAt(1, 0)
		if end := net.Run(t.Context()); end != netem.Quiescent {
			t.Fatal(end)
		}
		if p.woke != c.woke || p.came != 1 {
			t.Errorf("%v: woken %d times, and %d messages came; want %d and 1", c.naps, p.woke, p.came, c.woke)
		}
		if events := net.Counters().Events; events != others+c.stirs+uint64(c.woke) || net.Now() != des.Time(c.last) {
			t.Errorf("%v: %d events, the last at %v; want %d and %v", c.naps, events, net.Now(), others+c.stirs+uint64(c.woke), c.last)
		}
	}
}

// A sleep that is longer than time goes on to the end of time.
func TestSleepHasNoOverflow(t *testing.T) {
	p := &sleeper{naps: []int{math.MaxInt, protocols.Asleep}}
	net := netem.New(netem.Config{Topology: netem.Ring(1), Delay: des.Constant(unit)}, func(protocols.ID) protocols.Process[rounds.Stamped[word]] {
		return rounds.NewLockstep(p, unit)
	})
	net.StartAt(0, 0)
	net.Run(t.Context())
	const most = float64(math.MaxInt) * float64(unit) // where an int has 32 bits, some weeks
	if p.woke != 1 || float64(net.Now()) < min(most, float64(100*365*24*time.Hour)) {
		t.Errorf("woken %d times, at %v", p.woke, net.Now())
	}
}

// once sends a word in round 1, and halts.
type once struct{ sent bool }

func (p *once) Start(protocols.Node[word]) {}
func (p *once) Halted() bool               { return p.sent }
func (p *once) Messages(n protocols.Node[word]) {
	n.Send(n.Neighbor(0), 1)
}
func (p *once) Transition(protocols.Node[word], []protocols.Arrival[word]) { p.sent = true }

func TestMessages(t *testing.T) {
	stamped := rounds.Stamped[word]{Inner: 5, Odd: true}
	if stamped.Kind() != 0 || !slices.Equal(stamped.Kinds(), []string{"WORD"}) || stamped.Bits() != 80 || stamped.String() != "WORD(5)" {
		t.Errorf("%v: kind %d of %v, %d bits", stamped, stamped.Kind(), stamped.Kinds(), stamped.Bits())
	}
	if forged := stamped.Forge(func(id int64) int64 { return id + 1 }); forged.Inner != 6 || !forged.Odd {
		t.Errorf("forged: %+v", forged)
	}
	var sent []rounds.AlphaMessage[word]
	net := netem.New(netem.Config{Topology: netem.Complete(2), Delay: des.Constant(unit), FIFO: true}, func(protocols.ID) protocols.Process[rounds.AlphaMessage[word]] {
		return rounds.NewAlpha(&once{})
	})
	net.Trace(messages{&sent})
	net.StartAt(0, 0)
	net.Run(t.Context())
	seen := map[string]bool{}
	for _, m := range sent {
		seen[m.String()] = true
		want := map[string][3]int{"WORD(1)": {0, 80, 0}, "ACK": {1, 16, 1}, "SAFE": {2, 16, 1}}[m.String()]
		overhead := 0
		if m.Overhead(m.Kind()) {
			overhead = 1
		}
		if got := [3]int{m.Kind(), m.Bits(), overhead}; got != want {
			t.Errorf("%v: kind, bits, overhead %v; want %v", m, got, want)
		}
		if forged := m.Forge(func(id int64) int64 { return id + 1 }); (m.Type == rounds.Payload) != (forged.Inner == 2) {
			t.Errorf("%v forged: %v", m, forged)
		}
	}
	if len(seen) != 3 {
		t.Errorf("seen were %v", seen)
	}
}

// messages is a tracer that keeps messages.
type messages struct{ all *[]rounds.AlphaMessage[word] }

func (t messages) Record(r netem.Record) {
	if m, ok := r.Message.(rounds.AlphaMessage[word]); ok {
		*t.all = append(*t.all, m)
	}
}

// timed is an algorithm that is not synchronous.
type timed struct{ mixer }

func (p *timed) Messages(n protocols.Node[word]) {
	if p.state%2 == 0 {
		n.StopTimer(1)
	}
	n.SetTimer(1, unit)
}

// bare is a node whose messages go nowhere.
type bare[M any] struct{ protocols.Node[M] }

func (bare[M]) ID() protocols.ID                        { return 3 }
func (bare[M]) Degree() int                             { return 0 }
func (bare[M]) SetTimer(protocols.Timer, time.Duration) {}

func TestPanics(t *testing.T) {
	lockstep := func(r protocols.Round[word]) *rounds.Lockstep[word] { return rounds.NewLockstep(r, unit) }
	for says, do := range map[string]func(){
		"a round of 0s":      func() { rounds.NewLockstep(&mixer{}, 0) },
		"has no timers":      func() { lockstep(&timed{mixer{rounds: 1}}).Start(bare[rounds.Stamped[word]]{}) },
		"never sets timer 4": func() { lockstep(&mixer{}).Timeout(bare[rounds.Stamped[word]]{}, 4) },
		"never sets timer 1": func() { lockstep(&mixer{}).Timeout(bare[rounds.Stamped[word]]{}, 1) },
		"never sets a timer": func() { rounds.NewAlpha(&mixer{}).Timeout(bare[rounds.AlphaMessage[word]]{}, -1) },
		"a message of unknown type": func() {
			rounds.NewAlpha(&waiting{}).Receive(bare[rounds.AlphaMessage[word]]{}, 1, rounds.AlphaMessage[word]{Type: 9})
		},
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), says) {
					t.Errorf("panic %v; want %q", r, says)
				}
			}()
			do()
		}()
	}
}

// waiting sends to a process that never answers.
type waiting struct{ mixer }

func (p *waiting) Start(protocols.Node[word])      {}
func (p *waiting) Messages(n protocols.Node[word]) { n.Send(1, 1) }

func (bare[M]) Send(protocols.ID, M) {}
