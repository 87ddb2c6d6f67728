// Package portable has mathematical functions whose results are the same to the last bit on
// every machine. They use only +, -, *, / and square roots of IEEE 754. Each product that
// feeds a sum is converted to float64 first: a conversion keeps the compiler from fusing the
// two, an assignment does not (Go specification, floating-point operators). The relative
// error is about 1e-15 unless a function says otherwise.
package portable

import "math"

// ln 2 in two parts. The first has 32 bits, so that its multiples are exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp is e^x, 0 below -700, and e^700 above 700. If x is a product, convert it to float64:
// the function may be inlined.
func Exp(x float64) float64 {
	switch {
	case x < -700:
		return 0
	case x > 700:
		x = 700
	}
	k := math.Floor(x/math.Ln2 + 0.5)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low) // |r| <= ln 2 / 2
	sum := 0.0
	for _, c := range taylor {
		sum = float64(sum*r) + c
	}
	return math.Ldexp(sum, int(k))
}

// taylor has 1/n! for n = 14, whose term is below 1e-17, down to 0.
var taylor = [...]float64{
	1.0 / 87178291200, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
	1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

// Log is the natural logarithm of a positive x.
func Log(x float64) float64 {
	f, k := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, k = 2*f, k-1
	}
	return float64(float64(k)*ln2High) + (logNear1(f-1) + float64(float64(k)*ln2Low))
}

// Log1p is the natural logarithm of 1+x, for x above -0.9.
func Log1p(x float64) float64 {
	if x > math.Sqrt2-1 || x < math.Sqrt2/2-1 {
		return Log(1 + x)
	}
	return logNear1(x)
}

// logNear1 is the logarithm of 1+x, |x| below 0.42: twice the series of the
// inverse hyperbolic tangent of x/(2+x).
func logNear1(x float64) float64 {
	s := x / (2 + x)
	square := float64(s * s)
	sum := 0.0
	for n := 25.0; n > 1; n -= 2 {
		sum = float64((sum + 1/n) * square)
	}
	return 2 * (s + float64(s*sum))
}

// LogGamma is the logarithm of the gamma function of a positive x, with an error of about
// 1e-14. It uses Stirling's series above 12 and the recurrence below.
func LogGamma(x float64) float64 {
	product := 1.0
	for ; x < 12; x++ {
		product *= x
	}
	const halfLog2Pi = 0.91893853320467274178
	y := 1 / x
	square := float64(y * y)
	series := 0.0
	for _, c := range [...]float64{-691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12} {
		series = float64(series*square) + c
	}
	main := float64((x-0.5)*Log(x)) - x
	return main + (halfLog2Pi + float64(series*y)) - Log(product)
}

// GammaTails are the fractions of the gamma distribution with this shape and scale 1 below
// and above x > 0, and its density at x. The relative error of the smaller fraction is about
// 1e-13 times the square root of the shape (Abramowitz and Stegun, Handbook of Mathematical
// Functions, 6.5.29 and 6.5.31).
func GammaTails(shape, x float64) (below, above, density float64) {
	density = Exp(float64((shape-1)*Log(x)) - x - LogGamma(shape))
	if x < shape+1 {
		below = float64(gammaSeries(shape, x) * density)
		return below, 1 - below, density
	}
	above = float64(gammaFraction(shape, x) * density)
	return 1 - above, above, density
}

// gammaSeries is the fraction below x over the density: the power series
// x/a * (1 + x/(a+1) + x^2/((a+1)(a+2)) + ...).
func gammaSeries(a, x float64) float64 {
	term := x / a
	sum := term
	for n := a + 1; term > sum*0x1p-55; n++ {
		term = float64(term * (x / n))
		sum += term
	}
	return sum
}

// gammaFraction is the fraction above x over the density: the continued fraction
// x/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))), evaluated by Lentz's method.
func gammaFraction(a, x float64) float64 {
	const tiny = 0x1p-900
	b := x + 1 - a
	c := 1 / tiny
	d := 1 / b
	value := d
	for n := 1.0; ; n++ {
		numerator := float64(n * (a - n))
		b += 2
		d = nonzero(b+float64(numerator*d), tiny)
		c = nonzero(b+numerator/c, tiny)
		d = 1 / d
		step := float64(c * d)
		value *= step
		if math.Abs(step-1) < 0x1p-50 {
			return value * x
		}
	}
}

func nonzero(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}
