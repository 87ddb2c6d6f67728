package impair

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"bullring/des"
	"bullring/internal/suggest"
)

// delay is the delay clause.
type delay struct {
	kind        delayKind
	law         des.Distribution // under Exact, nil without a delay
	spread      *spread          // of a spreadDelay
	correlation des.Probability  // of a spreadDelay
	trace       *trace           // of a traceDelay
}

type delayKind uint8

const (
	noDelay     delayKind = iota
	plainDelay            // a constant, or an expression that package des reads
	spreadDelay           // a time, a jitter and a shape
	traceDelay            // measured delays
)

func parseDelay(l *Line, w *words) (err error) {
	l.delay = delay{kind: plainDelay}
	d := &l.delay
	if w.take("trace") {
		d.kind = traceDelay
		if d.trace, err = parseTrace(w); err == nil {
			d.law = d.trace
		}
		return err
	}
	if len(w.list) > 0 && strings.Contains(w.list[0].text, "(") {
		return d.parseExpression(w)
	}
	mean, err := w.duration("time")
	if err != nil {
		return err
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
	return d.parseShape(w, mean, jitter)
}

func (d *delay) parseExpression(w *words) (err error) {
	d.law, err = value(w, "distribution", func(text string) (des.Distribution, string) {
		law, err := des.ParseDistribution(text)
		if err != nil {
			return nil, err.Error()
		}
		return law, ""
	})
	if err == nil && w.number() {
		return w.fail(w.list[0], "cannot follow an expression; jitter and correlation follow a time, as in delay 20ms 5ms 25%%")
	}
	return err
}

// parseShape reads the name of the distribution, if there is one. A negative jitter means
// that none was given.
func (d *delay) parseShape(w *words, mean, jitter time.Duration) (err error) {
	at := word{text: "uniform"}
	if w.take("distribution") {
		if at, err = w.next("the name of a distribution"); err != nil {
			return err
		}
		switch shape := findShape(at.text); {
		case at.text == "constant" && jitter >= 0:
			return w.fail(at, "takes no jitter")
		case at.text == "constant":
			return nil
		case jitter < 0 && (shape != nil || at.text == "table"):
			return w.fail(at, "needs a jitter after the time, as in delay 20ms 5ms distribution %s", at.text)
		}
	}
	s, err := parseSpread(w, at, mean, max(jitter, 0))
	if err != nil {
		return err
	}
	if jitter <= 0 { // then the delay is constant, whatever its shape
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
		return "delay " + d.trace.String()
	case spreadDelay:
		text := fmt.Sprintf("delay %v %v", d.spread.mean, d.spread.jitter)
		if d.correlation > 0 {
			text += " " + d.correlation.String()
		}
		if d.spread.shape != "uniform" {
			text += " distribution " + d.spread.shape
		}
		return text
	default:
		return "delay " + d.law.String()
	}
}

// spread is a time, a jitter and a shape.
type spread struct {
	shape        string // as it is printed
	mean, jitter time.Duration
	law          des.Distribution // under Exact
	table        func() []int16   // under Compat, nil for uniform
}

// shape is a distribution that takes a jitter.
type shape struct {
	name  string
	law   func(mean, jitter time.Duration) (des.Distribution, error)
	table func() []int16 // that Linux brings along, nil if it does not
}

// shapes are in the order in which errors list them.
var shapes = []shape{
	{"uniform", sure(newUniform), nil},
	{"normal", sure(des.Normal), tableOf("normal")},
	{"pareto", sure(des.Pareto), tableOf("pareto")},
	{"paretonormal", sure(des.ParetoNormal), tableOf("paretonormal")},
	{"exponential", sure(des.ShiftedExponential), nil},
	{"lognormal", des.LogNormal, nil},
	{"weibull", des.Weibull, nil},
	{"gamma", des.Gamma, nil},
}

func findShape(name string) *shape {
	for i := range shapes {
		if shapes[i].name == name {
			return &shapes[i]
		}
	}
	return nil
}

func sure(f func(a, b time.Duration) des.Distribution) func(a, b time.Duration) (des.Distribution, error) {
	return func(a, b time.Duration) (des.Distribution, error) { return f(a, b), nil }
}

// parseSpread makes the spread of a shape whose name, at, has been read.
func parseSpread(w *words, at word, mean, jitter time.Duration) (*spread, error) {
	s := &spread{shape: at.text, mean: mean, jitter: jitter}
	if at.text == "table" {
		return s, s.parseTable(w)
	}
	shape := findShape(at.text)
	if shape == nil {
		var names []string
		for _, k := range shapes {
			names = append(names, k.name)
		}
		names = append(names, "constant")
		return nil, w.fail(at, "is not a distribution%s; allowed are %s, or table FILE", suggest.DidYouMean(at.text, names), strings.Join(names, ", "))
	}
	var err error
	if s.law, err = shape.law(mean, jitter); err != nil {
		return nil, w.fail(at, "does not fit these times: %v", err)
	}
	s.table = shape.table
	if s.table == nil && shape.name != "uniform" {
		s.table = s.quantileTable()
	}
	return s, nil
}

// cutUniform is the uniform distribution over mean-jitter to mean+jitter, with 0 in place
// of the durations below 0.
type cutUniform struct {
	mean, jitter time.Duration
}

func newUniform(mean, jitter time.Duration) des.Distribution {
	if jitter <= mean {
		return des.Uniform(mean-jitter, mean+jitter)
	}
	return cutUniform{mean, jitter}
}

func (c cutUniform) Sample(r uint64) time.Duration {
	k, _ := bits.Mul64(r, uint64(2*c.jitter)+1) // as des.Uniform
	return max(0, c.mean-c.jitter+time.Duration(k))
}

func (c cutUniform) Quantile(u uint64) time.Duration { return c.Sample(u) }

// Mean is the sum of the durations above 0, divided by the number of all, 2 jitter + 1.
func (c cutUniform) Mean() time.Duration {
	top := float64(c.mean + c.jitter)
	return time.Duration(float64(top*(top+1))/2/(2*float64(c.jitter)+1) + 0.5)
}

func (c cutUniform) Bounds() (lo, hi time.Duration, bounded bool) { return 0, c.mean + c.jitter, true }

func (c cutUniform) String() string { return fmt.Sprintf("%v %v", c.mean, c.jitter) }
