package impair_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem/impair"
)

func trial(t testing.TB, text string, mode impair.Mode, samples int) (*impair.Trial, *impair.Measurement) {
	t.Helper()
	e := &impair.Trial{Line: parse(t, text), Mode: mode, Samples: samples, Interval: 10 * ms, Bits: 128, Seed: 1}
	return e, e.Sample()
}

// expected is the theory of a line whose messages are sent at unknown intervals.
func expected(t testing.TB, text string, mode impair.Mode) *impair.Expectation {
	t.Helper()
	return (&impair.Trial{Line: parse(t, text), Mode: mode}).Expected(new(impair.Measurement))
}

// samples is the number of messages that are compared with a law.
const samples = 50_000

// TestMeasurementsAgainstTheory allows four standard errors where the theory has one. The
// seeds are fixed, so the result is the same each time.
func TestMeasurementsAgainstTheory(t *testing.T) {
	for _, c := range []struct {
		line  string
		known int // quantities whose deviation has to be known, under either mode
	}{
		{"loss 5%", 2}, {"loss state 1% 20% 5% 50% 1%", 2}, {"loss state 10% 50% 20% 30%", 2}, {"loss state 30%", 2},
		{"loss gemodel 1% 25%", 2}, {"loss gemodel 1% 10% 70% 0.1%", 2}, {"loss gemodel 10%", 2}, {"loss burst 5% 4", 2}, {"loss burst 1% 1", 1},
		{"loss time 1s 100ms", 2}, {"loss time 200ms 50ms 60% 5%", 2},
		{"duplicate 5%", 1}, {"corrupt 10%", 1}, {"corrupt 10% loss 30%", 3},
		{"delay 20ms 5ms", 5}, {"delay 5ms 15ms", 5}, {"delay exp(1ms)", 5}, {"delay mix(90% uniform(1ms,2ms),10% exp(50ms))", 5}, {"delay mix(1/3 1ms,2/3 5ms) reorder 20%", 2}, {"delay 5ms 2ms distribution normal", 5}, {"delay 5ms 9ms distribution normal", 5},
		{"delay 5ms 2ms distribution pareto", 3}, {"delay 5ms 2ms distribution paretonormal", 3}, {"delay 5ms 2ms distribution exponential", 5},
		{"delay 5ms 2ms distribution lognormal", 5}, {"delay 5ms 12ms distribution weibull", 3}, {"delay 5ms 2ms distribution weibull", 5},
		{"delay 5ms 2ms distribution gamma", 5}, {"delay 5ms 8ms distribution gamma", 4}, {"delay 5ms 50us distribution gamma", 5},
		{"delay 5ms 1ms distribution table flat.dist", 2},
		{"delay 5ms 2ms distribution gamma reorder 20%", 5},
	} {
		for mode, name := range impair.Modes {
			e, m := trial(t, c.line, impair.Mode(mode), samples)
			known := 0
			for _, r := range m.Compare(e.Expected(m)) {
				if !r.Deviation.Known {
					continue
				}
				known++
				if math.Abs(r.Deviation.Value) > 4 {
					t.Errorf("%s, %s: %s is %v; want %v, %+.1f standard errors away", c.line, name, r.Name, r.Measured.Value, r.Expected.Value, r.Deviation.Value)
				}
			}
			if known < c.known {
				t.Errorf("%s, %s: the deviation of %d quantities is known; want %d", c.line, name, known, c.known)
			}
		}
	}
}

// With a gap of 3 one message is early after two that are not and 1/p more on average: one of
// 2 + 5. With a correlation the share is unknown.
func TestEarlyShareWithAGap(t *testing.T) {
	if x := expected(t, "delay 5ms 2ms reorder 20% gap 3", impair.Exact).Delay; !x.Mean.Known || math.Abs(x.Mean.Value-0.005*6/7) > 1e-9 {
		t.Errorf("a mean of %+v; want %v", x.Mean, 0.005*6/7)
	}
	if x := expected(t, "delay 5ms 2ms reorder 20% 50% gap 3", impair.Exact).Delay; x.Mean.Known {
		t.Errorf("a mean of %+v of what is not known", x.Mean)
	}
}

// A deviation is in standard errors of the mean. Of independent delays that is their standard
// deviation over the root of their number.
func TestDeviationIsInStandardErrors(t *testing.T) {
	e, m := trial(t, "delay 20ms 5ms", impair.Exact, 400)
	x := e.Expected(m)
	for _, r := range m.Compare(x) {
		if r.Name != "delay mean" {
			continue
		}
		want := (m.Delay.Mean.Value - x.Delay.Mean.Value) / (x.Delay.SD.Value / math.Sqrt(400))
		if !r.Deviation.Known || math.Abs(r.Deviation.Value-want) > 1e-9 {
			t.Errorf("the mean deviates by %+v; want %v", r.Deviation, want)
		}
	}
}

// Under Exact a correlation is that of successive delays, for any distribution, or of the
// fates of successive messages.
func TestExactCorrelations(t *testing.T) {
	for _, shape := range []string{"uniform", "normal", "paretonormal", "exponential", "lognormal", "weibull", "gamma", "table flat.dist"} {
		for _, c := range []string{"10%", "50%", "90%"} {
			line := "delay 20ms 12ms " + c + " distribution " + shape
			e, m := trial(t, line, impair.Exact, samples)
			x := e.Expected(m)
			for _, r := range m.Compare(x) {
				if math.Abs(r.Deviation.Value) > 4 {
					t.Errorf("%s: %s is %v; want %v, %+.1f standard errors away", line, r.Name, r.Measured.Value, r.Expected.Value, r.Deviation.Value)
				}
			}
			if want := expected(t, "loss "+c, impair.Exact).LossRate.Value; !x.Delay.Lag1.Known || x.Delay.Lag1.Value != want {
				t.Errorf("%s: a correlation of %v is expected", line, x.Delay.Lag1)
			}
		}
	}
	// With probability P and correlation C, bursts have the mean length
	// 1/((1-P)(1-C)).
	for _, c := range []struct {
		line  string
		burst float64
	}{{"loss 5% 25%", 1 / (0.95 * 0.75)}, {"loss 20% 75%", 1 / (0.8 * 0.25)}, {"loss 0.3% 50%", 1 / (0.997 * 0.5)}} {
		e, m := trial(t, c.line, impair.Exact, samples)
		x := e.Expected(m)
		if math.Abs(x.MeanBurst.Value-c.burst) > 1e-12 {
			t.Errorf("%s: the expected burst is %v; want %v", c.line, x.MeanBurst, c.burst)
		}
		for _, r := range m.Compare(x)[:2] {
			if !r.Deviation.Known || math.Abs(r.Deviation.Value) > 4 {
				t.Errorf("%s: %s is %v; want %v, %+v standard errors away", c.line, r.Name, r.Measured.Value, r.Expected.Value, r.Deviation)
			}
		}
	}
	for _, line := range []string{"duplicate 20% 60%", "corrupt 20% 60%"} {
		e, m := trial(t, line, impair.Exact, samples)
		for _, r := range m.Compare(e.Expected(m)) {
			if math.Abs(r.Deviation.Value) > 4 {
				t.Errorf("%s: %s is %v; want %v", line, r.Name, r.Measured.Value, r.Expected.Value)
			}
		}
	}
}

// The delays have the expected distribution. The largest distance of two distribution
// functions is above c/sqrt(n) with a probability of at most 2 e^(-2 c^2) (Dvoretzky, Kiefer,
// Wolfowitz; Massart 1990), which is 7e-6 for c = 2.5. Correlated samples have a smaller
// effective number.
func TestDistributionsOfDelays(t *testing.T) {
	const c = 2.5
	// Every fiftieth delay is looked at; between two of them the functions rise by
	// 1/2000.
	for _, line := range []string{
		"delay 20ms 5ms", "delay 5ms 9ms", "delay 20ms 5ms distribution normal", "delay 20ms 5ms distribution pareto",
		"delay 20ms 5ms distribution paretonormal", "delay 20ms 5ms distribution exponential", "delay 20ms 5ms distribution lognormal",
		"delay 20ms 30ms distribution weibull", "delay 20ms 25ms distribution gamma", "delay trace rtt.txt",
		"delay 20ms 12ms 50% distribution gamma", "delay 20ms 5ms 50%", "delay 20ms 5ms 50% distribution pareto",
		"delay 5ms 2ms distribution normal reorder 20%", "delay mix(50% 1ms,20% uniform(1ms,9ms),30% exp(5ms))",
	} {
		for mode, name := range impair.Modes {
			e, m := trial(t, line, impair.Mode(mode), samples)
			x := e.Expected(m)
			room := c/math.Sqrt(samples) + 1.0/2000
			if expected(t, line, impair.Mode(mode)).Delay.Lag1.Value > 0 {
				room *= math.Sqrt(3) // (1+0.5)/(1-0.5)
			}
			worst := 0.0
			for i := 0; i < len(m.Delays); i += 1 + len(m.Delays)/2000 {
				for i+1 < len(m.Delays) && m.Delays[i+1] == m.Delays[i] {
					i++
				}
				want, ok := x.Delay.Below(m.Delays[i])
				if !ok {
					t.Fatalf("%s, %s: the distribution is unknown", line, name)
				}
				worst = max(worst, math.Abs(float64(i+1)/float64(len(m.Delays))-want))
			}
			if worst > room {
				t.Errorf("%s, %s: the distribution is off by %v; allowed are %v", line, name, worst, room)
			}
		}
	}
}

// The lengths of bursts have the expected distribution by a chi-square of the first few
// lengths and the rest.
func TestDistributionOfBursts(t *testing.T) {
	for _, line := range []string{"loss 20%", "loss 20% 60%", "loss gemodel 2% 20% 80% 1%", "loss state 5% 20% 10% 50% 1%", "loss time 100ms 60ms", "loss burst 5% 4"} {
		e, m := trial(t, line, impair.Exact, samples)
		x := e.Expected(m)
		total := 0
		for _, k := range m.Bursts {
			total += k
		}
		chi, seen, covered := 0.0, 0, 0.0
		const classes = 6
		for i := range classes {
			want := x.Bursts[i] * float64(total)
			chi += (float64(m.Bursts[i]) - want) * (float64(m.Bursts[i]) - want) / want
			seen += m.Bursts[i]
			covered += x.Bursts[i]
		}
		if want := (1 - covered) * float64(total); want > 5 {
			chi += (float64(total-seen) - want) * (float64(total-seen) - want) / want
		}
		if chi > 27.9 { // 6 degrees of freedom, probability 1e-4
			t.Errorf("%s: the lengths of bursts have a chi-square of %.1f", line, chi)
		}
		if sum := covered + sumOf(x.Bursts[classes:]); math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: the expected lengths have the sum %v", line, sum)
		}
	}
}

func sumOf(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum
}

// Chains start from their stationary distribution: the first message is lost as often as any
// other.
func TestChainsStartStationary(t *testing.T) {
	const n = 20_000
	for _, c := range []struct {
		line string
		rate float64
	}{
		{"loss 20% 90%", 0.2}, {"loss gemodel 1% 10%", 1.0 / 11}, {"loss burst 10% 20", 0.1}, {"loss time 30ms 10ms", 0.25},
		{"loss state 1% 20% 5% 50% 1%", 0.0563380281}, {"loss state 5% 0% 5% 5%", 0.5}, {"loss state 10% 5% 20% 0%", 0}, {"loss state 10% 50% 0% 0%", 1.0 / 6},
	} {
		lost, l := 0, parse(t, c.line)
		for i := range uint64(n) {
			channel := impair.RulesOf(l, impair.Exact, false).NewChannel(des.NewStream(i, "link"), 0)
			lost += offer(channel, 0, 0, 128, 0).Lost
		}
		stderr := math.Sqrt(c.rate * (1 - c.rate) / n)
		if got := float64(lost) / n; math.Abs(got-c.rate) > 4*stderr {
			t.Errorf("%s: the first message is lost with probability %v; want %v", c.line, got, c.rate)
		}
	}
	// A duration is far from stationary as well: of the second of two messages
	// nothing is known a long time after the first.
	lost, l := [2][2]int{}, parse(t, "loss time 30s 10s")
	for i := range uint64(n) {
		channel := impair.RulesOf(l, impair.Exact, false).NewChannel(des.NewStream(i, "link"), 0)
		first := offer(channel, 0, 0, 128, 0).Lost
		lost[first][offer(channel, des.Time(time.Hour), 0, 128, 0).Lost]++
	}
	for first, second := range lost {
		sum := float64(second[0] + second[1])
		if got := float64(second[1]) / sum; math.Abs(got-0.25) > 4*math.Sqrt(0.25*0.75/sum) {
			t.Errorf("an hour after a message of fate %d the next is lost with probability %v", first, got)
		}
	}
}

// A message that Linux duplicates and loses is one message. Under Exact its copies are lost
// independently.
func TestDuplicatesAndLoss(t *testing.T) {
	for _, c := range []struct {
		mode impair.Mode
		want [3]float64 // of none, one, two copies arriving
	}{
		{impair.Exact, [3]float64{0.04, 0.32, 0.64}},
		{impair.Compat, [3]float64{0, 0.36, 0.64}},
	} {
		const n = 50_000
		var got [3]float64
		for _, f := range fates(parse(t, "duplicate 100% loss 20%"), c.mode, n) {
			got[f.N]++
		}
		for i, p := range c.want {
			if math.Abs(got[i]/n-p) > 4*math.Sqrt(p*(1-p)/n) {
				t.Errorf("%v: %d copies arrive with probability %v; want %v", c.mode, i, got[i]/n, p)
			}
		}
	}
	e, m := trial(t, "duplicate 30% loss 20%", impair.Compat, samples)
	if x := e.Expected(m).LossRate; !x.Known || math.Abs(m.LossRate-x.Value) > 0.005 {
		t.Errorf("compat loses %v; want %v", m.LossRate, x)
	}
}

// The second copy of a message has the same past as the first: the same distribution, and the
// same correlation with the message before.
func TestSecondCopies(t *testing.T) {
	const n = 50_000
	var before, first, second []float64
	last := 0.0
	for _, f := range fates(parse(t, "delay 20ms 5ms 80% duplicate 100%"), impair.Exact, n) {
		at := float64(len(before)) * 1e6
		a, b := float64(f.Copies[0].At)-at, float64(f.Copies[1].At)-at
		before, first, second = append(before, last), append(first, a), append(second, b)
		last = a
	}
	correlation := func(x, y []float64) float64 {
		mx, my := sumOf(x)/n, sumOf(y)/n
		var xx, yy, xy float64
		for i := range x {
			xx += (x[i] - mx) * (x[i] - mx)
			yy += (y[i] - my) * (y[i] - my)
			xy += (x[i] - mx) * (y[i] - my)
		}
		return xy / math.Sqrt(xx*yy)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"the first copy with the message before", correlation(before, first), 0.8},
		{"the second copy with the message before", correlation(before, second), 0.8},
	} {
		if math.Abs(c.got-c.want) > 0.01 {
			t.Errorf("%s has the correlation %v; want %v", c.what, c.got, c.want)
		}
	}
	if c := correlation(first, second); c < 0.5 || c > 0.8 {
		t.Errorf("the copies have the correlation %v; want about 0.64", c)
	}
}

// A trace is replayed in its order. Each channel begins at a place of its own.
func TestTrace(t *testing.T) {
	l := parse(t, "delay trace rtt.txt")
	starts := map[des.Time]int{}
	for i := range uint64(300) {
		c := impair.RulesOf(l, impair.Exact, false).NewChannel(des.NewStream(i, "link"), 0)
		var got [4]des.Time
		for k := range got {
			got[k] = offer(c, 0, 0, 128, 0).Copies[0].At
		}
		starts[got[0]]++
		order := []des.Time{1e6, 2.5e6, 0.4e6}
		at := slices.Index(order, got[0])
		for k := range got {
			if got[k] != order[(at+k)%3] {
				t.Fatalf("the delays are %v", got)
			}
		}
	}
	for d, n := range starts {
		if n < 60 || n > 140 {
			t.Errorf("%d of 300 channels start with %v", n, d)
		}
	}
}

// Quantities without a theory are unknown.
func TestUnknown(t *testing.T) {
	for _, line := range []string{"rate 1mbit", "slot 5ms", "delay 5ms rate 1mbit", "delay 10ms reorder 20% 30% gap 3"} {
		if x := expected(t, line, impair.Exact); x.Delay.Mean.Known || x.Delay.P99.Known {
			t.Errorf("%s: the delay is known as %+v", line, x.Delay)
		}
	}
	if x := expected(t, "loss time 1s 1s", impair.Exact); x.MeanBurst.Known || !x.LossRate.Known {
		t.Errorf("without a time between messages: %+v", x)
	}
	if x := expected(t, "delay exp(1ms)", impair.Exact).Delay; x.Max.Known || !x.Min.Known {
		t.Errorf("exp has a maximum: %+v", x)
	}
	e, m := trial(t, "rate 1mbit limit 1 loss 10%", impair.Exact, 100)
	if x := e.Expected(m); !x.LossRate.Known || m.Overflow > 0 {
		t.Errorf("a queue that was never full: %+v, %d lost there", x, m.Overflow)
	}
	e.Bits = 1_000_000
	m = e.Sample()
	if x := e.Expected(m); x.LossRate.Known || m.Overflow == 0 {
		t.Errorf("a queue that was full: %+v, %d lost there", x, m.Overflow)
	}
	e, m = trial(t, "delay 20ms 15ms", impair.Exact, 1000)
	e.FIFO = true
	if x := e.Expected(m); x.Delay.Mean.Known {
		t.Errorf("where messages wait for others: %+v", x.Delay)
	}
}

// Fates are computed in integers, so they are the same on every machine. testdata/fates.txt has
// the first fates of each line, and a hash of all.
func TestFatesAreTheSameOnEveryMachine(t *testing.T) {
	var all strings.Builder
	for _, text := range lines {
		for mode, name := range impair.Modes {
			first, hash := fatesText(parse(t, text), impair.Mode(mode))
			fmt.Fprintf(&all, "%s, %s: %s, ... 500 messages hash to %016x\n", text, name, first, hash)
		}
	}
	golden.Check(t, "fates.txt", []byte(all.String()))
}

// fatesText sends 500 messages over a link. It returns the fates of the first six in words,
// each message with the times from its sending to its arrivals, and a hash of all fates.
func fatesText(l *impair.Line, mode impair.Mode) (first string, hash uint64) {
	h := fnv.New64a()
	add := func(x uint64) { h.Write(binary.LittleEndian.AppendUint64(nil, x)) }
	fate := make([]string, 500)
	arrives := func(i uint32, c impair.Copy) {
		fate[i] += fmt.Sprint(" +", c.At.Sub(sentAt(i)))
		if c.Corrupt != 0 {
			fate[i] += " corrupt"
		}
	}
	c := impair.RulesOf(l, mode, false).NewChannel(des.NewStream(5, "link"), 0)
	for i := range uint32(len(fate)) {
		now := sentAt(i)
		f := offer(c, now, 0, 1000, i)
		add(uint64(f.N<<16 | f.Lost<<8 | f.Queued))
		if f.Lost > 0 {
			fate[i] += fmt.Sprintf(" lost %d", f.Lost)
		}
		for _, k := range f.Copies[:f.N] {
			add(uint64(k.At))
			add(k.Corrupt)
			arrives(i, k)
		}
		for token, k, ok := c.Serve(now); ok; token, k, ok = c.Serve(now) {
			add(uint64(token))
			add(k.Corrupt)
			arrives(token, k)
		}
	}
	return strings.TrimSpace(strings.Join(fate[:6], ",")), h.Sum64()
}

func sentAt(i uint32) des.Time { return des.Time(i) * 3_000_001 }
