package yardstick

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// Contender is one way to do a piece of work.
type Contender struct {
	Name string
	// Run does the work once and returns how many operations that was.
	Run func() int
}

// Bar is a ratio that the first of several contenders should not exceed.
type Bar struct {
	Against string
	AtMost  float64
}

// Compare runs the contenders in turn, round after round, and prints the
// medians: the processor time an operation takes with each, and the ratio of
// the first one's to each other's, beside the bars. A ratio is taken within a
// round, so that it holds while the machine speeds up and slows down. It
// reports whether all bars held.
func Compare(w io.Writer, work string, rounds int, contenders []Contender, bars ...Bar) bool {
	costs := make([][]float64, len(contenders))
	for round := range rounds + 1 {
		for i, c := range contenders {
			start := processorTime()
			operations := c.Run()
			cost := float64(processorTime()-start) / float64(operations)
			if round > 0 { // the first is to warm up
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

// begin is the origin of wallTime, the fall-back where the system tells no
// processor time.
var begin = time.Now()

func wallTime() time.Duration { return time.Since(begin) }
