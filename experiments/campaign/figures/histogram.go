package figures

import (
	"fmt"
	"math"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// bars is the largest number of bars in a histogram, roughly.
const bars = 40

// histograms draws the distribution of the values of each line. It adds theory: the exact
// distribution if the algorithm declares one, and bounds.
type histograms struct{ chart }

func newHistograms(d *drawing) kind {
	h := &histograms{}
	h.chart = chart{d, "a series", h.fill}
	return h
}

func (h *histograms) words() string { return "Distribution of " + h.measuredWords() + "." }

func (h *histograms) fill(f *plots.Figure) error {
	b := h.bins()
	f.X = axis(h.Y, h.metricWords())
	f.X.Whole = b.whole
	f.Y = plots.Axis{Label: "share of the trials"}
	if b.whole && b.width > 1 {
		f.Y.Label += fmt.Sprintf(" (in bars of %v)", b.width)
	}
	for _, l := range h.lines {
		f.Marks = append(f.Marks, &plots.Histogram{
			Label: l.label, Key: l.key, Edges: b.edges(), Values: b.shares(l.values[0]),
		})
	}
	if err := h.addDistributions(f, b); err != nil {
		return err
	}
	return theory{h.drawing}.addReferences(f)
}

// bins are bars of equal width.
type bins struct {
	start, width float64
	count        int
	whole        bool // all values are whole numbers
}

// bins chooses the bars for all lines. If all values are whole numbers, bars have a whole
// width, and begin and end between two numbers.
func (h *histograms) bins() bins {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, l := range h.lines {
		for _, v := range l.values[0] {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if h.wholeValues() {
		width := math.Ceil((hi - lo + 1) / bars)
		first := math.Floor(lo/width) * width
		return bins{start: first - 0.5, width: width, count: int((hi-first)/width) + 1, whole: true}
	}
	width := (hi - lo) / bars
	if width == 0 {
		width = 1
	}
	return bins{start: lo - width/2, width: width, count: int((hi-lo)/width+0.5) + 1}
}

func (b bins) edges() []float64 {
	edges := make([]float64, b.count+1)
	for i := range edges {
		edges[i] = b.start + b.width*float64(i)
	}
	return edges
}

// index returns the bar of a value; ok is false if no bar holds it.
func (b bins) index(v float64) (i int, ok bool) {
	i = int(math.Floor((v - b.start) / b.width))
	return i, i >= 0 && i < b.count
}

func (b bins) shares(values []float64) []float64 {
	shares := make([]float64, b.count)
	for _, v := range values {
		if i, ok := b.index(v); ok {
			shares[i]++
		}
	}
	for i := range shares {
		shares[i] /= float64(len(values))
	}
	return shares
}

// addDistributions adds the exact distribution of each line that has one, with its mean and
// standard deviation.
func (h *histograms) addDistributions(f *plots.Figure, b bins) error {
	if h.Y.Name != "messages" || !b.whole {
		return nil // algorithms declare the distribution of messages only
	}
	for _, l := range h.lines {
		p, err := h.distribution(l)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		h.exact = true
		who := ""
		if len(h.lines) > 1 {
			who = l.label + ", "
		}
		if b.count > 1 { // a single bar has no curve
			f.Marks = append(f.Marks, &plots.Curve{Label: who + "exact distribution", Key: l.key, Points: b.rebinned(p)})
		}
		mean, sd := moments(p)
		f.Marks = append(f.Marks,
			&plots.Reference{Label: who + "exact mean " + results.ShortNumber(mean), Key: l.key, X: mean},
			&plots.Reference{Label: who + "mean − sd (" + results.ShortNumber(sd) + ")", Key: l.key, X: mean - sd},
			&plots.Reference{Label: who + "mean + sd", Key: l.key, X: mean + sd})
	}
	return nil
}

// distribution returns the exact distribution of a line; nil if the line has several cells,
// or its algorithm declares none.
func (h *histograms) distribution(l *line) ([]float64, error) {
	var only *spec.Cell
	for i, p := range h.places {
		if p.line != l {
			continue
		}
		if only != nil {
			return nil, nil
		}
		only = &h.Cells[i]
	}
	in, err := results.InstanceOf(h.Registry, only, h.Spec.Seed, true) // the results have trials outside the model if they were allowed
	if err != nil {
		return nil, err
	}
	if in.Algorithm.Distribution == nil || len(in.Outside) > 0 {
		return nil, nil
	}
	p, ok := in.Algorithm.Distribution(in)
	if !ok {
		return nil, nil
	}
	return p, nil
}

// rebinned sums a distribution over the whole numbers from 0 on by bars, and places the
// sums at the middle of the bars.
func (b bins) rebinned(p []float64) []plots.XY {
	points := make([]plots.XY, b.count)
	for i := range points {
		points[i].X = b.start + b.width*(float64(i)+0.5)
	}
	for k, share := range p {
		if i, ok := b.index(float64(k)); ok {
			points[i].Y += share
		}
	}
	return points
}

// moments are the mean and the standard deviation of a distribution over the whole numbers
// from 0 on.
func moments(p []float64) (mean, sd float64) {
	for k, share := range p {
		mean += float64(k) * share
	}
	variance := 0.0
	for k, share := range p {
		variance += (float64(k) - mean) * (float64(k) - mean) * share
	}
	return mean, math.Sqrt(variance)
}
