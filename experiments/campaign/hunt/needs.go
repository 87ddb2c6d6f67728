package hunt

import (
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/internal/pattern"
	"bullring/netem/explore"
)

// needsOf names what a run has that may make it fail, in order: kinds of faults, what links do to
// messages, the order of the steps of a schedule, delays that vary, messages that overtake each other, and the dead. With none of these
// they are the assumptions that do not hold.
func needsOf(in *trial.Instance) []string {
	needs := append(linkNeeds(in.Setting.Link), faultsOf(in.Setting.Schedule)...)
	if in.Motion != nil {
		needs = append(needs, linksMove)
	}
	if in.Setting.Schedule != "" {
		needs = append(needs, "an order of steps")
	}
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
		case c.Class == reason.Step:
			kinds[i] += " " + stepKind(c.Name)
		case c.Class == reason.Coin:
		case k < len(in.Algorithm.Kinds):
			kinds[i] += " " + in.Algorithm.Kinds[k]
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// stepKind is what happens in a step, and the kind of its message. Of "step 3, deliver 0->1 PROBE(2)"
// that is "deliver PROBE".
func stepKind(name string) string {
	_, text, _ := strings.Cut(name, ", ")
	step, err := explore.ParseStep(text)
	if err != nil {
		return text
	}
	kind, _, _ := strings.Cut(step.Message, "(")
	return strings.TrimSpace(step.What.String() + " " + kind)
}
