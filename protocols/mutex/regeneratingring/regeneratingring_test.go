package regeneratingring_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/regeneratingring"
)

// run runs a workload with the token at a process in the beginning, until all have
// left.
func run(t *testing.T, n int, holder protocols.ID, cfg regeneratingring.Config, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology, nw.Endless, nw.Promise.Tolerant = netem.Complete(n), true, true
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[regeneratingring.Message] {
		return regeneratingring.New(id == holder, cfg)
	})
}

// patient is a Timeout that nothing here exceeds.
var patient = regeneratingring.Config{Timeout: time.Hour}

// As long as no token is lost the ring is the token ring. A single request: the token
// takes d messages, one unit each, and is sent on once more.
func TestOneRequest(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for holder := range n {
			for p := range n {
				d := (p - holder + n) % n
				r := run(t, n, protocols.ID(holder), patient, mutextest.Network{Requesters: []protocols.ID{protocols.ID(p)}})
				mutextest.Want(t, r, 1)
				if !slices.Equal(r.Sent, []int{d + 1, 0}) || r.Entries[0].At != mutextest.Hops(d) {
					t.Fatalf("n=%d, from %d to %d: sent %v, entry at %v", n, holder, p, r.Sent, r.Entries[0].At)
				}
			}
		}
	}
}

// All ask at 0: the token goes round once, and the k-th entry is at k(cs+1).
func TestAllAskAtOnce(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for holder := range protocols.ID(n) {
			for _, inside := range []time.Duration{0, mutextest.Hops(3)} {
				r := run(t, n, holder, patient, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: inside}})
				mutextest.Want(t, r, n)
				if !slices.Equal(r.Sent, []int{n, 0}) {
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
			r := run(t, n, protocols.ID(n/2), patient, nw)
			mutextest.Want(t, r, n*rounds)
			if !slices.Equal(r.Sent, []int{n * rounds, 0}) {
				t.Fatalf("n=%d, %v: sent %v, want %d", n, nw.Delay, r.Sent, n*rounds)
			}
		}
	}
}

// A process that is alone sends nothing.
func TestAlone(t *testing.T) {
	r := run(t, 1, 0, patient, mutextest.Network{Requesters: mutextest.All(1), Work: mutex.Workload{Requests: 3, Hold: mutextest.Unit}})
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
			mutextest.Want(t, run(t, n, protocols.ID(int(nw.Seed)%n), patient, nw), 6*n)
		}
	}
}

// If the token is lost, the claim of a single process goes round the m that live,
// once, and then it is inside.
func TestOneClaims(t *testing.T) {
	for n := 2; n <= 7; n++ {
		for dead := 1; dead < n; dead++ {
			for p := dead; p < n; p++ {
				cfg := regeneratingring.Config{Timeout: mutextest.Hops(n)}
				nw := mutextest.Network{Requesters: []protocols.ID{protocols.ID(p)}}
				for q := range dead { // with the token, which is at 0 to begin with
					nw.Crash = append(nw.Crash, mutextest.At{ID: protocols.ID(q)})
				}
				r := run(t, n, 0, cfg, nw)
				mutextest.Want(t, r, 1)
				live := n - dead
				want := []int{1, live}
				if live == 1 {
					want, live = []int{0, 0}, 0
				}
				if !slices.Equal(r.Sent, want) || r.Entries[0].At != cfg.Timeout+mutextest.Hops(live) {
					t.Fatalf("n=%d, %d dead, %d claims: sent %v, entry at %v; want %v", n, dead, p, r.Sent, r.Entries[0].At, want)
				}
			}
		}
	}
}

// If all m that live claim at once, each claim but the largest ends at the next
// process. Whose it is begins a round of the token.
func TestAllClaim(t *testing.T) {
	for n := 3; n <= 8; n++ {
		cfg := regeneratingring.Config{Timeout: mutextest.Hops(10 * n)}
		r := run(t, n, 0, cfg, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)}, Crash: []mutextest.At{{Time: mutextest.Unit}}})
		m := n - 1
		mutextest.Want(t, r, n)
		if !slices.Equal(r.Sent, []int{m, 2*m - 1}) {
			t.Errorf("n=%d: sent %v, want %v", n, r.Sent, []int{m, 2*m - 1})
		}
		if first := r.Entries[1]; int(first.Process) != n-1 || first.At != cfg.Timeout+mutextest.Hops(m) {
			t.Errorf("n=%d: %d enters at %v", n, first.Process, first.At)
		}
	}
}

// A process that is inside for longer than the Timeout ends the claims of its successor, three
// here, and the token goes on under the generation that was claimed last. If it leaves
// when a fourth is under way, the token comes too late and is swallowed, and that claim
// goes home.
func TestClaimsInVain(t *testing.T) {
	for n := 2; n <= 7; n++ {
		for holder := range protocols.ID(n) {
			next := (holder + 1) % protocols.ID(n)
			for _, c := range []struct {
				inside, entry time.Duration
				claims        int
			}{
				{mutextest.Hops(7 * n), mutextest.Hops(7*n + 1), 3 * (n - 1)},
				{mutextest.Hops(16*n-1) / 2, mutextest.Hops(9 * n), 3*(n-1) + n},
			} {
				r := run(t, n, holder, regeneratingring.Config{Timeout: mutextest.Hops(2 * n)}, mutextest.Network{
					Requesters: []protocols.ID{holder, next}, Work: mutex.Workload{Requests: 1, Hold: c.inside},
				})
				mutextest.Want(t, r, 2)
				if want := []int{2, c.claims}; !slices.Equal(r.Sent, want) || r.Entries[1].At != c.entry {
					t.Errorf("n=%d, holder %d inside for %v: sent %v, entry at %v; want %v, %v", n, holder, c.inside, r.Sent, r.Entries[1].At, want, c.entry)
				}
			}
		}
	}
}

// Exclusion and liveness with any crash at any time: the delays are at most ten units,
// so that a claim takes at most 10n, and the Timeout is that. Every live process is served.
func TestCrashes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	claims := 0
	for seed := range uint64(1500) {
		n := 2 + rng.IntN(5)
		nw := mutextest.Network{Seed: seed, Delay: des.Uniform(0, mutextest.Hops(10)), Requesters: mutextest.All(n), Unordered: rng.IntN(2) == 0}
		nw.Work = mutex.Workload{Requests: 3, Hold: mutextest.Hops(rng.IntN(40)), Think: mutex.Pause{Mean: mutextest.Hops(rng.IntN(30)), Random: true}}
		for _, p := range rng.Perm(n)[:rng.IntN(n)] {
			nw.Crash = append(nw.Crash, mutextest.At{ID: protocols.ID(p), Time: time.Duration(1 + rng.Int64N(int64(mutextest.Hops(60*n))))})
		}
		r := run(t, n, protocols.ID(rng.IntN(n)), regeneratingring.Config{Timeout: mutextest.Hops(10 * n)}, nw)
		mutextest.Want(t, r, r.Count)
		if least := 3 * (n - len(nw.Crash)); r.Count < least {
			t.Fatalf("seed %d: %d entries, want at least %d", seed, r.Count, least)
		}
		claims += r.Sent[regeneratingring.Claim]
	}
	if claims < 1500 {
		t.Errorf("%d CLAIM: too few to say anything", claims)
	}
}

// Exclusion does not hang on the Timeout: with one far below the delays, which have no
// bound, and links that are not FIFO, no two processes are inside at once.
func TestTimeoutTooShort(t *testing.T) {
	claims := 0
	for seed := range uint64(1000) {
		n := 2 + int(seed)%4
		nw := mutextest.Network{
			Seed: seed, Delay: des.Exponential(mutextest.Unit), Requesters: mutextest.All(n), Unordered: true,
			Work: mutex.Workload{Requests: 3, Hold: mutextest.Hops(int(seed) % 3)},
		}
		r := run(t, n, 0, regeneratingring.Config{Timeout: mutextest.Hops(2)}, nw)
		mutextest.Want(t, r, 3*n)
		claims += r.Sent[regeneratingring.Claim]
	}
	if claims < 10_000 {
		t.Errorf("%d CLAIM: too few to say anything", claims)
	}
}

// A token that a link has duplicated is two.
func TestDuplicatedToken(t *testing.T) {
	a, b := &recorder{id: 0}, &recorder{id: 1}
	first, second := regeneratingring.New(true, patient), regeneratingring.New(false, patient)
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

// A token that is late for its claim is swallowed, and a claim that is late too.
func TestLate(t *testing.T) {
	n := &recorder{id: 1}
	l := regeneratingring.New(false, patient)
	l.Receive(n, 0, regeneratingring.Message{Type: regeneratingring.Claim, Generation: 4, Claimant: 0})
	l.Receive(n, 0, regeneratingring.Message{Type: regeneratingring.Token})
	l.Receive(n, 0, regeneratingring.Message{Type: regeneratingring.Claim, Generation: 4, Claimant: 0})
	l.Receive(n, 0, regeneratingring.Message{Type: regeneratingring.Claim, Generation: 3, Claimant: 1})
	if got := fmt.Sprint(n.sent); got != "[CLAIM(4)]" {
		t.Errorf("sent %s", got)
	}
}

// A token that the client has kept at the start is not sent a second time.
func TestLateDeparture(t *testing.T) {
	n := &recorder{}
	l := regeneratingring.New(true, patient)
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
	l := regeneratingring.New(true, patient)
	l.Boot(n)
	l.Recover(n)
	l.Request(n)
	if l.Granted() || slices.Contains(n.armed, 0) {
		t.Errorf("granted %v, timers %v", l.Granted(), n.armed)
	}
}

// recorder is a node, one of two, that keeps what is sent.
type recorder struct {
	protocols.Node[regeneratingring.Message]
	id    protocols.ID
	sent  []regeneratingring.Message
	armed []protocols.Timer
}

func (r *recorder) ID() protocols.ID                                { return r.id }
func (r *recorder) Degree() int                                     { return 1 }
func (r *recorder) Neighbor(int) protocols.ID                       { return 1 - r.id }
func (r *recorder) Send(_ protocols.ID, m regeneratingring.Message) { r.sent = append(r.sent, m) }
func (r *recorder) SetTimer(t protocols.Timer, _ time.Duration)     { r.armed = append(r.armed, t) }
func (*recorder) Suspects(protocols.ID) bool                        { return false }

func (r *recorder) StopTimer(t protocols.Timer) {
	r.armed = slices.DeleteFunc(r.armed, func(a protocols.Timer) bool { return a == t })
}

func TestPanics(t *testing.T) {
	mutextest.WantPanics(t, map[string]func(){
		"no timeout":         func() { regeneratingring.New(true, regeneratingring.Config{}) },
		"an unknown message": func() { regeneratingring.New(true, patient).Receive(&recorder{}, 0, regeneratingring.Message{Type: 9}) },
		"an unknown timer":   func() { regeneratingring.New(true, patient).Timeout(&recorder{}, 9) },
	})
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		m    regeneratingring.Message
		want string
	}{
		{regeneratingring.Message{}, "TOKEN 8"},
		{regeneratingring.Message{Generation: 7}, "TOKEN(7) 72"},
		{regeneratingring.Message{Type: regeneratingring.Claim, Generation: 7, Claimant: 1}, "CLAIM(7) 136"},
	} {
		if got := fmt.Sprint(c.m, c.m.Bits()); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// The holder dies inside, and the two that wait claim.
func TestTraceRegenerating(t *testing.T) {
	var trace bytes.Buffer
	run(t, 4, 0, regeneratingring.Config{Timeout: mutextest.Hops(8)}, mutextest.Network{
		Requesters: []protocols.ID{0, 1, 3}, Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)},
		Crash: []mutextest.At{{ID: 0, Time: mutextest.Unit}}, Trace: &trace,
	})
	golden.Check(t, "holder-dies.txt", trace.Bytes())
}
