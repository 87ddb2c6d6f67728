package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
)

// Digest stands for a sample whose values are not kept. It has their number, their exact sum
// and sum of squares, the least and the largest with their places, and a sketch of their
// distribution. Digests of the same values at the same places are equal, and print alike, in
// whatever order and groups they were added. The zero value is empty.
type Digest struct {
	n              int
	sum, squares   exactSum
	least, largest Extreme
	bins           sketch
	last           *bin // of the value before
	lastAt         int32
}

// Extreme is the least or the largest value of a sample, and where it is first.
type Extreme struct {
	Value float64
	Place int
}

// before reports whether an extreme is to be taken in the place of another. sign is 1 for the
// least, -1 for the largest.
func (a Extreme) before(b Extreme, sign float64) bool {
	return sign*a.Value < sign*b.Value || a.Value == b.Value && a.Place < b.Place
}

// Add adds the value at a place. As in [Summarize], values that are not finite, and huge ones,
// are left out. extreme reports whether it is the least or the largest so far.
func (d *Digest) Add(x float64, place int) (extreme bool) {
	if !isFinite(x) {
		return false
	}
	x += 0 // -0 is 0
	if d.bins == nil {
		d.bins = sketch{}
	}
	if at := binOf(x); d.last != nil && at == d.lastAt {
		d.last.count++
		d.last.least = min(d.last.least, x)
	} else {
		d.bins.add(at, 1, x)
		d.last, d.lastAt = d.bins[at], at
	}
	d.sum.add(x)
	d.squares.addSquare(x)
	d.n++
	if d.n == 1 {
		d.least, d.largest = Extreme{x, place}, Extreme{x, place}
		return true
	}
	return d.extend(Extreme{x, place}, Extreme{x, place})
}

// AddZeros adds so many zeros, of which place is the first.
func (d *Digest) AddZeros(count, place int) {
	d.Merge(&Digest{n: count, least: Extreme{Place: place}, largest: Extreme{Place: place}, bins: sketch{0: {count: count}}})
}

// extend takes extremes of values that were added.
func (d *Digest) extend(least, largest Extreme) (changed bool) {
	if least.before(d.least, 1) {
		d.least, changed = least, true
	}
	if largest.before(d.largest, -1) {
		d.largest, changed = largest, true
	}
	return changed
}

// Merge adds the values of another digest.
func (d *Digest) Merge(o *Digest) {
	if o.n == 0 {
		return
	}
	if d.n == 0 {
		d.least, d.largest = o.least, o.largest
	}
	if d.bins == nil {
		d.bins = sketch{}
	}
	d.n += o.n
	d.sum.merge(&o.sum)
	d.squares.merge(&o.squares)
	d.bins.merge(o.bins)
	d.extend(o.least, o.largest)
}

// N is the number of values, without those that were left out.
func (d *Digest) N() int { return d.n }

// Least is the least value. With N = 0 there is none.
func (d *Digest) Least() Extreme { return d.least }

// Largest is the largest value. With N = 0 there is none.
func (d *Digest) Largest() Extreme { return d.largest }

// Mean is the mean, rounded once; NaN if there are no values.
func (d *Digest) Mean() float64 { return meanOf(&d.sum, d.n) }

func meanOf(sum *exactSum, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	v, _ := new(big.Rat).Quo(sum.rational(), new(big.Rat).SetInt64(int64(n))).Float64()
	return v
}

// NonZero is the number of values that are not 0.
func (d *Digest) NonZero() int {
	if b := d.bins[0]; b != nil {
		return d.n - b.count
	}
	return d.n
}

// Summary describes the sample as [Summarize] does, without Dropped. N, Min and Max are those
// of Summarize. Mean and SD are rounded once, from exact sums. Each quantile is within
// SketchError.
func (d *Digest) Summary() Summary {
	s := Summary{N: d.n}
	if s.N == 0 {
		return s
	}
	s.Mean, s.SD = d.Mean(), d.deviation()
	half := halfWidth(s.SD, s.N)
	s.Lo, s.Hi = s.Mean-half, s.Mean+half
	s.Min, s.Max = d.least.Value, d.largest.Value
	q := d.bins.quantiles(d.n, 0.25, 0.5, 0.75, 0.95)
	s.Q1, s.Median, s.Q3, s.P95 = q[0], q[1], q[2], q[3]
	return s
}

// deviation is the standard deviation: the root of (n Σx² - (Σx)²) / (n (n-1)).
func (d *Digest) deviation() float64 {
	if d.n < 2 {
		return 0
	}
	n, sum := new(big.Rat).SetInt64(int64(d.n)), d.sum.rational()
	above := new(big.Rat).Mul(n, d.squares.rational())
	above.Sub(above, sum.Mul(sum, sum))
	below := new(big.Rat).SetInt64(int64(d.n - 1))
	v, _ := above.Quo(above, below.Mul(below, n)).Float64()
	return math.Sqrt(v)
}

// digestText is how a digest is kept.
type digestText struct {
	N       int       `json:"n"`
	Sum     string    `json:"sum,omitempty"`
	Squares string    `json:"squares,omitempty"`
	Least   *[2]any   `json:"least,omitempty"`
	Largest *[2]any   `json:"largest,omitempty"`
	Bins    []binText `json:"bins,omitempty"`
}

// MarshalJSON prints the digest: sums as v p e for v 2^e, extremes as value and place, bins as
// place, count and least value.
func (d *Digest) MarshalJSON() ([]byte, error) {
	t := digestText{N: d.n}
	if d.n > 0 {
		t.Sum, t.Squares, t.Bins = d.sum.String(), d.squares.String(), d.bins.texts()
		t.Least, t.Largest = &[2]any{d.least.Value, d.least.Place}, &[2]any{d.largest.Value, d.largest.Place}
	}
	return json.Marshal(t)
}

// UnmarshalJSON reads what MarshalJSON prints.
func (d *Digest) UnmarshalJSON(text []byte) (err error) {
	var t digestText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	*d = Digest{n: t.N}
	if t.N == 0 && t.Bins == nil {
		return nil
	}
	if t.N < 1 || t.Least == nil || t.Largest == nil {
		return fmt.Errorf("a digest of %d values, or without extremes", t.N)
	}
	if d.bins, err = sketchOf(t.Bins, t.N); err != nil {
		return err
	}
	if d.sum, err = parseExact(t.Sum); err != nil {
		return err
	}
	if d.squares, err = parseExact(t.Squares); err != nil {
		return err
	}
	for _, e := range []struct {
		to   *Extreme
		from *[2]any
	}{{&d.least, t.Least}, {&d.largest, t.Largest}} {
		value, isValue := e.from[0].(float64)
		place, isPlace := e.from[1].(float64)
		if !isValue || !isPlace || place != math.Trunc(place) || d.bins[binOf(value)] == nil {
			return fmt.Errorf("an extreme of a digest is %v", *e.from)
		}
		*e.to = Extreme{value, int(place)}
	}
	return nil
}

// Mean is the mean of numbers that are not kept. It is rounded once, and the same for any order
// of them. The zero value is empty.
type Mean struct {
	n   int
	sum exactSum
}

// Add adds a number. NaN and infinite ones are left out.
func (m *Mean) Add(x float64) {
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		m.n++
		m.sum.add(x)
	}
}

// Merge adds the numbers of another mean.
func (m *Mean) Merge(o *Mean) {
	m.n += o.n
	m.sum.merge(&o.sum)
}

// N is the number of numbers.
func (m *Mean) N() int { return m.n }

// Value is the mean; NaN if there are no numbers.
func (m *Mean) Value() float64 { return meanOf(&m.sum, m.n) }

// meanText is how a mean is kept.
type meanText struct {
	N   int    `json:"n"`
	Sum string `json:"sum"`
}

// MarshalJSON prints the number of numbers, and their sum as v p e for v 2^e.
func (m *Mean) MarshalJSON() ([]byte, error) { return json.Marshal(meanText{m.n, m.sum.String()}) }

// UnmarshalJSON reads what MarshalJSON prints.
func (m *Mean) UnmarshalJSON(text []byte) error {
	var t meanText
	if err := json.Unmarshal(text, &t); err != nil {
		return err
	}
	sum, err := parseExact(t.Sum)
	if err == nil && t.N < 0 {
		err = fmt.Errorf("a mean of %d numbers", t.N)
	}
	*m = Mean{t.N, sum}
	return err
}
