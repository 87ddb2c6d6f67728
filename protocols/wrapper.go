package protocols

// Wrapper is the part that all wrappers have in common, to be embedded in the process of each:
// it passes on to the process inside what the driver asks. A wrapper adds its messages, Receive
// and what [Outside] says. It replaces the methods in which it acts itself. If it acts in Boot
// whatever it wraps, it replaces Boots, too; if it has stable storage of its own, Lasts; if it acts
// when links change, Linked.
//
// A node needs no such part. The node of the process inside embeds the Node below, and
// replaces Send and what else it changes. It passes Neighbors on, and Broadcast if that stays one
// message: see [Near] and [Broadcaster].
type Wrapper[M, W any, P Outside[M, W]] struct {
	Inner   Process[M]
	outside P `explore:"-"`
}

// Outside is what the process of a wrapper adds to [Wrapper].
type Outside[M, W any] interface {
	Process[W]
	Sampler[W]
	// Enter begins a handler of the process inside. It returns the node of that process.
	Enter(n Node[W]) Node[M]
}

// Around returns the Wrapper that is embedded in outside.
func Around[M, W any, P Outside[M, W]](inner Process[M], outside P) Wrapper[M, W, P] {
	return Wrapper[M, W, P]{inner, outside}
}

// Inside implements [Cover].
func (w *Wrapper[M, W, P]) Inside() any { return w.Inner }

// Start implements [Process].
func (w *Wrapper[M, W, P]) Start(n Node[W]) { w.Inner.Start(w.outside.Enter(n)) }

// Timeout implements [Process].
func (w *Wrapper[M, W, P]) Timeout(n Node[W], t Timer) { w.Inner.Timeout(w.outside.Enter(n), t) }

// TimerName implements [TimerNamer].
func (w *Wrapper[M, W, P]) TimerName(t Timer) string { return TimerName(w.Inner, t) }

// Boots implements [Partial].
func (w *Wrapper[M, W, P]) Boots() bool {
	_, boots := AsBooter(w.Inner)
	return boots
}

// Lasts implements [Partial].
func (w *Wrapper[M, W, P]) Lasts() bool {
	_, lasts := AsStable(w.Inner)
	return lasts
}

// Linked implements [PartlyLinked].
func (w *Wrapper[M, W, P]) Linked() bool {
	_, linked := AsLinked(w.Inner)
	return linked
}

// Boot implements [Booter].
func (w *Wrapper[M, W, P]) Boot(n Node[W]) {
	if b, ok := AsBooter(w.Inner); ok {
		b.Boot(w.outside.Enter(n))
	}
}

// Restore implements [Stable].
func (w *Wrapper[M, W, P]) Restore(crashed Process[W]) {
	if s, ok := AsStable(w.Inner); ok {
		s.Restore(crashed.(Cover).Inside().(Process[M]))
	}
}

// Recover implements [Recoverer].
func (w *Wrapper[M, W, P]) Recover(n Node[W]) {
	if r, ok := w.Inner.(Recoverer[M]); ok {
		r.Recover(w.outside.Enter(n))
	}
}

// LinkUp implements [Linked].
func (w *Wrapper[M, W, P]) LinkUp(n Node[W], to ID) {
	if l, ok := AsLinked(w.Inner); ok {
		l.LinkUp(w.outside.Enter(n), to)
	}
}

// LinkDown implements [Linked].
func (w *Wrapper[M, W, P]) LinkDown(n Node[W], to ID) {
	if l, ok := AsLinked(w.Inner); ok {
		l.LinkDown(w.outside.Enter(n), to)
	}
}

// Cover is a process that wraps another one.
type Cover interface {
	// Inside is the process that it wraps.
	Inside() any
}

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
