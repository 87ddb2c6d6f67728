package elections_test

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/search"
	"bullring/netem/explore"
)

var defects = catalogtest.Defects{
	Section: "elections", Registry: registry, Algorithms: registry.All(),
	Table: slices.Concat(
		ringDefects, leLannDefects, hirschbergSinclairDefects, franklinDefects, petersonDefects, itaiRodehDefects,
		timeSliceDefects, variableSpeedsDefects, floodMaxDefects, raftDefects, defectsOnGraphs,
	),
	Searches: searches, Runs: runs,
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// searches are the explorations that an algorithm goes through, all inside its
// model, small ones first and those without a fault before those with one.
func searches(algorithm, variant string) (all []catalogtest.Search) {
	type setting = experiments.Setting
	add := func(crashes int, s setting) {
		s.Algorithm, s.Variant, s.Placement = algorithm, cmp.Or(variant, s.Variant), search.Every
		s.Initiators = cmp.Or(s.Initiators, search.Every)
		all = append(all, catalogtest.Search{Setting: s, Budget: explore.Budget{Crashes: crashes}})
	}
	switch algorithm {
	case "lcr":
		for n := 2; n <= 4; n++ {
			add(0, setting{N: n, Initiators: "all"})
			add(0, setting{N: n, Initiators: "all", Variant: "all-terminate"})
		}
	case "changroberts", "peterson", "lelann":
		for n := 2; n <= 4; n++ {
			add(0, setting{N: n})
		}
	case "hirschbergsinclair", "franklin":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n})
			add(0, setting{N: n, Variant: "all-terminate"})
		}
	case "itairodeh":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n})
			add(0, setting{N: n, Initiators: "all", Variant: "sync"})
		}
	case "timeslice", "variablespeeds":
		for n := 2; n <= 4; n++ {
			add(0, setting{N: n, Initiators: "all"})
		}
	case "floodmax":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n, Initiators: "all"})
			add(0, setting{N: n, Initiators: "all", Variant: "opt"})
			add(0, setting{N: n, Initiators: "all", Topology: "complete"})
		}
		add(0, setting{N: 2, Variant: "alpha"})
	case "ringlist":
		add(0, setting{N: 2})
		add(0, setting{N: 3, Initiators: "0"})
		for _, v := range []string{"", "remember"} {
			add(0, setting{N: 3, Dead: "1", Variant: v})
		}
		add(0, setting{N: 4, Initiators: "0", Dead: "1"})
	case "modifiedring":
		for crashes := range 2 {
			add(crashes, setting{N: 2})
			add(crashes, setting{N: 3, Initiators: "0"})
		}
		add(1, setting{N: 3, Initiators: "0", Variant: "memory"})
		add(1, setting{N: 3, Initiators: "0", Variant: "no-watchdog"})
	case "bully":
		for crashes := range 2 {
			for n := 2; n <= 3; n++ {
				add(crashes, setting{N: n})
				add(crashes, setting{N: n, Variant: "start-after-answer"})
			}
		}
		add(1, setting{N: 4, Dead: "3"})
	case "raft": // identities are compared for equality only, and terms have to end
		add(0, setting{N: 2, Param: "terms=2"})
		add(0, setting{N: 3, Param: "terms=1"})
		add(1, setting{N: 3, Initiators: "0,2", Param: "terms=1"})
		all[2].Budget.Restarts, all[2].Setting.Placement = 1, ""
	case "echo", "ghs":
		add(0, setting{N: 2})
		add(0, setting{N: 3, Topology: "line"})
		add(0, setting{N: 3})
	case "afekgafni":
		for n := 2; n <= 4; n++ {
			add(0, setting{N: n})
		}
	case "afekgafnisync":
		for n := 2; n <= 3; n++ {
			add(0, setting{N: n, Initiators: "all"})
		}
	case "electiontree":
		add(0, setting{N: 2})
		add(0, setting{N: 3, Topology: "line"})
		add(0, setting{N: 3, Initiators: "0"})
		add(1, setting{N: 2})
		add(1, setting{N: 3, Initiators: "0"})
	}
	return all
}

// runs are the runs that an algorithm goes through, all inside its model: small rings
// with every placement and every set of initiators and, as the model allows, every
// set of the dead or every crash at any half of a delay.
func runs(algorithm, variant string) iter.Seq[experiments.Setting] {
	return func(yield func(experiments.Setting) bool) {
		for n := 2; n <= 4; n++ {
			more := true
			catalogtest.Permutations(n, func(ids string) {
				for set := 1; set < 1<<n && more; set++ {
					s := experiments.Setting{Algorithm: algorithm, Variant: variant, IDs: ids, Initiators: catalogtest.Addresses(set, n), MaxEvents: 10_000}
					more = furnished(s, n, set, yield)
				}
			})
			if !more {
				return
			}
		}
	}
}

// furnished yields a setting in all the ways in which it goes on: variants, the
// dead, crashes.
func furnished(s experiments.Setting, n, set int, yield func(experiments.Setting) bool) bool {
	switch s.Algorithm {
	case "afekgafnisync":
		return set < 1<<n-1 || yield(s) // all have to start
	case "lcr":
		if set < 1<<n-1 {
			return true // all have to start
		}
		t := s
		t.Variant = "all-terminate"
		return yield(s) && yield(t)
	case "timeslice", "variablespeeds", "floodmax":
		return set < 1<<n-1 || yield(s) // all have to start
	case "changroberts", "lelann":
		for p := range n { // once more, when all is over
			t := s
			t.Fault = fmt.Sprintf("at 20ms start %d", p)
			if !yield(t) {
				return false
			}
		}
		return yield(s)
	case "ringlist":
		for dead := range 1<<n - 1 {
			if dead&set == 0 {
				if s.Dead = catalogtest.Addresses(dead, n); !yield(s) {
					return false
				}
			}
		}
		return true
	case "electiontree":
		return yield(s) && crashing(s, n, -1, yield)
	case "modifiedring":
		t := s
		t.Variant = "no-watchdog"
		return yield(s) && crashing(s, n, -1, yield) && crashing(t, n, -1, yield)
	case "bully":
		for dead := -1; dead < n; dead++ {
			if dead >= 0 {
				s.Dead = strconv.Itoa(dead)
			}
			sleeps := dead < 0 || set>>dead&1 == 0 // the dead do not initiate
			if sleeps && (!yield(s) || !crashing(s, n, dead, yield)) {
				return false
			}
		}
		return true
	}
	return yield(s)
}

// crashing yields a setting with each process that is not dead crashing, at each half
// of a delay while an election goes on. The bully promises little until somebody
// notices, so there another process starts an election when all is over.
func crashing(s experiments.Setting, n, dead int, yield func(experiments.Setting) bool) bool {
	for p := range n {
		for half := 1; half <= 4*n && p != dead; half++ {
			s.Fault = fmt.Sprintf("at %dus crash %d", 500*half, p)
			if notices := (p + 1) % n; s.Algorithm == "bully" && notices != dead {
				s.Fault += fmt.Sprintf("; at 200ms start %d", notices)
			}
			if !yield(s) {
				return false
			}
		}
	}
	return true
}
