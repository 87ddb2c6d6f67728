package protocols

// Partial is a wrapper that has the methods of a [Booter] and of a [Stable] process
// whatever it wraps. It tells whether the process inside is one.
type Partial interface {
	// Boots reports whether the process inside is a Booter.
	Boots() bool
	// Lasts reports whether the process inside is Stable.
	Lasts() bool
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
