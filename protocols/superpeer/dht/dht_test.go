package dht_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/superpeer"
	"bullring/protocols/superpeer/dht"
)

const unit = time.Millisecond

// outcome is what came of a run in which every process looks for its superpeer.
type outcome struct {
	*superpeer.Assignment
	sent   []int
	checks []protocols.Check
	depth  int
}

func right(ring *dht.Ring, n, k int) []protocols.ID {
	var all []protocols.ID
	for p := range n {
		all = append(all, ring.Superpeer(protocols.ID(p), k))
	}
	return all
}

func ringOf(t testing.TB, bits int, ids []uint64) *dht.Ring {
	t.Helper()
	ring, err := dht.NewRing(bits, ids)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func run(t testing.TB, bits, k int, ids []uint64, delay des.Distribution, seed uint64, trace io.Writer) outcome {
	t.Helper()
	ring := ringOf(t, bits, ids)
	net := netem.New(netem.Config{Topology: netem.Complete(len(ids)), Delay: delay, Seed: seed, MaxEvents: 1 << 22},
		func(p protocols.ID) protocols.Process[dht.Message] { return dht.New(p, ring, k) })
	w := &watch{net, superpeer.NewAssignment(right(ring, len(ids), k))}
	net.Observe(w)
	if trace != nil {
		net.Trace(netem.TextTrace(trace, func(p protocols.ID) string {
			peer, text := w.peer(p), fmt.Sprintf("identifier %d", ids[p])
			if s, known := peer.Superpeer(); known {
				text += fmt.Sprintf(", served by %d", s)
			}
			if peer.Serves() {
				text += ", serves"
			}
			return text
		}))
	}
	for p := range ids {
		net.StartAt(protocols.ID(p), 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	c := net.Counters()
	o := outcome{Assignment: w.checker, checks: w.checker.Checks(true), depth: int(c.CausalDepth)}
	for _, s := range c.Sent {
		o.sent = append(o.sent, int(s))
	}
	return o
}

// watch tells the checker of every step.
type watch struct {
	net     *netem.Network[dht.Message]
	checker *superpeer.Assignment
}

func (w *watch) peer(p protocols.ID) superpeer.Peer { return w.net.Process(p).(superpeer.Peer) }

func (w *watch) Stepped(p protocols.ID) {
	w.checker.Stepped(p, w.peer(p), time.Duration(w.net.Now()))
}
func (w *watch) Started(p protocols.ID) {
	w.checker.Started(p)
	w.Stepped(p)
}
func (w *watch) Crashed(p protocols.ID)   { w.checker.Crashed(p) }
func (w *watch) Restarted(p protocols.ID) { w.Stepped(p) }

// subsets yields every set of n identifiers of so many bits.
func subsets(bits, n int, visit func([]uint64)) {
	for mask := range uint64(1) << (1 << bits) {
		var ids []uint64
		for id := range uint64(1) << bits {
			if mask>>id&1 == 1 {
				ids = append(ids, id)
			}
		}
		if len(ids) == n {
			visit(ids)
		}
	}
}

// responsible is the first of the identifiers from a key on, by looking at all.
func responsible(ids []uint64, bits int, key uint64) protocols.ID {
	best, least := protocols.ID(-1), uint64(math.MaxUint64)
	for p, id := range ids {
		if d := (id - key) % (1 << bits); d < least {
			best, least = protocols.ID(p), d
		}
	}
	return best
}

// hops is how many processes a question passes on its way, by looking at all: each asks
// the process that is closest before the key among those it points at, which are the
// first from its identifier + 2^i on.
func hops(ids []uint64, bits int, from protocols.ID, key uint64) int {
	target, count := responsible(ids, bits, key), 0
	for at := from; at != target; count++ {
		best, least := responsible(ids, bits, (ids[at]+1)%(1<<bits)), uint64(math.MaxUint64)
		for i := range bits {
			f := responsible(ids, bits, (ids[at]+1<<i)%(1<<bits))
			left, all := (key-ids[f])%(1<<bits), (key-ids[at])%(1<<bits)
			if f != at && left > 0 && left < all && left < least {
				best, least = f, left
			}
		}
		at = best
	}
	return count
}

// Every process finds the process responsible for its identifier AND 1..10..0: all sets of
// identifiers of 3 bits, all k. The number of superpeers is on average what counting
// non-empty arcs says, exactly; and the printed formula counts identifiers that end in
// zeros.
func TestEverySet(t *testing.T) {
	const bits = 3
	for n := 1; n <= 1<<bits; n++ {
		for k := 0; k <= bits; k++ {
			superpeers, zeros, sets := 0, 0, 0
			subsets(bits, n, func(ids []uint64) {
				o := run(t, bits, k, ids, des.Constant(unit), 1, nil)
				want := []int{0, 0, 0}
				serving := map[protocols.ID]bool{}
				for p, id := range ids {
					key := id >> (bits - k) << (bits - k)
					s := responsible(ids, bits, key)
					serving[s] = true
					if got, known := o.Known(protocols.ID(p)); !known || got != s {
						t.Fatalf("%v, k=%d: process %d has superpeer %d, %v, want %d", ids, k, p, got, known, s)
					}
					if h := hops(ids, bits, protocols.ID(p), key); h > bits {
						t.Fatalf("%v: %d hops", ids, h)
					} else if h > 0 {
						want[dht.Lookup]++
						want[dht.Forward] += h - 1
						want[dht.Responsible]++
					}
					if key == id {
						zeros++
					}
				}
				if !slices.Equal(o.sent, want) {
					t.Fatalf("%v, k=%d: sent %v, want %v", ids, k, o.sent, want)
				}
				for _, c := range o.checks {
					if c.Verdict != protocols.Holds {
						t.Fatalf("%v, k=%d: %+v", ids, k, c)
					}
				}
				if o.Superpeers() != len(serving) {
					t.Fatalf("%v, k=%d: %d superpeers, want %d", ids, k, o.Superpeers(), len(serving))
				}
				superpeers += len(serving)
				sets++
			})
			if mean := float64(superpeers) / float64(sets); math.Abs(mean-dht.Expected(bits, k, n)) > 1e-12 {
				t.Errorf("n=%d, k=%d: %v superpeers on average, expected %v", n, k, mean, dht.Expected(bits, k, n))
			}
			if mean := float64(zeros) / float64(sets); math.Abs(mean-dht.Printed(bits, k, n)) > 1e-12 {
				t.Errorf("n=%d, k=%d: %v identifiers end in zeros on average, printed %v", n, k, mean, dht.Printed(bits, k, n))
			}
		}
	}
}

// The formula, with the binomials written out; and the numbers for 8 processes of 8
// bits with 3 set aside.
func TestExpected(t *testing.T) {
	for bits := 1; bits <= 6; bits++ {
		for k := 0; k <= bits; k++ {
			for n := 1; n <= 1<<bits; n++ {
				all, arc := int64(1)<<bits, int64(1)<<(bits-k)
				none := new(big.Rat).SetFrac(new(big.Int).Binomial(all-arc, int64(n)), new(big.Int).Binomial(all, int64(n)))
				want, _ := none.Sub(big.NewRat(1, 1), none).Mul(none, big.NewRat(1<<k, 1)).Float64()
				if got := dht.Expected(bits, k, n); math.Abs(got-want) > 1e-9 {
					t.Errorf("m=%d, k=%d, n=%d: %v, want %v", bits, k, n, got, want)
				}
			}
		}
	}
	if e, p := dht.Expected(8, 3, 8), dht.Printed(8, 3, 8); math.Abs(e-5.29) > 0.005 || p != 0.25 {
		t.Errorf("%v superpeers expected, %v printed; want 5.29 and 0.25", e, p)
	}
}

// random draws n identifiers.
func random(bits, n int, seed uint64) []uint64 {
	stream := des.NewStream(seed, "identifiers")
	var ids []uint64
	for len(ids) < n {
		if id := uint64(stream.Intn(1 << bits)); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Larger rings: the mean number of superpeers is within four standard errors of the
// expectation, and a lookup takes about half of log2 N hops on average (Stoica et al.,
// section 6.2) and never more than m.
func TestLargeRings(t *testing.T) {
	const bits, k = 20, 4
	for _, n := range []int{16, 64, 256} {
		var sum, squares, asked, path float64
		const runs = 60
		for seed := range uint64(runs) {
			ids := random(bits, n, seed)
			o := run(t, bits, k, ids, des.Uniform(0, 10*unit), seed, nil)
			s := float64(o.Superpeers())
			sum += s
			squares += s * s
			asked += float64(o.sent[dht.Lookup])
			path += float64(o.sent[dht.Lookup] + o.sent[dht.Forward])
			if o.depth > bits+1 {
				t.Fatalf("n=%d: a chain of %d messages", n, o.depth)
			}
			if !o.Complete() {
				t.Fatalf("n=%d: %+v", n, o.checks)
			}
		}
		mean := sum / runs
		sd := math.Sqrt(max(squares/runs-mean*mean, 0))
		if want := dht.Expected(bits, k, n); math.Abs(mean-want) > 4*sd/math.Sqrt(runs)+1e-3 {
			t.Errorf("n=%d: %v superpeers on average, sd %v, expected %v", n, mean, sd, want)
		}
		if hops := path / asked; hops > math.Log2(float64(n)) || hops < math.Log2(float64(n))/4 {
			t.Errorf("n=%d: %v hops on average, about half of log2 n expected", n, hops)
		}
	}
}

// Five processes on a ring of 16; the first bit is for superpeers.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 4, 1, []uint64{1, 3, 6, 9, 14}, des.Constant(unit), 1, &trace)
	golden.Check(t, "ring16.txt", trace.Bytes())
}

func TestRing(t *testing.T) {
	for _, c := range []struct {
		bits int
		ids  []uint64
	}{{0, nil}, {63, nil}, {3, []uint64{8}}, {3, []uint64{1, 2, 1}}} {
		if _, err := dht.NewRing(c.bits, c.ids); err == nil {
			t.Errorf("%d bits, %v is accepted", c.bits, c.ids)
		}
	}
}

func TestPanics(t *testing.T) {
	ring := ringOf(t, 3, []uint64{1})
	for name, f := range map[string]func(){
		"k":            func() { dht.New(0, ring, 4) },
		"unknown type": func() { dht.New(0, ring, 1).Receive(nil, 0, dht.Message{Type: 3}) },
		"timer":        func() { dht.New(0, ring, 1).Timeout(nil, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		m    dht.Message
		bits int
		text string
	}{
		{dht.Message{Type: dht.Lookup, Key: 12}, 72, "LOOKUP(12)"},
		{dht.Message{Type: dht.Forward, Key: 12, Origin: 3}, 136, "FORWARD(12 for 3)"},
		{dht.Message{Type: dht.Responsible, Key: 12}, 72, "RESPONSIBLE(12)"},
	} {
		if c.m.Bits() != c.bits || c.m.String() != c.text || c.m.Kinds()[c.m.Kind()] != c.text[:len(c.m.Kinds()[c.m.Kind()])] {
			t.Errorf("%v has %d bits, want %s with %d", c.m, c.m.Bits(), c.text, c.bits)
		}
	}
}

// explored watches lookups for the explorer.
type explored struct{ checker *superpeer.Assignment }

func (w *explored) note(p protocols.ID, process any, now time.Duration) {
	w.checker.Stepped(p, process.(superpeer.Peer), now)
}

func (w *explored) Started(p protocols.ID, process any, now time.Duration) {
	w.checker.Started(p)
	w.note(p, process, now)
}
func (w *explored) Received(p protocols.ID, process any, now time.Duration)  { w.note(p, process, now) }
func (w *explored) Expired(p protocols.ID, process any, now time.Duration)   { w.note(p, process, now) }
func (w *explored) Restarted(p protocols.ID, process any, now time.Duration) { w.note(p, process, now) }
func (w *explored) Crashed(p protocols.ID, _ time.Duration)                  { w.checker.Crashed(p) }

func (w *explored) Verdicts(rest bool) []protocols.Verdict {
	checks := w.checker.Checks(rest)
	return []protocols.Verdict{checks[0].Verdict, checks[1].Verdict}
}

// Every run of every three identifiers of 3 bits.
func TestExplore(t *testing.T) {
	s := &explore.System[dht.Message]{Topology: netem.Complete(3), Properties: []explore.Property{
		{Name: "responsible", Kind: explore.Always}, {Name: "found", Kind: explore.Eventually},
	}}
	subsets(3, 3, func(ids []uint64) {
		ring := ringOf(t, 3, ids)
		s.Roots = append(s.Roots, explore.Root[dht.Message]{
			Boot:       func(p protocols.ID) protocols.Process[dht.Message] { return dht.New(p, ring, 1) },
			Initiators: []protocols.ID{0, 1, 2},
			Watch:      &explored{superpeer.NewAssignment(right(ring, 3, 1))},
		})
	})
	r, err := explore.Explore(t.Context(), s, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Properties {
		if p.Verdict != protocols.Holds {
			t.Errorf("%s %v, %v", p.Name, p.Verdict, r.Counterexample)
		}
	}
	if !r.Complete || r.States != 680 || r.Transitions != 952 {
		t.Errorf("complete %v, %d states and %d transitions, want 680 and 952", r.Complete, r.States, r.Transitions)
	}
}
