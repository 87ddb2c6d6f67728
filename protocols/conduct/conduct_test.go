package conduct

import (
	"fmt"
	"strings"
	"testing"

	"bullring/protocols"
)

// counter is a process whose state is a number.
type counter struct{ n int }

// run is a run of so many calls, each of which adds what step says.
func run(before *Watch, calls int, step func(call int) int) *Watch {
	w, p := New(before), &counter{}
	w.seat(0, p)
	for i := range calls {
		w.begin(0, fmt.Sprintf("Timeout(%d)", i))
		p.n += step(i)
		w.end(0, nil, nil)
	}
	w.Finish()
	return w
}

func one(int) int { return 1 }

// The first call that differs is told, and no other; a run that is longer or shorter than
// the one before is another.
func TestRunsAreCompared(t *testing.T) {
	first := run(nil, 10, one)
	for name, c := range map[string]struct {
		again *Watch
		says  string
	}{
		"same":    {run(first, 10, one), ""},
		"differs": {run(first, 10, func(i int) int { return 1 + i/7 }), "Timeout(7) of process 0 (call 8) leaves its process as {n:8}, and in the same run again as {n:9}"},
		"shorter": {run(first, 9, one), "the run ends after call 9, and the same run before went on with Timeout(9) of process 0"},
		"longer":  {run(first, 11, one), "Timeout(10) of process 0 (call 11) comes after the last of the same run before"},
	} {
		found := c.again.Findings()
		if c.says == "" && len(found) == 0 {
			continue
		}
		if len(found) != 1 || found[0].Rule != Deterministic || found[0].Text != c.says {
			t.Errorf("%s: %v; want %q", name, found, c.says)
		}
	}
}

// Of a long run the first calls are compared, and that is said.
func TestLongRuns(t *testing.T) {
	first := run(nil, mostCalls+1, one)
	if first.Compared() || len(first.calls) != mostCalls {
		t.Errorf("%d of %d calls are kept, compared %v", len(first.calls), first.Calls(), first.Compared())
	}
	again := run(first, mostCalls+1, func(i int) int { return 1 + i/mostCalls })
	if len(again.Findings()) != 0 {
		t.Errorf("calls that are not compared differ: %v", again.Findings())
	}
}

// What changes a process from outside is noticed with many processes as well, where it is
// not known what did.
func TestManyProcesses(t *testing.T) {
	w, processes := New(nil), make([]*counter, 2*mostLooked)
	for p := range processes {
		processes[p] = &counter{}
		w.seat(protocols.ID(p), processes[p])
	}
	w.begin(0, "Start")
	processes[1].n = 7
	w.end(0, nil, nil)
	w.begin(1, "Start")
	w.end(1, nil, nil)
	if f := w.Findings(); len(f) != 1 || f[0].Rule != Separate || !strings.Contains(f[0].Text, "something between its calls changes process 1: {n:7}") {
		t.Error(f)
	}
}
