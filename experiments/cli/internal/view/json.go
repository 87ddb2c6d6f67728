package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"

	"bullring/internal/jsonschema"
)

// orEmpty returns an empty list for a nil one, so that JSON has [] and not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// list is a list that JSON has as [] if it is nil.
type list[T any] []T

// MarshalJSON implements json.Marshaler.
func (l list[T]) MarshalJSON() ([]byte, error) { return marshal(orEmpty([]T(l))) }

// Shape implements jsonschema.Shaper.
func (l list[T]) Shape(r *jsonschema.Reflector) *jsonschema.Schema {
	return r.List(reflect.TypeFor[T]())
}

// dict are values by words, which JSON has as {} if it is nil.
type dict[K ~string, V any] map[K]V

// MarshalJSON implements json.Marshaler.
func (d dict[K, V]) MarshalJSON() ([]byte, error) {
	if d == nil {
		return []byte("{}"), nil
	}
	return marshal(map[K]V(d))
}

// Shape implements jsonschema.Shaper.
func (d dict[K, V]) Shape(r *jsonschema.Reflector) *jsonschema.Schema {
	s := r.Map(reflect.TypeFor[V]())
	s.PropertyNames = r.Of(reflect.TypeFor[K]())
	return s
}

// word is the name of a T, which is one of a few.
type word[T fmt.Stringer] string

func wordOf[T fmt.Stringer](v T) word[T] { return word[T](v.String()) }

// orNull returns nil for an empty text, so that JSON has null.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// errorText is the text of an error, nil if there is none.
func errorText(err error) *string {
	if err == nil {
		return nil
	}
	return new(err.Error())
}

// number is a float64 that JSON has as null if it is infinite or not a number.
type number float64

// MarshalJSON implements json.Marshaler.
func (x number) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// Shape implements jsonschema.Shaper.
func (number) Shape(r *jsonschema.Reflector) *jsonschema.Schema {
	return r.Of(reflect.TypeFor[*float64]())
}

// named are values by name, in an order that JSON keeps.
type named[T any] []namedValue[T]

type namedValue[T any] struct {
	name  string
	value T
}

func (n *named[T]) add(name string, value T) { *n = append(*n, namedValue[T]{name, value}) }

// MarshalJSON implements json.Marshaler.
func (n named[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for _, x := range n {
		name, err := marshal(x.name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(x.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%s:%s", name, value)
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}"), nil
}

// Shape implements jsonschema.Shaper.
func (n named[T]) Shape(r *jsonschema.Reflector) *jsonschema.Schema {
	return r.Map(reflect.TypeFor[T]())
}

// marshal is json.Marshal for a part of what Write writes: "<=" stays as it is.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}
