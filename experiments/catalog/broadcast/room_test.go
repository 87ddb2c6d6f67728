package broadcast_test

import (
	"testing"

	"bullring/experiments/catalog/broadcast"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/protocols"
)

var registry = catalogtest.Registry(func(*trial.Registry) []trial.Algorithm { return broadcast.All() })

var laws = catalogtest.Laws{Registry: registry, Algorithms: catalogtest.Own(registry)}

func TestReductionsChangeNoVerdict(t *testing.T) {
	laws.ReductionsChangeNoVerdict(t, testing.Short(), 0, 0)
}

func TestCounterexamplesArePlayed(t *testing.T) {
	laws.CounterexamplesArePlayed(t, testing.Short(), 1)
}

func TestRunsAreJudgedTheSame(t *testing.T) {
	laws.RunsAreJudgedTheSame(t, testing.Short(), map[protocols.Verdict]int{protocols.Holds: 1})
}

func TestStorm(t *testing.T) { laws.Storm(t, testing.Short()) }

func TestRunsAreAmongWhatIsExplored(t *testing.T) { laws.RunsAreAmongWhatIsExplored(t) }

func TestConduct(t *testing.T) { laws.Conduct(t) }

func TestBoundsAreOfOneStart(t *testing.T) { laws.BoundsAreOfOneStart(t) }
