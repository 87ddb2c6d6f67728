package impair

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"bullring/des"
)

// word is a word of a line and its first column, from 1.
type word struct {
	text   string
	column int
}

// words are the words that are left of a line, and the clause that is being read.
type words struct {
	list   []word
	end    int                               // the column after the line
	read   func(name string) ([]byte, error) // reads files; nil if they are refused
	clause *clause                           // nil before the first
}

// split cuts a line into words. Spaces in parentheses do not end a word.
func split(text string) []word {
	var list []word
	start, column, depth := -1, 0, 0
	for i, r := range text + " " {
		column++
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		switch space := unicode.IsSpace(r) && (depth <= 0 || i == len(text)); {
		case !space && start < 0:
			start = i
			list = append(list, word{column: column})
		case space && start >= 0:
			list[len(list)-1].text = text[start:i]
			start = -1
		}
	}
	return list
}

// fail returns an error that begins with the clause, the word and its column.
func (w *words) fail(at word, format string, args ...any) error {
	return fmt.Errorf("%s: %q (column %d) %s", w.clause.name, at.text, at.column, fmt.Sprintf(format, args...))
}

// invalid returns the error of a word that is not a valid value. what names the value.
func (w *words) invalid(at word, what, reason string) error {
	return w.fail(at, "is not a valid %s: %s", what, reason)
}

// next takes the next word. what names it in the error.
func (w *words) next(what string) (word, error) {
	if len(w.list) == 0 {
		return word{}, fmt.Errorf("%s: the line ends (column %d) before %s; the clause is %s", w.clause.name, w.end, what, w.clause.usage)
	}
	first := w.list[0]
	w.list = w.list[1:]
	return first, nil
}

// take takes the next word if it is text.
func (w *words) take(text string) bool {
	if len(w.list) == 0 || w.list[0].text != text {
		return false
	}
	w.list = w.list[1:]
	return true
}

// number reports whether the next word is a number, which then belongs to the present
// clause. Clauses and their parts begin with letters.
func (w *words) number() bool {
	return len(w.list) > 0 && strings.ContainsRune("+-.0123456789", rune(w.list[0].text[0]))
}

// value takes the next word and reads it. what names the value in errors. The reason of read
// says why a text is not valid; it is "" for a valid one.
func value[T any](w *words, what string, read func(text string) (v T, reason string)) (v T, err error) {
	at, err := w.next("the " + what)
	if err != nil {
		return v, err
	}
	v, reason := read(at.text)
	if reason != "" {
		return v, w.invalid(at, what, reason)
	}
	return v, nil
}

// probability reads a probability.
func (w *words) probability(what string) (des.Probability, error) {
	return value(w, what, func(text string) (des.Probability, string) {
		p, err := des.ParseProbability(text)
		switch {
		case err != nil:
			return 0, "it " + strings.TrimPrefix(err.Error(), strconv.Quote(text)+" ")
		case p > 0 && !strings.ContainsAny(text, "%/"):
			return 0, fmt.Sprintf("it has two readings, %v as a fraction and %s%% as tc reads it; write one of these", p, text)
		}
		return p, ""
	})
}

// chance reads a probability and, if there is one, a correlation.
func (w *words) chance() (c chance, err error) {
	c.given = true
	if c.p, err = w.probability("probability"); err != nil || !w.number() {
		return c, err
	}
	c.correlation, err = w.probability("correlation")
	return c, err
}

// duration reads a time.
func (w *words) duration(what string) (time.Duration, error) { return value(w, what, parseTime) }

// tcUnits are tc's names of units that Go does not know.
var tcUnits = [...][2]string{
	{"nsecs", "ns"}, {"nsec", "ns"}, {"usecs", "us"}, {"usec", "us"},
	{"msecs", "ms"}, {"msec", "ms"}, {"secs", "s"}, {"sec", "s"},
}

// parseTime reads a time as tc or Go writes it.
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

// count reads a whole number from lo to hi.
func (w *words) count(what string, lo, hi int64) (int64, error) {
	return value(w, what, func(text string) (int64, string) {
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil || v < lo || v > hi {
			return 0, fmt.Sprintf("allowed are whole numbers from %d to %d", lo, hi)
		}
		return v, ""
	})
}
