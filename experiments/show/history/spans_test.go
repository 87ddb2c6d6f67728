package history_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/trial"
)

// spans prints the spans of a run: the text, and the instants of the two ends.
func spans(t *testing.T, fault string) string {
	t.Helper()
	h := of(t, trial.Setting{Algorithm: "bully", N: 3, Dead: "last", Fault: fault, MaxTime: "100ms"})
	var lines []string
	for _, s := range h.Spans() {
		at := "the end"
		if s.To > 0 {
			at = h.Events[s.To-1].At.String()
		}
		lines = append(lines, fmt.Sprintf("%s from %v to %s", s.Text, h.Events[s.From-1].At, at))
	}
	return strings.Join(lines, "; ")
}

func TestSpans(t *testing.T) {
	for _, c := range []struct{ fault, want string }{
		{"", ""},
		{"at 1ms crash 0 for 2ms", ""}, // an event of process 0
		{"at 1ms partition {0 | 1 2} for 2ms", "partition {0 | 1 2} from 1ms to 3ms"},
		{"at 1ms partition {0 | 1 2}; at 2ms heal", "partition {0 | 1 2} from 1ms to 2ms; heal from 2ms to 2ms"},
		{"at 1ms pause 0; at 1ms pause 0 for 1ms; at 3ms heal everything", "pause 0 from 1ms to 3ms; pause 0 from 1ms to 2ms; heal everything from 3ms to 3ms"},
		{"at 1ms cut 0->1 for 2ms; at 2ms cut 0->1 for 2ms", "cut 0->1 from 1ms to 3ms; cut 0->1 from 2ms to 4ms"},
		{"at 1ms cut 0->1 for 2ms; at 1ms cut 0->1 for 2ms", "cut 0->1 from 1ms to 3ms; cut 0->1 from 1ms to 3ms"},
		{"omit sends of 1", "omit sends of 1 from 0s to the end"},
		{"drop every ANSWER", "drop every ANSWER from 0s to the end"},
		{"drop 1st ELECTION", "drop 1st ELECTION from 0s to 0s"},
		{"drop 99th ELECTION", ""}, // it never struck
		{"crash 1 after 1 send of ANSWER", "crash 1 after 1 send of ANSWER from 1ms to 1ms"},
		{"when leader crash leader", "when leader crash leader from 0s to 0s"},
		{"lie 0 as 99", "lie 0 as 99 from 0s to the end"},
	} {
		if got := spans(t, c.fault); got != c.want {
			t.Errorf("%q: %s; want %s", c.fault, got, c.want)
		}
	}
}
