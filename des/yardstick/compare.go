package yardstick

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var measure = flag.Bool("bars", false, "measure against the bars of docs/performance.md (minutes)")

// SkipUnlessAsked skips a test that measures, unless the flag -bars is given.
func SkipUnlessAsked(t *testing.T) {
	t.Helper()
	if !*measure {
		t.Skip("measures only with -bars")
	}
}

// Contender is one of several ways to do a piece of work.
type Contender struct {
	Name string
	// Run does the work once and returns its cost.
	Run func() float64
}

// PerOperation is the Run of a contender whose cost is the processor time of an operation, in
// ns. work returns the number of its operations. It runs once more beforehand, to warm up.
func PerOperation(work func() int) func() float64 {
	warm := false
	return func() float64 {
		if !warm {
			work()
			warm = true
		}
		start := ProcessorTime()
		operations := work()
		return float64(ProcessorTime()-start) / float64(operations)
	}
}

// Bar is a bound on the ratio of the first contender's cost to that of another one, or on the
// cost itself if Against is "".
type Bar struct {
	Against string
	AtMost  float64
}

// Work is a piece of work that several contenders do, with its bars. The bars are on the
// first contender.
type Work struct {
	Name       string
	Unit       string // of costs
	Rounds     int
	Contenders []Contender
	Bars       []Bar
}

// Measure compares the contenders in a subtest. It prints rows of a table in Markdown, and
// fails for each bar that is missed by more than the noise.
func (w Work) Measure(t *testing.T) {
	t.Run(w.Name, func(t *testing.T) {
		rows, missed := w.compare(Costs(w.Rounds, w.Contenders))
		for _, row := range rows {
			fmt.Println(row)
		}
		for _, row := range missed {
			t.Errorf("MISSED %s", row)
		}
	})
}

// Costs runs the contenders in turn, round after round, and returns the costs by contender
// and round.
func Costs(rounds int, contenders []Contender) [][]float64 {
	costs := make([][]float64, len(contenders))
	for range rounds {
		for i, c := range contenders {
			costs[i] = append(costs[i], c.Run())
		}
	}
	return costs
}

// compare returns a row for the cost of the first contender, if it has a bar, and a row for
// its ratio to each other one; and the rows that missed their bars. Ratios are taken within a
// round, because the machine speeds up and slows down.
func (w Work) compare(costs [][]float64) (rows, missed []string) {
	unit := ""
	if w.Unit != "" {
		unit = " " + w.Unit
	}
	add := func(this, other, ratio, bar, verdict string) {
		row := "| " + strings.Join([]string{w.Name, this, other, ratio, bar, verdict}, " | ") + " |"
		rows = append(rows, row)
		if verdict == "MISSED" {
			missed = append(missed, row)
		}
	}
	this := SpreadOf(costs[0])
	if bar, verdict := w.judge("", this); bar != "" {
		add(this.String()+unit, "", "", bar+unit, verdict)
	} else if len(costs) == 1 {
		add(this.String()+unit, "", "", "", "")
	}
	for i, c := range w.Contenders[1:] {
		ratio := SpreadOf(Ratios(costs[0], costs[i+1]))
		bar, verdict := w.judge(c.Name, ratio)
		other := c.Name + ", " + number(SpreadOf(costs[i+1]).Median) + unit
		add(number(this.Median)+unit, other, ratio.String(), bar, verdict)
	}
	return rows, missed
}

// judge returns the bar on a spread, and the verdict; "" if there is none.
func (w Work) judge(against string, s Spread) (bar, verdict string) {
	i := slices.IndexFunc(w.Bars, func(b Bar) bool { return b.Against == against })
	if i < 0 {
		return "", ""
	}
	return number(w.Bars[i].AtMost), s.verdict(w.Bars[i].AtMost)
}

// Ratios divides costs of the same rounds.
func Ratios(costs, others []float64) []float64 {
	ratios := make([]float64, len(costs))
	for round := range ratios {
		ratios[round] = costs[round] / others[round]
	}
	return ratios
}

// Spread is the median of the values of some rounds and its noise: an interval that contains
// the median of all rounds that there could be. Of nine rounds it reaches from the second
// lowest to the second highest value, with a confidence of 96 %; of less than eight from the
// lowest to the highest.
type Spread struct{ Low, Median, High float64 }

// SpreadOf returns the spread of values.
func SpreadOf(values []float64) Spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return Spread{sorted[n/8], sorted[n/2], sorted[n-1-n/8]}
}

func (s Spread) String() string {
	if s.Low == s.High {
		return number(s.Median)
	}
	return fmt.Sprintf("%s (%s–%s)", number(s.Median), number(s.Low), number(s.High))
}

// verdict compares a spread with a bar.
func (s Spread) verdict(atMost float64) string {
	switch {
	case s.Low > atMost:
		return "MISSED"
	case s.Median > atMost:
		return "not met, within the noise"
	case s.High > atMost:
		return "met, within the noise"
	}
	return "met"
}

// number prints three digits, or all those of a larger whole number.
func number(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// begin is the origin of wallTime, which is used where the system does not tell the
// processor time.
var begin = time.Now()

func wallTime() time.Duration { return time.Since(begin) }
