package des_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
)

// moments integrates over the quantiles: cell by cell as the tables are cut, where
// Simpson's rule is exact on straight lines.
func moments(d des.Distribution) (mean, sd float64) {
	var square float64
	center := float64(d.Quantile(1 << 63))
	add := func(weight float64, u uint64) {
		x := float64(d.Quantile(u)) - center
		mean += weight * x
		square += weight * x * x
	}
	add(math.Exp2(-33), 0)
	add(math.Exp2(-33), math.MaxUint64)
	for octave := range 32 {
		width := uint64(1) << (octave + 25)
		for cell := range uint64(64) {
			from := uint64(1)<<(octave+31) + cell*width
			for _, p := range []struct {
				share float64
				u     uint64
			}{{1. / 6, from}, {4. / 6, from + width/2}, {1. / 6, from + width - 1}} {
				add(p.share*math.Ldexp(float64(width), -64), p.u)
				add(p.share*math.Ldexp(float64(width), -64), ^p.u)
			}
		}
	}
	return mean + center, math.Sqrt(square - mean*mean)
}

func must(d des.Distribution, err error) des.Distribution {
	if err != nil {
		panic(err)
	}
	return d
}

const (
	aMean = 1000 * time.Hour // fits no text, and leaves nothing to cut at 0
	aUnit = 10 * time.Second
)

// The distributions have the mean and the standard deviation that they were given: those from
// the tree up to rounding; the exponential distribution, whose table is older, up to 2e-5; the
// families up to the error of straight lines between quantiles. The lognormal distribution
// also lacks the part beyond the end of the table.
func TestMomentsOfDistributions(t *testing.T) {
	for _, c := range []struct {
		d          des.Distribution
		mean, sd   time.Duration
		off, sdOff float64 // in standard deviations
	}{
		{des.Normal(aMean, aUnit), aMean, aUnit, 1e-7, 1e-7},
		{des.Pareto(aMean, aUnit), aMean, aUnit, 1e-7, 1e-7},
		{des.ParetoNormal(aMean, aUnit), aMean, aUnit, 1e-7, 1e-7},
		{des.ShiftedExponential(aMean, aUnit), aMean, aUnit, 2e-5, 2e-5},
		{must(des.LogNormal(aUnit, aUnit/100)), aUnit, aUnit / 100, 2e-5, 2e-5},
		{must(des.LogNormal(aUnit, aUnit)), aUnit, aUnit, 2e-5, 2e-5},
		{must(des.LogNormal(aUnit, 3*aUnit)), aUnit, 3 * aUnit, 2e-5, 2e-4},
		{must(des.Weibull(aUnit, aUnit/100)), aUnit, aUnit / 100, 2e-5, 2e-5},
		{must(des.Weibull(aUnit, aUnit)), aUnit, aUnit, 2e-5, 2e-5},
		{must(des.Weibull(aUnit, 3*aUnit)), aUnit, 3 * aUnit, 2e-5, 2e-5},
		{must(des.Gamma(aUnit, aUnit/100)), aUnit, aUnit / 100, 2e-5, 2e-5},
		{must(des.Gamma(aUnit, aUnit)), aUnit, aUnit, 2e-5, 2e-5},
		{must(des.Gamma(aUnit, 3*aUnit)), aUnit, 3 * aUnit, 2e-5, 2e-5},
	} {
		mean, sd := moments(c.d)
		if math.Abs(mean-float64(c.mean)) > c.off*float64(c.sd) || math.Abs(sd-float64(c.sd)) > c.sdOff*float64(c.sd) {
			t.Errorf("%v has the mean %v, off by %.1e, and the standard deviation %v, off by %.1e", c.d, time.Duration(mean), mean/float64(c.mean)-1, time.Duration(sd), sd/float64(c.sd)-1)
		}
		if c.d.Mean() != c.mean {
			t.Errorf("%v says that its mean is %v; want %v", c.d, c.d.Mean(), c.mean)
		}
	}
}

// Quantiles agree with their formulas, from one end to the other.
func TestQuantilesOfDistributions(t *testing.T) {
	z := func(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
	sigma := math.Sqrt(math.Log1p(4)) // of a lognormal one whose standard deviation is twice the mean
	weibull := must(des.Weibull(aUnit, 2*aUnit))
	k := 0.5427 // its shape: Gamma(1+2/k)/Gamma(1+1/k)^2 = 5
	for range 50 {
		a, _ := math.Lgamma(1 + 2/k)
		b, _ := math.Lgamma(1 + 1/k)
		k *= 1 + (math.Exp(a-2*b)-5)/20
	}
	norm := math.Gamma(1 + 1/k)
	for _, c := range []struct {
		d des.Distribution
		q func(p float64) float64 // in units of aUnit, aMean being 0 for those of a table in the tree
	}{
		{des.Normal(aMean, aUnit), z},
		{des.Pareto(aMean, aUnit), func(p float64) float64 { return (math.Pow(1-p, -1.0/3) - 1.5) / math.Sqrt(0.75) }},
		{des.ShiftedExponential(aMean, aUnit), func(p float64) float64 { return -math.Log1p(-p) - 1 }},
		{must(des.LogNormal(aUnit, 2*aUnit)), func(p float64) float64 { return math.Exp(sigma*z(p) - sigma*sigma/2) }},
		{weibull, func(p float64) float64 { return math.Pow(-math.Log1p(-p), 1/k) / norm }},
		{must(des.Gamma(aUnit, aUnit)), func(p float64) float64 { return -math.Log1p(-p) }},
		// Half of a squared normal deviate is gamma of shape 1/2, mean 1/2.
		{must(des.Gamma(aUnit, time.Duration(math.Round(math.Sqrt2*float64(aUnit))))), func(p float64) float64 { return z((1+p)/2) * z((1+p)/2) }},
	} {
		for _, p := range []float64{1e-6, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1 - 1e-6} {
			got := float64(c.d.Quantile(uint64(math.Ldexp(p, 64))))
			if c.d.Mean() == aMean {
				got -= float64(aMean)
			}
			if got /= float64(aUnit); math.Abs(got-c.q(p)) > 1e-3*math.Max(1, math.Abs(c.q(p))) {
				t.Errorf("%v: the quantile at %v is %v; want %v", c.d, p, got, c.q(p))
			}
		}
	}
}

func anyDistribution(t *rapid.T) des.Distribution {
	mean := time.Duration(rapid.Int64Range(1000, int64(des.MaxDuration)).Draw(t, "mean"))
	sd := time.Duration(rapid.Int64Range(int64(mean/50), int64(2*mean)).Draw(t, "sd"))
	// A few ratios are enough for the families: each costs a table.
	ratio := rapid.SampledFrom([]time.Duration{10, 100, 250}).Draw(t, "ratio") * time.Second / 100
	switch rapid.IntRange(0, 8).Draw(t, "family") {
	case 0:
		return des.Normal(mean, sd)
	case 1:
		return des.Pareto(mean, sd)
	case 2:
		return des.ParetoNormal(mean, sd)
	case 3:
		return des.ShiftedExponential(mean, sd)
	case 4:
		return must(des.LogNormal(time.Second, ratio))
	case 5:
		return must(des.Weibull(time.Second, ratio))
	case 6:
		return must(des.Gamma(time.Second, ratio))
	case 7:
		return des.Uniform(mean, mean+sd)
	default:
		return des.Exponential(mean)
	}
}

// Quantiles rise, Sample has the same durations in another order, and none is negative.
func TestQuantilesRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDistribution(t)
		u := rapid.Uint64().Draw(t, "u") >> rapid.IntRange(0, 63).Draw(t, "shift")
		v := rapid.Uint64().Draw(t, "v")
		u, v = min(u, v), max(u, v)
		if d.Quantile(u) > d.Quantile(v) {
			t.Errorf("%v: %v at %d, %v at %d", d, d.Quantile(u), u, d.Quantile(v), v)
		}
		least, _, _ := d.Bounds()
		if d.Quantile(0) < least || d.Sample(u) < 0 || d.Sample(u) < least {
			t.Errorf("%v: %v at 0, %v for the word %d; the least is %v", d, d.Quantile(0), d.Sample(u), u, least)
		}
		mirrored := u
		if u>>63 == 1 {
			mirrored = u ^ (1<<63 - 1)
		}
		if got := d.Sample(mirrored); got != d.Quantile(u) && d.Sample(u) != d.Quantile(u) {
			t.Errorf("%v: no word has the quantile at %d", d, u)
		}
	})
}

// Durations below 0 become 0, and the mean counts them so.
func TestCutDistributions(t *testing.T) {
	for _, d := range []des.Distribution{
		des.Normal(time.Second, time.Second), des.Normal(0, time.Second), des.Pareto(time.Second, 10*time.Second),
		des.ParetoNormal(time.Second, time.Second), des.ShiftedExponential(time.Second, 5*time.Second),
	} {
		if mean, _ := moments(d); math.Abs(mean-float64(d.Mean())) > 2e-5*float64(d.Mean()) {
			t.Errorf("%v has the mean %v; it says %v", d, time.Duration(mean), d.Mean())
		}
	}
	// Of a normal one around 0 half is cut: the mean is sd/sqrt(2 pi).
	if got, want := des.Normal(0, time.Second).Mean().Seconds(), 1/math.Sqrt(2*math.Pi); math.Abs(got-want) > 1e-5 {
		t.Errorf("half a normal distribution has the mean %v; want %v", got, want)
	}
}

func TestGaussian(t *testing.T) {
	gaussian := des.StandardNormal()
	for i := -1000; i <= 1000; i++ {
		z := float64(i) / 125
		got := math.Ldexp(float64(gaussian.Below(int64(math.Round(z*(1<<32))))), -64)
		if want := math.Erfc(-z/math.Sqrt2) / 2; math.Abs(got-want) > 2e-6 {
			t.Errorf("below %v lie %v; want %v", z, got, want)
		}
	}
	if lo, hi := gaussian.Below(math.MinInt64+1), gaussian.Below(math.MaxInt64); lo > 1<<20 || hi != -lo {
		t.Errorf("the ends are %d and %d", lo, hi)
	}
	rapid.Check(t, func(t *rapid.T) { // the two are inverse to each other
		u := rapid.Uint64Range(1<<40, math.MaxUint64-1<<40).Draw(t, "u")
		r := u
		if u>>63 == 1 {
			r ^= 1<<63 - 1
		}
		if got := gaussian.Below(gaussian.Deviate(r)); math.Abs(float64(int64(got-u))) > math.Ldexp(4e-6, 64) {
			t.Errorf("the fraction %d has the deviate %d, which has %d", u, gaussian.Deviate(r), got)
		}
	})
}

// The tables of the families are the same on every machine. testdata/families.txt has some
// quantiles of each distribution, and a hash of all.
func TestFamiliesAreTheSameOnEveryMachine(t *testing.T) {
	var all strings.Builder
	for _, sd := range []time.Duration{aUnit / 100, aUnit / 7, aUnit, 3 * aUnit} {
		for _, d := range []des.Distribution{must(des.LogNormal(aUnit, sd)), must(des.Weibull(aUnit, sd)), must(des.Gamma(aUnit, sd))} {
			h := fnv.New64a()
			for i := range uint64(1 << 14) {
				fmt.Fprintln(h, int64(d.Quantile(i<<50|i)))
			}
			fmt.Fprintf(&all, "%v: median %v, quartiles %v and %v; all quantiles hash to %016x\n", d, d.Quantile(1<<63), d.Quantile(1<<62), d.Quantile(3<<62), h.Sum64())
		}
	}
	golden.Check(t, "families.txt", []byte(all.String()))
}

// A sweep needs the same tables again and again; they are computed once.
func BenchmarkGammaAgain(b *testing.B) {
	for b.Loop() {
		must(des.Gamma(aUnit, aUnit/3))
	}
}
