package history

import (
	"slices"
	"testing"

	"bullring/netem"
)

// What is not there at the beginning is known from the first record on, also if that is a change.
func TestGone(t *testing.T) {
	for _, c := range []struct {
		first netem.Record
		now   []netem.Link
		want  []netem.Link
	}{
		{netem.Record{What: "start"}, []netem.Link{{A: 0, B: 1}, {A: 2, B: 3}}, []netem.Link{{A: 0, B: 1}, {A: 2, B: 3}}},
		{*netem.ChangeRecord(netem.Change{A: 1, B: 2, Up: true}), []netem.Link{{A: 0, B: 1}, {A: 2, B: 3}}, []netem.Link{{A: 0, B: 1}, {A: 1, B: 2}, {A: 2, B: 3}}},
		{*netem.ChangeRecord(netem.Change{A: 0, B: 1}), []netem.Link{{A: 0, B: 1}, {A: 2, B: 3}}, []netem.Link{{A: 2, B: 3}}},
		{*netem.ChangeRecord(netem.Change{A: 0, B: 1}), []netem.Link{{A: 0, B: 1}}, nil},
	} {
		var l links
		if l.noteGone(c.now, &c.first); !slices.Equal(l.gone, c.want) {
			t.Errorf("first comes %q: %v are not there at the beginning, want %v", c.first.Note, l.gone, c.want)
		}
	}
}
