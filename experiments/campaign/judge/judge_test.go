package judge_test

import (
	"testing"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// Right algorithms are proven for the sizes that were explored, and no further.
func TestRight(t *testing.T) {
	for name, says := range map[string]string{
		"lcr":      "PROVEN for n = 2, 3 without faults: every run was explored, and none violates anything.",
		"floodset": "PROVEN for n = 2, 3 without faults or with up to 1 crash: every run was explored, and none violates anything.",
	} {
		c := judge.Case{Registry: catalog.New(), Setting: trial.Setting{Algorithm: name}, Sizes: []int{2, 3}, Settings: 100}
		r, err := c.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != judge.Proven || r.Sentences()[0] != says {
			t.Errorf("%s: %s: %q", name, r.Verdict, r.Sentences())
		}
	}
}
