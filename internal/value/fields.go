package value

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unsafe"
)

// Field is a field of a process as people read it.
type Field struct{ Name, Value string }

// Fields prints the fields of a struct, or of the struct that a pointer leads to, as people
// read them: with the String methods of the values. Then come the fields of its parts: of
// embedded structs, and of structs behind a pointer or an interface, each once. If a part has
// a field of a name that is there already, the name of the part stands before it. Functions,
// channels and fields with the tag explore:"-" are left out.
func Fields(v any) []Field {
	return fields(v, nil)
}

// Named is Fields without those that have none of the names.
func Named(v any, names []string) []Field {
	return fields(v, func(name string) bool { return slices.Contains(names, name) })
}

func fields(v any, wanted func(name string) bool) []Field {
	l := lister{wanted: wanted, seen: map[place]bool{}, names: map[string]bool{}}
	if at, ok := part(reflect.ValueOf(v)); ok {
		l.list(at, "")
	}
	return l.fields
}

// lister lists the fields of a struct and of its parts.
type lister struct {
	wanted func(name string) bool // nil if all are
	fields []Field
	seen   map[place]bool
	names  map[string]bool
}

// place is the place of a struct in memory. The first field of a struct is at the same
// address.
type place struct {
	typ reflect.Type
	at  unsafe.Pointer
}

// list adds the fields of a struct, which is the part of that name.
func (l *lister) list(v reflect.Value, name string) {
	if at := (place{v.Type(), v.Addr().UnsafePointer()}); !l.seen[at] {
		l.seen[at] = true
	} else {
		return
	}
	type named struct {
		name string
		part reflect.Value
	}
	var parts []named
	for _, f := range shapeOf(v.Type()).compared {
		described, field := v.Type().Field(f.index), readable(v.Field(f.index))
		if inner, ok := part(field); ok && (described.Anonymous || field.Kind() != reflect.Struct) {
			parts = append(parts, named{described.Name, inner})
			continue
		}
		switch field.Kind() {
		case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		default:
			l.add(name, described.Name, field)
		}
	}
	for _, p := range parts {
		l.list(p.part, p.name)
	}
}

func (l *lister) add(of, name string, field reflect.Value) {
	name = lower(name)
	if l.names[name] {
		name = lower(of) + "." + name
	}
	l.names[name] = true
	if l.wanted == nil || l.wanted(name) {
		l.fields = append(l.fields, Field{name, cut(said(field, mostDepth))})
	}
}

// lower returns a name with a small first letter, unless it begins with an abbreviation.
func lower(name string) string {
	if len(name) > 1 && unicode.IsUpper(rune(name[1])) {
		return name
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// part returns the struct that a value is, or leads to, unless it has a String method.
func part(v reflect.Value) (at reflect.Value, ok bool) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() || prints(v) {
			return v, false
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || prints(v) {
		return v, false
	}
	v = addressable(v)
	return v, v.CanAddr()
}

// addressable returns a struct whose fields are readable: a copy, if it has no address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() || !v.CanInterface() {
		return v
	}
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	return copied
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
		if words := members(addressable(v), depth); words != nil {
			return "(" + strings.Join(words, ", ") + ")"
		}
		return "none"
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Bool {
			return "{" + strings.Join(places(v), " ") + "}"
		}
		return "[" + joined(elements(v, depth)) + "]"
	case reflect.Map:
		return "{" + joined(entries(v, depth)) + "}"
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "none"
		}
		return said(v.Elem(), depth-1)
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int64:
		if v.Int() == math.MaxInt64 {
			return "infinite"
		}
	}
	return fmt.Sprint(v)
}

// members prints the fields of a struct inside a field. A flag is its name if it is set, and
// is left out otherwise; so are empty lists.
func members(v reflect.Value, depth int) (words []string) {
	for _, f := range shapeOf(v.Type()).compared {
		name, member := lower(v.Type().Field(f.index).Name), readable(v.Field(f.index))
		switch kind := member.Kind(); {
		case kind == reflect.Bool && !member.Bool(), kind == reflect.Slice && member.Len() == 0:
		case kind == reflect.Bool:
			words = append(words, name)
		default:
			words = append(words, name+" "+said(member, depth-1))
		}
	}
	return words
}

// places are the indices at which a list of flags is set.
func places(v reflect.Value) (words []string) {
	for i := range v.Len() {
		if v.Index(i).Bool() {
			words = append(words, strconv.Itoa(i))
		}
	}
	return words
}

// joined joins the words of a list, with commas if a word has spaces.
func joined(words []string) string {
	if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, " ") }) {
		return strings.Join(words, ", ")
	}
	return strings.Join(words, " ")
}

// elements prints the elements of a list, as many as are shown.
func elements(v reflect.Value, depth int) []string {
	words := make([]string, 0, min(v.Len(), mostText))
	for i, size := 0, 0; i < v.Len() && size <= mostText; i++ {
		words = append(words, said(readable(v.Index(i)), depth-1))
		size += len(words[i])
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
