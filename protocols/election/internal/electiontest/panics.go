package electiontest

import (
	"fmt"
	"strings"
	"testing"

	"bullring/protocols"
)

// WantPanic fails the test unless f panics with a text that contains these words.
func WantPanic(t *testing.T, words string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if text := fmt.Sprint(recover()); !strings.Contains(text, words) {
			t.Errorf("panic %q, want one that says %q", text, words)
		}
	}()
	f()
}

// Sink is the node of a process without a network. It drops every message.
type Sink[M any] struct {
	protocols.Node[M]
}

// Neighbor implements [protocols.Node].
func (Sink[M]) Neighbor(int) protocols.ID { return 1 }

// Send implements [protocols.Node].
func (Sink[M]) Send(protocols.ID, M) {}
