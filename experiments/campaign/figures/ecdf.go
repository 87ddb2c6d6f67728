package figures

import (
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/stats"
	"bullring/plots"
)

// ecdf draws the distribution function of the values of each line, with its band. Values of
// several cells are no sample of one distribution: their function has no band.
type ecdf struct{ chart }

func newECDF(d *drawing) kind {
	e := &ecdf{}
	e.chart = chart{d, "a series", e.fill}
	return e
}

func (e *ecdf) words() string {
	return "Empirical distribution functions of " + e.measuredWords() + ": the share of the trials up to each value" + e.bandWords() + "."
}

// bandWords say what the bands are, and which series have one.
func (e *ecdf) bandWords() string {
	cells, bands := e.cellsOf(), 0
	for _, l := range e.lines {
		if cells[l] == 1 {
			bands++
		}
	}
	const band = "95 % bands (Dvoretzky, Kiefer and Wolfowitz), each for a whole function"
	switch bands {
	case 0:
		return ""
	case len(e.lines):
		return ", with " + band
	}
	return ", with " + band + ", where a series is one cell"
}

// cellsOf counts the cells of each line.
func (e *ecdf) cellsOf() map[*line]int {
	cells := map[*line]int{}
	for _, p := range e.places {
		cells[p.line]++
	}
	return cells
}

func (e *ecdf) fill(f *plots.Figure) error {
	f.X = axis(e.Y, e.metricWords())
	f.X.Whole = e.wholeValues()
	f.Y = plots.Axis{Label: "share of the trials"}
	cells := e.cellsOf()
	for _, l := range e.lines {
		of, err := stats.ECDFOf(l.values[0], results.Confidence)
		if err != nil {
			return err
		}
		f.Marks = append(f.Marks, &plots.ECDF{Label: l.label, Key: l.key, Steps: steps(of, cells[l] == 1)})
	}
	return theory{e.drawing}.addReferences(f)
}

// steps are the steps of a distribution function. The first is the end of its left part,
// where the share is 0.
func steps(of stats.ECDF, band bool) []plots.Step {
	all := []plots.Step{{X: of.Steps[0].X, High: min(1, of.HalfWidth)}}
	for _, s := range of.Steps {
		all = append(all, plots.Step(s))
	}
	if !band {
		for i := range all {
			all[i].Low, all[i].High = 0, 0
		}
	}
	return all
}
