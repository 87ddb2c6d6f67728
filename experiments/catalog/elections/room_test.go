package elections_test

import (
	"slices"
	"testing"

	"bullring/experiments/catalog/elections"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

var registry = catalogtest.Registry(func(*trial.Registry) []trial.Algorithm { return elections.All() })

// checker runs elections.
type checker struct{ *catalogtest.Checker }

func newChecker(t *testing.T) checker { return checker{catalogtest.NewChecker(t, registry)} }

func (c checker) run(s trial.Setting) *trial.Result { return c.Run(s, families.Elected) }

func inModel(t *testing.T, s trial.Setting) *trial.Instance {
	t.Helper()
	return newChecker(t).Instance(s)
}

// under runs a setting outside every model.
func under(t *testing.T, s trial.Setting) *trial.Result {
	t.Helper()
	return newChecker(t).Outside(s)
}

var laws = catalogtest.Laws{Registry: registry, Algorithms: registry.All()}

// explored are the laws of what can be explored: the beacons of vkt never end.
var explored = catalogtest.Laws{Registry: registry, Algorithms: slices.DeleteFunc(slices.Clone(registry.All()), func(a *trial.Algorithm) bool { return a.Name == "vkt" })}

func TestReductionsChangeNoVerdict(t *testing.T) {
	explored.ReductionsChangeNoVerdict(t, testing.Short(), 20, 5)
}

func TestCounterexamplesArePlayed(t *testing.T) {
	explored.CounterexamplesArePlayed(t, testing.Short(), 40)
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	explored.RunsAreJudgedTheSame(t, testing.Short(), map[protocols.Verdict]int{protocols.Holds: 500, protocols.Violated: 30, protocols.Undecided: 1})
}

func TestStorm(t *testing.T) { laws.Storm(t, testing.Short()) }

func TestRunsAreAmongWhatIsExplored(t *testing.T) { explored.RunsAreAmongWhatIsExplored(t) }

func TestConduct(t *testing.T) { laws.Conduct(t) }

func TestBoundsAreOfOneStart(t *testing.T) { laws.BoundsAreOfOneStart(t) }
