package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"
)

// panics are what an algorithm can do to end its run, and how they are told of: in a run,
// and by the explorer.
var panics = []struct{ variant, run, explored string }{
	{"panics", "process 2 panics in Receive(RANK(4, [3 0 1]) from 1) at 3ms: boom", "boom"},
	{"escapes", "from 1) at 3ms: \\u001b[2J\\u202eboom\\u007f\\u0085\\xff", "boom"},
	{"stranger", "from 1) at 3ms: netem: process 2 has no link to 0 on the ring", "process 2 has no link to 0 on the ring"},
	{"negative", "from 1) at 3ms: netem: process 2 sets timer 1 to -1s", "process 2 sets timer 1 to -1s"},
	{"label", "from 1) at 3ms: netem: process 2 sets timer 1099511627776 to 1s", "process 2 sets timer 1099511627776"},
	{"kind", "from 1) at 3ms: netem: process 2 sends a message of kind 7; its type names the kinds 0 to 0", "kind 7"},
	{"maker", "bad panics outside of its handlers: no process", ""},
	{"bound", "bad panics outside of its handlers: no bound", ""},
}

// A panic of an algorithm is an error that names the process and the handler, and shows
// where in the program it was.
func TestRunPanics(t *testing.T) {
	for _, c := range panics {
		args := []string{"run", "bad", "--n", "4", "--variant", c.variant}
		got := perform(t.Context(), badRegistry(), args...)
		if got.status != statusFailed || !strings.Contains(got.out, "unfinished: panicked") || !strings.Contains(got.errors, c.run) {
			t.Errorf("%s: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
		}
		if !strings.Contains(got.errors, "bad_test.go:") || strings.Contains(got.errors, "goroutine") {
			t.Errorf("%s: it does not say where in the program:\n%s", c.variant, got.errors)
		}
		again := perform(t.Context(), badRegistry(), append(args, "--json")...)
		if again.status != statusFailed || !strings.Contains(again.out, `"end": "panicked"`) {
			t.Errorf("%s: status %d\n%s", c.variant, again.status, again.out)
		}
	}
	got := perform(t.Context(), badRegistry(), "run", "bad", "--n", "4", "--variant", "panics", "--trace")
	if want := "deliver 1 -> 2  RANK(4, [3 0 1])  | PANICS"; !strings.Contains(got.out, want) {
		t.Errorf("the trace does not say %q:\n%s", want, got.out)
	}
}

// A process that panics in a run also panics in the explorer, which plays the run to its
// end. The smallest run still panics.
func TestExplorePanics(t *testing.T) {
	for _, c := range panics {
		got := perform(t.Context(), badRegistry(), "explore", "bad", "--n", "4", "--variant", c.variant, "--shrink=false")
		switch c.variant {
		case "maker":
			if got.status != statusFailed || !strings.Contains(got.errors, c.run) {
				t.Errorf("%s: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
			}
		case "bound": // no run is held to it
		default:
			if got.status != statusFailed || !strings.Contains(got.out, "VIOLATED: no-panic") || !strings.Contains(got.out, c.explored) {
				t.Errorf("%s: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
			}
		}
	}
	got := perform(t.Context(), badRegistry(), "shrink", "bad", "--n", "6", "--variant", "panics", "--placement", "random")
	if got.status != 0 || !strings.Contains(got.out, `shows "no-panic"`) || !strings.Contains(got.out, "n 3,") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	for _, command := range []string{"criticality", "criticality --strike repair", "worst"} {
		got := perform(t.Context(), badRegistry(), append(words(command), "bad", "--n", "4", "--variant", "panics")...)
		if got.status != statusFailed || !strings.Contains(got.errors, "boom") {
			t.Errorf("%s: status %d\n%s%s", command, got.status, got.out, got.errors)
		}
	}
}

// A sweep ends at the first trial that panics, keeps the trials before it, and names the
// trial with the command that shows it. The same command ends in the same place.
func TestSweepPanics(t *testing.T) {
	for _, variant := range []string{"panics", "maker", "exits"} {
		dir := t.TempDir()
		spec := filepath.Join(dir, "s.yaml")
		text := "name: s\nreplicates: 3\nalgorithms: [{algorithm: bad, variant: " + variant + "}]\naxes: {n: [2, 4]}\n"
		if err := os.WriteFile(spec, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		for range 2 {
			got := perform(t.Context(), badRegistry(), "sweep", spec, "-o", out)
			for _, want := range []string{"row 4 (bad", "n=4", "replicate 1", "seed ", "panics", "bullring replay " + out + " 4", "bad_test.go:"} {
				if got.status != statusFailed || !strings.Contains(got.errors, want) {
					t.Errorf("%s: status %d, not %q\n%s%s", variant, got.status, want, got.out, got.errors)
				}
			}
			if !strings.Contains(got.out, "4 of 6") {
				t.Errorf("%s: what was done is not kept:\n%s", variant, got.out)
			}
		}
		got := perform(t.Context(), badRegistry(), "replay", out, "4", "--trace")
		if got.status != statusFailed || !strings.Contains(got.out, "unfinished: panicked") || !strings.Contains(got.out, "The run agrees with row 4") {
			t.Errorf("%s: status %d\n%s%s", variant, got.status, got.out, got.errors)
		}
		got = perform(t.Context(), badRegistry(), "sweep", spec, "-o", filepath.Join(dir, "parts"), "--shard", "0/2")
		if got.status != statusFailed || !strings.Contains(got.errors, "to see this run: bullring run bad") {
			t.Errorf("%s: status %d\n%s%s", variant, got.status, got.out, got.errors)
		}
		if got = performAt(t.Context(), clockwork.NewFakeClock(), badRegistry(), "sweep", spec, "--dry-run"); got.status != statusFailed || !strings.Contains(got.errors, "n=4") {
			t.Errorf("%s: status %d\n%s%s", variant, got.status, got.out, got.errors)
		}
	}
}

// Nothing is said of all runs of an algorithm that is not deterministic.
func TestExploreNotDeterministic(t *testing.T) {
	for _, variant := range []string{"clock", "order", "global", "hidden"} {
		for _, strategy := range []string{"bfs", "dfs", "random"} {
			got := perform(t.Context(), badRegistry(), "explore", "bad", "--n", "4", "--variant", variant, "--strategy", strategy)
			want := `bad is not deterministic: in the same state, "deliver 1->2 RANK(4, [3 0 1])" makes the process`
			if got.status != statusFailed || got.out != "" || !strings.Contains(got.errors, want) {
				t.Errorf("%s, %s: status %d\n%s%s", variant, strategy, got.status, got.out, got.errors)
			}
		}
	}
	if got := perform(t.Context(), badRegistry(), "explore", "bad", "--n", "4", "--variant", "good"); got.status != 0 {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	got := perform(t.Context(), badRegistry(), "worst", "bad", "--n", "4", "--variant", "clock", "--over", "schedule")
	if got.status != statusFailed || !strings.Contains(got.errors, "not deterministic") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}
