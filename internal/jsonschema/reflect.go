package jsonschema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Reflector derives the schemas of what package encoding/json writes for values of Go types.
// A field is required unless omitempty may leave it out, and there are no fields but those of the
// type. Pointers, slices and maps may be null. Structs with a name are definitions.
type Reflector struct {
	// Shapes are the schemas of types that write themselves, or whose values are a few words.
	Shapes map[reflect.Type]*Schema

	defs  Properties
	types map[string]reflect.Type // the type of each definition
}

// A Shaper writes itself as JSON, and knows the schema of that. Shape is called on the zero value.
type Shaper interface{ Shape(r *Reflector) *Schema }

// Of is the schema of a type. A type that writes itself has to have a shape.
func (r *Reflector) Of(t reflect.Type) *Schema {
	if s, ok := r.Shapes[t]; ok {
		return s
	}
	if t.Kind() == reflect.Pointer {
		return Nullable(r.Of(t.Elem()))
	}
	shape := func() *Schema { return r.plain(t) }
	if s, ok := reflect.Zero(t).Interface().(Shaper); ok {
		shape = func() *Schema { return s.Shape(r) }
	} else if writesItself(t) {
		panic(fmt.Sprintf("jsonschema: %v writes itself as JSON, and has no shape", t))
	}
	if t.Kind() == reflect.Struct && t.Name() != "" {
		return r.define(t, shape)
	}
	return shape()
}

// writesItself reports whether encoding/json calls a method of a type.
func writesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Marshaler]()) || p.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// plain is the schema of a type that does not write itself.
func (r *Reflector) plain(t reflect.Type) *Schema {
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.String:
		return &Schema{Type: "string"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &Schema{Type: "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: "integer", Minimum: json.RawMessage("0")}
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: "number"}
	case reflect.Struct:
		return r.Object(t)
	case reflect.Slice:
		return Nullable(r.List(t.Elem()))
	case reflect.Map:
		return Nullable(r.Map(t.Elem()))
	}
	panic(fmt.Sprintf("jsonschema: no schema says what %v is", t))
}

// List is a list of values of a type.
func (r *Reflector) List(t reflect.Type) *Schema { return &Schema{Type: "array", Items: r.Of(t)} }

// Map is an object with any names, whose values are of a type.
func (r *Reflector) Map(t reflect.Type) *Schema { return &Schema{Type: "object", Additional: r.Of(t)} }

// Object is the object of the fields of a struct.
func (r *Reflector) Object(t reflect.Type) *Schema {
	s := &Schema{Type: "object", Additional: false}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" || f.Anonymous && name == "" {
			continue // what is embedded shows its fields
		}
		if name == "" || slices.ContainsFunc(s.Properties, func(p Property) bool { return p.Name == name }) {
			panic(fmt.Sprintf("jsonschema: field %s of %v has no name of its own", f.Name, t))
		}
		if options == "omitempty" {
			s.Properties = append(s.Properties, Property{name, r.ifAny(f.Type)})
		} else {
			s.Properties = append(s.Properties, Property{name, r.Of(f.Type)})
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// ifAny is the schema of a field that is left out when it is empty: there is no null.
func (r *Reflector) ifAny(t reflect.Type) *Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return r.Of(t.Elem())
	case reflect.Slice:
		return r.List(t.Elem())
	case reflect.Map:
		return r.Map(t.Elem())
	}
	return r.Of(t)
}

// define makes a definition of a struct, once, and refers to it.
func (r *Reflector) define(t reflect.Type, shape func() *Schema) *Schema {
	name := definition(t)
	if before, ok := r.types[name]; !ok {
		if r.types == nil {
			r.types = map[string]reflect.Type{}
		}
		r.types[name] = t
		i := len(r.defs)
		r.defs = append(r.defs, Property{Name: name})
		r.defs[i].Schema = shape()
	} else if before != t {
		panic(fmt.Sprintf("jsonschema: %v and %v are both called %s", before, t, name))
	}
	return &Schema{Ref: "#/$defs/" + name}
}

// definition is the name of a struct among the definitions: that of runReport is run.
func definition(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "Report")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}

// Document is the schema of a document that is a value of one of the types.
func (r *Reflector) Document(id, title string, types ...reflect.Type) *Schema {
	s := &Schema{Schema: "https://json-schema.org/draft/2020-12/schema", ID: id, Title: title}
	for _, t := range types {
		s.AnyOf = append(s.AnyOf, r.Of(t))
	}
	if len(s.AnyOf) == 1 {
		s.Ref, s.Type, s.Items, s.AnyOf = s.AnyOf[0].Ref, s.AnyOf[0].Type, s.AnyOf[0].Items, nil
	}
	s.Defs = r.defs
	return s
}
