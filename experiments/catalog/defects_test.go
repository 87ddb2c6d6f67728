package catalog_test

import (
	"cmp"
	"iter"
	"slices"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/search"
	"bullring/netem/explore"
)

// A defect of an algorithm is also one of what is composed of it, so that each defect of
// a composition is hunted alone.
var defects = catalogtest.Defects{
	Section: "compositions", Registry: registry, Algorithms: catalogtest.Compositions(registry),
	Table: slices.Concat(failoverDefects, sequencerFailoverDefects), Searches: searches, Runs: runs, Alone: true,
	// The safety that a change of coordinators puts at risk is order; integrity is that of
	// the sequencer alone.
	Spares: func(algorithm, property string) bool {
		return algorithm == sequencerFailover && property == "integrity"
	},
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// searches are the explorations of a composition, all inside its model, small ones first.
func searches(algorithm, _ string) (all []catalogtest.Search) {
	type setting = experiments.Setting
	add := func(crashes int, s setting) {
		s.Algorithm, s.Initiators = algorithm, cmp.Or(s.Initiators, search.Every)
		all = append(all, catalogtest.Search{Setting: s, Budget: explore.Budget{Crashes: crashes}})
	}
	switch algorithm {
	case "centralized-failover":
		for _, election := range []string{"bully", "lcr"} {
			add(1, setting{N: 2, Param: "election=" + election})
			add(1, setting{N: 3, Initiators: "all", Param: "cs=3ms,election=" + election})
		}
	case "sequencer-failover":
		for _, election := range []string{"bully", "lcr"} {
			add(1, setting{N: 3, Initiators: "all", Param: "election=" + election})
		}
		add(2, setting{N: 4, Initiators: "last", Param: "election=bully"})
	}
	return all
}

// runs are none: exploration catches the defects of compositions.
func runs(string, string) iter.Seq[experiments.Setting] {
	return func(func(experiments.Setting) bool) {}
}
