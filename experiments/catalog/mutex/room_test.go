package mutex_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/catalog/mutex"
	"bullring/experiments/trial"
	"bullring/protocols"
)

var registry = catalogtest.Registry(mutex.All)

func newChecker(t *testing.T) *catalogtest.Checker { return catalogtest.NewChecker(t, registry) }

func inModel(t *testing.T, s trial.Setting) *trial.Instance {
	t.Helper()
	return newChecker(t).Instance(s)
}

// under runs a setting outside every model.
func under(t *testing.T, s trial.Setting) *trial.Result {
	t.Helper()
	return newChecker(t).Outside(s)
}

var laws = catalogtest.Laws{Registry: registry, Algorithms: catalogtest.Own(registry)}

func TestReductionsChangeNoVerdict(t *testing.T) {
	laws.ReductionsChangeNoVerdict(t, testing.Short(), 20, 0)
}

func TestCounterexamplesArePlayed(t *testing.T) {
	laws.CounterexamplesArePlayed(t, testing.Short(), 40)
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	laws.RunsAreJudgedTheSame(t, testing.Short(), map[protocols.Verdict]int{protocols.Holds: 500, protocols.Violated: 20, protocols.Undecided: 1})
}

func TestStorm(t *testing.T) { laws.Storm(t, testing.Short()) }

func TestRunsAreAmongWhatIsExplored(t *testing.T) { laws.RunsAreAmongWhatIsExplored(t) }

func TestConduct(t *testing.T) { laws.Conduct(t) }

func TestBoundsAreOfOneStart(t *testing.T) { laws.BoundsAreOfOneStart(t) }
