package spec

import "bullring/internal/jsonschema"

// figureSchema is an entry of `figures`. Its sides, and some of its keys, depend on its kind.
func (r figureReader) figureSchema() *schema {
	s := objectOf(r.figureFields(nil, nil))
	for k := range Kinds {
		part := &schema{If: k.is(), Then: r.kindSchema(k.row())}
		if keys := k.keys(); keys != nil {
			part.Else = &schema{Properties: none(keys)}
		}
		s.AllOf = append(s.AllOf, part)
	}
	return s
}

// is accepts figures of the kind. A figure that names none is of the first.
func (k Kind) is() *schema {
	s := &schema{Properties: properties{{Name: "kind", Schema: word([]string{k.String()})}}}
	if k != 0 {
		s.Required = []string{"kind"}
	}
	return s
}

// kindSchema has the sides of a kind.
func (r figureReader) kindSchema(row *figureKind) *schema {
	s := &schema{Properties: properties{
		{Name: "x", Schema: r.sideSchema(row.x)}, {Name: "y", Schema: r.sideSchema(row.y)}, {Name: "z", Schema: r.sideSchema(row.z)},
	}}
	if row.y.shows != nothing {
		s.Required = append(s.Required, "y")
	}
	if row.z.shows != nothing {
		s.Required = append(s.Required, "z")
	}
	if row.needs != "" {
		s.Required = append(s.Required, row.needs)
	}
	s.Properties = append(s.Properties, none(row.lacks)...)
	return s
}

// none refuses the keys.
func none(keys []string) (all properties) {
	for _, key := range keys {
		all = append(all, property{Name: key, Schema: jsonschema.Never()})
	}
	return all
}

// seriesSchema is the fields that tell series apart; the empty list is one series
// of all.
func seriesSchema() *schema {
	field := word(Fields())
	return anyOf(field, &schema{Type: "array", Items: field, UniqueItems: true}).
		About("fields that tell series apart; default: those that differ")
}
