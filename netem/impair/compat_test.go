package impair_test

import (
	"math"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem/impair"
)

// Correlated losses collapse in Linux. The shares come from the distribution function of its
// moving average, computed by iteration. No closed form is known.
func TestCompatCorrelatedLossCollapses(t *testing.T) {
	for _, c := range []struct {
		line string
		want float64
	}{
		{"loss 0.3% 25%", 4.041e-9},
		{"loss 1% 25%", 2.4227e-6},
		{"loss 5% 25%", 0.0019375},
		{"loss 20% 25%", 0.1019375},
		{"loss 20% 50%", 0.0294283},
		{"loss 20% 75%", 0.0011546},
	} {
		e, m := trial(t, c.line, impair.Compat, 1_000_000)
		if x := e.Expected(m); x.LossRate.Known {
			t.Errorf("%s: a loss of %v is expected", c.line, x.LossRate.Value)
		}
		// Neighbours depend on each other, so that the binomial error is too
		// small, by less than twice.
		stderr := math.Sqrt(max(1e-12, c.want/1e6))
		if math.Abs(m.LossRate-c.want) > 8*stderr {
			t.Errorf("%s: the loss is %v; want %v", c.line, m.LossRate, c.want)
		}
	}
	if _, m := trial(t, "loss 20% 25%", impair.Compat, 1_000_000); math.Abs(m.MeanBurst.Value-1.28) > 0.005 {
		t.Errorf("the mean burst is %v; want 1.28", m.MeanBurst)
	}
	// The same holds for the other correlated features.
	for _, clause := range []string{"duplicate", "corrupt"} {
		_, m := trial(t, clause+" 20% 50%", impair.Compat, samples)
		if got := max(m.DuplicateRate, m.CorruptRate); math.Abs(got-0.03) > 0.003 {
			t.Errorf("%s 20%% 50%%: %v; want 0.03", clause, got)
		}
	}
}

// Linux has the chain of two states right except for its start.
func TestCompatGilbert(t *testing.T) {
	_, m := trial(t, "loss gemodel 1% 25%", impair.Compat, 1_000_000)
	if math.Abs(m.LossRate-1.0/26) > 0.0012 || math.Abs(m.MeanBurst.Value-4) > 0.15 {
		t.Errorf("a loss of %v in bursts of %v; want 0.0385 and 4", m.LossRate, m.MeanBurst)
	}
	// Linux starts good: the first message is lost only in the good state.
	for i := range uint64(2000) {
		channel := impair.RulesOf(parse(t, "loss gemodel 1% 1%"), impair.Compat, false).NewChannel(des.NewStream(i, "link"), 0)
		if offer(channel, 0, 0, 128, 0).Lost > 0 {
			t.Fatal("the first message is lost")
		}
	}
}

// The remainder of a division destroys the correlation of delays. Some is left if the jitter
// is near the range of 32 bits.
func TestCompatDelayCorrelation(t *testing.T) {
	for _, c := range []struct {
		line      string
		want, off float64
	}{
		{"delay 1s 10ms 90%", 0, 0.02},
		{"delay 1s 100ms 90%", 0.015, 0.02},
		{"delay 2s 1s 75%", 0.22, 0.02},
		{"delay 2s 1s 90%", 0.55, 0.02},
		{"delay 1s 100ms 90% distribution normal", 0, 0.02},
		{"delay 1s 100ms 50% distribution pareto", 0, 0.02},
	} {
		_, m := trial(t, c.line, impair.Compat, samples)
		if got := m.Delay.Lag1.Value; math.Abs(got-c.want) > c.off {
			t.Errorf("%s: the delays have the correlation %v; want %v", c.line, got, c.want)
		}
	}
}

// Linux adds the probabilities of the two ways out of a state in 32 bits. At a sum of 1 that
// is 0, so the second way is not taken: all losses are isolated.
func TestCompatStateOverflows(t *testing.T) {
	for mode, burst := range []bool{true, false} {
		_, m := trial(t, "loss state 50% 10% 0% 100% 50%", impair.Mode(mode), 1000)
		if got := m.MeanBurst.Value > 1; !m.MeanBurst.Known || got != burst {
			t.Errorf("%v: a mean burst of %v", impair.Mode(mode), m.MeanBurst)
		}
	}
}

// The tables of Linux, in units of the jitter: means, standard deviations, ranges, and the
// share of the longest delay.
func TestCompatTables(t *testing.T) {
	const unit = 8.192 // milliseconds, at 8192 steps
	for _, c := range []struct {
		shape             string
		mean, sd, lo, hi  float64
		atMost            float64
		meanOff, rangeOff float64
	}{
		{"normal", 0, 1, -4, 3.5, 0, 0.005, 0.03},
		{"pareto", -0.03, 0.82, -0.67, 4, 0.011, 0.005, 0.005},
		{"paretonormal", -0.03, 0.83, -1.5, 3.9, 0, 0.006, 0.03},
		{"uniform", 0, 1 / math.Sqrt(3), -1, 1, 0, 0.001, 0.001},
	} {
		x := expected(t, "delay 1s 8192us distribution "+c.shape, impair.Compat).Delay
		scaled := func(n impair.Number) float64 { return (n.Value*1e3 - 1000) / unit }
		for _, q := range []struct {
			what           string
			got, want, off float64
		}{
			{"mean", scaled(x.Mean), c.mean, c.meanOff}, {"sd", x.SD.Value * 1e3 / unit, c.sd, 0.005},
			{"min", scaled(x.Min), c.lo, c.rangeOff}, {"max", scaled(x.Max), c.hi, c.rangeOff},
		} {
			if math.Abs(q.got-q.want) > q.off {
				t.Errorf("%s: %s %v; want %v", c.shape, q.what, q.got, q.want)
			}
		}
		if below, _ := x.Below(time.Duration(math.Round(x.Max.Value*1e9)) - 1); math.Abs(1-below-c.atMost) > 0.001 {
			t.Errorf("%s: the longest delay has the share %v; want %v", c.shape, 1-below, c.atMost)
		}
	}
}
