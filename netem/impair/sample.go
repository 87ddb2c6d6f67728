package impair

import (
	"math"
	"slices"
	"time"

	"bullring/des"
)

// Trial sends messages over one link, one each interval.
type Trial struct {
	Line     *Line
	Mode     Mode
	Samples  int
	Interval time.Duration
	Bits     int // of a message
	FIFO     bool
	Seed     uint64
}

// Measurement is the result of a trial. Lost, Overflow, Corrupted and Reordered count copies,
// Sent and Duplicated count messages.
type Measurement struct {
	Sent, Lost, Overflow, Duplicated, Corrupted, Reordered int

	LossRate      float64 // copies lost, over all copies
	MeanBurst     Number  // mean length of a burst of losses; unknown without one
	DuplicateRate float64
	CorruptRate   float64     // over the copies not lost
	Delay         DelayValues // unknown if nothing arrived

	Delays []time.Duration // of all copies that arrived, ascending
	Bursts []int           // the numbers of bursts of length 1, 2, ...

	lag1Error float64 // the standard error of Delay.Lag1, 0 if unknown
}

// Sample carries out the trial. Its result is the same each time, on every machine.
func (t *Trial) Sample() *Measurement {
	s := sampler{
		trial:   t,
		channel: RulesOf(t.Line, t.Mode, t.FIFO).NewChannel(des.NewStream(t.Seed, "link"), 0),
		first:   make([]time.Duration, t.Samples),
	}
	for i := range t.Samples {
		s.send(i)
	}
	s.serve(des.MaxTime)
	s.finish()
	return &s.m
}

// sampler is a trial under way.
type sampler struct {
	trial   *Trial
	channel *Channel
	fate    Fate
	m       Measurement
	first   []time.Duration // the delay of a copy of each message, -1 if none arrived
	burst   int
}

func (s *sampler) send(i int) {
	now := des.Time(i) * des.Time(s.trial.Interval)
	s.serve(now)
	fate := &s.fate
	s.channel.Offer(fate, now, 0, s.trial.Bits, uint32(i))
	s.m.Sent++
	s.m.Lost += fate.Lost
	s.m.Overflow += fate.Overflow
	if fate.Duplicated {
		s.m.Duplicated++
	}
	s.first[i] = -1
	for _, c := range fate.Copies[:fate.N] {
		s.arrive(i, c)
	}
	if fate.N+fate.Queued == 0 {
		s.burst++
	} else {
		s.endBurst()
	}
}

// serve takes the copies that leave in slots until then.
func (s *sampler) serve(until des.Time) {
	for {
		t, ok := s.channel.Next()
		if !ok || t > until {
			return
		}
		for {
			token, c, ok := s.channel.Serve(t)
			if !ok {
				break
			}
			s.arrive(int(token), c)
		}
	}
}

func (s *sampler) arrive(i int, c Copy) {
	delay := c.At.Sub(des.Time(i) * des.Time(s.trial.Interval))
	s.m.Delays = append(s.m.Delays, delay)
	if s.first[i] < 0 {
		s.first[i] = delay
	}
	if c.Corrupt != 0 {
		s.m.Corrupted++
	}
	if c.Overtook {
		s.m.Reordered++
	}
}

func (s *sampler) endBurst() {
	if s.burst == 0 {
		return
	}
	for len(s.m.Bursts) < s.burst {
		s.m.Bursts = append(s.m.Bursts, 0)
	}
	s.m.Bursts[s.burst-1]++
	s.burst = 0
}

// finish computes the rates. A burst at the end counts.
func (s *sampler) finish() {
	s.endBurst()
	m := &s.m
	slices.Sort(m.Delays)
	m.LossRate = float64(m.Lost) / float64(m.Sent+m.Duplicated)
	m.DuplicateRate = float64(m.Duplicated) / float64(m.Sent)
	if len(m.Delays) > 0 {
		m.CorruptRate = float64(m.Corrupted) / float64(len(m.Delays))
		m.Delay.measure(m.Delays)
		m.Delay.Lag1, m.lag1Error = lag1(s.first), lag1Error(s.first)
	}
	bursts, lost := 0, 0
	for i, n := range m.Bursts {
		bursts += n
		lost += n * (i + 1)
	}
	if bursts > 0 {
		m.MeanBurst = known(float64(lost) / float64(bursts))
	}
}

func (d *DelayValues) measure(ordered []time.Duration) {
	n := float64(len(ordered))
	var sum, squares float64 // of distances from the least delay, for precision
	for _, x := range ordered {
		sum += (x - ordered[0]).Seconds()
	}
	for _, x := range ordered {
		d := (x - ordered[0]).Seconds() - sum/n
		squares += d * d
	}
	at := func(p float64) Number { // the least delay that a fraction p does not exceed
		return known(ordered[max(0, int(math.Ceil(p*n))-1)].Seconds())
	}
	d.Mean, d.SD = known(ordered[0].Seconds()+sum/n), known(math.Sqrt(squares/n))
	d.Min, d.P50, d.P99, d.Max = at(0), at(0.5), at(0.99), at(1)
}

// lag1 is the correlation of neighbours, unknown without neighbours or without variance.
func lag1(delays []time.Duration) Number {
	var n, sumX, sumY, squaresX, squaresY, products float64
	center := 0.0 // the sums are of distances from it, for precision
	for i := 1; i < len(delays); i++ {
		if delays[i-1] < 0 || delays[i] < 0 {
			continue
		}
		if n == 0 {
			center = delays[i].Seconds()
		}
		x, y := delays[i-1].Seconds()-center, delays[i].Seconds()-center
		n++
		sumX += x
		sumY += y
		squaresX += x * x
		squaresY += y * y
		products += x * y
	}
	varX, varY := n*squaresX-sumX*sumX, n*squaresY-sumY*sumY
	if n < 2 || varX <= 0 || varY <= 0 {
		return Number{}
	}
	return known((n*products - sumX*sumY) / math.Sqrt(varX*varY))
}

// lag1Error is the standard error of the correlation of neighbours, estimated from parts of
// the sequence. A formula would need fourth moments, which heavy tails do not have.
func lag1Error(delays []time.Duration) float64 {
	const parts, least = 50, 100
	size := len(delays) / parts
	if size < least {
		return 0
	}
	var sum, squares float64
	for i := range parts {
		r := lag1(delays[i*size : (i+1)*size])
		if !r.Known {
			return 0
		}
		sum += r.Value
		squares += r.Value * r.Value
	}
	return standardError(parts, sum, squares)
}

// standardError is that of the mean of n values with this sum and this sum of squares.
func standardError(n, sum, squares float64) float64 {
	return math.Sqrt((squares-sum*sum/n)/(n-1)) / math.Sqrt(n)
}

// Expected is the theory of the trial. It leaves out what does not hold on a link that keeps
// the order, or after a queue was full in the measurement. An interval of 0 means that the
// time between messages is unknown.
func (t *Trial) Expected(m *Measurement) *Expectation {
	e := t.Line.expected(t.Mode, t.Interval)
	lo, hi, bounded := t.Line.delay.bounds(t.Mode)
	if overtakes := !bounded || hi-lo > t.Interval; t.FIFO && overtakes || t.FIFO && t.Line.Reorders() {
		e.Delay = DelayExpectation{}
	}
	if m.Overflow > 0 {
		*e = Expectation{DuplicateRate: e.DuplicateRate, duplicateVariance: e.duplicateVariance}
	}
	return e
}

// Comparison is a measured quantity and the expected one.
type Comparison struct {
	Name               string
	Measured, Expected Number
	// Deviation is their difference in standard errors of the measurement.
	Deviation Number
}

// Compare compares the measured quantities with the expected ones, in the order of the fields
// of a measurement.
func (m *Measurement) Compare(e *Expectation) []Comparison {
	sent, arrived := float64(m.Sent), float64(len(m.Delays))
	d, x := &m.Delay, &e.Delay
	// With a heavy tail the sample does not tell the error of a second moment.
	const heavy = 100
	second := 1.0 // 0 if such errors are unknown
	if x.kurtosis > heavy {
		second = 0
	}
	return []Comparison{
		compare("loss rate", known(m.LossRate), e.LossRate, math.Sqrt(e.lossVariance/sent)),
		compare("mean burst", m.MeanBurst, e.MeanBurst, m.burstError()),
		compare("duplicate rate", known(m.DuplicateRate), e.DuplicateRate, math.Sqrt(e.duplicateVariance/sent)),
		compare("corrupt rate", Number{m.CorruptRate, arrived > 0}, e.CorruptRate, math.Sqrt(e.corruptVariance/arrived)),
		compare("delay mean", d.Mean, x.Mean, x.SD.Value*math.Sqrt(x.spread/arrived)),
		compare("delay sd", d.SD, x.SD, second*x.SD.Value*math.Sqrt((x.kurtosis-1)/4*x.spread/arrived)),
		compare("delay min", d.Min, x.Min, 0),
		m.compareQuantile("delay p50", 0.5, d.P50, x.P50, x),
		m.compareQuantile("delay p99", 0.99, d.P99, x.P99, x),
		compare("delay max", d.Max, x.Max, 0),
		compare("delay lag1", d.Lag1, x.Lag1, m.lag1Error*second),
	}
}

func compare(name string, measured, expected Number, standardError float64) Comparison {
	c := Comparison{Name: name, Measured: measured, Expected: expected}
	if measured.Known && expected.Known && standardError > 0 && !math.IsInf(standardError, 0) {
		c.Deviation = known((measured.Value - expected.Value) / standardError)
	}
	return c
}

// compareQuantile takes as the deviation that of the share of delays up to the expected
// quantile.
func (m *Measurement) compareQuantile(name string, p float64, measured, expected Number, x *DelayExpectation) Comparison {
	c := compare(name, measured, expected, 0)
	if !measured.Known || !expected.Known || x.spread == 0 {
		return c
	}
	at := time.Duration(math.Round(expected.Value * 1e9))
	share, _ := x.Below(at)
	if share <= 0 || share >= 1-1e-12 {
		return c
	}
	n := float64(len(m.Delays))
	below, _ := slices.BinarySearchFunc(m.Delays, at, func(d, t time.Duration) int {
		if d <= t {
			return -1
		}
		return 1
	})
	// If the share is too small, the quantile is too large.
	c.Deviation = known((share - float64(below)/n) / math.Sqrt(share*(1-share)/n*x.spread))
	return c
}

// burstError is the standard error of the mean burst, estimated from the bursts.
func (m *Measurement) burstError() float64 {
	var n, sum, squares float64
	for i, k := range m.Bursts {
		length := float64(i + 1)
		n += float64(k)
		sum += float64(k) * length
		squares += float64(k) * length * length
	}
	if n < 2 {
		return 0
	}
	return standardError(n, sum, squares)
}
