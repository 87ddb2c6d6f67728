package impair

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/des"
)

// fileName is the name of a file and the beginning of the hash of its contents.
type fileName struct {
	name, hash string
}

const hashDigits = 8

func (f fileName) String() string { return f.name + "@" + f.hash }

// open reads the file that the next word names. If the name carries a hash, the contents
// have to match it.
func (w *words) open() (f fileName, at word, data []byte, err error) {
	if at, err = w.next("the name of a file"); err != nil {
		return f, at, nil, err
	}
	wanted := ""
	f.name = at.text
	if i := strings.LastIndexByte(at.text, '@'); i > 0 && isHash(at.text[i+1:]) {
		f.name, wanted = at.text[:i], at.text[i+1:]
	}
	if w.read == nil {
		return f, at, nil, w.fail(at, "is a file, and files cannot be read here")
	}
	if data, err = w.read(f.name); err != nil {
		return f, at, nil, w.fail(at, "cannot be read: %v", err)
	}
	sum := sha256.Sum256(data)
	f.hash = hex.EncodeToString(sum[:])[:hashDigits]
	if wanted != "" && wanted != f.hash {
		return f, at, nil, w.fail(at, "has another hash: the file has changed, it is now %v", f)
	}
	return f, at, data, nil
}

func isHash(text string) bool {
	return len(text) == hashDigits && strings.Trim(text, "0123456789abcdef") == ""
}

// eachLine calls f with the lines of a file and their numbers, without comments, spaces
// around and empty lines. It stops at an error.
func eachLine(data []byte, f func(number int, text string) error) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text, _, _ := bytes.Cut(line, []byte("#"))
		if text = bytes.TrimSpace(text); len(text) > 0 {
			if err := f(number, string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// discrete is a distribution of equally likely durations.
type discrete struct {
	ordered []time.Duration // ascending
	text    string
}

func (d *discrete) Sample(r uint64) time.Duration {
	i, _ := bits.Mul64(r, uint64(len(d.ordered)))
	return d.ordered[i]
}

func (d *discrete) Quantile(u uint64) time.Duration { return d.Sample(u) }

func (d *discrete) Bounds() (lo, hi time.Duration, bounded bool) {
	return d.ordered[0], d.ordered[len(d.ordered)-1], true
}

// Mean is rounded down.
func (d *discrete) Mean() time.Duration {
	var hi, lo, carry uint64
	for _, x := range d.ordered {
		lo, carry = bits.Add64(lo, uint64(x), 0)
		hi += carry
	}
	quotient, _ := bits.Div64(hi, lo, uint64(len(d.ordered)))
	return time.Duration(quotient)
}

func (d *discrete) String() string { return d.text }

// atoms is the number of durations.
func (d *discrete) atoms() int { return len(d.ordered) }

const maxEntries = 16384 // of a table, as in netem

// parseTable reads a file in netem's format: the quantiles of a distribution in units of
// 1/8192 of the jitter.
func (s *spread) parseTable(w *words) error {
	name, at, data, err := w.open()
	if err != nil {
		return err
	}
	var entries []int16
	err = eachLine(data, func(number int, text string) error {
		for field := range strings.FieldsSeq(text) {
			v, err := strconv.ParseInt(field, 10, 16)
			if err != nil {
				return w.fail(at, "is not a table: line %d: %q is not a whole number from -32768 to 32767", number, field)
			}
			entries = append(entries, int16(v))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(entries) == 0 || len(entries) > maxEntries {
		return w.fail(at, "is not a table: it has %d entries; allowed are 1 to %d", len(entries), maxEntries)
	}
	s.shape, s.table = fmt.Sprintf("table %v", name), func() []int16 { return entries }
	s.law = discreteOf(s.mean, s.jitter, entries, fmt.Sprintf("%v %v %s", s.mean, s.jitter, s.shape))
	return nil
}

// discreteOf is the distribution in which each entry of a table is equally likely.
func discreteOf(mean, jitter time.Duration, table []int16, text string) *discrete {
	d := &discrete{text: text, ordered: make([]time.Duration, len(table))}
	for i, entry := range table {
		d.ordered[i] = max(0, scaled(mean, jitter, entry))
	}
	slices.Sort(d.ordered)
	return d
}

// scaled is mean + jitter*entry/8192, rounded half away from zero.
func scaled(mean, jitter time.Duration, entry int16) time.Duration {
	rest := (jitter % tableUnit) * time.Duration(entry)
	if rest >= 0 {
		rest += tableUnit / 2
	} else {
		rest -= tableUnit / 2
	}
	return rest/tableUnit + (jitter/tableUnit)*time.Duration(entry) + mean
}

// trace is measured delays, which are replayed in order, over and over. As a distribution it
// is that of the delay at a random place.
type trace struct {
	discrete
	delays []time.Duration
}

var _ des.Distribution = (*trace)(nil)

func parseTrace(w *words) (*trace, error) {
	name, at, data, err := w.open()
	if err != nil {
		return nil, err
	}
	t := &trace{discrete: discrete{text: fmt.Sprintf("trace %v", name)}}
	err = eachLine(data, func(number int, text string) error {
		d, reason := parseTime(text)
		if reason != "" {
			return w.fail(at, "is not a list of delays: line %d: %q is not a valid duration: %s", number, text, reason)
		}
		t.delays = append(t.delays, d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(t.delays) == 0 {
		return nil, w.fail(at, "is not a list of delays: it is empty; it takes one delay a line, with a unit, as in 1.5ms")
	}
	t.ordered = slices.Sorted(slices.Values(t.delays))
	return t, nil
}

// lag1 is the correlation of neighbours. The neighbour before the first delay is the last.
func (t *trace) lag1() float64 {
	var mean, variance, covariance float64
	for _, x := range t.delays {
		mean += x.Seconds() / float64(len(t.delays))
	}
	last := t.delays[len(t.delays)-1].Seconds() - mean
	for _, d := range t.delays {
		x := d.Seconds() - mean
		variance += x * x
		covariance += x * last
		last = x
	}
	return covariance / variance
}
