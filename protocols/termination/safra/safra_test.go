package safra_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/internal/terminationtest"
	"bullring/protocols/termination/safra"
)

// Probes begin at process 1. Active processes hold the token, and the probe that finds all white is the last.
func TestTrace(t *testing.T) {
	terminationtest.Trace(t, "safra.txt", func(p protocols.ID) termination.Process[safra.Message] {
		return safra.New(p, terminationtest.Work(p), safra.Config{Processes: 4, Leader: 1})
	})
}

func TestMessages(t *testing.T) {
	terminationtest.Prints(t, safra.Message{Type: safra.Work}, "WORK", 8, "WORK")
	terminationtest.Prints(t, safra.Message{Type: safra.Token, Sum: -1, Black: true}, "TOKEN(-1, black)", 80, "TOKEN")
	terminationtest.Prints(t, safra.Message{Type: safra.Token, Sum: 2}, "TOKEN(2, white)", 80, "TOKEN")
}
