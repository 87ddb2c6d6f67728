package des

import "reflect"

const chunkLen = 32 // events in a chunk

// chunk is a piece of a bucket. Chunks are recycled.
type chunk[T any] struct {
	n      uint // number of events; unsigned, which spares a bounds check when one is appended
	mixed  bool // the events are not in order
	bucket *bucket[T]
	next   *chunk[T]
	events [chunkLen]Event[T]
}

// append returns the place of one more event. Only if there is room.
func (c *chunk[T]) append(t Time, key uint64) *Event[T] {
	n := c.n
	c.n++
	if n > 0 && !c.mixed {
		if last := &c.events[(n-1)&(chunkLen-1)]; t < last.At || t == last.At && key < last.key {
			c.mixed = true
		}
	}
	return &c.events[n&(chunkLen-1)]
}

// sorted reports whether the events of this chunk and those after it are in order.
func (c *chunk[T]) sorted() bool {
	for ; !c.mixed; c = c.next {
		if c.next == nil {
			return true
		}
		if c.next.n > 0 && c.next.events[0].before(&c.events[chunkLen-1]) {
			return false
		}
	}
	return false
}

func (c *chunk[T]) each(f func(*Event[T])) {
	for ; c != nil; c = c.next {
		for i := range c.events[:c.n] {
			f(&c.events[i])
		}
	}
}

// pool recycles chunks, and allocates slabLen of them at a time.
type pool[T any] struct {
	free     *chunk[T]
	slab     []chunk[T]
	pointers bool // T holds pointers, which freed chunks have to drop
}

const slabLen = 32

func (p *pool[T]) init() {
	p.pointers = holdsPointers(reflect.TypeFor[T]())
}

// get returns an empty chunk for a bucket.
func (p *pool[T]) get(b *bucket[T]) *chunk[T] {
	c := p.free
	if c == nil {
		if len(p.slab) == 0 {
			p.slab = make([]chunk[T], slabLen)
		}
		c = &p.slab[0]
		p.slab = p.slab[1:]
	}
	p.free, c.next = c.next, nil
	c.bucket, c.mixed = b, false
	return c
}

func (p *pool[T]) put(c *chunk[T]) {
	if p.pointers {
		clear(c.events[:c.n])
	}
	c.n = 0
	c.next = p.free
	p.free = c
}

func (p *pool[T]) putAll(c *chunk[T]) {
	for c != nil {
		next := c.next
		p.put(c)
		c = next
	}
}

func holdsPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return false
	case reflect.Array:
		return t.Len() > 0 && holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return true
}
