package catalog_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"bullring/des/yardstick"
	"bullring/experiments/trial"
	"bullring/netem"
)

// Workloads W2 and W3 of docs/performance.md, as `bullring run lcr --n 4000
// --placement decreasing` does them: links, counters, fingerprint and checks
// included.

func decreasingRing(t testing.TB, n int) *trial.Instance {
	t.Helper()
	in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: n, Placement: "decreasing"})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

const unit = 1_000_000_000

// workloadDelay is the exponential delay of W3. Its draws come from the
// workload's own generator, in the order in which messages are sent.
type workloadDelay struct {
	state *uint64
	table *[4096]int64
}

func newWorkloadDelay() workloadDelay {
	d := workloadDelay{new(uint64), new([4096]int64)}
	*d.state = 88172645463325252
	for i := range d.table {
		d.table[i] = int64(math.Floor(-math.Log(1-(float64(i)+0.5)/4096)*unit + 0.5))
	}
	return d
}

func (d workloadDelay) next() int64 {
	s := *d.state
	s ^= s >> 12
	s ^= s << 25
	s ^= s >> 27
	*d.state = s
	r := s * 2685821657736338717
	return d.table[r>>52] + int64(r>>20&0xFFFFF)
}

func (d workloadDelay) Sample(uint64) time.Duration { return time.Duration(d.next()) }
func (d workloadDelay) Mean() time.Duration         { return unit }
func (d workloadDelay) Quantile(u uint64) time.Duration {
	return time.Duration(d.table[u>>52])
}
func (d workloadDelay) String() string { return "exp of W3" }
func (d workloadDelay) Bounds() (lo, hi time.Duration, bounded bool) {
	return 0, 0, false
}

// digest is a tracer that hashes who is delivered to.
type digest uint64

func (d *digest) Record(r netem.Record) {
	if r.What == "deliver" {
		*d = (*d ^ digest(r.Who)) * 0x100000001b3
	}
}

// TestProductDigests holds the whole emulator to the digests that every exact
// scheduler prints on W2 and W3.
func TestProductDigests(t *testing.T) {
	var w trial.Worker
	for _, c := range []struct {
		n      int
		random bool
		want   digest
	}{
		{1000, false, 0x784ac482ef0147e4},
		{1000, true, 0x50412b8fdd033c68},
		{4000, false, 0x869630d5a68657b0},
		{4000, true, 0x234c0ccdc39862d2},
	} {
		if c.n > 1000 && testing.Short() {
			continue
		}
		in := decreasingRing(t, c.n)
		if c.random {
			in.Delay, in.FIFO = newWorkloadDelay(), false
		}
		var got digest
		w.Run(context.Background(), in, func(*trial.Traced) netem.Tracer { return &got })
		if got != c.want {
			t.Errorf("n=%d random=%v: digest %016x; want %016x", c.n, c.random, uint64(got), uint64(c.want))
		}
	}
}

// The yardsticks do the same work with nothing around it.

type hop struct {
	to, from int32
	value    int64
}

// ringOnHeap is the work on a plain heap.
func ringOnHeap(n int, delay func() int64) int {
	var h yardstick.Heap[hop]
	for i := range n {
		h.At(delay(), 1, hop{to: int32((i + 1) % n), value: int64(n - i)})
	}
	messages := 0
	for {
		e, ok := h.Next()
		if !ok {
			return messages
		}
		messages++
		if i := int(e.Item.to); e.Item.value > int64(n-i) {
			h.At(e.At+delay(), 1, hop{to: int32((i + 1) % n), from: int32(i), value: e.Item.value})
		}
	}
}

// ringOnBuffer is the work with no scheduler at all: messages of constant
// delay arrive in the order in which they are sent.
func ringOnBuffer(n int) int {
	buffer := make([]hop, n) // at most n messages are under way
	head, held := 0, 0
	push := func(h hop) {
		tail := head + held
		if tail >= n {
			tail -= n
		}
		buffer[tail] = h
		held++
	}
	for i := range n {
		push(hop{to: int32((i + 1) % n), value: int64(n - i)})
	}
	messages := 0
	for ; held > 0; messages++ {
		h := buffer[head]
		if head++; head == n {
			head = 0
		}
		held--
		if i := int(h.to); h.value > int64(n-i) {
			next := i + 1
			if next == n {
				next = 0
			}
			push(hop{to: int32(next), from: int32(i), value: h.value})
		}
	}
	return messages
}

// ringOfGoroutines does the work as people write it by hand: a process is a goroutine,
// and a link is a buffered channel. It has neither time nor an order. The leader sends 0
// round the ring, behind all other messages.
func ringOfGoroutines(n int) int {
	links := make([]chan int64, n)
	for i := range links {
		links[i] = make(chan int64, n)
	}
	received := make(chan int)
	for i := range n {
		go func() {
			in, out, own, messages := links[i], links[(i+1)%n], int64(n-i), 0
			out <- own
			for {
				m := <-in
				if m == 0 {
					if own < int64(n) {
						out <- 0
					}
					received <- messages
					return
				}
				messages++
				if m > own {
					out <- m
				} else if m == own {
					out <- 0
				}
			}
		}()
	}
	messages := 0
	for range n {
		messages += <-received
	}
	return messages
}

func TestYardsticksDoTheSameWork(t *testing.T) {
	const n, want = 200, 200 * 201 / 2
	for name, got := range map[string]int{
		"heap":       ringOnHeap(n, func() int64 { return unit }),
		"buffer":     ringOnBuffer(n),
		"goroutines": ringOfGoroutines(n),
	} {
		if got != want {
			t.Errorf("%s: %d messages; want %d", name, got, want)
		}
	}
}

func BenchmarkProductRing(b *testing.B) {
	for _, c := range []struct {
		name   string
		random bool
	}{{"W2", false}, {"W3", true}} {
		b.Run(fmt.Sprintf("%s/n=4000", c.name), func(b *testing.B) {
			var w trial.Worker
			in := decreasingRing(b, 4000)
			if c.random {
				in.Delay, in.FIFO = newWorkloadDelay(), false
			}
			b.ReportAllocs()
			messages := uint64(0)
			for b.Loop() {
				messages += w.Run(context.Background(), in, nil).Counters.Messages()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/msg")
		})
	}
}

// TestAllocationsPerEvent: a run allocates for its processes and its result,
// and nothing for its events.
func TestAllocationsPerEvent(t *testing.T) {
	var w trial.Worker
	in := decreasingRing(t, 2000)
	run := func() { w.Run(context.Background(), in, nil) }
	run()
	const messages = 2000 * 2001 / 2
	if n := testing.AllocsPerRun(3, run) / messages; n > 0.01 {
		t.Errorf("%v allocations an event", n)
	}
}

// TestBars measures the product, with the bars of docs/performance.md.
func TestBars(t *testing.T) {
	yardstick.SkipUnlessAsked(t)
	const n = 4000
	var w trial.Worker
	product := func(in *trial.Instance) yardstick.Contender {
		return yardstick.Contender{Name: "product", Run: yardstick.PerOperation(func() int {
			return int(w.Run(context.Background(), in, nil).Counters.Messages())
		})}
	}
	other := func(name string, work func() int) yardstick.Contender {
		return yardstick.Contender{Name: name, Run: yardstick.PerOperation(work)}
	}
	random := decreasingRing(t, n)
	random.Delay, random.FIFO = newWorkloadDelay(), false
	w2, w2heap := product(decreasingRing(t, n)), other("heap4", func() int { return ringOnHeap(n, func() int64 { return unit }) })
	w3, w3heap := product(random), other("heap4", func() int { return ringOnHeap(n, newWorkloadDelay().next) })
	yardstick.Work{
		Name: "product W2 n=4000", Unit: "ns", Rounds: 9,
		Contenders: []yardstick.Contender{
			w2, w2heap,
			other("loop", func() int { return ringOnBuffer(n) }),
			other("goroutines", func() int { return ringOfGoroutines(n) }),
		},
		Bars: []yardstick.Bar{{Against: "heap4", AtMost: 0.20}, {Against: "loop", AtMost: 10}, {Against: "goroutines", AtMost: 0.40}},
	}.Measure(t)
	yardstick.Work{
		Name: "product W3 n=4000", Unit: "ns", Rounds: 9,
		Contenders: []yardstick.Contender{w3, w3heap}, Bars: []yardstick.Bar{{Against: "heap4", AtMost: 0.50}},
	}.Measure(t)
	besideNeighbour(t, "product W2 n=4000 of heap4's, beside a neighbour", w2, w2heap)
	besideNeighbour(t, "product W3 n=4000 of heap4's, beside a neighbour", w3, w3heap)
}

// besideNeighbour compares the product's share of heap4's time beside a neighbour with its share alone, in the same
// round.
func besideNeighbour(t *testing.T, name string, product, heap4 yardstick.Contender) {
	ratio := func() float64 { return product.Run() / heap4.Run() }
	yardstick.Work{
		Name: name, Rounds: 9,
		Contenders: []yardstick.Contender{
			{Name: "beside", Run: func() (r float64) {
				yardstick.BesideNeighbour(t, func() { r = ratio() })
				return r
			}},
			{Name: "alone", Run: ratio},
		},
		Bars: []yardstick.Bar{{Against: "alone", AtMost: 1.15}},
	}.Measure(t)
}

// TestNeighbour is the neighbour of TestBars.
func TestNeighbour(t *testing.T) { yardstick.BeNeighbour(t) }
