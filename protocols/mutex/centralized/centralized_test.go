package centralized_test

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
	"bullring/protocols/mutex/centralized"
	"bullring/protocols/mutex/internal/mutextest"
)

func run(t *testing.T, n int, coordinator protocols.ID, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[centralized.Message] {
		return centralized.New(id, coordinator)
	})
}

// One request costs a REQUEST, a GRANT and a RELEASE, and nothing at the coordinator.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for coordinator := range protocols.ID(n) {
			for who := range protocols.ID(n) {
				r := run(t, n, coordinator, mutextest.Network{Requesters: []protocols.ID{who}})
				mutextest.Want(t, r, 1)
				want, entry := []int{1, 1, 1}, mutextest.Hops(2)
				if who == coordinator {
					want, entry = []int{0, 0, 0}, 0
				}
				if !slices.Equal(r.Sent, want) || r.Entries[0].At != entry {
					t.Errorf("n=%d, coordinator %d, %d asks: sent %v, entered at %v; want %v at %v", n, coordinator, who, r.Sent, r.Entries[0].At, want, entry)
				}
			}
		}
	}
}

// All ask at 0, the coordinator a server of its own or one of them: the counts and
// the instants of all entries.
func TestAllAtZero(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for coordinator := range protocols.ID(n) {
			for _, cs := range []int{0, 1, 3} {
				nw := mutextest.Network{Requesters: mutextest.Others(n, coordinator), Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(cs)}}
				var want []time.Duration
				for k := range n - 1 {
					want = append(want, mutextest.Hops(2+k*(cs+2)))
				}
				server := run(t, n, coordinator, nw)
				mutextest.Want(t, server, n-1)
				if got := server.Instants(); server.Total != 3*(n-1) || !slices.Equal(got, want) {
					t.Errorf("n=%d, server %d, cs=%d: %d messages, entries at %v; want %d, %v", n, coordinator, cs, server.Total, got, 3*(n-1), want)
				}

				nw.Requesters = mutextest.All(n)
				want = []time.Duration{0}
				for k := range n - 1 {
					want = append(want, mutextest.Hops(max(1, cs)+1+k*(cs+2)))
				}
				member := run(t, n, coordinator, nw)
				mutextest.Want(t, member, n)
				if got := member.Instants(); member.Total != 3*(n-1) || !slices.Equal(got, want) {
					t.Errorf("n=%d, coordinator %d, cs=%d: %d messages, entries at %v; want %d, %v", n, coordinator, cs, member.Total, got, 3*(n-1), want)
				}
			}
		}
	}
}

// With any requests, in any order of arrivals: three a request that is
// not the coordinator's, and never two inside.
func TestAnySchedule(t *testing.T) {
	const n, requests = 5, 4
	for nw := range mutextest.RandomDelays(50) {
		for _, unordered := range []bool{false, true} {
			for _, work := range []mutex.Workload{
				{Requests: requests, Hold: mutextest.Unit},
				{Requests: requests, Think: mutex.Pause{Mean: mutextest.Hops(4), Random: true}},
				{Requests: requests, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(4), Random: true}, Open: true},
			} {
				nw.Requesters, nw.Work, nw.Unordered = mutextest.All(n), work, unordered
				r := run(t, n, 2, nw)
				mutextest.Want(t, r, n*requests)
				if want := (n - 1) * requests; !slices.Equal(r.Sent, []int{want, want, want}) {
					t.Fatalf("%v, seed %d: sent %v, want %d of each", nw.Delay, nw.Seed, r.Sent, want)
				}
			}
		}
	}
}

// In saturation every handover takes a RELEASE and a GRANT.
func TestSaturation(t *testing.T) {
	for _, cs := range []int{0, 1, 5} {
		r := run(t, 6, 0, mutextest.Network{Requesters: mutextest.Others(6, 0), Work: mutex.Workload{Requests: 20, Hold: mutextest.Hops(cs)}})
		mutextest.Want(t, r, 100)
		if r.Total != 300 || r.Handover != mutextest.Hops(2) || r.Handovers != 99 || r.Fairness < 0.999 {
			t.Errorf("cs=%d: %d messages, %d handovers of %v, fairness %v", cs, r.Total, r.Handovers, r.Handover, r.Fairness)
		}
	}
}

// If the coordinator dies, the waiting processes wait for ever; if the process inside
// dies, too.
func TestCrashBlocks(t *testing.T) {
	for _, dies := range []protocols.ID{0, 1} {
		r := run(t, 4, 0, mutextest.Network{
			Requesters: []protocols.ID{1, 2, 3}, Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(3)},
			Crash: []mutextest.At{{ID: dies, Time: mutextest.Hops(3)}},
		})
		if r.Count != 1 || r.Checks[0].Verdict != protocols.Holds || r.Checks[1].Verdict != protocols.Undecided {
			t.Errorf("%d dies: %d entries, %v", dies, r.Count, r.Checks)
		}
		if dies == 0 && r.ToDead != 1 {
			t.Errorf("%d messages to the dead coordinator; want the RELEASE", r.ToDead)
		}
	}
}

// One permission stays one: a GRANT that no process asked for is ignored.
func TestGrantUnasked(t *testing.T) {
	l := centralized.New(1, 0)
	l.Receive(nil, 0, centralized.Grant)
	if l.Granted() {
		t.Error("who never asked is let in")
	}
}

func TestPanics(t *testing.T) {
	l := centralized.New(1, 0)
	mutextest.WantPanics(t, map[string]func(){
		"unknown message": func() { l.Receive(nil, 0, centralized.Message(3)) },
		"timer":           func() { l.Timeout(nil, 0) },
	})
}

func TestMessages(t *testing.T) {
	for kind, m := range []centralized.Message{centralized.Request, centralized.Grant, centralized.Release} {
		if m.Kind() != kind || m.Bits() != 8 || fmt.Sprint(m) != m.Kinds()[kind] {
			t.Errorf("%v: kind %d, %d bits", m, m.Kind(), m.Bits())
		}
	}
}

// A server and two clients that ask at the same time, one inside after the other.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, 0, mutextest.Network{
		Requesters: []protocols.ID{1, 2}, Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(3)}, Trace: &trace,
	})
	golden.Check(t, "two-clients.txt", trace.Bytes())
}
