package results

import (
	"math"

	"bullring/experiments/spec"
	"bullring/experiments/stats"
)

// Next is how many trials a stopping rule asks for, once it has seen these.
func (l Layout) Next(s *spec.Spec, kept []Sample) int {
	if l.narrow(s.Until, kept) {
		return len(kept)
	}
	return stats.NextLook(len(kept), s.Replicates)
}

// narrow reports whether the intervals of all metrics of a stopping rule are.
func (l Layout) narrow(rule *spec.Until, kept []Sample) bool {
	for _, name := range rule.Metrics {
		values := make([]float64, len(kept))
		for i := range kept {
			values[i] = l.value(&kept[i], name)
		}
		m := l.metric(name)
		if m == nil || !m.Proportion {
			if !stats.Narrow(values, rule.HalfWidth) {
				return false
			}
			continue
		}
		successes, n := proportion(values)
		if !stats.NarrowProportion(successes, n, rule.HalfWidth) {
			return false
		}
	}
	return true
}

// proportion counts those of values that are not 0 but 1, or 100 in percent, and all of
// them.
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
