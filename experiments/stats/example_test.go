package stats_test

import (
	"fmt"

	"bullring/experiments/stats"
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
