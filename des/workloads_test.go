package des

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"bullring/des/yardstick"
)

// The workloads of docs/performance.md. Their definition is exact, so that any two schedulers
// can be compared event by event.

// scheduler is a queue, a heap or, in a comparison with peers, one of closures. The calls are
// direct: a type parameter or an interface would cost more than the difference to be measured.
type scheduler struct {
	q *Queue[hop]
	h *yardstick.Heap[hop]
	c *closures
}

func onQueue(q *Queue[hop]) scheduler { return scheduler{q: q} }
func onHeap() scheduler               { return scheduler{h: &yardstick.Heap[hop]{}} }
func onClosures() scheduler           { return scheduler{c: &closures{}} }

func (s scheduler) at(t Time, item hop) {
	switch {
	case s.q != nil:
		s.q.At(t, Delivery, item)
	case s.h != nil:
		s.h.At(int64(t), uint8(Delivery), item)
	default:
		s.c.at(t, item)
	}
}

func (s scheduler) pop() (Event[hop], bool) {
	switch {
	case s.q != nil:
		return s.q.Next()
	case s.h != nil:
		e, ok := s.h.Next()
		return Event[hop]{At: Time(e.At), Item: e.Item}, ok
	default:
		return s.c.next()
	}
}

// hop is a message to a node, of 16 bytes with its payload.
type hop struct {
	node  uint64
	value uint64
}

// xorshift is xorshift64*, the generator of the workloads.
type xorshift uint64

func newXorshift() xorshift { return 88172645463325252 }

func (x *xorshift) next() uint64 {
	s := *x
	s ^= s >> 12
	s ^= s << 25
	s ^= s >> 27
	*x = s
	return uint64(s) * 2685821657736338717
}

const unit = 1_000_000_000

var expTable = func() (t [4096]Time) {
	for i := range t {
		t[i] = Time(math.Floor(-math.Log(1-(float64(i)+0.5)/4096)*unit + 0.5))
	}
	return t
}()

func expo(r uint64) Time             { return expTable[r>>52] + Time(r>>20&0xFFFFF) }
func uni(r uint64) Time              { return Time((r >> 32) * (2 * unit) >> 32) }
func pick(r uint64, n uint64) uint64 { return (r >> 32) * n >> 32 }

type digest uint64

func (d *digest) add(node uint64) { *d = (*d ^ digest(node)) * 0x100000001b3 }

// hold is W1 on the queue, holdHeap on the heap. They are written out twice: a call in
// between would be a fifth of the time to be measured.
func hold(q *Queue[hop], pending int, increment string) func(n int) digest {
	first, inc := increments(pending, increment)
	for i := range pending {
		q.At(first(i), Delivery, hop{node: uint64(i)})
	}
	return func(n int) (d digest) {
		for range n {
			e, _ := q.Next()
			d.add(e.Item.node)
			q.At(e.At+inc(), Delivery, e.Item)
		}
		return d
	}
}

func holdHeap(h *yardstick.Heap[hop], pending int, increment string) func(n int) digest {
	first, inc := increments(pending, increment)
	for i := range pending {
		h.At(int64(first(i)), uint8(Delivery), hop{node: uint64(i)})
	}
	return func(n int) (d digest) {
		for range n {
			e, _ := h.Next()
			d.add(e.Item.node)
			h.At(e.At+int64(inc()), uint8(Delivery), e.Item)
		}
		return d
	}
}

// increments returns the first instants of W1 and the increments.
func increments(pending int, increment string) (first func(i int) Time, inc func() Time) {
	x := newXorshift()
	inc = func() Time { return unit }
	switch increment {
	case "exp":
		inc = func() Time { return expo(x.next()) }
	case "uni":
		inc = func() Time { return uni(x.next()) }
	case "const":
		return func(i int) Time { return Time(i) * unit / Time(pending) }, inc
	}
	return func(int) Time { return inc() }, inc
}

func ring(s scheduler, n uint64, random bool) (messages int, d digest) {
	x := newXorshift()
	delay := func() Time { return unit }
	if random {
		delay = func() Time { return expo(x.next()) }
	}
	for i := range n {
		s.at(delay(), hop{node: (i + 1) % n, value: n - i})
	}
	for {
		e, ok := s.pop()
		if !ok {
			return messages, d
		}
		messages++
		i := e.Item.node
		d.add(i)
		if own := n - i; e.Item.value > own {
			next := i + 1
			if next == n {
				next = 0
			}
			s.at(e.At+delay(), hop{next, e.Item.value})
		}
	}
}

func complete(s scheduler, n uint64) (messages int, d digest) {
	x := newXorshift()
	for i := range n {
		for j := range n {
			if i != j {
				s.at(uni(x.next()), hop{node: j})
			}
		}
	}
	for {
		e, ok := s.pop()
		if !ok {
			return messages, d
		}
		messages++
		d.add(e.Item.node)
	}
}

func phold(s scheduler, deliveries int) (d digest) {
	x := newXorshift()
	const nodes = 100_000
	for i := range uint64(nodes) {
		s.at(expo(x.next()), hop{node: i})
	}
	for range deliveries {
		e, _ := s.pop()
		d.add(e.Item.node)
		dst := pick(x.next(), nodes)
		s.at(e.At+unit/10+expo(x.next()), hop{node: dst})
	}
	return d
}

const resetNodes = 10_000

// reset is W6 on the queue, whose timers are re-armed. resetHeap is W6 on a heap, which
// recognises an old setting of a timer when it pops it: the value of a hop is 0 for a
// message, else the number of the setting.
func reset(q *Queue[hop], deliveries int) (d digest) {
	x := newXorshift()
	var timers [resetNodes]Timer
	arm := func(i uint64, now Time) { q.Reset(timers[i], now+150_000_000+uni(x.next())*75/1000) }
	for i := range uint64(resetNodes) {
		q.At(expo(x.next())/1000, Delivery, hop{node: i})
		timers[i] = q.NewTimer(Delivery, hop{i, 1})
		arm(i, 0)
	}
	for range deliveries {
		e, _ := q.Next()
		d.add(e.Item.node)
		arm(e.Item.node, e.At)
		if e.Item.value == 0 {
			dst := pick(x.next(), resetNodes)
			q.At(e.At+100_000+expo(x.next())/1000, Delivery, hop{node: dst})
		}
	}
	return d
}

func resetHeap(h *yardstick.Heap[hop], deliveries int) (d digest) {
	x := newXorshift()
	var settings [resetNodes]uint64
	arm := func(i uint64, now Time) {
		settings[i]++
		h.At(int64(now+150_000_000+uni(x.next())*75/1000), uint8(Delivery), hop{i, settings[i]})
	}
	for i := range uint64(resetNodes) {
		h.At(int64(expo(x.next())/1000), uint8(Delivery), hop{node: i})
		arm(i, 0)
	}
	for delivered := 0; delivered < deliveries; {
		e, _ := h.Next()
		timer := e.Item.value != 0
		if timer && e.Item.value != settings[e.Item.node] {
			continue
		}
		delivered++
		d.add(e.Item.node)
		arm(e.Item.node, Time(e.At))
		if !timer {
			dst := pick(x.next(), resetNodes)
			h.At(e.At+100_000+int64(expo(x.next())/1000), uint8(Delivery), hop{node: dst})
		}
	}
	return d
}

// TestWorkloadDigests compares both schedulers with the digests that an exact scheduler has
// on these workloads.
func TestWorkloadDigests(t *testing.T) {
	q := NewQueue[hop]()
	both := func(name string, want digest, queue, heap func() digest) {
		t.Run(name, func(t *testing.T) {
			q.Clear()
			if got := queue(); got != want {
				t.Errorf("the queue prints %016x; want %016x", uint64(got), uint64(want))
			}
			if testing.Short() {
				return
			}
			if got := heap(); got != want {
				t.Errorf("the heap prints %016x; want %016x", uint64(got), uint64(want))
			}
		})
	}
	second := func(run func(int) digest) digest { run(100); return run(1e6) }
	both("W1 exp P=100", 0x7c37208b86a6edc0,
		func() digest { return second(hold(q, 100, "exp")) },
		func() digest { return second(holdHeap(&yardstick.Heap[hop]{}, 100, "exp")) })
	rings := func(n uint64, random bool) (func() digest, func() digest) {
		return func() digest { _, d := ring(onQueue(q), n, random); return d }, func() digest { _, d := ring(onHeap(), n, random); return d }
	}
	queue, heap := rings(1000, false)
	both("W2 n=1000", 0x784ac482ef0147e4, queue, heap)
	queue, heap = rings(4000, false)
	both("W2 n=4000", 0x869630d5a68657b0, queue, heap)
	queue, heap = rings(1000, true)
	both("W3 n=1000", 0x50412b8fdd033c68, queue, heap)
	if !testing.Short() {
		queue, heap = rings(4000, true)
		both("W3 n=4000", 0x234c0ccdc39862d2, queue, heap)
		both("W4", 0x6020958ac066d760,
			func() digest { _, d := complete(onQueue(q), 2000); return d },
			func() digest { _, d := complete(onHeap(), 2000); return d })
	}
	both("W5 N=1e6", 0x2573a822058f4a61,
		func() digest { return phold(onQueue(q), 1e6) }, func() digest { return phold(onHeap(), 1e6) })
	both("W6 N=2e6", 0x2070c3ebef49018e,
		func() digest { return reset(q, 2e6) }, func() digest { return resetHeap(&yardstick.Heap[hop]{}, 2e6) })
}

// TestHoldAgreesWithHeap is W1 in all forms. The heap is the oracle.
func TestHoldAgreesWithHeap(t *testing.T) {
	for _, increment := range []string{"exp", "uni", "const", "tied"} {
		for _, pending := range []int{1, 100, 10_000} {
			q, h := hold(NewQueue[hop](), pending, increment), holdHeap(&yardstick.Heap[hop]{}, pending, increment)
			if got, want := q(100_000), h(100_000); got != want {
				t.Errorf("%s, %d pending: digest %x; want %x", increment, pending, got, want)
			}
		}
	}
}

// TestBytesPending is W4's bar: the memory of a pending message of 8 bytes.
func TestBytesPending(t *testing.T) {
	if unsafe.Sizeof(Event[hop]{}) != 32 {
		t.Skip("an event is not 32 bytes here")
	}
	q := NewQueue[hop]()
	x := newXorshift()
	const n = 1_000_000
	for i := range n {
		q.At(uni(x.next()), Delivery, hop{node: uint64(i)})
	}
	chunks := n/chunkLen + 1
	q.future.tree.Ascend(func(*bucket[hop]) bool { chunks++; return true }) // a half-empty chunk a bucket, at most
	bytes := float64(chunks) * float64(unsafe.Sizeof(chunk[hop]{}))
	if bytes/n > 45 {
		t.Errorf("%.1f bytes a pending message; want at most 45", bytes/n)
	}
}

// radix is the offline limit of W4: all instants are known beforehand and sorted by an LSD
// radix sort of 11 bits a pass.
func radix(n uint64) (messages int, d digest) {
	x := newXorshift()
	events := make([]Event[hop], 0, n*(n-1))
	for i := range n {
		for j := range n {
			if i != j {
				events = append(events, Event[hop]{At: uni(x.next()), key: uint64(len(events)), Item: hop{node: j}})
			}
		}
	}
	other := make([]Event[hop], len(events))
	for shift := 0; shift < 33; shift += 11 {
		var count [1 << 11]int
		for i := range events {
			count[events[i].At>>shift&(1<<11-1)]++
		}
		sum := 0
		for i, c := range count {
			count[i] = sum
			sum += c
		}
		for i := range events {
			p := &count[events[i].At>>shift&(1<<11-1)]
			other[*p] = events[i]
			*p++
		}
		events, other = other, events
	}
	for i := range events {
		messages++
		d.add(events[i].Item.node)
	}
	return messages, d
}

func TestRadixDigest(t *testing.T) {
	if _, d := radix(2000); d != 0x6020958ac066d760 {
		t.Errorf("the radix sort prints %016x", uint64(d))
	}
}

// The benchmarks report ns per event, or per hold, for the queue and the yardsticks.
// docs/performance.md reports their ratios.

func BenchmarkW1Hold(b *testing.B) {
	for _, increment := range []string{"exp", "uni", "const", "tied"} {
		for _, pending := range []int{100, 10_000, 1_000_000} {
			run := func(b *testing.B, f func(int) digest) {
				f(max(pending, 100_000)) // W1 holds P times before it measures
				b.ResetTimer()
				b.ReportAllocs()
				f(b.N)
			}
			name := fmt.Sprintf("%s/P=%d", increment, pending)
			b.Run(name+"/queue", func(b *testing.B) { run(b, hold(NewQueue[hop](), pending, increment)) })
			b.Run(name+"/heap4", func(b *testing.B) { run(b, holdHeap(&yardstick.Heap[hop]{}, pending, increment)) })
		}
	}
}

func perMessage(b *testing.B, f func() int) {
	b.ReportAllocs()
	messages := 0
	for b.Loop() {
		messages += f()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/msg")
}

func BenchmarkW2Ring(b *testing.B) {
	for _, n := range []uint64{1000, 4000} {
		q := NewQueue[hop]()
		b.Run(fmt.Sprintf("n=%d/queue", n), func(b *testing.B) {
			perMessage(b, func() int { q.Clear(); m, _ := ring(onQueue(q), n, false); return m })
		})
		b.Run(fmt.Sprintf("n=%d/heap4", n), func(b *testing.B) {
			perMessage(b, func() int { m, _ := ring(onHeap(), n, false); return m })
		})
	}
}

func BenchmarkW3RingRandom(b *testing.B) {
	q := NewQueue[hop]()
	b.Run("n=4000/queue", func(b *testing.B) {
		perMessage(b, func() int { q.Clear(); m, _ := ring(onQueue(q), 4000, true); return m })
	})
	b.Run("n=4000/heap4", func(b *testing.B) {
		perMessage(b, func() int { m, _ := ring(onHeap(), 4000, true); return m })
	})
}

func BenchmarkW4Complete(b *testing.B) {
	q := NewQueue[hop]()
	b.Run("queue", func(b *testing.B) {
		perMessage(b, func() int { q.Clear(); m, _ := complete(onQueue(q), 2000); return m })
	})
	b.Run("heap4", func(b *testing.B) {
		perMessage(b, func() int { m, _ := complete(onHeap(), 2000); return m })
	})
	b.Run("radix", func(b *testing.B) {
		perMessage(b, func() int { m, _ := radix(2000); return m })
	})
}

func BenchmarkW5Phold(b *testing.B) {
	const deliveries = 1_000_000
	q := NewQueue[hop]()
	b.Run("queue", func(b *testing.B) {
		perMessage(b, func() int { q.Clear(); phold(onQueue(q), deliveries); return deliveries })
	})
	b.Run("heap4", func(b *testing.B) {
		perMessage(b, func() int { phold(onHeap(), deliveries); return deliveries })
	})
}

func BenchmarkW6Reset(b *testing.B) {
	const deliveries = 2_000_000
	q := NewQueue[hop]()
	b.Run("queue", func(b *testing.B) {
		perMessage(b, func() int { q.Clear(); reset(q, deliveries); return deliveries })
	})
	b.Run("heap4", func(b *testing.B) {
		perMessage(b, func() int { resetHeap(&yardstick.Heap[hop]{}, deliveries); return deliveries })
	})
}
