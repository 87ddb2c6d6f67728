package stats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// SketchError is the largest error of a quantile of a Digest, as a share of the quantile: it
// is at most so much too small (a negative one, too large in size). Whole numbers up to 512
// are exact.
const SketchError = 1.0 / (1 << sketchBits)

// sketchBits is the number of bits behind the leading one that tell values of a sketch apart.
const sketchBits = 8

// sketch counts values in bins whose limits are floating-point numbers with few bits. The bin
// of a value is the first bits of the value itself: no logarithm is taken, which processors
// round in their own ways. Sketches of the same values are equal, in whatever order and groups
// they came.
type sketch map[int32]*bin

// bin is a bin of a sketch.
type bin struct {
	count int
	least float64 // of the values in it
}

// binOf is the bin of a finite value. Bins are ordered as their values.
func binOf(x float64) int32 {
	b := int32(math.Float64bits(math.Abs(x))>>(52-sketchBits)) + 1
	switch {
	case x < 0:
		return -b
	case x > 0:
		return b
	}
	return 0
}

func (s sketch) add(at int32, count int, least float64) {
	b := s[at]
	if b == nil {
		b = &bin{least: least}
		s[at] = b
	}
	b.count += count
	b.least = min(b.least, least)
}

func (s sketch) merge(o sketch) {
	for at, b := range o {
		s.add(at, b.count, b.least)
	}
}

// order are the bins, by value.
func (s sketch) order() []int32 { return slices.Sorted(maps.Keys(s)) }

// quantiles returns quantiles of n values, as the function quantile does for values themselves. Here
// each value counts as the least of its bin. ps ascend.
func (s sketch) quantiles(n int, ps ...float64) []float64 {
	order := s.order()
	at, before := 0, 0 // the bin of a rank, and the values in bins before it
	value := func(rank int) float64 {
		for rank >= before+s[order[at]].count {
			before += s[order[at]].count
			at++
		}
		return s[order[at]].least
	}
	var all []float64
	for _, p := range ps {
		h := float64(float64(n-1) * p)
		below := min(int(h), n-1)
		lo := value(below)
		from, rank := at, before
		hi := value(min(below+1, n-1))
		at, before = from, rank // the next quantile may be of the same rank
		all = append(all, min(hi, lo+float64((h-float64(below))*(hi-lo))))
	}
	return all
}

// binText is how a bin is kept: its place, count and least value.
type binText [3]float64

func (s sketch) texts() []binText {
	var all []binText
	for _, at := range s.order() {
		all = append(all, binText{float64(at), float64(s[at].count), s[at].least})
	}
	return all
}

// sketchOf reads bins, which have to hold n values.
func sketchOf(texts []binText, n int) (sketch, error) {
	s, sum := sketch{}, 0
	for i, t := range texts {
		count := int(t[1])
		if t[0] != float64(binOf(t[2])) || float64(count) != t[1] || count < 1 || i > 0 && cmp.Compare(texts[i-1][0], t[0]) >= 0 {
			return nil, fmt.Errorf("%v is no bin of a sketch, or not in its place", t)
		}
		s.add(int32(t[0]), count, t[2])
		sum += count
	}
	if sum != n {
		return nil, fmt.Errorf("the sketch holds %d values, and not %d", sum, n)
	}
	return s, nil
}
