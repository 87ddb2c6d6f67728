// Package jsonschema is the part of JSON Schema, draft 2020-12, that the program prints, and the schemas of Go types.
package jsonschema

import (
	"bytes"
	"encoding/json"
)

// Schema is a JSON Schema. A field that is not set allows anything.
type Schema struct {
	Schema      string `json:"$schema,omitempty"`
	ID          string `json:"$id,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	Ref   string    `json:"$ref,omitempty"`
	Type  string    `json:"type,omitempty"`
	Const any       `json:"const,omitempty"`
	Enum  []string  `json:"enum,omitempty"`
	AnyOf []*Schema `json:"anyOf,omitempty"`
	OneOf []*Schema `json:"oneOf,omitempty"`
	AllOf []*Schema `json:"allOf,omitempty"`
	Not   *Schema   `json:"not,omitempty"`
	If    *Schema   `json:"if,omitempty"`
	Then  *Schema   `json:"then,omitempty"`
	Else  *Schema   `json:"else,omitempty"`

	Format  string          `json:"format,omitempty"` // of text, such as date-time
	Pattern string          `json:"pattern,omitempty"`
	Minimum json.RawMessage `json:"minimum,omitempty"` // raw: 2^64-1 is no float64
	Maximum json.RawMessage `json:"maximum,omitempty"`

	Items       *Schema `json:"items,omitempty"`
	MinItems    int     `json:"minItems,omitempty"`
	UniqueItems bool    `json:"uniqueItems,omitempty"`

	Properties        Properties `json:"properties,omitempty"`
	PatternProperties Properties `json:"patternProperties,omitempty"`
	Additional        any        `json:"additionalProperties,omitempty"` // false, or the *Schema of the other keys
	Required          []string   `json:"required,omitempty"`
	PropertyNames     *Schema    `json:"propertyNames,omitempty"`
	MinProperties     int        `json:"minProperties,omitempty"`

	Defs Properties `json:"$defs,omitempty"`
}

// Properties are keys with their schemas, in the order in which editors list them.
type Properties []Property

// Property is a key with its schema.
type Property struct {
	Name   string
	Schema *Schema
}

// MarshalJSON writes the properties as an object, in their order.
func (ps Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// About sets the text that an editor shows beside a key.
func (s *Schema) About(text string) *Schema {
	s.Description = text
	return s
}

// Add adds a key to an object.
func (s *Schema) Add(name string, value *Schema, required bool) {
	s.Properties = append(s.Properties, Property{name, value})
	if required {
		s.Required = append(s.Required, name)
	}
}

// Words is text that is one of some words.
func Words(words ...string) *Schema { return &Schema{Type: "string", Enum: words} }

// Nullable is a value or null.
func Nullable(s *Schema) *Schema { return &Schema{AnyOf: []*Schema{s, {Type: "null"}}} }

// Never accepts no value.
func Never() *Schema { return &Schema{Not: &Schema{}} }
