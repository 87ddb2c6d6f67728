package grade

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
)

// example is the smallest failing run of a part that was found, drawn and explained.
type example struct {
	sentence string
	setting  trial.Setting
	result   *trial.Result
	reasons  []string
	parting  string // where it parts from an algorithm; "" if it was not compared
	picture  []byte // SVG, nil if it is too large
	unseen   string // why there is no picture
	again    string // the command that repeats it
}

// exampleTime is how long a smaller run and its reason are looked for, each. It decides no points.
const exampleTime = 10 * time.Second

// explain looks for a smaller run that fails as this one does, draws it and explains it, if there is a
// folder for its page.
func (g *grading) explain(j judged) *example {
	e := &example{sentence: j.wrong, setting: j.result.Instance.Setting, result: j.result, again: g.Words.Command(j.result.Instance)}
	if j.failure == "" && j.like != nil {
		e.again, e.parting = g.Words.Like(j.result.Instance), g.Words.Parting(j.like)
	}
	if g.Folder == nil {
		return e
	}
	if j.result.End == netem.OutOfEvents {
		e.unseen = "It is not drawn: it does not end."
		return e
	}
	if j.failure != "" {
		ctx, cancel := context.WithTimeout(g.ctx, exampleTime)
		defer cancel()
		if small, err := search.Shrink(ctx, g.Registry, e.setting, j.failure, nil); err == nil && small != nil && small.Result.Late() == nil {
			e.setting, e.result, e.again = small.Setting, small.Result, g.Words.Command(small.Result.Instance)
			if text, _ := wrongIn(small.Result); text != "" {
				e.sentence = text
			}
		}
	}
	g.show(e, nil)
	return e
}

// show draws a run and says why it fails, if that is not known yet. A run that follows a schedule
// becomes a case.
func (g *grading) show(e *example, why *reason.Explanation) {
	ctx, cancel := context.WithTimeout(g.ctx, exampleTime)
	defer cancel()
	in, failure := e.result.Instance, search.FailureOf(e.result)
	if in.Setting.Schedule != "" {
		file, err := g.Folder.keep(fmt.Sprintf("%s-%d.json", g.Name, g.number), search.NewCase(e.result, failure, ""))
		if e.again = g.Words.Case(file); err != nil {
			e.again = err.Error()
		}
	}
	recording := history.NewRecording(in, mostDrawn)
	h := recording.History(new(trial.Worker).Run(ctx, in, recording.Tracer))
	if h.Dropped > 0 || h.Result.Late() != nil || ctx.Err() != nil {
		e.unseen = fmt.Sprintf("It is not drawn: it has more than %d events, or its program was late.", mostDrawn)
		return
	}
	o := diagram.Options{Axis: diagram.Gaps}
	if why == nil && failure != "" && !e.result.Panicked() {
		why = reason.Brief.ExplainResult(ctx, g.Registry, e.result)
	}
	if why != nil && why.Violation != nil {
		e.reasons, o.Why = g.Words.Reasons(why), true
		if why.Real != nil {
			o.Because = why.Marked(h)
		}
	}
	drawn, err := diagram.Of(h, o)
	var svg bytes.Buffer
	if err == nil {
		err = drawn.SVG(&svg)
	}
	if err != nil {
		e.unseen = fmt.Sprintf("It is not drawn: %v.", err)
		return
	}
	e.picture = svg.Bytes()
}

// mostDrawn is the most events of a run that is drawn.
const mostDrawn = 2_000
