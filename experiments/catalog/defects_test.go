package catalog_test

import (
	"iter"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// A defect of an algorithm is also one of what is composed of it, so that each defect of
// a composition is hunted alone.
var defects = catalogtest.Defects{
	Section: "compositions", Registry: registry, Algorithms: catalogtest.Compositions(registry),
	Table: slices.Concat(failoverDefects, sequencerFailoverDefects), Searches: catalogtest.Searches("", failoverSearches, sequencerFailoverSearches), Runs: runs, Alone: true,
	// The safety that a change of coordinators puts at risk is order; integrity is that of
	// the sequencer alone.
	Spares: func(algorithm, property string) bool {
		return algorithm == sequencerFailover && property == "integrity"
	},
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are none: exploration catches the defects of compositions.
func runs(string, string) iter.Seq[trial.Setting] {
	return func(func(trial.Setting) bool) {}
}
