package results

import (
	"math"
	"slices"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
)

// growths collects the means over n, series by series.
type growths struct {
	order  []*means
	series map[spec.Cell]*means // by the cell without n
}

// means are the means of a series, by metric and n.
type means struct {
	Input // of the first cell
	n     []float64
	of    [][]float64 // by metric, as layout.summarised
}

// growth is the growth of a metric of a series with n.
type growth struct {
	*means
	metric *trial.Metric
	fit    stats.Fit
}

func (g *growths) add(cell spec.Cell, c *cellSummary) {
	n := cell.N
	cell.N = 0
	s := g.series[cell]
	if s == nil {
		if g.series == nil {
			g.series = map[spec.Cell]*means{}
		}
		s = &means{Input: c.Input, of: make([][]float64, len(c.metrics))}
		g.series[cell] = s
		g.order = append(g.order, s)
	}
	s.n = append(s.n, float64(n))
	for i := range c.metrics {
		s.of[i] = append(s.of[i], c.metrics[i].Mean)
	}
}

// fitted returns the growth of each metric in each series that has three values of n or
// more, and only positive means. A share has no exponent.
func (g *growths) fitted(l Layout) []*growth {
	var all []*growth
	for _, s := range g.order {
		for i, y := range s.of {
			metric := &l.Summarised[i]
			if fit, err := stats.Growth(s.n, y); err == nil && !metric.Proportion {
				all = append(all, &growth{s, metric, fit})
			}
		}
	}
	return all
}

// growthColumns are the columns of growth.csv.
func (l Layout) growthColumns() []TextColumn[*growth] {
	var columns []TextColumn[*growth]
	for _, in := range l.inputColumns() {
		if in.Name != "n" {
			columns = append(columns, TextColumn[*growth]{in.Column, func(field []byte, g *growth) []byte { return in.print(field, g.Input) }})
		}
	}
	// Six decimals: logarithms differ in the last bit between processors. Adding 0 turns -0
	// into 0, which prints without a sign.
	short := func(v float64) float64 { return math.Round(v*1e6)/1e6 + 0 }
	return append(columns,
		wordsColumn("metric", "", "what grows, in the unit that summary.csv has it in", func(g *growth) string { return g.metric.Name }),
		countColumn("points", "", "number of values of n", func(g *growth) (uint64, bool) { return uint64(g.fit.N), true }),
		countColumn("n_min", "processes", "least n", func(g *growth) (uint64, bool) { return uint64(slices.Min(g.n)), true }),
		countColumn("n_max", "processes", "largest n", func(g *growth) (uint64, bool) { return uint64(slices.Max(g.n)), true }),
		realColumn("exponent", "", "a of the power law C n^a fitted to the means of the metric", func(g *growth) float64 { return short(g.fit.Exponent) }),
		realColumn("exponent_lo", "", "lower end of its 95 % interval", func(g *growth) float64 { return short(g.fit.Lo) }),
		realColumn("exponent_hi", "", "upper end of its 95 % interval", func(g *growth) float64 { return short(g.fit.Hi) }),
		realColumn("r2", "", "share of the variance of the logarithms of the means that the law explains", func(g *growth) float64 { return short(g.fit.R2) }),
	)
}
