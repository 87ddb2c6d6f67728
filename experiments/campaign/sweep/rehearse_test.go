package sweep_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"bullring/experiments/internal/sweeptest"
)

// What cannot be written when all trials have run is refused before the first, at its
// place; the folder is not even made.
func TestRefusedBeforeTheFirstTrial(t *testing.T) {
	long := strings.Repeat("a", 201)
	for _, test := range []struct{ name, spec, want string }{
		{"a scale without room", `figures: {y: messages, x: {axis: n, min: 100}}`, "5:10: figure test: x axis runs from 100"},
		{"a title without room", `figures: {y: messages, title: "` + long + `"}`, "5:10: figure test: title: "},
		{"a name of a file", `figures: {name: -a, y: messages}`, `5:10: figure -a: the name is not a file name`},
		{"a long name of a file", `figures: {name: ` + long + `, y: messages}`, "5:10: the figure's name has 201 letters"},
		{"a metric of another family", `figures: {y: {metric: entries}}`, "5:14: no algorithm here measures entries: there is ring"},
		{"a ratio of another algorithm", `figures: [{y: messages}, {name: b, y: ratio_other}]`, "5:39: no algorithm here measures ratio_other"},
		{"one replicate", `figures: {y: {metric: messages, statistic: deviation}}`, "5:14: a standard deviation takes two replicates"},
		{"a bound of another metric", `figures: {y: time, curves: {algorithm: ring, bound: worst}}`, "5:28: bound worst of ring is one of messages"},
		{"a bound that is silent", `figures: {y: messages, curves: {algorithm: ring, bound: worst, with: {variant: all-terminate}}}`, "5:32: bound worst of ring has a value at fewer than two points"},
		{"a variant that is none", `figures: {y: messages, curves: {algorithm: ring, bound: worst, with: {variant: B}}}`, "5:32: "},
		{"no numbers along x", `figures: {y: messages, x: placement}`, `5:10: x is placement, and its value "increasing" is no number`},
		{"a label without glyphs", `figures: {y: messages, series: label}`, `5:10: figure test: series 1 (算): "算": the font has no glyph`},
		{"a stopping rule", "replicates: {max: 3, min: 2, half_width: 5%, of: entries}", "5:13: no algorithm here measures entries"},
		{"a comparison", "compare: {baseline: 算, metrics: entries}", "5:10: no algorithm here measures entries"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := sweeptest.Sweep(t, sweeptest.RegistryWithMore(), "name: test\nalgorithms: [{algorithm: ring, label: 算}, {algorithm: ring, variant: all-terminate}]\naxes:\n  n: [4, 8]\n"+test.spec+"\n")
			_, err := s.Run(context.Background())
			if err == nil || !strings.Contains(err.Error(), "test.yaml:"+test.want) {
				t.Errorf("the error is\n%v\nand not test.yaml:%s", err, test.want)
			}
			if _, err := os.Stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the folder is there (%v)", err)
			}
		})
	}
}

// A paper that is not in the bibliography is a mistake of the program, and it is told
// before the trials, too.
func TestPaperBeforeTheFirstTrial(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	a, err := r.Find("ring")
	if err != nil {
		t.Fatal(err)
	}
	a.Papers = []string{"Nobody1900"}
	if _, err := sweeptest.Sweep(t, r, sweeptest.Small).Run(context.Background()); err == nil || !strings.Contains(err.Error(), `"Nobody1900" is not in the bibliography`) {
		t.Error(err)
	}
}
