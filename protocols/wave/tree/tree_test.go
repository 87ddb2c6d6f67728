package tree_test

import (
	"testing"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/internal/wavetest"
	"bullring/protocols/wave/tree"
)

// On a line of four, the two in the middle decide.
func TestTrace(t *testing.T) {
	line, err := netem.ParseTopology("line", 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	states := wavetest.Traced(t, "line", line, []protocols.ID{0, 1, 2, 3}, wavetest.Unit(), func(protocols.ID) wave.Process[tree.Message] { return tree.New() })
	for p, s := range states {
		if s.Decided != (p == 1 || p == 2) || s.Misses != wave.Nobody {
			t.Errorf("process %d: %+v", p, s)
		}
	}
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, tree.Message{Type: tree.Token}, "TOKEN", 8)
}
