package sweep_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// readSpec reads a spec that comes with the project, with another number of replicates.
func readSpec(t *testing.T, r *trial.Registry, file string, replicates int) (*spec.Spec, []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^replicates: \d+$`).ReplaceAll(text, fmt.Appendf(nil, "replicates: %d", replicates))
	s, err := results.ParseSpec(r, file, text)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Base(file); s.Name+".yaml" != want {
		t.Errorf("the sweep of %s is named %s", want, s.Name)
	}
	return s, text
}

// runSpec runs it, and returns the directory with the results.
func runSpec(t *testing.T, r *trial.Registry, file string, replicates int) (dir string) {
	t.Helper()
	s, text := readSpec(t, r, file, replicates)
	dir = t.TempDir()
	report, err := (&sweep.Sweep{Source: sweep.Source{Registry: r, Spec: s, Text: text, File: file}, Rehearse: figures.Rehearse, Dir: dir}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if report.Failed > 0 || report.Outside > 0 && !s.OutsideModel {
		t.Errorf("%d trials failed, %d are outside the model", report.Failed, report.Outside)
	}
	return dir
}

// The specs that come with the project are about the built-in algorithms. Each
// is run as it is but for the number of replicates, and drawn.
func TestSpecsRun(t *testing.T) {
	files, err := filepath.Glob("../../specs/*.yaml")
	if err != nil || len(files) < 22 {
		t.Fatalf("specs %v, %v; want twenty-two at least", files, err)
	}
	for k, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			r := catalog.New()
			if testing.Short() && k%8 > 0 {
				readSpec(t, r, file, 2)
				return
			}
			dir := runSpec(t, r, file, 2) // a deviation takes two
			if _, err := figures.Draw(r, dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// The rows of the sweeps that come with the project hold the answers of their figures. Left out are
// the six that take most of the time of all. In short tests they are some quick sweeps.
func TestSpecsAnswer(t *testing.T) {
	files, err := filepath.Glob("../../specs/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	slow := []string{"detectors.yaml", "bully-ring.yaml", "reliable.yaml", "published.yaml", "crashes.yaml", "random-rings.yaml"}
	files = slices.DeleteFunc(files, func(file string) bool { return slices.Contains(slow, filepath.Base(file)) })
	if testing.Short() {
		files = []string{"../../specs/bully.yaml", "../../specs/changroberts.yaml", "../../specs/mutex.yaml"}
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			r := catalog.New()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := results.ParseSpec(r, file, text)
			if err != nil {
				t.Fatal(err)
			}
			dir := runSpec(t, r, file, whole.Replicates)
			if _, err := figures.Draw(r, dir); err != nil {
				t.Fatal(err)
			}
			for _, f := range whole.Figures {
				caption, err := os.ReadFile(filepath.Join(dir, results.FiguresDir, f.Name+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				if _, end, _ := strings.Cut(string(caption), "\n"); !strings.Contains(end, "Answer: ") || strings.Contains(end, "Not shown") {
					t.Errorf("%s ends with %q", f.Name, end)
				}
			}
		})
	}
}

// The shares of trials that docs/campaigns.md derives, within four and a half
// standard deviations: none at all where theory leaves nothing to chance.
func TestCampaignsMeetTheory(t *testing.T) {
	const replicates = 200
	for file, c := range map[string]struct {
		metric string
		theory func(row map[string]string) (float64, bool)
	}{
		"../../specs/loss.yaml":   {"correct", survivesLoss},
		"../../specs/bursts.yaml": {"correct", survivesBursts},
		"../../specs/late.yaml":   {"split_brain", splits},
	} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			compared := 0
			for cell, hits := range count(t, runSpec(t, catalog.New(), file, replicates), c.metric, c.theory) {
				compared++
				mean := replicates * cell.theory
				if math.Abs(float64(hits)-mean) > 4.5*math.Sqrt(mean*(1-cell.theory)) {
					t.Errorf("%s: %d of %d; theory says %.1f", cell.name, hits, replicates, mean)
				}
			}
			if compared < 14 {
				t.Errorf("%d cells were compared", compared)
			}
		})
	}
}

// predicted is a cell of which theory says in what share of trials a metric is 1.
type predicted struct {
	name   string
	theory float64
}

// count counts the trials in which the metric is 1, cell by cell.
func count(t *testing.T, dir, metric string, theory func(map[string]string) (float64, bool)) map[predicted]int {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, results.ResultsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	hits := map[predicted]int{}
	for _, fields := range rows[1:] {
		row := map[string]string{}
		for i, name := range rows[0] {
			row[name] = fields[i]
		}
		if p, ok := theory(row); ok {
			cell := predicted{row["label"] + ", " + row["delay"] + " " + row["link"], p}
			hits[cell] += int(row[metric][0] - '0')
		}
	}
	return hits
}

// processes is n of the specs of loss.
const processes = 8

// survivesLoss: all of the 2n-1 messages that matter arrive or, of Chang and
// Roberts with one initiator, 2n-1+d of them, d being anything from 0 to n-1.
func survivesLoss(row map[string]string) (float64, bool) {
	percent := 0.0
	if text, lossy := strings.CutPrefix(row["link"], "loss "); lossy {
		percent, _ = strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	}
	arrives := 1 - percent/100
	all := math.Pow(arrives, 2*processes-1)
	switch row["algorithm"] {
	case "lcr", "ringlist":
		return all, true
	case "changroberts":
		sum := 0.0
		for d := range processes {
			sum += math.Pow(arrives, float64(d))
		}
		return all * sum / processes, true
	}
	return 0, false
}

// survivesBursts: two messages in a row arrive on each link but one, and one
// there.
func survivesBursts(row map[string]string) (float64, bool) {
	const loss = 0.1
	words := strings.Fields(row["link"])
	length, _ := strconv.ParseFloat(words[len(words)-1], 64)
	both := 1 - loss - loss/length
	return (1 - loss) * math.Pow(both, processes-1), row["algorithm"] == "lcr" || row["algorithm"] == "ringlist"
}

// splits: a message and its answer, d1 and d2, take more than T = 2 ms, or they do
// not, but the announcement takes more than d2 + 2T.
func splits(row map[string]string) (float64, bool) {
	delay, err := des.ParseDistribution(row["delay"])
	if err != nil || row["n"] != "3" {
		return 0, false
	}
	mean := delay.Mean().Seconds() * 1000
	switch row["label"] {
	case "uniform":
		return splitsUniform(2 * mean), true
	case "exponential":
		return splitsExponential(mean), true
	}
	if delay.Mean() > time.Millisecond {
		return 1, true
	}
	return 0, true
}

// splitsUniform is for delays from 0 to a ms, a up to 6.
func splitsUniform(a float64) float64 {
	switch late := max(0, a-4); {
	case a <= 1:
		return 0
	case a <= 2:
		return 2 * (1 - 1/a) * (1 - 1/a)
	default:
		return 1 - 2/(a*a) + (late*late-late*late*late/6)/(a*a*a)
	}
}

// splitsExponential is for delays of m ms on average.
func splitsExponential(m float64) float64 {
	x, y := math.Exp(-2/m), math.Exp(-4/m)
	return (1+2/m)*x + y*((1-y)/2-x*(1-x))
}
