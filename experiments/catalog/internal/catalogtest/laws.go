package catalogtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Own returns the algorithms of a registry that are not composed of others.
func Own(registry *trial.Registry) []*trial.Algorithm {
	return slices.DeleteFunc(slices.Clone(registry.All()), composed)
}

// Compositions returns the algorithms of a registry that are composed of others.
func Compositions(registry *trial.Registry) []*trial.Algorithm {
	return slices.DeleteFunc(slices.Clone(registry.All()), func(a *trial.Algorithm) bool { return !composed(a) })
}

// Laws are tests that every algorithm has to pass. Each package of the catalogue runs them for
// its algorithms; the catalogue runs them for compositions. The small form of a law (short)
// tries a part of the settings of each algorithm.
type Laws struct {
	Registry   *trial.Registry
	Algorithms []*trial.Algorithm
}

// part reports whether a law tries its j-th setting for the k-th algorithm. The small form
// tries one in so many settings, and for the next algorithm the next ones.
func part(short bool, j, k, of int) bool { return !short || (j+k)%of == 0 }

// enough fails the test if there were too few cases to conclude anything. The small form
// needs fewer.
func enough(t *testing.T, what string, k, least int, short bool, of int) {
	t.Helper()
	if short && least > 0 {
		least = max(least/(2*of), 1)
	}
	if t.Logf("%d %s", k, what); k < least {
		t.Errorf("%d %s are too few to say anything; want %d", k, what, least)
	}
}

// ReductionsChangeNoVerdict compares searches of every variant at n = 3 with every fault. A
// search that leaves out equivalent orders and rotations has the verdicts of the full search,
// and so has a depth-first search. At least leastReduced searches must have been reduced, and
// leastRotated of them by rotations.
func (l Laws) ReductionsChangeNoVerdict(t *testing.T, short bool, leastReduced, leastRotated int) {
	t.Helper()
	reduced, rotated := 0, 0
	for k, a := range l.Algorithms {
		for j, s := range everyFault(a) {
			if !part(short, j, k, 5) {
				continue
			}
			if short {
				s.Options.MaxStates = 2_000
			}
			plain := Explore(t, l.Registry, s.InFull())
			if !plain.Complete && plain.Counterexample == nil {
				continue // there are more states than this test explores
			}
			less := Explore(t, l.Registry, s)
			depth := s.InFull()
			depth.Options.Strategy = explore.DepthFirst
			for _, other := range []*search.Exploration{less, Explore(t, l.Registry, depth)} {
				if other.Counterexample == nil && !other.Complete && !plain.Complete {
					continue // neither search was complete, so they saw different states
				}
				if got, want := judged(other), judged(plain); got != want {
					t.Errorf("%v, %s: %s; in full %s", s, s.Timers, got, want)
				}
			}
			if plain.Complete && less.Complete && less.States > plain.States {
				t.Errorf("%v: reduced to %d states from %d", s, less.States, plain.States)
			}
			if !a.Rotations && plain.Complete && less.Complete && less.Rests != plain.Rests {
				t.Errorf("%v, %s: runs come to rest in %d states, in full in %d", s, s.Timers, less.Rests, plain.Rests)
			}
			if less.States < plain.States {
				reduced++
			}
			if a.Rotations && plain.Rests > 0 && less.Rests*3 == plain.Rests {
				rotated++
			}
		}
	}
	enough(t, "searches that were reduced", reduced, leastReduced, short, 5)
	enough(t, "searches that were reduced by rotations", rotated, leastRotated, short, 5)
}

// everyFault returns the explorations of an algorithm with three processes: every variant, one
// initiator or all, no fault or one fault of each kind.
func everyFault(a *trial.Algorithm) (all []Search) {
	for _, variant := range firstWords(a) {
		for _, timers := range []string{trial.FreeTimers, trial.BoundedTimers} {
			for _, budget := range []explore.Budget{{}, {Losses: 1}, {Duplicates: 1}, {Crashes: 1}, {LinkChanges: 1}} {
				for _, initiators := range []string{"0", "all"} {
					s := Of(a.Name, 3).Variant(variant).Every().Started(initiators)
					s.Timers, s.Budget, s.Options.MaxStates = timers, budget, 8_000
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// firstWords returns the words of an algorithm's first group of variants, or the default.
func firstWords(a *trial.Algorithm) []string {
	if len(a.Variants) == 0 {
		return []string{""}
	}
	return a.Variants[0]
}

// judged returns the verdicts of a search, or "violated" if it found a counterexample: which
// of several violated properties is found first depends on the order of the search.
func judged(e *search.Exploration) string {
	if e.Counterexample != nil {
		return "violated"
	}
	var words []string
	for _, p := range e.Properties {
		words = append(words, p.Name+" "+p.Verdict.String())
	}
	return strings.Join(words, ", ")
}

// CounterexamplesArePlayed runs each counterexample on the processes: the run violates the
// same property. There must be at least so many counterexamples.
func (l Laws) CounterexamplesArePlayed(t *testing.T, short bool, least int) {
	t.Helper()
	found := 0
	for k, a := range l.Algorithms {
		for j, s := range everyStrategy(a) {
			if !part(short, j, k, 15) {
				continue
			}
			e := Explore(t, l.Registry, s)
			if e.Counterexample == nil || e.Counterexample.Cycle > 0 {
				continue
			}
			found++
			r := play(t, l.Registry, e.Scheduled(e.Counterexample))
			name := e.Properties[e.Counterexample.Property].Name
			if r.Failed != nil || r.Verdict(name) != protocols.Violated {
				t.Errorf("%v, %s, %v: %s is %v when played, and %v", s, s.Timers, s.Options.Strategy, name, r.Verdict(name), r.Failed)
			}
		}
	}
	enough(t, "counterexamples", found, least, short, 15)
}

// everyStrategy returns the explorations of an algorithm with three processes, with one fault
// of each kind, by every strategy.
func everyStrategy(a *trial.Algorithm) (all []Search) {
	for _, budget := range []explore.Budget{{Losses: 1}, {Duplicates: 1}, {Crashes: 1}, {Crashes: 1, Restarts: 1}, {LinkChanges: 1}} {
		for _, timers := range []string{trial.FreeTimers, trial.BoundedTimers} {
			for _, strategy := range []explore.Strategy{explore.BreadthFirst, explore.DepthFirst, explore.RandomWalk, explore.PCT} {
				s := Of(a.Name, 3)
				s.Budget, s.Timers, s.Options.Strategy, s.Options.MaxStates, s.Options.Runs, s.Options.MaxSteps = budget, timers, strategy, 5_000, 50, 100
				all = append(all, s)
				if strategy == explore.DepthFirst {
					s.Options.Supertrace, s.Options.MaxMemory = true, 8<<20
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// play runs a setting that the registry must accept.
func play(t *testing.T, registry *trial.Registry, s trial.Setting) *trial.Result {
	t.Helper()
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(trial.Worker).Run(context.Background(), in, nil)
}

// RunsAreJudgedTheSame draws runs with every fault. The verdicts of the explorer are those of a
// run with the same steps. least is the number of runs that must have each verdict.
func (l Laws) RunsAreJudgedTheSame(t *testing.T, short bool, least map[protocols.Verdict]int) {
	t.Helper()
	count := map[protocols.Verdict]int{}
	for k, a := range l.Algorithms {
		for j, s := range everyWalk(a) {
			if !part(short, j, k, 4) {
				continue
			}
			if short {
				s.Options.Runs = 10
			}
			judgeRuns(t, l.Registry, s, count)
		}
	}
	for verdict, k := range least {
		enough(t, fmt.Sprintf("runs of which a property %v", verdict), count[verdict], k, short, 12)
	}
}

// everyWalk returns random walks of an algorithm with three processes, with all faults.
func everyWalk(a *trial.Algorithm) (all []Search) {
	for _, budget := range []explore.Budget{{}, {Losses: 1, Duplicates: 1}, {Crashes: 1}, {Crashes: 2, Restarts: 1}, {Crashes: 2, Restarts: 2, Losses: 1}, {LinkChanges: 3}, {LinkChanges: 2, Crashes: 1, Restarts: 1}} {
		for _, timers := range []string{trial.FreeTimers, trial.BoundedTimers} {
			for _, initiators := range []string{"0", "all"} {
				s := Of(a.Name, 3).Started(initiators)
				s.Budget, s.Timers = budget, timers
				s.Options.Strategy, s.Options.Runs, s.Options.MaxSteps = explore.RandomWalk, 30, 200
				all = append(all, s)
			}
		}
	}
	return all
}

// judgeRuns plays each run that a search draws, compares the verdicts of the first two promises, and
// counts them.
func judgeRuns(t *testing.T, registry *trial.Registry, s Search, count map[protocols.Verdict]int) {
	t.Helper()
	type drawn struct {
		run      explore.Run
		verdicts []protocols.Verdict
	}
	var all []drawn
	s.Options.Each = func(root int, steps []explore.Step, verdicts []protocols.Verdict) {
		all = append(all, drawn{explore.Run{Root: root, Steps: steps}, verdicts})
	}
	e := Explore(t, registry, s)
	for _, d := range all {
		r := play(t, registry, e.Scheduled(&d.run))
		if r.Failed != nil {
			t.Fatal(r.Failed)
		}
		for i, promise := range r.Instance.Promised()[:2] {
			name := promise.Name
			count[d.verdicts[i]]++
			if r.End == netem.Stopped && d.verdicts[i] == protocols.Undecided {
				continue // this run never comes to rest: the judge of its family stopped it
			}
			if r.Verdict(name) != d.verdicts[i] {
				t.Fatalf("%v, %s: %s is %v, but %v in a run of the same steps:\n%s", s, s.Timers, name, d.verdicts[i], r.Verdict(name), r.Instance.Setting.Schedule)
			}
		}
	}
}

// RunsAreAmongWhatIsExplored plays the events of a run of the runtime as a schedule: the
// explorer has this run, too, with the same messages and the same outcome.
func (l Laws) RunsAreAmongWhatIsExplored(t *testing.T) {
	t.Helper()
	for _, a := range l.Algorithms {
		if a.Name == "berkeley" || a.Name == "raft" {
			continue // berkeley sends clock readings, raft draws timeouts: an exploration has no time
		}
		for seed := range uint64(24) {
			fault := ""
			if seed%4 == 3 {
				fault = "at 1ms down 0<->1; at 3ms up 0<->1"
			}
			in, err := l.Registry.Instance(trial.Setting{
				Algorithm: a.Name, N: 5, Placement: "random", Initiators: "random:3", Delay: "exp(1ms)", Fault: fault, Seed: seed, OutsideModel: true, MaxEvents: 20_000,
			})
			if err != nil {
				t.Fatal(err)
			}
			h := history.Of(t.Context(), in)
			ran, s := h.Result, in.Setting
			if fault != "" && ran.End == netem.OutOfEvents {
				continue // what the fault has lost is missed for ever, and a schedule has no limit
			}
			s.Schedule, s.Fault = h.Schedule(), ""
			scheduled, err := l.Registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			played := history.Of(t.Context(), scheduled).Result
			if played.Failed != nil {
				t.Fatalf("%s, seed %d: %v", a.Name, seed, played.Failed)
			}
			if played.Outcome != ran.Outcome || families.ElectionOf(played).Leader != families.ElectionOf(ran).Leader || !slices.Equal(played.Counters.Sent, ran.Counters.Sent) ||
				played.Counters.CausalDepth != ran.Counters.CausalDepth || played.Counters.Bits != ran.Counters.Bits || families.ElectionOf(played).Leaders != families.ElectionOf(ran).Leaders {
				t.Errorf("%s, seed %d: played %v %v %+v, ran %v %v %+v", a.Name, seed, played.Outcome, families.ElectionOf(played).Leader, played.Counters, ran.Outcome, families.ElectionOf(ran).Leader, ran.Counters)
			}
		}
	}
}

// Conduct checks that every algorithm keeps the rules of a process, with every word of its
// variants, with crashes and without.
func (l Laws) Conduct(t *testing.T) {
	t.Helper()
	for _, a := range l.Algorithms {
		words := []string{""}
		for _, group := range a.Variants {
			words = append(words, group[1:]...)
		}
		for _, word := range words {
			for _, fault := range []string{"", "at 1ms crash 1; at 40ms restart 1; at 60ms crash 2"} {
				c, err := trial.CheckConduct(t.Context(), l.Registry, trial.Setting{
					Algorithm: a.Name, Variant: word, N: 4, Placement: "random", Delay: "uniform(0,2ms)", Fault: fault,
					Seed: 1, MaxEvents: 1000, OutsideModel: true,
				}, 2)
				if err != nil {
					if word != "" && strings.Contains(err.Error(), "variant") { // this word needs another beside it
						continue
					}
					t.Errorf("%s %s %s: %v", a.Name, word, fault, err)
				}
				for _, f := range c.Findings {
					t.Errorf("%s %s %s: %v", a.Name, word, fault, &f)
				}
				if len(c.Findings) == 0 && c.Calls == 0 {
					t.Errorf("%s %s %s: no handler was called", a.Name, word, fault)
				}
			}
		}
	}
}

// BoundsAreOfOneStart starts a process a second time, after the first run is over. Bounds are
// for runs in which all initiators start together. They do not apply here, except those with
// Again.
func (l Laws) BoundsAreOfOneStart(t *testing.T) {
	t.Helper()
	for _, a := range l.Algorithms {
		r := play(t, l.Registry, trial.Setting{Algorithm: a.Name, N: 4, Fault: "at 20ms start 0"})
		if r.BrokenBound() != nil || len(r.Bounds) > 0 && r.Bounds[0].Name != "again" {
			t.Errorf("%s: %v, compared with %v", a.Name, r.BrokenBound(), r.Bounds)
		}
	}
}
