package elections_test

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

var defects = catalogtest.Defects{
	Section: "elections", Registry: registry, Algorithms: registry.All(),
	Table: slices.Concat(
		ringDefects, leLannDefects, hirschbergSinclairDefects, franklinDefects, petersonDefects, itaiRodehDefects,
		timeSliceDefects, variableSpeedsDefects, freiDefects, floodMaxDefects, countingDefects, raftDefects, defectsOnGraphs, ingramDefects, vktDefects, topologyAwareDefects,
	),
	Searches: catalogtest.Searches(
		search.Every, ringSearches, leLannSearches, hirschbergSinclairSearches, franklinSearches, petersonSearches, itaiRodehSearches,
		timeSliceSearches, variableSpeedsSearches, freiSearches, floodMaxSearches, countingSearches, raftSearches, searchesOnGraphs, ingramSearches, vktSearches, topologyAwareSearches,
	),
	Runs: runs,
	// The explorer refuses the background messages of vkt, whose defects runs show. No defect of vktlinks,
	// freistable or freiunoriented has a process elect one that was never alive, which is all that their E1
	// excludes. A process of counting that does not decide counts its rounds for ever, and no exploration of that
	// ends.
	Spares: func(algorithm, property string) bool {
		switch algorithm {
		case "vktlinks", "freistable", "freiunoriented":
			return property == "E1"
		case "counting":
			return property == "E2"
		}
		return algorithm == "vkt"
	},
}

func TestDefects(t *testing.T) { defects.Hunted(t, testing.Short()) }

func TestHunt(t *testing.T) { defects.Hunt(t) }

// runs are the runs that an algorithm goes through, all inside its model: small rings
// with every placement and every set of initiators and, as the model allows, every
// set of the dead or every crash at any half of a delay.
func runs(algorithm, variant string) iter.Seq[trial.Setting] {
	return func(yield func(trial.Setting) bool) {
		for n := 2; n <= 4; n++ {
			more := true
			catalogtest.Permutations(n, func(ids string) {
				for set := 1; set < 1<<n && more; set++ {
					s := trial.Setting{Algorithm: algorithm, Variant: variant, IDs: ids, Initiators: catalogtest.Addresses(set, n), MaxEvents: 10_000}
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
func furnished(s trial.Setting, n, set int, yield func(trial.Setting) bool) bool {
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
	case "counting":
		for seed := range uint64(4) {
			t := s
			t.Seed, t.Motion = seed, []string{"interval(1, 2ms, random)", "interval(1, 2ms, worst)"}[seed%2]
			if set == 1<<n-1 && !yield(t) {
				return false
			}
		}
		return true // all have to start
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
	case "vkt":
		s.Until = "320ms" // what has happened by 20 ms is over then
		return set < 1<<n-1 || yield(s) && crashing(s, n, -1, yield) && changing(s, n, yield)
	case "vktlinks":
		return yield(s) && changing(s, n, yield)
	case "ingram", "topologyaware":
		return set < 1<<n-1 || yield(s) && changing(s, n, yield) // nobody needs a start
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
func crashing(s trial.Setting, n, dead int, yield func(trial.Setting) bool) bool {
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
