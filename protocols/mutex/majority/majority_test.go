package majority_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/maekawa"
	"bullring/protocols/mutex/majority"
)

func run(t *testing.T, n int, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[majority.Message] {
		return majority.New(id, n)
	})
}

// Without a rival: n-1 each of REQUEST, LOCKED and RELEASE, and a round trip.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for who := range protocols.ID(n) {
			r := run(t, n, mutextest.Network{Requesters: []protocols.ID{who}})
			mutextest.Want(t, r, 1)
			entry := mutextest.Hops(2)
			if n == 1 {
				entry = 0
			}
			if want := []int{n - 1, n - 1, 0, 0, 0, n - 1}; !slices.Equal(r.Sent, want) || r.Entries[0].At != entry {
				t.Errorf("n=%d, %d asks: sent %v, entered at %v; want %v at %v", n, who, r.Sent, r.Entries[0].At, want, entry)
			}
		}
	}
}

// Whatever the schedule, one at a time is inside and every process gets in, for 2(n-1) to
// 6n-3 messages an entry; votes are asked back and given back.
func TestAnySchedule(t *testing.T) {
	returned := 0
	for n := 2; n <= 7; n++ {
		for nw := range mutextest.RandomDelays(30) {
			for _, work := range []mutex.Workload{
				{Requests: 4},
				{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}},
				{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(20), Random: true}, Open: true},
			} {
				nw.Requesters, nw.Work = mutextest.All(n), work
				r := run(t, n, nw)
				entries := 4 * n
				mutextest.Want(t, r, entries)
				if r.Sent[maekawa.Request] != entries*(n-1) || r.Sent[maekawa.Release] != entries*(n-1) || r.Total > entries*(6*n-3) {
					t.Fatalf("n=%d, %v, seed %d: sent %v", n, nw.Delay, nw.Seed, r.Sent)
				}
				returned += r.Sent[maekawa.Relinquish]
			}
		}
	}
	if returned < 100 {
		t.Errorf("%d votes were given back: too few to say anything", returned)
	}
}

// A minority may be dead, as long as it wants nothing; then every live process gets in.
// Without a majority no process does.
func TestCrashOfVoters(t *testing.T) {
	for n := 3; n <= 7; n++ {
		for dead := 1; dead < n; dead++ {
			nw := mutextest.Network{Promise: mutex.Promise{Tolerant: true}}
			for p := range protocols.ID(n) {
				if int(p) < dead {
					nw.Crash = append(nw.Crash, mutextest.At{ID: p, Time: mutextest.Unit})
				} else {
					nw.Later = append(nw.Later, mutextest.At{ID: p, Time: mutextest.Hops(5)})
				}
			}
			r := run(t, n, nw)
			entries, verdict := n-dead, protocols.Holds
			if 2*(n-dead) <= n {
				entries, verdict = 0, protocols.Violated
			}
			if r.Count != entries || r.Checks[1].Verdict != verdict || r.MostInside > 1 {
				t.Errorf("%d of %d die: %d entries, %v", dead, n, r.Count, r.Checks)
			}
		}
	}
}

// A process that dies inside keeps the votes of a majority.
func TestCrashInsideBlocks(t *testing.T) {
	r := run(t, 5, mutextest.Network{
		Requesters: []protocols.ID{0}, Later: []mutextest.At{{ID: 1, Time: time.Second}},
		Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(5)}, Crash: []mutextest.At{{ID: 0, Time: mutextest.Hops(3)}},
	})
	if r.Count != 1 || r.Checks[1].Verdict != protocols.Undecided {
		t.Errorf("%d entries, %v", r.Count, r.Checks)
	}
}

// One of three is dead; the two others ask at once, and have a majority in turn.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, mutextest.Network{
		Later: []mutextest.At{{ID: 0, Time: mutextest.Unit}, {ID: 1, Time: mutextest.Unit}},
		Crash: []mutextest.At{{ID: 2, Time: 0}}, Trace: &trace,
	})
	golden.Check(t, "one-is-dead.txt", trace.Bytes())
}
