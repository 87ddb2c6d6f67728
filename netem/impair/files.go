package impair

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/des"
)

// fileName is the name of a file and the beginning of the hash of what is in it.
type fileName struct {
	name, hash string
}

const hashDigits = 8

func (f fileName) String() string { return f.name + "@" + f.hash }

// open reads the file that the next word names. If the name carries a hash, the
// contents have to match it.
func (w *words) open(read func(string) ([]byte, error)) (f fileName, at word, data []byte, err error) {
	if at, err = w.next("the name of a file"); err != nil {
		return f, at, nil, err
	}
	wanted := ""
	f.name = at.text
	if i := strings.LastIndexByte(at.text, '@'); i > 0 && isHash(at.text[i+1:]) {
		f.name, wanted = at.text[:i], at.text[i+1:]
	}
	if read == nil {
		return f, at, nil, w.fail(at, "is a file, and files cannot be read here")
	}
	if data, err = read(f.name); err != nil {
		return f, at, nil, w.fail(at, "cannot be read: %v", err)
	}
	sum := sha256.Sum256(data)
	f.hash = hex.EncodeToString(sum[:])[:hashDigits]
	if wanted != "" && wanted != f.hash {
		return f, at, nil, w.fail(at, "is not what it was: the file has changed, it is now %v", f)
	}
	return f, at, data, nil
}

func isHash(text string) bool {
	return len(text) == hashDigits && strings.Trim(text, "0123456789abcdef") == ""
}

// table is a file of netem's format: the scaled quantiles of a distribution, 8192
// being one jitter.
type table struct {
	name    fileName
	entries []int16
	ordered []int16 // ascending
}

const maxEntries = 16384 // as in netem

func parseTable(w *words, read func(string) ([]byte, error)) (*table, error) {
	name, at, data, err := w.open(read)
	if err != nil {
		return nil, err
	}
	t := &table{name: name}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text, _, _ := bytes.Cut(line, []byte("#"))
		for field := range bytes.FieldsSeq(text) {
			v, err := strconv.ParseInt(string(field), 10, 16)
			if err != nil {
				return nil, w.fail(at, "is no table: line %d: %q is not a whole number from -32768 to 32767", number, field)
			}
			t.entries = append(t.entries, int16(v))
		}
	}
	if len(t.entries) == 0 || len(t.entries) > maxEntries {
		return nil, w.fail(at, "is no table: it has %d entries; allowed are 1 to %d", len(t.entries), maxEntries)
	}
	t.ordered = slices.Sorted(slices.Values(t.entries))
	return t, nil
}

// tableLaw is a discrete distribution: each entry of a table is equally likely.
type tableLaw struct {
	table        *table
	mean, jitter time.Duration
}

func (t *tableLaw) Sample(r uint64) time.Duration {
	i, _ := bits.Mul64(r, uint64(len(t.table.ordered)))
	return max(0, scaled(t.mean, t.jitter, t.table.ordered[i]))
}

func (t *tableLaw) Quantile(u uint64) time.Duration { return t.Sample(u) }

func (t *tableLaw) Mean() time.Duration {
	return average(len(t.table.ordered), func(i int) time.Duration { return max(0, scaled(t.mean, t.jitter, t.table.ordered[i])) })
}

func (t *tableLaw) Bounds() (lo, hi time.Duration, bounded bool) {
	return t.Sample(0), t.Sample(math.MaxUint64), true
}

func (t *tableLaw) String() string {
	return fmt.Sprintf("%v %v table %v", t.mean, t.jitter, t.table.name)
}

// scaled is mean + jitter*entry/8192, rounded half away from zero.
func scaled(mean, jitter time.Duration, entry int16) time.Duration {
	const unit = 8192
	rest := (jitter % unit) * time.Duration(entry)
	if rest >= 0 {
		rest += unit / 2
	} else {
		rest -= unit / 2
	}
	return rest/unit + (jitter/unit)*time.Duration(entry) + mean
}

// average is the mean of n durations, rounded down.
func average(n int, at func(i int) time.Duration) time.Duration {
	var hi, lo uint64
	for i := range n {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(at(i)), 0)
		hi += carry
	}
	quotient, _ := bits.Div64(hi, lo, uint64(n))
	return time.Duration(quotient)
}

// trace is measured delays, which are replayed one after another, over and over.
// As a distribution it is the one from which a message at any place draws.
type trace struct {
	name    fileName
	delays  []time.Duration
	ordered []time.Duration
}

var _ des.Distribution = (*trace)(nil)

func parseTrace(w *words, read func(string) ([]byte, error)) (*trace, error) {
	name, at, data, err := w.open(read)
	if err != nil {
		return nil, err
	}
	t := &trace{name: name}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		text, _, _ := bytes.Cut(line, []byte("#"))
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		d, reason := parseTime(string(text))
		if reason != "" {
			return nil, w.fail(at, "is no list of delays: line %d: %q is no duration: %s", number, text, reason)
		}
		t.delays = append(t.delays, d)
	}
	if len(t.delays) == 0 {
		return nil, w.fail(at, "is no list of delays: it has none; it takes one a line, with a unit, as in 1.5ms")
	}
	t.ordered = slices.Sorted(slices.Values(t.delays))
	return t, nil
}

func (t *trace) Sample(r uint64) time.Duration {
	i, _ := bits.Mul64(r, uint64(len(t.ordered)))
	return t.ordered[i]
}

func (t *trace) Quantile(u uint64) time.Duration { return t.Sample(u) }

func (t *trace) Mean() time.Duration {
	return average(len(t.delays), func(i int) time.Duration { return t.delays[i] })
}

func (t *trace) Bounds() (lo, hi time.Duration, bounded bool) {
	return t.ordered[0], t.ordered[len(t.ordered)-1], true
}

func (t *trace) String() string { return "trace " + t.name.String() }
