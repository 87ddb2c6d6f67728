package page

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// A Tick is a mark on an axis; one without a label is a minor tick.
type Tick struct {
	Value float64
	Label string
}

func (t Tick) Length() vg.Length {
	if t.Label == "" {
		return minorLength
	}
	return TickLength
}

// slack lets a tick count as inside although rounding put it just outside.
const slack = 1e-9

// linearTicks returns ticks at multiples of 1, 2 or 5 times a power of ten: the
// densest whose labels fit.
func linearTicks(lo, hi float64, fits func([]Tick) bool) []Tick {
	// From more than forty intervals, which never fit, to a single one.
	exponent := int(math.Floor(math.Log10((hi - lo) / 40)))
	for ; ; exponent++ {
		for _, mantissa := range []float64{1, 2, 5} {
			ticks := multiples(lo, hi, mantissa, exponent)
			if len(ticks) <= 2 || fits(ticks) {
				return ticks
			}
		}
	}
}

// multiples returns the multiples of mantissa·10^exponent in [lo, hi].
func multiples(lo, hi, mantissa float64, exponent int) []Tick {
	step := mantissa * math.Pow10(exponent)
	first := math.Ceil(lo/step - slack)
	last := math.Floor(hi/step + slack)
	scientific := max(math.Abs(lo), math.Abs(hi)) >= 1e8 || step < 1e-4
	var ticks []Tick
	for i := first; i <= last; i++ {
		t := Tick{Value: timesPower(i*mantissa, exponent)}
		if scientific {
			t.Label = FormatScientific(t.Value)
		} else {
			t.Label = FormatDecimal(t.Value, max(0, -exponent))
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// plainDecades is the longest span of a logarithmic axis, in powers of ten,
// whose ticks read 1, 2, 5, 10; on a longer one they read 10^k.
const plainDecades = 3.2

// logTicks returns ticks for a logarithmic axis: the densest labels that fit, with minor
// ticks between them. Labels stand at 1, 2 and 5 times the powers of ten, at the powers,
// or at every second, third... power.
func logTicks(lo, hi float64, fits func([]Tick) bool) []Tick {
	if math.Log10(hi/lo) > plainDecades {
		return powerTicks(lo, hi, fits)
	}
	for _, choice := range []struct {
		labelled []int // multiples of powers of ten
		least    int   // labels
	}{{[]int{1, 2, 5}, 3}, {[]int{1}, 2}} {
		ticks := decadeTicks(lo, hi, 9, func(m, k int) string {
			if slices.Contains(choice.labelled, m) {
				return formatLog(m, k)
			}
			return ""
		})
		if countLabels(ticks) >= choice.least && fits(ticks) {
			return ticks
		}
	}
	// About a decade or less, in which the scale is nearly straight.
	return linearTicks(lo, hi, fits)
}

// powerTicks returns labels 10^k at every stride-th power of ten, for the
// smallest stride that fits.
func powerTicks(lo, hi float64, fits func([]Tick) bool) []Tick {
	mantissas := 9
	for stride := 1; ; stride++ {
		ticks := decadeTicks(lo, hi, mantissas, func(m, k int) string {
			if m == 1 && k%stride == 0 {
				return powerOfTen(k)
			}
			return ""
		})
		if countLabels(ticks) <= 2 || fits(ticks) {
			return ticks
		}
		// If a decade has no room for a label, ticks within it would be a smear.
		mantissas = 1
	}
}

// decadeTicks returns ticks at 1 to mantissas times each power of ten in
// [lo, hi], with the labels of m·10^k.
func decadeTicks(lo, hi float64, mantissas int, label func(m, k int) string) []Tick {
	var ticks []Tick
	for k := Decade(lo); k <= Decade(hi); k++ {
		for m := 1; m <= mantissas; m++ {
			value := timesPower(float64(m), k)
			if value >= lo*(1-slack) && value <= hi*(1+slack) {
				ticks = append(ticks, Tick{value, label(m, k)})
			}
		}
	}
	return ticks
}

// Decade returns the exponent of the power of ten at or below v.
func Decade(v float64) int { return int(math.Floor(math.Log10(v) + slack)) }

// timesPower returns v·10^k. Dividing by a power of ten, unlike multiplying by
// a negative one, gives the float64 nearest to the decimal number.
func timesPower(v float64, k int) float64 {
	if k < 0 {
		return v / math.Pow10(-k)
	}
	return v * math.Pow10(k)
}

func countLabels(ticks []Tick) (n int) {
	for _, t := range ticks {
		if t.Label != "" {
			n++
		}
	}
	return n
}

// formatLog formats m·10^k for an axis whose labels are powers of ten and simple
// multiples.
func formatLog(m, k int) string {
	v := timesPower(float64(m), k)
	if k < -3 || k > 5 {
		return FormatScientific(v)
	}
	return FormatDecimal(v, max(0, -k))
}

// FormatDecimal formats v with a fixed number of decimals, thin spaces between
// thousands and a real minus sign. Four digits stay together.
func FormatDecimal(v float64, decimals int) string {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ".")
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "\u2009" + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if v < 0 && strings.ContainsAny(whole, "123456789") {
		return "\u2212" + whole
	}
	return whole
}

// FormatScientific formats v as a mantissa times a power of ten.
func FormatScientific(v float64) string {
	if v == 0 {
		return "0"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	k, _ := strconv.Atoi(exponent) // FormatFloat wrote it
	power := powerOfTen(k)
	switch mantissa {
	case "1":
		return power
	case "-1":
		return minus("-") + power
	}
	return minus(mantissa) + "\u2009×\u2009" + power
}

// powerOfTen returns the markup of 10^k.
func powerOfTen(k int) string { return "10^{" + minus(strconv.Itoa(k)) + "}" }

// minus replaces hyphens by minus signs, which are as wide as a digit.
func minus(s string) string { return strings.ReplaceAll(s, "-", "\u2212") }
