package search

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"bullring/experiments"
	"bullring/netem"
	"bullring/protocols"
)

// Explanation is the causal history of a verdict: all steps that happened before it, and
// the messages that did not arrive.
type Explanation struct {
	Result *experiments.Result
	// What is the verdict that is explained: the first violated check, else the outcome.
	What  string
	Steps []Cause // in the order of the run
	Total int     // number of records of the run
}

// Cause is a record of a run with its causes.
type Cause struct {
	netem.Record
	Number int    // of the record in the run, from 1
	After  []int  // its causes: the previous step of the process, and the sending of the message
	News   string // what the process decided in this step
	Target bool   // this step is explained
	Absent bool   // a message that was not handled
}

// Why runs an instance and explains its verdict by the relation "happened before" (Lamport,
// CACM 21(7) 1978).
func Why(ctx context.Context, in *experiments.Instance) *Explanation {
	log := &causeLog{last: map[protocols.ID]int{}, sent: map[uint64]int{}}
	result := new(experiments.Worker).Run(ctx, in, func(decision func(protocols.ID) string) netem.Tracer {
		log.decision = decision
		return log
	})
	e := &Explanation{Result: result, Total: len(log.causes)}
	var targets []int
	e.What, targets = log.verdict(result)
	e.Steps = log.slice(targets)
	return e
}

// causeLog is a tracer that keeps the records of a run with their causes.
type causeLog struct {
	causes   []Cause
	last     map[protocols.ID]int // number of the last record of each process
	changes  []int                // numbers of the records with News
	sent     map[uint64]int       // number of the record in which a message was sent
	decision func(protocols.ID) string
}

// Record implements netem.Tracer.
func (l *causeLog) Record(r netem.Record) {
	c := Cause{Record: r, Number: len(l.causes) + 1}
	switch r.What {
	case "fault": // belongs to no process
	case "lose", "cut", "damaged", "lost":
		c.Absent = true
		c.After = append(c.After, l.sent[r.Number])
		if r.What == "lost" && l.last[r.Who] > 0 {
			c.After = append(c.After, l.last[r.Who]) // the crash
		}
	default:
		if before := l.last[r.Who]; before > 0 {
			c.After = append(c.After, before)
		}
		if r.What == "deliver" {
			c.After = append(c.After, l.sent[r.Number])
		}
		l.last[r.Who] = c.Number
		if r.What != "crash" {
			c.News = l.decision(r.Who)
		}
		if c.News != "" {
			l.changes = append(l.changes, c.Number)
		}
	}
	for _, s := range r.Sent {
		l.sent[s.Number] = c.Number
	}
	l.causes = append(l.causes, c)
}

// verdict returns the verdict to explain, and the numbers of its records.
func (l *causeLog) verdict(r *experiments.Result) (what string, targets []int) {
	for _, c := range r.Checks {
		if c.Verdict != protocols.Violated {
			continue
		}
		what = fmt.Sprintf("%s is violated: %s", c.Name, c.Detail)
		if c.Broke != nil {
			return what, l.changes[c.Broke.Change-1 : c.Broke.Change]
		}
		return what, l.endings(r)
	}
	return "the outcome is: " + string(r.Outcome), l.endings(r)
}

// endings returns the last records of the processes that the judge names, or of all.
func (l *causeLog) endings(r *experiments.Result) []int {
	groups, settled := [][]protocols.ID{slices.Collect(maps.Keys(l.last))}, r.Correct
	if e, ok := r.Judge.(experiments.Explainer); ok {
		groups, settled = e.Endings()
	}
	last := l.steps()
	if settled {
		last = l.news()
	}
	for _, group := range groups {
		var found []int
		for _, p := range group {
			if k, ok := last[p]; ok {
				found = append(found, k)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// news returns the last record with News of each process.
func (l *causeLog) news() map[protocols.ID]int {
	last := map[protocols.ID]int{}
	for _, k := range l.changes {
		last[l.causes[k-1].Who] = k
	}
	return last
}

// steps returns the last record of each process that has not crashed.
func (l *causeLog) steps() map[protocols.ID]int {
	last := maps.Clone(l.last)
	maps.DeleteFunc(last, func(_ protocols.ID, k int) bool { return l.causes[k-1].What == "crash" })
	return last
}

// slice returns the targets, the messages that did not arrive and the faults, each with all
// its causes.
func (l *causeLog) slice(targets []int) []Cause {
	wanted, target := make([]bool, len(l.causes)+1), make([]bool, len(l.causes)+1)
	for _, t := range targets {
		l.mark(t, wanted)
		target[t] = true
	}
	for i := range l.causes {
		if c := &l.causes[i]; c.Absent || c.What == "fault" {
			l.mark(c.Number, wanted)
		}
	}
	var steps []Cause
	for _, c := range l.causes {
		if wanted[c.Number] {
			c.Target = target[c.Number]
			steps = append(steps, c)
		}
	}
	return steps
}

// mark marks a record and all its direct and indirect causes.
func (l *causeLog) mark(number int, marked []bool) {
	open := []int{number}
	for len(open) > 0 {
		k := open[len(open)-1]
		open = open[:len(open)-1]
		if k == 0 || marked[k] {
			continue
		}
		marked[k] = true
		open = append(open, l.causes[k-1].After...)
	}
}

// Write prints the explanation, a line for each step: its number, the step, and behind an
// arrow the numbers of its causes.
func (e *Explanation) Write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\n%d of %d records lead to it:\n\n", e.What, len(e.Steps), e.Total); err != nil {
		return err
	}
	for _, c := range e.Steps {
		after := make([]string, 0, len(c.After))
		for _, k := range c.After {
			after = append(after, fmt.Sprintf("#%d", k))
		}
		mark := " "
		switch {
		case c.Target:
			mark = ">"
		case c.Absent:
			mark = "x"
		}
		line := c.Record.Text(c.News)
		if len(after) > 0 {
			line += "  <- " + strings.Join(after, " ")
		}
		if _, err := fmt.Fprintf(w, "%s %5s %s\n", mark, fmt.Sprintf("#%d", c.Number), line); err != nil {
			return err
		}
	}
	return nil
}
