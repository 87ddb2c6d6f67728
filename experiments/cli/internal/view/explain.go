package view

import (
	"fmt"
	"io"
	"strings"

	"bullring/experiments/trial"
)

// Explain prints what is known of an algorithm.
func Explain(w io.Writer, a *trial.Algorithm) error {
	fmt.Fprintf(w, "%s: %s\n\n", a.Name, a.Title)
	t := newTable(w)
	known := func(what, text string) { // a family has no source
		if text != "" {
			t.row(what, text)
		}
	}
	known("family", a.Family)
	known("source", a.Source)
	known("assumes", strings.Join(a.Assumes.Words(), ", "))
	if a.Initiators != "" {
		t.row("initiators", a.Initiators+" (default)")
	}
	known("cost", a.Cost)
	known("messages", strings.Join(a.Kinds, ", "))
	known("checks", strings.Join(a.Checks, ", "))
	for i, group := range a.Variants {
		t.rowf([]string{"variants", ""}[min(i, 1)], "%s (default %s)", strings.Join(group, " | "), group[0])
	}
	if len(a.Params) > 0 {
		t.row("\nPARAMETER", "VALUES", "DEFAULT", "MEANING")
		for _, p := range a.Params {
			form := p.Form
			if markedWidth(form) > leastCell { // so that a line can end
				form = strings.ReplaceAll(form, "|", " | ")
			}
			t.row(p.Name, form, p.Default, p.Meaning)
		}
	}
	if own := a.OwnMetrics(); len(own) > 0 {
		t.row("\nMETRIC", "MEANING")
		for _, m := range own {
			t.row(m.Name, m.Meaning)
		}
	}
	if len(a.Bounds) > 0 {
		fmt.Fprintln(w, "\nBOUNDS")
	}
	for _, b := range a.Bounds {
		fmt.Fprintf(w, "  %s: %s %v %s\n    %s\n", b.Name, b.Metric, b.Relation, b.Formula, b.Convention)
	}
	for i, h := range a.Handlers() {
		if i == 0 {
			fmt.Fprintln(w, "\nPSEUDOCODE")
		}
		fmt.Fprintf(w, "  %s\n", strings.Join(h.Lines, "\n  "))
	}
	if a.Doc != "" {
		fmt.Fprintf(w, "\n%s\n", Paragraphs(a.Doc))
	}
	return nil
}
