package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// object is what a command prints, which has to be one JSON object.
func object(t *testing.T, args ...string) (v map[string]any, status int) {
	t.Helper()
	got := bullring(t, args...)
	d := json.NewDecoder(strings.NewReader(got.out))
	if err := d.Decode(&v); err != nil || d.More() {
		t.Errorf("%q: %v, %q, %s", args, err, got.out, got.errors)
	}
	return v, got.status
}

// The smallest failing run and its replay, as data.
func TestShrinkAsJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	wrong := []string{"bully", "--n", "3", "--initiators", "0", "--fault", "partition {0 1 | 2}", "--outside-model"}

	shrunk, status := object(t, append([]string{"shrink"}, append(wrong, "--json", "-o", "case.json")...)...)
	if status != 0 || shrunk["shows"] != "E1" || shrunk["file"] != "case.json" || shrunk["run"].(map[string]any)["outcome"] == nil {
		t.Errorf("shrink: status %d, %v", status, shrunk)
	}
	again, status := object(t, "replay", "case.json", "--json")
	if again["same"] != true || again["difference"] != nil || again["run"].(map[string]any)["fingerprint"] != shrunk["run"].(map[string]any)["fingerprint"] {
		t.Errorf("replay: status %d, %v", status, again)
	}
}

// A trace beside JSON is JSON, a record a line, and has the records of the text.
func TestTraceAsJSON(t *testing.T) {
	args := []string{"run", "bully", "--n", "3", "--initiators", "0", "--dead", "last", "--trace"}
	text := bullring(t, args...).out
	lines := strings.Split(strings.TrimSpace(bullring(t, append(args, "--json")...).errors), "\n")
	sent := 0
	for i, line := range lines {
		var r struct {
			Time    *int64
			What    string
			Process *int
			Message string
			Sends   []struct{ Message string }
		}
		if err := json.Unmarshal([]byte(strings.Replace(line, `"time_ns"`, `"time"`, 1)), &r); err != nil || r.Time == nil || r.Process == nil {
			t.Fatalf("line %d: %v, %s", i+1, err, line)
		}
		printed := strings.Split(text, "\n")[i]
		if !strings.Contains(printed, r.What) || !strings.Contains(printed, r.Message) {
			t.Errorf("line %d is %s; in words %s", i+1, line, printed)
		}
		sent += len(r.Sends)
	}
	if sent == 0 || !strings.Contains(text, "is the leader") || !strings.Contains(strings.Join(lines, "\n"), `"decides":"is the leader"`) {
		t.Errorf("%d messages sent; %s", sent, strings.Join(lines, "\n"))
	}
}
