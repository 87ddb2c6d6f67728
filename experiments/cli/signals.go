package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// signals is the state of the signals that end the program. The context of a command
// carries it.
type signals struct {
	mu      sync.Mutex
	orderly bool // the command ends by itself when its context is cancelled
	came    bool // the first signal
}

type signalsKey struct{}

// grace is the time that an orderly command has to end after the first signal. A handler of an
// algorithm may never return.
const grace = 5 * time.Second

// withSignals returns a context that the first SIGINT or SIGTERM cancels. While the
// command is not [orderly], that signal ends the program at once. An orderly command has
// some time to end by itself. The second signal ends the program at once, whatever it is doing.
func withSignals(name string, grace time.Duration) context.Context {
	s := &signals{}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), signalsKey{}, s))
	got := make(chan os.Signal, 2)
	signal.Notify(got, os.Interrupt, syscall.SIGTERM)
	go func() {
		first := fmt.Errorf("%v signal received", <-got)
		if !s.first() {
			fmt.Fprintf(os.Stderr, "%s: interrupted: %v\n", name, first)
			os.Exit(statusInterrupted)
		}
		cancel(first)
		select {
		case <-got:
		case <-time.After(grace):
			fmt.Fprintf(os.Stderr, "%s: interrupted: %v, and the command did not end within %v\n", name, first, grace)
		}
		os.Exit(statusInterrupted)
	}()
	return ctx
}

// first notes the first signal, and reports whether the command ends by itself.
func (s *signals) first() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.came = true
	return s.orderly
}

// set sets whether the command ends by itself, unless a signal has come.
func (s *signals) set(orderly bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.came {
		s.orderly = orderly
	}
}

// orderly returns the context of a command, which from now on ends by itself when the
// context is cancelled, and prints the result so far. Before that there is nothing to
// print, and a signal ends the program at once.
func orderly(cmd *cobra.Command) context.Context {
	if s, ok := cmd.Context().Value(signalsKey{}).(*signals); ok {
		s.set(true)
	}
	return cmd.Context()
}

// abrupt undoes orderly: from now on a signal ends the program at once.
func abrupt(cmd *cobra.Command) {
	if s, ok := cmd.Context().Value(signalsKey{}).(*signals); ok {
		s.set(false)
	}
}
