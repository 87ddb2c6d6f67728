package cli

import (
	"fmt"
	"strings"
	"testing"
)

// A sweep that keeps a summary says what it keeps, and of a violated check which trial is the first: by
// its row, if that is kept, and otherwise by its conditions and seed.
func TestSweepKeepsASummary(t *testing.T) {
	const text = "name: demo\nreplicates: 2\nkeep: %s\nalgorithms: [silent]\naxes: {n: [3, 4]}\n"
	for keep, want := range map[string]string{
		"summary":            "in 4 trials a check is violated, inside the model; the first is trial 1: bullring replay out 1 says with which seed",
		"{rows: violations}": "to see the first: bullring why out 1",
	} {
		inDir(t, fmt.Sprintf(text, keep))
		said := "a summary"
		if keep != "summary" {
			said += ", and the rows of: violations"
		}
		if got := perform(t.Context(), ownRegistry(), "sweep", "demo.yaml", "-o", "out", "--dry-run"); got.status != 0 || !strings.Contains(got.out, said+"\n") {
			t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
		}
		got := perform(t.Context(), ownRegistry(), "sweep", "demo.yaml", "-o", "out")
		if words := strings.Join(strings.Fields(got.errors), " "); got.status != statusFailed || !strings.Contains(words, want) || !strings.Contains(got.out, said+"\n") {
			t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
		}
		got = perform(t.Context(), ownRegistry(), "replay", "out", "1")
		words := strings.Join(strings.Fields(got.out+got.errors), " ")
		if kept := keep != "summary"; strings.Contains(words, "has no row of trial 1, since the sweep keeps a summary; the trial is replicate 1 of silent n=3, with the seed ") == kept {
			t.Errorf("status %d, %s", got.status, words)
		}
		got = perform(t.Context(), ownRegistry(), "verify", "out", "--all")
		words = strings.Join(strings.Fields(got.out), " ")
		if alone := strings.Contains(words, "in digests alone, and not run again: 4 trials"); got.status != 0 || alone != (keep == "summary") {
			t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
		}
	}
}
