package hunt

import (
	"fmt"
	"slices"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/internal/pattern"
)

// needsOf names what a run has that may make it fail, in order: kinds of faults, what links do to
// messages, delays that vary, messages that overtake each other, and the dead. With none of these
// they are the assumptions that do not hold.
func needsOf(in *trial.Instance) []string {
	needs := linkNeeds(in.Setting.Link)
	for _, f := range in.Drawn {
		needs = append(needs, f.Kind.String())
	}
	if _, constant := in.Unit(); !constant && in.Setting.Schedule == "" {
		needs = append(needs, "delays that vary")
	}
	if !in.FIFO {
		needs = append(needs, "messages out of order")
	}
	if len(in.Dead) > 0 {
		needs = append(needs, "processes that are dead")
	}
	if len(needs) == 0 {
		needs = slices.Clone(in.Outside)
	}
	slices.Sort(needs)
	return slices.Compact(needs)
}

var clauses = pattern.Of(`\b(loss|duplicate|corrupt|reorder|delay|rate|slot|limit)\b`)

// linkNeeds are the clauses of a line of links.
func linkNeeds(line string) []string {
	words := clauses().FindAllString(line, -1)
	slices.Sort(words)
	return slices.Compact(words)
}

// kindsOf says of what kind changes are: the faults that never begin, or the kinds of the messages
// that arrive, and what had happened to these.
func kindsOf(in *trial.Instance, changes []reason.Change) []string {
	kinds := make([]string, len(changes))
	for i, c := range changes {
		kinds[i] = fmt.Sprint(c.Class)
		switch k := c.Key.Kind; {
		case c.Class == reason.Fault:
			kinds[i] += " " + in.Drawn[c.Fault].Kind.String()
		case c.Class == reason.Coin || c.Class == reason.Step:
		case k < len(in.Algorithm.Kinds):
			kinds[i] += " " + in.Algorithm.Kinds[k]
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}
