package spec

import "encoding/json"

// SchemaOptions are the words that a caller knows. An empty list allows any text.
type SchemaOptions struct {
	Algorithms []string
	Variants   []string // single words of any algorithm
	Metrics    []string
}

// Schema returns the grammar of a sweep as JSON Schema, draft 2020-12, with which editors
// complete and check a sweep. The schema accepts every sweep that Parse accepts, and some
// more: a schema cannot find cells that come twice, for example. Equal options give equal
// bytes.
func Schema(o SchemaOptions) ([]byte, error) {
	r := &reader{} // the tables of fields use it only to read
	s := r.sweepSchema()
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "A sweep of bullring"
	s.Defs = properties{
		{Name: "algorithm", Schema: word(o.Algorithms).About("name of an algorithm")},
		{Name: "metric", Schema: word(o.Metrics).About("name of a metric")},
		{Name: "shown", Schema: anyOf(ref("metric"), like(metricPattern())).About("name of a metric, or of one of metrics")},
		{Name: "entry", Schema: anyOf(ref("algorithm"), objectOf(r.entryFields(nil, nil)))},
		{Name: "zip", Schema: r.zipSchema()},
		{Name: "condition", Schema: r.conditionSchema()},
		{Name: "figure", Schema: figureReader{}.figureSchema()},
		{Name: "curve", Schema: curveReader{}.curveSchema()},
		{Name: "measure", Schema: tableReader{}.measureSchema()},
		{Name: "table", Schema: objectOf(tableReader{}.tableFields(nil, nil, nil))},
	}
	for _, a := range axes {
		s.Defs = append(s.Defs, property{Name: valueName(a.Name), Schema: a.valueSchema(o)})
	}
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}

// sweepSchema is the whole file. An included file may have the algorithms.
func (r *reader) sweepSchema() *schema {
	s := objectOf(r.sweepFields(nil, nil, nil, nil))
	s.Required = []string{"name"}
	s.AnyOf = []*schema{{Required: []string{"algorithms"}}, {Required: []string{"include"}}}
	return s
}

// valueName is the definition of one value of an axis.
func valueName(axis string) string { return "axis-" + axis }

// valueSchema is one value of the axis.
func (a axis) valueSchema(o SchemaOptions) *schema {
	switch {
	case a.Name == "variant":
		return variants(o.Variants)
	case a.kind == countAxis:
		return integers(1, maxN)
	case a.kind == addressAxis:
		return anyOf(line(), integers(0, maxN))
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
	return anyOf(word(words), &schema{Type: "string", Pattern: ","}).About("a word of the algorithm, or several with commas between")
}

// zipSchema is one group of axes that vary together. In it values may repeat.
func (r *reader) zipSchema() *schema {
	s := objectOf(r.axisFields(nil))
	for _, p := range s.Properties {
		p.Schema.AnyOf[1].UniqueItems = false
	}
	s.MinProperties = 2
	return s
}

// conditionSchema is a mapping of exclude or only.
func (r *reader) conditionSchema() *schema {
	list := fieldProperties()
	for _, p := range list {
		if isNumeric(p.Name) {
			between := objectOf(conditionReader{}.betweenFields(nil, nil))
			between.MinProperties = 1
			p.Schema.AnyOf = append(p.Schema.AnyOf, between)
		}
	}
	s := object(list...)
	s.MinProperties = 1
	return s
}

// fieldProperties are the fields of a cell, each a value or a list.
func fieldProperties() properties {
	list := properties{{Name: "algorithm", Schema: oneOrMore(ref("algorithm"))}, {Name: "label", Schema: oneOrMore(line())}}
	for _, a := range axes {
		list = append(list, property{Name: a.Name, Schema: oneOrMore(ref(valueName(a.Name)))})
	}
	return list
}
