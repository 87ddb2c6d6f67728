package des_test

import (
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"bullring/des"

	"pgregory.net/rapid"
)

// law is a distribution with its moments and functions from the literature.
type law struct {
	name     string
	d        des.Distribution
	mean     float64
	variance float64
	fourth   float64                 // central moment, divided by the variance squared
	cdf      func(x float64) float64 // for whole x
	quantile func(p float64) float64
}

func uniformLaw(lo, hi time.Duration) law {
	k := float64(hi-lo) + 1 // values, all of the same weight
	return law{
		name: "uniform", d: des.Uniform(lo, hi),
		mean:     float64(lo) + (k-1)/2,
		variance: (k*k - 1) / 12,
		fourth:   3 * (3*k*k - 7) / (5 * (k*k - 1)),
		cdf:      func(x float64) float64 { return min(max((x-float64(lo)+1)/k, 0), 1) },
		quantile: func(p float64) float64 { return math.Floor(float64(lo) + p*(k-1)) },
	}
}

func exponentialLaw(mean time.Duration) law {
	m := float64(mean)
	return law{
		name: "exponential", d: des.Exponential(mean),
		mean: m, variance: m * m, fourth: 9,
		// A duration is rounded to a nanosecond: it is at most x if the real
		// number is at most x+1/2.
		cdf:      func(x float64) float64 { return -math.Expm1(-(x + 0.5) / m) },
		quantile: func(p float64) float64 { return math.Floor(-m * math.Log1p(-p)) },
	}
}

// TestDistributionsAgainstTheirLaws draws a million durations of each and
// allows four standard errors: of the mean sqrt(var/n), of the variance
// var*sqrt((m4/var^2-1)/n), of the fraction below a quantile sqrt(p(1-p)/n).
// The streams are seeded, so the result is the same each time.
func TestDistributionsAgainstTheirLaws(t *testing.T) {
	const n = 1_000_000
	for i, l := range []law{
		uniformLaw(0, 2*time.Millisecond),
		uniformLaw(5*time.Millisecond, 6*time.Millisecond),
		uniformLaw(0, 9), // ten values: a bias of the ends would show
		exponentialLaw(time.Millisecond),
		exponentialLaw(time.Hour),
	} {
		s := des.NewStream(1, "law", uint64(i))
		levels := []float64{0.01, 0.1, 0.5, 0.9, 0.99, 0.999}
		below := make([]int, len(levels))
		var sum, squares float64 // of deviations from the mean, which keeps them exact enough
		for range n {
			x := float64(l.d.Sample(s.Uint64()))
			sum += x - l.mean
			squares += (x - l.mean) * (x - l.mean)
			for j, p := range levels {
				if x <= l.quantile(p) {
					below[j]++
				}
			}
		}
		within := func(what string, got, want, stderr float64) {
			if z := (got - want) / stderr; math.Abs(z) > 4 {
				t.Errorf("%v: %s is %g; want %g, %.1f standard errors away", l.d, what, got, want, z)
			}
		}
		within("the mean", sum/n+l.mean, l.mean, math.Sqrt(l.variance/n))
		within("the variance", squares/n, l.variance, l.variance*math.Sqrt((l.fourth-1)/n))
		for j, p := range levels {
			p = l.cdf(l.quantile(p)) // on whole nanoseconds it is not quite p
			within("the fraction of small ones", float64(below[j])/n, p, math.Sqrt(p*(1-p)/n))
		}
		if got := float64(l.d.Mean()); math.Abs(got-l.mean) > 0.5 {
			t.Errorf("%v: Mean() is %v; want %v", l.d, got, l.mean)
		}
	}
}

func TestConstantIsConstant(t *testing.T) {
	d := des.Constant(3 * time.Millisecond)
	for _, r := range extremes {
		if got := d.Sample(r); got != 3*time.Millisecond {
			t.Errorf("Sample(%#x) = %v", r, got)
		}
	}
	if lo, hi, bounded := d.Bounds(); d.Mean() != 3*time.Millisecond || lo != d.Mean() || hi != d.Mean() || !bounded {
		t.Errorf("mean %v, bounds %v to %v, %v", d.Mean(), lo, hi, bounded)
	}
}

// extremes are the random words at which a computation in fixed point would break first.
var extremes = []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 1<<32, math.MaxUint64}

func TestUniformReachesItsEnds(t *testing.T) {
	for _, b := range [][2]time.Duration{{0, 0}, {7, 7}, {0, 1}, {3, 1000}, {0, math.MaxInt64}, {math.MaxInt64 - 1, math.MaxInt64}} {
		d := des.Uniform(b[0], b[1])
		if got := d.Sample(0); got != b[0] {
			t.Errorf("%v: Sample(0) = %v", d, got)
		}
		if got := d.Sample(math.MaxUint64); got != b[1] {
			t.Errorf("%v: Sample(2^64-1) = %v", d, got)
		}
		if lo, hi, bounded := d.Bounds(); lo != b[0] || hi != b[1] || !bounded {
			t.Errorf("%v: bounds %v to %v, %v", d, lo, hi, bounded)
		}
		if m := d.Mean(); m < b[0] || m > b[1] {
			t.Errorf("%v: the mean is %v", d, m)
		}
	}
}

// quantileUnits is the quantile in the table for the random word r, in units of 2^-32: with
// a mean of 2^32 ns scaling changes nothing.
func quantileUnits(r uint64) int64 { return int64(des.Exponential(1 << 32).Sample(r)) }

// TestExponentialTable compares each entry of the table with the logarithm of this machine.
// Logarithms of two machines may differ in the last of 53 bits. That moves a quantile, which
// is below 2^5 in units of 2^-32, by less than 2^-15 of a unit: it may round the other way,
// so one unit is allowed.
func TestExponentialTable(t *testing.T) {
	for octave := range 32 {
		for cell := range uint64(64) {
			// The random word whose half begins exactly at v, and its mirror.
			r := (64 + cell) << (57 - octave - 1)
			v := float64(64+cell) / 64 * math.Ldexp(1, -octave-1)
			for _, tc := range []struct {
				half string
				r    uint64
				want float64
			}{
				{"lower", r, -math.Log1p(-v / 2)},
				{"upper", r | 1<<63, -math.Log(v / 2)},
			} {
				got, want := quantileUnits(tc.r), math.Round(math.Ldexp(tc.want, 32))
				if math.Abs(float64(got)-want) > 1 {
					t.Errorf("%s, v = %v: %d; want %.0f", tc.half, v, got, want)
				}
			}
		}
	}
}

// Within a cell the table is a chord of a convex curve. It lies above the curve by at most
// h^2/8 times the second derivative: (1/64)^2/8 = 3.1e-5 of the mean in the upper half, a
// quarter of that in the lower. That bounds the bias of the mean, which is summed here over
// equidistant random words.
func TestExponentialBias(t *testing.T) {
	const n = 1 << 20
	sum := 0.0
	for i := range uint64(n) {
		sum += math.Ldexp(float64(quantileUnits(i<<44|1<<43)), -32)
	}
	if bias := sum/n - 1; bias < -1e-6 || bias > 2e-5 {
		t.Errorf("the mean is off by %g; want 0 to 2e-5", bias)
	}
}

// The larger the random word, the longer the duration in the lower half of the
// words, the shorter in the upper: words near the ends of both are the tails.
func TestExponentialIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.Uint64Range(0, 1<<63-1)
		shift := rapid.IntRange(0, 62)
		a, b := bits.Draw(t, "a")>>shift.Draw(t, "shift a"), bits.Draw(t, "b")>>shift.Draw(t, "shift b")
		a, b = min(a, b), max(a, b)
		d := des.Exponential(time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "mean")))
		if d.Sample(a) > d.Sample(b) {
			t.Errorf("lower half: Sample(%#x) = %d > Sample(%#x) = %d", a, d.Sample(a), b, d.Sample(b))
		}
		if a, b := a|1<<63, b|1<<63; d.Sample(a) < d.Sample(b) {
			t.Errorf("upper half: Sample(%#x) = %d < Sample(%#x) = %d", a, d.Sample(a), b, d.Sample(b))
		}
		if d.Sample(b) > d.Sample(math.MaxUint64) {
			t.Errorf("Sample(%#x) of the lower half is above the median %d", b, d.Sample(math.MaxUint64))
		}
	})
}

// TestExponentialScaling compares the scaling, in 128 bits with saturation, with integers of
// any length.
func TestExponentialScaling(t *testing.T) {
	check := func(mean int64, r uint64) (got, want time.Duration) {
		x := new(big.Int).Mul(big.NewInt(mean), big.NewInt(quantileUnits(r)))
		x.Add(x, big.NewInt(1<<31)).Rsh(x, 32)
		want = math.MaxInt64
		if x.IsInt64() {
			want = time.Duration(x.Int64())
		}
		return des.Exponential(time.Duration(mean)).Sample(r), want
	}
	for _, mean := range []int64{0, 1, 2, 1 << 31, 1<<32 + 1, int64(des.MaxDuration), 1 << 58, 1 << 62, math.MaxInt64} {
		for _, r := range extremes {
			if got, want := check(mean, r); got != want {
				t.Errorf("mean %d: Sample(%#x) = %d; want %d", mean, r, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		mean := rapid.Int64Range(0, math.MaxInt64).Draw(t, "mean") >> rapid.IntRange(0, 62).Draw(t, "shift")
		r := rapid.Uint64().Draw(t, "r")
		if got, want := check(mean, r); got != want {
			t.Errorf("mean %d: Sample(%#x) = %d; want %d", mean, r, got, want)
		}
	})
}

// The longest exponential duration is 33*ln 2 means: the tail ends at 2^-33.
func TestExponentialTail(t *testing.T) {
	longest := des.Exponential(time.Second).Sample(1 << 63)
	if got, want := longest.Seconds(), 33*math.Ln2; math.Abs(got-want) > 1e-8 {
		t.Errorf("the longest is %v means; want %v", got, want)
	}
	if shortest := des.Exponential(time.Second).Sample(0); shortest < 0 || shortest > time.Nanosecond {
		t.Errorf("the shortest is %v", shortest)
	}
	if _, _, bounded := des.Exponential(time.Second).Bounds(); bounded {
		t.Error("the exponential distribution says that it is bounded")
	}
}

// A hundred thousand durations of MaxDuration in succession end before MaxTime. So do
// exponential ones of that mean that are ten standard deviations longer.
func TestMaxDurationLeavesRoom(t *testing.T) {
	const n = 100_000
	if sum := float64(des.MaxDuration) * (n + 10*math.Sqrt(n)); sum > float64(des.MaxTime) {
		t.Errorf("%d durations of %v take %.3g ns; the end of time is %.3g", n, des.MaxDuration, sum, float64(des.MaxTime))
	}
}

func TestDistributionsRefuseWhatMakesNoSense(t *testing.T) {
	for name, f := range map[string]func(){
		"negative constant": func() { des.Constant(-1) },
		"negative bound":    func() { des.Uniform(-1, 1) },
		"crossed bounds":    func() { des.Uniform(2, 1) },
		"negative mean":     func() { des.Exponential(-1) },
	} {
		if !strings.HasPrefix(panicOf(f), "des: ") {
			t.Errorf("%s: panics with %q; want a sentence of des", name, panicOf(f))
		}
	}
}

func TestParseDistribution(t *testing.T) {
	for text, want := range map[string]des.Distribution{
		"1ms":                     des.Constant(time.Millisecond),
		" 0s ":                    des.Constant(0),
		"0":                       des.Constant(0),
		"1.5us":                   des.Constant(1500),
		"12h":                     des.Constant(des.MaxDuration),
		"uniform(0,2ms)":          des.Uniform(0, 2*time.Millisecond),
		" uniform ( 1ms , 1ms ) ": des.Uniform(time.Millisecond, time.Millisecond),
		"exp(1m30s)":              des.Exponential(90 * time.Second),
		"uniform(1ns,1h0m0.5s)":   des.Uniform(1, time.Hour+500*time.Millisecond),
		"exp(0s)":                 des.Exponential(0),
		"exp(5ms, 1ms)":           des.ShiftedExponential(5*time.Millisecond, time.Millisecond),
		"normal(5ms,1ms)":         des.Normal(5*time.Millisecond, time.Millisecond),
		"pareto(5ms,0)":           des.Pareto(5*time.Millisecond, 0),
		"paretonormal(0,1ms)":     des.ParetoNormal(0, time.Millisecond),
		"exp(" + "1\u00b5s" + ")": des.Exponential(time.Microsecond),
	} {
		got, err := des.ParseDistribution(text)
		if err != nil || got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, err, want)
		}
	}
}

// An error names what was given and what is allowed.
func TestParseDistributionErrors(t *testing.T) {
	const all = "allowed are a duration such as 1ms, uniform(0,2ms), exp(1ms), and normal, pareto, paretonormal, lognormal, weibull, gamma"
	for _, tc := range []struct{ text, want string }{
		{"", "a duration is missing"},
		{"", all},
		{"soon", `"soon" is not a duration`},
		{"soon", all},
		{"5", `"5" lacks a unit, as in 5ms`},
		{"-1ms", `"-1ms" is negative`},
		{"13h", `"13h" is above 12h0m0s`},
		{"gauss(1ms)", `unknown distribution "gauss"`},
		{"gauss(1ms)", all},
		{"normal(1ms)", "it takes two durations, the mean and the standard deviation, as in normal(5ms,1ms)"},
		{"gamma(1ms,2ms,3ms)", "it takes two durations"},
		{"gamma(1ms,4ms)", "gamma of mean 1ms takes a standard deviation from 10µs to 3ms, a hundredth of the mean to three times the mean; given is 4ms"},
		{"weibull(0,0)", "weibull of mean 0s takes a standard deviation from 0s to 0s"},
		{"lognormal(1s,1ms)", "given is 1ms"},
		{"(1ms)", `unknown distribution ""`},
		{"exp(1ms", "the closing parenthesis is missing"},
		{"exp(1ms) ms", "the closing parenthesis is missing"},
		{"exp()", "a duration is missing"},
		{"exp(1)", `"1" lacks a unit`},
		{"exp(1ms,2ms,3ms)", "exp takes one duration, the mean, as in exp(1ms), or mean and standard deviation, as in exp(5ms,1ms)"},
		{"uniform(1ms)", "uniform takes two durations, as in uniform(0,2ms)"},
		{"uniform(1ms,2ms,3ms)", "uniform takes two durations"},
		{"uniform(1ms,)", "a duration is missing"},
		{"uniform(2ms,1ms)", "the lower bound is above the upper"},
		{"uniform(0,100h)", `"100h" is above 12h0m0s`},
		{"uniform(0,2ms))", `"2ms)" is not a duration`},
	} {
		d, err := des.ParseDistribution(tc.text)
		if err == nil {
			t.Errorf("%q is read as %v", tc.text, d)
			continue
		}
		for _, want := range []string{"delay \"" + tc.text + "\"", tc.want} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: error %q; want %q in it", tc.text, err, want)
			}
		}
	}
}

// A distribution that was parsed prints a text that parses to the same distribution.
func FuzzParseDistribution(f *testing.F) {
	for _, text := range []string{
		"1ms", "0", "1h2m3.000000004s", "uniform(0,2ms)", "uniform(1ns,12h)", "exp(1ms)", "exp(1.5\u00b5s)",
		"exp(5ms,1ms)", "normal(5ms,1ms)", "pareto(1h,12h)", "lognormal(5ms,1ms)", "weibull(5ms,5ms)", "gamma(5ms,15ms)", "gamma(5ms,1ns)",
		"", "(", ")", "exp(", "exp()", "uniform(,)", "uniform(2ms,1ms)", "9223372036854775808ns", "1e9s", "+1ms", ".",
		"mix(90% uniform(1ms,2ms),10% exp(50ms))", "mix(1/3 1ms, 1/3 exp(2ms), 1/3 3ms)", "mix(50% 1ms", "mix(,)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := des.ParseDistribution(text)
		if err != nil {
			return
		}
		again, err := des.ParseDistribution(d.String())
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("%q is %v, which is read as %v, %v", text, d, again, err)
		}
		for _, r := range extremes {
			if x := d.Sample(r); x < 0 {
				t.Errorf("%v: Sample(%#x) = %v", d, r, x)
			}
		}
	})
}
