package dfs_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/dfs"
	"bullring/protocols/wave/internal/wavetest"
)

// Each time that the token meets a process again, it goes back.
func TestTrace(t *testing.T) {
	states := wavetest.Traced(t, "diamond", wavetest.Diamond(), []protocols.ID{0}, wavetest.Unit(), func(protocols.ID) wave.Process[dfs.Message] { return dfs.New(false) })
	wavetest.Fathers(t, states, wave.Nobody, 0, 1, 2)
}

func TestMessages(t *testing.T) {
	wavetest.Printed(t, dfs.Message{Type: dfs.Token}, "TOKEN", 8)
}
