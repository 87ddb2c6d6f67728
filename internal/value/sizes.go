package value

import (
	"math"
	"reflect"
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

// sizer lists sizes.
type sizer struct {
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
			m.measure(v.Field(f.index), within(name, lower(v.Type().Field(f.index).Name)), depth-1)
		}
	case reflect.Array, reflect.Slice, reflect.Map:
		m.elements(v, name, depth)
	}
}

// elements measures a list and what is in it. The size of an array does not change.
func (m *sizer) elements(v reflect.Value, name string, depth int) {
	if v.Kind() != reflect.Array {
		m.add("elements of "+name, int64(v.Len()))
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

func within(name, part string) string {
	if name == "" {
		return part
	}
	return name + "." + part
}
