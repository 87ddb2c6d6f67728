package threephase_test

import (
	"bytes"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/commit"
	"bullring/protocols/commit/threephase"
)

const delay = time.Millisecond

// run runs processes that vote yes, of which some crash at an instant, and returns them with the trace.
func run(t *testing.T, n int, crashes map[protocols.ID]time.Duration) ([]*threephase.Process, []byte) {
	t.Helper()
	processes := make([]*threephase.Process, n)
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: des.Constant(delay), FIFO: true}, func(p protocols.ID) protocols.Process[threephase.Message] {
		processes[p] = threephase.New(true, threephase.Config{Processes: n, Bound: delay})
		return processes[p]
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string { return processes[p].Said().String() }))
	for p := range protocols.ID(n) {
		net.StartAt(p, 0)
	}
	for p, at := range crashes {
		net.CrashAt(p, des.Time(at))
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	return processes, trace.Bytes()
}

// The coordinator crashes when all are committable, and the leader of the next phase in that one.
func TestTrace(t *testing.T) {
	_, trace := run(t, 4, map[protocols.ID]time.Duration{0: 3500 * time.Microsecond, 1: 5500 * time.Microsecond})
	golden.Check(t, "two-crashes.txt", trace)
}

// Whenever the coordinator crashes, and in whatever phase its successor does, the others decide: to
// abort if none of them is committable.
func TestDecidesWhoeverCrashes(t *testing.T) {
	const step = delay / 2
	seen := map[commit.Decision]int{}
	for first := range 14 {
		for second := range 26 {
			processes, _ := run(t, 4, map[protocols.ID]time.Duration{0: time.Duration(first) * step, 1: time.Duration(second) * step})
			two, three := processes[2].Said().Decision, processes[3].Said().Decision
			if two != three || two == commit.Undecided {
				t.Errorf("crashes after %d and %d half delays: %v and %v", first, second, processes[2].Said(), processes[3].Said())
			}
			seen[two]++
		}
	}
	if seen[commit.Abort] == 0 || seen[commit.Commit] == 0 {
		t.Errorf("decided: %v", seen)
	}
}
