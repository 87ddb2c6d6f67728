package results_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/trial/setting"
)

// A row takes the columns that its sweep had, the conditions of its cell, and what is known of
// columns of other algorithms. A metric that only a run can tell is named.
func TestRowAdapter(t *testing.T) {
	r := catalog.New()
	const mutex = "name: a\nalgorithms: [maekawa%]\naxes: {n: 4}\n"
	layout := func(text string) (results.Layout, results.Input) {
		t.Helper()
		s, err := results.ParseSpec(r, "a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		l, err := results.LayoutOf(r, s)
		if err != nil {
			t.Fatal(err)
		}
		cell := s.Cells()[0]
		in, err := results.InstanceOf(r, &cell, 7, false)
		if err != nil {
			t.Fatal(err)
		}
		return l, results.Input{Label: "new label", Instance: in}
	}
	before, _ := layout(strings.Replace(mutex, "%", "", 1))
	now, in := layout(strings.Replace(mutex, "%", ", lcr", 1) + "metrics: {twice: messages * 2}\n")
	row := func(values map[string]string) []string {
		fields := make([]string, len(before.Columns()))
		for i, name := range before.Columns() {
			fields[i] = values[name]
			if text := fieldOf(in, name); text != "" && values[name] == "" {
				fields[i] = text
			}
		}
		return fields
	}
	a := results.NewRowAdapter(before, now)
	a.Cell(in)
	fields, lacking, err := a.Row(row(map[string]string{"outcome": "served", "messages": "12", "label": "old", "replicate": "3", "seed": "7"}))
	if err != nil || lacking != "" {
		t.Fatal(lacking, err)
	}
	for name, want := range map[string]string{"messages": "12", "label": "new label", "split_brain": "0", "elected_time": "", "E1": "", "bound_worst": ""} {
		if got := fields[slices.Index(now.Columns(), name)]; got != want {
			t.Errorf("%s is %q; want %q", name, got, want)
		}
	}
	if !a.IsTrial(fields, 3, 7) || a.IsTrial(fields, 2, 7) || a.IsTrial(fields, 3, 8) {
		t.Error("the row is of replicate 3 with seed 7")
	}
	if fields, _, _ := a.Row(row(map[string]string{"outcome": "inconclusive"})); fields[slices.Index(now.Columns(), "split_brain")] != "" {
		t.Error("an inconclusive trial has no metrics")
	}
	if _, _, err := a.Row(row(map[string]string{"delay": "3ms"})); err == nil || !strings.Contains(err.Error(), `delay "3ms"`) {
		t.Errorf("another condition: %v", err)
	}
	if _, _, err := a.Row([]string{"maekawa"}); err == nil || !strings.Contains(err.Error(), "a row has 1 field, and its table") {
		t.Errorf("a short row: %v", err)
	}
	raft, _ := layout("name: a\nalgorithms: raft\naxes: {n: 4}\n")
	named, leader := layout("name: a\nalgorithms: raft\naxes: {n: 4}\nfigures: {y: leaderless}\n")
	a = results.NewRowAdapter(raft, named)
	a.Cell(leader)
	values := make([]string, len(raft.Columns()))
	for i, name := range raft.Columns() {
		values[i] = fieldOf(leader, name)
	}
	if _, lacking, err := a.Row(values); lacking != "leaderless" || err != nil {
		t.Errorf("%q is lacking, %v", lacking, err)
	}
}

// A metric that has a column only if the sweep names it has one, too, if a formula of the sweep does.
func TestFormulasNameMetrics(t *testing.T) {
	for _, c := range []struct {
		metrics string
		named   bool
	}{{"{}", false}, {"{share: {formula: fanned / messages}}", true}, {"{share: {formula: 1 - correct}}", false}} {
		r := catalog.New()
		s, err := results.ParseSpec(r, "a.yaml", []byte("name: a\nalgorithms: raft\naxes: {n: 4}\nmetrics: "+c.metrics+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		l, err := results.LayoutOf(r, s)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(l.Columns(), "fanned"); got != c.named {
			t.Errorf("metrics %s: a column fanned is there: %v", c.metrics, got)
		}
	}
}

// fieldOf is the text of a condition in the rows of a cell.
func fieldOf(in results.Input, name string) string {
	if name == "algorithm" {
		return in.Setting.Algorithm
	}
	if c := setting.Find(name); c != nil {
		return c.Get(&in.Setting)
	}
	return ""
}
