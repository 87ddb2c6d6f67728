package des

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// Probability is a number from 0 to 1 in units of 2^-63. Comparing it with a random word
// decides alike on every machine.
type Probability uint64

// Never and Always are the probabilities 0 and 1.
const (
	Never  Probability = 0
	Always Probability = 1 << 63
)

// Ratio returns a/b, rounded to the nearest. It panics unless a <= b and b > 0.
func Ratio(a, b uint64) Probability {
	if b == 0 || a > b {
		panic(fmt.Sprintf("des: Ratio(%d, %d) is not a probability", a, b))
	}
	hi, lo := bits.Mul64(a, uint64(Always))
	lo, carry := bits.Add64(lo, b/2, 0)
	quotient, _ := bits.Div64(hi+carry, lo, b)
	return Probability(quotient)
}

// Hit decides by the random word r whether an event of this probability happens.
func (p Probability) Hit(r uint64) bool { return r>>1 < uint64(p) }

// Not returns 1-p.
func (p Probability) Not() Probability { return Always - p }

// Times returns p*q, rounded to the nearest.
func (p Probability) Times(q Probability) Probability {
	hi, lo := bits.Mul64(uint64(p), uint64(q))
	return Probability(hi<<1|lo>>63) + Probability(lo>>62&1)
}

// Float returns p as a floating-point number.
func (p Probability) Float() float64 { return float64(p) / float64(Always) }

// String prints p as the shortest percentage from which ParseProbability reads p again. If
// that is long and p is a ratio of small numbers, it prints the ratio.
func (p Probability) String() string {
	percent := p.percent()
	const simple = 8
	if len(percent) <= simple {
		return percent
	}
	for b := uint64(2); b <= 1000; b++ {
		hi, lo := bits.Mul64(uint64(p), b)
		a := hi<<1 | lo>>63
		a += lo >> 62 & 1
		if Ratio(a, b) == p {
			return fmt.Sprintf("%d/%d", a, b)
		}
	}
	return percent
}

// percent is the shortest percentage that is read as p. It ends: twenty-one decimals tell
// any two multiples of 2^-63 apart.
func (p Probability) percent() string {
	for decimals := 0; ; decimals++ {
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals+2)), nil)
		digits := scale.Mul(scale, new(big.Int).SetUint64(uint64(p)))
		digits.Add(digits, new(big.Int).Lsh(big.NewInt(1), 62)).Rsh(digits, 63)
		text := digits.String()
		if decimals > 0 {
			text = strings.Repeat("0", max(0, decimals+1-len(text))) + text
			text = text[:len(text)-decimals] + "." + text[len(text)-decimals:]
		}
		text += "%"
		if q, err := ParseProbability(text); err == nil && q == p {
			return text
		}
	}
}

// ParseProbability reads a percentage (5%, 0.1%), a fraction (0.05) or a ratio (1/3) and
// rounds it to the nearest multiple of 2^-63.
func ParseProbability(text string) (Probability, error) {
	const allowed = "allowed are a percentage such as 5%, a fraction such as 0.05 or a ratio such as 1/3"
	number, percent := strings.CutSuffix(text, "%")
	above, below, ratio := strings.Cut(number, "/")
	x, ok := parseDecimal(above)
	if ratio && ok && !percent {
		var y *big.Rat
		if y, ok = parseDecimal(below); ok {
			if y.Sign() == 0 {
				return 0, fmt.Errorf("%q divides by zero", text)
			}
			x.Quo(x, y)
		}
	} else if ratio {
		ok = false
	}
	if !ok {
		return 0, fmt.Errorf("%q is not a probability; %s", text, allowed)
	}
	if percent {
		x.Quo(x, big.NewRat(100, 1))
	}
	if x.Cmp(big.NewRat(1, 1)) > 0 {
		if !percent && !ratio {
			return 0, fmt.Errorf("%q is above 1; in percent it is %s%%", text, text)
		}
		return 0, fmt.Errorf("%q is above 1", text)
	}
	return roundProbability(x), nil
}

// roundProbability rounds a number from 0 to 1.
func roundProbability(x *big.Rat) Probability {
	n := new(big.Int).Lsh(x.Num(), 64) // twice the units, to round with
	n.Quo(n, x.Denom())
	n.Add(n, big.NewInt(1)).Rsh(n, 1)
	return Probability(n.Uint64())
}

// parseDecimal reads digits with at most one point. It refuses very long texts, so that
// every number is read fast.
func parseDecimal(text string) (*big.Rat, bool) {
	const longest = 40
	if len(text) > longest || strings.Trim(text, "0123456789.") != "" ||
		strings.Count(text, ".") > 1 || strings.Trim(text, ".") == "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
