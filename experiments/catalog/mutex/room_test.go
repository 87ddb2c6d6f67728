package mutex_test

import (
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/catalog/mutex"
	"bullring/protocols"
)

var registry = catalogtest.Registry(mutex.All)

func newChecker(t *testing.T) *catalogtest.Checker { return catalogtest.NewChecker(t, registry) }

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
	if reduced, _ := catalogtest.ReductionsChangeNoVerdict(t, registry, catalogtest.Own(registry)); reduced < 20 {
		t.Errorf("%d searches were reduced: too few to say anything", reduced)
	}
}

func TestCounterexamplesArePlayed(t *testing.T) {
	if found := catalogtest.CounterexamplesArePlayed(t, registry, catalogtest.Own(registry)); found < 40 {
		t.Errorf("%d counterexamples are too few to say anything", found)
	}
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	count := catalogtest.RunsAreJudgedTheSame(t, registry, catalogtest.Own(registry))
	if len(count) != 3 || count[protocols.Violated] < 20 || count[protocols.Holds] < 500 {
		t.Errorf("verdicts were %v: too few to say anything", count)
	}
}

func TestRunsAreAmongWhatIsExplored(t *testing.T) {
	catalogtest.RunsAreAmongWhatIsExplored(t, registry, catalogtest.Own(registry))
}

func TestConduct(t *testing.T) { catalogtest.Conduct(t, registry, catalogtest.Own(registry)) }

func TestBoundsAreOfOneStart(t *testing.T) {
	catalogtest.BoundsAreOfOneStart(t, registry, catalogtest.Own(registry))
}

func TestStorm(t *testing.T) { catalogtest.Storm(t, registry, catalogtest.Own(registry)) }
