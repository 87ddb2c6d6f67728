package figures_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
)

const answered = `name: a
replicates: 30
algorithms: [{algorithm: lcr, label: LCR}, {algorithm: changroberts, label: "Chang, one", initiators: "random:1"}]
axes: {n: [4, 8, 16], placement: random}
figures:
`

// overN is a figure with an answer.
const overN = `  - name: f%d
    y: messages
    curves: [{algorithm: lcr, bound: worst, label: "*worst*"}, {factor: 2, power: 1, label: "2*n*"}]
    answers: %s
`

// compareEnds runs a sweep of figures, and compares the ends of their captions, as if it were
// complete or not. A wanted end that ends with a blank is the beginning of one.
func compareEnds(t *testing.T, text string, complete bool, want []string) {
	t.Helper()
	s := sweeptest.Sweep(t, catalog.New(), text)
	sweeptest.Run(t, s)
	folder, err := results.Open(catalog.New(), s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	ends, err := figures.AnswersOf(folder, complete)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range want {
		got := ends[fmt.Sprintf("f%d", i)]
		if got != want && !(strings.HasSuffix(want, " ") && strings.HasPrefix(got, want) && strings.Contains(got, " against ")) {
			t.Errorf("figure %d: %s, want\n%s", i, got, want)
		}
	}
}

// A caption ends with the answer if the rows hold its claims, and says that they do not if they
// do not, at which place, and by what numbers.
func TestAnswers(t *testing.T) {
	text := answered
	var want []string
	for _, c := range []struct{ holds, want string }{
		{"`Chang, one` < LCR for x >= 16", "Answer: So."},
		{"LCR < `Chang, one` for x >= 16", "Not shown by these rows: So. (LCR < `Chang, one` for x >= 16: it fails at x = 16, "},
		{"LCR == LCR(4) for x == 4", "Not shown by these rows: So. (LCR == LCR(4) for x == 4: it fails at x = 4, "}, // its mean has an interval
		{"max(y) <= worst && min(`Chang, one`) >= 2*x", "Answer: So."},
		{"2 * `2n`(8) == 32 && max(y) < 1000", "Answer: So."},
		{"y > 2 * x for x > 8", "Answer: So."},
		{"`Chang, one` > y for x > 4", "Not shown by these rows: So. (`Chang, one` > y for x > 4: it fails for LCR at x = 8, "},
		{"max(LCR) > y for x >= 8", "Answer: So."},
		{"LCR(16) > 2 * LCR(4) && worst(16) > 2 * worst(8)", "Answer: So."},
		{"LCR > y for x > 100", "Not shown by these rows: So. (LCR > y for x > 100: no point is compared.)"},
		{"sd(LCR) > 0 && median(LCR) <= max(LCR) && x * 1 <= 16", "Answer: So."},
	} {
		text += fmt.Sprintf(overN, len(want), "{says: So, holds: \""+c.holds+"\"}")
		want = append(want, c.want)
	}
	text += fmt.Sprintf(overN, len(want), `"*n* is 5_{0}."`)
	compareEnds(t, text, true, append(want, "In the words of its author, held by no claim: n is 5_0."))
}

// Fewer rows hold fewer claims: the intervals are wider. An incomplete sweep holds none.
func TestAnswersDependOnTheRows(t *testing.T) {
	text := answered + fmt.Sprintf(overN, 0, "{says: So, holds: LCR < 9.5 for x == 4}")
	compareEnds(t, strings.Replace(text, "replicates: 30", "replicates: 500", 1), true, []string{"Answer: So."})
	compareEnds(t, strings.Replace(text, "replicates: 30", "replicates: 3", 1), true, []string{"Not shown by these rows: So. (LCR < 9.5 for x == 4: it fails at x = 4, "})
	compareEnds(t, text, false, []string{"Not shown by these rows: So. (the sweep is not complete.)"})
}

// At a loss of 100 % nobody decides, so the point has no value. A claim about it is not shown.
func TestAnswersWithoutValues(t *testing.T) {
	const text = `name: a
replicates: 3
outside_model: true
algorithms: [{algorithm: ringlist, label: ring, initiators: first}]
axes: {n: 8, link: ["loss 0%", "loss 100%"], max_time: 1s}
figures:
  - {name: f0, x: {axis: link, number: true}, y: decided_time, answers: {says: So, holds: ring(100) > ring(0)}}
  - {name: f1, x: {axis: link, number: true}, y: decided_time, answers: {says: So, holds: ring > 1}}
`
	compareEnds(t, text, true, []string{"Not shown by these rows: So. (ring(100) > ring(0): there is no value of ring(100).)", "Answer: So."})
}

// The panels of a grid answer one by one, and boxes over categories, heat maps and figures
// without an x are held, too.
func TestAnswersOfKinds(t *testing.T) {
	text := answered
	var want []string
	for _, c := range []struct{ figure, want string }{
		{"kind: box, x: label, series: [], where: {n: 16}, y: messages, answers: {says: So, holds: \"y(`LCR`) > 1 && y(`Chang, one`) > 1\"}", "Answer: So."},
		{"kind: box, x: {axis: n, ordinal: true}, y: messages, series: [label], answers: {says: So, holds: LCR(16) > 16 && max(LCR) > x}", "Answer: So."},
		{"kind: heatmap, x: n, y: label, z: messages, answers: {says: So, holds: LCR > y for x >= 16}", "Answer: So."},
		{"kind: heatmap, x: label, y: n, z: messages, answers: {says: So, holds: \"`n = 16`(`LCR`) > `n = 4`(`LCR`)\"}", "Answer: So."},
		{"kind: ecdf, where: {n: 16}, y: messages, series: [label], answers: {says: So, holds: LCR > y}", "Answer: So."},
		{"kind: histogram, where: {n: 16}, y: messages, series: [label], answers: {says: So, holds: LCR < y}", "Not shown by these rows: So. (LCR < y: it fails for Chang, one, "},
		{"kind: grid, panels: [{y: messages, answers: {says: Yes, holds: y > 1}}, {y: bits}, {y: messages, answers: {says: So, holds: y < 1}}, {y: messages, answers: Mine}]", "(a) Answer: Yes. (c) Not shown by these rows: So. (y < 1: it fails for LCR at x = 4, "},
		{"y: messages", ""},
	} {
		text += fmt.Sprintf("  - {name: f%d, %s}\n", len(want), c.figure)
		want = append(want, c.want)
	}
	compareEnds(t, text, true, want)
}

// The answer is a line of its own in the caption as text, and the end of that for LaTeX.
func TestAnswerEndsTheCaption(t *testing.T) {
	s := sweeptest.Sweep(t, catalog.New(), answered+fmt.Sprintf(overN, 0, "{says: Fewer than 50 %, holds: LCR < 1000}"))
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	if got := string(sweeptest.Read(t, s, "figures/f0.txt")); !strings.HasSuffix(got, "seed 1.\nAnswer: Fewer than 50 %.\n") {
		t.Error(got)
	}
	if got := string(sweeptest.Read(t, s, "figures/f0.tex")); !strings.Contains(got, `seed 1. Answer: Fewer than 50 \%.}`) {
		t.Error(got)
	}
	if got := string(sweeptest.Read(t, s, "README.md")); !strings.Contains(got, "f0.png)\n\nAnswer: Fewer than 50 %.\n") {
		t.Error(got)
	}
}

// A claim about what the figure does not draw is refused before the sweep runs.
func TestAnswersOfOthersAreRefused(t *testing.T) {
	for holds, want := range map[string]string{
		"LRC < 3":        `names "LRC", which the figure does not draw: it draws "LCR", "Chang, one", "worst", "2n"`,
		"y(5) < 3":       "names the place 5 along x, at which the figure has no point",
		"max(`2n`) < 3":  `asks for the max of the curve "2n", which has no trials`,
		"`2n` < 3":       `compares "2n" at no place`,
		"y(4) < `worst`": `compares "worst" at no place`,
	} {
		s := sweeptest.Sweep(t, catalog.New(), answered+fmt.Sprintf(overN, 0, "{says: So, holds: \""+holds+"\"}"))
		folder := &results.Folder{Registry: s.Registry, Text: s.Text, Spec: s.Spec, Cells: s.Spec.Cells(), Dir: filepath.Join(s.Dir, "none")}
		err := figures.Rehearse(folder, true)(&s.Spec.Figures[0])
		if err == nil || !strings.Contains(err.Error(), "the claim "+want) {
			t.Errorf("%s: %v, want %s", holds, err, want)
		}
	}
}

// Each figure of the sweeps that come with the project has an answer that its rows have to hold.
func TestFiguresAnswer(t *testing.T) {
	claims := 0
	for _, f := range charts(rehearsedSpecs(t)) {
		if f.Answer.Holds == nil || !strings.HasSuffix(f.Answer.Says, ".") {
			t.Errorf("%s answers %q, held by %v", f.Name, f.Answer.Says, f.Answer.Holds)
		}
		claims += len(f.Answer.Holds)
	}
	if claims < 150 {
		t.Errorf("%d claims", claims)
	}
}
