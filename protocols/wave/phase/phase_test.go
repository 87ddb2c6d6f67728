package phase_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/internal/wavetest"
	"bullring/protocols/wave/phase"
)

// One initiator; all four decide.
func TestTrace(t *testing.T) {
	on := wavetest.Diamond()
	states := wavetest.Traced(t, "diamond", on, []protocols.ID{0}, wavetest.Unit(), func(p protocols.ID) wave.Process[phase.Message] {
		return phase.New(phase.Config{Phases: 2, From: wavetest.Neighbors(on, p)})
	})
	for p, s := range states {
		if !s.Decided || s.Misses != wave.Nobody {
			t.Errorf("process %d: %+v", p, s)
		}
	}
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, phase.Message{Type: phase.Token}, "TOKEN", 8)
}
