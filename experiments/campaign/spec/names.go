package spec

import (
	"fmt"
	"slices"
	"strings"
)

// names reads words that the caller knows.
type names struct {
	words
	check *Checker
}

// algorithm reads the name of an algorithm; "" after an error.
func (r names) algorithm(n *node) string {
	return r.known(n, "algorithm", r.check.Algorithm, r.check.Algorithms)
}

// known reads a name and checks it with a function or a list of the caller; "" after an
// error.
func (r names) known(n *node, what string, check func(string) error, names []string) string {
	name := r.line(n, what)
	if name == "" {
		return ""
	}
	var err error
	switch {
	case check != nil:
		err = check(name)
	case len(names) > 0 && !slices.Contains(names, name):
		r.hintf(n.pos, didYouMean(name, names), "there is no %s %q: known are %s", what, shorten(name), strings.Join(names, ", "))
		return ""
	}
	if err == nil {
		return name
	}
	hint := didYouMean(name, names)
	if strings.Contains(err.Error(), "did you mean") {
		hint = "" // the caller said so already
	}
	r.add(Error{Pos: n.pos, Message: fmt.Sprintf("%s: %v", what, err), Hint: hint, Cause: err})
	return ""
}

// checkValue asks the caller about a value.
func (r names) checkValue(a axis, v value) {
	if r.check.Value == nil || v.text == "" || a.Condition == &reach {
		return
	}
	if err := r.check.Value(a.Name, v.text); err != nil {
		r.add(Error{Pos: v.pos, Message: fmt.Sprintf("%s: %v", a.Name, err), Cause: err})
	}
}

// markup reads a line of text that is drawn; "" after an error.
func (r names) markup(n *node, what string) string {
	text := r.line(n, what)
	if text == "" || r.check.Text == nil {
		return text
	}
	if err := r.check.Text(text); err != nil {
		r.add(Error{Pos: n.pos, Message: fmt.Sprintf("%s: %v", what, err), Cause: err})
		return ""
	}
	return text
}
