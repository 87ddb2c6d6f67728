package impair

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bullring/des"
)

// word is a word of a line and the column, from 1, at which it begins.
type word struct {
	text   string
	column int
}

// words are what is left of a line, and the clause that is being read.
type words struct {
	list   []word
	end    int // the column behind the line
	clause string
}

func split(text string) *words {
	w := &words{end: utf8.RuneCountInString(text) + 1}
	start, column := -1, 0
	for i, r := range text + " " {
		column++
		switch space := unicode.IsSpace(r); {
		case !space && start < 0:
			start = i
			w.list = append(w.list, word{column: column})
		case space && start >= 0:
			w.list[len(w.list)-1].text = text[start:i]
			start = -1
		}
	}
	return w
}

// fail words an error about a word: the clause, the word, its place.
func (w *words) fail(at word, format string, args ...any) error {
	return fmt.Errorf("%s: %q (column %d) %s", w.clause, at.text, at.column, fmt.Sprintf(format, args...))
}

// next takes the next word.
func (w *words) next(what string) (word, error) {
	if len(w.list) == 0 {
		return word{}, fmt.Errorf("%s: the line ends (column %d) where %s is due; it is written %s", w.clause, w.end, what, usage(w.clause))
	}
	first := w.list[0]
	w.list = w.list[1:]
	return first, nil
}

// take takes the next word if it is this one.
func (w *words) take(text string) bool {
	if len(w.list) == 0 || w.list[0].text != text {
		return false
	}
	w.list = w.list[1:]
	return true
}

// number reports whether the next word is a number of some kind, which belongs
// to the clause at hand. Words that begin a clause or a part of it begin with
// letters.
func (w *words) number() bool {
	return len(w.list) > 0 && strings.ContainsRune("+-.0123456789", rune(w.list[0].text[0]))
}

// probability reads a probability, which is called what.
func (w *words) probability(what string) (des.Probability, error) {
	at, err := w.next(what)
	if err != nil {
		return 0, err
	}
	p, err := des.ParseProbability(at.text)
	if err != nil {
		return 0, w.fail(at, "is no %s: it %s", what, strings.TrimPrefix(err.Error(), strconv.Quote(at.text)+" "))
	}
	if p > 0 && !strings.ContainsAny(at.text, "%/") {
		return 0, w.fail(at, "has two readings: %v, as a fraction, and %s%%, as tc reads it; write one of these", p, at.text)
	}
	return p, nil
}

// chance reads a probability and perhaps a correlation.
func (w *words) chance(c *chance) (err error) {
	c.given = true
	if c.p, err = w.probability("probability"); err != nil || !w.number() {
		return err
	}
	c.correlation, err = w.probability("correlation")
	return err
}

// duration reads a time, which is called what.
func (w *words) duration(what string) (time.Duration, error) {
	at, err := w.next(what)
	if err != nil {
		return 0, err
	}
	d, reason := parseTime(at.text)
	if reason != "" {
		return 0, w.fail(at, "is no %s: %s", what, reason)
	}
	return d, nil
}

// tcUnits are tc's names of units that Go does not know.
var tcUnits = [...][2]string{
	{"nsecs", "ns"}, {"nsec", "ns"}, {"usecs", "us"}, {"usec", "us"},
	{"msecs", "ms"}, {"msec", "ms"}, {"secs", "s"}, {"sec", "s"},
}

// parseTime reads a time as tc and as Go write it.
func parseTime(text string) (d time.Duration, reason string) {
	goText := text
	for _, unit := range tcUnits {
		if number, ok := strings.CutSuffix(text, unit[0]); ok {
			goText = number + unit[1]
			break
		}
	}
	d, err := time.ParseDuration(goText)
	switch {
	case err != nil && strings.Trim(text, "0123456789.") == "":
		return 0, fmt.Sprintf("it lacks a unit, as in %sms", text)
	case err != nil:
		return 0, "allowed are a number and a unit, ns, us, ms, s, m or h, as in 20ms"
	case d < 0:
		return 0, "it is negative"
	case d > des.MaxDuration:
		return 0, fmt.Sprintf("it is above %v", des.MaxDuration)
	}
	return d, ""
}

// count reads a whole number from lo to hi, which is called what.
func (w *words) count(what string, lo, hi int64) (int64, error) {
	at, err := w.next(what)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseInt(at.text, 10, 64)
	if err != nil || v < lo || v > hi {
		return 0, w.fail(at, "is no %s; it takes a whole number from %d to %d", what, lo, hi)
	}
	return v, nil
}
