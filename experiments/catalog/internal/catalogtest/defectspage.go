package catalogtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bullring/internal/pattern"
)

// defectsPage is docs/defects.md. Each room writes its own section, between two comments;
// the totals are counted in all of them.
type defectsPage string

const sectionEnds = "<!-- the end of the section -->\n"

func sectionBegins(section string) string { return "<!-- " + section + " -->\n" }

const columnNames = `| algorithm | defect | found in | violated | after | trace | random walks | PCT |
|---|---|---|---|---|---|---|---|
`

func pageFile(t *testing.T) string { return filepath.Join(root(t), "docs", "defects.md") }

func readPage(t *testing.T) defectsPage {
	t.Helper()
	text, err := os.ReadFile(pageFile(t))
	if err != nil {
		t.Fatal(err)
	}
	return defectsPage(text)
}

func (p defectsPage) write(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(pageFile(t), []byte(p), 0o644); err != nil {
		t.Fatal(err)
	}
}

// section takes the page apart around the lines of a section; ok is false if it has none
// of that name.
func (p defectsPage) section(name string) (before, lines, after string, ok bool) {
	before, rest, begins := strings.Cut(string(p), sectionBegins(name))
	lines, after, ends := strings.Cut(rest, sectionEnds)
	return before + sectionBegins(name), lines, sectionEnds + after, begins && ends
}

// with is the page with other lines in a section, and the totals that follow.
func (p defectsPage) with(section string, lines []string) defectsPage {
	before, _, after, _ := p.section(section)
	p = defectsPage(before + columnNames + strings.Join(lines, "\n") + "\n" + after)
	return defectsPage(totals().ReplaceAllLiteralString(string(p), p.totals()))
}

// check reports what the page does not say: the lines of defects that were hunted, all of
// a section if all were, and what follows from it.
func (p defectsPage) check(t *testing.T, section string, lines []string, all bool) {
	t.Helper()
	_, kept, _, ok := p.section(section)
	if !ok {
		t.Fatalf("docs/defects.md has no section between %q and %q", sectionBegins(section), sectionEnds)
	}
	for _, line := range lines {
		if !strings.Contains(kept, line+"\n") {
			t.Errorf("docs/defects.md does not have what came out (-update-defects):\n%s", line)
		}
	}
	if all && p.with(section, lines) != p {
		t.Error("docs/defects.md is not what comes out now; see the diff after -update-defects")
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") } // wherever lines end
	for _, says := range []string{
		p.totals(), "more than " + commas(mostStates) + " states", "from seed " + strconv.Itoa(drawnSeed) + ".",
		commas(drawnRuns) + " runs of at most " + strconv.Itoa(drawnSteps) + " steps",
	} {
		if !strings.Contains(words(string(p)), words(says)) {
			t.Errorf("docs/defects.md does not say %q", says)
		}
	}
}

// lists reports the defects that a section has no line of.
func (p defectsPage) lists(t *testing.T, section string, defects []Defect) {
	t.Helper()
	_, lines, _, _ := p.section(section)
	for _, d := range defects {
		if line := "\n| " + d.Algorithm + " | " + d.named() + " | "; !strings.Contains(lines, line) {
			t.Errorf("docs/defects.md has no line %q (-update-defects)", strings.TrimSpace(line))
		}
	}
}

// named is the cell of a defect's name.
func (d Defect) named() string { return fmt.Sprintf("**%s**: %s", d.Name, d.Says) }

var totals = pattern.Of(`Of [0-9,]+ defects [^.]*\. Of the [^.]* runs\.`)

// totals is the sentence that counts the lines of the page.
func (p defectsPage) totals() string {
	defects, explored, walks, pct := 0, 0, 0, 0
	for line := range strings.Lines(string(p)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) < 5 || cells[0] == "algorithm" {
			continue
		}
		defects++
		if strings.HasPrefix(cells[2], "runs: ") {
			continue
		}
		explored++
		if cells[6] != "none" {
			walks++
		}
		if cells[7] != "none" {
			pct++
		}
	}
	return fmt.Sprintf("Of %d defects %d are caught by exploration and %d by runs only. Of the %d, uniform random walks find\n%d and PCT %d within %s runs.",
		defects, explored, defects-explored, explored, walks, pct, commas(drawnRuns))
}

// line is the line of a defect in its table.
func (r row) line() string {
	cells := []string{r.Defect.Algorithm, r.named()}
	switch r.By {
	case byRuns:
		cells = append(cells, "runs: "+r.where(), r.Breaks, "run "+commas(r.At+1), "", "", "")
	case byExploration:
		cells = append(cells, r.where(), r.Breaks, commas(r.States)+" states", r.trace(), drawnIn(r.Walks), drawnIn(r.PCT))
	}
	if r.Endless > 0 && r.By != byNothing {
		cells[4] += fmt.Sprintf("; searches cut off before it: %d", r.Endless)
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// trace is the length of the shortest run that breaks the property.
func (r row) trace() string {
	switch {
	case r.Cycle > 0:
		return fmt.Sprintf("%d, the last %d for ever", r.Steps, r.Cycle)
	case r.Steps == 0:
		return ""
	}
	return strconv.Itoa(r.Steps)
}

func drawnIn(runs int) string {
	if runs == 0 {
		return "none"
	}
	return commas(runs)
}

// commas prints a number with a comma before every three digits.
func commas[N int | uint64](k N) string {
	if k < 1000 {
		return fmt.Sprint(k)
	}
	return fmt.Sprintf("%s,%03d", commas(k/1000), k%1000)
}
