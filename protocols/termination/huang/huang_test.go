package huang_test

import (
	"testing"

	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/huang"
	"bullring/protocols/termination/internal/terminationtest"
)

// Process 1 is the agent. Weights come back until it has the whole.
func TestTrace(t *testing.T) {
	terminationtest.Trace(t, "huang.txt", func(p protocols.ID) termination.Process[huang.Message] {
		return huang.New(p, terminationtest.Work(p), 1)
	})
}

func TestMessages(t *testing.T) {
	terminationtest.Prints(t, huang.Message{Type: huang.Work, Weight: huang.Weight{3}}, "WORK(1/8)", 40, "WORK")
	terminationtest.Prints(t, huang.Message{Type: huang.Return, Weight: huang.Weight{1, 3, 40}}, "RETURN(1/2 + 1/8 + 2^-40)", 104, "RETURN")
	if text := (huang.Weight{-1, 0}).String(); text != "2^1 + 1" {
		t.Error(text)
	}
}
