package view

import (
	"cmp"
	"fmt"
	"io"

	"bullring/experiments/real/foreign"
	"bullring/internal/counts"
)

// writeLike prints how the run of a program compares with another one.
func writeLike(w io.Writer, c *foreign.Comparison) {
	compared := "times, processes and kinds of messages"
	if c.Itself {
		compared = "events and the contents of messages"
	}
	switch {
	case c.Cut:
		fmt.Fprintf(w, "Until the run was cut off, %s events agreed with %s.\n", counts.Grouped(c.Events), c.With)
	case !c.Parted:
		fmt.Fprintf(w, "The program agrees with %s: %s events, fingerprint %016x. Compared are %s.\n", c.With, counts.Grouped(c.Events), c.Fingerprint, compared)
	default:
		fmt.Fprintf(w, "The program parts from %s at event %s. Compared are %s.\n", c.With, counts.Grouped(c.Events+1), compared)
		t := newTable(w)
		t.row("both", cmp.Or(c.Common, "-"))
		t.row("the program", cmp.Or(c.First, "the run has ended"))
		t.row(c.With, cmp.Or(c.Other, "the run has ended"))
	}
}

// likeReport is a comparison as JSON.
type likeReport struct {
	With    string  `json:"with"`
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
	return &likeReport{c.With, !c.Parted && !c.Cut, c.Events, orNull(c.Common), orNull(c.First), orNull(c.Other)}
}
