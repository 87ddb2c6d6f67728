package spec

import (
	"cmp"
	"fmt"
	"slices"
)

// entries reads `algorithms`.
func (r *reader) entries(n *node, shared *level) []Entry {
	if n.kind == sequence && len(n.items) > maxEntries {
		r.errorf(n.pos, "algorithms has %d entries; there may be %d at most", len(n.items), maxEntries)
		return nil
	}
	var entries []Entry
	r.each(n, "algorithms", func(item *node) {
		if e, ok := r.entry(item, shared); ok {
			entries = append(entries, e)
		}
	})
	return entries
}

// entry reads one algorithm: its name, or a mapping with axes of its own.
func (r *reader) entry(n *node, shared *level) (Entry, bool) {
	e := Entry{Pos: n.pos}
	own := &level{}
	switch n.kind {
	case mapping:
		r.mapping(n, "an algorithm's entry", r.entryFields(&e, own))
	case text:
		e.Algorithm = r.algorithm(n)
	default:
		r.unwanted(n, "an entry of algorithms", "an algorithm's name or a mapping", "")
	}
	if e.Algorithm == "" {
		return e, false
	}
	e.Label = cmp.Or(e.Label, e.Algorithm)
	all := r.overlay(shared, own)
	e.values, e.groups = all.values, all.groups
	r.checkVariants(&e)
	return e, true
}

func (r *reader) entryFields(e *Entry, own *level) []field {
	return slices.Concat([]field{
		{"algorithm", true, ref("algorithm"), func(n *node) { e.Algorithm = r.algorithm(n) }},
		{"label", false, line().About("default: the algorithm's name"), func(n *node) { e.Label = r.line(n, "label") }},
	}, r.axisFields(own), []field{
		{"zip", false, oneOrMore(ref("zip")).About("axes that vary together in this entry"), func(n *node) { r.zip(n, own) }},
	})
}

// checkVariants checks the variants of an entry.
func (r *reader) checkVariants(e *Entry) {
	if r.check.Variant == nil {
		return
	}
	for _, v := range e.values[axisIndex("variant")] {
		if v.text == "" {
			continue
		}
		if err := r.check.Variant(e.Algorithm, v.text); err != nil {
			r.add(Error{Pos: v.pos, Message: fmt.Sprintf("variant: %v", err), Cause: err})
		}
	}
}
