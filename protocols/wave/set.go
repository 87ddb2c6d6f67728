package wave

import (
	"fmt"
	"math/bits"
	"strings"

	"bullring/protocols"
)

// Set is a set of addresses. It is a value that never changes, and a text that JSON can carry: bit i
// of byte k is the address 7k+i, and the last byte is not 0.
type Set string

const inByte = 7 // addresses in a byte

// Has reports whether an address is in the set.
func (s Set) Has(p protocols.ID) bool {
	k := int(p) / inByte
	return k < len(s) && s[k]>>(int(p)%inByte)&1 == 1
}

// With is the set and an address.
func (s Set) With(p protocols.ID) Set {
	if s.Has(p) {
		return s
	}
	k := int(p) / inByte
	b := make([]byte, max(len(s), k+1))
	copy(b, s)
	b[k] |= 1 << (int(p) % inByte)
	return Set(b)
}

// And is the union of two sets.
func (s Set) And(t Set) Set {
	if len(s) < len(t) {
		s, t = t, s
	}
	var b []byte // a copy, if there is anything new
	for k := range len(t) {
		if t[k]&^s[k] == 0 {
			continue
		}
		if b == nil {
			b = []byte(s)
		}
		b[k] |= t[k]
	}
	if b == nil {
		return s
	}
	return Set(b)
}

// Len is the number of addresses.
func (s Set) Len() int {
	k := 0
	for i := range len(s) {
		k += bits.OnesCount8(s[i])
	}
	return k
}

// Lacks is the first of n processes that is not in the set, or Nobody.
func (s Set) Lacks(n int) protocols.ID {
	for p := range protocols.ID(n) {
		if !s.Has(p) {
			return p
		}
	}
	return Nobody
}

// String prints the addresses: {0-3,5}.
func (s Set) String() string {
	var words []string
	for p := protocols.ID(0); int(p) < inByte*len(s); p++ {
		if !s.Has(p) {
			continue
		}
		first := p
		for s.Has(p + 1) {
			p++
		}
		switch p - first {
		case 0:
			words = append(words, fmt.Sprint(first))
		case 1:
			words = append(words, fmt.Sprint(first), fmt.Sprint(p))
		default:
			words = append(words, fmt.Sprintf("%v-%v", first, p))
		}
	}
	return "{" + strings.Join(words, ",") + "}"
}
