package impair

import (
	"math"
	"slices"
	"time"

	"bullring/des"
	"bullring/internal/recent"
)

// copula makes normal deviates, each correlated with the one before: z' = rho z +
// innovation e, where e is an independent normal deviate and rho^2 + innovation^2 = 1, so
// that each z is standard normal. The delay is the quantile of its own distribution at the
// fraction of the normal distribution below z: it has the right distribution for any
// correlation (Cario and Nelson, Modeling and Generating Random Vectors with Arbitrary
// Marginal Distributions and Correlation Matrix, 1997).
type copula struct {
	rho, innovation int64 // in units of 2^-26
	normal          *des.Gaussian
}

const (
	rhoLog = 26
	zLog   = 32      // normal deviates are in units of 2^-32
	zMost  = 8 << 32 // and end here, so that a product with rho has 62 bits
)

// step is the deviate after z for the random word r.
func (c copula) step(z int64, r uint64) int64 {
	next := (c.rho*z + c.innovation*c.normal.Deviate(r) + 1<<(rhoLog-1)) >> rhoLog
	return max(-zMost, min(next, zMost))
}

// copulaOf is the copula for which the delays, and not the deviates, have the wanted
// correlation. A sweep parses the same line for each of its trials, so it is remembered.
func copulaOf(d *delay) copula {
	return copulas.Get(copulaKey{d.spread.shape, d.spread.mean, d.spread.jitter, d.correlation}, func() copula {
		return newCopula(d.law, d.correlation)
	})
}

var copulas recent.Values[copulaKey, copula]

type copulaKey struct {
	shape        string
	mean, jitter time.Duration
	correlation  des.Probability
}

// newCopula solves for rho. Let the delay be g(z) = sum c_k h_k(z) with Hermite polynomials
// h_k. The correlation of two delays is then sum c_k^2 rho^k over the variance, which grows
// from 0 to 1. The computation uses +, -, *, / and square roots, so its result is the same
// on every machine.
func newCopula(law des.Distribution, correlation des.Probability) copula {
	weights := hermite(law)
	want := correlation.Float()
	lo, hi := int64(0), int64(1)<<rhoLog
	for lo < hi {
		mid := (lo + hi) / 2
		if polynomial(weights, math.Ldexp(float64(mid), -rhoLog)) < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	rho := math.Ldexp(float64(lo), -rhoLog)
	innovation := math.Sqrt(1 - float64(rho*rho))
	return copula{lo, int64(math.Floor(math.Ldexp(innovation, rhoLog) + 0.5)), des.StandardNormal()}
}

// polynomial is sum weights[k] x^k.
func polynomial(weights []float64, x float64) float64 {
	sum := 0.0
	for _, w := range slices.Backward(weights) {
		sum = float64(sum*x) + w
	}
	return sum
}

// hermite returns the shares of the Hermite polynomials in the variance of the law as a
// function of a standard normal deviate. The rest after the last polynomial is counted for the
// next.
func hermite(law des.Distribution) []float64 {
	const (
		degree = 60
		cells  = 128 // a unit of z
	)
	normal := des.StandardNormal()
	mean, variance := 0.0, 0.0
	each := func(f func(weight, z, delay float64)) {
		below := normal.Below(-zMost)
		for i := int64(-8 * cells); i < 8*cells; i++ {
			above := normal.Below((i + 1) << (zLog - 7))
			middle := i<<(zLog-7) + 1<<(zLog-8)
			weight := math.Ldexp(float64(above-below), -64)
			f(weight, math.Ldexp(float64(middle), -zLog), float64(law.Quantile(normal.Below(middle))))
			below = above
		}
	}
	each(func(weight, _, delay float64) { mean += float64(weight * delay) })
	var c [degree + 1]float64
	each(func(weight, z, delay float64) {
		delay -= mean
		variance += float64(float64(weight*delay) * delay)
		last, h := 0.0, 1.0 // normalised: each square has the mean 1
		for k := range c {
			c[k] += float64(float64(weight*delay) * h)
			next := (float64(z*h) - float64(math.Sqrt(float64(k))*last)) / math.Sqrt(float64(k+1))
			last, h = h, next
		}
	})
	shares := make([]float64, degree+2)
	rest := 1.0
	for k := 1; k <= degree && variance > 0; k++ {
		shares[k] = min(rest, float64(c[k]*c[k])/variance)
		rest -= shares[k]
	}
	shares[degree+1] = rest
	return shares
}
