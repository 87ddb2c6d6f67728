package awerbuch_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/awerbuch"
	"bullring/protocols/wave/internal/wavetest"
)

// The token waits at each process for two units of time.
func TestTrace(t *testing.T) {
	states := wavetest.Traced(t, "diamond", wavetest.Diamond(), []protocols.ID{0}, wavetest.Unit(), func(protocols.ID) wave.Process[awerbuch.Message] { return awerbuch.New(false) })
	wavetest.Fathers(t, states, wave.Nobody, 0, 1, 2)
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, awerbuch.Message{Type: awerbuch.Token}, "TOKEN", 8)
	wavetest.Printed(t, awerbuch.Message{Type: awerbuch.Vis}, "VIS", 8)
	wavetest.Printed(t, awerbuch.Message{Type: awerbuch.Ack}, "ACK", 8)
	wavetest.Panics(t, "a message of an unknown type", func() { awerbuch.New(false).Receive(nil, 0, awerbuch.Message{Type: 7}) })
}
