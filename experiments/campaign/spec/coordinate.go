package spec

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bullring/internal/pattern"
)

// Coordinates returns the coordinates of values along the scale's axis, and their unit:
// "%", "s", "m", "m/s", or "" for plain numbers.
//
// With Number k, the coordinate of a value is the k-th number in it that is no part of a
// word: the 5 in "3g loss 5%". It may be plain (5, 0.05, 1e-3, 1/3), in percent, a
// duration, which becomes seconds, or a length or a speed of a motion, in m or m/s. The number of a quantile, p99, is in percent. Without
// Number only numeric axes have coordinates: whole numbers, or the K of random:K. A value none
// stands at 0: no plan, no line of links, or nobody dead beside random:K.
//
// It fails for a value without a number, for values of several units, and for two values
// at one place.
func (s Scale) Coordinates(texts []string) (at []float64, unit string, err error) {
	read := wholeNumber
	switch {
	case s.Number > 0:
		read = func(text string) (float64, string, error) { return numberIn(text, s.Number) }
	case !isNumeric(s.Name):
		return nil, "", fmt.Errorf("the values of %s are no numbers", s.Name)
	}
	at = make([]float64, len(texts))
	first := "" // the text that decides the unit
	for i, text := range texts {
		if s.absent(text, texts) {
			continue
		}
		value, its, err := read(text)
		if err != nil {
			return nil, "", err
		}
		if first == "" {
			first, unit = text, its
		}
		if its != unit {
			return nil, "", fmt.Errorf("%q and %q cannot share a scale: the first is %s, the second %s",
				shorten(first), shorten(text), unitWords[unit], unitWords[its])
		}
		at[i] = value
	}
	if err := collision(texts, at); err != nil {
		return nil, "", err
	}
	if unit == randomCount {
		unit = ""
	}
	return at, unit, nil
}

// absent reports whether a value among others stands for nothing, and so for 0.
func (s Scale) absent(text string, among []string) bool {
	if s.Name == "dead" {
		return text == "none" && slices.ContainsFunc(among, func(t string) bool { return strings.HasPrefix(t, "random:") })
	}
	i := axisIndex(s.Name)
	return text == "" && i >= 0 && axes[i].kind == faultAxis
}

// randomCount is the unit of K in random:K, which is no address.
const randomCount = "random"

// unitWords names units in errors.
var unitWords = map[string]string{
	"": "a plain number", "%": "in percent", "s": "a duration", "m": "a length", "m/s": "a speed", randomCount: "a count of random ones",
}

// collision refuses two values at one place.
func collision(texts []string, at []float64) error {
	first := make(map[float64]string, len(at))
	for i, v := range at {
		if earlier, taken := first[v]; taken {
			return fmt.Errorf("%q and %q would stand at the same place, %v", shorten(earlier), shorten(texts[i]), v)
		}
		first[v] = texts[i]
	}
	return nil
}

// isNumeric reports whether values of a field can be integers.
func isNumeric(field string) bool {
	i := axisIndex(field)
	return i >= 0 && axes[i].kind.numeric()
}

// wholeNumber reads a value of an axis of numbers.
func wholeNumber(text string) (value float64, unit string, err error) {
	digits, random := strings.CutPrefix(text, "random:")
	if random {
		unit = randomCount
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, "", fmt.Errorf("%q is no number", shorten(text))
	}
	return float64(n), unit, nil
}

// numberPattern finds a number that is no part of a word or of another number. Its groups
// are a ratio, a duration, and a number with or without percent.
var numberPattern = sync.OnceValue(func() *regexp.Regexp {
	return numberWith(`(?:`+decimal+`(?:ns|us|µs|μs|ms|s|m|h))+`, "")
})

// placesPattern is that of texts about places: the third group has lengths and speeds, too. Minutes are
// followed by seconds, as durations are printed.
var placesPattern = sync.OnceValue(func() *regexp.Regexp {
	return numberWith(`(?:`+decimal+`h)?(?:`+decimal+`m)?`+decimal+`(?:ns|us|µs|μs|ms|s)`, `|-?`+decimal+`m(?:/s)?`)
})

const decimal = `[0-9]+(?:\.[0-9]+)?`

func numberWith(duration, length string) *regexp.Regexp {
	plain := decimal + `(?:[eE][-+]?[0-9]+)?%?`
	return regexp.MustCompile(`(?:^|[^\pL\pN._]|\.\.)(?:(-?[0-9]+/[0-9]+)|(-?` + duration + `)|(-?` + plain + length + `))(?:$|[^\pL\pN%_])`)
}

// places matches a text about places: a speed, an area, or a file of positions. There, m is for metres.
var places = pattern.Of(`[0-9]m/s|[0-9]mx[0-9]|^positions:`)

// quantileName is a quantile, such as p99: its number is in percent.
var quantileName = pattern.Of(`^p([0-9]+(?:\.[0-9]+)?)$`)

// Number is a number in a value, with the text around it. The sign of percent and the unit of a length
// or a speed stand in After, that of a duration does not.
type Number struct {
	Before, After string
	Value         float64 // of a duration in seconds
	Unit          string  // "%", "s", "m", "m/s", or ""
}

// numberIn reads the k-th number in a text, from 1.
func numberIn(text string, k int) (value float64, unit string, err error) {
	n, err := NumberAt(text, k)
	return n.Value, n.Unit, err
}

// NumberAt finds the k-th number in a text, from 1: see Scale.Coordinates.
func NumberAt(text string, k int) (Number, error) {
	rest, offset := text, 0
	if quantileName().MatchString(text) {
		rest, offset = text[1:]+"%", 1
	}
	find := numberPattern()
	if places().MatchString(text) {
		find = placesPattern()
	}
	var from, to int // of the number
	var ratio, duration, plain string
	for i := range k {
		at := find.FindStringSubmatchIndex(rest)
		switch {
		case text == "":
			return Number{}, errors.New("none holds no number: write one out, such as loss 0%")
		case at == nil && i == 0:
			return Number{}, fmt.Errorf("%q holds no separate number such as 5, 0.05, 5%% or 20ms", shorten(text))
		case at == nil:
			return Number{}, fmt.Errorf("%q holds %d separate numbers, but number is %d", shorten(text), i, k)
		}
		group := func(g int) string {
			if at[2*g] < 0 {
				return ""
			}
			return rest[at[2*g]:at[2*g+1]]
		}
		ratio, duration, plain = group(1), group(2), group(3)
		end := max(at[3], at[5], at[7]) // what ends a number may begin the next
		from, to = offset+max(at[2], at[4], at[6]), offset+end
		rest, offset = rest[end:], offset+end
	}
	n := Number{Before: text[:from]}
	var err error
	switch {
	case ratio != "":
		above, below, _ := strings.Cut(ratio, "/")
		a, _ := strconv.ParseFloat(above, 64) // beyond the range it is infinite
		b, _ := strconv.ParseFloat(below, 64)
		n.Value = a / b
	case duration != "":
		var d time.Duration
		d, err = time.ParseDuration(duration)
		n.Value, n.Unit = d.Seconds(), "s"
	default:
		digits := strings.TrimRight(plain, "%m/s")
		n.Unit = plain[len(digits):]
		to -= len(n.Unit)
		n.Value, _ = strconv.ParseFloat(digits, 64)
	}
	if err != nil || math.IsInf(n.Value, 0) || math.IsNaN(n.Value) {
		return Number{}, fmt.Errorf("%q: the number %s is out of range", shorten(text), ratio+duration+plain)
	}
	n.After = text[to:]
	return n, nil
}
