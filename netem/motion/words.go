package motion

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"bullring/des"
)

// word is a part of a text and its first column, from 1.
type word struct {
	text   string
	column int
}

// split cuts a text, which begins in that column, at the commas outside of parentheses. There is at
// least one word.
func split(text string, column int) (words []word) {
	start, depth := 0, 0
	for i, r := range text + "," {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 || i == len(text) {
				words = append(words, word{text[start:i], column + start}.trimmed())
				start = i + 1
			}
		}
	}
	return words
}

func (w word) trimmed() word {
	left := strings.TrimLeft(w.text, " \t")
	return word{strings.TrimRight(left, " \t"), w.column + len(w.text) - len(left)}
}

// after is the word without its first bytes.
func (w word) after(n int) word { return word{w.text[n:], w.column + n}.trimmed() }

func (w word) fail(format string, args ...any) error {
	return fmt.Errorf("%q (column %d) %s", w.text, w.column, fmt.Sprintf(format, args...))
}

// arguments reads the arguments of a kind, one after another, and keeps how they print. After an
// error it reads nothing more.
type arguments struct {
	kind  *kind
	open  opener
	left  []word
	end   int // the column after the last
	texts []string
	err   error
}

// next takes the next argument. read returns how it prints, or why it is not valid.
func (a *arguments) next(what string, read func(text string) (printed, reason string)) {
	if a.err != nil {
		return
	}
	if len(a.left) == 0 || a.left[0].text == "" {
		a.err = fmt.Errorf("the %s is missing (column %d); the form is %s%s", what, a.end, a.kind.name, a.kind.form)
		return
	}
	w := a.left[0]
	a.left = a.left[1:]
	printed, reason := read(w.text)
	if reason != "" {
		a.err = w.fail("is not a valid %s: it %s", what, reason)
	}
	a.texts = append(a.texts, printed)
}

// finish refuses arguments that are left.
func (a *arguments) finish() {
	if a.err == nil && len(a.left) > 0 {
		a.err = a.left[0].fail("is one argument too many; the form is %s%s", a.kind.name, a.kind.form)
	}
}

// print prints the kind with its arguments.
func (a *arguments) print() string {
	inner := strings.Join(a.texts, ", ")
	if a.kind.file {
		return a.kind.name + ":" + inner
	}
	return a.kind.name + "(" + inner + ")"
}

// Limits of places and speeds: beyond them, 64 bits do not suffice.
const (
	metre  = int64(1_000_000_000_000) // in picometres
	second = int64(1_000_000)         // in microseconds

	leastLength  = metre / 100
	mostLength   = 4_000_000 * metre
	fastestSpeed = 2000 * second // in picometres a microsecond
)

// area reads the two sides of a rectangle.
func (a *arguments) area() (width, height int64) {
	a.next("area", func(text string) (string, string) {
		first, second, two := strings.Cut(text, "x")
		if !two {
			return "", "lacks a second side; write two lengths with an x between them, such as 1000mx1000m"
		}
		var reason string
		if width, reason = parseLength(first); reason == "" {
			height, reason = parseLength(second)
		}
		return printLength(width) + "x" + printLength(height), reason
	})
	return width, height
}

// length reads a length.
func (a *arguments) length(what string) (length int64) {
	a.next(what, func(text string) (_, reason string) {
		length, reason = parseLength(text)
		return printLength(length), reason
	})
	return length
}

// lengthUnits are the units of lengths, with their number of decimals in picometres.
var lengthUnits = []struct {
	name     string
	decimals int
}{{"km", 15}, {"cm", 10}, {"mm", 9}, {"m", 12}}

func parseLength(text string) (length int64, reason string) {
	for _, u := range lengthUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		length, ok = parseDecimal(number, u.decimals)
		if !ok || length < leastLength || length > mostLength {
			break
		}
		return length, ""
	}
	return 0, fmt.Sprintf("takes a length from %s to 4000km, in mm, cm, m or km, such as 350m", printLength(leastLength))
}

func printLength(length int64) string { return printDecimal(length, 12) + "m" }

// speeds reads the slowest and the fastest speed.
func (a *arguments) speeds() (slowest, fastest int64) {
	a.next("range of speeds", func(text string) (string, string) {
		const allowed = "takes the slowest and the fastest speed, from 0.000001m/s and below 2000m/s, such as 1..20m/s; with a slowest speed of 0 a process would stand still in the end"
		first, last, two := strings.Cut(strings.TrimSuffix(text, "m/s"), "..")
		if !two {
			last = first
		}
		var ok, also bool
		slowest, ok = parseDecimal(first, 6)
		fastest, also = parseDecimal(last, 6)
		if !strings.HasSuffix(text, "m/s") || !ok || !also || slowest <= 0 || slowest > fastest || fastest >= fastestSpeed {
			return "", allowed
		}
		printed := printDecimal(fastest, 6) + "m/s"
		if two {
			printed = printDecimal(slowest, 6) + ".." + printed
		}
		return printed, ""
	})
	return slowest, fastest
}

// speed reads a speed below a limit.
func (a *arguments) speed(limit int64) (speed int64) {
	a.next("speed", func(text string) (string, string) {
		number, unit := strings.CutSuffix(text, "m/s")
		var ok bool
		if speed, ok = parseDecimal(number, 6); !ok || !unit || speed <= 0 || speed >= limit {
			return "", fmt.Sprintf("takes a speed from 0.000001m/s and below %sm/s, such as 10m/s", printDecimal(limit, 6))
		}
		return printDecimal(speed, 6) + "m/s", ""
	})
	return speed
}

// duration reads a number of microseconds.
func (a *arguments) duration(what string, least time.Duration) (micros int64) {
	a.next(what, func(text string) (string, string) {
		d, reason := parseTime(text)
		if reason == "" && d < least {
			reason = fmt.Sprintf("is below %v", least)
		}
		micros = d.Microseconds()
		return d.String(), reason
	})
	return micros
}

// probability reads a probability that is not below a limit.
func (a *arguments) probability(what string, least des.Probability) (p des.Probability) {
	a.next(what, func(text string) (string, string) {
		var err error
		if p, err = des.ParseProbability(text); err != nil {
			return "", strings.TrimPrefix(err.Error(), strconv.Quote(text)+" ")
		}
		if p < least {
			return "", "is below " + least.String()
		}
		return p.String(), ""
	})
	return p
}

// distribution reads a distribution of durations behind a word.
func (a *arguments) distribution(behind string) (d des.Distribution) {
	a.next("distribution of the time "+behind, func(text string) (string, string) {
		rest, ok := strings.CutPrefix(text, behind+" ")
		if !ok {
			return "", fmt.Sprintf("takes the word %s and a duration or a distribution, such as %s exp(60s)", behind, behind)
		}
		var err error
		if d, err = des.ParseDistribution(strings.TrimSpace(rest)); err != nil {
			return "", "takes another distribution: " + err.Error()
		}
		return behind + " " + d.String(), ""
	})
	return d
}

// file opens a file and parses it. The error of parse names a line.
func (a *arguments) file(parse func(name string, text []byte) error) {
	a.next("file", func(name string) (printed, _ string) {
		text, pinned, err := a.open(name)
		if err == nil {
			err = parse(name, text)
		}
		if err != nil {
			a.err = err
		}
		return pinned, ""
	})
}

// parseDecimal reads a number, such as 0.5 or 1.5e-3, in units of 10^-decimals. Further digits are
// cut off.
func parseDecimal(text string, decimals int) (v int64, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	exponent := 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		e, err := strconv.Atoi(digits[i+1:])
		if err != nil || e < -40 || e > 40 {
			return 0, false
		}
		digits, exponent = digits[:i], e
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(whole)+len(fraction) == 0 || len(whole)+len(fraction) > 60 {
		return 0, false
	}
	all, places := whole+fraction, decimals+exponent-len(fraction)
	for ; places < 0 && all != ""; places++ {
		if strings.Trim(all[len(all)-1:], "0123456789") != "" {
			return 0, false
		}
		all = all[:len(all)-1]
	}
	all += strings.Repeat("0", max(0, places))
	var sum uint64
	for _, r := range all {
		if r < '0' || r > '9' {
			return 0, false
		}
		hi, lo := bits.Mul64(sum, 10)
		if sum = lo + uint64(r-'0'); hi != 0 || sum >= 1<<63 {
			return 0, false
		}
	}
	if v = int64(sum); negative {
		v = -v
	}
	return v, true
}

// printDecimal prints a number that is not negative, in units of 10^-decimals.
func printDecimal(v int64, decimals int) string {
	text := fmt.Sprintf("%0*d", decimals+1, v)
	whole, fraction := text[:len(text)-decimals], strings.TrimRight(text[len(text)-decimals:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
