package value

import (
	"math"
	"reflect"
	"strings"
	"unsafe"
)

// Size is how large the numbers and lists of one name are in a value.
type Size struct {
	Name string // the fields that lead there, as Fields names them
	Most int64  // the largest magnitude of a number, or number of elements
}

// Sizes lists how large the numbers and the lists of a struct are, or of the struct that a pointer leads
// to, in the order of its fields. What is in a list has the name of the list. Fields that are not
// compared are left out, and so are numbers that stand for infinity.
func Sizes(v any) []Size {
	m := sizer{seen: map[unsafe.Pointer]bool{}, at: map[string]int{}}
	m.measure(reflect.ValueOf(v), "", mostDepth)
	return m.sizes
}

// SizeOf is how large the numbers or lists of one name are, without a look at the others: see Sizes.
// known is false if the value has none.
func SizeOf(v any, name string) (most int64, known bool) {
	m := sizer{seen: map[unsafe.Pointer]bool{}, at: map[string]int{}, only: name}
	m.measure(reflect.ValueOf(v), "", mostDepth)
	i, known := m.at[name]
	if !known {
		return 0, false
	}
	return m.sizes[i].Most, true
}

// sizer lists sizes.
type sizer struct {
	only  string // the name that is wanted, "" if all are
	sizes []Size
	at    map[string]int
	seen  map[unsafe.Pointer]bool
}

func (m *sizer) add(name string, size int64) {
	switch {
	case size == math.MaxInt64 || size == math.MinInt64:
		return
	case size < 0:
		size = -size
	}
	i, known := m.at[name]
	if !known {
		i = len(m.sizes)
		m.at[name], m.sizes = i, append(m.sizes, Size{Name: name})
	}
	m.sizes[i].Most = max(m.sizes[i].Most, size)
}

func (m *sizer) measure(v reflect.Value, name string, depth int) {
	if depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Kind() == reflect.Pointer && m.seen[v.UnsafePointer()] {
			return
		}
		if v.Kind() == reflect.Pointer {
			m.seen[v.UnsafePointer()] = true
		}
		m.measure(v.Elem(), name, depth)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		m.add(name, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		m.add(name, int64(min(v.Uint(), math.MaxInt64)))
	case reflect.Struct:
		for _, f := range shapeOf(v.Type()).compared {
			if part := within(name, lower(v.Type().Field(f.index).Name)); m.wants(part) {
				m.measure(v.Field(f.index), part, depth-1)
			}
		}
	case reflect.Array, reflect.Slice, reflect.Map:
		m.elements(v, name, depth)
	}
}

// wants reports whether the name is wanted, or that of a part of what has it.
func (m *sizer) wants(name string) bool {
	rest, is := strings.CutPrefix(strings.TrimPrefix(m.only, elementsOf), name)
	return m.only == "" || is && (rest == "" || rest[0] == '.')
}

// elements measures a list and what is in it. The size of an array does not change.
func (m *sizer) elements(v reflect.Value, name string, depth int) {
	if v.Kind() != reflect.Array {
		m.add(elementsOf+name, int64(v.Len()))
	}
	if v.Kind() == reflect.Map {
		for entries := v.MapRange(); entries.Next(); {
			m.measure(entries.Key(), name, depth-1)
			m.measure(entries.Value(), name, depth-1)
		}
		return
	}
	for i := range v.Len() {
		m.measure(v.Index(i), name, depth-1)
	}
}

// elementsOf begins the name of the number of elements of a list.
const elementsOf = "elements of "

func within(name, part string) string {
	if name == "" {
		return part
	}
	return name + "." + part
}
