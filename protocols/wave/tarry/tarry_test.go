package tarry_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/internal/wavetest"
	"bullring/protocols/wave/tarry"
)

// The token goes over each of the five links of a diamond in both directions.
func TestTrace(t *testing.T) {
	states := wavetest.Traced(t, "diamond", wavetest.Diamond(), []protocols.ID{0}, wavetest.Unit(), func(protocols.ID) wave.Process[tarry.Message] { return tarry.New(false) })
	wavetest.Fathers(t, states, wave.Nobody, 0, 1, 2)
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, tarry.Message{Type: tarry.Token}, "TOKEN", 8)
}
