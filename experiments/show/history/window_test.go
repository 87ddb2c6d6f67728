package history_test

import (
	"strings"
	"testing"

	"bullring/experiments/show/history"
)

// Five events at 0, 1, 1, 3 and 7 ns. Both moments belong to the window.
func TestWindow(t *testing.T) {
	times := []int64{0, 1, 1, 3, 7}
	event := func(k int) history.Moment { return history.Moment{Event: k} }
	at := func(ns int64) history.Moment { return history.Moment{Timed: true, At: ns} }
	for _, c := range []struct {
		from, to   history.Moment
		first, end int
		err        string
	}{
		{history.Moment{}, history.Moment{}, 0, 5, ""},
		{event(1), event(5), 0, 5, ""},
		{event(2), event(4), 1, 4, ""},
		{event(3), event(3), 2, 3, ""},
		{event(3), event(99), 2, 5, ""},
		{at(1), at(1), 1, 3, ""},
		{at(2), at(6), 3, 4, ""},
		{at(0), at(7), 0, 5, ""},
		{at(3), event(4), 3, 4, ""},
		{event(2), at(2), 1, 3, ""},
		{at(8), history.Moment{}, 0, 0, "no event is left: the run has 5, and the part would be from 6 to 5"},
		{event(4), event(3), 0, 0, "no event is left: the run has 5, and the part would be from 4 to 3"},
		{at(4), at(6), 0, 0, "no event is left: the run has 5, and the part would be from 5 to 4"},
	} {
		first, end, err := history.Window(c.from, c.to, len(times), func(i int) int64 { return times[i] })
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%+v to %+v: %v; want %s", c.from, c.to, err, c.err)
			}
			continue
		}
		if err != nil || first != c.first || end != c.end {
			t.Errorf("%+v to %+v: %d to %d, %v; want %d to %d", c.from, c.to, first, end, err, c.first, c.end)
		}
	}
	if first, end, err := history.Window(event(2), history.Moment{}, len(times), nil); first != 1 || end != 5 || err != nil {
		t.Errorf("without time: %d to %d, %v", first, end, err)
	}
	for _, c := range [][2]history.Moment{{at(1), {}}, {{}, at(1)}} {
		if _, _, err := history.Window(c[0], c[1], len(times), nil); err == nil || !strings.Contains(err.Error(), "without time") {
			t.Errorf("a time in a run without time: %v", err)
		}
	}
}
