package verify_test

import (
	"testing"

	"bullring/experiments/campaign/verify"
)

// The answer is the weakest of those about the parts, and no part is left out.
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		found verify.Report
		want  verify.Answer
	}{
		{verify.Report{Again: 3, Own: []string{"CITATION.cff"}, Made: "v0"}, verify.Same},
		{verify.Report{Again: 3, NotRun: 1}, verify.NotCompared},
		{verify.Report{Again: 3, Changed: []string{"README.md"}}, verify.NotCompared},
		{verify.Report{Again: 3, Unmade: []string{"figures/f.svg"}}, verify.NotCompared},
		{verify.Report{Again: 3, Differ: 1}, verify.Differs},
		{verify.Report{Again: 3, Damage: []string{"a row"}}, verify.Differs},
		{verify.Report{Again: 3, Differ: 1, NotRun: 1, Changed: []string{"README.md"}}, verify.Differs},
		{verify.Report{Again: 3, Damage: []string{"a row"}, Unmade: []string{"README.md"}}, verify.Differs},
	} {
		if got := c.found.Answer(); got != c.want || c.found.Identical() != (c.want == verify.Same) {
			t.Errorf("%+v: %s, want %s", c.found, got, c.want)
		}
	}
}
