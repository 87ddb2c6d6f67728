package spec

// figureSchema is an entry of `figures`. Its sides depend on its kind.
func (r *reader) figureSchema() *schema {
	s := objectOf(r.figureFields(nil, nil))
	s.AllOf = []*schema{
		{If: kindIs(Heatmap), Then: r.heatmapSchema(), Else: r.chartSchema()},
		{If: kindIs(Box), Then: &schema{Properties: properties{{"x", r.sideSchema(Box)}, {"y", r.metricSchema(Box)}}}},
		{If: kindIs(Histogram), Then: &schema{Properties: properties{{"x", never()}, {"y", r.metricSchema(Histogram)}}}},
		{
			If:   kindIs(Diagram),
			Then: &schema{Properties: properties{{"x", never()}, {"y", r.metricSchema(Diagram)}, {"series", never()}, {"curves", never()}}},
			Else: &schema{Properties: properties{{"trial", never()}, {"axis", never()}, {"why", never()}}},
		},
	}
	return s
}

// kindIs accepts figures of an explicit kind.
func kindIs(kind string) *schema {
	return &schema{Properties: properties{{"kind", word([]string{kind})}}, Required: []string{"kind"}}
}

// heatmapSchema has the sides of heat maps.
func (r *reader) heatmapSchema() *schema {
	field := r.sideSchema(Heatmap)
	return &schema{Required: []string{"z"}, Properties: properties{
		{"x", field}, {"y", field}, {"z", r.metricSchema(Heatmap)}, {"series", never()}, {"curves", never()},
	}}
}

// chartSchema has the sides of line charts; box plots and histograms have their own.
func (r *reader) chartSchema() *schema {
	return &schema{
		If: kindIs(Box), Else: &schema{Properties: properties{{"x", r.sideSchema(Line)}, {"y", r.metricSchema(Line)}}},
		Properties: properties{{"z", never()}},
	}
}

// sideSchema is the schema of a side along which a field stands.
func (r *reader) sideSchema(kind string) *schema {
	names, keys := sideKeys(kind)
	return r.scaleSchema(field{key: "axis", required: true, takes: word(names)}, keys)
}

// metricSchema is the schema of a side that shows a metric.
func (r *reader) metricSchema(kind string) *schema {
	return r.scaleSchema(field{key: "metric", required: true, takes: ref("shown")}, metricKeys(kind))
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
