package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var simulate = flag.Bool("simulate", false, "measure the tables of docs/statistics.md (some three minutes)")

// simulated is the number of samples behind a number of the tables: a coverage
// of 0.95 scatters by 0.0022.
const simulated = 10_000

// law is a distribution with its mean.
type law struct {
	name string
	mean float64
	draw func(*rand.Rand) float64
}

var (
	exponential = law{"exponential", 1, (*rand.Rand).ExpFloat64}
	lognormal   = law{"lognormal, σ = 1", math.Exp(0.5), func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) }}
	geometric   = law{"geometric, *p* = 0.2", 4, func(r *rand.Rand) float64 {
		failures := 0.0
		for r.Float64() >= 0.2 {
			failures++
		}
		return failures
	}}
)

// bernoulli is 1 with probability p, and else 0.
func bernoulli(p float64) law {
	return law{fmt.Sprintf("*p* = %v", p), p, func(r *rand.Rand) float64 {
		if r.Float64() < p {
			return 1
		}
		return 0
	}}
}

// rule tells whether a sample is enough, and its interval.
type rule struct {
	enough   func(xs []float64) bool
	interval func(xs []float64) (lo, hi float64)
}

// relative is the rule of means.
func relative(width float64) rule {
	return rule{func(xs []float64) bool { return Narrow(xs, width) }, student}
}

func student(xs []float64) (lo, hi float64) {
	mean, sd := moments(xs)
	half := halfWidth(sd, len(xs))
	return mean - half, mean + half
}

// absolute is the rule of proportions.
func absolute(width float64) rule {
	return rule{
		func(xs []float64) bool { return NarrowProportion(ones(xs), len(xs), width) },
		func(xs []float64) (lo, hi float64) {
			lo, hi, _ = Wilson(ones(xs), len(xs), 0.95) // the counts are those of a sample
			return lo, hi
		},
	}
}

func ones(xs []float64) int {
	n := 0
	for _, x := range xs {
		n += int(x)
	}
	return n
}

// tally counts where intervals lie.
type tally struct {
	samples, trials int
	below, above    int // of the mean
	width           float64
}

func (c *tally) add(l law, n int, lo, hi float64) {
	c.samples++
	c.trials += n
	c.width += hi - lo
	if hi < l.mean {
		c.below++
	} else if lo > l.mean {
		c.above++
	}
}

func (c *tally) size() float64     { return float64(c.trials) / float64(c.samples) }
func (c *tally) coverage() float64 { return 1 - float64(c.below+c.above)/float64(c.samples) }

// stopped takes samples like a sweep: from least trials on until they suffice, with a limit
// that none reaches.
func stopped(l law, r rule, least, samples int) tally {
	const most = 1_000_000
	var c tally
	var xs []float64
	random := rand.New(rand.NewPCG(4, uint64(least)))
	for range samples {
		xs = xs[:0]
		for n := least; ; n = NextLook(n, most) {
			xs = extend(xs, n, l, random)
			if n == most || r.enough(xs) {
				break
			}
		}
		lo, hi := r.interval(xs)
		c.add(l, len(xs), lo, hi)
	}
	return c
}

// fixed takes samples of n trials.
func fixed(l law, interval func([]float64) (lo, hi float64), n, samples int) tally {
	var c tally
	var xs []float64
	random := rand.New(rand.NewPCG(5, uint64(n)))
	for range samples {
		xs = extend(xs[:0], n, l, random)
		lo, hi := interval(xs)
		c.add(l, n, lo, hi)
	}
	return c
}

func extend(xs []float64, n int, l law, random *rand.Rand) []float64 {
	for len(xs) < n {
		xs = append(xs, l.draw(random))
	}
	return xs
}

// The cost of stopping early: a spread that is small by luck stops the trials, and its
// interval is too narrow. From 30 trials the cost is small; see docs/statistics.md.
func TestStoppingCoverage(t *testing.T) {
	const samples = 1000
	for _, c := range []struct {
		l     law
		r     rule
		least float64
	}{
		{exponential, relative(0.1), 0.92},
		{geometric, relative(0.1), 0.92},
		{bernoulli(0.1), absolute(0.05), 0.92},
	} {
		s := stopped(c.l, c.r, 30, samples)
		if s.coverage() < c.least {
			t.Errorf("%s: after %.0f trials on average the interval holds the mean in %.3f of the samples", c.l.name, s.size(), s.coverage())
		}
	}
}

// The tables of docs/statistics.md.
func TestSimulation(t *testing.T) {
	if !*simulate {
		t.Skip("it takes some three minutes; run with -simulate")
	}
	doc, err := os.ReadFile("../../../docs/statistics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{stoppingTable(), proportionTable(), bootstrapTable()} {
		fmt.Print(table, "\n")
		if !strings.Contains(string(doc), table) {
			t.Errorf("docs/statistics.md does not have the table that begins with %s", strings.SplitN(table, "\n", 2)[0])
		}
	}
}

func stoppingTable() string {
	var b strings.Builder
	fmt.Fprintln(&b, "| values | half width | `min` 10 | `min` 30 | `min` 100 |\n|---|---|---|---|---|")
	for _, l := range []law{exponential, geometric, lognormal} {
		for _, width := range []float64{0.5, 0.2, 0.1, 0.05} {
			fmt.Fprintf(&b, "| %s | %v %% |%s\n", l.name, 100*width, stoppingRow(l, relative(width)))
		}
	}
	return b.String()
}

func proportionTable() string {
	var b strings.Builder
	fmt.Fprintln(&b, "| proportion | half width | `min` 10 | `min` 30 | `min` 100 |\n|---|---|---|---|---|")
	for _, p := range []float64{0.5, 0.1, 0.01} {
		for _, width := range []float64{0.1, 0.05, 0.02} {
			fmt.Fprintf(&b, "| %s | %v |%s\n", bernoulli(p).name, width, stoppingRow(bernoulli(p), absolute(width)))
		}
	}
	return b.String()
}

func stoppingRow(l law, r rule) string {
	var b strings.Builder
	for _, least := range []int{10, 30, 100} {
		s := stopped(l, r, least, simulated)
		f := fixed(l, r.interval, int(math.Round(s.size())), simulated)
		fmt.Fprintf(&b, " %.0f: %.1f / %.1f |", s.size(), 100*s.coverage(), 100*f.coverage())
	}
	return b.String()
}

func bootstrapTable() string {
	var b strings.Builder
	fmt.Fprintln(&b, "| trials | Student's | too low | too high | width | BCa | too low | too high | width |\n|---|---|---|---|---|---|---|---|---|")
	for _, n := range []int{10, 20, 50, 100, 200} {
		fmt.Fprintf(&b, "| %d |", n)
		for _, interval := range []func([]float64) (lo, hi float64){student, bootstrapped(2000)} {
			c := fixed(lognormal, interval, n, simulated)
			share := func(k int) float64 { return 100 * float64(k) / simulated }
			fmt.Fprintf(&b, " %.1f | %.1f | %.1f | %.2f |", 100*c.coverage(), share(c.below), share(c.above), c.width/simulated)
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// bootstrapped is the interval of Bootstrap, each time with another seed.
func bootstrapped(resamples int) func([]float64) (lo, hi float64) {
	seed := uint64(0)
	return func(xs []float64) (lo, hi float64) {
		seed++
		return Bootstrap(xs, resamples, seed)
	}
}
