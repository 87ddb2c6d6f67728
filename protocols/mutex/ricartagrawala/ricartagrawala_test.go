package ricartagrawala_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/ricartagrawala"
)

func run(t *testing.T, n int, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[ricartagrawala.Message] {
		return ricartagrawala.New(id, n, ricartagrawala.Config{})
	})
}

// 2(N-1) messages an entry (abstract), and a round trip.
func TestOneRequest(t *testing.T) { mutextest.OneAsksEverybody(t, run) }

// One message time between an exit and the next entry: the REPLY that was put off.
func TestAllAtZero(t *testing.T) { mutextest.AllAskEverybody(t, run) }

// workloads are closed loops, with and without pauses, and an open one.
var workloads = []mutex.Workload{
	{Requests: 4, Hold: mutextest.Unit},
	{Requests: 4, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}},
	{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}, Open: true},
}

// 2(n-1) an entry whatever the schedule. Links need not be FIFO (section 2: messages may
// arrive in another order).
func TestAnySchedule(t *testing.T) {
	const n, entries = 5, 20
	for nw := range mutextest.RandomDelays(50) {
		for _, unordered := range []bool{false, true} {
			for _, work := range workloads {
				nw.Requesters, nw.Work, nw.Unordered = mutextest.All(n), work, unordered
				r := run(t, n, nw)
				mutextest.Want(t, r, entries)
				if want := (n - 1) * entries; !slices.Equal(r.Sent, []int{want, want}) {
					t.Fatalf("%v, seed %d: sent %v, want %d of each", nw.Delay, nw.Seed, r.Sent, want)
				}
			}
		}
	}
}

// The synchronization delay is one message.
func TestSaturation(t *testing.T) {
	r := run(t, 6, mutextest.Network{Requesters: mutextest.All(6), Work: mutex.Workload{Requests: 20, Hold: mutextest.Unit}})
	mutextest.Want(t, r, 120)
	if r.Handover != mutextest.Unit || r.Handovers != 119 {
		t.Errorf("%d handovers of %v", r.Handovers, r.Handover)
	}
}

// Any process dies: no process that asks afterwards enters, for n-2 replies are not enough.
func TestAnyCrashBlocks(t *testing.T) {
	const n = 4
	for dies := range protocols.ID(n) {
		r := run(t, n, mutextest.Network{
			Later: []mutextest.At{{ID: (dies + 1) % n, Time: time.Second}},
			Crash: []mutextest.At{{ID: dies, Time: mutextest.Unit}},
		})
		if r.Count != 0 || r.ToDead != 1 || r.Sent[ricartagrawala.Reply] != n-2 || r.Checks[1].Verdict != protocols.Undecided {
			t.Errorf("%d dies: %d entries, %d messages to the dead, sent %v, %v", dies, r.Count, r.ToDead, r.Sent, r.Checks)
		}
	}
}

func TestPanics(t *testing.T) {
	l := ricartagrawala.New(1, 3, ricartagrawala.Config{})
	mutextest.WantPanics(t, map[string]func(){
		"unknown message": func() { l.Receive(nil, 0, ricartagrawala.Message{Type: 2}) },
		"timer":           func() { l.Timeout(nil, 0) },
	})
}

func TestMessages(t *testing.T) {
	for kind, c := range []struct {
		m     ricartagrawala.Message
		bits  int
		print string
	}{
		{ricartagrawala.Message{Type: ricartagrawala.Request, Number: 3}, 72, "REQUEST(3)"},
		{ricartagrawala.Message{Type: ricartagrawala.Reply}, 8, "REPLY"},
		{ricartagrawala.Message{Type: ricartagrawala.Reply, Number: 3}, 72, "REPLY(3)"},
	} {
		if c.m.Kind() != min(kind, 1) || c.m.Bits() != c.bits || fmt.Sprint(c.m) != c.print {
			t.Errorf("%v: kind %d, %d bits", c.m, c.m.Kind(), c.m.Bits())
		}
	}
}

// Two of three ask at once; 2, which asks later, waits for both.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, mutextest.Network{
		Requesters: []protocols.ID{0, 1}, Later: []mutextest.At{{ID: 2, Time: mutextest.Hops(3) / 2}},
		Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)}, Trace: &trace,
	})
	golden.Check(t, "three.txt", trace.Bytes())
}
