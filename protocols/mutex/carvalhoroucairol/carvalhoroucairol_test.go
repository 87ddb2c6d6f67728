package carvalhoroucairol_test

import (
	"bytes"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/carvalhoroucairol"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/ricartagrawala"
)

func run(t *testing.T, n int, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[carvalhoroucairol.Message] {
		return carvalhoroucairol.New(id, n)
	})
}

// No process has a permission yet: 2(n-1) messages and a round trip.
func TestOneRequest(t *testing.T) { mutextest.OneAsksEverybody(t, run) }

// Permissions are given anew to the process that asks earlier: nothing is saved.
func TestAllAtZero(t *testing.T) { mutextest.AllAskEverybody(t, run) }

// workloads are closed loops, with and without pauses, and an open one.
var workloads = []mutex.Workload{
	{Requests: 4, Hold: mutextest.Unit},
	{Requests: 4, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}},
	{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}, Open: true},
}

// At most 2(n-1) an entry whatever the schedule, a REPLY for every REQUEST. Links need not
// be FIFO.
func TestAnySchedule(t *testing.T) {
	const n, entries = 5, 20
	kept := 0
	for nw := range mutextest.RandomDelays(50) {
		for _, unordered := range []bool{false, true} {
			for _, work := range workloads {
				nw.Requesters, nw.Work, nw.Unordered = mutextest.All(n), work, unordered
				r := run(t, n, nw)
				mutextest.Want(t, r, entries)
				if most := (n - 1) * entries; r.Sent[0] != r.Sent[1] || r.Sent[0] > most {
					t.Fatalf("%v, seed %d: sent %v, want as many of each, %d at most", nw.Delay, nw.Seed, r.Sent, most)
				}
				kept += 2*(n-1)*entries - r.Total
			}
		}
	}
	if kept == 0 {
		t.Error("no message was saved")
	}
}

// Carvalho and Roucairol: between 0 and 2(n-1) messages. A process that asks alone again and
// again pays once; if all ask at once again and again, all pay in full.
func TestPermissionsKept(t *testing.T) {
	for n := 2; n <= 8; n++ {
		alone := run(t, n, mutextest.Network{Requesters: []protocols.ID{1}, Work: mutex.Workload{Requests: 10}})
		mutextest.Want(t, alone, 10)
		if alone.Total != 2*(n-1) {
			t.Errorf("n=%d: %d messages for ten entries of one process, want %d", n, alone.Total, 2*(n-1))
		}
		// Two processes in turn, far apart in time: one permission goes to and fro.
		nw := mutextest.Network{
			Requesters: []protocols.ID{0}, Later: []mutextest.At{{ID: 1, Time: mutextest.Hops(50)}},
			Work: mutex.Workload{Requests: 10, Think: mutex.Pause{Mean: mutextest.Hops(100)}},
		}
		turns := run(t, n, nw)
		mutextest.Want(t, turns, 20)
		if want := 2*(n-1) + 2*(n-1) + 18*2; turns.Total != want {
			t.Errorf("n=%d: %d messages for twenty entries of two processes in turn, want %d", n, turns.Total, want)
		}
		const rounds = 10
		nw = mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: rounds, Hold: mutextest.Unit}}
		crowd := run(t, n, nw)
		mutextest.Want(t, crowd, rounds*n)
		if want := 2 * (n - 1) * rounds * n; crowd.Total != want {
			t.Errorf("n=%d: %d messages in saturation, want %d", n, crowd.Total, want)
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
	l := carvalhoroucairol.New(1, 3)
	mutextest.WantPanics(t, map[string]func(){
		"unknown message": func() { l.Receive(nil, 0, carvalhoroucairol.Message{Type: 2}) },
		"timer":           func() { l.Timeout(nil, 0) },
	})
}

// The first process keeps the permission of the third, and asks the second alone when it
// wants to enter again.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, mutextest.Network{
		Requesters: []protocols.ID{0}, Later: []mutextest.At{{ID: 1, Time: mutextest.Hops(4)}},
		Work: mutex.Workload{Requests: 2, Hold: mutextest.Hops(2), Think: mutex.Pause{Mean: mutextest.Hops(7)}}, Trace: &trace,
	})
	golden.Check(t, "two-of-three.txt", trace.Bytes())
}
