package foreign

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
)

// mostKinds is the number of kinds that a run can find.
const mostKinds = 64

// kinds are the kinds of messages of a run. The type of a body names its kind, without case
// and without -, _ and the dot.
type kinds struct {
	names      []string       // "" for a kind that no message has had yet
	plain      map[string]int // by type, without case and so on
	index      map[string]int // by type as nodes have written it
	open       bool           // kinds are found as they come
	itself     func() *kinds  // for messages: the explorer does not copy a function
	background []bool
	overhead   []bool
}

// newKinds returns the kinds of these names.
func newKinds(names []string) *kinds {
	k := &kinds{names: names, plain: map[string]int{}, index: map[string]int{}}
	k.itself = func() *kinds { return k }
	for i, name := range names {
		k.plain[plainly(name)] = i
	}
	return k
}

// openKinds returns the kinds of these names, and others as they come: the first message of a type makes
// the next kind.
func openKinds(first []string) *kinds {
	k := newKinds(append(slices.Clone(first), make([]string, mostKinds-len(first))...))
	k.open = true
	delete(k.plain, "")
	return k
}

// likeKinds are the kinds of the algorithm that has the message m.
func likeKinds(m protocols.Message) *kinds {
	k := newKinds(slices.Clone(m.Kinds()))
	k.background, k.overhead = protocols.BackgroundKinds(m), protocols.OverheadKinds(m)
	return k
}

// plainly is a name as it is compared.
func plainly(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

// of is the kind of a type.
func (k *kinds) of(name string) (int, error) {
	if i, known := k.index[name]; known {
		return i, nil
	}
	plain := plainly(name)
	if i, known := k.plain[plain]; known {
		if len(k.index) < mostKinds { // a node may write a type in many ways
			k.index[name] = i
		}
		return i, nil
	}
	next := len(k.plain)
	switch {
	case !k.open:
		return 0, fmt.Errorf("a message of type %q; the kinds of messages are %s", cut(name), strings.Join(k.names, ", "))
	case next == len(k.names):
		return 0, fmt.Errorf("a message of type %q, after %d other types; --kinds names the kinds of messages", cut(name), next)
	}
	k.plain[plain], k.names[next] = next, strings.ToUpper(cut(name))
	return next, nil
}

// message is the body of a message between nodes.
type message struct {
	kinds func() *kinds `explore:"-"`
	kind  int
	body  string // JSON

	carried any // what the ear of its sender gave to it: see [trial.Carrier]
}

// Kind implements [protocols.Message].
func (m message) Kind() int { return m.kind }

// Kinds implements [protocols.Message].
func (m message) Kinds() []string {
	if m.kinds == nil {
		return nil
	}
	return m.kinds().names
}

// Bits implements [protocols.Message]: the length of the JSON.
func (m message) Bits() int { return 8 * len(m.body) }

// Background implements [protocols.Backgrounder].
func (m message) Background(kind int) bool { return m.kinds != nil && at(m.kinds().background, kind) }

// Overhead implements [protocols.Overhead].
func (m message) Overhead(kind int) bool { return m.kinds != nil && at(m.kinds().overhead, kind) }

func at(table []bool, i int) bool { return i < len(table) && table[i] }

// String prints the kind, and the rest of the body: PROBE{"rank":3}.
func (m message) String() string {
	if m.kinds == nil {
		return m.body
	}
	rest := withoutType(m.body)
	if rest == "{}" {
		rest = ""
	}
	return m.kinds().names[m.kind] + rest
}
