package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// improper are what the program of an algorithm can do that no run shows by itself, and
// what check says of it.
var improper = []struct{ variant, says string }{
	{"clock", "bad is not deterministic: Receive(RANK(4, [3 0 1]) from 1) of process 2"},
	{"order", "bad is not deterministic: Receive(RANK(4, [3 0 1]) from 1) of process 2"},
	{"global", "bad is not deterministic: Receive(RANK(4, [3 0 1]) from 1) of process 2"},
	{"hidden", "bad is not deterministic: Receive(RANK(4, [3 0 1]) from 1) of process 2"},
	{"sent", "bad changes a message that was sent: Receive(RANK(4, [3 0 1]) from 1) of process 2 changes RANK(3, [2]), which Start of process 2 had sent, to RANK(3, [-1])"},
	{"received", "bad changes a message that was sent: Receive(RANK(4, [3 0 1]) from 1) of process 2 changes RANK(4, [3 0 1]), which Receive(RANK(4, [3 0]) from 0) of process 1 had sent, to RANK(4, [-1 0 1])"},
	{"shared", "bad shares memory between processes: Receive(RANK(4, [3 0 1]) from 1) of process 2 changes process 0"},
	{"node", "bad uses a Node after its handler: Receive(RANK(4, [3 0 1]) from 1) of process 2 calls SetTimer of the Node of Start of process 2"},
}

// Each mistake is named with the handler, and a sweep is not begun with it.
func TestCheck(t *testing.T) {
	for _, c := range improper {
		for _, more := range [][]string{nil, {"--transport", "reliable(50ms,9)", "--topology", "biring"}, {"--detector", "heartbeat(10ms,30ms)", "--topology", "biring"}} {
			got := perform(t.Context(), badRegistry(), append([]string{"check", "bad", "--n", "4", "--outside-model", "--variant", c.variant}, more...)...)
			if got.status != statusFailed || !strings.Contains(got.errors, c.says) {
				t.Errorf("%s %v: status %d\n%s%s", c.variant, more, got.status, got.out, got.errors)
			}
		}
		dir := t.TempDir()
		spec := filepath.Join(dir, "s.yaml")
		text := "name: s\nreplicates: 3\nalgorithms: [{algorithm: bad, variant: good}, {algorithm: bad, variant: " + c.variant + "}]\naxes: {n: [8, 4]}\n"
		if err := os.WriteFile(spec, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := perform(t.Context(), badRegistry(), "sweep", spec, "-o", filepath.Join(dir, "out"))
		if got.status != statusFailed || !strings.Contains(got.errors, c.says) || !strings.Contains(got.errors, "; nothing was run; bullring check bad tells more") {
			t.Errorf("%s: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
		}
		if _, err := os.Stat(filepath.Join(dir, "out", "results.csv")); err == nil {
			t.Errorf("%s: the sweep has run", c.variant)
		}
	}
	for _, c := range panics {
		got := perform(t.Context(), badRegistry(), "check", "bad", "--n", "4", "--variant", c.variant)
		if got.status != statusFailed || !strings.Contains(got.errors, c.run) || !strings.Contains(got.errors, "bad_test.go:") {
			t.Errorf("%s: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
		}
	}
	if got := perform(t.Context(), badRegistry(), "check", "bad", "--variant", "good"); got.status != 0 || !strings.Contains(got.out, "NOTHING FOUND in 10 trials") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	got := perform(t.Context(), badRegistry(), "check", "bad", "--variant", "clock", "--json")
	if got.status != statusFailed || !strings.Contains(got.out, `"rule": "not deterministic"`) {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}

// A check of runs that were cut off says so.
func TestCheckCut(t *testing.T) {
	const says = "Not all calls were compared"
	for args, cut := range map[string]bool{"--n 4": false, "--n 4 --max-events 5": true} {
		got := perform(t.Context(), badRegistry(), append([]string{"check", "bad", "--variant", "good"}, words(args)...)...)
		if got.status != 0 || strings.Contains(got.out, says) != cut {
			t.Errorf("%s: status %d\n%s%s", args, got.status, got.out, got.errors)
		}
	}
}
