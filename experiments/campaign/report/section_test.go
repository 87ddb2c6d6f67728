package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial/setting"
)

// cellsOf are cells with these numbers of processes.
func cellsOf(fifo bool, n ...int) (cells []spec.Cell) {
	for _, k := range n {
		cells = append(cells, spec.Cell{Setting: setting.Setting{Algorithm: "lcr", N: k, Dead: "none", Delay: "1ms", Unordered: !fifo}, Label: "LCR"})
	}
	return cells
}

// The conditions are those of all cells, each value once: numbers of processes by their size,
// up to twelve of them, and neither a crash nor a lost order where there is none.
func TestConditions(t *testing.T) {
	value := func(cells []spec.Cell, name string) string {
		for _, f := range conditionsOf(cells) {
			if f.Name == name {
				return f.Value
			}
		}
		return ""
	}
	for _, c := range []struct {
		cells      []spec.Cell
		name, want string
	}{
		{cellsOf(true, 8, 16, 4, 8, 128), "n", "4; 8; 16; 128"},
		{cellsOf(true, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), "n", "1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12"},
		{cellsOf(true, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), "n", "1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; … 13 (13 values)"},
		{cellsOf(true, 4), "algorithm", "lcr"},
		{cellsOf(true, 4), "delay", "1ms"},
		{cellsOf(true, 4), "fifo", ""},
		{cellsOf(true, 4), "dead", ""},
		{cellsOf(false, 4), "fifo", "false"},
		{append(cellsOf(true, 4), cellsOf(false, 4)...), "fifo", "true; false"},
	} {
		if got := value(c.cells, c.name); got != c.want {
			t.Errorf("%s is %q; want %q", c.name, got, c.want)
		}
	}
}

// A bound is in the table of theory with the least and the largest ratio of the cells; one that
// applies to no cell is not.
func TestTheory(t *testing.T) {
	m := &results.Manifest{Files: []results.FileInfo{{Columns: []results.Column{
		{Name: "messages"}, {Name: "bound_worst", Meaning: "what theory says: lcr: messages ≤ n(n+1)/2"}, {Name: "bound_exact"}, {Name: "bound_other"},
	}}}}
	m.Files[0].Name = results.ResultsFile
	cells := &results.Overview{Columns: []string{"ratio_exact", "ratio_worst"}, Fields: [][]string{{"", "0.5"}, {"", ""}, {"", "0.25"}, {"", "1"}}}
	want := [][]string{{"worst", "lcr: messages ≤ n(n+1)/2", "0.25", "1"}}
	if got := theoryOf(m, cells).Rows; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q; want %q", got, want)
	}
}

// Verdicts are added up over the cells.
func TestChecks(t *testing.T) {
	cells := &results.Overview{Columns: []string{"E1_holds", "E1_violated", "E2_holds"}, Fields: [][]string{{"3", "0", "2"}, {"4", "5", ""}}}
	want := [][]string{{"E1", "7", "5", "0"}, {"E2", "2", "0", "0"}}
	if got := checksOf([]string{"E1", "E2"}, cells).Rows; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q; want %q", got, want)
	}
}

// Columns of conditions that do not vary are left out, and empty ones.
func TestVaryingColumns(t *testing.T) {
	table := varyingColumns([]string{"algorithm", "n", "messages_mean", "leader"}, [][]string{{"lcr", "4", "2.123456", ""}, {"lcr", "8", "2.123456", ""}})
	if got, want := fmt.Sprint(table.Head, table.Rows), "[n messages mean] [[4 2.123] [8 2.123]]"; got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// A table is open up to twenty rows.
func TestLongTablesAreClosed(t *testing.T) {
	for rows, open := range map[int]bool{20: true, 21: false} {
		table := Table{Title: "Cells", Head: []string{"n"}}
		for range rows {
			table.Rows = append(table.Rows, []string{"1"})
		}
		var w writer
		table.write(&w, &section{}, "cells")
		if got := strings.Contains(w.String(), `open="open"`); got != open {
			t.Errorf("%d rows: open is %v", rows, got)
		}
	}
}

// A column is one of numbers with intervals, marks and true minus signs, too.
func TestNumericColumns(t *testing.T) {
	for text, want := range map[string]bool{"12": true, "−1.5 ± 0.2†": true, "21†": true, "": false, "v1": false, "a 1": false} {
		if got := (&Table{Rows: [][]string{{text}}}).numeric(0); got != want {
			t.Errorf("%q is a number: %v", text, got)
		}
	}
}
