// Package value copies, compares and prints values by walking their fields, exported or not.
// So the processes and messages of an algorithm need no methods for that.
//
// Everything that a value reaches is part of its state, except a field with the tag
//
//	explore:"-"
//
// which is copied, but neither compared nor printed. The tag is for what an observer keeps for a
// report, such as a count of events.
//
// The walk does not see the capacity of a slice, that two slices share an array, that a pointer
// leads into the middle of another value, and which of two pointers with equal contents is the
// key of a map. A process whose handlers distinguish such states cannot be explored.
package value

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// Clone returns a copy of a value. The two share no memory that can change.
func Clone[T any](v T) T {
	var to T
	c := copier{}
	c.copy(reflect.ValueOf(&to).Elem(), reflect.ValueOf(&v).Elem())
	return to
}

// copier copies a value. It has the copies so far by address, so that what was shared within the
// value is shared in the copy.
type copier map[unsafe.Pointer]reflect.Value

// copy copies from to to. Both are addressable.
func (c *copier) copy(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		if from.IsNil() {
			return
		}
		at := from.UnsafePointer()
		made, known := (*c)[at]
		if !known || made.Type() != from.Type() {
			made = reflect.New(from.Type().Elem())
			(*c)[at] = made
			c.copy(made.Elem(), from.Elem())
		}
		to.Set(made)
	case reflect.Interface:
		if from.IsNil() {
			return
		}
		to.Set(c.copied(from.Elem()))
	case reflect.Struct:
		if isFlat(from.Type()) {
			to.Set(from)
			return
		}
		for i := range from.NumField() {
			c.copy(open(to.Field(i)), open(from.Field(i)))
		}
	case reflect.Array:
		for i := range from.Len() {
			c.copy(to.Index(i), from.Index(i))
		}
	case reflect.Slice:
		if from.IsNil() {
			return
		}
		made := reflect.MakeSlice(from.Type(), from.Len(), from.Len())
		if isFlat(from.Type().Elem()) {
			reflect.Copy(made, from)
		} else {
			for i := range from.Len() {
				c.copy(made.Index(i), from.Index(i))
			}
		}
		to.Set(made)
	case reflect.Map:
		if from.IsNil() {
			return
		}
		made := reflect.MakeMapWithSize(from.Type(), from.Len())
		for _, key := range from.MapKeys() {
			made.SetMapIndex(c.copied(key), c.copied(from.MapIndex(key)))
		}
		to.Set(made)
	default:
		to.Set(from)
	}
}

// copied is a copy of a value that is not addressable, such as one in a map or an interface.
func (c *copier) copied(v reflect.Value) reflect.Value {
	held := reflect.New(v.Type()).Elem()
	held.Set(v)
	made := reflect.New(v.Type()).Elem()
	c.copy(made, held)
	return made
}

// open gives access to a field that is not exported.
func open(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// flat tells by type whether an assignment copies a value completely.
var flat sync.Map

func isFlat(t reflect.Type) bool {
	if is, known := flat.Load(t); known {
		return is.(bool)
	}
	is := true
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		is = false
	case reflect.Array:
		is = isFlat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			is = is && isFlat(t.Field(i).Type)
		}
	}
	flat.Store(t, is)
	return is
}

// compared has, by type of struct, the fields that are compared. A field of size zero, such as an
// embedded set of methods, is not.
var compared sync.Map

func comparedFields(t reflect.Type) []int {
	if fields, known := compared.Load(t); known {
		return fields.([]int)
	}
	fields := []int{}
	for i := range t.NumField() {
		if f := t.Field(i); f.Type.Size() > 0 && f.Tag.Get("explore") != "-" {
			fields = append(fields, i)
		}
	}
	compared.Store(t, fields)
	return fields
}

// Encode returns a text for a value: two values have the same text exactly if they are equal. A nil
// slice differs from an empty one, because a handler can tell. Encode panics with Incomparable on
// a function or a channel.
func Encode(v reflect.Value) []byte {
	e := encoder{seen: map[unsafe.Pointer]int{}}
	e.value(v)
	return e.text
}

type encoder struct {
	text []byte
	seen map[unsafe.Pointer]int // the pointers followed so far, with their numbers
}

func (e *encoder) number(x uint64) { e.text = binary.AppendUvarint(e.text, x) }

func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		e.number(0)
	case reflect.Bool:
		if v.Bool() {
			e.number(1)
		} else {
			e.number(0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.text = binary.AppendVarint(e.text, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.number(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		e.number(math.Float64bits(real(v.Complex())))
		e.number(math.Float64bits(imag(v.Complex())))
	case reflect.String:
		e.number(uint64(v.Len()))
		e.text = append(e.text, v.String()...)
	case reflect.Struct:
		for _, i := range comparedFields(v.Type()) {
			e.value(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			e.number(0)
			return
		}
		e.number(uint64(v.Len()) + 1)
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Pointer:
		e.pointer(v)
	case reflect.Interface:
		e.dynamic(v)
	case reflect.Map:
		e.entries(v)
	default:
		panic(Incomparable{v.Type()})
	}
}

// Incomparable is the type of a value that cannot be compared: Encode panics with it.
type Incomparable struct{ reflect.Type }

func (t Incomparable) Error() string {
	return fmt.Sprintf("a state that holds a %v cannot be compared with another", t.Type)
}

// pointer encodes the value behind a pointer, or the number of an earlier pointer to it.
func (e *encoder) pointer(v reflect.Value) {
	if v.IsNil() {
		e.number(0)
		return
	}
	at := v.UnsafePointer()
	if i, known := e.seen[at]; known {
		e.number(uint64(i) + 2)
		return
	}
	e.seen[at] = len(e.seen)
	e.number(1)
	e.value(v.Elem())
}

// dynamic encodes the value in an interface, with its type.
func (e *encoder) dynamic(v reflect.Value) {
	if v.IsNil() {
		e.number(0)
		return
	}
	name := v.Elem().Type().PkgPath() + " " + v.Elem().Type().String()
	e.number(uint64(len(name)))
	e.text = append(e.text, name...)
	e.value(v.Elem())
}

// entries encodes a map in the order of the texts of its keys.
func (e *encoder) entries(v reflect.Value) {
	if v.IsNil() {
		e.number(0)
		return
	}
	keys := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		keys[string(Encode(key))] = key
	}
	e.number(uint64(len(keys)) + 1)
	for _, text := range slices.Sorted(maps.Keys(keys)) {
		e.text = append(e.text, text...)
		e.value(v.MapIndex(keys[text]))
	}
}

// Flat reports whether a value shares no memory that can change with a plain copy of it.
func Flat(v any) bool { return flatValue(reflect.ValueOf(v)) }

func flatValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	case reflect.Interface:
		return v.IsNil() || flatValue(v.Elem())
	case reflect.Struct:
		for _, i := range comparedFields(v.Type()) {
			if !flatValue(v.Field(i)) {
				return false
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if !flatValue(v.Index(i)) {
				return false
			}
		}
	}
	return true
}
