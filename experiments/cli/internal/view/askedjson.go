package view

import (
	"reflect"
	"slices"
	"sync"

	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/internal/jsonschema"
	"bullring/protocols"
	"bullring/protocols/election"
)

// listed is the number of processes up to which JSON lists them one by one. Longer lists
// follow from the setting, which is always there.
const listed = 64

// askedField is a field of what a run was asked for. A run may lack it.
type askedField struct {
	name   string
	lacks  bool
	schema func(*jsonschema.Reflector) *jsonschema.Schema
	value  func(*trial.Instance) (v any, ok bool)
}

// beside is a field beside a condition: what came of it.
func beside[T any](name string, value func(*trial.Instance) T) askedField {
	f := besideIf(name, func(in *trial.Instance) (T, bool) { return value(in), true })
	f.lacks = false
	return f
}

// besideIf is a field that a run may lack.
func besideIf[T any](name string, value func(*trial.Instance) (T, bool)) askedField {
	return askedField{
		name, true,
		func(r *jsonschema.Reflector) *jsonschema.Schema { return r.Of(reflect.TypeFor[T]()) },
		func(in *trial.Instance) (any, bool) { return value(in) },
	}
}

// besides are the fields that follow a condition.
func besides() map[string][]askedField {
	return map[string][]askedField{
		"placement": {
			beside("ids", func(in *trial.Instance) (ids []election.Identity) {
				if listsIdentities(in) {
					ids = identitiesOf(in)
				}
				return ids
			}),
			beside("attributes", func(in *trial.Instance) (attributes []float64) {
				if listsIdentities(in) {
					attributes = attributesOf(in)
				}
				return attributes
			}),
		},
		"inputs": {besideIf("input_values", func(in *trial.Instance) ([]int, bool) { // the drawn ones, by address
			return ifListed(in.Inputs()), in.Setting.Inputs != ""
		})},
		"initiators": {beside("initiator_addresses", func(in *trial.Instance) []protocols.ID {
			if in.Initiators.Len() > listed {
				return nil
			}
			return in.Initiators.List()
		})},
		"dead": {beside("dead_addresses", func(in *trial.Instance) []protocols.ID { return ifListed(orEmpty(in.Dead)) })},
		"link": {besideIf("drawn_links", func(in *trial.Instance) (string, bool) { // where lines are about shares
			drawn := trial.LinksText(in.DrawnLines)
			return drawn, drawn != in.Setting.Link
		})},
		"fault": {
			beside("drawn", func(in *trial.Instance) string { return in.Drawn.String() }), // the faults that came of it
			beside("schedule", func(in *trial.Instance) trial.Schedule { return in.Setting.Schedule }),
		},
		"assume": {
			beside("processing", func(in *trial.Instance) string { return in.Processing.String() }),
			beside("max_events", func(in *trial.Instance) uint64 { return in.Setting.MaxEvents }),
		},
	}
}

// askedFields are all fields, in their order: the conditions, and beside each what came of it.
var askedFields = sync.OnceValue(func() (all []askedField) {
	after := besides()
	for _, c := range setting.InOrder("variant", "n", "param", "placement", "initiators", "dead", "fault", "topology", "delay", "link",
		"link_mode", "delta", "gst", "transport", "detector", "until", "fifo", "assume", "max_time") {
		if c.Name != "variant" && c.Name != "n" { // they stand at the head
			all = append(all, conditionField(c))
			all = append(all, after[c.Name]...)
		}
	}
	return append(all, beside("outside_model", func(in *trial.Instance) list[string] { return in.Outside }))
})

// mayLack are the conditions that a run lacks if its algorithm has none.
var mayLack = []string{"param", "inputs", "f", "motion", "medium", "forks"}

// conditionField is the field of a condition. A duration that was not given is null.
func conditionField(c *setting.Condition) askedField {
	lacks := slices.Contains(mayLack, c.Name)
	text := func(in *trial.Instance) string { return c.Get(&in.Setting) }
	f := besideIf(c.Name, func(in *trial.Instance) (string, bool) { return text(in), !lacks || text(in) != "" })
	switch {
	case c.Name == "assume": // the real bound, if none was given
		f = beside(c.Name, func(in *trial.Instance) string { return in.Assumed.String() })
	case c.Kind == setting.Truth:
		f = beside(c.Name, func(in *trial.Instance) bool { return text(in) == "true" })
	case c.Kind == setting.Addresses:
		f = beside(c.Name, func(in *trial.Instance) string { return plain(text(in)) })
	case c.Kind == setting.Duration:
		f = beside(c.Name, func(in *trial.Instance) *string { return orNull(text(in)) })
	case c.Kind == setting.Choice:
		f.schema = func(*jsonschema.Reflector) *jsonschema.Schema { return jsonschema.Words(c.Flag.Complete...) }
	}
	f.lacks = lacks
	return f
}

// asked has the fields of a setting, in their order.
type asked named[any]

// askedOf are the fields of the setting of an instance, and what came of them.
func askedOf(in *trial.Instance) asked {
	var all named[any]
	for _, f := range askedFields() {
		if v, ok := f.value(in); ok {
			all.add(f.name, v)
		}
	}
	return asked(all)
}

// MarshalJSON implements json.Marshaler.
func (a asked) MarshalJSON() ([]byte, error) { return named[any](a).MarshalJSON() }

// Shape implements jsonschema.Shaper.
func (asked) Shape(r *jsonschema.Reflector) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Additional: false}
	for _, f := range askedFields() {
		s.Add(f.name, f.schema(r), !f.lacks)
	}
	return s
}

// listsIdentities reports whether JSON lists the identities: those that were given follow from
// nothing else.
func listsIdentities(in *trial.Instance) bool { return in.N <= listed || in.Setting.IDs != "" }

// identitiesOf are the identities of an instance by address.
func identitiesOf(in *trial.Instance) (ids []election.Identity) {
	for _, r := range in.Ranks.All() {
		ids = append(ids, r.ID)
	}
	return ids
}

// attributesOf are the attributes of an instance by address, nil if it has none.
func attributesOf(in *trial.Instance) (attributes []float64) {
	if in.Setting.Attr == "" {
		return nil
	}
	for _, r := range in.Ranks.All() {
		attributes = append(attributes, r.Attr)
	}
	return attributes
}

// ifListed drops a list that is too long to be listed.
func ifListed[T any](list []T) []T {
	if len(list) > listed {
		return nil
	}
	return list
}
