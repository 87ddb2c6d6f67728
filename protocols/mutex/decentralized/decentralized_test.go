package decentralized_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/decentralized"
	"bullring/protocols/mutex/internal/mutextest"
)

// among is the configuration in which m of the first n processes vote.
func among(n, m int) decentralized.Config {
	return decentralized.Config{Coordinators: mutextest.All(n), Votes: m, Backoff: mutextest.Unit, Slots: 2 * n}
}

func run(t *testing.T, n int, cfg decentralized.Config, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[decentralized.Message] {
		return decentralized.New(id, cfg)
	})
}

// Without contention the first attempt takes 3m messages and two message times; who
// needs the votes of all needs no message for its own.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for m := n/2 + 1; m <= n; m++ {
			for who := range protocols.ID(n) {
				r := run(t, n, among(n, m), mutextest.Network{Requesters: []protocols.ID{who}})
				mutextest.Want(t, r, 1)
				asked, entry := m, mutextest.Hops(2)
				if m == n {
					asked--
				}
				if n == 1 {
					entry = 0
				}
				if !slices.Equal(r.Sent, []int{asked, asked, 0, asked}) || r.Entries[0].At != entry {
					t.Errorf("n=%d, m=%d, %d asks: sent %v, entered at %v; want %d of each at %v", n, m, who, r.Sent, r.Entries[0].At, asked, entry)
				}
			}
		}
	}
}

// 2mk + m and the votes of failed attempts, whatever the schedule: m REQUEST an attempt,
// an answer to each, and every vote goes back. Links need not be FIFO.
func TestAnySchedule(t *testing.T) {
	failed := 0
	for nw := range mutextest.RandomDelays(10) {
		for _, unordered := range []bool{false, true} {
			for _, n := range []int{3, 5, 6} {
				for m := n/2 + 1; m < n; m++ {
					for _, work := range []mutex.Workload{
						{Requests: 3, Hold: mutextest.Unit},
						{Requests: 3, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}},
						{Requests: 3, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}, Open: true},
					} {
						nw.Requesters, nw.Work, nw.Unordered = mutextest.All(n), work, unordered
						r := run(t, n, among(n, m), nw)
						mutextest.Want(t, r, 3*n)
						k := r.Sent[decentralized.Request] / m // attempts of all
						returned := r.Sent[decentralized.Grant] - 3*n*m
						if r.Sent[decentralized.Request] != k*m || r.Total != 2*m*k+3*n*m+returned || r.Sent[decentralized.Release] != r.Sent[decentralized.Grant] {
							t.Fatalf("n=%d, m=%d, %v, seed %d: sent %v", n, m, nw.Delay, nw.Seed, r.Sent)
						}
						failed += k - 3*n
					}
				}
			}
		}
	}
	if failed < 100 {
		t.Errorf("%d attempts failed: too few to say anything", failed)
	}
}

// The coordinators are servers of their own, two other processes ask: the second does
// so when the first has been inside for long, and tries again and again.
const (
	second = 100 * mutextest.Unit
	forget = second / 2
	stay   = 1000 * mutextest.Unit
)

// contest runs it with a reset of some coordinators in between, and reports whether
// both were inside at once.
func contest(t *testing.T, n, m int, seed uint64, resets []protocols.ID) bool {
	t.Helper()
	first, other := protocols.ID(n), protocols.ID(n+1)
	nw := mutextest.Network{
		Seed: seed, Requesters: []protocols.ID{first}, Later: []mutextest.At{{ID: other, Time: second}},
		Work: mutex.Workload{Requests: 1, Hold: stay},
	}
	for _, c := range resets {
		nw.Crash = append(nw.Crash, mutextest.At{ID: c, Time: forget})
		nw.Restart = append(nw.Restart, mutextest.At{ID: c, Time: forget})
	}
	cfg := among(n, m)
	cfg.Backoff, cfg.Slots = mutextest.Unit, 4
	r := run(t, n+2, cfg, nw)
	if r.Count != 2 {
		t.Fatalf("%d entries, want 2", r.Count)
	}
	return r.MostInside == 2
}

// voters are those who vote for the first process, which the seed decides.
func voters(t *testing.T, n, m int, seed uint64) []protocols.ID {
	t.Helper()
	var trace bytes.Buffer
	run(t, n+2, among(n, m), mutextest.Network{Seed: seed, Requesters: []protocols.ID{protocols.ID(n)}, Trace: &trace})
	var who []protocols.ID
	for c := range protocols.ID(n) {
		if strings.Contains(trace.String(), fmt.Sprintf("deliver %d -> %d  GRANT", c, n)) {
			who = append(who, c)
		}
	}
	if len(who) != m {
		t.Fatalf("%d votes, want %d:\n%s", len(who), m, trace.String())
	}
	return who
}

// Exclusion is violated if, and only if, 2m-n of the voters at least are reset while
// one process is inside: of all sets of coordinators.
func TestResets(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for m := n/2 + 1; m <= n; m++ {
			voters := voters(t, n, m, 1)
			for set := range 1 << n {
				var resets []protocols.ID
				forgot := 0
				for c := range protocols.ID(n) {
					if set>>c&1 == 1 {
						resets = append(resets, c)
						if slices.Contains(voters, c) {
							forgot++
						}
					}
				}
				if got, want := contest(t, n, m, 1, resets), forgot >= 2*m-n; got != want {
					t.Errorf("n=%d, m=%d, voters %v, resets %v: both inside %v, want %v", n, m, voters, resets, got, want)
				}
			}
		}
	}
}

// Lin et al.: the probability of a violation if each coordinator is reset with
// probability p while one process is inside, within four standard errors.
func TestViolationProbability(t *testing.T) {
	const runs = 1000
	for _, c := range []struct {
		n, m int
		p    float64
	}{{3, 2, 0.1}, {5, 3, 0.2}, {5, 4, 0.4}, {7, 5, 0.5}} {
		draw, violated := des.NewStream(uint64(c.n*10+c.m), "resets"), 0
		for seed := range uint64(runs) {
			var resets []protocols.ID
			for id := range protocols.ID(c.n) {
				if float64(draw.Intn(1<<20)) < c.p*(1<<20) {
					resets = append(resets, id)
				}
			}
			if contest(t, c.n, c.m, seed, resets) {
				violated++
			}
		}
		want := violation(c.n, c.m, c.p)
		got, deviation := float64(violated)/runs, math.Sqrt(want*(1-want)/runs)
		if math.Abs(got-want) > 4*deviation {
			t.Errorf("n=%d, m=%d, p=%v: %v of the runs, want %v within %v", c.n, c.m, c.p, got, want, 4*deviation)
		}
	}
}

// violation is the sum over j from 2m-n to m of C(m,j) p^j (1-p)^(m-j).
func violation(n, m int, p float64) float64 {
	sum, choose := 0.0, 1.0
	for j := range m + 1 {
		if j > 0 {
			choose = choose * float64(m-j+1) / float64(j)
		}
		if j >= 2*m-n {
			sum += choose * math.Pow(p, float64(j)) * math.Pow(1-p, float64(m-j))
		}
	}
	return sum
}

// Contention makes attempts fail: the more ask at once, the more attempts an entry
// takes.
func TestContention(t *testing.T) {
	const n, m = 9, 5
	before := 0.0
	for _, clients := range []int{1, 3, 9} {
		attempts := 0
		for seed := range uint64(50) {
			r := run(t, n, among(n, m), mutextest.Network{Seed: seed, Requesters: mutextest.All(clients), Work: mutex.Workload{Requests: 2, Hold: mutextest.Hops(3)}})
			mutextest.Want(t, r, 2*clients)
			attempts += r.Sent[decentralized.Request] / m
		}
		k := float64(attempts) / float64(50*2*clients)
		if clients == 1 && k != 1 || clients > 1 && k < before+0.5 {
			t.Errorf("%d clients need %v attempts an entry, fewer %v", clients, k, before)
		}
		before = k
	}
}

// A coordinator that is dead keeps those waiting who have asked it.
func TestDeadCoordinator(t *testing.T) {
	r := run(t, 3, among(3, 2), mutextest.Network{
		Later: []mutextest.At{{ID: 0, Time: time.Second}}, Crash: []mutextest.At{{ID: 1, Time: mutextest.Unit}},
	})
	if r.Count != 0 || r.ToDead != 1 || r.Checks[1].Verdict != protocols.Undecided {
		t.Errorf("%d entries, %d messages to the dead, %v", r.Count, r.ToDead, r.Checks)
	}
}

// A superfluous answer is ignored, and so is a vote that was forgotten.
func TestUnasked(t *testing.T) {
	l := decentralized.New(1, among(3, 2))
	l.Receive(nil, 0, decentralized.Grant)
	l.Receive(nil, 0, decentralized.Release)
	if l.Granted() {
		t.Error("who never asked is let in")
	}
}

func TestPanics(t *testing.T) {
	l := decentralized.New(1, among(3, 2))
	slotless, hasty := among(3, 2), among(3, 2)
	slotless.Slots, hasty.Backoff = 0, -1
	mutextest.WantPanics(t, map[string]func(){
		"unknown message": func() { l.Receive(nil, 0, decentralized.Message(4)) },
		"unknown timer":   func() { l.Timeout(nil, 1) },
		"half":            func() { decentralized.New(0, among(4, 2)) },
		"more than all":   func() { decentralized.New(0, among(4, 5)) },
		"no slots":        func() { decentralized.New(0, slotless) },
		"negative pause":  func() { decentralized.New(0, hasty) },
	})
}

func TestMessages(t *testing.T) {
	for kind, print := range []string{"REQUEST", "GRANT", "DENY", "RELEASE"} {
		m := decentralized.Message(kind)
		if m.Kind() != kind || m.Bits() != 8 || fmt.Sprint(m) != print {
			t.Errorf("%v: kind %d, %d bits", m, m.Kind(), m.Bits())
		}
	}
}

// Two of three ask at once: each has the vote of the third or of the other, and one
// tries again.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, among(3, 2), mutextest.Network{
		Requesters: []protocols.ID{0, 1}, Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)}, Trace: &trace,
	})
	golden.Check(t, "two-of-three.txt", trace.Bytes())
}
