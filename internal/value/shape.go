package value

import (
	"reflect"
	"strings"
	"sync"
)

// shape knows where the parts of the values of a type lie in memory. It is made once for each
// type; afterwards values are copied and encoded by their addresses, without reflection.
//
// That is why this package needs unsafe. The offsets are those that reflect gives. Pointers,
// strings and slices are read and written as such, and bytes are copied only where there is no
// pointer among them, so the garbage collector sees every pointer.
type shape struct {
	of       reflect.Type
	kind     reflect.Kind
	size     uintptr
	name     string  // with the path of the package
	plain    bool    // there is no pointer in it: its bytes are all that it is
	flat     bool    // an assignment copies it completely
	element  *shape  // of a pointer, slice, array or map
	key      *shape  // of a map
	length   int     // of an array
	pieces   []field // of a struct: all fields, also of structs in it; plain neighbours are one
	compared []field // of a struct: the fields that are compared
	numbers  []whole // if it consists of whole numbers: those that are compared
}

// field is a field of a struct.
type field struct {
	index  int
	offset uintptr
	*shape
}

// whole is a whole number or a bool within a value.
type whole struct {
	offset uintptr
	size   uint8 // in bytes
	signed bool
}

// mostNumbers is the largest number of numbers that are listed for a type.
const mostNumbers = 64

// shapes are the finished shapes by type. making is held while shapes are made.
var (
	shapes sync.Map
	making sync.Mutex
)

// shapeOf is the shape of a type.
func shapeOf(t reflect.Type) *shape {
	if s, known := shapes.Load(t); known {
		return s.(*shape)
	}
	making.Lock()
	defer making.Unlock()
	m := maker{}
	made := m.shape(t)
	for t, s := range m {
		shapes.Store(t, s)
	}
	return made
}

// maker makes shapes that refer to each other. It has those that were begun, because a type may
// lead back to itself.
type maker map[reflect.Type]*shape

// home is the path of the module.
var home = strings.TrimSuffix(reflect.TypeFor[shape]().PkgPath(), "/internal/value")

// nameOf is the name of a type with the path of its package. It is hashed with states, and so does
// not depend on the path under which this module is published.
func nameOf(t reflect.Type) string {
	const program = "bullring"
	return strings.ReplaceAll(t.PkgPath()+" "+t.String(), home+"/", program+"/")
}

func (m maker) shape(t reflect.Type) *shape {
	if s, known := shapes.Load(t); known {
		return s.(*shape)
	}
	if s, begun := m[t]; begun {
		return s
	}
	s := &shape{of: t, kind: t.Kind(), size: t.Size(), name: nameOf(t)}
	m[t] = s
	switch s.kind {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Interface:
	case reflect.Pointer, reflect.Slice:
		s.element = m.shape(t.Elem())
	case reflect.Map:
		s.key, s.element = m.shape(t.Key()), m.shape(t.Elem())
	case reflect.Array:
		s.element, s.length = m.shape(t.Elem()), t.Len()
		s.plain, s.flat = s.element.plain, s.element.flat
		parts := make([]field, min(s.length, mostNumbers+1))
		for i := range parts {
			parts[i] = field{i, uintptr(i) * s.element.size, s.element}
		}
		s.numbers = numbers(parts)
	case reflect.Struct:
		m.fields(s)
		s.numbers = numbers(s.compared)
	case reflect.String:
		s.flat = true
	default:
		s.plain, s.flat = true, true
		if s.kind <= reflect.Uintptr {
			s.numbers = []whole{{0, uint8(s.size), s.kind >= reflect.Int && s.kind <= reflect.Int64}}
		}
	}
	return s
}

// fields finds the fields of a struct. A field of size zero, such as an embedded set of methods, is
// not compared.
func (m maker) fields(s *shape) {
	s.plain, s.flat = true, true
	for i := range s.of.NumField() {
		of := s.of.Field(i)
		if of.Type.Size() == 0 {
			continue
		}
		f := field{i, of.Offset, m.shape(of.Type)}
		s.plain, s.flat = s.plain && f.plain, s.flat && f.flat
		if of.Tag.Get("explore") != "-" {
			s.compared = append(s.compared, f)
		}
		s.piece(f)
	}
}

// piece adds a field to the pieces, or the pieces of a struct.
func (s *shape) piece(f field) {
	k := len(s.pieces) - 1
	switch {
	case f.plain && k >= 0 && s.pieces[k].plain:
		s.pieces[k].shape = &shape{plain: true, size: f.offset + f.size - s.pieces[k].offset}
	case f.kind == reflect.Struct && !f.plain:
		for _, inner := range f.pieces {
			inner.offset += f.offset
			s.piece(inner)
		}
	default:
		s.pieces = append(s.pieces, f)
	}
}

// numbers are the numbers in all parts. They are nil if a part contains anything else.
func numbers(parts []field) (all []whole) {
	for _, part := range parts {
		if len(part.numbers) == 0 || len(all)+len(part.numbers) > mostNumbers {
			return nil
		}
		for _, n := range part.numbers {
			n.offset += part.offset
			all = append(all, n)
		}
	}
	return all
}
