package grade

import (
	"bytes"
	"context"
	"fmt"

	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
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

// explain looks for a smaller run that fails as this one does, draws it and explains it.
func (g *grading) explain(j judged) *example {
	e := &example{sentence: j.wrong, setting: j.result.Instance.Setting, result: j.result}
	if j.like != nil && j.like.Parted && g.Words.Parting != nil {
		e.parting = g.Words.Parting(j.like)
	}
	if j.failure != "" {
		ctx, cancel := context.WithTimeout(g.ctx, exampleTime)
		if small, err := search.Shrink(ctx, g.Registry, e.setting, j.failure, nil); err == nil && small != nil && small.Result.Late() == nil {
			e.setting, e.result = small.Setting, small.Result
			if text, _ := wrongIn(small.Result); text != "" {
				e.sentence = text
			}
		}
		cancel()
	}
	g.show(e)
	return e
}

// show draws a run and says why it fails.
func (g *grading) show(e *example) {
	e.again = g.Words.Command(e.result.Instance)
	ctx, cancel := context.WithTimeout(g.ctx, exampleTime)
	defer cancel()
	o := diagram.Options{Axis: diagram.Gaps}
	recording := history.NewRecording(e.result.Instance, mostDrawn)
	h := recording.History(new(trial.Worker).Run(ctx, e.result.Instance, recording.Tracer))
	if h.Dropped > 0 || h.Result.Late() != nil || ctx.Err() != nil {
		e.unseen = fmt.Sprintf("It is not drawn: it has more than %d events, or its program was late.", mostDrawn)
		return
	}
	if search.FailureOf(e.result) != "" && !e.result.Panicked() {
		if why := reason.Brief.ExplainResult(ctx, g.Registry, e.result); why.Violation != nil {
			e.reasons, o.Why = g.Words.Reasons(why), true
			if why.Real != nil {
				o.Because = why.Marked(h)
			}
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
