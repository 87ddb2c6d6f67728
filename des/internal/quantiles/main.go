// Command quantiles writes the tables of package des into the folder tables. The files
// are checked in: logarithms of two machines may differ in their last bit.
package main

import (
	"encoding/binary"
	"log"
	"math"
	"os"
)

func main() {
	for _, t := range tables {
		content, err := binary.Append(nil, binary.BigEndian, t.numbers())
		if err == nil {
			err = os.WriteFile("tables/"+t.name+".bin", content, 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// tables are the files and their numbers, of 64 bits each, the high byte first.
var tables = []struct {
	name    string
	numbers func() []uint64
}{
	{"exponential", func() []uint64 { return tabulate(exponential).fixed() }},
	{"normal", func() []uint64 { return tabulate(normal).standardized().fixed() }},
	{"pareto", func() []uint64 { return tabulate(pareto).standardized().fixed() }},
	{"paretonormal", func() []uint64 { return tabulate(paretoNormal).standardized().fixed() }},
	{"normaltail", normalTail},
}

// The layout of the quantiles is that of the type quantiles of package des.
const (
	octaves = 32
	cells   = 64
)

// A quantile function takes a fraction v/2 in (0, 1/2]: from below, or from
// above if upper.
type quantile func(v float64, upper bool) float64

func exponential(v float64, upper bool) float64 {
	if upper {
		return -math.Log(v / 2)
	}
	return -math.Log1p(-v / 2)
}

// normal improves the quantile of package math, which loses digits far out,
// by Newton's method.
func normal(v float64, upper bool) float64 {
	z := math.Sqrt2 * math.Erfcinv(v)
	for range 4 {
		tail := math.Erfc(z/math.Sqrt2) / 2
		z += (tail - v/2) / (math.Exp(-z*z/2) / math.Sqrt(2*math.Pi))
	}
	if upper {
		return z
	}
	return -z
}

// pareto is of shape 3.
func pareto(v float64, upper bool) float64 {
	if upper {
		return math.Pow(v/2, -1.0/3)
	}
	return math.Pow(1-v/2, -1.0/3)
}

// paretoNormal is a quarter of a normal deviate and three quarters of a Pareto deviate at
// the same fraction. Like netem it divides the latter by its variance, 3/4, and not by
// its standard deviation.
func paretoNormal(v float64, upper bool) float64 {
	return (normal(v, upper) + 3*(pareto(v, upper)-1.5)/0.75) / 4
}

// table is the quantiles of both halves, the lower first.
type table [2][octaves*cells + 1]float64

func tabulate(q quantile) *table {
	t := new(table)
	for i := range octaves*cells + 1 {
		octave, cell := octaves-1-i/cells, i%cells
		v := math.Ldexp(1+float64(cell)/cells, -octave-1)
		t[0][i], t[1][i] = q(v, false), q(v, true)
	}
	return t
}

// standardized shifts and scales the table so that its samples, on straight lines between its
// entries, have the mean 0 and the standard deviation 1.
func (t *table) standardized() *table {
	var mean, square float64
	for _, half := range t {
		mean += math.Ldexp(half[0], -octaves-1)
		square += math.Ldexp(half[0]*half[0], -octaves-1)
		for i := range octaves * cells {
			weight := math.Ldexp(1.0/cells, i/cells-octaves-1)
			a, b := half[i], half[i+1]
			mean += weight * (a + b) / 2
			square += weight * (a*a + a*b + b*b) / 3
		}
	}
	sd := math.Sqrt(square - mean*mean)
	for h := range t {
		for i := range t[h] {
			t[h][i] = (t[h][i] - mean) / sd
		}
	}
	return t
}

// fixed is the table in units of 2^-32, the lower half first.
func (t *table) fixed() []uint64 {
	var numbers []uint64
	for _, half := range t {
		for _, x := range half {
			numbers = append(numbers, uint64(int64(math.Round(x*(1<<32)))))
		}
	}
	return numbers
}

// normalTail is the fraction of the normal distribution above i/128 standard deviations,
// up to 8 of them, in units of 2^-64.
func normalTail() []uint64 {
	const steps, end = 128, 8
	var numbers []uint64
	for i := range end*steps + 1 {
		tail := math.Erfc(float64(i)/steps/math.Sqrt2) / 2
		numbers = append(numbers, uint64(math.Round(math.Ldexp(tail, 64))))
	}
	return numbers
}
