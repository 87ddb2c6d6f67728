package scholten_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/internal/terminationtest"
	"bullring/protocols/termination/scholten"
)

// Process 1 is the root. Signals go back as processes leave the tree.
func TestTrace(t *testing.T) {
	terminationtest.Trace(t, "scholten.txt", func(p protocols.ID) termination.Process[scholten.Message] {
		return scholten.New(terminationtest.Work(p), p == 1)
	})
}

func TestMessages(t *testing.T) {
	terminationtest.Prints(t, scholten.Work, "WORK", 8, "WORK")
	terminationtest.Prints(t, scholten.Signal, "SIGNAL", 8, "SIGNAL")
}
