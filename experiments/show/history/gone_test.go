package history

import (
	"slices"
	"testing"

	"bullring/netem"
	"bullring/protocols"
)

// What is not there at the beginning is known from the first record on, also if that is a change.
func TestGone(t *testing.T) {
	for _, c := range []struct {
		first netem.Record
		now   [][2]protocols.ID
		want  [][2]protocols.ID
	}{
		{netem.Record{What: "start"}, [][2]protocols.ID{{0, 1}, {2, 3}}, [][2]protocols.ID{{0, 1}, {2, 3}}},
		{*netem.ChangeRecord(netem.Change{A: 1, B: 2, Up: true}), [][2]protocols.ID{{0, 1}, {2, 3}}, [][2]protocols.ID{{0, 1}, {1, 2}, {2, 3}}},
		{*netem.ChangeRecord(netem.Change{A: 0, B: 1}), [][2]protocols.ID{{0, 1}, {2, 3}}, [][2]protocols.ID{{2, 3}}},
		{*netem.ChangeRecord(netem.Change{A: 0, B: 1}), [][2]protocols.ID{{0, 1}}, nil},
	} {
		var l links
		if l.noteGone(c.now, &c.first); !slices.Equal(l.gone, c.want) {
			t.Errorf("first comes %q: %v are not there at the beginning, want %v", c.first.Note, l.gone, c.want)
		}
	}
}
