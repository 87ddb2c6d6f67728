package figures_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/internal/sweeptest"
)

// The steps are the shares of the rows. A series of one cell has a band, and one that pools
// cells has none.
func TestECDF(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), `name: e
replicates: 25
algorithms: ring
axes: {n: [8, 16], placement: random}
figures:
  - {name: single, kind: ecdf, y: messages, where: {n: 16}}
  - {name: pooled, kind: ecdf, y: messages, series: []}
`)
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	measured := sweeptest.Rows(t, sweeptest.Read(t, s, "results.csv"))
	for _, c := range []struct {
		name  string
		where map[string]string
		band  bool
	}{{"single", map[string]string{"n": "16"}, true}, {"pooled", nil, false}} {
		sample := values(t, chosen(measured, c.where), "messages")
		steps := chosen(sweeptest.Rows(t, sweeptest.Read(t, s, "figures/"+c.name+".csv")), map[string]string{"kind": "ecdf"})
		x, y := values(t, steps, "x"), values(t, steps, "y")
		if len(steps) < 10 || y[0] != 0 || y[len(y)-1] != 1 {
			t.Fatalf("%s has %d steps from %v", c.name, len(steps), y[0])
		}
		for i := 1; i < len(steps); i++ {
			below := slices.DeleteFunc(slices.Clone(sample), func(v float64) bool { return v > x[i] })
			if want := float64(len(below)) / float64(len(sample)); y[i] != want {
				t.Errorf("%s is %v at %v, want %v", c.name, y[i], x[i], want)
			}
			const half = 0.271620303 // sqrt(ln(40)/50)
			low, _ := strconv.ParseFloat(steps[i]["y_low"], 64)
			if d := low - max(0, y[i]-half); c.band && (d > 1e-8 || d < -1e-8) || !c.band && steps[i]["y_low"] != "" {
				t.Errorf("%s has the low end %q at %v", c.name, steps[i]["y_low"], x[i])
			}
		}
		if caption := string(sweeptest.Read(t, s, "figures/"+c.name+".txt")); strings.Contains(caption, "Dvoretzky") != c.band {
			t.Errorf("%s: %s", c.name, caption)
		}
	}
}
