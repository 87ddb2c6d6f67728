package catalog_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat"

	"bullring/des/yardstick"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
	"bullring/plots"
)

var slopes = flag.Bool("slopes", false, "measure how the time of a run grows with n, and draw docs/figures/slopes.png (minutes)")

// growth is a kind of runs. Its number of processes doubles from first to last. Theory says by the
// bound how the number of messages grows.
type growth struct {
	trial.Setting
	first, last int
	bound       string
}

// The graphs are tori, whose neighbours are near in memory, too, and their sizes fit into a cache. On
// large random graphs each message misses it, and that would be measured here. The waiting processes
// of electiontree ask their detectors as long as the election lasts: in a hypercube that is short.
var growths = []growth{
	{trial.Setting{Algorithm: "lcr", Topology: "ring", Placement: "decreasing"}, 1 << 8, 1 << 12, "exact"},
	{trial.Setting{Algorithm: "lelann", Topology: "ring"}, 1 << 8, 1 << 12, "exact"},
	{trial.Setting{Algorithm: "hirschbergsinclair", Topology: "biring", Placement: "random"}, 1 << 10, 1 << 14, "exact"},
	{trial.Setting{Algorithm: "franklin", Topology: "biring", Placement: "random"}, 1 << 10, 1 << 14, "exact"},
	{trial.Setting{Algorithm: "peterson", Topology: "ring", Placement: "random"}, 1 << 10, 1 << 14, "exact"},
	{trial.Setting{Algorithm: "bully", Topology: "complete", Initiators: "0"}, 1 << 7, 1 << 11, "exact"},
	{trial.Setting{Algorithm: "ricartagrawala", Topology: "complete"}, 1 << 7, 1 << 11, "exact"},
	{trial.Setting{Algorithm: "chandylamport", Topology: "torus"}, 1 << 10, 1 << 14, "exact"},
	{trial.Setting{Algorithm: "echo", Topology: "torus", Initiators: "0"}, 1 << 10, 1 << 14, "exact"},
	{trial.Setting{Algorithm: "electiontree", Topology: "hypercube", Initiators: "0"}, 1 << 10, 1 << 14, "exact"},
	{trial.Setting{Algorithm: "ghs", Topology: "torus"}, 1 << 10, 1 << 14, "worst"},
	{trial.Setting{Algorithm: "floodmax", Topology: "torus"}, 1 << 10, 1 << 14, "exact"},
}

// TestSlopes measures the time of runs, from their setting to their result, at doubling n. The slope
// of the time on logarithmic axes is to be that of the messages: what a run does beside its messages
// grows no faster than they do.
func TestSlopes(t *testing.T) {
	if !*slopes {
		t.Skip("measures only with -slopes")
	}
	const (
		runs   = 9 // of each size, after one that warms up; all sizes take turns
		margin = 0.15
	)
	figure := plots.Figure{
		Name: "slopes", Width: plots.PageWidth, Height: 9,
		Title: fmt.Sprintf("Processor time of a run, the least of %d, with its slope; in brackets and dashed the messages by theory", runs),
		X:     plots.Axis{Label: "number of processes *n*", Log: true, Whole: true},
		Y:     plots.Axis{Label: "processor time of a run (s)", Log: true},
	}
	data := "algorithm,n,seconds,messages in theory\n"
	fmt.Println("| algorithm | topology | *n* | ns a message, smallest and largest *n* | slope of the time | of the messages, in theory |")
	fmt.Println("|---|---|---|---:|---:|---:|")
	for _, g := range growths {
		times, theory := g.measure(t, runs)
		slope, want := slopeOf(times), slopeOf(theory)
		last := len(times) - 1
		each := func(i int) float64 { return times[i].Y / theory[i].Y * 1e9 }
		fmt.Printf("| %s | %s | %d–%d | %.0f, %.0f | %.2f | %.2f |\n", g.Algorithm, g.Topology, g.first, g.last, each(0), each(last), slope, want)
		if slope > want+margin {
			t.Errorf("%s: the time grows with the slope %.2f, and the messages with %.2f", g.Algorithm, slope, want)
		}
		series := &plots.Series{Label: fmt.Sprintf("%s %.2f (%.2f)", g.Algorithm, slope, want), Key: g.Algorithm}
		curve := &plots.Curve{Key: g.Algorithm}
		for i, p := range times {
			data += fmt.Sprintf("%s,%g,%g,%g\n", g.Algorithm, p.X, p.Y, theory[i].Y)
			series.Points = append(series.Points, plots.Point{X: p.X, Y: p.Y})
			curve.Points = append(curve.Points, plots.XY{X: p.X, Y: theory[i].Y / theory[last].Y * times[last].Y})
		}
		figure.Marks = append(figure.Marks, series, curve)
	}
	figure.Meta = []plots.Meta{
		{Key: "Software", Value: "bullring " + build.ThisProgram().String()}, {Key: "Epoch", Value: strconv.Itoa(netem.Epoch)},
		{Key: "Command", Value: "make slopes"}, {Key: "Seed", Value: "0"}, {Key: "Data", Value: data},
	}
	if err := figure.SaveAs(filepath.Join("..", "..", "docs", "figures", "slopes.png")); err != nil {
		t.Error(err)
	}
}

// measure returns the least time of the runs of each n, in seconds, and the numbers of messages in theory, by n. The
// least is the one that other programs disturbed least.
func (g growth) measure(t *testing.T, runs int) (times, theory []plots.XY) {
	taken := map[int][]float64{}
	var w trial.Worker
	for run := range runs + 1 {
		for n := g.first; n <= g.last; n *= 2 {
			s := g.Setting
			s.N = n
			runtime.GC()
			start := yardstick.ProcessorTime()
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			r := w.Run(context.Background(), in, nil)
			took := yardstick.ProcessorTime() - start
			i := slices.IndexFunc(r.Bounds, func(b trial.BoundResult) bool { return b.Name == g.bound })
			if !r.Correct || i < 0 {
				t.Fatalf("%s of %d: correct %v, bounds %v", g.Algorithm, n, r.Correct, r.Bounds)
			}
			if run == 0 {
				theory = append(theory, plots.XY{X: float64(n), Y: r.Bounds[i].Value})
			} else {
				taken[n] = append(taken[n], took.Seconds())
			}
		}
	}
	for _, at := range theory {
		times = append(times, plots.XY{X: at.X, Y: slices.Min(taken[int(at.X)])})
	}
	return times, theory
}

// slopeOf is the slope of the line through points on logarithmic axes, by least squares.
func slopeOf(points []plots.XY) float64 {
	var xs, ys []float64
	for _, p := range points {
		xs, ys = append(xs, math.Log(p.X)), append(ys, math.Log(p.Y))
	}
	_, slope := stat.LinearRegression(xs, ys, nil, false)
	return slope
}
