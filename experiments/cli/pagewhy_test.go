package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// A page says why a check is violated, in the sentences of why, and marks what the saved run lacks,
// also of a run of more than 2,000 events. If the run is too long, it says that and marks the past.
func TestPagesExplain(t *testing.T) {
	for _, c := range []struct {
		run    string
		events int // at least
		marks  int // at most
		says   string
	}{
		{"bully --n 4 --fault 'at 1ms partition {0 1 | 2 3} for 20ms'", 1, 20, `because of the fault "at 1ms partition {0 1 | 2 3} for 20ms".`},
		{"lcr --n 70 --placement decreasing --fault 'drop 2485th message'", 2_001, 60, "because PROBE(70) from "},
		{"lcr --n 210 --placement decreasing --fault 'drop 22155th message'", 20_001, 30_000, "No reason is known here: the run has 22,"},
		{"lcr --n 3", 1, 20, ""},
	} {
		if testing.Short() && c.events > 20_000 {
			continue
		}
		got := bullring(t, words("view "+c.run+" --outside-model --data -o -")...)
		var d struct {
			Slice   []int
			Because []string
			Events  []json.RawMessage
		}
		if err := json.Unmarshal([]byte(got.out), &d); err != nil {
			t.Fatalf("%s: %v, %s", c.run, err, got.errors)
		}
		if len(d.Events) < c.events || len(d.Slice) == 0 || len(d.Slice) > c.marks || (d.Because == nil) != (c.says == "") {
			t.Errorf("%s: %d events, %d marked, %q", c.run, len(d.Events), len(d.Slice), d.Because)
			continue
		}
		switch {
		case c.says == "":
		case !strings.HasPrefix(d.Because[0], c.says):
			t.Errorf("%s: the page says %q, want %q", c.run, d.Because, c.says)
		case strings.HasPrefix(c.says, "because"):
			why := bullring(t, words("why "+c.run+" --outside-model")...).out
			for _, sentence := range d.Because {
				if !strings.Contains(why, sentence+"\n") {
					t.Errorf("%s: the page says %q, and why\n%s", c.run, sentence, why)
				}
			}
		}
	}
}
