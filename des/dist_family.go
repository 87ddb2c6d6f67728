package des

import (
	"fmt"
	"math"
	"time"

	"bullring/des/internal/portable"
	"bullring/internal/recent"
)

// The families of this file begin at 0. Mean and standard deviation select the member of a
// family. Its shape depends on their ratio alone: there is a table for each ratio,
// computed when it is first needed.
const (
	minVariation = 0.01 // smallest and largest standard deviation, divided by the mean
	maxVariation = 3.0
)

// LogNormal returns the lognormal distribution with this mean and standard deviation. The
// standard deviation is from a hundredth of the mean to three times the mean.
func LogNormal(mean, sd time.Duration) (Distribution, error) {
	return newMember("lognormal", logNormalTable, mean, sd)
}

// Weibull returns the Weibull distribution with this mean and standard deviation, within
// the limits of LogNormal. If the two are equal, it is the exponential distribution.
func Weibull(mean, sd time.Duration) (Distribution, error) {
	return newMember("weibull", weibullTable, mean, sd)
}

// Gamma returns the gamma distribution with this mean and standard deviation, within the
// limits of LogNormal. If the two are equal, it is the exponential distribution.
func Gamma(mean, sd time.Duration) (Distribution, error) {
	return newMember("gamma", gammaTable, mean, sd)
}

type member struct {
	family   string
	table    *quantiles // of mean 1
	mean, sd time.Duration
}

func newMember(family string, tabulate func(variation float64) *quantiles, mean, sd time.Duration) (Distribution, error) {
	variation := float64(sd) / float64(mean)
	if !(variation >= minVariation && variation <= maxVariation) {
		return nil, fmt.Errorf("%s of mean %v takes a standard deviation from %v to %v, a hundredth of the mean to three times the mean; given is %v",
			family, mean, mean/100, 3*mean, sd)
	}
	table := tables.Get(tableKey{family, variation}, func() *quantiles { return tabulate(variation) })
	return member{family, table, mean, sd}, nil
}

func (m member) Sample(r uint64) time.Duration { return scale(m.mean, m.table.at(r)) }

func (m member) Quantile(u uint64) time.Duration { return m.Sample(ascending(u)) }

func (m member) Mean() time.Duration { return m.mean }

func (m member) Bounds() (lo, hi time.Duration, bounded bool) { return 0, 0, false }

func (m member) String() string { return fmt.Sprintf("%s(%v,%v)", m.family, m.mean, m.sd) }

// logNormalTable holds e^(sigma z - sigma^2/2) for a normal z.
func logNormalTable(variation float64) *quantiles {
	square := portable.Log1p(float64(variation * variation))
	sigma := math.Sqrt(square)
	q := func(z int64) float64 {
		return portable.Exp(float64(sigma*math.Ldexp(float64(z), -pointLog)) - square/2)
	}
	t, z := new(quantiles), normal.load()
	for i := range t.lower {
		t.lower[i], t.upper[i] = fixed(q(z.lower[i])), fixed(q(z.upper[i]))
	}
	return t
}

// weibullTable holds e^(1/k) / Gamma(1+1/k) for an exponential e; k is the shape.
func weibullTable(variation float64) *quantiles {
	inverse := weibullInverse(variation)
	norm := portable.LogGamma(1 + inverse)
	q := func(e float64) float64 {
		return portable.Exp(float64(inverse*portable.Log(e)) - norm)
	}
	t := new(quantiles)
	for i := range t.lower {
		v := position(i)
		t.lower[i], t.upper[i] = fixed(q(-portable.Log1p(-v/2))), fixed(q(-portable.Log(v/2)))
	}
	return t
}

// weibullInverse is 1/k for the shape k whose standard deviation, divided by the mean, is
// variation. Its square is Gamma(1+2/k)/Gamma(1+1/k)^2 - 1, which grows with 1/k.
func weibullInverse(variation float64) float64 {
	want := portable.Log1p(float64(variation * variation))
	lo, hi := 0.0, 4.0
	for range 60 {
		mid := (lo + hi) / 2
		if portable.LogGamma(1+2*mid)-2*portable.LogGamma(1+mid) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// gammaTable holds g/a for a g that is gamma of shape a = 1/variation^2 and scale 1.
func gammaTable(variation float64) *quantiles {
	shape := 1 / float64(variation*variation)
	t := new(quantiles)
	last := len(t.lower) - 1
	median := gammaQuantile(shape, 0.5, false, shape)
	x, y := median, median
	for i := last; i >= 0; i-- { // outwards: each quantile starts at the one before
		v := position(i)
		x = gammaQuantile(shape, v/2, false, x)
		y = gammaQuantile(shape, v/2, true, y)
		t.lower[i], t.upper[i] = fixed(x/shape), fixed(y/shape)
	}
	return t
}

// gammaQuantile is the quantile with the fraction p below it, or above it if upper. It
// starts Newton's method at near, on the logarithms of x and of the fraction; there the
// fraction is concave, so the method converges fast.
func gammaQuantile(shape, p float64, upper bool, near float64) float64 {
	x := near
	for range 100 {
		below, above, density := portable.GammaTails(shape, x)
		fraction, sign := below, 1.0
		if upper {
			fraction, sign = above, -1
		}
		step := float64(sign*portable.Log(p/fraction)) * (fraction / float64(density*x))
		step = max(-1, min(1, step))
		x = float64(x * portable.Exp(step))
		if math.Abs(step) < 1e-12 || x < 0x1p-100 {
			break
		}
	}
	return x
}

// position is v of the i-th entry of a half; see [quantiles].
func position(i int) float64 {
	octave, cell := octaves-1-i/cells, i%cells
	return math.Ldexp(1+float64(cell)/cells, -octave-1)
}

// fixed is x in units of 2^-32.
func fixed(x float64) int64 { return int64(math.Floor(math.Ldexp(x, pointLog) + 0.5)) }

// tables holds the tables that were used last, of 32 kB each. A sweep parses the same few
// distributions for each of its trials.
var tables recent.Values[tableKey, *quantiles]

type tableKey struct {
	family    string
	variation float64
}
