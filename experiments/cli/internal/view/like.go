package view

import (
	"cmp"
	"fmt"
	"io"

	"bullring/experiments/foreign"
	"bullring/internal/counts"
)

// writeLike prints how the run of a program compares with that of an algorithm.
func writeLike(w io.Writer, c *foreign.Comparison) {
	if !c.Parted {
		fmt.Fprintf(w, "The program agrees with %s: %s events, fingerprint %016x. Compared are times, processes and kinds of messages.\n",
			c.Algorithm, counts.Grouped(c.Events), c.Fingerprint)
		return
	}
	fmt.Fprintf(w, "The program parts from %s at event %s.\n", c.Algorithm, counts.Grouped(c.Events+1))
	t := newTable(w)
	t.row("both", cmp.Or(c.Common, "-"))
	t.row("the program", cmp.Or(c.Theirs, "the run has ended"))
	t.row(c.Algorithm, cmp.Or(c.Ours, "the run has ended"))
	t.Flush()
}
