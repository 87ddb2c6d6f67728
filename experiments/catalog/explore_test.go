package catalog

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

var deep = flag.Bool("deep", false, "explore what takes longer, too")

func mustExplore(t *testing.T, s experiments.Search) *experiments.Exploration {
	t.Helper()
	e, err := experiments.Explore(context.Background(), New(), s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return e
}

func of(algorithm string, n int) experiments.Search {
	return experiments.Search{Setting: experiments.Setting{Algorithm: algorithm, N: n}, Options: explore.Options{Reduce: true}}
}

// everyWay is every placement, and every set of initiators.
func everyWay(s experiments.Search) experiments.Search {
	s.Setting.Placement, s.Setting.Initiators = experiments.Every, experiments.Every
	return s
}

func full(s experiments.Search) experiments.Search {
	s.Full, s.Options.Reduce = true, false
	return s
}

func started(by string, s experiments.Search) experiments.Search {
	s.Setting.Initiators = by
	return s
}

func on(topology string, s experiments.Search) experiments.Search {
	s.Setting.Topology = topology
	return s
}

func crashing(k int, s experiments.Search) experiments.Search {
	s.Budget.Crashes = k
	return s
}

func restarting(k int, s experiments.Search) experiments.Search {
	s.Budget.Restarts = k
	return s
}

// losing has links lose a message and deliver another twice, in any order.
func losing(s experiments.Search) experiments.Search {
	s.Budget.Losses, s.Budget.Duplicates, s.Setting.Unordered = 1, 1, true
	return s
}

func with(param string, s experiments.Search) experiments.Search {
	s.Setting.Param = param
	return s
}

func every(s experiments.Search) experiments.Search {
	s.Setting.Placement = experiments.Every
	return s
}

func variant(words string, s experiments.Search) experiments.Search {
	s.Setting.Variant = words
	return s
}

func unordered(s experiments.Search) experiments.Search {
	s.Setting.Unordered = true
	return s
}

// What is proven, with the number of states. A number that changes is a change of
// an algorithm or of what is explored.
func TestProven(t *testing.T) {
	for _, c := range []struct {
		search              experiments.Search
		states, transitions uint64
		deep                bool
	}{
		{search: full(of("lcr", 3)), states: 18, transitions: 28},
		{search: full(every(of("lcr", 4))), states: 1100, transitions: 2212},
		{search: every(of("lcr", 4)), states: 80, transitions: 74},
		{search: full(everyWay(of("changroberts", 4))), states: 3524, transitions: 6032},
		{search: everyWay(of("changroberts", 4)), states: 593, transitions: 700},
		{search: full(everyWay(of("peterson", 4))), states: 4008, transitions: 7312},
		{search: every(of("peterson", 5)), states: 784, transitions: 760},
		{search: full(everyWay(of("lelann", 4))), states: 12384, transitions: 22560},
		{search: everyWay(of("lelann", 4)), states: 1050, transitions: 960},
		{search: full(variant("tel", everyWay(of("changroberts", 4)))), states: 7852, transitions: 11332},
		{search: variant("tel", everyWay(of("changroberts", 4))), states: 1180, transitions: 1090},
		{search: full(everyWay(of("hirschbergsinclair", 3))), states: 1440, transitions: 3588},
		{search: everyWay(of("hirschbergsinclair", 3)), states: 432, transitions: 896},
		{search: every(of("hirschbergsinclair", 4)), states: 4078, transitions: 9354},
		{search: variant("original", everyWay(of("hirschbergsinclair", 3))), states: 942, transitions: 2091},
		{search: variant("all-terminate", everyWay(of("hirschbergsinclair", 3))), states: 462, transitions: 950},
		{search: unordered(variant("original", every(of("hirschbergsinclair", 3)))), states: 7790, transitions: 33072},
		{search: full(everyWay(of("franklin", 3))), states: 792, transitions: 2022},
		{search: everyWay(of("franklin", 3)), states: 238, transitions: 504},
		{search: variant("all-terminate", every(of("franklin", 4))), states: 1390, transitions: 3144},
		{search: full(variant("first", everyWay(of("peterson", 4)))), states: 3984, transitions: 7312},
		{search: variant("first", every(of("peterson", 5))), states: 704, transitions: 680},
		{search: full(variant("improved", everyWay(of("peterson", 4)))), states: 3272, transitions: 5624},
		{search: variant("improved", every(of("peterson", 5))), states: 634, transitions: 610},
		{search: started("0", of("ringlist", 4)), states: 2402, transitions: 5854},
		{search: started("0,1", of("ringlist", 4)), states: 3013212, transitions: 13659814, deep: true},
		{search: of("ringlist", 3), states: 10073016, transitions: 51601999, deep: true},
		{search: started("0", crashing(1, of("modifiedring", 3))), states: 5559, transitions: 11352},
		{search: started("0,1", crashing(1, of("modifiedring", 3))), states: 2554724, transitions: 8225331, deep: true},
		{search: crashing(1, of("bully", 4)), states: 259580, transitions: 1759067},
		{search: started(experiments.Every, crashing(1, of("bully", 4))), states: 634258, transitions: 4394715, deep: true},
		{search: started("0", crashing(1, of("modifiedring", 4))), states: 28031, transitions: 74263},
		{search: everyWay(crashing(1, of("bully", 3))), states: 23619, transitions: 85338},
		{search: full(with("terms=1", of("raft", 3))), states: 5986, transitions: 25602},
		{search: with("terms=1", of("raft", 3)), states: 3934, transitions: 11387},
		{search: started("0", with("terms=2", of("raft", 3))), states: 10372, transitions: 29878},
		{search: with("terms=2", of("raft", 3)), states: 576881, transitions: 1724619, deep: true},
		{search: losing(with("terms=1", of("raft", 3))), states: 184587, transitions: 1357599},
		{search: crashing(1, restarting(1, with("terms=1", of("raft", 3)))), states: 102497, transitions: 384480},
		{search: crashing(1, restarting(1, losing(with("terms=2", of("raft", 2))))), states: 142896, transitions: 753484},
		{search: started("0", crashing(1, restarting(1, with("terms=2", of("raft", 3))))), states: 761539, transitions: 2652212, deep: true},
		{search: started("0,1", with("terms=1", of("raft", 4))), states: 20072, transitions: 94753},
		{search: with("terms=1", of("raft", 4)), states: 2951814, transitions: 18566189, deep: true},
		{search: full(everyWay(of("echo", 3))), states: 8298, transitions: 18888},
		{search: full(everyWay(on("line", of("echo", 3)))), states: 958, transitions: 1452},
		{search: everyWay(on("biring", of("echo", 4))), states: 198473, transitions: 459569, deep: true},
		{search: full(everyWay(of("electiontree", 3))), states: 24684, transitions: 60780},
		{search: everyWay(on("line", of("electiontree", 3))), states: 2322, transitions: 4446},
		{search: everyWay(crashing(1, of("electiontree", 3))), states: 87642, transitions: 284880},
		{search: started("0", on("biring", of("electiontree", 4))), states: 2473, transitions: 5932},
		{search: started("0", crashing(1, of("electiontree", 4))), states: 604240, transitions: 2783049, deep: true},
		{search: full(everyWay(of("ghs", 3))), states: 882, transitions: 1458},
		{search: full(everyWay(on("line", of("ghs", 3)))), states: 510, transitions: 798},
		{search: everyWay(on("biring", of("ghs", 4))), states: 8712, transitions: 16608},
		{search: everyWay(of("ghs", 4)), states: 46032, transitions: 118416},
		{search: full(everyWay(of("afekgafni", 3))), states: 573, transitions: 864},
		{search: everyWay(of("afekgafni", 4)), states: 12744, transitions: 25692},
		{search: full(every(of("afekgafnisync", 3))), states: 528, transitions: 1014},
		{search: every(of("afekgafnisync", 4)), states: 6688, transitions: 17768},
	} {
		if c.deep && !*deep {
			continue
		}
		e := mustExplore(t, c.search)
		name := fmt.Sprintf("%s n=%d initiators %q %+v full %v", e.Algorithm.Name, e.Instances[0].N, c.search.Setting.Initiators, c.search.Budget, c.search.Full)
		if e.States != c.states || e.Transitions != c.transitions {
			t.Errorf("%s: %d states and %d transitions, want %d and %d", name, e.States, e.Transitions, c.states, c.transitions)
		}
		if !e.Complete || len(e.Outside) > 0 {
			t.Errorf("%s: complete %v, stopped by %v, outside the model: %v", name, e.Complete, e.Stopped, e.Outside)
		}
		for _, p := range e.Properties {
			if p.Verdict != protocols.Holds {
				t.Errorf("%s: %s is %v", name, p.Name, p.Verdict)
			}
		}
	}
}

// SPIN 6.5.2 finds as many states and transitions of the same algorithm, on the ring
// of the model leader0 that comes with it: written so that a reaction is one
// transition, started, without reduction, and without what SPIN's init does. Here
// the starts are steps as well: 2^n - 1 states and n*2^(n-1) transitions.
func TestAsManyStatesAsSPIN(t *testing.T) {
	for n, spin := range map[int][2]uint64{3: {25, 38}, 4: {60, 123}, 5: {150, 393}, 6: {384, 1227}, 8: {2593, 11222}, 12: {121406, 795157}} {
		ids := []string{"3", "2", "1"}
		for id := n; id > 3; id-- {
			ids = append(ids, fmt.Sprint(id))
		}
		e := mustExplore(t, full(experiments.Search{Setting: experiments.Setting{Algorithm: "peterson", IDs: strings.Join(ids, ",")}}))
		states, transitions := e.States-(1<<n-1), e.Transitions-uint64(n)<<(n-1)
		if states != spin[0] || transitions != spin[1] {
			t.Errorf("n=%d: %d states and %d transitions, but SPIN finds %d and %d", n, states, transitions, spin[0], spin[1])
		}
	}
}

// Leaving out orders that make no difference, and rotations, changes no verdict, and
// neither does the order in which states are looked at: of every algorithm and
// variant at n = 3, with every fault.
func TestReductionsChangeNoVerdict(t *testing.T) {
	budgets := []explore.Budget{{}, {Losses: 1}, {Duplicates: 1}, {Crashes: 1}}
	reduced, rotated := 0, 0
	for _, a := range New().All() {
		for _, variant := range firstWords(a) {
			for _, timers := range []string{experiments.FreeTimers, experiments.BoundedTimers} {
				for _, budget := range budgets {
					for _, initiators := range []string{"0", "all"} {
						s := of(a.Name, 3)
						s.Setting.Variant, s.Setting.Initiators, s.Timers, s.Budget = variant, initiators, timers, budget
						s.Setting.Placement = experiments.Every
						s.Options.MaxStates = 8_000
						plain := mustExplore(t, full(s))
						if !plain.Complete && plain.Counterexample == nil {
							continue // too many states to look at all of them here
						}
						less := mustExplore(t, s)
						depth := full(s)
						depth.Options.Strategy = explore.DepthFirst
						for _, other := range []*experiments.Exploration{less, mustExplore(t, depth)} {
							if other.Counterexample == nil && !other.Complete && !plain.Complete {
								continue // there is no end of states, and it went elsewhere
							}
							if got, want := judged(other), judged(plain); got != want {
								t.Errorf("%s %s, %s, %+v, initiators %s: %s; in full %s", a.Name, variant, timers, budget, initiators, got, want)
							}
						}
						if plain.Complete && less.Complete && less.States > plain.States {
							t.Errorf("%s: reduced to %d states from %d", a.Name, less.States, plain.States)
						}
						if less.States < plain.States {
							reduced++
						}
						if a.Rotations && less.Rests*3 == plain.Rests {
							rotated++
						}
					}
				}
			}
		}
	}
	if reduced < 20 || rotated < 5 {
		t.Errorf("%d searches were reduced, %d by rotations: too few to say anything", reduced, rotated)
	}
}

// firstWords are the words of an algorithm's first group of variants, or the default.
func firstWords(a *experiments.Algorithm) []string {
	if len(a.Variants) == 0 {
		return []string{""}
	}
	return a.Variants[0]
}

// judged is what a search says: all verdicts if it looked at everything, else which
// kind of property is violated, for which of several is found first may differ.
func judged(e *experiments.Exploration) string {
	if e.Counterexample != nil {
		return "violated"
	}
	var words []string
	for _, p := range e.Properties {
		words = append(words, p.Name+" "+p.Verdict.String())
	}
	return strings.Join(words, ", ")
}

// What was found to violate a property is played on the processes themselves, and
// violates it.
func TestCounterexamplesArePlayed(t *testing.T) {
	found := 0
	for _, a := range New().All() {
		for _, budget := range []explore.Budget{{Losses: 1}, {Duplicates: 1}, {Crashes: 1}, {Crashes: 1, Restarts: 1}} {
			for _, timers := range []string{experiments.FreeTimers, experiments.BoundedTimers} {
				for _, strategy := range []explore.Strategy{explore.BreadthFirst, explore.DepthFirst, explore.RandomWalk, explore.PCT} {
					s := of(a.Name, 3)
					s.Budget, s.Timers, s.Options.Strategy, s.Options.MaxStates, s.Options.Runs, s.Options.MaxSteps = budget, timers, strategy, 5_000, 50, 100
					e := mustExplore(t, s)
					if e.Counterexample == nil || e.Counterexample.Cycle > 0 {
						continue
					}
					found++
					in, err := New().Instance(e.Scheduled(e.Counterexample))
					if err != nil {
						t.Fatal(err)
					}
					r := new(experiments.Worker).Run(context.Background(), in, nil)
					name := e.Properties[e.Counterexample.Property].Name
					if r.Failed != nil || r.Verdict(name) != protocols.Violated {
						t.Errorf("%s %+v %s %v: %s is %v when played, and %v", a.Name, budget, timers, strategy, name, r.Verdict(name), r.Failed)
					}
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("%d counterexamples are too few to say anything", found)
	}
}

// What the explorer says of a run is what a run says of itself that takes the same
// steps: for runs that are drawn, of every algorithm, with every fault.
func TestRunsAreJudgedTheSame(t *testing.T) {
	type drawn struct {
		run      explore.Run
		verdicts []protocols.Verdict
	}
	count := map[protocols.Verdict]int{}
	for _, a := range New().All() {
		for _, budget := range []explore.Budget{{}, {Losses: 1, Duplicates: 1}, {Crashes: 1}, {Crashes: 2, Restarts: 1}, {Crashes: 2, Restarts: 2, Losses: 1}} {
			for _, timers := range []string{experiments.FreeTimers, experiments.BoundedTimers} {
				for _, initiators := range []string{"0", "all"} {
					s := of(a.Name, 3)
					s.Budget, s.Timers, s.Setting.Initiators = budget, timers, initiators
					s.Options.Strategy, s.Options.Runs, s.Options.MaxSteps = explore.RandomWalk, 30, 200
					var all []drawn
					s.Options.Each = func(root int, steps []explore.Step, verdicts []protocols.Verdict) {
						all = append(all, drawn{explore.Run{Root: root, Steps: steps}, verdicts})
					}
					e := mustExplore(t, s)
					for _, d := range all {
						in, err := New().Instance(e.Scheduled(&d.run))
						if err != nil {
							t.Fatal(err)
						}
						r := new(experiments.Worker).Run(context.Background(), in, nil)
						if r.Failed != nil {
							t.Fatal(r.Failed)
						}
						for i, name := range a.Checks[:2] {
							count[d.verdicts[i]]++
							if r.End == netem.Stopped && d.verdicts[i] == protocols.Undecided {
								continue // a run that never rests ends when its judge has seen enough
							}
							if r.Verdict(name) != d.verdicts[i] {
								t.Fatalf("%s %+v %s %s: %s is %v, but %v in a run of the same steps:\n%s", a.Name, budget, timers, initiators, name, d.verdicts[i], r.Verdict(name), in.Setting.Schedule)
							}
						}
					}
				}
			}
		}
	}
	if len(count) != 3 || count[protocols.Violated] < 30 || count[protocols.Holds] < 500 {
		t.Errorf("verdicts were %v: too few to say anything", count)
	}
}

// scheduler writes down the events of a run as the steps of a schedule.
type scheduler struct{ steps []string }

func (s *scheduler) Record(r netem.Record) {
	step := explore.Step{Who: r.Who, From: r.From, Timer: r.Timer, Choices: r.Choices, Sends: -1}
	switch r.What {
	case "boot":
		step.What = explore.Boot
	case "start":
		step.What = explore.Start
	case "deliver":
		step.What, step.Message = explore.Deliver, fmt.Sprint(r.Message)
	case "timeout":
		step.What = explore.Timeout
	default:
		panic("a run without faults does not " + r.What)
	}
	s.steps = append(s.steps, step.String())
}

// A run of the runtime is one of those that are explored: with its events as a
// schedule it sends the same and comes to the same end.
func TestRunsAreAmongWhatIsExplored(t *testing.T) {
	for _, a := range New().All() {
		if a.Name == "berkeley" || a.Name == "raft" {
			continue // it sends what clocks show, or draws timeouts: a schedule without time has neither
		}
		for seed := range uint64(20) {
			in, err := New().Instance(experiments.Setting{
				Algorithm: a.Name, N: 5, Placement: "random", Initiators: "random:3", Delay: "exp(1ms)", Seed: seed, OutsideModel: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			events := &scheduler{}
			ran := new(experiments.Worker).Run(context.Background(), in, func(func(protocols.ID) string) netem.Tracer { return events })
			s := in.Setting
			s.Schedule = experiments.Schedule(strings.Join(append([]string{"timers free"}, events.steps...), "\n"))
			scheduled, err := New().Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			played := new(experiments.Worker).Run(context.Background(), scheduled, func(func(protocols.ID) string) netem.Tracer { return &scheduler{} })
			if played.Failed != nil {
				t.Fatalf("%s, seed %d: %v", a.Name, seed, played.Failed)
			}
			if played.Outcome != ran.Outcome || played.Leader != ran.Leader || !slices.Equal(played.Counters.Sent, ran.Counters.Sent) ||
				played.Counters.CausalDepth != ran.Counters.CausalDepth || played.Counters.Bits != ran.Counters.Bits || played.Leaders != ran.Leaders {
				t.Errorf("%s, seed %d: played %v %v %+v, ran %v %v %+v", a.Name, seed, played.Outcome, played.Leader, played.Counters, ran.Outcome, ran.Leader, ran.Counters)
			}
		}
	}
}
