package value

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

// Append appends a text for a value: two values of a type have the same text exactly if they are
// equal. A nil slice differs from an empty one, because a handler can tell. Append panics with
// Incomparable on a function or a channel.
func Append[T any](text []byte, v *T) []byte {
	e := encoder{text: text}
	e.value(shapeOf(reflect.TypeFor[T]()), unsafe.Pointer(v))
	return e.text
}

type encoder struct {
	text []byte
	seen pointers // that were followed
}

// Incomparable is the type of a value that cannot be compared: Append panics with it.
type Incomparable struct{ of reflect.Type }

func (t Incomparable) Error() string {
	return fmt.Sprintf("a state that holds a %v cannot be compared with another", t.of)
}

func (e *encoder) number(x uint64) { e.text = binary.AppendUvarint(e.text, x) }

func (e *encoder) value(s *shape, at unsafe.Pointer) {
	if len(s.numbers) > 0 {
		e.numbers(s.numbers, at)
		return
	}
	switch s.kind {
	case reflect.Struct:
		for _, f := range s.compared {
			e.value(f.shape, unsafe.Add(at, f.offset))
		}
	case reflect.Array:
		e.elements(s.element, s.length, at)
	case reflect.Slice:
		elements := *(*[]byte)(at) // of any type: only the address and the length are used
		if elements == nil {
			e.number(0)
			return
		}
		e.number(uint64(len(elements)) + 1)
		e.elements(s.element, len(elements), unsafe.Pointer(unsafe.SliceData(elements)))
	case reflect.Pointer:
		e.pointer(s.element, *(*unsafe.Pointer)(at))
	case reflect.Interface:
		e.dynamic(reflect.NewAt(s.of, at).Elem())
	case reflect.Map:
		e.entries(s, reflect.NewAt(s.of, at).Elem())
	default:
		e.basic(s, at)
	}
}

func (e *encoder) elements(s *shape, count int, at unsafe.Pointer) {
	for i := range uintptr(count) {
		e.value(s, unsafe.Add(at, i*s.size))
	}
}

// numbers encodes a value that consists of whole numbers.
func (e *encoder) numbers(parts []whole, at unsafe.Pointer) {
	text := e.text
	for _, n := range parts {
		var x int64
		switch from := unsafe.Add(at, n.offset); n.size {
		case 1:
			x = int64(*(*int8)(from))
		case 2:
			x = int64(*(*int16)(from))
		case 4:
			x = int64(*(*int32)(from))
		default:
			x = *(*int64)(from)
		}
		if n.signed {
			x = x<<1 ^ x>>63 // as a varint
		} else {
			x &= 1<<(8*n.size) - 1
		}
		if x>>7 == 0 {
			text = append(text, byte(x))
		} else {
			text = binary.AppendUvarint(text, uint64(x))
		}
	}
	e.text = text
}

// basic encodes a string, or a number that is not whole.
func (e *encoder) basic(s *shape, at unsafe.Pointer) {
	switch s.kind {
	case reflect.Float32:
		e.number(math.Float64bits(float64(*(*float32)(at))))
	case reflect.Float64:
		e.number(math.Float64bits(*(*float64)(at)))
	case reflect.Complex64:
		e.complex(complex128(*(*complex64)(at)))
	case reflect.Complex128:
		e.complex(*(*complex128)(at))
	case reflect.String:
		text := *(*string)(at)
		e.number(uint64(len(text)))
		e.text = append(e.text, text...)
	default:
		panic(Incomparable{s.of})
	}
}

func (e *encoder) complex(c complex128) {
	e.number(math.Float64bits(real(c)))
	e.number(math.Float64bits(imag(c)))
}

// pointer encodes the value behind a pointer, or the number of an earlier pointer to it.
func (e *encoder) pointer(s *shape, to unsafe.Pointer) {
	if to == nil {
		e.number(0)
		return
	}
	if i, known := e.seen.number(to); known {
		e.number(uint64(i) + 2)
		return
	}
	e.number(1)
	e.value(s, to)
}

// dynamic encodes the value in an interface, with its type.
func (e *encoder) dynamic(v reflect.Value) {
	if v.IsNil() {
		e.number(0)
		return
	}
	s := shapeOf(v.Elem().Type())
	e.number(uint64(len(s.name)))
	e.text = append(e.text, s.name...)
	e.held(s, v.Elem())
}

// entries encodes a map in the order of the texts of its keys.
func (e *encoder) entries(s *shape, v reflect.Value) {
	if v.IsNil() {
		e.number(0)
		return
	}
	elements := map[string]reflect.Value{}
	for key, element := range v.Seq2() {
		k := encoder{}
		k.held(s.key, key)
		elements[string(k.text)] = element
	}
	e.number(uint64(len(elements)) + 1)
	for _, text := range slices.Sorted(maps.Keys(elements)) {
		e.text = append(e.text, text...)
		e.held(s.element, elements[text])
	}
}

// held encodes a value that has no address, because a map or an interface holds it.
func (e *encoder) held(s *shape, v reflect.Value) {
	if s.kind == reflect.Pointer {
		e.pointer(s.element, v.UnsafePointer())
		return
	}
	held := reflect.New(s.of)
	held.Elem().Set(v)
	e.value(s, held.UnsafePointer())
}
