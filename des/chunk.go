package des

import "reflect"

const chunkLen = 32 // events in a chunk

// chunk is a piece of a bucket. Chunks are recycled.
type chunk[T any] struct {
	next   *chunk[T]
	n      uint // number of events; unsigned, which spares a bounds check when one is appended
	events [chunkLen]Event[T]
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

func (p *pool[T]) get() *chunk[T] {
	if c := p.free; c != nil {
		p.free, c.next = c.next, nil
		return c
	}
	if len(p.slab) == 0 {
		p.slab = make([]chunk[T], slabLen)
	}
	c := &p.slab[0]
	p.slab = p.slab[1:]
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
