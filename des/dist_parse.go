package des

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// MaxDuration is the longest duration that ParseDistribution accepts as a constant, a
// bound or a mean. A hundred thousand of them in succession end before MaxTime.
const MaxDuration = 12 * time.Hour

// ParseDistribution reads a constant duration (`1ms`) or one of
//
//	uniform(MIN,MAX)                     exp(MEAN)
//	normal(MEAN,SD)    pareto(MEAN,SD)   paretonormal(MEAN,SD)   exp(MEAN,SD)
//	lognormal(MEAN,SD) weibull(MEAN,SD)  gamma(MEAN,SD)
//	mix(SHARE DISTRIBUTION,SHARE DISTRIBUTION,...)
//
// See Uniform, Exponential, Normal, Pareto, ParetoNormal, ShiftedExponential, LogNormal,
// Weibull, Gamma and Mixture. A share is a probability, as ParseProbability reads it. A duration is a number and a unit, ns, us, ms, s, m or h, as in Go.
func ParseDistribution(text string) (Distribution, error) {
	d, err := parseDistribution(text)
	if err != nil {
		return nil, fmt.Errorf("delay %q: %w", text, err)
	}
	return d, nil
}

func parseDistribution(text string) (Distribution, error) {
	name, args, call := strings.Cut(strings.TrimSpace(text), "(")
	if !call {
		d, err := parseDuration(name)
		if err != nil {
			return nil, fmt.Errorf("%w; %s", err, allowedDistributions)
		}
		return Constant(d), nil
	}
	name = strings.TrimSpace(name)
	args, closed := strings.CutSuffix(args, ")")
	if !closed {
		return nil, errors.New("the closing parenthesis is missing")
	}
	if name == "mix" {
		return mixture(args)
	}
	make := distributions[name]
	if make == nil {
		return nil, fmt.Errorf("unknown distribution %q; %s", name, allowedDistributions)
	}
	var ds []time.Duration
	for arg := range strings.SplitSeq(args, ",") {
		d, err := parseDuration(strings.TrimSpace(arg))
		if err != nil {
			return nil, err
		}
		ds = append(ds, d)
	}
	return make(ds)
}

const allowedDistributions = "allowed are a duration such as 1ms, uniform(0,2ms), exp(1ms), " +
	"and normal, pareto, paretonormal, lognormal, weibull, gamma of mean and standard deviation, as in normal(5ms,1ms), " +
	"or a mixture such as mix(90% 1ms,10% exp(50ms))"

// distributions are the constructors by name.
var distributions = map[string]func([]time.Duration) (Distribution, error){
	"uniform":      uniformOf,
	"exp":          expOf,
	"normal":       spreadOf(Normal),
	"pareto":       spreadOf(Pareto),
	"paretonormal": spreadOf(ParetoNormal),
	"lognormal":    memberOf(LogNormal),
	"weibull":      memberOf(Weibull),
	"gamma":        memberOf(Gamma),
}

func uniformOf(ds []time.Duration) (Distribution, error) {
	switch {
	case len(ds) != 2:
		return nil, errors.New("uniform takes two durations, as in uniform(0,2ms)")
	case ds[0] > ds[1]:
		return nil, errors.New("the lower bound is above the upper")
	}
	return Uniform(ds[0], ds[1]), nil
}

func expOf(ds []time.Duration) (Distribution, error) {
	switch len(ds) {
	case 1:
		return Exponential(ds[0]), nil
	case 2:
		return ShiftedExponential(ds[0], ds[1]), nil
	}
	return nil, errors.New("exp takes one duration, the mean, as in exp(1ms), or mean and standard deviation, as in exp(5ms,1ms)")
}

func spreadOf(f func(mean, sd time.Duration) Distribution) func([]time.Duration) (Distribution, error) {
	return memberOf(func(mean, sd time.Duration) (Distribution, error) { return f(mean, sd), nil })
}

func memberOf(f func(mean, sd time.Duration) (Distribution, error)) func([]time.Duration) (Distribution, error) {
	return func(ds []time.Duration) (Distribution, error) {
		if len(ds) != 2 {
			return nil, errors.New("it takes two durations, the mean and the standard deviation, as in normal(5ms,1ms)")
		}
		return f(ds[0], ds[1])
	}
}

func parseDuration(text string) (time.Duration, error) {
	switch d, err := time.ParseDuration(text); {
	case text == "":
		return 0, errors.New("a duration is missing")
	case err != nil && strings.Trim(text, "0123456789.") == "":
		return 0, fmt.Errorf("%q lacks a unit, as in %sms", text, text)
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration", text)
	case d < 0:
		return 0, fmt.Errorf("%q is negative", text)
	case d > MaxDuration:
		return 0, fmt.Errorf("%q is above %v", text, MaxDuration)
	default:
		return d, nil
	}
}
