package twophase_test

import (
	"bytes"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/commit"
	"bullring/protocols/commit/twophase"
)

const delay = time.Millisecond

// run runs processes of which those at some addresses vote no, and returns them with the trace.
func run(t *testing.T, n int, cooperative bool, refuse []bool, disturb func(*netem.Network[twophase.Message])) ([]*twophase.Process, []byte) {
	t.Helper()
	processes := make([]*twophase.Process, n)
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: des.Constant(delay), FIFO: true}, func(p protocols.ID) protocols.Process[twophase.Message] {
		processes[p] = twophase.New(!refuse[p], twophase.Config{Processes: n, Bound: delay, Cooperative: cooperative})
		return processes[p]
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string { return processes[p].Said().String() }))
	for p := range protocols.ID(n) {
		net.StartAt(p, 0)
	}
	disturb(net)
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	return processes, trace.Bytes()
}

// The coordinator crashes before it decides, and comes back; process 3 has voted no.
func TestTrace(t *testing.T) {
	_, trace := run(t, 4, true, []bool{3: true}, func(net *netem.Network[twophase.Message]) {
		net.CrashAt(0, des.Time(1500*time.Microsecond))
		net.RestartAt(0, des.Time(10*delay))
	})
	golden.Check(t, "cooperative.txt", trace)
}

// Bernstein, Hadzilacos and Goodman 1987, section 7.4: basic, those in doubt wait for the coordinator;
// cooperative, they learn from one that has voted no.
func TestCooperation(t *testing.T) {
	for cooperative, want := range map[bool]commit.Decision{false: commit.Undecided, true: commit.Abort} {
		processes, _ := run(t, 4, cooperative, []bool{3: true}, func(net *netem.Network[twophase.Message]) {
			net.CrashAt(0, des.Time(1500*time.Microsecond))
		})
		if got := processes[1].Said().Decision; got != want || processes[3].Said().Decision != commit.Abort {
			t.Errorf("cooperative %v: decided %v, want %v", cooperative, got, want)
		}
	}
}
