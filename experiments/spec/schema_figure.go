package spec

// figureSchema is an entry of `figures`. Its sides, and some of its keys, depend on its kind.
func (r *reader) figureSchema() *schema {
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
	s := &schema{Properties: properties{{"kind", word([]string{k.String()})}}}
	if k != 0 {
		s.Required = []string{"kind"}
	}
	return s
}

// kindSchema has the sides of a kind.
func (r *reader) kindSchema(row *figureKind) *schema {
	s := &schema{Properties: properties{{"x", r.sideSchema(row.x)}, {"y", r.sideSchema(row.y)}, {"z", r.sideSchema(row.z)}}}
	if row.z.shows != nothing {
		s.Required = []string{"z"}
	}
	if row.single != "" {
		s.Properties = append(s.Properties, none(lineKeys)...)
	}
	return s
}

// none refuses the keys.
func none(keys []string) (all properties) {
	for _, key := range keys {
		all = append(all, property{key, never()})
	}
	return all
}

// sideSchema is the schema of a side.
func (r *reader) sideSchema(s side) *schema {
	switch s.shows {
	case nothing:
		return never()
	case aMetric:
		return r.scaleSchema(field{key: "metric", required: true, takes: ref("shown")}, s.keys)
	}
	return r.scaleSchema(field{key: "axis", required: true, takes: word(s.names())}, s.keys)
}

// scaleSchema is a name, or a mapping with the name and further keys.
func (r *reader) scaleSchema(naming field, keys []string) *schema {
	return anyOf(naming.takes, objectOf(r.scaleFields(nil, naming, keys)))
}

// seriesSchema is the fields that tell series apart; the empty list is one series
// of all.
func seriesSchema() *schema {
	field := word(Fields())
	return anyOf(field, &schema{Type: "array", Items: field, UniqueItems: true}).
		about("fields that tell series apart; default: those that differ")
}

// curveSchema is a bound that an algorithm declares, or a power of x.
func (r *reader) curveSchema() *schema {
	s := objectOf(r.curveFields(nil, nil))
	s.AnyOf = []*schema{{Required: []string{"power"}}, {Required: []string{"algorithm", "bound"}}}
	return s
}

// withSchema is one value for each of some axes.
func withSchema() *schema {
	s := object()
	for _, a := range axes {
		s.Properties = append(s.Properties, property{a.Name, ref(valueName(a.Name))})
	}
	return s
}
