package spec

// figureSchema is an entry of `figures`. What its sides are depends on its kind.
func figureSchema() *schema {
	s := object(
		property{"name", like(stemPattern).about("of its files; default: the sweep's name")},
		property{"title", line().about("above the figure; default: none")},
		property{"kind", word([]string{Line, Histogram, Box, Heatmap}).about("default: line")},
		property{"x", (&schema{}).about("the axis along which it is drawn; default: n")},
		property{"y", (&schema{}).about("the metric that is drawn; in a heatmap the field of its rows")},
		property{"z", (&schema{}).about("the metric that the colours of a heatmap show")},
		property{"width", word([]string{Column, Wide}).about("as wide as a column or as the page; default: column")},
		property{"where", object(fieldProperties()...).about("values that the cells drawn have")},
		property{"series", seriesSchema()},
		property{"curves", oneOrMore(ref("curve")).about("lines of theory")},
	)
	s.Required = []string{"y"}
	s.AllOf = []*schema{
		{If: kindIs(Heatmap), Then: heatmapSchema(), Else: chartSchema()},
		{If: kindIs(Box), Then: &schema{Properties: properties{{"x", fieldSide()}, {"y", metricSide()}}}},
		{If: kindIs(Histogram), Then: &schema{Properties: properties{{"x", never()}, {"y", metricSide()}}}},
	}
	return s
}

// kindIs holds for figures that say that they are of the kind.
func kindIs(kind string) *schema {
	return &schema{Properties: properties{{"kind", word([]string{kind})}}, Required: []string{"kind"}}
}

// heatmapSchema is what holds for heat maps.
func heatmapSchema() *schema {
	return &schema{Required: []string{"z"}, Properties: properties{
		{"x", fieldSide()}, {"y", fieldSide()}, {"z", metricSide()}, {"series", never()}, {"curves", never()},
	}}
}

// chartSchema is what holds for everything else: boxes say more of their sides.
func chartSchema() *schema {
	return &schema{
		If: kindIs(Box), Else: &schema{Properties: properties{
			{"x", sideSchema("axis", word(Axes()), "label", "unit", "log", "min", "max", "number")},
			{"y", metricSide("statistic")},
		}},
		Properties: properties{{"z", never()}},
	}
}

// fieldSide is a side along which any field stands.
func fieldSide() *schema {
	return sideSchema("axis", word(Fields()), "label", "unit", "log", "number", "ordinal")
}

// metricSide is a side that shows a metric.
func metricSide(besides ...string) *schema {
	return sideSchema("metric", ref("shown"), append([]string{"label", "unit", "log", "min", "max"}, besides...)...)
}

// sideSchema is a name, or a mapping of the key with the name and of further keys.
func sideSchema(key string, name *schema, keys ...string) *schema {
	all := map[string]*schema{
		"label":     line().about("default: words of the program"),
		"unit":      word(Units()).about("of times; default: the one in brackets at the end of the label, or one that suits the numbers"),
		"log":       truth().about("logarithmic; default: false"),
		"min":       real().about("lower end; default: from the data"),
		"max":       real().about("upper end; default: from the data"),
		"statistic": word([]string{"mean", "deviation"}).about("of the replicates; default: mean"),
		"number":    anyOf(truth(), integers(1, mostNumber)).about("scale the axis by a number in its values: true for the first"),
		"ordinal":   truth().about("equal steps whatever the numbers; default: false"),
	}
	list := properties{{key, name}}
	for _, k := range keys {
		list = append(list, property{k, all[k]})
	}
	s := object(list...)
	s.Required = []string{key}
	return anyOf(name, s)
}

// seriesSchema is the fields that tell series apart; the empty list is one series
// of all.
func seriesSchema() *schema {
	field := word(Fields())
	return anyOf(field, &schema{Type: "array", Items: field, UniqueItems: true}).
		about("fields that tell series apart; default: those that differ")
}

// curveSchema is a bound that an algorithm declares, or a power of x.
func curveSchema() *schema {
	with := make(properties, len(axes))
	for i, a := range axes {
		with[i] = property{a.name, ref(valueName(a.name))}
	}
	s := object(
		property{"algorithm", ref("algorithm")},
		property{"bound", line().about("that the algorithm declares")},
		property{"with", object(with...).about("conditions to evaluate the bound under, which say whose colour the curve has; default: those of the first cell drawn")},
		property{"power", real().about("of x")},
		property{"factor", real().about("default: through the measured point of the largest x")},
		property{"lg", real().about("power of lg x; default: 0")},
		property{"label", line().about("default: words of the program")},
	)
	s.AnyOf = []*schema{{Required: []string{"power"}}, {Required: []string{"algorithm", "bound"}}}
	return s
}
