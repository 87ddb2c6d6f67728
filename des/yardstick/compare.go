package yardstick

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Contender is one of several ways to do a piece of work.
type Contender struct {
	Name string
	// Run does the work once and returns the number of operations.
	Run func() int
}

// Bar is a bound on the ratio of the first contender's cost to another's.
type Bar struct {
	Against string
	AtMost  float64
}

// Compare runs the contenders in turn, round after round. It prints medians: the processor
// time of an operation with each contender, and the ratio of the first one's time to each
// other's, with its bar. Ratios are taken within a round, because the machine speeds up and
// slows down. Compare reports whether no ratio is above its bar.
func Compare(w io.Writer, work string, rounds int, contenders []Contender, bars ...Bar) bool {
	costs := make([][]float64, len(contenders))
	for round := range rounds + 1 {
		for i, c := range contenders {
			start := processorTime()
			operations := c.Run()
			cost := float64(processorTime()-start) / float64(operations)
			if round > 0 { // round 0 warms up
				costs[i] = append(costs[i], cost)
			}
		}
	}
	fmt.Fprintf(w, "%-28s %s %6.1f ns", work, contenders[0].Name, median(costs[0]))
	held := true
	for i, c := range contenders[1:] {
		ratios := make([]float64, rounds)
		for round := range ratios {
			ratios[round] = costs[0][round] / costs[i+1][round]
		}
		ratio := median(ratios)
		fmt.Fprintf(w, "   %s %6.1f ns, ratio %.3f", c.Name, median(costs[i+1]), ratio)
		for _, b := range bars {
			if b.Against == c.Name {
				verdict := "ok"
				if ratio > b.AtMost {
					verdict, held = "OVER", false
				}
				fmt.Fprintf(w, " (bar %.3g: %s)", b.AtMost, verdict)
			}
		}
	}
	fmt.Fprintln(w)
	return held
}

func median(xs []float64) float64 {
	sorted := slices.Sorted(slices.Values(xs))
	return sorted[len(sorted)/2]
}

// begin is the origin of wallTime, which is used where the system does not tell the
// processor time.
var begin = time.Now()

func wallTime() time.Duration { return time.Since(begin) }
