package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bullring/experiments/catalog"
)

// The command that is printed, and the file that is written, are the run that was
// found.
func TestWorstAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{
		"changroberts --n 5", "lcr --n 10 --budget 200", "bully --n 4 --dead last --metric bits",
		"peterson --n 4 --metric depth --over ids,schedule", "bully --n 3 --over schedule --max-states 9 --budget 60",
	} {
		got := bullring(t, append([]string{"worst", "--json", "--out", "it.json"}, words(command)...)...)
		var found struct {
			Metric       string
			Value        float64
			Proven       bool
			UpToRotation bool `json:"up_to_rotation"`
			Again        string
			Bounds       []struct{ Metric, Relation string }
			Run          map[string]any
		}
		if err := json.Unmarshal([]byte(got.out), &found); err != nil || got.status != 0 {
			t.Fatalf("%s: status %d, %v, %s\n%s", command, got.status, err, got.errors, got.out)
		}
		names := map[string]string{"messages": "messages", "bits": "bits", "depth": "causal_depth"}
		if found.Run[names[found.Metric]] != found.Value {
			t.Errorf("%s: %s is %v, and %v in the run", command, found.Metric, found.Value, found.Run[names[found.Metric]])
		}
		for _, b := range found.Bounds {
			if b.Metric != names[found.Metric] || b.Relation != "<=" && b.Relation != "=" {
				t.Errorf("%s: bound %v", command, b)
			}
		}
		again := bullring(t, words(found.Again)[1:]...)
		if again.status != 0 || !strings.Contains(again.out, found.Run["fingerprint"].(string)) {
			t.Errorf("%s: %s: status %d, %s\n%s", command, found.Again, again.status, again.errors, again.out)
		}
		if kept := bullring(t, "replay", "it.json"); kept.status != 0 || !strings.Contains(kept.out, found.Run["fingerprint"].(string)) {
			t.Errorf("%s: replay: status %d, %s\n%s", command, kept.status, kept.errors, kept.out)
		}
	}
}

func TestWorstStatuses(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if got := perform(stopped, catalog.New(), "worst", "lcr"); got.status != statusInterrupted || got.out != "" {
		t.Errorf("stopped: status %d, %s%s", got.status, got.out, got.errors)
	}
	brief, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	if got := perform(brief, catalog.New(), "worst", "lcr", "--n", "40", "--budget", "1000000000"); got.status != statusInterrupted || !strings.Contains(got.out, "FOUND: ") {
		t.Errorf("stopped on the way: status %d, %s%s", got.status, got.out, got.errors)
	}
	for _, c := range []struct {
		command string
		status  int
		want    string
	}{
		{"worst lcr --metric depht", statusUsage, `--metric "depht": allowed are messages, bits, depth, time (did you mean "depth"?)`},
		{"worst lcr --over ids,shedule", statusUsage, `over "shedule" (did you mean "schedule"?); allowed are ids, initiators, schedule`},
		{"worst lcr --over initiators", statusUsage, "lcr assumes that every process initiates"},
		{"worst lcr --n 5000", statusUsage, "n is 5000; the worst case is looked for among up to 1000 processes"},
		{"worst bully --metric time --over schedule --timers free", statusUsage, "give bounded timers"},
		{"worst lcr --note x", statusUsage, "--note is for the file that --out writes"},
		{"worst lcr --n 3 --out /no/such/place", statusUsage, "no such file"},
		{"worst", statusUsage, "worst takes an algorithm; allowed are lcr, "},
	} {
		got := bullring(t, words(c.command)...)
		if got.status != c.status || !strings.Contains(got.errors, c.want) {
			t.Errorf("%s: status %d, %s", c.command, got.status, got.errors)
		}
	}
	for name, c := range map[string]struct {
		status int
		want   string
	}{
		"boastful": {statusFailed, "breaks a proven bound"},
		"silent":   {statusFailed, "check E2 is violated"},
	} {
		if got := perform(t.Context(), ownRegistry(), "worst", name, "--n", "3"); got.status != c.status || !strings.Contains(got.errors, c.want) || !strings.Contains(got.out, "PROVEN") {
			t.Errorf("%s: status %d, %s\n%s", name, got.status, got.errors, got.out)
		}
	}
	if got := perform(t.Context(), wrongRegistry(), "worst", "restless", "--n", "2"); got.status != statusUndecided || !strings.Contains(got.errors, "undecided: a run did not come to rest") {
		t.Errorf("restless: status %d, %s", got.status, got.errors)
	}
}
