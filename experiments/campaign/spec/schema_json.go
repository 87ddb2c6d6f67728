package spec

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
)

// schema is the part of JSON Schema that the grammar of sweeps uses.
type schema struct {
	Schema      string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	Ref   string    `json:"$ref,omitempty"`
	Type  string    `json:"type,omitempty"`
	Enum  []string  `json:"enum,omitempty"`
	AnyOf []*schema `json:"anyOf,omitempty"`
	OneOf []*schema `json:"oneOf,omitempty"`
	AllOf []*schema `json:"allOf,omitempty"`
	Not   *schema   `json:"not,omitempty"`
	If    *schema   `json:"if,omitempty"`
	Then  *schema   `json:"then,omitempty"`
	Else  *schema   `json:"else,omitempty"`

	Pattern string          `json:"pattern,omitempty"`
	Minimum json.RawMessage `json:"minimum,omitempty"` // raw: 2^64-1 is no float64
	Maximum json.RawMessage `json:"maximum,omitempty"`

	Items       *schema `json:"items,omitempty"`
	MinItems    int     `json:"minItems,omitempty"`
	UniqueItems bool    `json:"uniqueItems,omitempty"`

	Properties        properties `json:"properties,omitempty"`
	PatternProperties properties `json:"patternProperties,omitempty"`
	Additional        *bool      `json:"additionalProperties,omitempty"`
	Required          []string   `json:"required,omitempty"`
	MinProperties     int        `json:"minProperties,omitempty"`

	Defs properties `json:"$defs,omitempty"`
}

// properties are keys with their schemas, in the order in which editors list them.
type properties []property

type property struct {
	name   string
	schema *schema
}

// MarshalJSON writes the properties as an object, in their order.
func (ps properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.schema)
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

// about sets the text that an editor shows beside a key.
func (s *schema) about(text string) *schema {
	s.Description = text
	return s
}

// object is a mapping of these keys and no others.
func object(ps ...property) *schema {
	return &schema{Type: "object", Properties: ps, Additional: new(bool)}
}

// objectOf is a mapping of these fields and no others.
func objectOf(fields []field) *schema {
	s := object()
	for _, f := range fields {
		s.Properties = append(s.Properties, property{f.key, f.takes})
		if f.required {
			s.Required = append(s.Required, f.key)
		}
	}
	return s
}

// oneOrMore is a value or a list of values, each once.
func oneOrMore(s *schema) *schema {
	return anyOf(s, &schema{Type: "array", Items: s, MinItems: 1, UniqueItems: true})
}

func anyOf(list ...*schema) *schema { return &schema{AnyOf: list} }

// ref is the schema of that name in $defs.
func ref(name string) *schema { return &schema{Ref: "#/$defs/" + name} }

// never accepts no value.
func never() *schema { return &schema{Not: &schema{}} }

// line is text that is not blank.
func line() *schema { return &schema{Type: "string", Pattern: `\S`} }

// like is text of a pattern.
func like(p *regexp.Regexp) *schema { return &schema{Type: "string", Pattern: p.String()} }

// word is one of the words or, without words, any text.
func word(words []string) *schema {
	if len(words) == 0 {
		return line()
	}
	return &schema{Type: "string", Enum: words}
}

func truth() *schema { return &schema{Type: "boolean"} }

// integers is the integers from lo to hi.
func integers(lo, hi uint64) *schema {
	return &schema{Type: "integer", Minimum: strconv.AppendUint(nil, lo, 10), Maximum: strconv.AppendUint(nil, hi, 10)}
}

// numbers is the numbers from lo to hi.
func numbers(lo, hi float64) *schema {
	return &schema{Type: "number", Minimum: strconv.AppendFloat(nil, lo, 'g', -1, 64), Maximum: strconv.AppendFloat(nil, hi, 'g', -1, 64)}
}

// anyNumber is any number. 1e3 is text to some readers of YAML.
func anyNumber() *schema { return anyOf(&schema{Type: "number"}, like(plainReal())) }
