package cidon_test

import (
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/cidon"
	"bullring/protocols/wave/internal/wavetest"
)

// Process 1 sends the token to 3, of whose visit it hears later. Then it sends the token home.
func TestTrace(t *testing.T) {
	states := wavetest.Traced(t, "sent-again", netem.Complete(4), []protocols.ID{0}, des.Uniform(0, 2*time.Millisecond), func(protocols.ID) wave.Process[cidon.Message] { return cidon.New(false) })
	wavetest.Fathers(t, states, wave.Nobody, 0, 1, 2)
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, cidon.Message{Type: cidon.Token}, "TOKEN", 8)
	wavetest.Printed(t, cidon.Message{Type: cidon.Vis}, "VIS", 8)
	wavetest.Panics(t, "a message of an unknown type", func() { cidon.New(false).Receive(nil, 0, cidon.Message{Type: 7}) })
}
