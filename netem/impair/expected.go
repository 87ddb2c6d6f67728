package impair

import (
	"encoding/json"
	"math"
	"time"

	"bullring/des"
)

// Number is a value that may be unknown.
type Number struct {
	Value float64
	Known bool
}

func known(v float64) Number { return Number{v, true} }

// MarshalJSON implements json.Marshaler: an unknown number is null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known {
		return []byte("null"), nil
	}
	return json.Marshal(n.Value)
}

// Expectation is the theory of a line, for messages that are sent one at a time while no
// queue is full. A quantity for which there is no theory is unknown.
type Expectation struct {
	LossRate      Number // copies lost, over all copies
	MeanBurst     Number // mean length of a burst: messages lost in succession
	DuplicateRate Number // messages duplicated, over all messages
	CorruptRate   Number // copies corrupt, over the copies not lost
	Reordered     Number // copies that overtake one sent before
	Delay         DelayExpectation

	// Bursts are the probabilities of bursts of length 1, 2, ..., until the rest is
	// negligible; nil if unknown.
	Bursts []float64

	// The variances of the rates, times the number of messages; 0 if unknown.
	lossVariance, duplicateVariance, corruptVariance float64
}

// DelayValues describe delays, in seconds. Lag1 is the correlation of the delays of two
// messages sent in succession, if both arrive.
type DelayValues struct {
	Mean Number `json:"mean"`
	SD   Number `json:"sd"`
	Min  Number `json:"min"`
	P50  Number `json:"p50"`
	P99  Number `json:"p99"`
	Max  Number `json:"max"`
	Lag1 Number `json:"lag1"`
}

// DelayExpectation is the theory of the delays of the messages that arrive.
type DelayExpectation struct {
	DelayValues

	law      quantiler // nil if the distribution is unknown
	early    float64   // the share of early messages, which have no delay
	kurtosis float64
	spread   float64 // the factor by which correlation enlarges the variance of a mean; 0 if unknown
}

// Counts are expected numbers of messages.
type Counts struct {
	Lost       Number `json:"lost"`
	Overflow   Number `json:"overflow"`
	Duplicated Number `json:"duplicated"`
	Corrupted  Number `json:"corrupted"`
	Reordered  Number `json:"reordered"`
}

// Counts are the expected numbers if so many messages are sent.
func (e *Expectation) Counts(sent int) Counts {
	c := Counts{Overflow: known(0), Reordered: e.Reordered}
	if !e.DuplicateRate.Known {
		return c
	}
	c.Duplicated = known(float64(sent) * e.DuplicateRate.Value)
	copies := float64(sent) + c.Duplicated.Value
	if !e.LossRate.Known { // or because a queue was full
		c.Overflow = Number{}
		return c
	}
	c.Lost = known(copies * e.LossRate.Value)
	if e.CorruptRate.Known {
		c.Corrupted = known((copies - c.Lost.Value) * e.CorruptRate.Value)
	}
	return c
}

// expected is the theory of the line. An interval of 0 means that the time between messages
// is unknown.
func (l *Line) expected(mode Mode, interval time.Duration) *Expectation {
	e := new(Expectation)
	e.DuplicateRate, e.duplicateVariance = l.duplicate.expected(mode)
	e.CorruptRate, e.corruptVariance = l.corrupt.expected(mode)
	l.expectLoss(e, mode, interval)
	l.expectDelay(&e.Delay, mode)
	if lo, hi, bounded := l.Bounds(); bounded && lo == hi && !l.Duplicates() {
		e.Reordered = known(0)
	}
	return e
}

// expected is the share of hits, and the variance of that share in a sample, times its size.
// There is no closed form for the share that Linux's moving average hits.
func (c chance) expected(mode Mode) (Number, float64) {
	p, rho := c.p.Float(), c.correlation.Float()
	if rho == 1 || p == 1 {
		return known(p), 0
	}
	if mode == Compat && rho > 0 && p > 0 {
		return Number{}, 0
	}
	return known(p), p * (1 - p) * (1 + rho) / (1 - rho)
}

// expectLoss fills in the loss.
func (l *Line) expectLoss(e *Expectation, mode Mode, interval time.Duration) {
	s := &l.loss
	switch {
	case s.model == noLoss:
		e.LossRate = known(0)
		return
	case mode == Compat && s.model == randomLoss && s.correlation > 0:
		if !l.Duplicates() {
			e.LossRate, _ = chance{true, s.p[0], s.correlation}.expected(mode)
		}
		return
	}
	c, moves := s.chain(interval)
	rate := c.rate()
	if mode == Compat && l.Duplicates() {
		if s.model == randomLoss { // Linux asks for the second copy only if the first is not lost
			d := e.DuplicateRate.Value
			e.LossRate = Number{(rate + d*(1-rate)*rate) / (1 + d), e.DuplicateRate.Known}
		}
		return
	}
	e.LossRate = known(rate)
	if !moves || l.Duplicates() {
		return
	}
	e.lossVariance = c.variance()
	if burst := c.meanBurst(); !math.IsInf(burst, 0) && !math.IsNaN(burst) {
		e.MeanBurst, e.Bursts = known(burst), c.bursts()
	}
}

// expectDelay fills in the delays.
func (l *Line) expectDelay(d *DelayExpectation, mode Mode) {
	early, independent, ok := l.earlyShare(mode)
	law, correlated := l.delay.lawOf(mode)
	if l.rate.bits > 0 || l.slot.given || !ok || law == nil {
		return
	}
	d.law, d.early = law, early
	m := momentsOf(law).mixed(early)
	d.Mean, d.SD, d.kurtosis = known(m.mean), known(m.sd()), m.kurtosis()
	lo, hi, bounded := l.delay.bounds(mode)
	d.Min, d.Max = known(lo.Seconds()), Number{hi.Seconds(), bounded}
	if early > 0 {
		d.Min = known(0)
	}
	d.P50, d.P99 = known(d.quantile(0.5)), known(d.quantile(0.99))
	if !independent {
		return
	}
	if early == 0 || !correlated {
		d.Lag1, d.spread = l.delay.correlations(mode)
	}
	if m.sd() == 0 {
		d.Lag1 = Number{}
	}
}

// earlyShare is the share of early messages. independent tells whether messages are early
// independently of each other, ok whether the share is known.
func (l *Line) earlyShare(mode Mode) (share float64, independent, ok bool) {
	p := l.reorder.p.Float()
	switch {
	case p == 0:
		return 0, true, true
	case l.gap > 1 && l.reorder.correlation > 0:
		return 0, false, false
	case l.gap > 1: // gap-1 messages that are not early, then one that is, after 1/p on average
		return 1 / (float64(l.gap-1) + 1/p), false, true
	}
	rate, _ := l.reorder.expected(mode)
	return rate.Value, l.reorder.correlation == 0, rate.Known
}

// quantile is the delay that a share p of all messages, early ones included, does not exceed.
func (d *DelayExpectation) quantile(p float64) float64 {
	if p <= d.early {
		return 0
	}
	return d.law.Quantile(fraction((p - d.early) / (1 - d.early))).Seconds()
}

// fraction is p in units of 2^-64.
func fraction(p float64) uint64 {
	if p >= 1 {
		return math.MaxUint64
	}
	return uint64(math.Ldexp(max(0, p), 64))
}

// Below is the share of messages whose delay is at most t, if it is known.
func (d *DelayExpectation) Below(t time.Duration) (share float64, ok bool) {
	if d.law == nil {
		return 0, false
	}
	if t < 0 {
		return 0, true
	}
	return d.early + (1-d.early)*shareBelow(d.law, t), true
}

// shareBelow is the share of durations that are at most t.
func shareBelow(law quantiler, t time.Duration) (share float64) {
	if m, ok := law.(*des.Mixture); ok {
		for _, part := range m.Parts() {
			share += part.Share.Float() * shareBelow(part.Law, t)
		}
		return share
	}
	u, some := des.Below(law, t)
	if !some {
		return 0
	}
	return math.Ldexp(float64(u), -64)
}

// quantiler is a distribution of durations by its quantiles.
type quantiler interface {
	Quantile(u uint64) time.Duration
}

// lawOf is the distribution of the delays in a mode, nil if it is unknown. correlated tells
// whether successive delays are.
func (d *delay) lawOf(mode Mode) (law quantiler, correlated bool) {
	switch {
	case d.kind == noDelay:
		return des.Constant(0), false
	case d.kind == traceDelay:
		return d.law, true
	case d.kind != spreadDelay || mode == Exact:
		return d.law, d.correlation > 0
	}
	j := newJitter(d.spread, mode)
	values := 2 * float64(j.sd)
	if j.table != nil {
		values = float64(len(j.table))
	}
	// If the new part of a correlated number spans many times the divisor, the remainder is
	// practically uniform and independent of the number before.
	if d.correlation > 0 && (1-d.correlation.Float())*math.Exp2(32) < 20*values {
		return nil, true
	}
	return linuxLaw(j), false
}

// bounds are those of the delays in a mode.
func (d *delay) bounds(mode Mode) (lo, hi time.Duration, bounded bool) {
	if mode == Compat && d.kind == spreadDelay {
		law := linuxLaw(newJitter(d.spread, mode))
		return law.Quantile(0), law.Quantile(math.MaxUint64), true
	}
	if d.law == nil {
		return 0, 0, true
	}
	return d.law.Bounds()
}

// correlations are the correlation of successive delays, and the factor by which the
// correlations of all delays enlarge the variance of a mean.
func (d *delay) correlations(mode Mode) (lag1 Number, spread float64) {
	switch {
	case d.kind == traceDelay:
		return known(d.trace.lag1()), 0
	case d.kind != spreadDelay || d.correlation == 0 || mode == Compat:
		return known(0), 1
	}
	rho := math.Ldexp(float64(copulaOf(d).rho), -rhoLog)
	if rho == 1 { // one delay for all messages
		return known(1), 0
	}
	spread = 1
	power := 1.0
	for _, share := range hermite(d.law)[1:] {
		power *= rho
		spread += 2 * share * power / (1 - power)
	}
	return known(d.correlation.Float()), spread
}

// linuxLaw is the distribution of the delays of a spread under Compat.
func linuxLaw(j jitter) quantiler {
	if j.table == nil {
		return linuxUniform{j.spread.mean - j.sd, 2 * j.sd}
	}
	return discreteOf(j.spread.mean, j.sd, j.table, "")
}

// linuxUniform is the uniform distribution over values numbers from least on, with 0 in place
// of those below 0.
type linuxUniform struct{ least, values time.Duration }

func (l linuxUniform) Quantile(u uint64) time.Duration {
	return max(0, l.least+des.Uniform(0, l.values-1).Quantile(u))
}

// moments are the mean and the central moments of a distribution, in powers of seconds.
type moments struct {
	mean, second, third, fourth float64
}

func (m moments) sd() float64 { return math.Sqrt(m.second) }

func (m moments) kurtosis() float64 { return m.fourth / (m.second * m.second) }

// mixed are the moments of a mixture with a share of zeros.
func (m moments) mixed(zeros float64) moments {
	if zeros == 0 {
		return m
	}
	return mixture([]float64{1 - zeros, zeros}, []moments{m, {}})
}

// mixture are the moments of a mixture of parts.
func mixture(shares []float64, parts []moments) (m moments) {
	for i, share := range shares {
		m.mean += share * parts[i].mean
	}
	for i, share := range shares {
		part := parts[i]
		d := part.mean - m.mean
		m.second += share * (part.second + d*d)
		m.third += share * (part.third + 3*d*part.second + d*d*d)
		m.fourth += share * (part.fourth + 4*d*part.third + 6*d*d*part.second + d*d*d*d)
	}
	return m
}

// mixtureMoments are the moments of a mixture of package des.
func mixtureMoments(law *des.Mixture) moments {
	var shares []float64
	var parts []moments
	for _, part := range law.Parts() {
		shares, parts = append(shares, part.Share.Float()), append(parts, momentsOf(part.Law))
	}
	return mixture(shares, parts)
}

// momentsOf integrates over the fractions. On a straight line of a table of package des,
// Simpson's rule is exact up to the third power. A discrete distribution has its values
// summed.
func momentsOf(law quantiler) moments {
	if m, ok := law.(*des.Mixture); ok {
		return mixtureMoments(m)
	}
	var weights, values []float64
	add := func(weight float64, u uint64) {
		weights, values = append(weights, weight), append(values, law.Quantile(u).Seconds())
	}
	if d, ok := law.(interface{ atoms() int }); ok {
		n := d.atoms()
		for i := range n {
			add(1/float64(n), fraction((float64(i)+0.5)/float64(n)))
		}
	} else {
		eachCell(func(weight float64, from, middle, to uint64) {
			add(weight/6, from)
			add(weight*4/6, middle)
			add(weight/6, to)
		})
	}
	least := law.Quantile(0).Seconds() // summing the distances from it is exact for a constant
	m := moments{mean: least}
	for i, w := range weights {
		m.mean += w * (values[i] - least)
	}
	for i, w := range weights {
		d := values[i] - m.mean
		m.second += w * d * d
		m.third += w * d * d * d
		m.fourth += w * d * d * d * d
	}
	return m
}

// eachCell calls f for the cells of the tables of package des: 32 octaves towards either end,
// of 64 cells each, and the ends.
func eachCell(f func(weight float64, from, middle, to uint64)) {
	const octaves, cells = 32, 64
	f(math.Exp2(-octaves-1), 0, 0, 0)
	f(math.Exp2(-octaves-1), math.MaxUint64, math.MaxUint64, math.MaxUint64)
	for octave := range octaves {
		width := uint64(1) << (octave + 31 - 6) // the first octave begins at 2^31
		for cell := range uint64(cells) {
			from := uint64(1)<<(octave+31) + cell*width
			f(math.Ldexp(float64(width), -64), from, from+width/2, from+width-1)
			f(math.Ldexp(float64(width), -64), ^from, ^(from + width/2), ^(from + width - 1))
		}
	}
}
