package modifiedring_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/modifiedring"
)

// The tests of this file let processes crash at every instant and after every
// send, and hold each run to invariants (a), (c), (d) and (e) of the package comment.

// scenario is a run in the model.
type scenario struct {
	ranks []election.Rank
	cfg   modifiedring.Config
	delay des.Distribution // nil: always Unit
	fifo  bool
	seed  uint64
	start []electiontest.At
	crash []electiontest.At
	amid  []amid
}

// amid is a crash in the middle of a step: right after the process's send of that
// number, from 1, or right before it.
type amid struct {
	id     protocols.ID
	send   int
	before bool
}

func (s scenario) String() string {
	return fmt.Sprintf("ranks %v, %+v, start %v, crash %v, amid %v, delay %v, seed %d",
		s.ranks, s.cfg, s.start, s.crash, s.amid, s.delay, s.seed)
}

// lab runs scenarios one after another in the same memory, and is what watches
// them.
type lab struct {
	t         *testing.T
	net       *netem.Network[modifiedring.Message]
	s         scenario
	decisions []election.Decision
	took      []bool
	died      []des.Time
	decided   []des.Time // when a process last changed its decision
}

// forever is the death of those that live.
const forever = des.MaxTime

// run runs a scenario to its end, and fails the test if it breaks an invariant.
func (l *lab) run(s scenario) netem.Counters {
	l.t.Helper()
	n := len(s.ranks)
	if s.delay == nil {
		s.delay = des.Constant(electiontest.Unit)
	}
	l.s, l.decisions, l.took = s, make([]election.Decision, n), make([]bool, n)
	l.decided, l.died = make([]des.Time, n), make([]des.Time, n)
	for i := range l.died {
		l.died[i] = forever
	}
	cfg := netem.Config{Topology: netem.Complete(n), Delay: s.delay, FIFO: s.fifo, Seed: s.seed, MaxEvents: 1 << 16}
	boot := func(id protocols.ID) protocols.Process[modifiedring.Message] {
		return modifiedring.New(s.ranks[id], s.cfg)
	}
	if l.net == nil {
		l.net = netem.New(cfg, boot)
	} else {
		l.net.Reset(cfg, boot)
	}
	l.net.Observe(l)
	if len(s.amid) > 0 {
		l.net.Oppose(&saboteur{plan: s.amid, sends: make([]int, n)})
	}
	for _, at := range s.crash {
		l.net.CrashAt(at.ID, des.Time(at.Time))
	}
	for _, at := range s.start {
		l.net.StartAt(at.ID, des.Time(at.Time))
	}
	if end := l.net.Run(l.t.Context()); end != netem.Quiescent {
		l.t.Fatalf("%v: the election does not end: %v", s, end)
	}
	if s.cfg.Watchdog {
		l.atRest()
	}
	return l.net.Counters()
}

// Stepped checks invariant (a): no decision on a process worse than one that is
// alive.
func (l *lab) Stepped(id protocols.ID) {
	l.took[id] = true
	d := l.process(id).Decision()
	if d == l.decisions[id] {
		return
	}
	l.decisions[id], l.decided[id] = d, l.net.Now()
	elected := l.address(d.Leader)
	for q, r := range l.s.ranks {
		if l.died[q] == forever && l.s.cfg.Order.Better(r, l.s.ranks[elected]) {
			l.t.Fatalf("%v: %d decides for %v while the better %v lives", l.s, id, d.Leader, r)
		}
	}
}

func (l *lab) Started(id protocols.ID) { l.Stepped(id) }
func (l *lab) Crashed(id protocols.ID) { l.died[id] = l.net.Now() }
func (l *lab) Restarted(protocols.ID)  { l.t.Fatal("nobody restarts in the model") }

func (l *lab) process(id protocols.ID) *modifiedring.Process {
	return l.net.Process(id).(*modifiedring.Process)
}

func (l *lab) address(id election.Identity) int {
	return slices.IndexFunc(l.s.ranks, func(r election.Rank) bool { return r.ID == id })
}

// atRest checks invariant (c): all live processes follow one leader, the best of
// them or one that died more than n timeouts after they had decided; and (d), that
// no process began anew more often than others crashed.
func (l *lab) atRest() {
	l.t.Helper()
	var live, dead []protocols.ID
	tookPart, last := false, des.Time(0)
	for i, died := range l.died {
		id := protocols.ID(i)
		if died == forever {
			live = append(live, id)
			tookPart, last = tookPart || l.took[id], max(last, l.decided[id])
		} else {
			dead = append(dead, id)
		}
	}
	for id := range l.died {
		if r := l.process(protocols.ID(id)).Repeats(); r > len(dead) {
			l.t.Fatalf("%v: process %d began anew %d times, after %d crashes", l.s, id, r, len(dead))
		}
	}
	if !tookPart {
		return
	}
	first := l.decisions[live[0]]
	for _, id := range live {
		if d := l.decisions[id]; d.Status == election.Undecided || d.Leader != first.Leader {
			l.t.Fatalf("%v: %d has decided %+v, %d %+v", l.s, id, d, live[0], first)
		}
	}
	leader := protocols.ID(l.address(first.Leader))
	if leader == electiontest.Best(l.s.ranks, l.s.cfg.Order, dead) {
		return
	}
	missed := last.Add(time.Duration(len(l.s.ranks)) * l.s.cfg.Timeout)
	if l.died[leader] <= missed {
		l.t.Fatalf("%v: all follow %v, which died at %v, not after %v", l.s, first.Leader, l.died[leader], missed)
	}
}

// saboteur is the adversary that carries out crashes in the middle of steps.
type saboteur struct {
	plan  []amid
	sends []int // so far, by process
}

func (s *saboteur) Leaves(from, _ protocols.ID, _ int) (leaves, crash bool) {
	s.sends[from]++
	for _, a := range s.plan {
		if a.id == from && a.send == s.sends[from] {
			return !a.before, true
		}
	}
	return true, false
}

func (*saboteur) Due(uint32)              {}
func (*saboteur) Steps(protocols.ID, int) {}
func (*saboteur) Sent(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
	return 1, 0, nil
}
func (*saboteur) Arrives(_, _ protocols.ID, _ int) (time.Duration, bool) { return 0, false }
func (*saboteur) Expires(protocols.ID) time.Duration                     { return 0 }

// starts is those processes, started at 0.
func starts(ids []protocols.ID) []electiontest.At {
	var at []electiontest.At
	for _, id := range ids {
		at = append(at, electiontest.At{ID: id})
	}
	return at
}

// settings are a timeout that is as short as the model allows, and a longer one
// with memory.
var settings = []modifiedring.Config{
	{Timeout: electiontest.Hops(1), Watchdog: true},
	{Timeout: electiontest.Hops(2), Watchdog: true, Memory: true},
}

// halves is the k-th half of a message time: on the hop, or while messages are
// under way.
func halves(k int) time.Duration { return electiontest.Hops(k) / 2 }

// initiators yields the sets of 1 to most initiators, but of those that differ by a
// rotation only one: ranks are rotated instead.
func initiators(n, most int) func(yield func([]protocols.ID) bool) {
	seen := map[string]bool{}
	return func(yield func([]protocols.ID) bool) {
		for set := range electiontest.Subsets(n) {
			if len(set) == 0 || len(set) > most || seen[fmt.Sprint(set)] {
				continue
			}
			for by := range protocols.ID(n) {
				rotated := slices.Clone(set)
				for i := range rotated {
					rotated[i] = (rotated[i] + by) % protocols.ID(n)
				}
				slices.Sort(rotated)
				seen[fmt.Sprint(rotated)] = true
			}
			if !yield(set) {
				return
			}
		}
	}
}

// rotations are the ranks of n processes, from every place on the ring.
func rotations(n int) [][]election.Rank {
	var all [][]election.Rank
	ids := []int{1, 4, 2, 5, 3}[:n]
	for range n {
		ids = append(slices.Clone(ids[1:]), ids[0])
		all = append(all, electiontest.Ranks(ids...))
	}
	return all
}

func TestOneCrashAtEveryInstant(t *testing.T) {
	l := &lab{t: t}
	for n := 1; n <= 5; n++ {
		for initiators := range initiators(n, 3) {
			for _, ranks := range rotations(n) {
				for _, cfg := range settings {
					for x := range protocols.ID(n) {
						for k := range 4 * n * (1 + int(cfg.Timeout/electiontest.Unit)) {
							l.run(scenario{ranks: ranks, cfg: cfg, fifo: true, start: starts(initiators),
								crash: []electiontest.At{{ID: x, Time: halves(k)}}})
						}
					}
				}
			}
		}
	}
}

func TestTwoCrashesAtEveryInstant(t *testing.T) {
	l := &lab{t: t}
	for n := 2; n <= 4; n++ {
		last := 12 * n
		for _, ranks := range rotations(n) {
			for x := range protocols.ID(n) {
				for y := range x {
					for k := range last {
						for m := range last {
							l.run(scenario{ranks: ranks, fifo: true, start: starts([]protocols.ID{0}),
								cfg: modifiedring.Config{Timeout: electiontest.Unit, Watchdog: true},
								crash: []electiontest.At{
									{ID: x, Time: halves(k)}, {ID: y, Time: halves(m)},
								}})
						}
					}
				}
			}
		}
	}
}

// sends is more than any process sends if two crash.
const sends = 12

func TestOneCrashAmidEverySend(t *testing.T) {
	l := &lab{t: t}
	for n := 1; n <= 5; n++ {
		for initiators := range initiators(n, n) {
			for _, ranks := range rotations(n) {
				for _, cfg := range settings {
					for a := range amids(n) {
						l.run(scenario{ranks: ranks, cfg: cfg, fifo: true, start: starts(initiators), amid: []amid{a}})
					}
				}
			}
		}
	}
}

func TestTwoCrashesAmidEverySend(t *testing.T) {
	l := &lab{t: t}
	for n := 2; n <= 4; n++ {
		for initiators := range initiators(n, 2) {
			for _, ranks := range rotations(n) {
				for a := range amids(n) {
					for b := range amids(n) {
						if b.id < a.id {
							l.run(scenario{ranks: ranks, fifo: true, start: starts(initiators), amid: []amid{a, b},
								cfg: modifiedring.Config{Timeout: electiontest.Hops(2), Watchdog: true}})
						}
					}
				}
			}
		}
	}
}

func amids(n int) func(yield func(amid) bool) {
	return func(yield func(amid) bool) {
		for x := range protocols.ID(n) {
			for k := range sends {
				if !yield(amid{x, k + 1, true}) || !yield(amid{x, k + 1, false}) {
					return
				}
			}
		}
	}
}

var runs = flag.Uint64("runs", 10_000, "how many runs TestAnythingInTheModel makes")

// Any number of crashes of any kind, any delays up to the timeout, messages that
// overtake each other, initiators at any time.
func TestAnythingInTheModel(t *testing.T) {
	l := &lab{t: t}
	for seed := range *runs {
		l.run(anything(rand.New(rand.NewPCG(seed, 0)), seed))
	}
}

func anything(r *rand.Rand, seed uint64) scenario {
	n := 2 + r.IntN(6)
	ids := r.Perm(n)
	timeout := electiontest.Hops(1 + r.IntN(3))
	s := scenario{
		ranks: electiontest.Ranks(ids...), seed: seed, fifo: r.IntN(2) == 0,
		delay: []des.Distribution{des.Constant(electiontest.Unit), des.Uniform(0, timeout), des.Constant(timeout)}[r.IntN(3)],
		cfg: modifiedring.Config{
			Timeout: timeout, Memory: r.IntN(2) == 0, Watchdog: true, Order: election.Order(r.IntN(2)),
		},
	}
	span := int64(timeout) * int64(n) * 6
	instant := func() time.Duration { return time.Duration(r.Int64N(span)) }
	for range 1 + r.IntN(3) {
		s.start = append(s.start, electiontest.At{ID: protocols.ID(r.IntN(n)), Time: time.Duration(r.IntN(2)) * instant()})
	}
	for _, x := range r.Perm(n)[:r.IntN(n)] {
		if r.IntN(3) == 0 {
			s.amid = append(s.amid, amid{protocols.ID(x), 1 + r.IntN(sends), r.IntN(2) == 0})
		} else {
			s.crash = append(s.crash, electiontest.At{ID: protocols.ID(x), Time: instant()})
		}
	}
	return s
}
