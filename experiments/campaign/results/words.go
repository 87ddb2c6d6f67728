package results

import (
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/plots"
)

// FieldWords says in a legend or a head what a field's value means.
func FieldWords(field, value string) string {
	text := plots.Escape(strings.ReplaceAll(value, "\n", "; ")) // of a plan in several lines
	switch {
	case field == "n":
		return "*n* = " + text
	case field == "fifo" && value == "true":
		return "FIFO"
	case field == "fifo":
		return "no FIFO"
	case field == "initiators" && (value == "" || value == "all"):
		return "all initiate"
	case field == "initiators":
		return "initiator " + text
	case field == "dead" && value == "none":
		return "nobody dead"
	case field == "dead":
		return "dead: " + text
	case field == "delay":
		return "delay " + text
	case field == "fault" && value == "":
		return "no fault"
	}
	return text
}

// ConditionWords is a condition in words. The value is markup.
func ConditionWords(field, value string) string {
	switch {
	case field == "n":
		return "*n* = " + value
	case field == "fifo" || field == "fault" && value == "" || field == "dead" && value == "none":
		return FieldWords(field, value)
	case value == "" && field == "link":
		return "links that only delay"
	case value == "":
		return "default " + plots.Escape(field)
	}
	value = strings.ReplaceAll(value, "\n", "; ")
	if strings.ContainsAny(value, " ;") {
		value = "“" + value + "”"
	}
	if field == "fault" {
		field = "fault plan"
	}
	return plots.Escape(field) + " " + value
}

// CategoryWords names a value beside an axis or in a column that is labelled with the field.
func CategoryWords(sweep *spec.Spec, field, value string) string {
	switch name := sweep.NameOf(field, value); {
	case name != "":
		return plots.Escape(name)
	case field == "fifo":
		return FieldWords(field, value)
	case value == "" && (field == "fault" || field == "link"):
		return "none"
	case value == "":
		return "default"
	}
	return plots.Escape(strings.ReplaceAll(value, "\n", "; "))
}

// BoundWords say what theory says of a metric.
func BoundWords(b *trial.Bound) string { return RelationWords(b.Relation) + " " + b.Formula }

// RelationWords say how a bound limits a metric.
func RelationWords(r trial.Relation) string {
	return map[trial.Relation]string{trial.Exactly: "exactly", trial.AtMost: "at most", trial.AtLeast: "at least", trial.Mean: "on average"}[r]
}
