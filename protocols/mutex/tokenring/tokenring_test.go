package tokenring_test

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/tokenring"
)

// run runs a workload on a ring with the token at a process in the beginning, until
// all have left.
func run(t *testing.T, n int, holder protocols.ID, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology, nw.Endless = netem.Ring(n), true
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[tokenring.Message] { return tokenring.New(id == holder) })
}

// A single request: the token takes d messages, one unit each, and is sent on once
// more. Over all positions of the token (n-1)/2 on average.
func TestOneRequest(t *testing.T) {
	for n := 2; n <= 8; n++ {
		sum := 0
		for holder := range n {
			for p := range n {
				d := (p - holder + n) % n
				r := run(t, n, protocols.ID(holder), mutextest.Network{Requesters: []protocols.ID{protocols.ID(p)}})
				mutextest.Want(t, r, 1)
				if !slices.Equal(r.Sent, []int{d + 1}) || r.Entries[0].At != mutextest.Hops(d) {
					t.Fatalf("n=%d, from %d to %d: sent %v, entry at %v", n, holder, p, r.Sent, r.Entries[0].At)
				}
				sum += r.Total - 1
			}
		}
		if got, want := big.NewRat(int64(sum), int64(n*n)), big.NewRat(int64(n-1), 2); got.Cmp(want) != 0 {
			t.Errorf("n=%d: mean distance %v, want %v", n, got, want)
		}
	}
}

// All ask at 0: the token goes round once, and the k-th entry is at k(cs+1).
func TestAllAskAtOnce(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for holder := range protocols.ID(n) {
			for _, inside := range []time.Duration{0, mutextest.Hops(3)} {
				r := run(t, n, holder, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: inside}})
				mutextest.Want(t, r, n)
				if !slices.Equal(r.Sent, []int{n}) {
					t.Fatalf("n=%d, holder %d: sent %v, want %d", n, holder, r.Sent, n)
				}
				for k, e := range r.Entries {
					if want := time.Duration(k) * (inside + mutextest.Unit); e.At != want || int(e.Process) != (int(holder)+k)%n {
						t.Fatalf("n=%d, holder %d, inside for %v: entry %d of %d at %v, want %v", n, holder, inside, k, e.Process, e.At, want)
					}
				}
			}
		}
	}
}

// Saturated it is one message an entry, under every schedule.
func TestSaturation(t *testing.T) {
	const rounds = 5
	for nw := range mutextest.RandomDelays(10) {
		for n := 2; n <= 8; n++ {
			nw.Requesters, nw.Unordered = mutextest.All(n), n%2 == 0
			nw.Work = mutex.Workload{Requests: rounds, Hold: mutextest.Unit}
			r := run(t, n, protocols.ID(n/2), nw)
			mutextest.Want(t, r, n*rounds)
			if !slices.Equal(r.Sent, []int{n * rounds}) {
				t.Fatalf("n=%d, %v: sent %v, want %d", n, nw.Delay, r.Sent, n*rounds)
			}
		}
	}
}

// Idle the token goes on, one message each unit, until a process asks and it gets
// there. A token that arrives at the instant of the request is in time.
func TestIdle(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for p := range n {
			for k := range 3 * n {
				r := run(t, n, 0, mutextest.Network{Later: []mutextest.At{{ID: protocols.ID(p), Time: mutextest.Hops(k)}}})
				mutextest.Want(t, r, 1)
				d := ((p-k)%n + n) % n
				if r.Total != k+d+1 || r.Entries[0].At != mutextest.Hops(k+d) {
					t.Fatalf("n=%d, %d asks at %d: %d messages, entry at %v", n, p, k, r.Total, r.Entries[0].At)
				}
			}
		}
	}
}

// A process that is alone sends nothing.
func TestAlone(t *testing.T) {
	r := run(t, 1, 0, mutextest.Network{Requesters: mutextest.All(1), Work: mutex.Workload{Requests: 3, Hold: mutextest.Unit}})
	mutextest.Want(t, r, 3)
	if r.Total != 0 || r.Entries[2].At != mutextest.Hops(2) {
		t.Errorf("%d messages, last entry at %v", r.Total, r.Entries[2].At)
	}
}

// Exclusion and liveness in both kinds of loops, under any schedule.
func TestAnySchedule(t *testing.T) {
	for nw := range mutextest.RandomDelays(50) {
		n := 1 + int(nw.Seed)%7
		nw.Requesters, nw.Unordered = mutextest.All(n), nw.Seed%2 == 0
		for _, work := range []mutex.Workload{
			{Requests: 6},
			{Requests: 6, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(5), Random: true}},
			{Requests: 6, Hold: mutextest.Unit, Open: true, Think: mutex.Pause{Mean: mutextest.Hops(10), Random: true}},
		} {
			nw.Work = work
			mutextest.Want(t, run(t, n, protocols.ID(int(nw.Seed)%n), nw), 6*n)
		}
	}
}

// The token dies with its holder, and no process enters again.
func TestHolderDies(t *testing.T) {
	r := run(t, 4, 0, mutextest.Network{
		Requesters: mutextest.All(4),
		Work:       mutex.Workload{Requests: 2, Hold: mutextest.Hops(5)},
		Crash:      []mutextest.At{{ID: 1, Time: mutextest.Hops(7)}},
	})
	if r.End != netem.Quiescent || r.Count != 2 || r.Checks[0].Verdict != protocols.Holds || r.Checks[1].Verdict != protocols.Undecided {
		t.Errorf("%v: %d entries, %+v", r.End, r.Count, r.Checks)
	}
}

// A token that a link has duplicated is two.
func TestDuplicatedToken(t *testing.T) {
	a, b := &recorder{id: 0}, &recorder{id: 1}
	first, second := tokenring.New(true), tokenring.New(false)
	first.Timeout(a, 0)
	second.Receive(b, 0, a.sent[0])
	second.Request(b)
	second.Receive(b, 0, a.sent[0])
	first.Request(a)
	first.Receive(a, 1, b.sent[0])
	if !first.Granted() || !second.Granted() {
		t.Errorf("granted %v and %v, want both", first.Granted(), second.Granted())
	}
}

// A token that the client has kept at the start is not sent a second time.
func TestLateDeparture(t *testing.T) {
	n := &recorder{}
	l := tokenring.New(true)
	l.Boot(n)
	l.Request(n)
	l.Release(n)
	l.Timeout(n, n.armed[0])
	if len(n.sent) != 1 {
		t.Errorf("sent %v", n.sent)
	}
}

// A process that comes back has no token.
func TestRecover(t *testing.T) {
	n := &recorder{}
	l := tokenring.New(true)
	l.Boot(n)
	l.Recover(n)
	l.Request(n)
	if l.Granted() || len(n.armed) > 0 {
		t.Errorf("granted %v, timers %v", l.Granted(), n.armed)
	}
}

// recorder is a node, one of two, that keeps what is sent.
type recorder struct {
	protocols.Node[tokenring.Message]
	id    protocols.ID
	sent  []tokenring.Message
	armed []protocols.Timer
}

func (r *recorder) ID() protocols.ID                            { return r.id }
func (r *recorder) Degree() int                                 { return 1 }
func (r *recorder) Neighbor(int) protocols.ID                   { return 1 - r.id }
func (r *recorder) Send(_ protocols.ID, m tokenring.Message)    { r.sent = append(r.sent, m) }
func (r *recorder) SetTimer(t protocols.Timer, _ time.Duration) { r.armed = append(r.armed, t) }
func (r *recorder) StopTimer(t protocols.Timer) {
	r.armed = slices.DeleteFunc(r.armed, func(a protocols.Timer) bool { return a == t })
}

func TestPanics(t *testing.T) {
	mutextest.WantPanics(t, map[string]func(){"an unknown timer": func() { tokenring.New(true).Timeout(&recorder{}, 9) }})
}

func TestMessage(t *testing.T) {
	if m := (tokenring.Message{}); m.String() != "TOKEN" || m.Bits() != 8 {
		t.Errorf("%v of %d bits", m, m.Bits())
	}
}

// A client asks while the token goes round.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, 0, mutextest.Network{Later: []mutextest.At{{ID: 1, Time: mutextest.Hops(2)}}, Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)}, Trace: &trace})
	golden.Check(t, "asks-late.txt", trace.Bytes())
}
