// Package terminationtest runs processes that detect termination, for the tests of their packages.
package terminationtest

import (
	"bytes"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/termination"
)

// Work is the computation of the traces: process 1 begins it, and each piece of work takes 2.5 delays.
func Work(id protocols.ID) termination.Config {
	return termination.Config{Initiator: id == 1, Messages: 3, Busy: 2500 * time.Microsecond}
}

// Trace compares the trace of a run of four processes with a golden one. Process 1 alone announces
// termination in it.
func Trace[M protocols.Message](t *testing.T, file string, boot func(protocols.ID) termination.Process[M]) {
	t.Helper()
	processes := make([]termination.Process[M], 4)
	net := netem.New(netem.Config{Topology: netem.Complete(4), Delay: des.Constant(time.Millisecond), FIFO: true, Seed: 12}, func(p protocols.ID) protocols.Process[M] {
		processes[p] = boot(p)
		return processes[p]
	})
	said := make([]termination.Status, 4)
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		now, before := processes[p].Status(), said[p]
		if said[p] = now; now.Active == before.Active && now.Announced == before.Announced {
			return ""
		}
		return now.String()
	}))
	net.StartAt(1, 0)
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, file, trace.Bytes())
	for p, process := range processes {
		if process.Status().Announced != (p == 1) {
			t.Errorf("process %d: %v", p, process.Status())
		}
	}
}

// Prints checks what a message is: its text, its bits and its kind.
func Prints(t *testing.T, m protocols.Message, text string, bits int, kind string) {
	t.Helper()
	if got := m.(interface{ String() string }).String(); got != text || m.Bits() != bits || m.Kinds()[m.Kind()] != kind {
		t.Errorf("%s, %d bits, %s; want %s, %d bits, %s", got, m.Bits(), m.Kinds()[m.Kind()], text, bits, kind)
	}
}
