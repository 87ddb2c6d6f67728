package impair

import (
	"strings"
	"time"

	"bullring/des"
)

// Toxic is a toxic of Toxiproxy, as its HTTP API takes it at /proxies/NAME/toxics. It is for a
// proxy before the receiver of a link, to which the sender connects.
type Toxic struct {
	Name       string           `json:"name"`
	Type       string           `json:"type"`
	Stream     string           `json:"stream"`
	Toxicity   float64          `json:"toxicity"` // the share of connections
	Attributes map[string]int64 `json:"attributes"`
}

func newToxic(kind string, attributes map[string]int64) Toxic {
	return Toxic{Name: kind, Type: kind, Stream: "upstream", Toxicity: 1, Attributes: attributes}
}

// Toxics returns the toxics of Toxiproxy 2 for the line, none if it can say nothing. Toxiproxy
// forwards TCP: nothing is lost, duplicated or reordered.
func (l *Line) Toxics() (toxics []Toxic, notes Notes) {
	if toxic, ok := l.latency(&notes); ok {
		toxics = append(toxics, toxic)
	}
	if toxic, ok := l.bandwidth(&notes); ok {
		toxics = append(toxics, toxic)
	}
	for _, c := range clauses {
		text := c.print(l)
		switch {
		case text == "" || c.name == "delay" || c.name == "rate":
		case c.name == "loss" && l.loss.model == randomLoss && l.loss.p[0] == des.Always:
			toxics = append(toxics, newToxic("timeout", map[string]int64{"timeout": 0}))
		case c.name == "limit" || c.name == "slot":
			notes.missing(text, "Toxiproxy has nothing like it")
		default:
			notes.missing(text, "Toxiproxy forwards a TCP connection, in which the receiver gets each byte once, in order")
		}
	}
	return toxics, notes
}

func (l *Line) latency(notes *Notes) (toxic Toxic, ok bool) {
	d, text := &l.delay, printDelay(l)
	var mean, jitter time.Duration
	switch d.kind {
	case noDelay:
		return toxic, false
	case spreadDelay:
		if d.spread.shape != "uniform" {
			notes.missing(text, "the jitter of Toxiproxy is uniform")
			return toxic, false
		}
		mean, jitter = d.spread.mean, d.spread.jitter
	default:
		lo, hi, bounded := d.law.Bounds()
		if !bounded || lo != hi {
			notes.missing(text, "Toxiproxy takes a time and a uniform jitter, as in delay 20ms 5ms")
			return toxic, false
		}
		mean = lo
	}
	ms := func(t time.Duration) int64 {
		whole := t.Round(time.Millisecond)
		if whole != t {
			notes.rounded(text, "Toxiproxy keeps whole milliseconds, so that %v becomes %v", t, whole)
		}
		return whole.Milliseconds()
	}
	if mean > 0 && mean.Round(time.Millisecond) == 0 && jitter.Round(time.Millisecond) == 0 {
		notes.missing(text, "Toxiproxy keeps whole milliseconds, and this is none")
		return toxic, false
	}
	if d.correlation > 0 {
		notes.missing("correlation "+d.correlation.String()+" of "+text, "the delays of Toxiproxy are independent")
	}
	notes.differs("delay", "Toxiproxy delays each chunk of bytes that it reads, and keeps their order")
	return newToxic("latency", map[string]int64{"latency": ms(mean), "jitter": ms(jitter)}), true
}

func (l *Line) bandwidth(notes *Notes) (toxic Toxic, ok bool) {
	const kilobyte = 8000 // bits
	r, text := &l.rate, printRate(l)
	if r.bits == 0 {
		return toxic, false
	}
	rate := (r.bits + kilobyte/2) / kilobyte
	if rate == 0 {
		notes.missing(text, "Toxiproxy keeps whole kB/s, and this is none")
		return toxic, false
	}
	if rate*kilobyte != r.bits {
		notes.rounded(text, "Toxiproxy keeps whole kB/s, so that it becomes %d kbit/s", rate*kilobyte/1000)
	}
	if extra := strings.Fields(text)[2:]; len(extra) > 0 {
		notes.missing("overhead "+strings.Join(extra, " ")+" of "+text, "Toxiproxy counts the bytes of the connection only")
	}
	return newToxic("bandwidth", map[string]int64{"rate": int64(rate)}), true
}
