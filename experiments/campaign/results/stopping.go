package results

import (
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
)

// LeastTrials is the least number of trials that each cell of a complete sweep has. Without
// a stopping rule it is the number of replicates.
func LeastTrials(s *spec.Spec) int {
	if s.Until != nil {
		return min(s.Until.Min, s.Replicates)
	}
	return s.Replicates
}

// Next returns how many trials a stopping rule asks for, given the samples of the first
// ones. If it returns len(kept), the cell has enough.
func (l Layout) Next(s *spec.Spec, kept []Sample) int {
	if l.narrow(s.Until, kept) {
		return len(kept)
	}
	return stats.NextLook(len(kept), s.Replicates)
}

// Enough reports whether a stopping rule ends a cell after exactly these trials.
func (l Layout) Enough(s *spec.Spec, kept []Sample) bool {
	look := LeastTrials(s)
	for look < len(kept) {
		next := l.Next(s, kept[:look])
		if next == look {
			return false // there are more
		}
		look = next
	}
	return look == len(kept) && l.Next(s, kept) == look
}

// narrow reports whether the intervals of all metrics of a stopping rule are narrow enough.
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
