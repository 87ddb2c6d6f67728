package maekawa_test

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
	"bullring/protocols/mutex/maekawa"
)

// run has every process ask its quorum for all votes.
func run(t *testing.T, q maekawa.Quorums, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(len(q))
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[maekawa.Message] {
		return maekawa.New(id, maekawa.Config{Quorum: q[id], Votes: len(q[id])})
	})
}

// Without a rival it takes 3(K-1) messages, K-1 each of REQUEST, LOCKED and RELEASE
// (section 4), and a round trip.
func TestOneRequest(t *testing.T) {
	for _, system := range maekawa.Systems {
		for n := 1; n <= 31; n++ {
			q, err := maekawa.NewQuorums(system, n)
			if err != nil {
				continue
			}
			for who := range protocols.ID(n) {
				wantOne(t, run(t, q, mutextest.Network{Requesters: []protocols.ID{who}}), len(q[who]))
			}
		}
	}
}

func wantOne(t *testing.T, r mutextest.Result, k int) {
	t.Helper()
	mutextest.Want(t, r, 1)
	entry := mutextest.Hops(2)
	if k == 1 {
		entry = 0
	}
	if want := []int{k - 1, k - 1, 0, 0, 0, k - 1}; !slices.Equal(r.Sent, want) || r.Entries[0].At != entry {
		t.Fatalf("K=%d: sent %v, entered at %v; want %v at %v", k, r.Sent, r.Entries[0].At, want, entry)
	}
}

// All ask at 0, on planes: 3.33, 7.14, 11.08, 15.05 and 19.03 messages an entry, which
// is more than N for N = 3 and 7.
func TestAllAtZeroOnPlanes(t *testing.T) {
	for n, want := range map[int]int{3: 10, 7: 50, 13: 144, 21: 316, 31: 590} {
		for _, cs := range []int{0, 1, 3} {
			r := run(t, must(t, "plane", n), mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(cs)}})
			mutextest.Want(t, r, n)
			if r.Total != want {
				t.Errorf("n=%d, cs=%d: %d messages, want %d", n, cs, r.Total, want)
			}
		}
	}
}

// workloads are closed loops, with and without pauses, and an open one.
var workloads = []mutex.Workload{
	{Requests: 4},
	{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}},
	{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(20), Random: true}, Open: true},
}

// Whatever the schedule, one at a time is inside and every process gets in, for 3(K-1)
// to 6K-3 messages an entry; votes are asked back and given back.
func TestAnySchedule(t *testing.T) {
	returned := map[string]int{}
	for _, system := range maekawa.Systems {
		for _, n := range []int{2, 3, 4, 5, 7, 9} {
			q, err := maekawa.NewQuorums(system, n)
			if err != nil {
				continue
			}
			votes := 0
			for _, quorum := range q {
				votes += len(quorum)
			}
			for nw := range mutextest.RandomDelays(30) {
				for _, work := range workloads {
					nw.Requesters, nw.Work = mutextest.All(n), work
					r := run(t, q, nw)
					mutextest.Want(t, r, 4*n)
					returned[system] += wantCost(t, r, votes, n)
				}
			}
		}
	}
	if slices.Min([]int{returned["grid"], returned["plane"], returned["majority"]}) == 0 {
		t.Errorf("votes were given back %v times: too few to say anything", returned)
	}
}

// wantCost holds four requests of each of n processes, whose quorums have so many
// members together, to the bounds, and returns how many votes were given back.
func wantCost(t *testing.T, r mutextest.Result, members, n int) int {
	t.Helper()
	if once := 4 * (members - n); r.Sent[maekawa.Request] != once || r.Sent[maekawa.Release] != once {
		t.Fatalf("sent %v, want %d of REQUEST and RELEASE", r.Sent, once)
	}
	if least, most := 4*3*(members-n), 4*(6*members-3*n); r.Total < least || r.Total > most {
		t.Fatalf("%d messages, want %d to %d", r.Total, least, most)
	}
	return r.Sent[maekawa.Relinquish]
}

// Without the deadlock handling three requests at once are enough, each process having
// its own vote and no other.
func TestNaiveDeadlock(t *testing.T) {
	q := must(t, "plane", 3)
	naive := func(id protocols.ID) mutex.Lock[maekawa.Message] {
		return maekawa.New(id, maekawa.Config{Quorum: q[id], Votes: 2, Naive: true})
	}
	r := mutextest.Run(t, mutextest.Network{Topology: netem.Complete(3), Requesters: mutextest.All(3)}, naive)
	if c := r.Checks[1]; r.Count != 0 || c.Verdict != protocols.Violated || c.Detail != "deadlock: process 0 and 2 more wait for ever" {
		t.Errorf("%d entries, %v", r.Count, r.Checks)
	}
	for _, pair := range [][]protocols.ID{{0, 1}, {1, 2}, {0, 2}} {
		r := mutextest.Run(t, mutextest.Network{Topology: netem.Complete(3), Requesters: pair}, naive)
		mutextest.Want(t, r, 2)
		if want := []int{2, 2, 0, 0, 0, 2}; !slices.Equal(r.Sent, want) {
			t.Errorf("%v ask: sent %v, want %v", pair, r.Sent, want)
		}
	}
}

// A quorum needs all of its votes: a process with a dead voter waits for ever.
func TestCrashOfVoters(t *testing.T) {
	q := must(t, "plane", 7)
	for who := range protocols.ID(7) {
		r := run(t, q, mutextest.Network{
			Later: []mutextest.At{{ID: who, Time: time.Second}},
			Crash: []mutextest.At{{ID: (who + 1) % 7, Time: mutextest.Unit}},
		})
		if r.Count != 0 || r.ToDead != 1 || r.Checks[1].Verdict != protocols.Undecided {
			t.Errorf("%d asks: %d entries, %d messages to the dead, %v", who, r.Count, r.ToDead, r.Checks)
		}
	}
}

func TestPanics(t *testing.T) {
	quorum := []protocols.ID{0, 1}
	l := maekawa.New(1, maekawa.Config{Quorum: quorum, Votes: 2})
	mutextest.WantPanics(t, map[string]func(){
		"unknown message": func() { l.Receive(nil, 0, maekawa.Message{Type: 6}) },
		"timer":           func() { l.Timeout(nil, 0) },
		"no votes":        func() { maekawa.New(0, maekawa.Config{Quorum: quorum}) },
		"too many votes":  func() { maekawa.New(0, maekawa.Config{Quorum: quorum, Votes: 3}) },
	})
}

func TestMessages(t *testing.T) {
	types := []protocols.Type{maekawa.Request, maekawa.Locked, maekawa.Failed, maekawa.Inquire, maekawa.Relinquish, maekawa.Release}
	for kind, print := range []string{"REQUEST(3)", "LOCKED(3)", "FAILED(3)", "INQUIRE(3)", "RELINQUISH(3)", "RELEASE(3)"} {
		m := maekawa.Message{Type: types[kind], Time: 3}
		if m.Kind() != kind || m.Bits() != 72 || fmt.Sprint(m) != print {
			t.Errorf("%v: kind %d, %d bits", m, m.Kind(), m.Bits())
		}
	}
}

// Three processes of a grid of four that ask at once, with random delays: a vote is
// asked back and given back.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	nw := mutextest.Network{Requesters: []protocols.ID{0, 1, 3}, Trace: &trace}
	for random := range mutextest.RandomDelays(30) {
		trace.Reset()
		nw.Delay, nw.Seed = random.Delay, random.Seed
		if r := run(t, must(t, "grid", 4), nw); r.Sent[maekawa.Relinquish] > 0 {
			break
		}
	}
	golden.Check(t, "three-of-four.txt", trace.Bytes())
}
