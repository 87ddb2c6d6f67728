package view

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/netem/impair"
)

// class is a class of a histogram: the measured share of the sample, and the expected one.
type class struct {
	label    string
	share    float64
	expected impair.Number
}

// barWidth is the length of the longest bar of a histogram.
const barWidth = 30

// bar draws the measured share, with a mark where the expected share ends.
func (c class) bar(largest float64) string {
	at := func(x float64) int { return int(math.Round(x / largest * barWidth)) }
	cells := []byte(strings.Repeat("#", at(c.share)) + strings.Repeat(" ", barWidth+1-at(c.share)))
	if c.expected.Known {
		cells[at(c.expected.Value)] = '|'
	}
	return strings.TrimRight(string(cells), " ")
}

func writeHistogram(w io.Writer, title string, classes []class) {
	fmt.Fprintln(w)
	largest := 0.0
	for _, c := range classes {
		largest = max(largest, c.share, c.expected.Value)
	}
	t := newTable(w)
	t.row(title, "MEASURED", "EXPECTED", "")
	for _, c := range classes {
		expected := "-"
		if c.expected.Known {
			expected = percent(c.expected.Value)
		}
		t.row(c.label, percent(c.share), expected, fixed(c.bar(largest)))
	}
}

// writeDelays prints the histogram of the delays. The last class is open and holds at most
// half a percent of them.
func writeDelays(w io.Writer, m *impair.Measurement, e *impair.Expectation) {
	n := len(m.Delays)
	if n == 0 || m.Delays[0] == m.Delays[n-1] {
		return
	}
	last := m.Delays[min(n-1, n*995/1000)]
	width := classWidth(last - m.Delays[0])
	var classes []class
	for from, before := m.Delays[0]/width*width, 0; before < n; from += width {
		to, label := from+width-1, withDigits(from, 5)+" to "+withDigits(from+width, 5)
		through, _ := slices.BinarySearch(m.Delays, to+1)
		if from > last {
			to, label, through = math.MaxInt64, withDigits(from, 5)+" and more", n
		}
		classes = append(classes, class{label, float64(through-before) / float64(n), expectedShare(e, from, to, classes == nil)})
		before = through
	}
	writeHistogram(w, "DELAY", classes)
}

// classWidth is 1, 2 or 5 times a power of ten. It divides the range into 8 to 20 classes.
func classWidth(span time.Duration) time.Duration {
	const classes = 20
	width := time.Duration(1)
	for i := 0; span/width >= classes; i++ {
		if i%3 == 1 {
			width = width / 2 * 5
		} else {
			width *= 2
		}
	}
	return width
}

// expectedShare is the expected share of the delays in a class. The first class includes
// all shorter delays.
func expectedShare(e *impair.Expectation, from, to time.Duration, first bool) impair.Number {
	share, known := e.Delay.Below(to)
	if known && !first {
		below, _ := e.Delay.Below(from - 1)
		share -= below
	}
	return impair.Number{Value: max(0, share), Known: known}
}

// writeBursts prints the histogram of how many messages were lost in succession. The last
// class is open.
func writeBursts(w io.Writer, m *impair.Measurement, e *impair.Expectation) error {
	const most = 12
	total := 0
	for _, count := range m.Bursts {
		total += count
	}
	if total == 0 {
		return nil
	}
	var classes []class
	seen, covered := 0, 0.0
	for i, count := range m.Bursts[:min(most, len(m.Bursts))] {
		expected := 0.0
		if i < len(e.Bursts) {
			expected = e.Bursts[i]
		}
		seen, covered = seen+count, covered+expected
		classes = append(classes, class{strconv.Itoa(i + 1), float64(count) / float64(total), impair.Number{Value: expected, Known: e.Bursts != nil}})
	}
	if seen < total {
		rest := impair.Number{Known: e.Bursts != nil}
		if rest.Known {
			rest.Value = max(0, 1-covered)
		}
		classes = append(classes, class{"more", float64(total-seen) / float64(total), rest})
	}
	writeHistogram(w, "LOST IN SUCCESSION", classes)
	return nil
}
