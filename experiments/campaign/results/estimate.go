package results

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/rare"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/netem"
)

// estimates are the metrics of a probability that trials estimate, and their measures. Plain trials have
// none of them.
var estimates = []struct {
	metric trial.Metric
	value  func(*rare.Report) float64
}{
	{trial.Metric{Name: "probability", Meaning: "estimated probability of the rare event over all seeds", Axis: "probability", Summary: true},
		func(r *rare.Report) float64 { return r.Summary().Mean }},
	{trial.Metric{Name: "probability_low", Meaning: "lower end of the 95 % interval of the estimate; none if no run came to the event", Axis: "lower end of the probability", Summary: true},
		func(r *rare.Report) float64 { return orNaN(r.Summary().Lo, r.HasInterval()) }},
	{trial.Metric{Name: "probability_high", Meaning: "upper end of the 95 % interval of the estimate; none if no run came to the event", Axis: "upper end of the probability", Summary: true},
		func(r *rare.Report) float64 { return orNaN(r.Summary().Hi, r.HasInterval()) }},
	{trial.Metric{Name: "relative_error", Meaning: "standard error of the estimate, as a share of it", Axis: "relative error", Summary: true},
		func(r *rare.Report) float64 { return orNaN(r.RelativeError()) }},
	{trial.Metric{Name: "plain_runs", Meaning: "plain runs whose estimate has the same relative error", Axis: "plain runs for the same error", Summary: true},
		func(r *rare.Report) float64 { return orNaN(r.PlainRuns()) }},
	{trial.Metric{Name: "rare_runs", Meaning: "runs that the estimate took, those of the pilot included", Axis: "runs of the estimate", Summary: true},
		func(r *rare.Report) float64 { return float64(r.Cost.Runs) }},
	{trial.Metric{Name: "rare_events", Meaning: "events of these runs", Axis: "events of the estimate", Summary: true},
		func(r *rare.Report) float64 { return float64(r.Cost.Events) }},
}

// IsEstimate reports whether a metric is one of estimates.
func IsEstimate(name string) bool { return estimateOf(name) != nil }

// estimateOf is the metric of estimates of that name; nil if there is none.
func estimateOf(name string) *trial.Metric {
	for i := range estimates {
		if estimates[i].metric.Name == name {
			return &estimates[i].metric
		}
	}
	return nil
}

// estimateNames are the names of the metrics that sweeps with rare have besides.
func estimateNames() []string {
	var names []string
	for i := range estimates {
		names = append(names, estimates[i].metric.Name)
	}
	return names
}

// estimate is the value of a metric of estimates.
func (t *Trial) estimate(name string) float64 {
	return estimates[slices.Index(estimateNames(), name)].value(t.Estimate)
}

// estimateColumns are the columns of results.csv that are no metrics: a run in which the event happens, and
// why the estimate may promise too much.
func estimateColumns() []TextColumn[*Trial] {
	found := func(t *Trial) *trial.Result {
		if t.Estimate == nil {
			return nil
		}
		return t.Estimate.Example
	}
	return []TextColumn[*Trial]{
		countColumn("rare_seed", "", "seed of a run in which the event happens, with the forks beside it; empty if no run came to it", func(t *Trial) (uint64, bool) {
			if r := found(t); r != nil {
				return r.Instance.Setting.Seed, true
			}
			return 0, false
		}),
		wordsColumn("rare_forks", "", "forks of that run", func(t *Trial) string {
			if r := found(t); r != nil {
				return r.Instance.Setting.Forks
			}
			return ""
		}),
		wordsColumn("doubts", "", "why the interval of the estimate may promise too much", func(t *Trial) string {
			if t.Estimate == nil {
				return ""
			}
			return strings.Join(t.Estimate.Doubts(), "; ")
		}),
	}
}

// reachColumn is how high the level of a cell's event gets.
func reachColumn() TextColumn[Input] {
	c := spec.ReachColumn()
	return wordsColumn(spec.ReachAxis, c.Unit, c.Meaning, func(in Input) string { return in.Rare.Reach })
}

// RunTrial runs a trial of a cell, and estimates what the cell asks for. The context can end both: then the
// end of the run is netem.Interrupted. If one of the runs of the estimate fails, the trial does. trace may be nil.
func RunTrial(ctx context.Context, r *trial.Registry, w *trial.Worker, c *spec.Cell, in *trial.Instance, replicate int, trace trial.TraceFunc) (*Trial, error) {
	t := &Trial{Label: c.Label, Rare: c.Rare, Replicate: replicate, Result: w.Run(ctx, in, trace)}
	if !c.Rare.Asked() || t.Failed != nil || t.End == netem.Interrupted {
		return t, nil
	}
	q, err := QuestionOf(r, c, in)
	if err != nil {
		return nil, err
	}
	report, err := q.Ask(ctx)
	switch {
	case ctx.Err() != nil:
		t.End = netem.Interrupted
	case err != nil:
		t.Failed = fmt.Errorf("the estimate: %w", err)
	default:
		t.Estimate = report
	}
	return t, nil
}

// QuestionOf is the estimate that a trial of the cell asks for. Its workers are one: a sweep runs trials side
// by side.
func QuestionOf(r *trial.Registry, c *spec.Cell, in *trial.Instance) (*rare.Question, error) {
	s := SettingOf(c, in.Setting.Seed)
	s.OutsideModel, s.Topology = in.Setting.OutsideModel, in.Setting.Topology
	q := &rare.Question{
		Registry: r, Setting: s, Level: trial.Level(c.Rare.Level), Check: c.Rare.Check, Method: rare.Method(c.Rare.Method),
		Effort: c.Rare.Effort, Repetitions: c.Rare.Repetitions, Workers: 1,
	}
	if q.Check != "" {
		return q, nil
	}
	var err error
	if q.Reach, err = q.Level.Parse(c.Rare.Reach); err != nil {
		return nil, fmt.Errorf("until: %w", err)
	}
	return q, nil
}

// checkReach checks how high a level gets.
func checkReach(level, value string) error {
	_, err := trial.Level(level).Parse(value)
	return err
}
