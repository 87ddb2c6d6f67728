package families

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// The interval of a process that is on or off for exponential times has the true share in it as often as it says,
// whatever the length of a run: from a few hundred times to many.
func TestBatchMeans(t *testing.T) {
	for _, c := range []struct {
		on, off time.Duration
		horizon time.Duration
	}{{time.Second, time.Second, time.Hour}, {300 * time.Millisecond, 3 * time.Second, time.Hour}, {20 * time.Second, time.Second, 6 * time.Hour}} {
		truth := float64(c.on) / float64(c.on+c.off)
		within, runs, widths := 0, 1000, 0.0
		for seed := range uint64(runs) {
			r := rand.New(rand.NewPCG(seed, 1))
			var b batchMeans
			var now, on time.Duration
			up := r.Float64() < truth
			for now < c.horizon {
				stay := c.off
				if up {
					stay = c.on
				}
				span := min(time.Duration(r.ExpFloat64()*float64(stay)), c.horizon-now)
				v := 0.0
				if up {
					v, on = 1, on+span
				}
				b.add(span, v)
				now, up = now+span, !up
			}
			half, ok := b.half()
			if !ok || len(b.means) >= 2*fewestBatches {
				t.Fatalf("%d batches", len(b.means))
			}
			if widths += half; math.Abs(float64(on)/float64(now)-truth) <= half {
				within++
			}
		}
		covered := float64(within) / float64(runs)
		t.Logf("%v on, %v off: %.1f %% of %d intervals have the truth, half of one is %.4f", c.on, c.off, 100*covered, runs, widths/float64(runs))
		if covered < 0.92 || covered > 0.985 { // 95 %, five standard errors of 0.7 %
			t.Errorf("%v on, %v off: %.1f %% of the intervals have the truth", c.on, c.off, 100*covered)
		}
	}
}

// Batches have the means of what they cover, however the time is cut.
func TestBatchesAreOfTheTime(t *testing.T) {
	var whole, cut batchMeans
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		span, v := time.Duration(r.IntN(int(time.Millisecond))), float64(r.IntN(3))
		whole.add(span, v)
		for span > 0 {
			part := min(span, time.Duration(1+r.IntN(100_000)))
			cut.add(part, v)
			span -= part
		}
	}
	if whole.length != cut.length || len(whole.means) != len(cut.means) || len(whole.means) < fewestBatches {
		t.Fatalf("%d batches of %v, and %d of %v", len(whole.means), whole.length, len(cut.means), cut.length)
	}
	for i := range whole.means {
		if math.Abs(whole.means[i]-cut.means[i]) > 1e-9 {
			t.Errorf("batch %d has the means %g and %g", i, whole.means[i], cut.means[i])
		}
	}
	if _, ok := new(batchMeans).half(); ok {
		t.Error("there is an interval without a batch")
	}
}
