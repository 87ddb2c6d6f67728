package elections_test

import (
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/elections"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/protocols"
)

var registry = catalogtest.Registry(func(*experiments.Registry) []experiments.Algorithm { return elections.All() })

// checker runs elections.
type checker struct{ *catalogtest.Checker }

func newChecker(t *testing.T) checker { return checker{catalogtest.NewChecker(t, registry)} }

func (c checker) run(s experiments.Setting) *experiments.Result { return c.Run(s, experiments.Elected) }

func inModel(t *testing.T, s experiments.Setting) *experiments.Instance {
	t.Helper()
	return newChecker(t).Instance(s)
}

// under runs a setting outside every model.
func under(t *testing.T, s experiments.Setting) *experiments.Result {
	t.Helper()
	return newChecker(t).Outside(s)
}

func TestReductionsChangeNoVerdict(t *testing.T) {
	if reduced, rotated := catalogtest.ReductionsChangeNoVerdict(t, registry, registry.All()); reduced < 20 || rotated < 5 {
		t.Errorf("%d searches were reduced, %d by rotations: too few to say anything", reduced, rotated)
	}
}

func TestCounterexamplesArePlayed(t *testing.T) {
	if found := catalogtest.CounterexamplesArePlayed(t, registry, registry.All()); found < 40 {
		t.Errorf("%d counterexamples are too few to say anything", found)
	}
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	count := catalogtest.RunsAreJudgedTheSame(t, registry, registry.All())
	if len(count) != 3 || count[protocols.Violated] < 30 || count[protocols.Holds] < 500 {
		t.Errorf("verdicts were %v: too few to say anything", count)
	}
}

func TestRunsAreAmongWhatIsExplored(t *testing.T) {
	catalogtest.RunsAreAmongWhatIsExplored(t, registry, registry.All())
}

func TestConduct(t *testing.T) { catalogtest.Conduct(t, registry, registry.All()) }

func TestBoundsAreOfOneStart(t *testing.T) {
	catalogtest.BoundsAreOfOneStart(t, registry, registry.All())
}

func TestStorm(t *testing.T) { catalogtest.Storm(t, registry, registry.All()) }
