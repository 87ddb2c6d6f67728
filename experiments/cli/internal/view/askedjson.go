package view

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/protocols"
	"bullring/protocols/election"
)

// listed is the number of processes up to which JSON lists them one by one. Longer lists
// follow from the setting, which is always there.
const listed = 64

// jsonOrder is the order of the conditions in the JSON of a run.
var jsonOrder = setting.InOrder("variant", "n", "param", "placement", "initiators", "dead", "fault", "topology", "delay", "link",
	"link_mode", "delta", "gst", "transport", "detector", "until", "fifo", "assume", "max_time")

// askedOf is what a run was asked for: its conditions, and beside each what came of it.
func askedOf(in *trial.Instance) (all named[any]) {
	s := &in.Setting
	for _, c := range jsonOrder {
		if c.Name == "variant" || c.Name == "n" || c.Name == "param" && s.Param == "" {
			continue // the first two stand at the head
		}
		if (c.Name == "inputs" || c.Name == "f") && c.Get(s) == "" {
			continue // the algorithm has none
		}
		all.add(c.Name, jsonValue(in, c))
		switch c.Name {
		case "placement":
			var ids []election.Identity
			var attributes []float64
			if in.N <= listed || s.IDs != "" { // identities that were given follow from nothing else
				ids, attributes = identitiesOf(in), attributesOf(in)
			}
			all.add("ids", ids)
			all.add("attributes", attributes)
		case "inputs":
			all.add("input_values", ifListed(in.Inputs())) // the drawn ones, by address
		case "initiators":
			var initiators []protocols.ID
			if in.Initiators.Len() <= listed {
				initiators = in.Initiators.List()
			}
			all.add("initiator_addresses", initiators)
		case "dead":
			all.add("dead_addresses", ifListed(orEmpty(in.Dead)))
		case "link":
			if drawn := trial.LinksText(in.DrawnLines); drawn != s.Link {
				all.add("drawn_links", drawn) // where lines are about shares
			}
		case "fault":
			all.add("drawn", in.Drawn.String()) // the faults that came of it
			all.add("schedule", s.Schedule.Lines())
		case "assume":
			all.add("processing", in.Processing.String())
			all.add("max_events", s.MaxEvents)
		}
	}
	all.add("outside_model", orEmpty(in.Outside))
	return all
}

// jsonValue is the value of a condition: a duration that was not given is null.
func jsonValue(in *trial.Instance, c *setting.Condition) any {
	text := c.Get(&in.Setting)
	switch {
	case c.Name == "assume":
		return in.Assumed.String() // the real bound, if none was given
	case c.Kind == setting.Truth:
		return text == "true"
	case c.Kind == setting.Addresses:
		return plain(text)
	case c.Kind == setting.Duration:
		return orNull(text)
	}
	return text
}

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
