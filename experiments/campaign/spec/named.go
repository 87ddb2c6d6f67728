package spec

import "cmp"

// valueNames are the names of values, by axis and value.
type valueNames map[string]map[string]string

// NameOf returns the name that the sweep gives to a value of a field, for legends, axes and
// captions; "" if it gives none.
func (s *Spec) NameOf(field, value string) string { return s.named[field][value] }

// unnamed takes the names off values: of {VALUE: NAME} it leaves the value. The names are by
// the place of the value.
func unnamed(n *node) (bare *node, given map[Pos]*node) {
	given = map[Pos]*node{}
	if n.kind != sequence {
		return withoutName(n, given), given
	}
	list := *n
	list.items = make([]*node, len(n.items))
	for i, item := range n.items {
		list.items[i] = withoutName(item, given)
	}
	return &list, given
}

func withoutName(n *node, given map[Pos]*node) *node {
	if n.kind != mapping || len(n.pairs) != 1 {
		return n
	}
	value := n.pairs[0].key
	given[value.pos] = n.pairs[0].value
	return value
}

// setName notes the name of a value, if it has one. A value has one name, and a name is of one
// value.
func (r axisReader) setName(a axis, v value, name *node) {
	if name == nil {
		return
	}
	text := r.line(name, "the name of a value")
	if text == "" {
		return
	}
	named := r.named[a.Name]
	if named == nil {
		named = map[string]string{}
		r.named[a.Name] = named
	}
	if earlier := named[v.text]; earlier != "" && earlier != text {
		r.errorf(name.pos, "%s %q has the name %q already, and cannot be %q, too", a.Name, shorten(v.text), shorten(earlier), shorten(text))
		return
	}
	for other, taken := range named {
		if other != v.text && taken == text {
			r.errorf(name.pos, "the name %q of %s %q is that of %q already", shorten(text), a.Name, shorten(v.text), shorten(other))
			return
		}
	}
	named[v.text] = text
}

// valued puts the values of a field in the place of their names, in a value or a list of them.
func (r axisReader) valued(n *node, field string) *node {
	if n.kind == sequence {
		list := *n
		list.items = make([]*node, len(n.items))
		for i, item := range n.items {
			list.items[i] = r.valued(item, field)
		}
		return &list
	}
	named := r.named[field]
	if _, isValue := named[n.text]; n.kind != text || isValue {
		return n
	}
	for value, name := range named {
		if name == n.text {
			bare := *n
			bare.text, bare.quoted = cmp.Or(value, "none"), false
			return &bare
		}
	}
	return n
}

// namedSchema is a value with its name.
func namedSchema() *schema {
	return (&schema{Type: "object", PatternProperties: properties{{Name: ".", Schema: line()}}, MinProperties: 1}).About("a value with its name, {VALUE: NAME}")
}
