package catalog_test

import (
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/protocols"
)

var registry = catalog.New()

// The laws that hold for every algorithm, for those that are composed of several.
var compositions = catalogtest.Compositions(registry)

func newChecker(t *testing.T) *catalogtest.Checker { return catalogtest.NewChecker(t, registry) }

func TestReductionsChangeNoVerdict(t *testing.T) {
	catalogtest.ReductionsChangeNoVerdict(t, registry, compositions)
}

func TestCounterexamplesArePlayed(t *testing.T) {
	if found := catalogtest.CounterexamplesArePlayed(t, registry, compositions); found < 10 {
		t.Errorf("%d counterexamples are too few to say anything", found)
	}
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	count := catalogtest.RunsAreJudgedTheSame(t, registry, compositions)
	if count[protocols.Undecided] < 300 || count[protocols.Holds] < 500 {
		t.Errorf("verdicts were %v: too few to say anything", count)
	}
}

func TestRunsAreAmongWhatIsExplored(t *testing.T) {
	catalogtest.RunsAreAmongWhatIsExplored(t, registry, compositions)
}

func TestConduct(t *testing.T) { catalogtest.Conduct(t, registry, compositions) }

func TestBoundsAreOfOneStart(t *testing.T) {
	catalogtest.BoundsAreOfOneStart(t, registry, compositions)
}

func TestStorm(t *testing.T) { catalogtest.Storm(t, registry, compositions) }
