package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// orEmpty returns an empty list for a nil one, so that JSON has [] and not null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

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

// marshal is json.Marshal for a part of what Write writes: "<=" stays as it is.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}
