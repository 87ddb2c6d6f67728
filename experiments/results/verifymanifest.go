package results

import "bullring/experiments/spec"

// LeastTrials is how many trials each cell of a complete sweep has at least: all of
// them, unless a stopping rule says when there are enough.
func LeastTrials(s *spec.Spec) int {
	if s.Until != nil {
		return min(s.Until.Min, s.Replicates)
	}
	return s.Replicates
}

// Enough reports whether a stopping rule ends a cell with just these trials.
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
