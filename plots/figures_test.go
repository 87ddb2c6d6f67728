package plots_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"bullring/plots"
	"bullring/plots/looks"
)

// The figures of the golden files; each shows different features.

func sample(lo, hi float64, n int, f func(x float64) float64) []plots.XY {
	points := make([]plots.XY, n)
	for i := range points {
		// Geometric steps are dense enough for either kind of axis.
		x := lo * math.Pow(hi/lo, float64(i)/float64(n-1))
		points[i] = plots.XY{X: x, Y: f(x)}
	}
	return points
}

func harmonic(n float64) float64 { return math.Log(n) + 0.57721566 + 1/(2*n) }

// lcrFigure shows three measured series on their theory, with error bars on one.
func lcrFigure(log bool) *plots.Figure {
	var increasing, decreasing, random []plots.Point
	r := rand.New(rand.NewPCG(1, 1))
	for n := 4.0; n <= 1024; n *= 2 {
		increasing = append(increasing, plots.Point{X: n, Y: 2*n - 1})
		decreasing = append(decreasing, plots.Point{X: n, Y: n * (n + 1) / 2})
		mean := n * harmonic(n) * (1 + 0.03*r.NormFloat64())
		random = append(random, plots.Point{X: n, Y: mean, YLow: 0.82 * mean, YHigh: 1.18 * mean})
	}
	f := &plots.Figure{
		Name: "lcr-linear",
		X:    plots.Axis{Label: "ring size *n*", Log: log},
		Y:    plots.Axis{Label: "messages", Log: log},
		Marks: []plots.Mark{
			&plots.Series{Label: "LCR, increasing", Key: "lcr", Points: increasing},
			&plots.Series{Label: "LCR, decreasing", Key: "lcr decreasing", Points: decreasing},
			&plots.Series{Label: "LCR, random (95 % CI)", Key: "lcr random", Points: random},
			&plots.Curve{Label: "2*n* − 1", Key: "lcr", Points: sample(4, 1024, 60, func(n float64) float64 { return 2*n - 1 })},
			&plots.Curve{Label: "*n*(*n* + 1)/2", Key: "lcr decreasing", Points: sample(4, 1024, 60, func(n float64) float64 { return n * (n + 1) / 2 })},
			&plots.Curve{Label: "*n* · *H*_{*n*}", Key: "lcr random", Points: sample(4, 1024, 60, func(n float64) float64 { return n * harmonic(n) })},
		},
		Meta: []plots.Meta{{Key: "Version", Value: "1.0.0"}, {Key: "Seed", Value: "42"}},
	}
	if log {
		f.Name = "lcr-log"
	}
	return f
}

// changRobertsFigure shows a long series with a band on theory without a key.
func changRobertsFigure() *plots.Figure {
	const n = 64
	r := rand.New(rand.NewPCG(2, 2))
	var points []plots.Point
	for d := 0.0; d < n; d++ {
		mean := 2*n + d + 3*r.NormFloat64()
		points = append(points, plots.Point{X: d, Y: mean, YLow: mean - 9, YHigh: mean + 8})
	}
	level := func(y float64) []plots.XY { return []plots.XY{{X: 0, Y: y}, {X: n - 1, Y: y}} }
	return &plots.Figure{
		Name:  "changroberts-distance",
		Title: "Chang–Roberts, one initiator, *N* = 64",
		X:     plots.Axis{Label: "distance *d* from the initiator to the largest identity"},
		Y:     plots.Axis{Label: "messages until all know the leader"},
		Marks: []plots.Mark{
			&plots.Series{Label: "measured mean, 5–95 %", Key: "Chang-Roberts", Points: points},
			&plots.Curve{Label: "best: 2*N*", Points: level(2 * n)},
			&plots.Curve{Label: "worst: 3*N* − 1", Points: level(3*n - 1)},
			&plots.Curve{Label: "mean: (5*N* − 1)/2", Points: level((5*n - 1) / 2.0)},
		},
	}
}

// histogramFigure shows a distribution with its mean and an approximation.
func histogramFigure() *plots.Figure {
	r := rand.New(rand.NewPCG(3, 3))
	const mean, deviation, width, trials = 389.4, 41.0, 10.0, 20000
	edges, counts := []float64{}, make([]float64, 36)
	for i := range len(counts) + 1 {
		edges = append(edges, 240+width*float64(i))
	}
	for range trials {
		i := int((mean + deviation*r.NormFloat64() - edges[0]) / width)
		if i >= 0 && i < len(counts) {
			counts[i]++
		}
	}
	for i := range counts {
		counts[i] /= trials * width
	}
	normal := func(x float64) float64 {
		z := (x - mean) / deviation
		return math.Exp(-z*z/2) / (deviation * math.Sqrt(2*math.Pi))
	}
	return &plots.Figure{
		Name: "lcr-distribution",
		X:    plots.Axis{Label: "messages of LCR on random rings of *n* = 80"},
		Y:    plots.Axis{Label: "density (1/message)"},
		Marks: []plots.Mark{
			&plots.Histogram{Label: "20\u2009000 trials", Key: "lcr", Edges: edges, Values: counts},
			&plots.Curve{Label: "normal, same *μ* and *σ*", Points: sample(240, 600, 120, normal)},
			&plots.Reference{Label: "exact mean *n* · *H*_{*n*}", X: mean},
		},
	}
}

// histogramsFigure shows two distributions that overlap, and a third equal to the
// second.
func histogramsFigure() *plots.Figure {
	var edges []float64
	for x := 0.0; x <= 10; x++ {
		edges = append(edges, x-0.5)
	}
	wide := []float64{0.02, 0.06, 0.12, 0.16, 0.2, 0.18, 0.13, 0.08, 0.04, 0.01}
	narrow := []float64{0, 0, 0, 0.05, 0.3, 0.35, 0.25, 0.05, 0, 0}
	return &plots.Figure{
		Name: "histograms",
		X:    plots.Axis{Label: "messages"},
		Y:    plots.Axis{Label: "share of the trials"},
		Marks: []plots.Mark{
			&plots.Histogram{Label: "LCR", Key: "lcr", Edges: edges, Values: wide},
			&plots.Histogram{Label: "Peterson", Key: "peterson", Edges: edges, Values: narrow},
			&plots.Histogram{Label: "bully", Key: "bully", Edges: edges, Values: narrow},
		},
	}
}

// ecdfFigure shows two distribution functions with bands, one of which does not reach 1, on
// theory.
func ecdfFigure() *plots.Figure {
	r := rand.New(rand.NewPCG(8, 8))
	const mean, deviation = 389.4, 41.0
	sample1, sample2 := make([]float64, 100), make([]float64, 40)
	for i := range sample1 {
		sample1[i] = math.Round(mean + deviation*r.NormFloat64())
	}
	for i := range sample2 {
		sample2[i] = math.Round(300 * math.Exp(0.5*r.ExpFloat64()))
	}
	f := &plots.Figure{
		Name: "ecdf",
		X:    plots.Axis{Label: "messages *m*", Min: new(250.0), Max: new(600.0)},
		Y:    plots.Axis{Label: "share of the trials with at most *m*"},
		Marks: []plots.Mark{
			&plots.ECDF{Label: "LCR", Key: "lcr", Steps: steps(sample1, len(sample1))},
			&plots.ECDF{Label: "Peterson, 4 of 44 undecided", Key: "peterson", Steps: steps(sample2, 44)},
			&plots.Curve{Label: "normal", Key: "lcr"},
		},
	}
	theory := f.Marks[2].(*plots.Curve)
	for x := 270.0; x <= 520; x += 5 {
		theory.Points = append(theory.Points, plots.XY{X: x, Y: math.Erfc((mean-x)/deviation/math.Sqrt2) / 2})
	}
	return f
}

// steps returns the distribution function of n values with the band of Dvoretzky, Kiefer and
// Wolfowitz. Values that are not in the sample are larger than the others.
func steps(sample []float64, n int) []plots.Step {
	slices.Sort(sample)
	reach := math.Sqrt(math.Log(2/0.05) / float64(2*n))
	all := []plots.Step{{X: sample[0], High: reach}}
	for i, v := range sample {
		if i+1 < len(sample) && sample[i+1] == v {
			continue
		}
		p := float64(i+1) / float64(n)
		all = append(all, plots.Step{X: v, P: p, Low: max(0, p-reach), High: min(1, p+reach)})
	}
	return all
}

// electionsFigure has about the largest readable number of series and curves.
func electionsFigure() *plots.Figure {
	lg := math.Log2
	f := &plots.Figure{
		Name: "elections",
		X:    plots.Axis{Label: "ring size *n*", Log: true},
		Y:    plots.Axis{Label: "messages per election", Log: true},
	}
	for _, a := range []struct {
		label, theory string
		cost          func(n float64) float64
	}{
		{"Le Lann", "*n*^{2}", func(n float64) float64 { return n * n }},
		{"LCR", "*n* · *H*_{*n*}", func(n float64) float64 { return n * harmonic(n) }},
		{"Chang–Roberts", "(5*n* − 1)/2", func(n float64) float64 { return (5*n - 1) / 2 }},
		{"Hirschberg–Sinclair", "8*n*(1 + lg *n*)", func(n float64) float64 { return 8 * n * (1 + lg(n)) }},
		{"Franklin", "2*n*(lg *n* + 1)", func(n float64) float64 { return 2 * n * (1 + lg(n)) }},
		{"Peterson", "2*n* lg *n* + *n*", func(n float64) float64 { return 2*n*lg(n) + n }},
		{"Itai–Rodeh", "1.418 · *n* lg *n*", func(n float64) float64 { return 1.418 * n * lg(n) }},
	} {
		var points []plots.Point
		for n := 4.0; n <= 4096; n *= 4 {
			y := 0.93 * a.cost(n)
			points = append(points, plots.Point{X: n, Y: y, YLow: 0.9 * y, YHigh: 1.1 * y})
		}
		f.Marks = append(f.Marks, &plots.Series{Label: a.label, Key: a.label, Points: points})
		f.Marks = append(f.Marks, &plots.Curve{Label: a.theory, Key: a.label, Points: sample(4, 4096, 40, a.cost)})
	}
	return f
}

// heatFigure shows a probability over two numbers, one of them on a logarithmic
// axis, with the values in the cells.
func heatFigure() *plots.Figure {
	m := &plots.HeatMap{Z: plots.Axis{Label: "share of correct elections", Min: new(0.0), Max: new(1.0)}}
	for loss := 0.0; loss <= 30; loss += 5 {
		m.X.Values = append(m.X.Values, loss)
	}
	for n := 4.0; n <= 64; n *= 2 {
		m.Y.Values = append(m.Y.Values, n)
		var row []float64
		for _, loss := range m.X.Values {
			row = append(row, math.Round(1000*math.Pow(1-loss/100, n/4))/1000)
		}
		m.Values = append(m.Values, row)
	}
	return &plots.Figure{
		Name:  "heat-probability",
		X:     plots.Axis{Label: "loss of messages (%)"},
		Y:     plots.Axis{Label: "processes *n*", Log: true},
		Marks: []plots.Mark{m},
	}
}

// categoriesFigure shows cells without a value, names that only have room
// upright, and values beyond the scale of colours.
func categoriesFigure() *plots.Figure {
	m := &plots.HeatMap{
		X: plots.Side{Categories: []string{
			"no fault", "crash of the leader", "crash and restart", "partition for 5 ms", "loss 1 %", "loss 5 %", "slow leader", "drift 100 ppm",
		}},
		Y: plots.Side{Categories: []string{"LCR", "Chang–Roberts", "Tanenbaum's ring", "bully"}},
		Z: plots.Axis{Label: "messages per election", Log: true, Min: new(20.0), Max: new(5000.0)},
	}
	for i := range m.Y.Categories {
		row := make([]float64, len(m.X.Categories))
		for j := range row {
			row[j] = math.Round(17 * math.Pow(2.1, float64(2*i+j)/1.6))
			if i < 2 && (j == 2 || j == 3) {
				row[j] = math.NaN()
			}
		}
		m.Values = append(m.Values, row)
	}
	return &plots.Figure{
		Name:  "heat-categories",
		Title: "Elections under faults, *n* = 16",
		X:     plots.Axis{Label: "fault"},
		Marks: []plots.Mark{m},
	}
}

// denseFigure shows a map whose cells are too small for their values, over
// numbers in steps that are not equal.
func denseFigure() *plots.Figure {
	m := &plots.HeatMap{X: plots.Side{Ordinal: true}, Z: plots.Axis{Label: "messages", Log: true}}
	for n := 2.0; n <= 1e6; n *= 1.5 {
		m.X.Values = append(m.X.Values, math.Round(n))
	}
	for d := 0.0; d < 1000; d += 8 + d/8 {
		m.Y.Values = append(m.Y.Values, math.Round(d))
		var row []float64
		for _, n := range m.X.Values {
			row = append(row, 2*n+d*n/20)
		}
		m.Values = append(m.Values, row)
	}
	return &plots.Figure{
		Name:  "heat-dense",
		Width: plots.PageWidth,
		X:     plots.Axis{Label: "processes *n*"},
		Y:     plots.Axis{Label: "distance *d*"},
		Marks: []plots.Mark{m},
	}
}

// boxSamples returns boxes of samples with a long tail, by a rule of quantiles that is
// good enough for a picture.
func boxSamples(r *rand.Rand, xs []float64, median func(x float64) float64, spread float64) []plots.Box {
	const n = 200
	boxes := make([]plots.Box, len(xs))
	for i, x := range xs {
		var sample []float64
		for range n {
			sample = append(sample, median(x)*math.Exp(spread*r.NormFloat64()))
		}
		slices.Sort(sample)
		mean := 0.0
		for _, v := range sample {
			mean += v / n
		}
		b := plots.Box{X: x, Q1: sample[n/4], Median: sample[n/2], Q3: sample[3*n/4], Mean: &mean, N: n}
		reach := 1.5 * (b.Q3 - b.Q1)
		b.LowWhisker, b.HighWhisker = b.Q1, b.Q3
		for _, v := range sample {
			if v < b.Q1-reach || v > b.Q3+reach {
				b.Outliers = append(b.Outliers, v)
				continue
			}
			b.LowWhisker, b.HighWhisker = min(b.LowWhisker, v), max(b.HighWhisker, v)
		}
		boxes[i] = b
	}
	return boxes
}

// boxFigure shows three series of boxes on logarithmic axes with a curve.
func boxFigure() *plots.Figure {
	r := rand.New(rand.NewPCG(5, 5))
	xs := []float64{4, 8, 16, 32, 64, 128, 256, 512}
	cost := func(factor float64) func(float64) float64 {
		return func(n float64) float64 { return factor * n * harmonic(n) }
	}
	return &plots.Figure{
		Name: "boxes-log",
		X:    plots.Axis{Label: "processes *n*", Log: true},
		Y:    plots.Axis{Label: "messages", Log: true},
		Marks: []plots.Mark{
			&plots.BoxSeries{Label: "LCR", Key: "lcr", Boxes: boxSamples(r, xs, cost(1), 0.2)},
			&plots.BoxSeries{Label: "Franklin", Key: "franklin", Boxes: boxSamples(r, xs, cost(2.5), 0.1)},
			&plots.BoxSeries{Label: "Peterson", Key: "peterson", Boxes: boxSamples(r, xs, cost(5), 0.4)},
			&plots.Curve{Label: "*n* · *H*_{*n*}", Key: "lcr", Points: sample(4, 512, 60, cost(1))},
		},
	}
}

// boxCategories shows boxes over names that only have room upright, two places
// without a box of the second series, and one box without a height.
func boxCategories() *plots.Figure {
	r := rand.New(rand.NewPCG(6, 6))
	level := func(x float64) float64 { return 3 + 2*x }
	first := boxSamples(r, []float64{0, 1, 2, 3, 4}, level, 0.3)
	first[0] = plots.Box{LowWhisker: 2, Q1: 2, Median: 2, Q3: 2, HighWhisker: 2, Outliers: []float64{4, 6, 6}}
	return &plots.Figure{
		Name: "boxes-categories",
		X: plots.Axis{Label: "fault", Categories: []string{
			"no fault", "crash of the leader", "crash and restart", "partition for 5 ms", "loss 5 %",
		}},
		Y: plots.Axis{Label: "time (s)", Max: new(20.0)},
		Marks: []plots.Mark{
			&plots.BoxSeries{Label: "Raft", Key: "raft", Boxes: first},
			&plots.BoxSeries{Label: "bully", Key: "bully", Boxes: boxSamples(r, []float64{1, 3, 4}, level, 0.2)},
		},
	}
}

// scatterFigure shows places in a plane with every symbol, one of them outside the axes.
func scatterFigure() *plots.Figure {
	r := rand.New(rand.NewPCG(4, 4))
	var all []plots.XY
	for range 80 {
		all = append(all, plots.XY{X: r.Float64(), Y: r.Float64()})
	}
	return &plots.Figure{
		Name: "scatter",
		X:    plots.Axis{Label: "*x*", Min: new(0.0), Max: new(1.0)},
		Y:    plots.Axis{Label: "*y*", Min: new(0.0), Max: new(1.0)},
		Marks: []plots.Mark{
			&plots.Scatter{Label: "place", Points: all},
			&plots.Scatter{Label: "before", Key: "before", Symbol: plots.Open, Points: all[:9]},
			&plots.Scatter{Label: "after", Key: "after", Symbol: plots.Filled, Points: append(all[5:14:14], plots.XY{X: 2, Y: 2})},
			&plots.Scatter{Label: "without a key", Symbol: plots.Filled, Points: all[20:21]},
		},
	}
}

// fixedLooks are the looks of some keys, as a program would fix them for all its figures.
func fixedLooks() (fixed plots.Looks) {
	for key, look := range map[string]looks.Look{
		"lcr":                 {Colour: looks.Blue, Marker: looks.Circle},
		"Hirschberg-Sinclair": {Colour: looks.Red, Marker: looks.Square},
		"peterson":            {Colour: looks.Green, Marker: looks.Triangle},
		"franklin":            {Colour: looks.Purple, Marker: looks.Diamond},
		"itairodeh":           {Colour: looks.Orange, Marker: looks.Nabla},
		"le lann":             {Colour: looks.Black, Marker: looks.Cross},
		"changroberts":        {Colour: looks.Sky, Marker: looks.Ring},
		"bully":               {Colour: looks.Red, Marker: looks.OpenSquare},
		"raft":                {Colour: looks.Black, Marker: looks.Diamond},
	} {
		fixed.Fix(key, look)
	}
	return fixed
}

func goldenFigures() []*plots.Figure {
	figures := []*plots.Figure{
		lcrFigure(false), lcrFigure(true), changRobertsFigure(), histogramFigure(), electionsFigure(),
		heatFigure(), categoriesFigure(), denseFigure(), scatterFigure(), histogramsFigure(), boxFigure(), boxCategories(),
		ecdfFigure(),
	}
	for _, f := range figures {
		f.Looks = fixedLooks()
	}
	return figures
}
