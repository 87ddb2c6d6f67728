package impair

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"bullring/des"
	"bullring/internal/suggest"
)

// delay is the delay clause. law is the distribution of the delays under Exact,
// whatever their kind; nil without a delay.
type delay struct {
	kind        delayKind
	law         des.Distribution
	spread      *spread         // of a spreadDelay
	correlation des.Probability // of a spreadDelay
	trace       *trace          // of a traceDelay
}

type delayKind uint8

const (
	noDelay     delayKind = iota
	plainDelay            // a distribution of des: a constant or an expression
	spreadDelay           // netem's: a time, a jitter and a shape
	traceDelay            // measured
)

func parseDelay(l *Line, w *words, read func(string) ([]byte, error)) (err error) {
	l.delay = delay{kind: plainDelay}
	d := &l.delay
	if w.take("trace") {
		d.kind = traceDelay
		if d.trace, err = parseTrace(w, read); err == nil {
			d.law = d.trace
		}
		return err
	}
	at, err := w.next("a time")
	if err != nil {
		return err
	}
	mean, reason := parseTime(at.text)
	if strings.Contains(at.text, "(") {
		if d.law, err = des.ParseDistribution(at.text); err != nil {
			return w.fail(at, "is no distribution: %v", err)
		}
		if w.number() {
			return w.fail(w.list[0], "is too much behind an expression; jitter and correlation go with a time, as in delay 20ms 5ms 25%%")
		}
		return nil
	}
	if reason != "" {
		return w.fail(at, "is no time: %s", reason)
	}
	d.law = des.Constant(mean)
	jitter := time.Duration(-1)
	if w.number() {
		if jitter, err = w.duration("jitter"); err != nil {
			return err
		}
	}
	if w.number() {
		if d.correlation, err = w.probability("correlation"); err != nil {
			return err
		}
	}
	return d.shape(w, read, mean, jitter)
}

// shape reads the name of the distribution, if there is one, and settles what
// the delay is. Without a jitter it is negative.
func (d *delay) shape(w *words, read func(string) ([]byte, error), mean, jitter time.Duration) error {
	at := word{text: "uniform"}
	var err error
	named := w.take("distribution")
	if named {
		if at, err = w.next("the name of a distribution"); err != nil {
			return err
		}
	}
	switch {
	case at.text == "constant" && jitter >= 0:
		return w.fail(at, "takes no jitter")
	case at.text == "constant":
		return nil
	case named && jitter < 0 && (at.text == "table" || shapes[at.text] != nil):
		return w.fail(at, "wants a jitter behind the time, as in delay 20ms 5ms distribution %s", at.text)
	}
	s, err := parseSpread(w, read, at, mean, max(jitter, 0))
	if err != nil {
		return err
	}
	if jitter <= 0 { // whatever the shape, the delay is constant
		d.correlation = 0
		return nil
	}
	d.kind, d.spread, d.law = spreadDelay, s, s.law
	return nil
}

func printDelay(l *Line) string {
	switch d := &l.delay; d.kind {
	case noDelay:
		return ""
	case traceDelay:
		return "delay trace " + d.trace.name.String()
	case spreadDelay:
		text := fmt.Sprintf("delay %v %v", d.spread.mean, d.spread.jitter)
		if d.correlation > 0 {
			text += " " + d.correlation.String()
		}
		if name := d.spread.shape(); name != "uniform" {
			text += " distribution " + name
		}
		return text
	default:
		return "delay " + d.law.String()
	}
}

// spread is a time, a jitter and a shape: the delay of netem.
type spread struct {
	name         string
	file         fileName // of the name "table"
	mean, jitter time.Duration
	law          des.Distribution // under Exact
	netem        func() []int16   // the table under Compat, nil for uniform
}

func (s *spread) shape() string {
	if s.name == "table" {
		return "table " + s.file.String()
	}
	return s.name
}

// shapes are the names of distributions with a jitter.
var shapes = map[string]func(mean, jitter time.Duration) (des.Distribution, error){
	"uniform":      sure(newEven),
	"normal":       sure(des.Normal),
	"pareto":       sure(des.Pareto),
	"paretonormal": sure(des.ParetoNormal),
	"exponential":  sure(des.ShiftedExponential),
	"lognormal":    des.LogNormal,
	"weibull":      des.Weibull,
	"gamma":        des.Gamma,
}

// shapeNames are in the order in which errors list them.
var shapeNames = []string{"uniform", "normal", "pareto", "paretonormal", "exponential", "lognormal", "weibull", "gamma", "constant"}

func sure(f func(a, b time.Duration) des.Distribution) func(a, b time.Duration) (des.Distribution, error) {
	return func(a, b time.Duration) (des.Distribution, error) { return f(a, b), nil }
}

// parseSpread settles a time, a jitter and a shape, whose name has been read.
func parseSpread(w *words, read func(string) ([]byte, error), at word, mean, jitter time.Duration) (*spread, error) {
	s := &spread{name: at.text, mean: mean, jitter: jitter}
	if at.text == "table" {
		t, err := parseTable(w, read)
		if err != nil {
			return nil, err
		}
		s.file, s.netem = t.name, func() []int16 { return t.entries }
		s.law = &tableLaw{t, mean, jitter}
		return s, nil
	}
	law, ok := shapes[at.text]
	if !ok {
		return nil, w.fail(at, "is no distribution%s; allowed are %s, or table FILE", suggest.DidYouMean(at.text, shapeNames), strings.Join(shapeNames, ", "))
	}
	var err error
	if s.law, err = law(mean, jitter); err != nil {
		return nil, w.fail(at, "does not go with these times: %v", err)
	}
	s.netem = netemTable(at.text, s)
	return s, nil
}

// even is the uniform distribution over mean-jitter to mean+jitter where that
// goes below 0: what is below is 0.
type even struct {
	mean, jitter time.Duration
}

func newEven(mean, jitter time.Duration) des.Distribution {
	if jitter <= mean {
		return des.Uniform(mean-jitter, mean+jitter)
	}
	return even{mean, jitter}
}

func (e even) Sample(r uint64) time.Duration {
	k, _ := bits.Mul64(r, uint64(2*e.jitter)+1) // as des.Uniform
	return max(0, e.mean-e.jitter+time.Duration(k))
}

func (e even) Quantile(u uint64) time.Duration { return e.Sample(u) }

// Mean is the sum of what is above 0, over all 2 jitter + 1 values.
func (e even) Mean() time.Duration {
	top := float64(e.mean + e.jitter)
	return time.Duration(float64(top*(top+1))/2/(2*float64(e.jitter)+1) + 0.5)
}

func (e even) Bounds() (lo, hi time.Duration, bounded bool) { return 0, e.mean + e.jitter, true }

func (e even) String() string { return fmt.Sprintf("%v %v", e.mean, e.jitter) }
