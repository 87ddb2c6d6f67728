package catalogtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// The laws below hold for every algorithm. A room holds its own to them, and the catalogue
// those that are composed of several.

// Own are the algorithms of a registry that are composed of no other.
func Own(registry *experiments.Registry) []*experiments.Algorithm {
	return slices.DeleteFunc(slices.Clone(registry.All()), Composed)
}

// Compositions are the other ones.
func Compositions(registry *experiments.Registry) []*experiments.Algorithm {
	return slices.DeleteFunc(slices.Clone(registry.All()), func(a *experiments.Algorithm) bool { return !Composed(a) })
}

// ReductionsChangeNoVerdict: leaving out orders that make no difference, and rotations,
// changes no verdict, and neither does the order in which states are looked at: of every
// variant at n = 3, with every fault. It returns how many searches were reduced, and how
// many of them by rotations.
func ReductionsChangeNoVerdict(t *testing.T, registry *experiments.Registry, algorithms []*experiments.Algorithm) (reduced, rotated int) {
	t.Helper()
	budgets := []explore.Budget{{}, {Losses: 1}, {Duplicates: 1}, {Crashes: 1}}
	for _, a := range algorithms {
		for _, variant := range firstWords(a) {
			for _, timers := range []string{experiments.FreeTimers, experiments.BoundedTimers} {
				for _, budget := range budgets {
					for _, initiators := range []string{"0", "all"} {
						s := Of(a.Name, 3).Variant(variant).Every().Started(initiators)
						s.Timers, s.Budget, s.Options.MaxStates = timers, budget, 8_000
						plain := Explore(t, registry, s.InFull())
						if !plain.Complete && plain.Counterexample == nil {
							continue // too many states to look at all of them here
						}
						less := Explore(t, registry, s)
						depth := s.InFull()
						depth.Options.Strategy = explore.DepthFirst
						for _, other := range []*experiments.Exploration{less, Explore(t, registry, depth)} {
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
	t.Logf("%d searches were reduced, %d by rotations", reduced, rotated)
	return reduced, rotated
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

// CounterexamplesArePlayed: what was found to violate a property is played on the
// processes themselves, and violates it. It returns how many there were.
func CounterexamplesArePlayed(t *testing.T, registry *experiments.Registry, algorithms []*experiments.Algorithm) (found int) {
	t.Helper()
	for _, a := range algorithms {
		for _, budget := range []explore.Budget{{Losses: 1}, {Duplicates: 1}, {Crashes: 1}, {Crashes: 1, Restarts: 1}} {
			for _, timers := range []string{experiments.FreeTimers, experiments.BoundedTimers} {
				for _, strategy := range []explore.Strategy{explore.BreadthFirst, explore.DepthFirst, explore.RandomWalk, explore.PCT} {
					s := Of(a.Name, 3)
					s.Budget, s.Timers, s.Options.Strategy, s.Options.MaxStates, s.Options.Runs, s.Options.MaxSteps = budget, timers, strategy, 5_000, 50, 100
					e := Explore(t, registry, s)
					if e.Counterexample == nil || e.Counterexample.Cycle > 0 {
						continue
					}
					found++
					r := play(t, registry, e.Scheduled(e.Counterexample))
					name := e.Properties[e.Counterexample.Property].Name
					if r.Failed != nil || r.Verdict(name) != protocols.Violated {
						t.Errorf("%s %+v %s %v: %s is %v when played, and %v", a.Name, budget, timers, strategy, name, r.Verdict(name), r.Failed)
					}
				}
			}
		}
	}
	t.Logf("%d counterexamples were played", found)
	return found
}

// play runs a setting, which has to be right.
func play(t *testing.T, registry *experiments.Registry, s experiments.Setting) *experiments.Result {
	t.Helper()
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(experiments.Worker).Run(context.Background(), in, nil)
}

// RunsAreJudgedTheSame: what the explorer says of a run is what a run says of itself that
// takes the same steps: for runs that are drawn, with every fault. It returns how often
// there was each verdict.
func RunsAreJudgedTheSame(t *testing.T, registry *experiments.Registry, algorithms []*experiments.Algorithm) map[protocols.Verdict]int {
	t.Helper()
	type drawn struct {
		run      explore.Run
		verdicts []protocols.Verdict
	}
	count := map[protocols.Verdict]int{}
	for _, a := range algorithms {
		for _, budget := range []explore.Budget{{}, {Losses: 1, Duplicates: 1}, {Crashes: 1}, {Crashes: 2, Restarts: 1}, {Crashes: 2, Restarts: 2, Losses: 1}} {
			for _, timers := range []string{experiments.FreeTimers, experiments.BoundedTimers} {
				for _, initiators := range []string{"0", "all"} {
					s := Of(a.Name, 3).Started(initiators)
					s.Budget, s.Timers = budget, timers
					s.Options.Strategy, s.Options.Runs, s.Options.MaxSteps = explore.RandomWalk, 30, 200
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
						for i, name := range a.Checks[:2] {
							count[d.verdicts[i]]++
							if r.End == netem.Stopped && d.verdicts[i] == protocols.Undecided {
								continue // a run that never rests ends when its judge has seen enough
							}
							if r.Verdict(name) != d.verdicts[i] {
								t.Fatalf("%s %+v %s %s: %s is %v, but %v in a run of the same steps:\n%s", a.Name, budget, timers, initiators, name, d.verdicts[i], r.Verdict(name), r.Instance.Setting.Schedule)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("verdicts were %v", count)
	return count
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

// RunsAreAmongWhatIsExplored: a run of the runtime is one of those that are explored: with
// its events as a schedule it sends the same and comes to the same end.
func RunsAreAmongWhatIsExplored(t *testing.T, registry *experiments.Registry, algorithms []*experiments.Algorithm) {
	t.Helper()
	for _, a := range algorithms {
		if a.Name == "berkeley" || a.Name == "raft" {
			continue // it sends what clocks show, or draws timeouts: a schedule without time has neither
		}
		for seed := range uint64(20) {
			in, err := registry.Instance(experiments.Setting{
				Algorithm: a.Name, N: 5, Placement: "random", Initiators: "random:3", Delay: "exp(1ms)", Seed: seed, OutsideModel: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			events := &scheduler{}
			ran := new(experiments.Worker).Run(context.Background(), in, func(func(protocols.ID) string) netem.Tracer { return events })
			s := in.Setting
			s.Schedule = experiments.Schedule(strings.Join(append([]string{"timers free"}, events.steps...), "\n"))
			scheduled, err := registry.Instance(s)
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

// Conduct: every algorithm keeps the rules of a process, with every word of its variants,
// with crashes and without.
func Conduct(t *testing.T, registry *experiments.Registry, algorithms []*experiments.Algorithm) {
	t.Helper()
	for _, a := range algorithms {
		words := []string{""}
		for _, group := range a.Variants {
			words = append(words, group[1:]...)
		}
		for _, word := range words {
			for _, fault := range []string{"", "at 1ms crash 1; at 40ms restart 1; at 60ms crash 2"} {
				c, err := experiments.CheckConduct(t.Context(), registry, experiments.Setting{
					Algorithm: a.Name, Variant: word, N: 4, Placement: "random", Delay: "uniform(0,2ms)", Fault: fault,
					Seed: 1, MaxEvents: 1000, OutsideModel: true,
				}, 2)
				if err != nil {
					if word != "" && strings.Contains(err.Error(), "variant") { // the word goes with others only
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

// BoundsAreOfOneStart: who starts once more, when the first is over, pays for it: the
// bounds speak of runs in which the initiators start together, unless they say otherwise.
func BoundsAreOfOneStart(t *testing.T, registry *experiments.Registry, algorithms []*experiments.Algorithm) {
	t.Helper()
	for _, a := range algorithms {
		r := play(t, registry, experiments.Setting{Algorithm: a.Name, N: 4, Fault: "at 20ms start 0"})
		if r.BrokenBound() != nil || len(r.Bounds) > 0 && r.Bounds[0].Name != "again" {
			t.Errorf("%s: %v, compared with %v", a.Name, r.BrokenBound(), r.Bounds)
		}
	}
}
