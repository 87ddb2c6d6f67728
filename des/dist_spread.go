package des

import (
	"fmt"
	"math"
	"sync"
	"time"
)

// The distributions of this file take any mean and any standard deviation; then durations
// below 0 become 0. Their deviates come from tables whose samples, up to the fraction 2^-33
// at either end, have exactly the mean 0 and the standard deviation 1.

// Normal returns the normal distribution.
func Normal(mean, sd time.Duration) Distribution { return newSpread(&normalLaw, mean, sd) }

// Pareto returns the Pareto distribution of shape 3, shifted and scaled. It begins 0.578
// standard deviations below the mean. Its tail is heavy: the fraction above x falls with
// the third power of x.
func Pareto(mean, sd time.Duration) Distribution { return newSpread(&paretoLaw, mean, sd) }

// ParetoNormal returns netem's mixture: at each fraction the normal quantile plus three
// times the Pareto quantile, scaled.
func ParetoNormal(mean, sd time.Duration) Distribution { return newSpread(&paretoNormalLaw, mean, sd) }

// ShiftedExponential returns the exponential distribution of mean sd, shifted to the given
// mean: mean-sd plus an exponential duration.
func ShiftedExponential(mean, sd time.Duration) Distribution {
	return newSpread(&exponentialLaw, mean, sd)
}

// standardLaw is a distribution of mean 0 and standard deviation 1.
type standardLaw struct {
	name  string
	table *checkedIn
	shift int64 // of the table, in its units
	least bool  // the distribution has a least deviate, the first entry of the table
}

var (
	normalLaw       = standardLaw{name: "normal", table: &normal}
	paretoLaw       = standardLaw{name: "pareto", table: &pareto, least: true}
	paretoNormalLaw = standardLaw{name: "paretonormal", table: &paretoNormal}
	exponentialLaw  = standardLaw{name: "exp", table: &exponential, shift: -1 << pointLog, least: true}
)

type spread struct {
	law      *standardLaw
	mean, sd time.Duration
}

func newSpread(law *standardLaw, mean, sd time.Duration) Distribution {
	mustNotBeNegative(mean)
	mustNotBeNegative(sd)
	law.table.load()
	return spread{law, mean, sd}
}

func (s spread) Sample(r uint64) time.Duration { return max(0, s.shifted(s.law.table.at(r))) }

func (s spread) Quantile(u uint64) time.Duration { return s.Sample(ascending(u)) }

// shifted is the duration that belongs to a deviate of the table. It may be negative.
func (s spread) shifted(q int64) time.Duration {
	q += s.law.shift
	if q < 0 {
		return s.mean - scale(s.sd, -q)
	}
	if d := scale(s.sd, q); d <= math.MaxInt64-s.mean {
		return s.mean + d
	}
	return math.MaxInt64
}

// Mean includes what the cut at 0 adds.
func (s spread) Mean() time.Duration {
	if s.shifted(s.law.table.lower[0]) >= 0 {
		return s.mean
	}
	// Minus the mean of the part below 0, taken from each straight line of the table.
	lacking := 0.0
	s.law.table.each(func(weight float64, from, to int64) {
		a, b := -float64(s.shifted(min(from, to))), -float64(s.shifted(max(from, to)))
		if a <= 0 {
			return
		}
		if b < 0 {
			weight *= a / (a - b)
			b = 0
		}
		lacking += float64(weight * (a + b) / 2)
	})
	return s.mean + time.Duration(math.Floor(lacking+0.5))
}

func (s spread) Bounds() (lo, hi time.Duration, bounded bool) {
	if s.law.least {
		lo = max(0, s.shifted(s.law.table.lower[0]))
	}
	return lo, 0, false
}

func (s spread) String() string { return fmt.Sprintf("%s(%v,%v)", s.law.name, s.mean, s.sd) }

// Gaussian is the standard normal distribution in fixed point.
type Gaussian struct {
	deviates *quantiles
	tail     [8*128 + 1]uint64 // the fraction above i/128, in units of 2^-64
}

// StandardNormal returns the one Gaussian. Ask for it once, and not for each deviate.
func StandardNormal() *Gaussian { return standardNormal() }

var standardNormal = sync.OnceValue(func() *Gaussian {
	g := &Gaussian{deviates: normal.load()}
	decode("normaltail", g.tail[:])
	return g
})

// Deviate is the deviate that belongs to the random word r, in units of 2^-32.
func (g *Gaussian) Deviate(r uint64) int64 { return g.deviates.at(r) }

// Below is the fraction of the deviates below z, which is in units of 2^-32; the fraction
// is in units of 2^-64. Its error is two millionths at most. It ends at 8 standard
// deviations.
func (g *Gaussian) Below(z int64) uint64 {
	const cellLog = pointLog - 7
	a := min(max(z, -z), int64(len(g.tail)-1)<<cellLog-1)
	i, frac := a>>cellLog, uint64(a)&(1<<cellLog-1)
	tail := g.tail[i] - partOf(g.tail[i]-g.tail[i+1], frac<<(64-cellLog))
	if z < 0 {
		return tail
	}
	return -tail
}
