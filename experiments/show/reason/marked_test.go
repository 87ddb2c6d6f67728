package reason_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
)

// The explanation marks what the saved run lacks, its direct causes, and the message that came
// late, also where it arrives. Without a reason it marks the past.
func TestMarked(t *testing.T) {
	s := late
	s.Seed = 2
	e := explained(t, s)
	var got []string
	for i, marked := range e.Marked(e.Real) {
		if marked {
			got = append(got, strings.Join(strings.Fields(e.Real.Events[i].Record.Text("")), " "))
		}
	}
	want := []string{
		"384.514µs deliver 0 -> 1 ELECTION(1) | sends ANSWER(2) to 0, ELECTION(2) to 2, ELECTION(2) to 3, ELECTION(2) to 4",
		"2.339694ms deliver 1 -> 2 ELECTION(2) | sends ANSWER(3) to 1",
		"2.384514ms timeout 1 timer 0 (run) | sends COORDINATOR(2) to 0",
		"4.823238ms deliver 2 -> 1 ANSWER(3)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("marked are\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
	if e := explained(t, trial.Setting{Algorithm: "lcr", N: 4}); !slices.Equal(e.Marked(e.Real), e.Real.Slice()) {
		t.Errorf("without a reason, marked are %v and not the past", e.Marked(e.Real))
	}
}
