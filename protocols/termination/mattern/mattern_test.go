package mattern_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/internal/terminationtest"
	"bullring/protocols/termination/mattern"
)

// Process 1 begins the waves. Active processes answer late, and two waves agree in the end.
func TestTrace(t *testing.T) {
	terminationtest.Trace(t, "mattern.txt", func(p protocols.ID) termination.Process[mattern.Message] {
		return mattern.New(terminationtest.Work(p), p == 1, false)
	})
}

func TestMessages(t *testing.T) {
	terminationtest.Prints(t, mattern.Message{Type: mattern.Work}, "WORK", 8, "WORK")
	terminationtest.Prints(t, mattern.Message{Type: mattern.Ask}, "ASK", 8, "ASK")
	terminationtest.Prints(t, mattern.Message{Type: mattern.Reply, Counts: mattern.Counts{Sent: 2, Received: 1}}, "REPLY(2 sent, 1 received)", 136, "REPLY")
}
