package families

import (
	"math"
	"time"
)

// batchMeans estimates how far the average of a value over the time of one run may be from its mean in the
// long run, by the means of batches of equal length (Law & Kelton, Simulation Modeling and Analysis, section
// 9.5.3). The length of a run need not be known: when there are twice as many batches as are needed, each
// two neighbours become one.
type batchMeans struct {
	length time.Duration // of a batch; 0 before the first
	means  []float64     // of those that are full
	sum    float64       // integral over the last one, in nanoseconds
	filled time.Duration // of it
}

const (
	fewestBatches = 20
	firstBatch    = time.Microsecond
	// studentT is the quantile 0.975 of Student's distribution for the fewest batches. That for more
	// is smaller.
	studentT = 2.093024054
)

// add adds a span of time in which the value was v.
func (b *batchMeans) add(span time.Duration, v float64) {
	if b.length == 0 {
		b.length = firstBatch
	}
	for span > 0 {
		part := min(span, b.length-b.filled)
		b.sum += float64(float64(part) * v)
		span, b.filled = span-part, b.filled+part
		if b.filled == b.length {
			b.means = append(b.means, b.sum/float64(b.length))
			b.sum, b.filled = 0, 0
		}
		if len(b.means) == 2*fewestBatches {
			b.double()
		}
	}
}

// double has each two batches be one.
func (b *batchMeans) double() {
	for i := range fewestBatches {
		b.means[i] = (b.means[2*i] + b.means[2*i+1]) / 2
	}
	b.means, b.length = b.means[:fewestBatches], 2*b.length
}

// half is half the width of an interval of 95 %. ok is false if there are too few batches.
func (b *batchMeans) half() (half float64, ok bool) {
	k := float64(len(b.means))
	if len(b.means) < fewestBatches {
		return 0, false
	}
	sum, squares := 0.0, 0.0
	for _, m := range b.means {
		sum += m
	}
	mean := sum / k
	for _, m := range b.means {
		squares += float64((m - mean) * (m - mean))
	}
	return studentT * math.Sqrt(squares/(k-1)/k), true
}
