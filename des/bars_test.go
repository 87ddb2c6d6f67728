package des

import (
	"fmt"
	"testing"

	"bullring/des/yardstick"
)

// TestBars measures the queue alone against the yardsticks, with the bars of
// docs/performance.md.
func TestBars(t *testing.T) {
	yardstick.SkipUnlessAsked(t)
	measure := func(name string, contenders []yardstick.Contender, bars ...yardstick.Bar) {
		yardstick.Work{Name: name, Unit: "ns", Rounds: 9, Contenders: contenders, Bars: bars}.Measure(t)
	}
	pair := func(queue, heap func() int) []yardstick.Contender {
		return []yardstick.Contender{
			{Name: "queue", Run: yardstick.PerOperation(queue)},
			{Name: "heap4", Run: yardstick.PerOperation(heap)},
		}
	}
	heap4 := func(atMost float64) yardstick.Bar { return yardstick.Bar{Against: "heap4", AtMost: atMost} }

	for _, w := range []struct {
		increment string
		pending   int
		atMost    float64
	}{
		{"exp", 100, 0.60}, {"exp", 10_000, 0.33}, {"exp", 1_000_000, 0.25},
		{"const", 10_000, 0.13}, {"tied", 10_000, 0.13},
	} {
		const holds = 1_000_000
		queue := hold(NewQueue[hop](), w.pending, w.increment)
		heap := holdHeap(&yardstick.Heap[hop]{}, w.pending, w.increment)
		contenders := pair(func() int { queue(holds); return holds }, func() int { heap(holds); return holds })
		measure(fmt.Sprintf("W1 %s P=%d", w.increment, w.pending), contenders, heap4(w.atMost))
	}
	q := NewQueue[hop]()
	both := func(run func(scheduler) int) []yardstick.Contender {
		return pair(func() int { q.Clear(); return run(onQueue(q)) }, func() int { return run(onHeap()) })
	}
	measure("W2 n=4000", both(func(s scheduler) int { m, _ := ring(s, 4000, false); return m }))
	measure("W3 n=4000", both(func(s scheduler) int { m, _ := ring(s, 4000, true); return m }))
	offline := yardstick.Contender{Name: "radix", Run: yardstick.PerOperation(func() int { m, _ := radix(2000); return m })}
	measure("W4 n=2000", append(both(func(s scheduler) int { m, _ := complete(s, 2000); return m }), offline),
		heap4(0.18), yardstick.Bar{Against: "radix", AtMost: 1.2})
	measure("W5 N=1e6", both(func(s scheduler) int { phold(s, 1e6); return 1e6 }), heap4(0.30))
	measure("W6 N=2e6", pair(func() int { q.Clear(); reset(q, 2e6); return 2e6 },
		func() int { resetHeap(&yardstick.Heap[hop]{}, 2e6); return 2e6 }), heap4(0.16))
}
