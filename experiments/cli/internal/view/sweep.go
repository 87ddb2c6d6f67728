package view

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/internal/counts"
)

// Sweep prints what a sweep has run, and the files of figures that were drawn from it.
func Sweep(w io.Writer, sw *sweep.Sweep, r *sweep.Report, drawn []string) error {
	t := newTable(w)
	t.row("sweep", sw.Spec.Title)
	if sw.Shard.Of > 1 {
		t.row("shard", sw.Shard.String())
	}
	t.row("trials", trialsText(sw, r))
	if sw.Spec.Keep.Summary {
		t.row("keeps", sw.Spec.Keep.String())
	}
	growthRows(t, r.Growth)
	if r.Outside > 0 {
		t.row("outside the model", counts.Grouped(r.Outside))
	}
	t.row("outcomes", strings.Join(outcomes(r.Outcomes), ", "))
	for _, c := range r.Checks {
		violated := "violated"
		if c.Violated > 0 {
			violated = bad(violated)
		}
		text := fmt.Sprintf("holds %s, %s %s, undecided %s", counts.Grouped(c.Holds), violated, counts.Grouped(c.Violated), counts.Grouped(c.Undecided))
		if c.NotPromised > 0 {
			text += ", not promised " + counts.Grouped(c.NotPromised)
		}
		t.row("check "+c.Name, text)
	}
	if len(r.Files) > 0 {
		t.row("results", strings.Join(r.Files, ", ")+" in "+sw.Dir)
	}
	if figures := namesOf(drawn, results.FiguresDir, ".png"); figures != "" {
		t.rowf("figures", "%s as PNG, SVG, PDF and CSV in %s", figures, filepath.Join(sw.Dir, results.FiguresDir))
	}
	if tables := namesOf(drawn, results.TablesDir, ".tex"); tables != "" {
		t.rowf("tables", "%s for LaTeX, in Markdown and as CSV in %s", tables, filepath.Join(sw.Dir, results.TablesDir))
	}
	if len(r.Files) > 0 && sw.Shard.Of <= 1 && !r.Already {
		t.row("page", filepath.Join(sw.Dir, results.ReportFile))
	}
	return nil
}

// namesOf are the names of the files of a folder with that extension.
func namesOf(files []string, folder, extension string) string {
	var names []string
	for _, file := range files {
		if name, ok := strings.CutSuffix(filepath.Base(file), extension); ok && filepath.Base(filepath.Dir(file)) == folder {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// outcomes lists how many trials had each outcome.
func outcomes(all []sweep.Count) []string {
	var words []string
	for _, o := range all {
		words = append(words, o.Name+" "+counts.Grouped(o.Times))
	}
	return words
}

// trialsText tells how many trials there are, and where they come from.
func trialsText(sw *sweep.Sweep, r *sweep.Report) string {
	of, most := " of ", ""
	if sw.Spec.Until != nil {
		of, most = ", of ", " at most"
	}
	text := counts.Grouped(r.Done) + of + counts.Grouped(r.Trials) + most + ", in " + counts.Grouped(r.Cells) + " cells"
	switch {
	case r.Growth != nil:
		text += "; " + grownText(r)
	case r.Outdated:
		text += "; the trials were there, of another version of the sweep: nothing was run (--again runs it again), and all files were written anew"
	case r.Already:
		text += "; complete already, nothing was run (--again runs it again)"
	case r.Stored > 0:
		text += fmt.Sprintf("; %s had run before", counts.Grouped(r.Stored))
	}
	return text
}

// grownText tells how many trials were kept of an earlier version of the sweep, and how many
// were run.
func grownText(r *sweep.Report) string {
	text := counts.Grouped(r.Growth.Kept) + " kept of an earlier version, "
	if before := r.Stored - r.Growth.Kept; before > 0 {
		text += counts.Grouped(before) + " had run before, "
	}
	return text + counts.Grouped(r.Done-r.Stored) + " run"
}

// growthRows tell which trials of an earlier version are not kept; g may be nil.
func growthRows(t table, g *sweep.Growth) {
	if g == nil {
		return
	}
	if g.Again > 0 {
		t.row("run again", counts.Several(g.Again, "earlier trial")+" without "+strings.Join(g.Lacking, ", "))
	}
	if g.Dropped > 0 {
		t.row("dropped", counts.Several(g.Dropped, "earlier trial"))
	}
}
