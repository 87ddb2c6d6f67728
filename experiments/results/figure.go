package results

import (
	"bullring/experiments"
	"bullring/experiments/stats"
)

// confidence is that of the intervals of proportions; those of means have it in
// stats.
const confidence = 0.95

// Interval is the 95 % interval of the mean of a metric's values: Wilson's of a
// proportion, else Student's. Without one both ends are the mean.
func Interval(metric *experiments.Metric, values []float64) (lo, hi float64) {
	if !metric.Proportion {
		s := stats.Summarize(values)
		return s.Lo, s.Hi
	}
	successes, n := proportion(values)
	if n == 0 {
		return 0, 0
	}
	lo, hi, err := stats.Wilson(successes, n, confidence)
	if err != nil {
		panic(err) // add takes nothing but 0 and 1, or 100
	}
	return lo * Whole(metric), hi * Whole(metric)
}
