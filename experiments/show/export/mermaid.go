package export

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"bullring/experiments/show/history"
	"bullring/internal/value"
	"bullring/protocols"
)

// The limits of a diagram: the first by choice, the second is that of Mermaid.
const (
	mostMessages = 200
	mostBytes    = 50_000
)

// mermaid is a sequence diagram of Mermaid, which GitHub renders. The events stand in their
// order, without their times.
var mermaid = Format{
	Name: "mermaid", Begins: "sequenceDiagram\n",
	write: func(w *bytes.Buffer, h *history.History) error {
		messages := 0
		for i := range h.Events {
			if h.Events[i].Message != nil {
				messages++
			}
		}
		w.WriteString(sequence(h))
		if messages > mostMessages || w.Len() > mostBytes {
			return fmt.Errorf("a diagram of Mermaid has %d messages and %d bytes at most, and this one has %d and %d; chrome takes each run", mostMessages, mostBytes, messages, w.Len())
		}
		return nil
	},
}

// arrowOf is the sign of a message by what became of it; "" if nothing of a message is said.
func arrowOf(what string) string {
	switch what {
	case "deliver":
		return "->>"
	case "lost", "damaged", "lose", "cut", "collide":
		return "-x"
	}
	return ""
}

func sequence(h *history.History) string {
	n := h.Result.Instance.N
	var b strings.Builder
	fmt.Fprintf(&b, "sequenceDiagram\n  %%%% %s\n", title(h))
	for p := range protocols.ID(n) {
		fmt.Fprintf(&b, "  participant %s as %s\n", process(p), sign(h, p))
	}
	for i := range h.Events {
		e := &h.Events[i]
		arrow := arrowOf(e.What)
		switch {
		case e.Change != nil:
			low, high := min(e.Change.A, e.Change.B), max(e.Change.A, e.Change.B)
			fmt.Fprintf(&b, "  note over %s,%s: %s\n", process(low), process(high), mermaidText(e.Note))
			continue
		case e.What == "fault":
			fmt.Fprintf(&b, "  note over %s,%s: %s\n", process(0), process(protocols.ID(n-1)), mermaidText(e.Note))
			continue
		case arrow == "":
			fmt.Fprintf(&b, "  note over %s: %s\n", process(e.Who), mermaidText(happening(e)))
			continue
		case e.Absent:
			fmt.Fprintf(&b, "  %s%s%s: %s (%s)\n", process(e.From), arrow, process(e.Who), mermaidText(fmt.Sprint(e.Message)), e.What)
		default:
			fmt.Fprintf(&b, "  %s%s%s: %s\n", process(e.From), arrow, process(e.Who), mermaidText(fmt.Sprint(e.Message)))
		}
		if said := result(e); said != "" {
			fmt.Fprintf(&b, "  note over %s: %s\n", process(e.Who), mermaidText(said))
		}
	}
	return b.String()
}

// happening names an event without a message, with what came of it.
func happening(e *history.Event) string {
	text := e.What
	switch e.What {
	case "timeout":
		text = "timer " + cmp.Or(e.Name, fmt.Sprint(e.Timer))
	case "linkup", "linkdown":
		text = fmt.Sprintf("%s %v", e.What, e.From)
	}
	if said := result(e); said != "" {
		text += ", " + said
	}
	return text
}

// result tells a panic and the decision of an event.
func result(e *history.Event) string {
	if e.Panics {
		return strings.TrimSuffix("PANICS, "+e.News, ", ")
	}
	return e.News
}

// mermaidText is a text in one line, with entities for the letters that mean something in a
// diagram or in HTML.
func mermaidText(text string) string { return entities.Replace(value.OneLine(text)) }

var entities = strings.NewReplacer(
	"#", "#35;", ";", "#59;", "%", "#37;", "<", "#60;", "&", "#38;", "$", "#36;", "`", "#96;", `\`, "#92;", "wrap:", "wrap#58;",
)
