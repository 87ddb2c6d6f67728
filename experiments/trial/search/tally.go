package search

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"bullring/experiments/trial"
	"bullring/internal/suggest"
)

// Tally is what all cases of a hunt cost, exactly. Times are in units of the delay.
type Tally struct {
	Least, Most Extreme
	Mean        *big.Rat // over all cases; nil if schedules vary
	Cases       int      // those up to rotation are one
	Over        []string // what varied
}

// Extreme is a case that costs the least, or the most, of all. The Cost is nil if it was not looked for.
type Extreme struct {
	Cost    *big.Rat
	Setting trial.Setting
	number  int // of the case: the first of those that cost as much
}

// FindTally runs every case of a hunt once, and adds up the costs. The metric is one of Costs, or another
// that the algorithm measures. Over schedules only the most is found, and the metric is one of Costs.
//
// It fails if there are more cases than the budget, if a run draws random numbers, if a cost is not known
// exactly, and with the cause if the context is cancelled.
func FindTally(ctx context.Context, r *trial.Registry, h Hunt) (*Tally, error) {
	if slices.Contains(h.Over, OverSchedule) {
		return provenMost(ctx, r, h)
	}
	hunter, err := newHunter(r, h)
	if err == nil {
		err = hunter.measurable()
	}
	if err != nil {
		return nil, err
	}
	cases := hunter.cases.count()
	if cases.Cmp(new(big.Int).SetUint64(hunter.Budget)) > 0 {
		return nil, &BudgetError{cases, hunter.Budget}
	}
	return hunter.tally(ctx, int(cases.Int64()))
}

// BudgetError says that there are too many cases to run each.
type BudgetError struct {
	Cases  *big.Int
	Budget uint64
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("there are %v cases, more than the budget of %d", e.Cases, e.Budget)
}

// provenMost is the tally of the case that costs most over every schedule.
func provenMost(ctx context.Context, r *trial.Registry, h Hunt) (*Tally, error) {
	w, err := FindWorst(ctx, r, h)
	switch {
	case err != nil:
		return nil, err
	case w.CutOff != nil:
		return nil, fmt.Errorf("not every schedule was looked at: %w", w.CutOff)
	case !w.Proven:
		return nil, fmt.Errorf("the most is not proven")
	}
	cost, err := exactly(w.Result, h.Metric)
	return &Tally{Most: Extreme{Cost: cost, Setting: w.Result.Instance.Setting}, Cases: w.Looked, Over: w.Hunt.Over}, err
}

// measurable refuses a metric that the algorithm does not measure.
func (h *hunter) measurable() error {
	a, err := h.registry.Find(h.Setting.Algorithm)
	if err != nil {
		return err
	}
	names := slices.Clone(Costs)
	for _, m := range a.Metrics {
		if m.Measure != nil && !slices.Contains(Costs, m.Name) {
			names = append(names, m.Name)
		}
	}
	kind, sent := strings.CutPrefix(h.Metric, trial.SentPrefix)
	if slices.Contains(names, h.Metric) || a.Measures(h.Metric) || sent && a.Sends(kind) {
		return nil
	}
	return fmt.Errorf("metric %q%s; allowed are %s", h.Metric, suggest.DidYouMean(h.Metric, names), strings.Join(names, ", "))
}

// tally runs all cases.
func (h *hunter) tally(ctx context.Context, all int) (*Tally, error) {
	var mu sync.Mutex
	sum := &Tally{Mean: new(big.Rat), Over: h.Over}
	_, err := h.share(ctx, parts(all, runsAtOnce), func(ctx context.Context, w *trial.Worker, part int) (finding, error) {
		own := &Tally{Mean: new(big.Rat)}
		for i := part * runsAtOnce; i < min((part+1)*runsAtOnce, all) && ctx.Err() == nil; i++ {
			s := h.cases.setting(h.cases.at(i))
			r, err := h.rest(ctx, w, s)
			if r == nil {
				return finding{}, err
			}
			cost, err := exactly(r, h.Metric)
			if err != nil {
				return finding{}, err
			}
			own.add(&Tally{Least: Extreme{cost, s, i}, Most: Extreme{cost, s, i}, Mean: cost, Cases: 1})
			h.count(1, all)
		}
		mu.Lock()
		defer mu.Unlock()
		sum.add(own)
		return finding{}, nil
	})
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case h.drew.Load():
		return nil, fmt.Errorf("runs of %s draw random numbers: what they cost depends on the seed", h.Setting.Algorithm)
	}
	sum.Mean.Quo(sum.Mean, big.NewRat(int64(sum.Cases), 1))
	return sum, nil
}

// add adds another tally. Until the end, Mean is the sum.
func (t *Tally) add(other *Tally) {
	if other.Cases == 0 {
		return
	}
	if t.Cases == 0 || other.Least.before(t.Least, -1) {
		t.Least = other.Least
	}
	if t.Cases == 0 || other.Most.before(t.Most, 1) {
		t.Most = other.Most
	}
	t.Mean.Add(t.Mean, other.Mean)
	t.Cases += other.Cases
}

// before reports whether an extreme is further in a direction than another, or as far with a lower number.
func (e Extreme) before(other Extreme, direction int) bool {
	further := direction * e.Cost.Cmp(other.Cost)
	return further > 0 || further == 0 && e.number < other.number
}

// exactly is the cost of a run as a rational. It fails for a metric whose value is rounded.
func exactly(r *trial.Result, metric string) (*big.Rat, error) {
	if metric == "depth" {
		metric = "causal_depth"
	}
	v, ok := r.Metric(metric)
	if !ok {
		return nil, fmt.Errorf("a run has no %s", metric)
	}
	unit, length := time.Duration(1), time.Duration(1)
	if r.Instance.Algorithm.IsTime(metric) {
		var constant bool
		if unit, constant = r.Instance.Unit(); constant {
			length = unit
		} else {
			length = r.Instance.Assumed
		}
	}
	const rounding = 1e-6
	v *= float64(unit)
	whole := math.Round(v)
	if math.Abs(whole-v) > rounding || math.Abs(whole) > 1<<53 {
		return nil, fmt.Errorf("%s is no multiple of %d/%d, and so not known exactly", metric, unit, length)
	}
	return big.NewRat(int64(whole), int64(length)), nil
}
