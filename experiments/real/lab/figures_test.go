package lab_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/cmpimg"

	"bullring/experiments/campaign/stats"
	"bullring/experiments/catalog"
	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/internal/wholefile"
	"bullring/netem"
	"bullring/plots"
)

var (
	measure = flag.Int("measure", 0, "make so many live runs for each point of the figures of docs/live.md, and write docs/figures/live.csv (minutes)")
	draw    = flag.Bool("draw", false, "write the figures of docs/live.md; look at them")
)

// compared is a figure of docs/live.md: a share of live runs beside that of emulated ones.
type compared struct {
	name, x, y string
	log        bool
	lines      map[string]func(x float64) trial.Setting // by label
	values     []float64
	share      func(lab.Tally) lab.Share
	kinds      int // so many of kinds are drawn
}

func metric(name string) func(lab.Tally) lab.Share {
	return func(t lab.Tally) lab.Share { return t.Shares[name] }
}

func lossy(variant string) func(percent float64) trial.Setting {
	return func(percent float64) trial.Setting {
		return trial.Setting{Algorithm: "modifiedring", Variant: variant, N: 5, Initiators: "0", Delay: "500us", Assume: "2ms", Link: fmt.Sprintf("loss %g%%", percent)}
	}
}

var comparisons = []compared{
	{"live-bully", "assumed bound on delay (ms)", "probability that E1 is violated", false,
		map[string]func(float64) trial.Setting{"": func(bound float64) trial.Setting {
			return trial.Setting{Algorithm: "bully", N: 4, Initiators: "0", Dead: "last", Delay: "uniform(0,20ms)", Assume: fmt.Sprintf("%gms", bound)}
		}}, []float64{6, 8, 10, 12, 14, 16, 18, 20, 22}, func(t lab.Tally) lab.Share { return lab.Share{Showed: t.Violated["E1"], Of: t.Runs} }, 3},
	{"live-raft", "width of the timeouts (ms)", "probability of a split vote", true,
		map[string]func(float64) trial.Setting{"": func(width float64) trial.Setting {
			return trial.Setting{Algorithm: "raft", N: 5, Dead: "last", Delay: "1ms", Param: fmt.Sprintf("base=10ms,width=%gms", width)}
		}}, []float64{2, 3, 5, 8, 12, 20}, metric("split_vote"), 3},
	{"live-modifiedring", "loss of messages (%)", "probability of a correct election", false,
		map[string]func(float64) trial.Setting{"watchdog": lossy("watchdog"), "no watchdog": lossy("no-watchdog")},
		[]float64{2, 5, 10, 20, 30}, metric("correct"), 2},
}

// The columns of docs/figures/live.csv. Times are in microseconds.
var columns = strings.Fields("figure line x live live_of emulated emulated_of without without_of latency_p50 latency_p99 late_p50 late_p99")

// kinds are the kinds of runs, with the first of their columns.
var kinds = []struct {
	label  string
	column int
}{{"live", 3}, {"emulated, as late as measured", 5}, {"emulated, never late", 7}}

// TestFigures draws the figures of docs/live.md from what was measured, and compares them with those
// that are there.
func TestFigures(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "docs", "figures")
	data := filepath.Join(folder, "live.csv")
	if *measure > 0 {
		if err := os.WriteFile(data, measured(t, *measure), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	hash := plots.Meta{Key: "Data-SHA256", Value: wholefile.Hash(text)}
	for _, c := range comparisons {
		file := filepath.Join(folder, c.name+".png")
		f := c.figure(t, rows)
		f.Meta = []plots.Meta{
			{Key: "Software", Value: "bullring " + build.ThisProgram().String()}, {Key: "Epoch", Value: strconv.Itoa(netem.Epoch)},
			{Key: "Command", Value: "make live-figures"}, {Key: "Seed", Value: "from 1 on, one for each run"},
			{Key: "Data", Value: "docs/figures/live.csv"}, hash,
		}
		if *measure > 0 || *draw {
			if err := f.SaveAs(file); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var now bytes.Buffer
		if err := f.PNG(&now); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if equal, err := cmpimg.EqualApprox("png", now.Bytes(), kept, 0.03); err != nil || !equal {
			t.Errorf("%s is not what is drawn from %s (%v); -draw writes it", file, data, err)
		}
		if meta, err := plots.ReadMeta(file); err != nil || !slices.Contains(meta, hash) {
			t.Errorf("%s does not carry the hash of %s (%v)", file, data, err)
		}
	}
}

// figure draws the rows of a comparison.
func (c *compared) figure(t *testing.T, rows [][]string) *plots.Figure {
	zero, one := 0.0, 1.0
	f := &plots.Figure{Name: c.name, X: plots.Axis{Label: c.x, Log: c.log}, Y: plots.Axis{Label: c.y, Min: &zero, Max: &one}}
	for _, line := range slices.Sorted(maps.Keys(c.lines)) {
		for _, k := range kinds[:c.kinds] {
			s := &plots.Series{Label: strings.TrimPrefix(line+": "+k.label, ": "), Key: line + k.label}
			for _, row := range rows {
				if row[0] != c.name || row[1] != line {
					continue
				}
				showed, of := int(number(t, row[k.column])), int(number(t, row[k.column+1]))
				low, high, err := stats.Wilson(showed, of, 0.95)
				if err != nil {
					t.Fatal(err)
				}
				s.Points = append(s.Points, plots.Point{X: number(t, row[2]), Y: float64(showed) / float64(of), YLow: low, YHigh: high})
			}
			f.Marks = append(f.Marks, s)
		}
	}
	return f
}

func number(t *testing.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// measured runs all comparisons, and returns the table.
func measured(t *testing.T, runs int) []byte {
	var text bytes.Buffer
	load := func() string {
		average, _ := os.ReadFile("/proc/loadavg") // there is none elsewhere
		return string(bytes.TrimSpace(average))
	}
	fmt.Fprintf(&text, "# measured on %s by go test ./experiments/real/lab -run TestFigures -measure %d\n# %s/%s, %s, %d processors, load at the beginning %s\n",
		time.Now().Format(time.DateOnly), runs, runtime.GOOS, runtime.GOARCH, runtime.Version(), runtime.NumCPU(), load())
	w := csv.NewWriter(&text)
	w.Write(columns)
	for _, c := range comparisons {
		for _, line := range slices.Sorted(maps.Keys(c.lines)) {
			for _, x := range c.values {
				w.Write(c.point(t, line, x, runs))
				t.Log(c.name, line, x, time.Now().Format(time.TimeOnly))
			}
		}
	}
	w.Flush()
	fmt.Fprintf(&text, "# load at the end %s\n", load())
	return text.Bytes()
}

// point measures a row.
func (c *compared) point(t *testing.T, line string, x float64, runs int) []string {
	s := c.lines[line](x)
	s.OutsideModel = true
	m, err := lab.Compare(t.Context(), catalog.New(), s, lab.Options{}, runs, func(one *lab.Trial) {
		if one.Wrong != nil {
			t.Fatal(one.Wrong)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	var without lab.Tally
	var worker trial.Worker
	for s.Seed = 1; s.Seed <= uint64(runs); s.Seed++ {
		in, err := lab.Instance(catalog.New(), s, lab.Options{})
		if err != nil {
			t.Fatal(err)
		}
		without.Add(worker.Run(t.Context(), in, nil))
	}
	row := []string{c.name, line, fmt.Sprint(x)}
	for _, tally := range []lab.Tally{m.Live, m.Emulated, without} {
		share := c.share(tally)
		row = append(row, fmt.Sprint(share.Showed), fmt.Sprint(share.Of))
	}
	for _, all := range [][]time.Duration{m.Latencies, m.Lateness} {
		for _, p := range []float64{0.5, 0.99} {
			row = append(row, fmt.Sprint(lab.Quantile(all, p).Microseconds()))
		}
	}
	return row
}
