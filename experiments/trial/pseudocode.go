package trial

import "strings"

// Handler is a block of pseudocode: what a process does on an event.
type Handler struct {
	// On are the events: "start", "boot", "restart", "deliver KIND", "timeout NAME", or "linkup" and
	// "linkdown" of a process that is told of a link. A block to which others refer has none.
	On    []string
	Lines []string // the first one names the events
}

// Handlers are the blocks of the algorithm's pseudocode, in their order.
func (a *Algorithm) Handlers() []Handler {
	var handlers []Handler
	for line := range strings.Lines(a.Pseudocode) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			continue
		}
		if indented := strings.TrimLeft(line, " \t") != line; !indented || handlers == nil {
			handlers = append(handlers, Handler{On: eventsOf(line)})
		}
		block := &handlers[len(handlers)-1]
		block.Lines = append(block.Lines, line)
	}
	return handlers
}

// eventsOf are the events that the first line of a block names, such as "on TOKEN(x) from q or
// timeout retry:". Without "on" it names none.
func eventsOf(line string) []string {
	on := []string{}
	events, handles := strings.CutPrefix(strings.TrimSuffix(line, ":"), "on ")
	if !handles {
		return on
	}
	for event := range strings.SplitSeq(withoutArguments(events), " or ") {
		event = strings.TrimSpace(event)
		what, more, _ := strings.Cut(event, " ")
		switch what {
		case "start", "boot", "restart", "timeout":
			on = append(on, event)
		case "link": // up to q, or down to q
			way, _, _ := strings.Cut(more, " ")
			on = append(on, what+way)
		default:
			on = append(on, "deliver "+what)
		}
	}
	return on
}

// withoutArguments is a text without what it has in parentheses.
func withoutArguments(text string) string {
	for {
		before, rest, opens := strings.Cut(text, "(")
		_, after, closes := strings.Cut(rest, ")")
		if !opens || !closes {
			return text
		}
		text = before + after
	}
}
