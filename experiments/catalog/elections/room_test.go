package elections_test

import (
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/elections"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/families"
	"bullring/protocols"
)

var registry = catalogtest.Registry(func(*experiments.Registry) []experiments.Algorithm { return elections.All() })

// checker runs elections.
type checker struct{ *catalogtest.Checker }

func newChecker(t *testing.T) checker { return checker{catalogtest.NewChecker(t, registry)} }

func (c checker) run(s experiments.Setting) *experiments.Result { return c.Run(s, families.Elected) }

func inModel(t *testing.T, s experiments.Setting) *experiments.Instance {
	t.Helper()
	return newChecker(t).Instance(s)
}

// under runs a setting outside every model.
func under(t *testing.T, s experiments.Setting) *experiments.Result {
	t.Helper()
	return newChecker(t).Outside(s)
}

var laws = catalogtest.Laws{Registry: registry, Algorithms: registry.All()}

func TestReductionsChangeNoVerdict(t *testing.T) {
	laws.ReductionsChangeNoVerdict(t, testing.Short(), 20, 5)
}

func TestCounterexamplesArePlayed(t *testing.T) {
	laws.CounterexamplesArePlayed(t, testing.Short(), 40)
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	laws.RunsAreJudgedTheSame(t, testing.Short(), map[protocols.Verdict]int{protocols.Holds: 500, protocols.Violated: 30, protocols.Undecided: 1})
}

func TestStorm(t *testing.T) { laws.Storm(t, testing.Short()) }

func TestRunsAreAmongWhatIsExplored(t *testing.T) { laws.RunsAreAmongWhatIsExplored(t) }

func TestConduct(t *testing.T) { laws.Conduct(t) }

func TestBoundsAreOfOneStart(t *testing.T) { laws.BoundsAreOfOneStart(t) }
