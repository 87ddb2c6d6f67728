package view

import (
	"fmt"
	"strings"

	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/internal/counts"
)

// raceText is an event as a clause.
func raceText(e *history.Event) string {
	switch e.What {
	case "timeout":
		name := e.Name
		if name == "" {
			name = fmt.Sprint(int(e.Timer))
		}
		return fmt.Sprintf("the timer of %d (%s) expired", e.Who, name)
	case "deliver":
		return fmt.Sprintf("%v from %d arrived at %d", e.Message, e.From, e.Who)
	}
	return fmt.Sprintf("process %d had its %s", e.Who, e.What)
}

// ranges lists the numbers that have a value: 0, 2 to 4.
func ranges(values []bool, wanted bool) string {
	var list []string
	for i := 0; i < len(values); i++ {
		if values[i] != wanted {
			continue
		}
		from := i
		for i+1 < len(values) && values[i+1] == wanted {
			i++
		}
		if from == i {
			list = append(list, fmt.Sprint(i))
		} else {
			list = append(list, fmt.Sprintf("%d to %d", from, i))
		}
	}
	return enumerated(list)
}

// mostNamed is the largest number of elements that a list names.
const mostNamed = 4

// some lists the first of some names.
func some(names []string) string {
	if len(names) > mostNamed+1 {
		return strings.Join(names[:mostNamed], ", ") + fmt.Sprintf(" and %d more", len(names)-mostNamed)
	}
	return enumerated(names)
}

func elementNames(list []*reason.Element) (names []string) {
	for _, e := range list {
		names = append(names, e.Name)
	}
	return names
}

func changeNames(list []reason.Change) (names []string) {
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

// were is a number of things with its verb.
func were(n int, thing string) string {
	if n == 1 {
		return counts.Several(n, thing) + " was"
	}
	return counts.Several(n, thing) + " were"
}

// sentenceCase begins a sentence with a capital letter.
func sentenceCase(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
