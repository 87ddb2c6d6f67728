package spec

import (
	"bullring/internal/pattern"
	"bullring/internal/suggest"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// field is a key of a mapping. Parse and Schema have it from the same tables.
type field struct {
	key      string
	required bool
	takes    *schema     // what the schema of sweeps says of its value
	read     func(*node) // reads the value; nil: the caller of mapping does it
}

// words reads keys and plain values.
type words struct{ *report }

// mapping reads the fields of a mapping in the order of the table, and returns
// the values by key.
func (r words) mapping(n *node, what string, fields []field) map[string]*node {
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	given := r.keys(n, what, known)
	if given == nil {
		return nil
	}
	for _, f := range fields {
		switch v, ok := given[f.key]; {
		case ok && f.read == nil:
		case ok:
			f.read(v)
		case f.required:
			r.errorf(n.pos, "%s needs the key %s", what, f.key)
		}
	}
	return given
}

// keys returns the values of a mapping by key, without unknown and repeated keys. It
// returns nil if the node is no mapping.
func (r words) keys(n *node, what string, known []string) map[string]*node {
	if n.kind != mapping {
		r.unwanted(n, what, "a mapping of "+strings.Join(known, ", "), "")
		return nil
	}
	isKnown := make(map[string]bool, len(known))
	for _, k := range known {
		isKnown[k] = true
	}
	given, where := map[string]*node{}, map[string]Pos{}
	for _, p := range n.pairs {
		key := p.key.text
		first, repeated := where[key]
		switch {
		case repeated:
			r.add(Error{Pos: p.key.pos, Other: first,
				Message: fmt.Sprintf("the key %q stands twice in %s, first at %s", shorten(key), what, placeIn(first, p.key.pos))})
		case !isKnown[key]:
			if hint := didYouMean(key, known); hint != "" && len(known) > suggest.Many {
				r.hintf(p.key.pos, hint, "%s has no key %q", what, shorten(key))
			} else {
				r.hintf(p.key.pos, hint, "%s has no key %q: its keys are %s", what, shorten(key), strings.Join(known, ", "))
			}
		default:
			given[key] = p.value
		}
		if !repeated {
			where[key] = p.key.pos
		}
	}
	return given
}

// unwanted reports a value of the wrong type.
func (r words) unwanted(n *node, what, wanted, hint string) {
	if n.kind != refused {
		r.hintf(n.pos, hint, "%s is %s; it takes %s", what, n.describe(), wanted)
	}
}

// each calls read for the items of a list, or for a value that is no list.
func (r words) each(n *node, what string, read func(*node)) {
	if n.kind != sequence {
		read(n)
		return
	}
	if len(n.items) == 0 {
		r.errorf(n.pos, "%s is an empty list; it takes one value at least", what)
	}
	for _, item := range n.items {
		read(item)
	}
}

// line reads one line of text, not empty; "" after an error.
func (r words) line(n *node, what string) string {
	if n.kind != text {
		hint := ""
		if n.kind == number || n.kind == boolean {
			hint = "put it in quotes if it is meant as text"
		}
		r.unwanted(n, what, "text", hint)
		return ""
	}
	if strings.TrimSpace(n.text) == "" {
		r.errorf(n.pos, "%s is empty", what)
		return ""
	}
	for _, c := range n.text {
		if !unicode.IsPrint(c) {
			r.errorf(n.pos, "%s holds %q; it takes one line of text that prints", what, c)
			return ""
		}
	}
	return n.text
}

// word reads one of a few words; "" after an error.
func (r words) word(n *node, what string, known []string) string {
	if n.kind == text && slices.Contains(known, n.text) {
		return n.text
	}
	hint := ""
	if n.kind == text {
		hint = didYouMean(n.text, known)
	}
	r.unwanted(n, what, "one of "+strings.Join(known, ", "), hint)
	return ""
}

var stemPattern = pattern.Of(`^[a-z0-9-]+$`)

// stem reads a name that becomes part of names of files.
func (r words) stem(n *node, what string) string {
	s := r.line(n, what)
	if s != "" && !stemPattern().MatchString(s) {
		r.errorf(n.pos, "%s is %q; it becomes a file's name and takes small letters a-z, digits and hyphens only", what, shorten(s))
		return ""
	}
	return s
}

// truth reads a boolean; false after an error.
func (r words) truth(n *node, what string) bool {
	if n.kind == boolean {
		return strings.EqualFold(n.text, "true")
	}
	hint := ""
	switch strings.ToLower(n.text) {
	case "yes", "on", "true":
		hint = "write true"
	case "no", "off", "false":
		hint = "write false"
	}
	r.unwanted(n, what, "true or false", hint)
	return false
}

// plainInteger is the notation of integers that people and YAML read alike.
var plainInteger = pattern.Of(`^(0|-?[1-9][0-9]*)$`)

// isInteger reports whether the node is an integer in that notation, of any size: to YAML
// an integer beyond 64 bits is text.
func (n *node) isInteger() bool {
	return (n.kind == number || n.kind == text && !n.quoted) && plainInteger().MatchString(n.text)
}

// integer reads an integer from lo to hi; lo after an error.
func (r words) integer(n *node, what string, lo, hi uint64) uint64 {
	if !n.isInteger() {
		r.unwanted(n, what, "an integer in plain decimal digits", integerHint(n))
		return lo
	}
	value, err := strconv.ParseUint(n.text, 10, 64)
	if err != nil || value < lo || value > hi {
		r.errorf(n.pos, "%s is %s; it takes an integer from %d to %d", what, shorten(n.text), lo, hi)
		return lo
	}
	return value
}

// integerHint rewrites another notation of an integer, or returns "".
func integerHint(n *node) string {
	if n.quoted && plainInteger().MatchString(n.text) {
		return "write it without the quotes"
	}
	if n.kind != number && n.kind != text {
		return ""
	}
	digits := strings.TrimLeft(n.text, "0")
	meant, err := strconv.ParseInt(n.text, 0, 64)
	switch {
	case err == nil && plainInteger().MatchString(digits) && digits != strconv.FormatInt(meant, 10):
		return fmt.Sprintf("a leading zero makes it octal to YAML: write %s, or %d if octal was meant", digits, meant)
	case err == nil:
		return fmt.Sprintf("write %d", meant)
	}
	value, err := strconv.ParseFloat(n.text, 64)
	if err == nil && value == math.Trunc(value) && math.Abs(value) < 1e15 {
		return fmt.Sprintf("write %.0f", value)
	}
	return ""
}

// plainReal is the notation of numbers with a fraction or an exponent. To YAML 1e3 is
// text; where no integer is wanted it can only be the number.
var plainReal = pattern.Of(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// float reads a number.
func (r words) float(n *node, what string) (value float64, ok bool) {
	if n.quoted || n.kind != number && n.kind != text || !plainReal().MatchString(n.text) {
		r.unwanted(n, what, "a number, such as 2 or 0.5", "")
		return 0, false
	}
	value, err := strconv.ParseFloat(n.text, 64)
	if err != nil {
		r.errorf(n.pos, "%s is %s, too large for a number", what, shorten(n.text))
		return 0, false
	}
	return value, true
}
