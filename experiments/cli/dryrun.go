package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bullring/experiments/sweep"
)

// probeTime is about how long the probe of a dry run takes at most; less in tests.
var probeTime = 3 * time.Second

// listedEntries is how many entries a dry run lists.
const listedEntries = 40

// dryRun tells what a sweep would do.
func dryRun(cmd *cobra.Command, sw *sweep.Sweep) error {
	e, err := sw.Estimate(cmd.Context(), probeTime)
	if cmd.Context().Err() != nil {
		return interrupted(cmd.Context())
	}
	if err != nil {
		return err
	}
	if err := output(cmd, func(w io.Writer) error { return writeEstimate(w, sw, e) }); err != nil {
		return err
	}
	return e.Refused
}

func writeEstimate(w io.Writer, sw *sweep.Sweep, e *sweep.Estimate) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "sweep\t%s\n", sw.Spec.Title)
	if sw.Shard.Of > 1 {
		fmt.Fprintf(t, "shard\t%v\n", sw.Shard)
	}
	fmt.Fprintf(t, "trials\t%s%s, in %s\n", grouped(uint64(e.Trials)), atMost(e), several(e.Cells, "cell"))
	fmt.Fprintf(t, "folder\t%s\n", folderText(sw, e))
	if !e.Complete {
		fmt.Fprintf(t, "probe\t%s in %v, one after the other: the first replicates of %s\n",
			several(e.Tried, "trial"), rough(e.Took), several(probedCells(e), "cell"))
		fmt.Fprintf(t, "time\t%s\n", timeText(sw, e))
		fmt.Fprintf(t, "memory\tabout %s MB\n", grouped(e.Memory>>20))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return writeEntries(w, e)
}

func atMost(e *sweep.Estimate) string {
	if e.Fixed {
		return ""
	}
	return " at most"
}

// folderText says where the results go, and what is there.
func folderText(sw *sweep.Sweep, e *sweep.Estimate) string {
	_, err := os.Stat(sw.Dir)
	switch {
	case e.Refused != nil:
		return sw.Dir + ": does not take them, see below"
	case e.Outdated:
		return sw.Dir + ": complete, of another version of the sweep; nothing would run, all files would be written anew from the rows"
	case e.Complete:
		return sw.Dir + ": complete, nothing would run (--again runs it again)"
	case e.Stored > 0:
		return fmt.Sprintf("%s: holds %s of the trials; %s are left%s", sw.Dir,
			grouped(uint64(e.Stored)), grouped(uint64(e.Trials-e.Stored)), atMost(e))
	case errors.Is(err, fs.ErrNotExist):
		return sw.Dir + ": would be made"
	case sw.Again:
		return sw.Dir + ": what it holds of the sweep would be replaced"
	}
	return sw.Dir + ": holds none of the trials"
}

func probedCells(e *sweep.Estimate) int {
	n := 0
	for i := range e.Entries {
		n += e.Entries[i].Probed
	}
	return n
}

// timeText is how long the sweep may take, and how rough that is.
func timeText(sw *sweep.Sweep, e *sweep.Estimate) string {
	with := " with " + several(e.Workers, "worker")
	if paths := len(sw.Spec.Figures); paths > 0 && sw.Shard.Of <= 1 {
		with += ", and the drawing of " + several(paths, "figure")
	}
	switch {
	case e.AtLeast && e.Least == e.Time:
		return "more than " + rough(e.Least) + with + ": a trial of the probe was cut off"
	case e.AtLeast:
		return fmt.Sprintf("more than %s%s: a trial of the probe was cut off; by the growth with n until there%s about %s", rough(e.Least), with, atMost(e), rough(e.Time))
	case e.Guessed > 0:
		return fmt.Sprintf("%s %s%s; %s of it in cells that were not probed, by the growth with n, which is rough", strings.TrimSpace(atMost(e)+" about"), rough(e.Time), with, shareText(e.Guessed))
	}
	return fmt.Sprintf("%s %s%s; every cell was probed, but other replicates may take longer", strings.TrimSpace(atMost(e)+" about"), rough(e.Time), with)
}

func shareText(share float64) string {
	if share < 0.01 {
		return "less than 1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// rough is a time with two digits, from a minute on in seconds, and from an hour on in
// minutes.
func rough(d time.Duration) string {
	if d >= time.Minute {
		unit := time.Second
		if d >= time.Hour {
			unit = time.Minute
		}
		text := d.Round(unit).String()
		if strings.HasSuffix(text, "m0s") {
			text = strings.TrimSuffix(text, "0s")
		}
		return text
	}
	unit := time.Duration(1)
	for d/unit >= 100 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// writeEntries lists the entries, with what of them varies.
func writeEntries(w io.Writer, e *sweep.Estimate) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "entry\tcells\ttrials\tprobed\ta trial takes\taxes")
	for i := range e.Entries[:min(len(e.Entries), listedEntries)] {
		entry := &e.Entries[i]
		probed, takes := "", ""
		if entry.Tried > 0 {
			probed = fmt.Sprintf("%s, %s", several(entry.Probed, "cell"), several(entry.Tried, "trial"))
		}
		if entry.Longest > 0 {
			takes = fmt.Sprintf("%s to %s", rough(entry.Shortest), rough(entry.Longest))
		}
		if entry.AtLeast {
			takes += " and more"
		}
		axes := make([]string, len(entry.Axes))
		for k, a := range entry.Axes {
			axes[k] = axisText(a)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", entry.Label, grouped(uint64(entry.Cells)), grouped(uint64(entry.Trials)), probed, takes, strings.Join(axes, ", "))
	}
	if more := len(e.Entries) - listedEntries; more > 0 {
		fmt.Fprintf(t, "and %s more\n", grouped(uint64(more)))
	}
	return t.Flush()
}

// axisText is the values of an axis: one, or how many and the first and the last.
func axisText(a sweep.AxisCells) string {
	last := len(a.Values) - 1
	if last == 0 {
		return a.Name + " " + a.Values[0]
	}
	return fmt.Sprintf("%s %d: %s to %s", a.Name, last+1, oneLine(a.Values[0]), oneLine(a.Values[last]))
}

// oneLine is a value, shortened to some words of its first line.
func oneLine(value string) string {
	const longest = 30
	if value == "" {
		return "none"
	}
	first, _, more := strings.Cut(value, "\n")
	if runes := []rune(first); len(runes) > longest {
		first, more = string(runes[:longest]), true
	}
	if more {
		first += "..."
	}
	return first
}
