package stats_test

import (
	"errors"
	"fmt"

	"bullring/experiments/campaign/stats"
)

func ExampleSummarize() {
	s := stats.Summarize([]float64{52, 47, 50, 55, 46})
	fmt.Printf("%.1f, 95%% interval %.2f to %.2f, median %v of %d\n", s.Mean, s.Lo, s.Hi, s.Median, s.N)
	// Output:
	// 50.0, 95% interval 45.44 to 54.56, median 50 of 5
}

func ExampleGrowth() {
	processes := []float64{8, 16, 32, 64}
	messages := []float64{36, 136, 528, 2080} // n(n+1)/2
	f, err := stats.Growth(processes, messages)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("messages grow as n^%.2f\n", f.Exponent)
	// Output:
	// messages grow as n^1.95
}

func ExamplePair() {
	old := []float64{52, 47, 50, 55, 46} // messages on five random rings
	improved := []float64{49, 45, 46, 51, 44}
	p := stats.Pair(old, improved)
	fmt.Printf("%.1f messages, 95%% interval %.2f to %.2f, correlation %.2f\n", p.Mean, p.Lo, p.Hi, p.Correlation)
	// Output:
	// -3.0 messages, 95% interval -4.24 to -1.76, correlation 0.98
}

// None of 20 runs failed: the rate of failures may still be 16 %.
func ExampleWilson() {
	lo, hi, err := stats.Wilson(0, 20, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f to %.3f\n", lo, hi)
	// Output: 0.000 to 0.161
}

func ExampleBoxOf() {
	b := stats.BoxOf([]float64{1, 2, 3, 4, 5, 6, 30})
	fmt.Println("box", b.Q1, b.Median, b.Q3, "whiskers", b.LowWhisker, b.HighWhisker, "outliers", b.Outliers)
	// Output: box 2.5 4 5.5 whiskers 1 6 outliers [30]
}

// Some points have no power law.
func ExampleGrowth_errors() {
	_, err := stats.Growth([]float64{8, 16}, []float64{36, 136})
	fmt.Println(err, errors.Is(err, stats.ErrFewPoints))
	_, err = stats.Growth([]float64{8, 16, 32}, []float64{36, 0, 136})
	fmt.Println(err, errors.Is(err, stats.ErrNotPositive))
	_, err = stats.Growth([]float64{8, 8, 8}, []float64{36, 37, 38})
	fmt.Println(err, errors.Is(err, stats.ErrSameX))
	// Output:
	// stats: a growth exponent takes at least three points, not 2 true
	// stats: a growth exponent takes positive, finite values: y[1] is 0 true
	// stats: a growth exponent takes more than one x: all are 8 true
}
