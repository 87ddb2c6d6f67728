package house_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// plan returns the boxes of the picture with which docs/design.md opens: rows from above to below
// of boxes beside each other, a box as the places of its packages.
func plan(t *testing.T) (rows [][][]string) {
	t.Helper()
	page, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	_, picture, _ := strings.Cut(string(page), "```text\n+--")
	picture, _, _ = strings.Cut(picture, "```")
	for line := range strings.Lines(picture) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		var row [][]string
		for cell := range strings.SplitSeq(strings.Trim(line, "|\n"), "|") {
			if places, _, named := strings.Cut(cell, ":"); named {
				row = append(row, strings.Split(strings.TrimSpace(places), ", "))
			}
		}
		if row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}

// TestPlan: a box of the plan imports boxes below it alone, and what is in no box imports none.
func TestPlan(t *testing.T) {
	rows := plan(t)
	level := func(place string) (row, box int) { // -1 in no box
		for row, boxes := range rows {
			for box, places := range boxes {
				if slices.ContainsFunc(places, func(p string) bool { return in(place, p+"/...") }) {
					return row, box
				}
			}
		}
		return -1, -1
	}
	used := map[[2]int]bool{}
	for _, u := range units(t) {
		if inAny(u.place(), slices.Concat(support, []string{"experiments/internal/...", "internal/..."})) {
			continue
		}
		row, box := level(u.place())
		used[[2]int{row, box}] = true
		if row < 0 && !inAny(u.place(), []string{"docs", "plots/..."}) {
			t.Errorf("%s is in no box of the plan", u.place())
		}
		for _, i := range u.Imports {
			if !ours(i) {
				continue
			}
			switch r, b := level(placeOf(i)); {
			case r < 0, r == row && b == box:
			case row < 0, r <= row:
				t.Errorf("%s imports %s, which is not in a box below it", u.place(), placeOf(i))
			}
		}
	}
	boxes := 0
	for row := range rows {
		for box := range rows[row] {
			boxes++
			if !used[[2]int{row, box}] {
				t.Errorf("there is nothing in the box of %v", rows[row][box])
			}
		}
	}
	if boxes != 8 {
		t.Errorf("the plan has %d boxes; want 8", boxes)
	}
}
