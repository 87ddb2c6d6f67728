package spec

import (
	"regexp"
	"strconv"

	"bullring/internal/jsonschema"
)

// The parts of a schema.
type (
	schema     = jsonschema.Schema
	properties = jsonschema.Properties
	property   = jsonschema.Property
)

// object is a mapping of these keys and no others.
func object(ps ...property) *schema {
	return &schema{Type: "object", Properties: ps, Additional: false}
}

// objectOf is a mapping of these fields and no others.
func objectOf(fields []field) *schema {
	s := object()
	for _, f := range fields {
		s.Add(f.key, f.takes, f.required)
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

// line is text that is not blank.
func line() *schema { return &schema{Type: "string", Pattern: `\S`} }

// like is text of a pattern.
func like(p *regexp.Regexp) *schema { return &schema{Type: "string", Pattern: p.String()} }

// word is one of the words or, without words, any text.
func word(words []string) *schema {
	if len(words) == 0 {
		return line()
	}
	return jsonschema.Words(words...)
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
