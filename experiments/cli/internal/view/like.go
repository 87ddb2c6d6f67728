package view

import (
	"fmt"
	"io"
	"strings"

	"bullring/experiments/real/foreign"
	"bullring/internal/counts"
)

// writeLike prints how the run of a program compares with another one.
func writeLike(w io.Writer, c *foreign.Comparison) {
	compared := "what processes send (kinds and destinations) and say, and when"
	switch {
	case c.Itself:
		compared = "events and the contents of messages"
	case c.Timers:
		compared = "times, processes, timers, kinds of messages, and what processes say"
	}
	switch {
	case c.Cut:
		fmt.Fprintf(w, "Until the run was cut off, %s %ss agreed with %s.\n", counts.Grouped(c.Events), c.Unit(), c.With)
	case c.Parted:
		fmt.Fprintf(w, "The program parts from %s at %s %s. The runs are compared by %s.\n\n", c.With, c.Unit(), counts.Grouped(c.Events+1), compared)
		writeParting(w, c)
	default:
		same := ""
		if c.Fingerprint != 0 {
			same = fmt.Sprintf(", fingerprint %016x", c.Fingerprint)
		}
		fmt.Fprintf(w, "The program agrees with %s: %s %ss%s. The runs are compared by %s.\n", c.With, counts.Grouped(c.Events), c.Unit(), same, compared)
	}
}

// writeParting prints both runs where they part, side by side.
func writeParting(w io.Writer, c *foreign.Comparison) {
	const over = "the run has ended"
	t := newTable(w)
	t.row("", "the program", c.With)
	for _, pair := range c.Common {
		t.row("same", oneBlank(pair.Program), oneBlank(pair.Other))
	}
	for i := range max(len(c.Program), len(c.Other)) {
		mark := ""
		if i == 0 {
			mark = "differs"
		}
		t.row(mark, oneBlank(lineOr(c.Program, i, over)), oneBlank(lineOr(c.Other, i, over)))
	}
}

// lineOr is a line of a run, over where the run ends, and then nothing.
func lineOr(lines []string, i int, over string) string {
	switch {
	case i < len(lines):
		return lines[i]
	case i == len(lines):
		return over
	}
	return ""
}

// oneBlank is a line of a trace without the blanks that align it with others.
func oneBlank(line string) string { return strings.Join(strings.Fields(line), " ") }

// likeReport is a comparison as JSON.
type likeReport struct {
	With    string  `json:"with"`
	Unit    string  `json:"unit"` // of what is compared: event or act
	Agrees  bool    `json:"agrees"`
	Events  uint64  `json:"events"` // that are the same
	Common  *string `json:"common"` // the last of them
	Program *string `json:"program"`
	Other   *string `json:"other"`
}

func newLikeReport(c *foreign.Comparison) *likeReport {
	if c == nil {
		return nil
	}
	r := &likeReport{With: c.With, Unit: c.Unit(), Agrees: !c.Parted && !c.Cut, Events: c.Events}
	if c.Parted {
		r.Program, r.Other = orNull(lineOr(c.Program, 0, "")), orNull(lineOr(c.Other, 0, ""))
		if n := len(c.Common); n > 0 {
			r.Common = &c.Common[n-1].Program
		}
	}
	return r
}
