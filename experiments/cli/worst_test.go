package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"bullring/experiments/catalog"
)

func TestWorst(t *testing.T) {
	for _, c := range []struct {
		command string
		want    []string
	}{
		{"lcr --n 6", []string{
			"PROVEN: no run in rounds costs more, over every placement of 1..6 (120 cases up to rotation, each in one order of events)\n",
			"messages    21\nidentities  5,4,3,2,1,6\ninitiators  0,1,2,3,4,5\n",
			"theory      worst <= 21, ratio 1, attained: n(n+1)/2 (+ n)",
			"again: bullring run lcr --ids 5,4,3,2,1,6 --seed 1\n",
		}},
		{"bully --n 8 --variant A --dead last --over initiators --initiators random:1", []string{
			"over every set of 1 initiator (7 cases, each in one order of events)", "messages    55\n", "worst <= 55, ratio 1, attained",
			"again: bullring run bully --n 8 --variant A --initiators 0 --dead last --seed 1\n",
		}},
		{"lcr --n 20 --budget 50", []string{"FOUND: none of 48 runs in rounds costs more, over every placement of 1..20 (1.22e+17 cases up to rotation)\n"}},
		{"changroberts --n 3 --metric time --over initiators,schedule --timers bounded", []string{
			"PROVEN: no run costs more, over every set of initiators and every schedule (7 cases, 144 states, timers bounded, delays in steps of 1ms)\n",
			"time, in delays  8\n", "again: --out FILE writes the run into a file, and bullring replay FILE repeats it\n",
		}},
		{"bully --n 3 --over schedule --timers free --max-states 50 --budget 100", []string{
			"OUTSIDE THE MODEL: delay exp(1ms) has no bound", "FOUND: none of 96 runs with random delays costs more, over every schedule (1 case); not every schedule was looked at: there are more than 50 states",
		}},
		{"itairodeh --n 4", []string{
			"FOUND for seed 1: none of 90 runs in rounds costs more, over every placement of 1..4 and every set of initiators (90 cases up to rotation).\n",
			"with those of another seed one may cost more", "--over ids,initiators,schedule follows every draw",
		}},
		{"dht --n 3", []string{"PROVEN for seed 1, which decides the identifiers: no run in rounds costs more"}},
		{"ghs --n 3", []string{"PROVEN for seed 1, which decides the weights of the links: "}},
		{"lelann --n 3 --topology ring", []string{"PROVEN: "}},
		{"echo --n 4 --topology er(0.9) --over initiators", []string{"PROVEN for seed 1, which decides the topology: "}},
		{"changroberts --n 3 --outside-model --fifo=false --metric bits", []string{"OUTSIDE THE MODEL: links are not FIFO", "PROVEN"}},
	} {
		got := bullring(t, append([]string{"worst"}, words(c.command)...)...)
		if got.status != 0 {
			t.Errorf("%s: status %d, %s", c.command, got.status, got.errors)
		}
		for _, want := range c.want {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: %q is missing in\n%s", c.command, want, got.out)
			}
		}
	}
}

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
