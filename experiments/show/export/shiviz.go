package export

import (
	"bytes"
	"fmt"

	"bullring/experiments/show/history"
	"bullring/protocols"
)

// shivizHead has the regular expression that splits the log, and an empty line: the log has
// one run.
const shivizHead = `(?<event>.*)\n(?<host>\S*) (?<clock>{.*})` + "\n\n"

// shiviz is a log for ShiViz: the steps of the processes, each in two lines, with their vector
// clocks. Faults and messages that did not arrive belong to no process and are left out.
//
// A line of an event begins with its time and two spaces. So the expression does not mistake
// it for a line with a clock, whatever the text of a message is.
var shiviz = Format{Name: "shiviz", Begins: shivizHead, write: func(w *bytes.Buffer, h *history.History) error {
	w.WriteString(shivizHead)
	last := make([]int, len(h.Events)) // the last effect of each event
	for i := range h.Events {
		for _, cause := range h.Events[i].After {
			last[cause-1] = i
		}
	}
	clocks := make([][]int, len(h.Events)) // of the events that have effects to come
	for i := range h.Events {
		e := &h.Events[i]
		clock := make([]int, h.Result.Instance.N)
		for _, cause := range e.After {
			for p, v := range clocks[cause-1] {
				clock[p] = max(clock[p], v)
			}
			if last[cause-1] == i {
				clocks[cause-1] = nil
			}
		}
		if !atProcess(e) {
			continue
		}
		clock[e.Who]++
		clocks[i] = clock
		fmt.Fprintf(w, "%s\n%s {", line(e), process(e.Who))
		comma := ""
		for p, v := range clock {
			if v > 0 {
				fmt.Fprintf(w, "%s%q:%d", comma, process(protocols.ID(p)), v)
				comma = ", "
			}
		}
		w.WriteString("}\n")
	}
	return nil
}}
