package des_test

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
)

func mustParse(t testing.TB, text string) des.Distribution {
	t.Helper()
	d, err := des.ParseDistribution(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestMixturesParse(t *testing.T) {
	for text, want := range map[string]string{
		"mix(90% uniform(1ms,2ms), 10% exp(50ms))":          "mix(90% uniform(1ms,2ms),10% exp(50ms))",
		"mix( 0.5 1ms ,1/4  exp(5ms, 1ms),25% 2ms )":        "mix(50% 1ms,25% exp(5ms,1ms),25% 2ms)",
		"mix(1/3 1ms,1/3 2ms,1/3 3ms)":                      "mix(1/3 1ms,1/3 2ms,1/3 3ms)",
		"mix(99.9% 1ms,0.1% lognormal(50ms,100ms))":         "mix(99.9% 1ms,0.1% lognormal(50ms,100ms))",
		"mix(12.5% 0,12.5% 1ms,25% 2ms,50% gamma(5ms,1ms))": "mix(12.5% 0s,12.5% 1ms,25% 2ms,50% gamma(5ms,1ms))",
	} {
		d := mustParse(t, text)
		if again := mustParse(t, d.String()); d.String() != want || !reflect.DeepEqual(again, d) {
			t.Errorf("%q is %v, which is read as %v; want %q", text, d, again, want)
		}
	}
	for text, want := range map[string]string{
		"mix()":                       `mix takes shares and distributions, as in mix(90% uniform(1ms,2ms),10% exp(50ms)): "" is not a probability`,
		"mix(1ms,2ms)":                `"1ms" is not a probability`,
		"mix(50%,50% 1ms)":            `behind "50%" there is none`,
		"mix(100% 1ms)":               `a mixture has from 2 to 16 parts, as in mix(90% uniform(1ms,2ms),10% exp(50ms)); given are 1`,
		"mix(90% 1ms,20% 2ms)":        `the shares 90%, 20% of a mixture have to be above 0% and add up to 100%`,
		"mix(90% 1ms,5% 2ms)":         `the shares 90%, 5% of a mixture`,
		"mix(90% 1ms,0% 2ms,10% 3ms)": `the shares 90%, 0%, 10% of a mixture`,
		"mix(100% 1ms,0.0000000000000000001% 2ms)": `have to be above 0% and add up to 100%`,
		"mix(50% 1ms,50% mix(50% 1ms,50% 2ms))":    "a part of a mixture is a mixture; its parts can stand in the first one",
		"mix(50% 1ms,50% exp(2))":                  `"2" lacks a unit`,
		"mix(50% 1ms,50% gauss(2ms))":              `unknown distribution "gauss"`,
		"mix(50% 1ms,50% exp(2ms)":                 "the parentheses do not match",
		"mix(50% 1ms 2ms,50% 1ms)":                 `"1ms 2ms" is not a duration`,
		"mix(50% 1ms),50% 1ms)":                    "the parentheses do not match",
		"mix(120% 1ms)":                            `"120%" is above 1`,
	} {
		d, err := des.ParseDistribution(text)
		if err == nil || !strings.Contains(err.Error(), "delay \""+text+"\": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is %v, %v; want %s", text, d, err, want)
		}
	}
}

// TestMixturesAgainstTheirLaws draws a million durations and compares their mean and the shares of
// them up to some durations with what the parts say, each within four standard errors. The stream
// is seeded.
func TestMixturesAgainstTheirLaws(t *testing.T) {
	const n, ms = 1_000_000, float64(time.Millisecond)
	u, e, short := uniformLaw(time.Millisecond, 2*time.Millisecond), exponentialLaw(50*time.Millisecond), exponentialLaw(time.Millisecond)
	one := law{mean: ms, cdf: func(x float64) float64 {
		if x < ms {
			return 0
		}
		return 1
	}}
	for i, c := range []struct {
		text   string
		shares []float64
		parts  []law
	}{
		{"mix(90% uniform(1ms,2ms),10% exp(50ms))", []float64{.9, .1}, []law{u, e}},
		{"mix(1/3 exp(1ms),1/3 1ms,1/3 exp(50ms))", []float64{1. / 3, 1. / 3, 1. / 3}, []law{short, one, e}},
		{"mix(0.1% exp(50ms),99.9% 1ms)", []float64{.001, .999}, []law{e, one}},
	} {
		d := mustParse(t, c.text)
		mean, square := 0.0, 0.0
		for j, share := range c.shares {
			mean += share * c.parts[j].mean
			square += share * (c.parts[j].variance + c.parts[j].mean*c.parts[j].mean)
		}
		if got := float64(d.Mean()); math.Abs(got-mean) > 1 {
			t.Errorf("%v: Mean() is %g; want %g", d, got, mean)
		}
		var at, below []float64
		for _, x := range []float64{.1, .5, 1, 1.5, 2, 5, 50, 200} {
			share := 0.0
			for j := range c.shares {
				share += c.shares[j] * c.parts[j].cdf(x*ms)
			}
			at, below = append(at, x*ms), append(below, share)
			if below, _ := des.Below(d, time.Duration(x*ms)); math.Abs(math.Ldexp(float64(below), -64)-share) > 1e-4 {
				t.Errorf("%v: the share up to %gms is %g; want %g", d, x, math.Ldexp(float64(below), -64), share)
			}
		}
		s := des.NewStream(1, "mixture", uint64(i))
		sum, counts := 0.0, make([]float64, len(at))
		for range n {
			x := float64(d.Sample(s.Uint64()))
			sum += x
			for j := range at {
				if x <= at[j] {
					counts[j]++
				}
			}
		}
		if z := (sum/n - mean) / math.Sqrt((square-mean*mean)/n); math.Abs(z) > 4 {
			t.Errorf("%v: the mean of %d draws is %g; want %g, %.1f standard errors away", d, n, sum/n, mean, z)
		}
		for j, p := range below {
			if stderr := math.Sqrt(p * (1 - p) / n); math.Abs(counts[j]/n-p) > 4*stderr {
				t.Errorf("%v: %g of the draws are up to %gms; want %g", d, counts[j]/n, at[j]/ms, p)
			}
		}
	}
}

// Of constants everything is exact: the words of each, in their order, and the mean.
func TestMixturesOfConstantsAreExact(t *testing.T) {
	d := mustParse(t, "mix(25% 3ms,50% 1ms,25% 2ms)")
	const quarter = 1 << 62
	for r, want := range map[uint64]time.Duration{
		0: 3, quarter - 1: 3, quarter: 1, 3*quarter - 1: 1, 3 * quarter: 2, math.MaxUint64: 2,
	} {
		if got := d.Sample(r); got != want*time.Millisecond {
			t.Errorf("Sample(%#x) = %v; want %vms", r, got, int64(want))
		}
	}
	for u, want := range map[uint64]time.Duration{
		0: 1, 2*quarter - 1: 1, 2 * quarter: 2, 3*quarter - 1: 2, 3 * quarter: 3, math.MaxUint64: 3,
	} {
		if got := d.Quantile(u); got != want*time.Millisecond {
			t.Errorf("Quantile(%#x) = %v; want %vms", u, got, int64(want))
		}
	}
	if lo, hi, bounded := d.Bounds(); d.Mean() != 1750*time.Microsecond || lo != time.Millisecond || hi != 3*time.Millisecond || !bounded {
		t.Errorf("mean %v, bounds %v to %v, %v", d.Mean(), lo, hi, bounded)
	}
	if lo, _, bounded := mustParse(t, "mix(50% uniform(2ms,3ms),50% exp(9ms,1ms))").Bounds(); lo != 2*time.Millisecond || bounded {
		t.Errorf("bounds from %v, %v", lo, bounded)
	}
	if got := mustParse(t, "mix(50% 12h,50% 12h)").Mean(); got != 12*time.Hour {
		t.Errorf("the mean is %v", got)
	}
}

// The quantile at a fraction is the least duration up to which there are more words than that, and
// no sample lies outside the bounds.
func TestMixtureQuantiles(t *testing.T) {
	law := rapid.SampledFrom([]string{"0", "1ms", "uniform(1ms,2ms)", "exp(1ms)", "exp(5ms,1ms)", "normal(1ms,3ms)", "weibull(2ms,1ms)", "uniform(0,12h)"})
	shares := rapid.SampledFrom([]string{"%s", "mix(50%% %s,50%% %s)", "mix(1/3 %s,1/3 %s,1/3 %s)", "mix(0.001%% %s,99.999%% %s)", "mix(99.9%% %s,0.1%% %s)"})
	rapid.Check(t, func(t *rapid.T) {
		text := shares.Draw(t, "shares")
		for strings.Contains(text, "%s") {
			text = strings.Replace(text, "%s", law.Draw(t, "law"), 1)
		}
		text = strings.ReplaceAll(text, "%%", "%")
		d, err := des.ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi, bounded := d.Bounds()
		before := time.Duration(0)
		for _, u := range append(append([]uint64(nil), extremes...), rapid.Uint64().Draw(t, "fraction")) {
			for _, x := range []time.Duration{d.Sample(u), d.Quantile(u)} {
				if x < lo || bounded && x > hi {
					t.Errorf("%v at %#x is %v, outside %v to %v", d, u, x, lo, hi)
				}
			}
		}
		for _, u := range extremes {
			q := d.Quantile(u)
			if q < before {
				t.Errorf("%v: the quantile at %#x is %v, below an earlier one", d, u, q)
			}
			before = q
			if last, some := des.Below(d, q); !some || last < u {
				t.Errorf("%v: the quantile at %#x is %v, but only those up to %#x are", d, u, q, last)
			}
			if last, some := des.Below(d, q-1); some && last >= u {
				t.Errorf("%v: the quantile at %#x is %v, but %v would do", d, u, q, q-1)
			}
		}
	})
}
