package spec

import "encoding/json"

// SchemaOptions are the words of a sweep that its caller knows. Where none are
// given, any text will do.
type SchemaOptions struct {
	Algorithms []string
	Variants   []string // single words of any algorithm
	Metrics    []string
}

// Schema returns the grammar of a sweep as JSON Schema, draft 2020-12, with which
// editors complete and check a sweep while it is written. What Parse accepts, the
// schema accepts. The reverse is not so: what a schema cannot tell, such as cells
// that come twice, is left to Parse. The same options give the same bytes.
func Schema(o SchemaOptions) ([]byte, error) {
	s := sweepSchema()
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "A sweep of bullring"
	s.Defs = properties{
		{"algorithm", word(o.Algorithms).about("name of an algorithm")},
		{"metric", word(o.Metrics).about("name of a metric")},
		{"shown", anyOf(ref("metric"), like(metricPattern)).about("name of a metric, or of one of metrics")},
		{"entry", entrySchema()},
		{"zip", zipSchema()},
		{"condition", conditionSchema()},
		{"figure", figureSchema()},
		{"curve", curveSchema()},
	}
	for _, a := range axes {
		s.Defs = append(s.Defs, property{valueName(a.name), a.valueSchema(o)})
	}
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// sweepSchema is the whole file.
func sweepSchema() *schema {
	s := object(
		property{"name", like(stemPattern).about("the stem of the files written")},
		property{"title", line().about("of the sweep; default: the name")},
		property{"seed", integers(0, 1<<64-1).about("that all chance comes from; default: 1")},
		property{"metrics", ownMetricsSchema().about("metrics of the sweep's own: names, and formulas of what trials measure")},
		property{"replicates", replicatesSchema()},
		property{"bootstrap", anyOf(integers(0, 0), integers(minBootstrap, maxBootstrap)).about("resamples of bootstrap intervals; default: 0, none")},
		property{"outside_model", truth().about("run what algorithms promise nothing of; default: false")},
		property{"axes", object(axisProperties()...).about("the values of each axis; the cells are their product")},
		property{"zip", oneOrMore(ref("zip")).about("axes that vary together")},
		property{"algorithms", oneOrMore(ref("entry")).about("names, or mappings that set axes of their own")},
		property{"exclude", oneOrMore(ref("condition")).about("cells that match one of these are left out")},
		property{"only", oneOrMore(ref("condition")).about("cells that match none of these are left out")},
		property{"compare", oneOrMore(comparisonSchema()).about("cells set beside those of a baseline, replicate by replicate")},
		property{"figures", oneOrMore(ref("figure")).about("what is drawn")},
		property{"include", like(includePattern).about("a file beside this one, whose keys are defaults")},
	)
	s.Required = []string{"name"}
	s.AnyOf = []*schema{{Required: []string{"algorithms"}}, {Required: []string{"include"}}}
	return s
}

func replicatesSchema() *schema {
	rule := object(
		property{"min", integers(2, MaxTrials).about("replicates that a cell has at least; default: 10")},
		property{"max", integers(2, MaxTrials).about("and at most")},
		property{"half_width", anyOf(numbers(0.001, 1), like(percentPattern)).about("of the confidence interval, relative to the mean: 5% or 0.05")},
		property{"of", oneOrMore(ref("metric")).about("metrics that have to be known so well; default: messages")},
	)
	rule.Required = []string{"max", "half_width"}
	return anyOf(integers(1, MaxTrials), rule).about("trials a cell, or a stopping rule; default: 1")
}

func ownMetricsSchema() *schema {
	m := object(
		property{"formula", line().about("such as 1 - correct, or messages + overhead")},
		property{"unit", word([]string{Percent}).about("gives it in percent")},
		property{"label", line().about("beside an axis; default: the name")},
	)
	m.Required = []string{"formula"}
	return &schema{Type: "object", PatternProperties: properties{{metricPattern.String(), anyOf(line(), m)}}, Additional: new(bool)}
}

func comparisonSchema() *schema {
	s := object(
		property{"baseline", line().about("label of the entry to compare with")},
		property{"metrics", oneOrMore(ref("shown")).about("to compare; default: messages")},
	)
	s.Required = []string{"baseline"}
	return s
}

// entrySchema is an entry of `algorithms`.
func entrySchema() *schema {
	properties := properties{
		{"algorithm", ref("algorithm")},
		{"label", line().about("default: the algorithm's name")},
	}
	properties = append(properties, axisProperties()...)
	own := object(append(properties, property{"zip", oneOrMore(ref("zip")).about("axes that vary together in this entry")})...)
	own.Required = []string{"algorithm"}
	return anyOf(ref("algorithm"), own)
}

// valueName is the definition of one value of an axis.
func valueName(axis string) string { return "axis-" + axis }

// valueSchema is one value of the axis.
func (a axis) valueSchema(o SchemaOptions) *schema {
	switch {
	case a.name == "variant":
		return variants(o.Variants)
	case a.kind == countAxis:
		return integers(1, MaxN)
	case a.kind == addressAxis:
		return anyOf(line(), integers(0, MaxN))
	case a.kind == flagAxis:
		return truth()
	case a.kind == faultAxis:
		return &schema{Type: "string"}
	}
	return line()
}

// variants is the text of a variant: a word or several with commas between.
func variants(words []string) *schema {
	if len(words) == 0 {
		return line()
	}
	return anyOf(word(words), &schema{Type: "string", Pattern: ","}).about("a word of the algorithm, or several with commas between")
}

// axisProperties are the axes, each a value, a list, or a range.
func axisProperties() properties {
	list := make(properties, len(axes))
	for i, a := range axes {
		values := oneOrMore(ref(valueName(a.name)))
		if a.kind.numeric() {
			values.AnyOf = append(values.AnyOf, rangeSchema(a))
		}
		list[i] = property{a.name, values.about(a.about)}
	}
	return list
}

// rangeSchema is {from, to, step} or {from, to, factor}.
func rangeSchema(a axis) *schema {
	lowest := a.kind.lowest()
	s := object(
		property{"from", integers(lowest, MaxN).about("the first value")},
		property{"to", integers(lowest, MaxN).about("the end, included when a step lands on it")},
		property{"step", integers(1, MaxN).about("from one value to the next")},
		property{"factor", &schema{Type: "number", Minimum: json.RawMessage(smallestFactor.FloatString(2)), Description: "from one value to the next"}},
	)
	s.Required = []string{"from", "to"}
	s.OneOf = []*schema{{Required: []string{"step"}}, {Required: []string{"factor"}}}
	return s
}

// zipSchema is one group of axes that vary together. Values may come again in it.
func zipSchema() *schema {
	list := axisProperties()
	for _, p := range list {
		p.schema.AnyOf[1].UniqueItems = false
	}
	s := object(list...)
	s.MinProperties = 2
	return s
}

// conditionSchema is a mapping of exclude or only.
func conditionSchema() *schema {
	list := fieldProperties()
	for _, p := range list {
		if isNumeric(p.name) {
			between := object(
				property{"from", integers(0, MaxN).about("the least that matches")},
				property{"to", integers(0, MaxN).about("the most that matches")},
			)
			between.MinProperties = 1
			p.schema.AnyOf = append(p.schema.AnyOf, between)
		}
	}
	s := object(list...)
	s.MinProperties = 1
	return s
}

// fieldProperties are the fields of a cell, each a value or a list.
func fieldProperties() properties {
	list := properties{{"algorithm", oneOrMore(ref("algorithm"))}, {"label", oneOrMore(line())}}
	for _, a := range axes {
		list = append(list, property{a.name, oneOrMore(ref(valueName(a.name)))})
	}
	return list
}
