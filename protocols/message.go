package protocols

import "fmt"

// Message is what a driver must know of a message to count it. The methods
// are called on values; Kinds also on a [Sample].
type Message interface {
	// Kind is the index of this message's kind in Kinds.
	Kind() int
	// Kinds names the kinds as the literature does. It is the same slice for
	// every value of the type (but see [Sampler]) and must not be modified.
	Kinds() []string
	// Bits is the size of the message on the wire, in bits, under the
	// project's convention: 8 for the kind, 64 for an identity or an address,
	// 64 for an attribute that is not zero.
	Bits() int
}

// Type is a type of small numbers that tells the messages of an algorithm apart,
// and names them. Messages of several algorithms that differ in nothing else share
// their code by it: see package election.
type Type interface {
	~uint8
	// Names are the names of the numbers from 0. See [Message]: this is Kinds.
	Names() []string
}

// Unknown is what a process panics with when it gets a message of a type that its
// algorithm does not have. The driver adds which process, and from whom.
func Unknown(m Message) string { return fmt.Sprintf("a message of unknown type %d", m.Kind()) }

// Backgrounder is an optional extension of Message: messages of a service that
// never ends. They do not keep a run alive. It is called on a [Sample].
type Backgrounder interface {
	// Background reports whether messages of that kind are such.
	Background(kind int) bool
}

// Overhead is an optional extension of Message: which kinds of messages are
// those of a transformer, such as acknowledgements, and not of the algorithm that
// it wraps. They are counted apart. It is called on a [Sample].
type Overhead interface {
	// Overhead reports whether messages of that kind are a transformer's.
	Overhead(kind int) bool
}

// Forgeable is an optional extension of a message of type M: an algorithm that
// opts in to processes that lie and to links that alter messages.
type Forgeable[M any] interface {
	// Forge returns the message with every identity in it replaced by what f
	// makes of it. It modifies nothing that the message shares with others.
	Forge(f func(identity int64) int64) M
}

// Sampler is implemented by a process whose messages have kinds that the zero value of
// their type does not know, such as boxes with messages of any type.
type Sampler[M any] interface {
	// Sample is a message that stands for all that the process sends and receives.
	Sample() M
}

// Sample is a message that knows the kinds of all messages of a process: the zero value,
// unless the process is a Sampler.
func Sample[M Message](p Process[M]) (m M) {
	if s, ok := p.(Sampler[M]); ok {
		return s.Sample()
	}
	return m
}

// BackgroundKinds says of each kind of a message's type whether it is of a service that
// never ends; nil if none is.
func BackgroundKinds(m Message) []bool {
	b, ok := m.(Backgrounder)
	if !ok {
		return nil
	}
	return tabulate(len(m.Kinds()), b.Background)
}

// OverheadKinds says of each kind of a message's type whether it is a transformer's; nil
// if none is.
func OverheadKinds(m Message) []bool {
	o, ok := m.(Overhead)
	if !ok {
		return nil
	}
	return tabulate(len(m.Kinds()), o.Overhead)
}

func tabulate(kinds int, has func(kind int) bool) []bool {
	table, some := make([]bool, kinds), false
	for k := range table {
		table[k] = has(k)
		some = some || table[k]
	}
	if !some {
		return nil
	}
	return table
}
