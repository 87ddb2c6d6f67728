package grade

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem"
	"bullring/protocols"
)

// kinds are the kinds of parts, and what grades them.
var kinds = []struct {
	name  string
	grade func(*grading, *Mark)
}{
	{spec.RunsPart, (*grading).runs},
	{spec.CostPart, (*grading).runs},
	{spec.JudgePart, (*grading).judge},
}

// grade grades the part.
func (g *grading) grade(m *Mark) {
	for _, k := range kinds {
		if k.name == g.part.Kind {
			k.grade(g, m)
		}
	}
}

// grading is a part that is being graded.
type grading struct {
	*Grader
	ctx  context.Context
	part *spec.Part
	Submission
	number int // of the part, from 1
}

// judged is how a run came out.
type judged struct {
	result  *trial.Result
	late    string         // why nothing is known; "" if something is
	wrong   string         // what is wrong; "" if nothing is
	failure search.Failure // that a smaller run can show; "" if it is none of a single run
	like    *foreign.Comparison
}

// runs grades a part by runs that must hold. Without partial points the first that does not decides.
func (g *grading) runs(m *Mark) {
	for _, s := range g.settings(g.part, g.Program) {
		j := g.run(s)
		m.Runs++
		switch {
		case j.late != "":
			m.Verdict, m.Why, m.example = Inconclusive, j.late, nil
			return
		case j.wrong == "":
			m.Held++
			continue
		case m.Verdict == "":
			m.Verdict, m.Why = Wrong, shortened(j.wrong)
			m.example = g.explain(j)
			m.Again = m.example.again
		}
		if !g.part.Partial {
			return
		}
	}
}

// run runs a setting and judges it.
func (g *grading) run(s trial.Setting) (j judged) {
	in, err := g.Registry.Instance(s)
	if err != nil {
		return judged{late: err.Error()} // a file of the program has changed since the check
	}
	var trace trial.TraceFunc
	if g.part.Like != "" {
		if j.like, err = foreign.CompareLike(g.ctx, g.Registry, in, false); err != nil {
			return judged{late: err.Error()}
		}
		trace = j.like.Tracer
	}
	j.result = new(trial.Worker).Run(g.ctx, in, trace)
	if j.like != nil {
		j.like.Finish(j.result)
	}
	switch {
	case g.ctx.Err() != nil:
		j.late = g.overtime()
	case j.result.Late() != nil:
		j.late = j.result.Late().Error()
	default:
		j.wrong, j.failure = wrongIn(j.result)
		if j.wrong == "" && g.part.Kind == spec.CostPart {
			j.wrong, j.failure = g.costs(&j)
		}
	}
	return j
}

// overtime says that the time of a submission is over.
func (g *grading) overtime() string {
	return fmt.Sprintf("the submission took more than %v (limits: submission)", g.Limits.Submission)
}

// wrongIn says what is wrong with a run; "" if nothing is.
func wrongIn(r *trial.Result) (string, search.Failure) {
	failure := search.FailureOf(r)
	n := fmt.Sprintf("n %d: ", r.Instance.N)
	if r.Failed != nil {
		return n + r.Failed.Error(), failure
	}
	for _, c := range r.Checks {
		if c.Verdict == protocols.Violated {
			return n + fmt.Sprintf("%s is violated: %s", c.Name, c.Detail), failure
		}
	}
	switch r.End {
	case netem.OutOfEvents:
		return n + fmt.Sprintf("does not end within %s events", counts.Grouped(r.Instance.Setting.MaxEvents)), failure
	case netem.Repeating:
		return n + "does not end: the same events repeat for ever", failure
	case netem.OutOfTime:
		return n + fmt.Sprintf("does not end by %v of virtual time", r.Instance.MaxTime), failure
	case netem.OutOfRoom:
		return n + "has more messages under way than there is room for", failure
	}
	if failure != "" {
		return n + string(r.Outcome), failure
	}
	return "", ""
}

// costs says which cost of the part a run breaks; "" if it breaks none.
func (g *grading) costs(j *judged) (string, search.Failure) {
	n := fmt.Sprintf("n %d: ", j.result.Instance.N)
	if j.like != nil && j.like.Parted {
		return n + fmt.Sprintf("parts from %s at %s %d: it has %s, and %s has %s", j.like.With, j.like.Unit(), j.like.Events+1, first(j.like.Program), j.like.With, first(j.like.Other)), ""
	}
	if g.part.Bound {
		for _, b := range j.result.Bounds {
			if b.Broken {
				return n + fmt.Sprintf("%s are %s, and the bound %s says %s %s (%s)", b.Metric, Text(b.Measured), b.Name, b.Relation, Text(b.Value), b.Reads()), search.Bound
			}
		}
	}
	if g.part.Holds == nil {
		return "", ""
	}
	ok, left, right := g.part.Holds.Hold(func(name string) float64 {
		if v, known := given(j.result.Instance, name); known {
			return v
		}
		v, _ := j.result.Metric(name)
		return v
	})
	if ok {
		return "", ""
	}
	return n + fmt.Sprintf("%v does not hold: %s against %s", g.part.Holds, Text(left), Text(right)), ""
}

// shortened is a sentence about a program without the middle of what it wrote.
func shortened(text string) string {
	const most = 150 // of the beginning, and of the end
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > 2*most {
		runes = slices.Concat(runes[:most], []rune(" ... "), runes[len(runes)-most:])
	}
	return string(runes)
}

// first is the first of some lines of a trace.
func first(lines []string) string {
	if len(lines) == 0 {
		return "ended"
	}
	return cmp.Or(strings.Join(strings.Fields(lines[0]), " "), "nothing")
}
