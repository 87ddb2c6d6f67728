package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

// A schedule that ends with "go on" is followed to the end of the run: it needs no other
// step, it may begin with any, and draws come from the seed.
func TestScheduleGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ setting, schedule, want string }{
		{`"algorithm": "lcr", "n": 3`, `"timers free", "go on"`, "outcome elected"},
		{`"algorithm": "lcr", "n": 3`, `"timers free", "start 1", "go on"`, "step 2 start 0"},
		{`"algorithm": "bully", "n": 3`, `"timers free", "start 0", "start 1", "start 2", "crash 2", "go on"`, "outcome no leader"},
		{`"algorithm": "bully", "n": 3, "initiators": "0", "dead": "last"`, `"timers bounded 1", "go on"`, "timeout 1 timer 0 (run)"},
		{`"algorithm": "itairodeh", "n": 3, "seed": 4`, `"timers free", "go on"`, "| chooses"},
		{`"algorithm": "tokenring", "n": 3`, `"timers free", "crash 2", "go on"`, "step 2 boot 0"}, // which never begins its life
		{`"algorithm": "lcr", "n": 3`, `"timers free", "start 0", "start 1", "start 2", "lose 2->0 PROBE(3)", "go on"`, "outcome no leader"},
	} {
		if err := os.WriteFile("case.json", []byte(`{"setting": {`+c.setting+`, "schedule": [`+c.schedule+`]}}`), 0o644); err != nil {
			t.Fatal(err)
		}
		got := bullring(t, "run", "--schedule", "case.json", "--trace")
		if got.status != 0 || !strings.Contains(strings.Join(strings.Fields(got.out), " "), c.want) || !strings.Contains(got.out, ", then on to the end") {
			t.Errorf("%s, %s: status %d, %s%s", c.setting, c.schedule, got.status, got.out, got.errors)
		}
		if again := bullring(t, "run", "--schedule", "case.json", "--trace"); again != got {
			t.Errorf("%s, %s: two runs differ", c.setting, c.schedule)
		}
	}
	for schedule, want := range map[string]string{
		`"timers free", "go on", "start 0"`: `schedule, line 2: step "go on" is not understood`,
		`"timers free", "start 7", "go on"`: "there is no process 7",
	} {
		if err := os.WriteFile("case.json", []byte(`{"setting": {"algorithm": "lcr", "n": 3, "schedule": [`+schedule+`]}}`), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := bullring(t, "run", "--schedule", "case.json"); got.status != statusUsage || !strings.Contains(got.errors, want) {
			t.Errorf("%s: status %d, %s%s", schedule, got.status, got.out, got.errors)
		}
	}
}

// Whatever the algorithm and the timers: each step that a schedule goes on with is possible.
func TestEveryAlgorithmGoesOn(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, a := range catalog.New().All() {
		for _, timers := range []string{"free", "bounded 1", "bounded 2, restarts"} {
			if a.Name == "vkt" && timers != "free" {
				continue // it draws when its beacons begin, and these are no multiples of a step of time
			}
			text := fmt.Sprintf(`{"setting": {"algorithm": %q, "n": 3, "seed": 5, "schedule": ["timers %s", "go on"]}}`, a.Name, timers)
			if err := os.WriteFile("case.json", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if got := bullring(t, "run", "--schedule", "case.json"); got.status == statusUsage {
				t.Errorf("%s, timers %s: %s", a.Name, timers, got.errors)
			}
		}
	}
}
