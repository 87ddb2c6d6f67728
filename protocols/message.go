package protocols

import (
	"slices"
	"strconv"
)

// Message is what a driver must know of a message to count it. It calls the methods
// on values, and Kinds also on a [Sample].
type Message interface {
	// Kind is the index of the message's kind in Kinds.
	Kind() int
	// Kinds names the kinds as the literature does. All values of a type return the
	// same slice (but see [Sampler]), which must not be modified.
	Kinds() []string
	// Bits is the size of the message on the wire, in bits. Convention of the
	// project: 8 for the kind, 64 for an identity or an address, 64 for an attribute
	// that is not zero.
	Bits() int
}

// Type tells the messages of one algorithm apart: it is their Kind.
type Type uint8

// Namer names the types of the messages of one algorithm. It is the type parameter of
// messages that many algorithms share, such as those that carry a rank in package
// election. They have the same fields, so the code that drives them is compiled once.
type Namer interface {
	// Names are the names of the types, from 0: the Kinds of the messages.
	Names() []string
}

// Unknown is the text of a panic: a process has got a message of a type that its
// algorithm does not have. The driver adds which process, and from whom.
func Unknown(m Message) string { return "a message of unknown type " + strconv.Itoa(m.Kind()) }

// Backgrounder is an optional extension of Message: some kinds belong to a service
// that never ends, and do not keep a run alive. It is called on a [Sample].
type Backgrounder interface {
	// Background reports whether messages of that kind belong to such a service.
	Background(kind int) bool
}

// Overhead is an optional extension of Message: some kinds belong to a wrapper and
// not to the algorithm inside, such as acknowledgements. They are counted apart. It is
// called on a [Sample].
type Overhead interface {
	// Overhead reports whether messages of that kind belong to a wrapper.
	Overhead(kind int) bool
}

// Forgeable is an optional extension of a message of type M. With it an algorithm
// takes part in plans in which processes lie, and in runs over links that alter
// messages.
type Forgeable[M any] interface {
	// Forge returns the message with every identity replaced by f of it. It modifies
	// nothing that the message shares with others.
	Forge(f func(identity int64) int64) M
}

// Sampler is a process whose messages have kinds that the zero value of their type
// does not know. Package box has such messages: they hold messages of any type.
type Sampler[M any] interface {
	// Sample is a message that knows all kinds that the process sends and receives.
	Sample() M
}

// Sample is a message that knows the kinds of all messages of a process: the zero
// value, unless the process is a Sampler.
func Sample[M Message](p Process[M]) (m M) {
	if s, ok := p.(Sampler[M]); ok {
		return s.Sample()
	}
	return m
}

// BackgroundKinds tells, by kind, which messages are background. It is nil if none is.
func BackgroundKinds(m Message) []bool {
	b, ok := m.(Backgrounder)
	if !ok {
		return nil
	}
	return tabulate(len(m.Kinds()), b.Background)
}

// OverheadKinds tells, by kind, which messages are overhead. It is nil if none is.
func OverheadKinds(m Message) []bool {
	o, ok := m.(Overhead)
	if !ok {
		return nil
	}
	return tabulate(len(m.Kinds()), o.Overhead)
}

// tabulate is has(k) for every kind k, or nil if it is false for all.
func tabulate(kinds int, has func(kind int) bool) []bool {
	table := make([]bool, kinds)
	for k := range table {
		table[k] = has(k)
	}
	if !slices.Contains(table, true) {
		return nil
	}
	return table
}
