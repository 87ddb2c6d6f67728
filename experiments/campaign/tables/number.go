package tables

import (
	"math"
	"strconv"
	"strings"
)

// number is a number of a place, in the unit of its column.
type number struct {
	value, lo, hi float64
	ok            bool // there is one
	interval      bool // with an interval that is no point
	share         bool // of a proportion, whose interval does not lie even around it
}

// times converts a number.
func (n number) times(factor float64) number {
	n.value, n.lo, n.hi = n.value*factor, n.lo*factor, n.hi*factor
	return n
}

// cell is a number as readers see it.
type cell struct {
	number
	digits string // of the value; "" if there is none
	half   string // of the interval; "" for none
	ends   [2]string
	mark   bool // trials are outside the model
}

// cellOf prints a number. The half of its interval has two significant digits, and the number as
// many decimals. A number without an interval is exact: it has four significant digits, or all
// digits of a whole number.
func cellOf(n number, mark bool) cell {
	c := cell{number: n, mark: mark}
	switch half := (n.hi - n.lo) / 2; {
	case !n.ok:
		c.mark = false
	case !n.interval:
		c.digits = plain(n.value)
	default:
		decimals := decimalsOf(half)
		c.digits = fixed(n.value, decimals)
		if n.share {
			c.ends = [2]string{fixed(n.lo, decimals), fixed(n.hi, decimals)}
		} else {
			c.half = fixed(half, decimals)
		}
	}
	return c
}

// tailed reports whether something stands beside the value.
func (c *cell) tailed() bool { return c.half != "" || c.ends[0] != "" }

// dagger marks numbers of trials outside the model.
const dagger = "†"

// text is the cell as plain text.
func (c *cell) text(missing string) string {
	if !c.ok {
		return missing
	}
	text := minus(c.digits)
	switch {
	case c.half != "":
		text += " ± " + c.half
	case c.ends[0] != "":
		text += " [" + minus(c.ends[0]) + ", " + minus(c.ends[1]) + "]"
	}
	if c.mark {
		text += dagger
	}
	return text
}

// minus prints the hyphen of a number as a minus sign.
func minus(digits string) string { return strings.ReplaceAll(digits, "-", "−") }

// decimalsOf is the number of decimals with which a positive number has two significant digits.
// It is negative if these stand before the last digit of the whole.
func decimalsOf(half float64) int {
	decimals := 1 - int(math.Floor(math.Log10(half)))
	if math.Round(half*math.Pow(10, float64(decimals))) >= 100 { // 9.96 becomes 10
		decimals--
	}
	return decimals
}

// fixed prints a number with so many decimals, or rounded to tens, hundreds and so on.
func fixed(v float64, decimals int) string {
	if decimals < 0 {
		ten := math.Pow(10, float64(-decimals))
		v = math.Round(v/ten) * ten
	}
	text := strconv.FormatFloat(v, 'f', max(decimals, 0), 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// plain prints a number that has no interval.
func plain(v float64) string {
	if v == math.Trunc(v) {
		return fixed(v, 0)
	}
	decimals := max(1, 3-int(math.Floor(math.Log10(math.Abs(v)))))
	return strings.TrimSuffix(strings.TrimRight(fixed(v, decimals), "0"), ".")
}
