package conjecture

import (
	"math/big"
	"math/bits"
)

// rational is an exact number.
type rational struct{ *big.Rat }

func (x rational) minus(y rational) rational { return rational{new(big.Rat).Sub(x.Rat, y.Rat)} }
func (x rational) times(y rational) rational { return rational{new(big.Rat).Mul(x.Rat, y.Rat)} }
func (x rational) inverse() rational         { return rational{new(big.Rat).Inv(x.Rat)} }
func (x rational) isZero() bool              { return x.Sign() == 0 }

// residue is a rational modulo a prime. Equations that contradict each other modulo the prime contradict
// each other, so that residues, which are fast, sort out nearly all forms.
type residue uint64

const prime = 1<<61 - 1

// residueOf is a rational modulo the prime; ok is false if its denominator is a multiple of the prime.
func residueOf(x *big.Rat) (r residue, ok bool) {
	p := new(big.Int).SetUint64(prime)
	denominator := residue(new(big.Int).Mod(x.Denom(), p).Uint64())
	numerator := residue(new(big.Int).Mod(x.Num(), p).Uint64())
	return numerator.times(denominator.inverse()), denominator != 0
}

func (x residue) minus(y residue) residue {
	if x < y {
		x += prime
	}
	return x - y
}

func (x residue) times(y residue) residue {
	high, low := bits.Mul64(uint64(x), uint64(y))
	_, rest := bits.Div64(high, low, prime)
	return residue(rest)
}

// inverse is the power to the prime minus two.
func (x residue) inverse() residue {
	power := residue(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			power = power.times(x)
		}
		x = x.times(x)
	}
	return power
}

func (x residue) isZero() bool { return x == 0 }
