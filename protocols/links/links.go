// Package links is sets of directed links as text: `0->1`, `0<->1`,
// `{0 1}->{2 3}`, `*->3`, `*`.
package links

import "bullring/protocols"

// Set is a set of directed links. The zero value is the set of all.
type Set struct {
}

// Has reports whether the link is in the set.
func (s Set) Has(from, to protocols.ID) bool { return true }
