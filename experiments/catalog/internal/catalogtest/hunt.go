package catalogtest

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

var (
	hunts     = flag.String("hunt", "", "the file into which TestHunt writes what it found")
	huntsOnly = flag.String("hunted", "", "the one algorithm in which it looks; all if there is none")
)

// Hunt looks for what is wrong with the algorithms that were compiled in. It is run by
// Hunted, in a binary in which something is.
func (d Defects) Hunt(t *testing.T) {
	if *hunts == "" {
		t.Skip("hunts only where TestDefects says so")
	}
	var found []finding
	for _, subject := range d.subjects() {
		if *huntsOnly != "" && subject != *huntsOnly {
			continue
		}
		f, err := d.hunt(subject)
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
	Subject string
	By      strategy
	At      int    // which of the searches or runs, from 0
	Breaks  string // the property, check or bound
	States  uint64 // of the search, to the end of the level of the violation
	Steps   int    // of the shortest run that breaks it
	Cycle   int    // of them, those at the end that repeat for ever
	Endless int    // the searches before it that did not end
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
func (d Defects) hunt(subject string) (f finding, err error) {
	f.Subject = subject
	for i, s := range d.searches(subject) {
		e, err := search.Explore(context.Background(), d.Registry, s)
		if err != nil {
			return f, err
		}
		if f.judge(e); f.Breaks != "" {
			f.By, f.At = byExploration, i
			return f, errors.Join(f.draw(d.Registry, s, explore.RandomWalk, &f.Walks), f.draw(d.Registry, s, explore.PCT, &f.PCT))
		}
	}
	var worker trial.Worker
	for s := range d.Runs(variantOf(subject)) {
		if f.Breaks, err = amiss(d.Registry, &worker, s); f.Breaks != "" || err != nil {
			f.By = byRuns
			return f, err
		}
		f.At++
	}
	return f, nil
}

// judge notes what an exploration found.
func (f *finding) judge(e *search.Exploration) {
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
func (f *finding) draw(registry *trial.Registry, s search.Search, by explore.Strategy, runs *int) error {
	s.Options.Strategy = by
	s.Options.Sampling = explore.Sampling{Seed: drawnSeed, Runs: drawnRuns, MaxSteps: drawnSteps}
	e, err := search.Explore(context.Background(), registry, s)
	if err == nil && e.Counterexample != nil {
		*runs = e.Sampled.Runs
	}
	return err
}

// mostStates ends a search. The largest of those below has three quarters as
// many, where the algorithm is as it should be.
const mostStates = 200_000

// searches are the explorations that a subject goes through. They are in full, so that
// what is counted does not depend on what can be left out.
func (d Defects) searches(subject string) []search.Search {
	var all []search.Search
	for _, s := range d.Searches(variantOf(subject)) {
		s = s.InFull()
		s.Options.MaxStates = mostStates
		all = append(all, search.Search(s))
	}
	return all
}

// amiss says what is wrong with a run, "" if nothing is.
func amiss(registry *trial.Registry, worker *trial.Worker, s trial.Setting) (what string, err error) {
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
	if b, broken := errors.AsType[*trial.BrokenBoundError](r.BrokenBound()); broken {
		return fmt.Sprintf("bound %s: %s %s %v, here %v", b.Bound.Name, b.Bound.Metric, b.Bound.Relation, b.Bound.Value, b.Bound.Measured), nil
	}
	return "", nil
}

// describe says what is explored, or run. A run has neither a budget nor limits.
func describe(in search.Search) string {
	s, budget, limits := in.Setting, in.Budget, in.Limits
	words := []string{fmt.Sprintf("n = %d", s.N)}
	add := func(given bool, format string, values ...any) {
		if given {
			words = append(words, fmt.Sprintf(format, values...))
		}
	}
	if s.IDs != "" {
		words[0] = "identities `" + s.IDs + "`"
	}
	add(s.Placement == search.Every, "every placement")
	add(s.Initiators == search.Every, "every set of initiators")
	add(s.Initiators != search.Every, "initiators `%s`", s.Initiators)
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
	add(budget.LinkChanges == 1, "1 change of a link at any point")
	add(budget.LinkChanges > 1, "%d changes of links at any point", budget.LinkChanges)
	add(limits.Timeouts > 0, "`--timeouts %d`", limits.Timeouts)
	add(limits.Rounds > 0, "`--rounds %d`", limits.Rounds)
	return strings.Join(words, ", ")
}
