package suzukikasami_test

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
	"bullring/protocols/mutex/suzukikasami"
)

func run(t *testing.T, n int, holder protocols.ID, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[suzukikasami.Message] {
		return suzukikasami.New(n, id == holder)
	})
}

// Suzuki and Kasami 1985: at most N messages for one invocation. That is 0 with the
// token, else N exactly, and a round trip.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for holder := range protocols.ID(n) {
			for p := range protocols.ID(n) {
				want, at := []int{n - 1, 1}, mutextest.Hops(2)
				if p == holder {
					want, at = []int{0, 0}, 0
				}
				r := run(t, n, holder, mutextest.Network{Requesters: []protocols.ID{p}})
				mutextest.Want(t, r, 1)
				if !slices.Equal(r.Sent, want) || r.Entries[0].At != at {
					t.Fatalf("n=%d, holder %d, %d asks: sent %v, entry at %v; want %v, %v", n, holder, p, r.Sent, r.Entries[0].At, want, at)
				}
			}
		}
	}
}

// If all ask at 0, all but the holder tell every process and get the token once. It goes
// round in the order of addresses, a message and the time inside for each. A holder
// that leaves before the first REQUEST can be there waits for it.
func TestAllAskAtOnce(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for holder := range protocols.ID(n) {
			for _, inside := range []time.Duration{0, mutextest.Unit / 2, mutextest.Hops(1), mutextest.Hops(3)} {
				r := run(t, n, holder, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: inside}})
				mutextest.Want(t, r, n)
				if want := []int{(n - 1) * (n - 1), n - 1}; !slices.Equal(r.Sent, want) {
					t.Fatalf("n=%d, holder %d: sent %v, want %v", n, holder, r.Sent, want)
				}
				at := time.Duration(0)
				for k, e := range r.Entries {
					if e.At != at {
						t.Fatalf("n=%d, holder %d, inside for %v: entry %d at %v, want %v", n, holder, inside, k, e.At, at)
					}
					if k == 0 {
						at = max(inside, mutextest.Unit) + mutextest.Unit
					} else {
						at += inside + mutextest.Unit
					}
				}
				if inside >= mutextest.Unit && n > 1 && r.Entries[n-1].At != time.Duration(n-1)*(inside+mutextest.Unit) {
					t.Fatalf("n=%d: the last entry is at %v", n, r.Entries[n-1].At)
				}
			}
		}
	}
}

// Under heavy demand every process but the first asks without the token every time: n
// messages an entry, and one message time from an exit to the next entry.
func TestSaturation(t *testing.T) {
	const rounds = 5
	for n := 2; n <= 8; n++ {
		r := run(t, n, 0, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: rounds, Hold: mutextest.Hops(2)}})
		mutextest.Want(t, r, n*rounds)
		if want := n * (n*rounds - 1); r.Total != want || r.Handover != mutextest.Unit || r.Handovers != n*rounds-1 {
			t.Errorf("n=%d: %d messages, %d handovers of %v; want %d, %d of %v", n, r.Total, r.Handovers, r.Handover, want, n*rounds-1, mutextest.Unit)
		}
	}
}

// 0 or n under every schedule, with any requesters, over links that need not be FIFO: a
// TOKEN comes for n-1 REQUEST, one for one, and if each asks once only the holder
// gets in for nothing.
func TestAnyScheduleCostsTheSame(t *testing.T) {
	const n = 6
	for nw := range mutextest.RandomDelays(20) {
		for holder := range protocols.ID(n) {
			nw.Requesters, nw.Unordered = mutextest.All(n), holder%2 == 0
			r := run(t, n, holder, nw)
			mutextest.Want(t, r, n)
			if want := []int{(n - 1) * (n - 1), n - 1}; !slices.Equal(r.Sent, want) {
				t.Fatalf("holder %d, %v: sent %v, want %v", holder, nw.Delay, r.Sent, want)
			}
		}
	}
}

// Exclusion and liveness in both kinds of loops, under any schedule.
func TestAnySchedule(t *testing.T) {
	for nw := range mutextest.RandomDelays(100) {
		n := 1 + int(nw.Seed)%7
		nw.Requesters, nw.Unordered = mutextest.All(n), nw.Seed%2 == 0
		for _, work := range []mutex.Workload{
			{Requests: 6},
			{Requests: 6, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(5), Random: true}},
			{Requests: 6, Hold: mutextest.Unit, Open: true, Think: mutex.Pause{Mean: mutextest.Hops(10), Random: true}},
		} {
			nw.Work = work
			r := run(t, n, protocols.ID(int(nw.Seed)%n), nw)
			mutextest.Want(t, r, 6*n)
			if r.Sent[suzukikasami.Request] != (n-1)*r.Sent[suzukikasami.Token] || r.Sent[suzukikasami.Token] > 6*n {
				t.Fatalf("n=%d, %+v: sent %v", n, work, r.Sent)
			}
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
	if r.Count != 2 || r.Checks[0].Verdict != protocols.Holds || r.Checks[1].Verdict != protocols.Undecided {
		t.Errorf("%d entries, %+v", r.Count, r.Checks)
	}
}

// A process that has the token twice keeps a copy of it and goes in while another is inside: why
// links must not duplicate.
func TestDuplicatedToken(t *testing.T) {
	a, b := &recorder{id: 0}, &recorder{id: 1}
	first, second := suzukikasami.New(2, true), suzukikasami.New(2, false)
	second.Request(b)
	first.Receive(a, 1, b.sent[0])
	second.Receive(b, 0, a.sent[0])
	second.Release(b)
	first.Request(a)
	second.Receive(b, 0, a.sent[1])
	first.Receive(a, 1, b.sent[1])
	second.Receive(b, 0, a.sent[0])
	second.Request(b)
	if !first.Granted() || !second.Granted() {
		t.Errorf("granted %v and %v, want both", first.Granted(), second.Granted())
	}
}

// A process modifies nothing that is in a message.
func TestMessagesAreNotModified(t *testing.T) {
	n := &recorder{id: 1, n: 3}
	l := suzukikasami.New(3, false)
	l.Request(n)
	m := suzukikasami.Message{Type: suzukikasami.Token, Served: []int{4, 0, 2}, Queue: []protocols.ID{2}}
	before := fmt.Sprint(m)
	l.Receive(n, 0, m)
	l.Receive(n, 0, suzukikasami.Message{Type: suzukikasami.Request, Number: 5})
	l.Release(n)
	if fmt.Sprint(m) != before {
		t.Errorf("%v became %v", before, m)
	}
	if got := fmt.Sprint(n.sent[len(n.sent)-1]); got != "TOKEN(4,1,2; 0)" {
		t.Errorf("handed on %s", got)
	}
}

// recorder is a node that keeps what is sent.
type recorder struct {
	protocols.Node[suzukikasami.Message]
	id   protocols.ID
	n    int // 2 if it is 0
	sent []suzukikasami.Message
}

func (r *recorder) ID() protocols.ID { return r.id }
func (r *recorder) Degree() int      { return max(r.n, 2) - 1 }
func (r *recorder) Neighbor(port int) protocols.ID {
	return (r.id + 1 + protocols.ID(port)) % protocols.ID(max(r.n, 2))
}
func (r *recorder) Send(_ protocols.ID, m suzukikasami.Message) { r.sent = append(r.sent, m) }

func TestPanics(t *testing.T) {
	mutextest.WantPanics(t, map[string]func(){
		"no process":         func() { suzukikasami.New(0, true) },
		"an unknown message": func() { suzukikasami.New(2, true).Receive(&recorder{}, 0, suzukikasami.Message{Type: 9}) },
		"a timer":            func() { suzukikasami.New(2, true).Timeout(&recorder{}, 0) },
	})
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		m    suzukikasami.Message
		want string
	}{
		{suzukikasami.Message{Type: suzukikasami.Request, Number: 2}, "REQUEST(2) 72"},
		{suzukikasami.Message{Type: suzukikasami.Token, Served: []int{1, 0, 2}, Queue: []protocols.ID{1}}, "TOKEN(1,0,2; 1) 264"},
	} {
		if got := fmt.Sprint(c.m, c.m.Bits()); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// Three ask at once, with the token at 0.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, 0, mutextest.Network{Requesters: mutextest.All(3), Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)}, Trace: &trace})
	golden.Check(t, "three-ask.txt", trace.Bytes())
}
