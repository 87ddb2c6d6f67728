package cli

import (
	"strings"
	"testing"
)

// A handler that ends its goroutine is named as one that panics, and the command ends. Searches
// meet it in a later run of a worker, and explorations in a goroutine of their own.
func TestHandlerExits(t *testing.T) {
	const (
		why  = "the handler ended its goroutine (runtime.Goexit)"
		says = "process 2 panics in Receive(RANK(4, [3 0 1]) from 1) at 3ms: " + why
	)
	for _, c := range []struct {
		line, says string
		status     int
	}{
		{"run bad", says, statusFailed},
		{"run bad --trace", says, statusFailed},
		{"why bad --json", says, 0},
		{"check bad", says, statusFailed},
		{"criticality bad", says, statusFailed},
		{"criticality bad --strike repair", says, statusFailed},
		{"explore bad", why, statusFailed},
		{"worst bad --over schedule", why, statusFailed},
		{"worst bad --over ids", why, statusFailed},
		{"shrink bad", why, 0}, // its work is done
	} {
		got := perform(t.Context(), badRegistry(), append(words(c.line), "--n", "4", "--variant", "exits")...)
		if !strings.Contains(got.out+got.errors, c.says) || got.status != c.status {
			t.Errorf("%s: status %d\n%s%s", c.line, got.status, got.out, got.errors)
		}
	}
}
