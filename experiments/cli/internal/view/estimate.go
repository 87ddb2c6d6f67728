package view

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"bullring/experiments/campaign/sweep"
	"bullring/internal/counts"
)

// listedEntries is how many entries of a sweep an estimate lists.
const listedEntries = 40

// Estimate prints what a sweep would run, and how long that may take. exists says that the
// folder of the results is there.
func Estimate(w io.Writer, sw *sweep.Sweep, e *sweep.Estimate, exists bool) error {
	t := newTable(w)
	t.row("sweep", sw.Spec.Title)
	if sw.Shard.Of > 1 {
		t.row("shard", sw.Shard.String())
	}
	t.rowf("trials", "%s%s, in %s", counts.Grouped(e.Trials), atMost(e), counts.Several(e.Cells, "cell"))
	if sw.Spec.Keep.Summary {
		t.row("keeps", sw.Spec.Keep.String())
	}
	t.row("folder", sw.Dir+": "+folderText(sw, e, exists))
	growthRows(t, e.Growth)
	if !e.Complete {
		t.rowf("probe", "%s in %v, one after the other: the first replicates of %s",
			counts.Several(e.Tried, "trial"), rough(e.Took), counts.Several(e.Probed, "cell"))
		t.row("time", timeText(sw, e))
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

// folderText tells what is in the folder of the results.
func folderText(sw *sweep.Sweep, e *sweep.Estimate, exists bool) string {
	switch {
	case e.Refused != nil:
		return "does not take them, see below"
	case e.Outdated:
		return "complete, of another version of the sweep; nothing would run, all files would be written anew from the rows"
	case e.Complete:
		return "complete, nothing would run (--again runs it again)"
	case e.Growth != nil:
		return fmt.Sprintf("holds %s of the trials, of an earlier version; %s are left%s", counts.Grouped(e.Stored), counts.Grouped(e.Trials-e.Stored), atMost(e))
	case e.Stored > 0:
		return fmt.Sprintf("holds %s of the trials; %s are left%s", counts.Grouped(e.Stored), counts.Grouped(e.Trials-e.Stored), atMost(e))
	case !exists:
		return "would be made"
	case sw.Again:
		return "what it holds of the sweep would be replaced"
	}
	return "holds none of the trials"
}

// timeText tells how long the sweep may take, and how far the number can be trusted.
func timeText(sw *sweep.Sweep, e *sweep.Estimate) string {
	with := " with " + counts.Several(e.Workers, "worker")
	if figures := len(sw.Spec.Figures); figures > 0 && sw.Shard.Of <= 1 {
		with += ", and the drawing of " + counts.Several(figures, "figure")
	}
	text := strings.TrimSpace(atMost(e)+" about") + " " + rough(e.Time) + with
	switch {
	case e.AtLeast:
		return "more than " + rough(e.Time) + with + ": a trial of the probe was cut off"
	case e.Probed < e.Cells:
		return text + "; a cell that was not probed counts with the mean of the others"
	}
	return text + "; every cell was probed, but other replicates may take longer"
}

// rough prints a time with two digits, from a minute on to the second, and from an hour on
// to the minute.
func rough(d time.Duration) string {
	switch {
	case d >= time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	case d >= time.Minute:
		text := d.Round(time.Second).String()
		if strings.HasSuffix(text, "m0s") {
			text = strings.TrimSuffix(text, "0s")
		}
		return text
	}
	return withDigits(d, 2)
}

// withDigits prints a duration rounded to so many digits.
func withDigits(d time.Duration, digits int) string {
	limit, unit := time.Duration(math.Pow10(digits)), time.Duration(1)
	for d/unit >= limit {
		unit *= 10
	}
	return d.Round(unit).String()
}

// writeEntries lists the entries of a sweep, and the axes that vary in each.
func writeEntries(w io.Writer, e *sweep.Estimate) error {
	t := newTable(w)
	t.row("entry", "cells", "trials", "on one worker", "axes")
	for i := range e.Entries[:min(len(e.Entries), listedEntries)] {
		entry := &e.Entries[i]
		alone := ""
		if entry.Time > 0 {
			alone = rough(entry.Time)
		}
		axes := make([]string, len(entry.Axes))
		for k, a := range entry.Axes {
			axes[k] = axisText(a)
		}
		t.row(entry.Label, counts.Grouped(entry.Cells), counts.Grouped(entry.Trials), alone, strings.Join(axes, ", "))
	}
	if more := len(e.Entries) - listedEntries; more > 0 {
		t.row("and " + counts.Grouped(more) + " more")
	}
	return nil
}

// axisText tells the value of an axis or, if it has several, their number, the first and
// the last.
func axisText(a sweep.AxisCells) string {
	last := len(a.Values) - 1
	if last == 0 {
		return a.Name + " " + a.Values[0]
	}
	return fmt.Sprintf("%s %d: %s to %s", a.Name, last+1, oneLine(a.Values[0]), oneLine(a.Values[last]))
}

// oneLine is the beginning of the first line of a value.
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
