package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// caller calls again each time that its timer expires, for ever or until it has done so most times.
type caller struct{ most, round int }

func (c *caller) Round() int { return c.round }

func (c *caller) Start(n protocols.Node[count]) { c.Timeout(n, 0) }

func (*caller) Receive(protocols.Node[count], protocols.ID, count) {}

func (c *caller) Timeout(n protocols.Node[count], _ protocols.Timer) {
	c.round++
	n.Send(n.Neighbor(0), count(c.round))
	if c.round <= c.most || c.most == 0 {
		n.SetTimer(0, time.Millisecond)
	}
}

// callWatch wants no process to call more than a number of times, and one to call so often in the end.
type callWatch struct {
	quiet
	never, want, calls int
}

func (w *callWatch) see(p any) { w.calls = p.(*caller).round }

func (w *callWatch) Started(_ protocols.ID, p any, _ time.Duration) { w.see(p) }
func (w *callWatch) Expired(_ protocols.ID, p any, _ time.Duration) { w.see(p) }

func (w *callWatch) Verdicts(rest bool) []protocols.Verdict {
	verdict := make([]protocols.Verdict, 4) // undecided
	if w.calls > w.never {
		verdict[0] = protocols.Violated
	}
	if w.calls == w.want {
		verdict[1], verdict[2] = protocols.Holds, protocols.Holds
	} else if rest {
		verdict[1] = protocols.Violated
	}
	return verdict
}

func calling(most int, watch callWatch, network Network) *System[count] {
	return &System[count]{
		Topology: netem.Ring(2), Network: network,
		Properties: []Property{{"never", Always, ""}, {"in the end", Eventually, ""}, {"at some time", Sometimes, ""}, {"rest", Finally, ""}},
		Roots: []Root[count]{{
			Boot:       func(protocols.ID) protocols.Process[count] { return &caller{most: most} },
			Initiators: []protocols.ID{0}, Watch: &watch,
		}},
	}
}

// A process that stops by itself after k timeouts has the states of one that never stops, up to k
// timeouts, and the same verdict on what always holds. What holds in the end is decided for the first
// alone. With bounded timers, time passes once more before the last timer is due.
func TestLimitsAreWhereAProcessWouldStop(t *testing.T) {
	for k := 1; k <= 4; k++ {
		for _, limits := range []Limits{{Timeouts: k}, {Rounds: k + 1}, {Timeouts: k, Rounds: k + 1}} {
			for _, bound := range []int{0, 1} {
				for _, never := range []int{2, 9} {
					network := Network{FIFO: true, Bound: bound, Step: time.Millisecond}
					stops := mustExplore(t, calling(k, callWatch{never: never, want: k + 1}, network), Options{})
					network.Limits = limits
					cut := mustExplore(t, calling(0, callWatch{never: never, want: k + 1}, network), Options{})
					if never < k+1 {
						if got := verdicts(cut); got != verdicts(stops) || len(cut.Counterexample.Steps) != len(stops.Counterexample.Steps) {
							t.Errorf("k %d, %+v: %s; stopping: %s", k, limits, got, verdicts(stops))
						}
						continue
					}
					if got := verdicts(stops); got != "no-panic holds, never holds, in the end holds, at some time holds, rest holds" || stops.Cut > 0 {
						t.Errorf("k %d, stopping: %s, %d states cut off", k, got, stops.Cut)
					}
					if got := verdicts(cut); got != "no-panic holds, never holds, in the end undecided, at some time holds, rest undecided" || cut.Cut == 0 {
						t.Errorf("k %d, %+v: %s, %d states cut off", k, limits, got, cut.Cut)
					}
					if more := uint64(bound); !cut.Complete || cut.States != stops.States+more || cut.Transitions != stops.Transitions+more {
						t.Errorf("k %d, %+v, bound %d: %d states, %d transitions; stopping: %d, %d", k, limits, bound, cut.States, cut.Transitions, stops.States, stops.Transitions)
					}
				}
			}
		}
	}
}

// A counter without end is named by a search that is stopped. What does not rise is not named, and nothing if no state is left.
func TestWhatGrowsIsNamed(t *testing.T) {
	endless := calling(0, callWatch{never: 1 << 20, want: -1}, Network{FIFO: true})
	for _, o := range []Options{{MaxStates: 300}, {MaxStates: 300, Strategy: DepthFirst}, {MaxStates: 300, Reduce: true}} {
		r := mustExplore(t, endless, o)
		var named []string
		for _, g := range r.Growths {
			if named = append(named, g.What); g.From != 0 || g.To < leastGrowth || g.Steps < int(g.To) {
				t.Errorf("%+v: %v", o, g)
			}
		}
		if !slices.Contains(named, "round of process 0") || slices.Contains(named, "round of process 1") {
			t.Errorf("%+v: what grows is %q", o, named)
		}
	}
	if r := mustExplore(t, calling(40, callWatch{never: 1 << 20, want: -1}, Network{FIFO: true}), Options{}); !r.Complete || r.Growths != nil {
		t.Errorf("a search that is complete names %v", r.Growths)
	}
	if r := mustExplore(t, toySystem(3, Network{FIFO: true}, 0), Options{MaxStates: 40}); r.Complete || r.Growths != nil {
		t.Errorf("a number of few values grows: %v", r.Growths)
	}
}

// Where no run comes to the limit, nothing is undecided.
func TestALimitBehindAllRunsChangesNothing(t *testing.T) {
	plain := mustExplore(t, toySystem(2, Network{FIFO: true}, 0), Options{})
	far := mustExplore(t, toySystem(2, Network{FIFO: true, Limits: Limits{Timeouts: 9, Rounds: 9}}, 0), Options{})
	if far.Cut != 0 || far.Rests < plain.Rests || verdicts(far) != verdicts(plain) {
		t.Errorf("%s, %d states at rest, %d cut off; without limits: %s, %d", verdicts(far), far.Rests, far.Cut, verdicts(plain), plain.Rests)
	}
}

// chatter passes a message on for ever. With a timer, it stops when that expires.
type chatter struct{ timer, done bool }

func (c *chatter) Start(n protocols.Node[count]) {
	n.Send(n.Neighbor(0), 1)
	if c.timer {
		n.SetTimer(0, time.Millisecond)
		n.SetTimer(1, time.Millisecond)
	}
}

func (c *chatter) Receive(n protocols.Node[count], _ protocols.ID, m count) {
	if !c.done {
		n.Send(n.Neighbor(0), m)
	}
}

func (c *chatter) Timeout(_ protocols.Node[count], t protocols.Timer) { c.done = c.done || t == 1 }

// A cycle counts only if nothing that it puts off for ever is behind a limit: the timer would end it.
func TestNoCycleIsJudgedThatALimitMakes(t *testing.T) {
	for _, timer := range []bool{false, true} {
		s := &System[count]{
			Topology: netem.Ring(2), Network: Network{FIFO: true, Limits: Limits{Timeouts: 1}},
			Properties: []Property{{"rest", Finally, ""}},
			Roots: []Root[count]{{
				Boot:       func(protocols.ID) protocols.Process[count] { return &chatter{timer: timer} },
				Initiators: []protocols.ID{0}, Watch: &quiet{},
			}},
		}
		want := map[bool]string{false: "no-panic undecided, rest violated", true: "no-panic holds, rest undecided"}[timer]
		for _, o := range []Options{{}, {Reduce: true}, {Strategy: DepthFirst}} {
			if r := mustExplore(t, s, o); verdicts(r) != want {
				t.Errorf("timer %v, %+v: %s, want %s", timer, o, verdicts(r), want)
			}
		}
		s.Limits.Timeouts = 2
		want = map[bool]string{false: "no-panic undecided, rest violated", true: "no-panic holds, rest holds"}[timer]
		if r := mustExplore(t, s, Options{}); verdicts(r) != want || r.Cut != 0 {
			t.Errorf("timer %v, two timeouts: %s, %d cut off, want %s", timer, verdicts(r), r.Cut, want)
		}
	}
}

// A reduced search of random systems says what a full one says, up to a limit, and comes to it if the
// full one does. Where timers are idle it may decide more, since it counts those of each process alone.
func TestReducedSearchUpToALimitSaysWhatAFullOneSays(t *testing.T) {
	reduced, cut := 0, 0
	for seed := range uint64(120) {
		limits := []Limits{{Timeouts: 1 + int(seed)%2}, {Rounds: 2}, {Timeouts: 2, Rounds: 2}}[seed%3]
		calm := seed%4 == 0
		system := func() *System[count] {
			s := machines(rand.New(rand.NewPCG(seed, 3)), calm)
			s.Limits = limits
			return s
		}
		full := mustExplore(t, system(), Options{Workers: 1, MaxStates: 3_000})
		if full.Stopped != nil {
			continue
		}
		less := mustExplore(t, system(), Options{Reduce: true, Workers: 1, MaxStates: 3_000})
		sp := newSpace(system())
		se := withIdleTimers(context.Background(), sp, Options{Reduce: true, Workers: 1, MaxMemory: DefaultMemory})
		if se != nil && se.workers[0].setTimer {
			if full.Counterexample != nil || less.Cut > 0 && full.Cut == 0 {
				t.Errorf("seed %d: timers are idle; full: %s, %d cut off; %d cut off", seed, said(full), full.Cut, less.Cut)
			}
			continue
		}
		if said(full) != said(less) || full.Counterexample == nil && (full.Cut > 0) != (less.Cut > 0) {
			t.Errorf("seed %d, %+v: %s, %d cut off; reduced: %s, %d cut off", seed, limits, said(full), full.Cut, said(less), less.Cut)
		}
		if full.Counterexample == nil && full.Cut > 0 {
			cut++
			if less.States < full.States {
				reduced++
			}
		}
	}
	t.Logf("%d cut off, %d of them reduced", cut, reduced)
	if cut < 25 || reduced < 10 {
		t.Errorf("%d cut off, %d of them reduced are too few", cut, reduced)
	}
}

// The round of a process is not that of its shadow, whose timers have expired: up to a round, timers are
// not tried as idle ones.
func TestTimersAreNotIdleUpToARound(t *testing.T) {
	for _, limits := range []Limits{{}, {Timeouts: 2}, {Rounds: 2}} {
		s := &System[count]{
			Topology: netem.Ring(3), Network: Network{FIFO: true, Limits: limits},
			Roots: []Root[count]{{
				Boot:       func(protocols.ID) protocols.Process[count] { return &keeper{does: "nothing"} },
				Initiators: []protocols.ID{0, 1}, Watch: &keeperWatch{},
			}},
		}
		se := withIdleTimers(context.Background(), newSpace(s), Options{Reduce: true, Workers: 1, MaxMemory: DefaultMemory})
		if (se != nil) != (limits.Rounds == 0) {
			t.Errorf("%+v: idle %v", limits, se != nil)
		}
	}
}

// Runs that are drawn end at a limit, and are counted as cut off there.
func TestDrawnRunsEndAtALimit(t *testing.T) {
	most := 0
	r := mustExplore(t, calling(0, callWatch{never: 9}, Network{FIFO: true, Limits: Limits{Timeouts: 3}}), Options{Strategy: RandomWalk, Sampling: Sampling{Runs: 20, Each: func(_ int, steps []Step, _ []protocols.Verdict) {
		most = max(most, timeoutsIn(steps))
	}}})
	if r.Sampled.Cut != 20 || r.Rests != 0 || most != 3 {
		t.Errorf("%+v, %d at rest, up to %d timeouts", r.Sampled, r.Rests, most)
	}
}

func TestBadLimits(t *testing.T) {
	for _, l := range []Limits{{Timeouts: -1}, {Rounds: -1}} {
		_, err := Explore(context.Background(), calling(0, callWatch{never: 9}, Network{Limits: l}), Options{})
		if !strings.Contains(fmt.Sprint(err), "each is 1 or more, or 0 for no limit") {
			t.Errorf("%+v: %v", l, err)
		}
	}
}
