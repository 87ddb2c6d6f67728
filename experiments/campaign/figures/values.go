package figures

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// values are the values of a field in the cells of a line. Either each holds its place along x,
// or they are listed.
type values struct {
	pattern pattern
	list    []group
}

// group has the values at some places along x, or at all (nil). Several values at one place
// are pooled.
type group struct{ at, values []string }

// pattern is the text around a number that is a place, or a multiple of it. The zero pattern is
// none.
type pattern struct {
	before, after string
	multiple      float64
}

// key is equal for equal values.
func (v values) key() string { return fmt.Sprintf("%q %v", v.list, v.pattern) }

// follows reports whether the values hold their places along x.
func (v values) follows() bool { return v.pattern != pattern{} }

// pools reports whether there are several values at one place.
func (v values) pools() bool {
	return slices.ContainsFunc(v.list, func(g group) bool { return len(g.values) > 1 })
}

// matters reports whether values are worth telling: what is left to the algorithm, or is not
// there, is not.
func (v values) matters(field string) bool {
	if v.follows() || len(v.list) != 1 || len(v.list[0].values) != 1 {
		return v.follows() || v.list != nil
	}
	switch value := v.list[0].values[0]; field {
	case "dead":
		return value != "none"
	case "fifo":
		return value != "true"
	default:
		return value != ""
	}
}

// around returns the text around numbers, if all have the same and each is the same multiple of
// its place. It is the zero pattern if they are not.
func around(numbers map[float64]spec.Number) (p pattern) {
	first := true
	for _, x := range slices.Sorted(maps.Keys(numbers)) {
		n := numbers[x]
		if first {
			p, first = pattern{before: n.Before, after: n.After}, false
		}
		if x != 0 && p.multiple == 0 {
			p.multiple = rounded(n.Value / x)
		}
		alike := n.Before == p.before && n.After == p.after && equal(n.Value, p.multiple*x)
		if !alike || x != 0 && p.multiple <= 0 {
			return pattern{}
		}
	}
	p.multiple = cmp.Or(p.multiple, 1) // all are 0
	return p
}

// markup is the pattern with a symbol in the place of the number.
func (p pattern) markup(symbol string) string {
	multiple := ""
	if p.multiple != 1 {
		multiple = number(p.multiple)
	}
	return plots.Escape(p.before) + multiple + symbol + plots.Escape(p.after)
}

// words say which values a field has in the group.
func (g group) words(field string) string {
	switch p := shared(g.values); {
	case len(g.values) == 1 || p == pattern{}:
	case p == pattern{multiple: 1}:
		return strings.Replace(results.ConditionWords(field, pooledSymbol), pooledSymbol, sequence(g.values), 1)
	default:
		return results.ConditionWords(field, p.markup(pooledSymbol)) + " with " + g.numbersWords(p)
	}
	told := g.values[:min(len(g.values), mostTold)]
	all := make([]string, len(told))
	for i, v := range told {
		all[i] = results.ConditionWords(field, plots.Escape(v))
	}
	if more := len(g.values) - len(told); more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, " and ")
}

// pooledSymbol stands for a number that differs between pooled values.
const pooledSymbol = "*y*"

// numbersWords are the numbers in the values of the group, which have the pattern.
func (g group) numbersWords(p pattern) string {
	numbers := make([]string, len(g.values))
	for i, v := range g.values {
		numbers[i] = strings.TrimSuffix(strings.TrimPrefix(v, p.before), p.after)
	}
	return pooledSymbol + " = " + sequence(numbers)
}

// all are the values of all groups.
func (v values) all() (texts []string) {
	for _, g := range v.list {
		texts = append(texts, g.values...)
	}
	return texts
}

// shared returns the text that values share around a number, if they differ in nothing else,
// and how many numbers stand before it. It returns the zero pattern if they do not.
func shared(texts []string) (p pattern) {
	for k := 1; ; k++ {
		differ := false
		for i, text := range texts {
			n, err := spec.NumberAt(text, k)
			if err != nil {
				return pattern{}
			}
			if i == 0 {
				p = pattern{before: n.Before, after: n.After, multiple: 1}
			}
			differ = differ || n.Before != p.before || n.After != p.after
		}
		if !differ {
			return p
		}
	}
}

// mostListed is the most numbers that a caption lists one by one, if there is a shorter way.
// mostTold is the most that it lists if there is none.
const (
	mostListed = 7
	mostTold   = 40
)

// sequence lists numbers, or says how they follow each other.
func sequence(texts []string) string {
	all := strings.Join(texts, ", ")
	if len(texts) <= mostListed {
		return all
	}
	ends := texts[0] + " to " + texts[len(texts)-1]
	if len(texts) > mostTold {
		all = fmt.Sprintf("%s, %d values", ends, len(texts))
	}
	numbers := make([]spec.Number, len(texts))
	for i, text := range texts {
		n, err := spec.NumberAt(text, 1)
		if err != nil || n.Before != "" || n.After != "" && n.Unit != "s" {
			return all
		}
		numbers[i] = n
	}
	step, factor := numbers[1].Value-numbers[0].Value, numbers[1].Value/numbers[0].Value
	sums, products := true, factor == 2
	for i, next := range numbers[1:] {
		before := numbers[i].Value
		sums = sums && math.Abs(next.Value-before-step) <= 1e-9*math.Abs(step)
		products = products && next.Value == 2*before
	}
	switch {
	case sums && numbers[0].Unit == "s":
		return ends + " in steps of " + time.Duration(math.Round(step*1e9)).String()
	case sums:
		return ends + " in steps of " + number(rounded(step))
	case products:
		return ends + ", each twice the one before"
	}
	return all
}

// number prints a number in decimal.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// rounded is a number without the errors of rounding in its last digits.
func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	return r
}
