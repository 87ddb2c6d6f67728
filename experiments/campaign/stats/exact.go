package stats

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// exactSum is a sum of numbers without any rounding. Sums of the same numbers are equal, in
// whatever order and groups they were added, so that parts of a sample can be summed apart.
// The zero value is 0.
type exactSum struct {
	first  int     // the weight of digits[0] is 2^(32 first)
	digits []int64 // of 32 bits, with room for sums of many
	added  int     // numbers since the last carry, at most
}

// mostAdded is how many digits below 2^32 fit into an int64, with one bit to spare.
const mostAdded = 1 << 30

// add adds a finite number.
func (s *exactSum) add(x float64) {
	if m, e, negative := mantissa(x); m != 0 {
		s.enter(0, m, e, negative)
	}
}

// addSquare adds the square of a finite number.
func (s *exactSum) addSquare(x float64) {
	if m, e, _ := mantissa(x); m != 0 {
		hi, lo := bits.Mul64(m, m)
		s.enter(hi, lo, 2*e, false)
	}
}

// mantissa returns m and e with |x| = m 2^e. m is odd, or 0.
func mantissa(x float64) (m uint64, e int, negative bool) {
	b := math.Float64bits(x)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	if m == 0 {
		return 0, 0, false
	}
	zeros := bits.TrailingZeros64(m)
	return m >> zeros, e - 1075 + zeros, b>>63 != 0
}

// enter adds (hi 2^64 + lo) 2^e, or subtracts it.
func (s *exactSum) enter(hi, lo uint64, e int, negative bool) {
	at := e >> 5 // rounds down
	shift := uint(e - at<<5)
	words := [3]uint64{lo << shift, hi<<shift | lo>>(64-shift), hi >> (64 - shift)}
	s.reach(at, at+len(words)*2)
	if s.added++; s.added == mostAdded {
		s.carry()
	}
	to := s.digits[at-s.first:]
	for i, w := range words {
		low, high := int64(w&math.MaxUint32), int64(w>>32)
		if negative {
			low, high = -low, -high
		}
		to[2*i] += low
		to[2*i+1] += high
	}
}

// reach makes digits with the weights from 2^(32 first) to below 2^(32 end).
func (s *exactSum) reach(first, end int) {
	if s.digits == nil {
		s.first = first
	}
	if first >= s.first && end <= s.first+len(s.digits) {
		return
	}
	first, end = min(first, s.first), max(end, s.first+len(s.digits))
	wider := make([]int64, end-first)
	copy(wider[s.first-first:], s.digits)
	s.first, s.digits = first, wider
}

// carry makes all digits but the last small.
func (s *exactSum) carry() {
	s.added = 1
	for i := 0; i < len(s.digits); i++ {
		over := s.digits[i] >> 32 // rounds down
		if i+1 == len(s.digits) {
			if over == 0 || over == -1 {
				return
			}
			s.digits = append(s.digits, 0)
		}
		s.digits[i+1] += over
		s.digits[i] &= math.MaxUint32
	}
}

// merge adds another sum.
func (s *exactSum) merge(o *exactSum) {
	v, e := o.value()
	s.enterBig(v, e)
}

// enterBig adds v 2^e.
func (s *exactSum) enterBig(v *big.Int, e int) {
	at := e >> 5
	rest := new(big.Int).Lsh(new(big.Int).Abs(v), uint(e-at<<5))
	mask := big.NewInt(math.MaxUint32)
	s.carry()
	s.added++
	for i := 0; rest.Sign() > 0; i++ {
		s.reach(at+i, at+i+1)
		digit := int64(new(big.Int).And(rest, mask).Uint64())
		if v.Sign() < 0 {
			digit = -digit
		}
		s.digits[at+i-s.first] += digit
		rest.Rsh(rest, 32)
	}
}

// value returns v and e: the sum is v 2^e, and v is odd or 0.
func (s *exactSum) value() (v *big.Int, e int) {
	v = new(big.Int)
	for i := len(s.digits) - 1; i >= 0; i-- {
		v.Lsh(v, 32)
		v.Add(v, big.NewInt(s.digits[i]))
	}
	if v.Sign() == 0 {
		return v, 0
	}
	zeros := v.TrailingZeroBits()
	return v.Rsh(v, zeros), 32*s.first + int(zeros)
}

// rational returns the sum as a fraction.
func (s *exactSum) rational() *big.Rat {
	v, e := s.value()
	r := new(big.Rat).SetInt(v)
	power := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		return r.Quo(r, power)
	}
	return r.Mul(r, power)
}

// String prints the sum as v p e, which stands for v 2^e.
func (s *exactSum) String() string {
	v, e := s.value()
	return fmt.Sprintf("%vp%d", v, e)
}

// mostDigits bounds the numbers that are read: sums of squares of float64, of as many as there
// may be.
const mostDigits = 2000

// parseExact reads what String prints.
func parseExact(text string) (s exactSum, err error) {
	mantissa, exponent, ok := strings.Cut(text, "p")
	v, sound := new(big.Int), false
	if len(mantissa) <= mostDigits {
		v, sound = v.SetString(mantissa, 10)
	}
	var e int
	if _, err := fmt.Sscanf(exponent, "%d", &e); !ok || !sound || err != nil || e < -2200 || e > 2200 {
		return s, fmt.Errorf("%.40q is no sum", text)
	}
	s.enterBig(v, e)
	if s.String() != text {
		return s, fmt.Errorf("%.40q is not how a sum is written", text)
	}
	return s, nil
}
