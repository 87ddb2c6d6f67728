package catalog_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

var (
	hunts     = flag.String("hunt", "", "the file into which TestHunt writes what it found")
	huntsOnly = flag.String("hunted", "", "the one algorithm in which it looks; all but the compositions if there is none")
)

// TestHunt looks for what is wrong with the algorithms that were compiled in. It is
// run by TestDefects, in a binary in which something is.
func TestHunt(t *testing.T) {
	if *hunts == "" {
		t.Skip("hunts only where TestDefects says so")
	}
	var found []finding
	registry := catalog.New()
	for _, a := range subjects() {
		if *huntsOnly == "" && slices.Contains(compositions, a) || *huntsOnly != "" && a != *huntsOnly {
			continue
		}
		f, err := hunt(registry, a)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, f)
	}
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*hunts, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// finding is what is wrong with an algorithm, by the cheapest strategy that sees it.
type finding struct {
	Algorithm string
	By        strategy
	At        int    // which of the searches or runs, from 0
	Breaks    string // the property, check or bound
	States    uint64 // of the search, to the end of the level of the violation
	Steps     int    // of the shortest run that breaks it
	Cycle     int    // of them, those at the end that repeat for ever
	Endless   int    // the searches before it that did not end
	// In how many runs that are drawn it is found, uniformly and by PCT; 0 is not at
	// all.
	Walks, PCT int
}

// strategy is a way to find a defect.
type strategy string

const (
	byNothing     strategy = ""
	byExploration strategy = "exploration"
	byRuns        strategy = "runs"
)

// hunt goes through the searches of an algorithm and then through its runs, until
// something is wrong.
func hunt(registry *experiments.Registry, algorithm string) (f finding, err error) {
	f.Algorithm = algorithm
	for i, s := range searches(algorithm) {
		e, err := experiments.Explore(context.Background(), registry, s)
		if err != nil {
			return f, err
		}
		if f.judge(e); f.Breaks != "" {
			f.By, f.At = byExploration, i
			return f, errors.Join(f.draw(registry, s, explore.RandomWalk, &f.Walks), f.draw(registry, s, explore.PCT, &f.PCT))
		}
	}
	var worker experiments.Worker
	for s := range runs(algorithm) {
		if f.Breaks, err = amiss(registry, &worker, s); f.Breaks != "" || err != nil {
			f.By = byRuns
			return f, err
		}
		f.At++
	}
	return f, nil
}

// judge notes what an exploration found.
func (f *finding) judge(e *experiments.Exploration) {
	i := slices.IndexFunc(e.Properties, func(p explore.Judged) bool { return p.Verdict == protocols.Violated })
	switch {
	case i < 0 && !e.Complete:
		f.Endless++
	case i >= 0:
		f.Breaks, f.States = e.Properties[i].Name, e.States
	}
	if r := e.Counterexample; r != nil {
		f.Steps, f.Cycle = len(r.Steps), r.Cycle
	}
}

// What is drawn of each search, by either way of drawing.
const (
	drawnRuns  = 1000
	drawnSteps = 500
	drawnSeed  = 1
)

// draw draws runs of a search and notes how many it takes until one shows the
// violation.
func (f *finding) draw(registry *experiments.Registry, s experiments.Search, by explore.Strategy, runs *int) error {
	s.Options.Strategy = by
	s.Options.Sampling = explore.Sampling{Seed: drawnSeed, Runs: drawnRuns, MaxSteps: drawnSteps}
	e, err := experiments.Explore(context.Background(), registry, s)
	if err == nil && e.Counterexample != nil {
		*runs = e.Sampled.Runs
	}
	return err
}

// mostStates ends a search. The largest of those below has three quarters as
// many, where the algorithm is as it should be.
const mostStates = 200_000

// searches are the explorations that an algorithm goes through, all inside its
// model, small ones first and those without a fault before those with one.
func searches(subject string) []experiments.Search {
	algorithm, variant := variantOf(subject)
	var all []experiments.Search
	add := func(crashes int, s experiments.Setting) {
		s.Algorithm, s.Variant = algorithm, cmp.Or(variant, s.Variant)
		if algorithmOf(algorithm).Family != "mutex" { // no identities are compared there
			s.Placement = experiments.Every
		}
		if s.Initiators == "" {
			s.Initiators = experiments.Every
		}
		// In full, so that what is counted does not depend on what can be left out.
		all = append(all, experiments.Search{
			Setting: s, Full: true, Budget: explore.Budget{Crashes: crashes}, Options: explore.Options{MaxStates: mostStates},
		})
	}
	switch algorithm {
	case "lcr":
		for n := 2; n <= 4; n++ {
			add(0, experiments.Setting{N: n, Initiators: "all"})
			add(0, experiments.Setting{N: n, Initiators: "all", Variant: "all-terminate"})
		}
	case "changroberts", "peterson", "lelann":
		for n := 2; n <= 4; n++ {
			add(0, experiments.Setting{N: n})
		}
	case "hirschbergsinclair", "franklin":
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n})
			add(0, experiments.Setting{N: n, Variant: "all-terminate"})
		}
	case "itairodeh":
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n})
			add(0, experiments.Setting{N: n, Initiators: "all", Variant: "sync"})
		}
	case "timeslice", "variablespeeds":
		for n := 2; n <= 4; n++ {
			add(0, experiments.Setting{N: n, Initiators: "all"})
		}
	case "floodmax":
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n, Initiators: "all"})
			add(0, experiments.Setting{N: n, Initiators: "all", Variant: "opt"})
			add(0, experiments.Setting{N: n, Initiators: "all", Topology: "complete"})
		}
		add(0, experiments.Setting{N: 2, Variant: "alpha"})
	case "ringlist":
		add(0, experiments.Setting{N: 2})
		add(0, experiments.Setting{N: 3, Initiators: "0"})
		for _, v := range []string{"", "remember"} {
			add(0, experiments.Setting{N: 3, Dead: "1", Variant: v})
		}
		add(0, experiments.Setting{N: 4, Initiators: "0", Dead: "1"})
	case "modifiedring":
		for crashes := range 2 {
			add(crashes, experiments.Setting{N: 2})
			add(crashes, experiments.Setting{N: 3, Initiators: "0"})
		}
		add(1, experiments.Setting{N: 3, Initiators: "0", Variant: "memory"})
		add(1, experiments.Setting{N: 3, Initiators: "0", Variant: "no-watchdog"})
	case "bully":
		for crashes := range 2 {
			for n := 2; n <= 3; n++ {
				add(crashes, experiments.Setting{N: n})
				add(crashes, experiments.Setting{N: n, Variant: "start-after-answer"})
			}
		}
		add(1, experiments.Setting{N: 4, Dead: "3"})
	case "centralized", "ricartagrawala", "carvalhoroucairol", "maekawa": // no identities are compared
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n})
			add(0, experiments.Setting{N: n, Param: "requests=2"})
		}
		add(0, experiments.Setting{N: 3, Initiators: "all", Param: "requests=2,think=1ms"})
		if algorithm == "maekawa" { // the smallest quorums in which a request can be overtaken
			add(0, experiments.Setting{N: 4, Initiators: "all", Param: "quorums=majority"})
		}
	case "centralized-failover":
		for _, election := range []string{"bully", "lcr"} {
			add(1, experiments.Setting{N: 2, Param: "election=" + election})
			add(1, experiments.Setting{N: 3, Initiators: "all", Param: "cs=3ms,election=" + election})
		}
	case "sequencer-failover":
		for _, election := range []string{"bully", "lcr"} {
			add(1, experiments.Setting{N: 3, Initiators: "all", Param: "election=" + election})
		}
		add(2, experiments.Setting{N: 4, Initiators: "last", Param: "election=bully"})
		all[2].Setting.Placement = ""
	case "lamport":
		add(0, experiments.Setting{N: 2, Param: "requests=2"})
		add(0, experiments.Setting{N: 3, Initiators: "all"})
	case "majority":
		add(0, experiments.Setting{N: 2})
		add(0, experiments.Setting{N: 3})
	case "decentralized":
		add(0, experiments.Setting{N: 3, Initiators: "0", Param: "requests=2,slots=1"})
	case "raft": // identities are compared for equality only, and terms have to end
		add(0, experiments.Setting{N: 2, Param: "terms=2"})
		add(0, experiments.Setting{N: 3, Param: "terms=1"})
		add(1, experiments.Setting{N: 3, Initiators: "0,2", Param: "terms=1"})
		all[2].Budget.Restarts, all[2].Setting.Placement = 1, ""
	case "tokenring":
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n, Param: "requests=2"})
			add(0, experiments.Setting{N: n, Param: "requests=2,think=1ms"})
		}
	case "regeneratingring": // the shorter timeout has claims made in vain
		for crashes := range 2 {
			for n := 2; n <= 3; n++ {
				add(crashes, experiments.Setting{N: n, Param: "requests=2"})
				add(crashes, experiments.Setting{N: n, Param: "requests=2,cs=4ms,timeout=3ms"})
			}
		}
	case "suzukikasami", "raymond":
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n, Param: "requests=2"})
		}
	case "echo", "ghs":
		add(0, experiments.Setting{N: 2})
		add(0, experiments.Setting{N: 3, Topology: "line"})
		add(0, experiments.Setting{N: 3})
	case "afekgafni":
		for n := 2; n <= 4; n++ {
			add(0, experiments.Setting{N: n})
		}
	case "afekgafnisync":
		for n := 2; n <= 3; n++ {
			add(0, experiments.Setting{N: n, Initiators: "all"})
		}
	case "electiontree":
		add(0, experiments.Setting{N: 2})
		add(0, experiments.Setting{N: 3, Topology: "line"})
		add(0, experiments.Setting{N: 3, Initiators: "0"})
		add(1, experiments.Setting{N: 2})
		add(1, experiments.Setting{N: 3, Initiators: "0"})
	}
	for _, s := range coordinated(algorithm) {
		add(0, s)
	}
	if algorithmOf(subject).Family != "election" {
		for i := range all {
			all[i].Setting.Placement = ""
		}
	}
	return all
}

// lockRuns are the runs of an algorithm for mutual exclusion: of few processes, with every
// set of clients, with little and much to do, under constant and random delays.
func lockRuns(algorithm string) iter.Seq[experiments.Setting] {
	bounded := algorithmOf(algorithm).Assumes.BoundedDelay
	return func(yield func(experiments.Setting) bool) {
		for n := 2; n <= 4; n++ {
			for set := 1; set < 1<<n; set++ {
				for _, work := range []string{"", "cs=1ms,requests=3"} {
					for seed := range uint64(5) {
						s := experiments.Setting{Algorithm: algorithm, N: n, Initiators: addresses(set, n), Param: work, MaxEvents: 10_000}
						if seed > 0 {
							s.Delay, s.Seed = "exp(1ms)", seed
						}
						if seed > 0 && bounded {
							s.Delay = "uniform(0,1ms)"
						}
						if !yield(s) {
							return
						}
					}
				}
			}
		}
	}
}

// runs are the runs that an algorithm goes through, all inside its model: small rings
// with every placement and every set of initiators and, as the model allows, every
// set of the dead or every crash at any half of a delay.
func runs(subject string) iter.Seq[experiments.Setting] {
	algorithm, variant := variantOf(subject)
	switch algorithmOf(subject).Family {
	case "election":
	case "mutex":
		return lockRuns(algorithm)
	default:
		return coordinatedRuns(algorithm)
	}
	return func(yield func(experiments.Setting) bool) {
		for n := 2; n <= 4; n++ {
			more := true
			permutations(n, func(ids string) {
				for set := 1; set < 1<<n && more; set++ {
					s := experiments.Setting{Algorithm: algorithm, Variant: variant, IDs: ids, Initiators: addresses(set, n), MaxEvents: 10_000}
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
				if s.Dead = addresses(dead, n); !yield(s) {
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

// amiss says what is wrong with a run, "" if nothing is.
func amiss(registry *experiments.Registry, worker *experiments.Worker, s experiments.Setting) (what string, err error) {
	in, err := registry.Instance(s)
	if err != nil {
		return "", err
	}
	defer func() {
		if recover() != nil {
			what = "a handler panics"
		}
	}()
	r := worker.Run(context.Background(), in, nil)
	for _, c := range r.Checks {
		if c.Verdict == protocols.Violated {
			return c.Name, nil
		}
	}
	if r.End != netem.Quiescent && r.End != netem.Stopped {
		return "the run has no end", nil
	}
	if b, broken := errors.AsType[*experiments.BrokenBoundError](r.BrokenBound()); broken {
		return fmt.Sprintf("bound %s: %s %s %v, here %v", b.Bound.Name, b.Bound.Metric, b.Bound.Relation, b.Bound.Value, b.Bound.Measured), nil
	}
	return "", nil
}

// describe says what is explored, or run.
func describe(s experiments.Setting, budget explore.Budget) string {
	words := []string{fmt.Sprintf("n = %d", s.N)}
	add := func(given bool, format string, values ...any) {
		if given {
			words = append(words, fmt.Sprintf(format, values...))
		}
	}
	if s.IDs != "" {
		words[0] = "identities `" + s.IDs + "`"
	}
	add(s.Placement == experiments.Every, "every placement")
	add(s.Initiators == experiments.Every, "every set of initiators")
	add(s.Initiators != experiments.Every, "initiators `%s`", s.Initiators)
	add(s.Topology != "", "topology `%s`", s.Topology)
	add(s.Dead != "", "dead `%s`", s.Dead)
	add(s.Variant != "", "variant `%s`", s.Variant)
	add(s.Delay != "", "delay `%s`", s.Delay)
	add(s.Unordered, "links that are not FIFO")
	add(s.Delay != "" || s.Seed > 0, "seed %d", s.Seed)
	add(s.Fault != "", "fault `%s`", s.Fault)
	add(s.Param != "", "`%s`", s.Param)
	add(budget.Crashes > 0, "%d crash at any point", budget.Crashes)
	add(budget.Restarts > 0, "%d restart at any point", budget.Restarts)
	return strings.Join(words, ", ")
}
