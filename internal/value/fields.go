package value

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Field is a field of a process as people read it.
type Field struct{ Name, Value string }

// Fields prints the fields of a struct, or of the struct that a pointer leads to, as people
// read them: with the String methods of the values. The fields of an embedded struct are
// among them. Functions, channels and fields with the tag explore:"-" are left out.
func Fields(v any) []Field {
	at := reflect.ValueOf(v)
	for at.Kind() == reflect.Pointer || at.Kind() == reflect.Interface {
		if at.IsNil() {
			return nil
		}
		at = at.Elem()
	}
	if at.Kind() != reflect.Struct {
		return nil
	}
	return appendFields(nil, at)
}

func appendFields(fields []Field, v reflect.Value) []Field {
	for _, f := range shapeOf(v.Type()).compared {
		described, field := v.Type().Field(f.index), readable(v.Field(f.index))
		switch field.Kind() {
		case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		case reflect.Struct:
			if described.Anonymous && !prints(field) {
				fields = appendFields(fields, field)
				continue
			}
			fallthrough
		default:
			fields = append(fields, Field{described.Name, cut(said(field, mostDepth))})
		}
	}
	return fields
}

// readable returns a value whose methods may be called, also if the field is not exported. A
// value that has no address has none.
func readable(v reflect.Value) reflect.Value {
	if v.CanInterface() || !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// prints reports whether a value has a String method that may be called.
func prints(v reflect.Value) bool {
	if !v.CanInterface() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil() {
		return false
	}
	_, ok := v.Interface().(fmt.Stringer)
	return ok
}

// said prints a value with its String method, or part by part.
func said(v reflect.Value, depth int) string {
	if depth == 0 {
		return "..."
	}
	if prints(v) {
		return v.Interface().(fmt.Stringer).String()
	}
	switch v.Kind() {
	case reflect.Struct:
		if !v.CanAddr() && v.CanInterface() { // only fields with an address are readable
			copied := reflect.New(v.Type()).Elem()
			copied.Set(v)
			v = copied
		}
		fields := shapeOf(v.Type()).compared
		words := make([]string, 0, len(fields))
		for _, f := range fields {
			words = append(words, v.Type().Field(f.index).Name+" "+said(readable(v.Field(f.index)), depth-1))
		}
		return "(" + strings.Join(words, ", ") + ")"
	case reflect.Slice, reflect.Array:
		return "[" + strings.Join(elements(v, depth), " ") + "]"
	case reflect.Map:
		return "{" + strings.Join(entries(v, depth), " ") + "}"
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "none"
		}
		return said(v.Elem(), depth-1)
	case reflect.String:
		return v.String()
	}
	return fmt.Sprint(v)
}

func elements(v reflect.Value, depth int) []string {
	words := make([]string, 0, v.Len())
	for i := range v.Len() {
		words = append(words, said(readable(v.Index(i)), depth-1))
	}
	return words
}

// entries prints the entries of a map in the order of their texts. A set has only its keys.
func entries(v reflect.Value, depth int) []string {
	words := make([]string, 0, v.Len())
	for _, key := range v.MapKeys() {
		word, value := said(key, depth-1), v.MapIndex(key)
		if value.Kind() == reflect.Bool && !value.Bool() {
			word += " false"
		} else if value.Kind() != reflect.Bool && value.Type().Size() > 0 {
			word += ":" + said(value, depth-1)
		}
		words = append(words, word)
	}
	slices.Sort(words)
	return words
}
