package finn_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/finn"
	"bullring/protocols/wave/internal/wavetest"
)

// One initiator; all four decide.
func TestTrace(t *testing.T) {
	on := wavetest.Diamond()
	states := wavetest.Traced(t, "diamond", on, []protocols.ID{0}, wavetest.Unit(), func(p protocols.ID) wave.Process[finn.Sets] {
		return finn.New(wavetest.Neighbors(on, p))
	})
	for p, s := range states {
		if !s.Decided || s.Misses != wave.Nobody {
			t.Errorf("process %d: %+v", p, s)
		}
	}
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, finn.Sets{Reached: wave.Set("").With(0).With(2), Whole: wave.Set("").With(2)}, "SETS({0,2},{2})", 8+3*64)
}
