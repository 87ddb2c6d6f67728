package protocols

// Partial is a wrapper that has the methods of a [Booter] and of a [Stable] process
// whatever it wraps. It tells whether the process inside is one.
type Partial interface {
	// Boots reports whether the process inside is a Booter.
	Boots() bool
	// Lasts reports whether the process inside is Stable.
	Lasts() bool
}

// Cover is a wrapper that changes only the type of the messages.
type Cover interface {
	// Inside is the process that it wraps.
	Inside() any
}

// AsBooter is the process as a Booter. ok is false if it is none, or wraps none.
func AsBooter[M any](p Process[M]) (b Booter[M], ok bool) {
	b, ok = p.(Booter[M])
	if w, wraps := p.(Partial); wraps {
		ok = ok && w.Boots()
	}
	return b, ok
}

// AsStable is the process as a Stable one. ok is false if it is none, or wraps none.
func AsStable[M any](p Process[M]) (s Stable[M], ok bool) {
	s, ok = p.(Stable[M])
	if w, wraps := p.(Partial); wraps {
		ok = ok && w.Lasts()
	}
	return s, ok
}

// IsBackground reports whether messages of a kind are background: see [Backgrounder]. A
// wrapper asks it about the message inside.
func IsBackground(m Message, kind int) bool {
	b, ok := m.(Backgrounder)
	return ok && b.Background(kind)
}

// IsOverhead reports whether messages of a kind are overhead: see [Overhead]. A wrapper
// asks it about the message inside.
func IsOverhead(m Message, kind int) bool {
	o, ok := m.(Overhead)
	return ok && o.Overhead(kind)
}

// Forge returns the message with every identity replaced by f of it. A message that is
// not [Forgeable] stays as it is.
func Forge[M any](m M, f func(identity int64) int64) M {
	if forgeable, ok := any(m).(Forgeable[M]); ok {
		return forgeable.Forge(f)
	}
	return m
}
