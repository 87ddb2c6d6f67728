package value

import (
	"reflect"
	"unsafe"
)

// Clone returns a copy of a value. The two share no memory that can change.
func Clone[T any](v T) T {
	var to T
	c := copier{made: make([]copied, 0, few)}
	c.copy(shapeOf(reflect.TypeFor[T]()), unsafe.Pointer(&to), unsafe.Pointer(&v))
	return to
}

// copier copies a value. It has the copies behind pointers so far, so that what was shared within
// the value is shared in the copy.
type copier struct {
	known pointers
	made  []copied // by the number of the pointer to the original
}

type copied struct {
	of *shape
	at unsafe.Pointer
}

// copy copies from to to, which is zero.
func (c *copier) copy(s *shape, to, from unsafe.Pointer) {
	if s.plain {
		copyBytes(to, from, s.size)
		return
	}
	switch s.kind {
	case reflect.String:
		*(*string)(to) = *(*string)(from)
	case reflect.Struct:
		for _, f := range s.pieces {
			c.copy(f.shape, unsafe.Add(to, f.offset), unsafe.Add(from, f.offset))
		}
	case reflect.Array:
		c.elements(s.element, s.length, to, from)
	case reflect.Pointer:
		*(*unsafe.Pointer)(to) = c.pointer(s.element, *(*unsafe.Pointer)(from))
	case reflect.Slice:
		c.slice(s, to, from)
	case reflect.Interface:
		*(*dynamic)(to) = c.dynamic(s, from)
	case reflect.Map:
		if v := reflect.NewAt(s.of, from).Elem(); !v.IsNil() {
			reflect.NewAt(s.of, to).Elem().Set(c.entries(v))
		}
	default: // a function or a channel
		*(*unsafe.Pointer)(to) = *(*unsafe.Pointer)(from)
	}
}

func copyBytes(to, from unsafe.Pointer, size uintptr) {
	copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(from), size))
}

func (c *copier) elements(s *shape, count int, to, from unsafe.Pointer) {
	for i := range uintptr(count) {
		c.copy(s, unsafe.Add(to, i*s.size), unsafe.Add(from, i*s.size))
	}
}

func (c *copier) pointer(s *shape, from unsafe.Pointer) unsafe.Pointer {
	if from == nil {
		return nil
	}
	i, known := c.known.number(from)
	if !known {
		c.made = append(c.made, copied{})
	}
	if c.made[i].of != s {
		c.made[i] = copied{s, reflect.New(s.of).UnsafePointer()}
		c.copy(s, c.made[i].at, from)
	}
	return c.made[i].at
}

// slice copies a slice. It reads and writes a slice of any type as a slice of bytes, and uses
// only the address and the length.
func (c *copier) slice(s *shape, to, from unsafe.Pointer) {
	elements := *(*[]byte)(from)
	if elements == nil {
		return
	}
	count, first := len(elements), unsafe.Pointer(unsafe.SliceData(elements))
	var room unsafe.Pointer
	if s.element.plain {
		size := uintptr(count) * s.element.size
		room = unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))
		copyBytes(room, first, size)
	} else {
		room = reflect.MakeSlice(s.of, count, count).UnsafePointer()
		c.elements(s.element, count, room, first)
	}
	*(*[]byte)(to) = unsafe.Slice((*byte)(room), count)
}

// dynamic is an interface in memory: its type, and a pointer to what it holds or, if that is a
// pointer, the pointer itself.
type dynamic [2]unsafe.Pointer

// dynamic copies an interface. A value in it that is no pointer cannot change, unless there are
// pointers in it.
func (c *copier) dynamic(s *shape, from unsafe.Pointer) dynamic {
	was := *(*dynamic)(from)
	if was[0] == nil {
		return was
	}
	v := reflect.NewAt(s.of, from).Elem().Elem()
	switch held := shapeOf(v.Type()); {
	case held.flat:
	case held.kind == reflect.Pointer:
		was[1] = c.pointer(held.element, was[1])
	default:
		made := reflect.New(s.of)
		made.Elem().Set(c.held(held, v))
		was = *(*dynamic)(made.UnsafePointer())
	}
	return was
}

// entries copies a map.
func (c *copier) entries(v reflect.Value) reflect.Value {
	made := reflect.MakeMapWithSize(v.Type(), v.Len())
	for key, element := range v.Seq2() {
		made.SetMapIndex(c.held(shapeOf(key.Type()), key), c.held(shapeOf(element.Type()), element))
	}
	return made
}

// held copies a value that has no address, because a map or an interface holds it.
func (c *copier) held(s *shape, v reflect.Value) reflect.Value {
	from, to := reflect.New(s.of), reflect.New(s.of)
	from.Elem().Set(v)
	c.copy(s, to.UnsafePointer(), from.UnsafePointer())
	return to.Elem()
}
