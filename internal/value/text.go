package value

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// The limits of a printed value, in bytes and in depth.
const (
	mostText  = 300
	mostDepth = 8
)

// Text prints the fields of a value. It does not use the value's own methods. Two values with
// different encodings have different texts, unless these are cut.
func Text(v any) string {
	return cut(textOf(reflect.ValueOf(v), mostDepth))
}

func cut(text string) string {
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "") + "..."
	}
	return text
}

func textOf(v reflect.Value, depth int) string {
	if depth == 0 {
		return "..."
	}
	join := func(n int, item func(i int) string) string {
		words := make([]string, 0, n)
		for i := range n {
			words = append(words, item(i))
		}
		return strings.Join(words, " ")
	}
	switch v.Kind() {
	case reflect.Struct:
		fields := shapeOf(v.Type()).compared
		return "{" + join(len(fields), func(i int) string {
			return v.Type().Field(fields[i].index).Name + ":" + textOf(v.Field(fields[i].index), depth-1)
		}) + "}"
	case reflect.Slice, reflect.Array:
		return "[" + join(v.Len(), func(i int) string { return textOf(v.Index(i), depth-1) }) + "]"
	case reflect.Map:
		entries := make([]string, 0, v.Len())
		for _, key := range v.MapKeys() {
			entries = append(entries, textOf(key, depth-1)+":"+textOf(v.MapIndex(key), depth-1))
		}
		slices.Sort(entries)
		return "map[" + strings.Join(entries, " ") + "]"
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return textOf(v.Elem(), depth-1)
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.Type().String()
	}
	return fmt.Sprint(v) // a number or a bool: fmt prints what a reflect.Value holds
}
