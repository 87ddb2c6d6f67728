package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
	"bullring/plots"
)

// ownMetric makes a metric from a sweep's own formula. The error is a *spec.FormulaError.
func ownMetric(r *trial.Registry, own *spec.Metric) (*trial.Metric, error) {
	operands := map[string]*trial.Metric{spec.OwnN: {}}
	for _, name := range own.Formula.Names() {
		if m, err := r.Metric(name); name != spec.OwnN && err == nil {
			operands[name] = m
		}
	}
	unit, err := own.Formula.Unit(func(name string) string {
		if m := operands[name]; m != nil && (m.InTime() || m.Unit == "1/s") {
			return m.Unit
		}
		return "" // a count
	})
	switch {
	case err != nil:
		return nil, err
	case own.Percent && unit != "":
		return nil, &spec.FormulaError{Message: fmt.Sprintf("it is counted in %s, and cannot be in percent", unit)}
	}
	m := &trial.Metric{
		Name: own.Name, Unit: unit, Meaning: own.Formula.String(), Axis: cmp.Or(own.Label, plots.Escape(strings.ReplaceAll(own.Name, "_", " "))),
		Summary: true, Proportion: isShare(own.Formula, operands), Formula: own.Formula,
	}
	if own.Percent {
		m.Unit = spec.Percent
		m.Axis += " (%)"
	}
	return m, nil
}

// mostShares is the largest number of proportions in a formula for which isShare tries all
// values.
const mostShares = 10

// isShare reports whether a formula is a proportion: all its operands are proportions, and
// it is 0 or 1 for each combination of their values.
func isShare(f *spec.Formula, operands map[string]*trial.Metric) bool {
	names := f.Names()
	if len(names) > mostShares || slices.ContainsFunc(names, func(name string) bool { return operands[name] == nil || !operands[name].Proportion }) {
		return false
	}
	for set := range 1 << len(names) {
		v := f.Value(func(name string) float64 { return float64(set >> slices.Index(names, name) & 1) })
		if v != 0 && v != 1 {
			return false
		}
	}
	return true
}

// FullProportion is the value that a proportion has in a trial in which the thing happened:
// 1, or 100 in percent.
func FullProportion(m *trial.Metric) float64 {
	if m.Unit == spec.Percent {
		return 100
	}
	return 1
}

// operands are the names that the metric is computed from. A metric that trials measure has
// its own name.
func operands(m *trial.Metric) []string {
	if m.Formula == nil {
		return []string{m.Name}
	}
	return m.Formula.Names()
}

// evaluate computes a metric. get returns the values that it is computed from, NaN for a
// missing one.
func evaluate(m *trial.Metric, get func(name string) float64) float64 {
	if m.Formula == nil {
		return get(m.Name)
	}
	v := m.Formula.Value(get)
	if m.Unit == spec.Percent {
		v *= 100
	}
	return v
}

// operand returns the value of a name in a formula.
func (t *Trial) operand(name string) float64 {
	if name == spec.OwnN {
		return float64(t.Instance.N)
	}
	if bound, ratio := strings.CutPrefix(name, trial.RatioPrefix); ratio {
		return t.bound(bound).ratio
	}
	if t.Estimate != nil && IsEstimate(name) {
		return t.estimate(name)
	}
	return orNaN(t.Metric(name))
}

// MetricOf finds a metric by its name: one of the sweep's own, or one that an algorithm
// measures.
func MetricOf(r *trial.Registry, s *spec.Spec, name string) (*trial.Metric, error) {
	if own := s.Metric(name); own != nil {
		return ownMetric(r, own)
	}
	if m := estimateOf(name); m != nil {
		return m, nil
	}
	return r.Metric(name)
}

// Unmeasured returns an error if no algorithm measures all that a metric is computed from.
func Unmeasured(algorithms []*trial.Algorithm, m *trial.Metric) error {
	var names []string
	for _, a := range algorithms {
		if Measures(a, m) {
			return nil
		}
		names = append(names, a.Name)
	}
	text := m.Name
	if m.Formula != nil {
		text = m.Formula.String()
	}
	return fmt.Errorf("no algorithm here measures %s: there is %s", text, strings.Join(names, ", "))
}

// Measures reports whether the algorithm measures all that a metric is computed from.
func Measures(a *trial.Algorithm, m *trial.Metric) bool {
	for _, name := range operands(m) {
		_, measured := a.Metric(name)
		bound, ratio := strings.CutPrefix(name, trial.RatioPrefix)
		if ratio && !measured {
			_, err := a.Bound(bound)
			measured = err == nil
		}
		if kind, sent := strings.CutPrefix(name, trial.SentPrefix); sent && !measured {
			measured = a.Sends(kind)
		}
		if !measured && name != spec.OwnN && !IsEstimate(name) {
			return false
		}
	}
	return true
}

// Interval returns the 95 % interval of the mean of a metric: Wilson's for a proportion,
// Student's otherwise. If there is no interval, both ends are the mean.
func Interval(metric *trial.Metric, values []float64) (lo, hi float64) {
	if !metric.Proportion {
		s := stats.Summarize(values)
		return s.Lo, s.Hi
	}
	successes, n := proportion(values)
	if n == 0 {
		return 0, 0
	}
	return intervalOf(metric, successes, n)
}

// intervalOf returns Wilson's interval of a proportion.
func intervalOf(metric *trial.Metric, successes, n int) (lo, hi float64) {
	lo, hi, err := stats.Wilson(successes, n, Confidence)
	if err != nil {
		panic(err) // successes are no more than n
	}
	return lo * FullProportion(metric), hi * FullProportion(metric)
}

// Confidence is the level of the intervals of proportions, and of bands. Package stats has
// the level of means.
const Confidence = 0.95

// proportion counts the values that are not 0, and all values. A proportion has the values
// 0 and 1, or 0 and 100.
func proportion(values []float64) (successes, n int) {
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		n++
		if v != 0 {
			successes++
		}
	}
	return successes, n
}

// ShortNumber prints a number with four significant digits.
func ShortNumber(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
