package report

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/internal/counts"
	"bullring/plots"
)

// Table is a table of the page. Head is in the markup of labels, Rows are plain text.
type Table struct {
	Title string
	Note  string   // below the table
	Files []string // that have all of it
	Head  []string
	Rows  [][]string
}

// mostRows is the largest number of rows of a table that a page shows.
const mostRows = 200

// addTables adds what the tables of a folder say.
func (s *section) addTables(p *Part) error {
	f, cells := p.Folder, p.Cells
	l, err := results.LayoutOf(f.Registry, f.Spec)
	if err != nil {
		return err
	}
	if err := s.addPaperTables(p); err != nil {
		return err
	}
	if err := s.addCells(p); err != nil {
		return err
	}
	s.addTable(theoryOf(p.Manifest, cells), false)
	s.addTable(checksOf(l.Checks, cells), false)
	for _, file := range []struct{ name, title string }{
		{results.DifferencesFile, "Differences from the baseline"},
		{results.GrowthFile, "Growth"},
	} {
		columns, rows, more, err := f.Table(file.name, mostRows)
		if err != nil {
			return err
		}
		t := varyingColumns(columns, rows)
		t.Title, t.Files = file.title, []string{file.name}
		s.addTable(t, more)
	}
	return nil
}

// addPaperTables adds the tables for a paper that the manifest lists.
func (s *section) addPaperTables(p *Part) error {
	for i := range p.Folder.Spec.Tables {
		asked := &p.Folder.Spec.Tables[i]
		var files []string
		for _, f := range p.Manifest.Tables {
			if strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)) == asked.Name {
				files = append(files, f.Name)
			}
		}
		if files == nil {
			continue
		}
		made, err := p.Tables.Table(asked)
		if made == nil { // one that is too wide for paper has room here
			return err
		}
		t := Table{Title: asked.Name, Note: plots.Plain(strings.Join(append([]string{made.Asks, made.Caption}, made.Notes...), " ")), Files: files}
		t.Head, t.Rows = made.Flat("")
		s.addTable(t, false)
	}
	return nil
}

// addCells adds the table of all cells.
func (s *section) addCells(p *Part) error {
	parts, err := p.Tables.Summary()
	if err != nil {
		return err
	}
	t := Table{Title: "Cells", Files: []string{results.SummaryFile}}
	for i, part := range parts {
		head, rows := part.Flat("")
		if i == 0 {
			t.Head, t.Rows, t.Note = head, rows, plots.Plain(strings.Join(append([]string{part.Caption}, part.Notes...), " "))
			continue
		}
		stubs := part.Stubs()
		t.Head = append(t.Head, head[stubs:]...)
		for k := range rows {
			t.Rows[k] = append(t.Rows[k], rows[k][stubs:]...)
		}
	}
	s.addTable(t, false)
	return nil
}

// addTable adds a table, unless it is empty, cut to what a page shows. more says that it
// was cut before.
func (s *section) addTable(t Table, more bool) {
	if len(t.Rows) == 0 {
		return
	}
	if len(t.Rows) > mostRows {
		t.Rows, more = t.Rows[:mostRows], true
	}
	if more {
		t.Note = strings.TrimSpace(t.Note + fmt.Sprintf(" These are the first %d rows.", mostRows))
	}
	s.tables = append(s.tables, t)
}

// theoryOf compares bounds with what was measured: for each bound that applies to a cell,
// what it means, and between which values the ratios of the cells lie.
func theoryOf(m *results.Manifest, cells *results.Overview) Table {
	t := Table{Title: "Theory", Note: "Bounds that apply to some cell, and the means of the ratios in the cells.", Head: []string{"bound", "what theory says", "measured / theory, least", "most"}}
	for _, c := range m.ColumnsOf(results.ResultsFile) {
		name, is := strings.CutPrefix(c.Name, "bound_")
		if !is {
			continue
		}
		least, most := math.Inf(1), math.Inf(-1)
		if at := slices.Index(cells.Columns, "ratio_"+name); at >= 0 {
			for _, row := range cells.Fields {
				if v, err := strconv.ParseFloat(row[at], 64); err == nil {
					least, most = min(least, v), max(most, v)
				}
			}
		}
		if least <= most {
			t.Rows = append(t.Rows, []string{name, strings.TrimPrefix(c.Meaning, "what theory says: "), results.ShortNumber(least), results.ShortNumber(most)})
		}
	}
	for i := range t.Head {
		t.Head[i] = plots.Escape(t.Head[i])
	}
	return t
}

// checksOf counts the verdicts of each check over the cells.
func checksOf(checks []string, cells *results.Overview) Table {
	t := Table{Title: "Checks", Head: []string{"check", "holds", "violated", "undecided"}}
	for _, check := range checks {
		row := []string{check}
		for _, verdict := range t.Head[1:] {
			trials := 0
			if at := slices.Index(cells.Columns, check+"_"+verdict); at >= 0 {
				for _, fields := range cells.Fields {
					n, _ := strconv.Atoi(fields[at]) // empty in cells of algorithms without the check
					trials += n
				}
			}
			row = append(row, strconv.Itoa(trials))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// varyingColumns is a table without the conditions that are the same in all rows, and
// without empty columns.
func varyingColumns(columns []string, rows [][]string) Table {
	var t Table
	t.Rows = make([][]string, len(rows))
	for i, name := range columns {
		varies := slices.ContainsFunc(rows, func(row []string) bool { return row[i] != rows[0][i] })
		if len(rows) == 0 || !varies && (rows[0][i] == "" || slices.Contains(spec.Fields(), name)) {
			continue
		}
		t.Head = append(t.Head, plots.Escape(strings.ReplaceAll(name, "_", " ")))
		for k, row := range rows {
			t.Rows[k] = append(t.Rows[k], results.Digits(row[i]))
		}
	}
	return t
}

// write writes a table whose columns the script sorts.
func (t *Table) write(w *writer, s *section, id string) {
	open := markup("")
	if len(t.Rows) <= 20 {
		open = ` open="open"`
	}
	w.put("<details class=\"table\" id=\"%s\"%s><summary>%s <small>%s</small></summary>\n", id, open, t.Title, counts.Several(len(t.Rows), "row"))
	w.put("<div class=\"scroll\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table>\n<thead><tr>", t.Title)
	kinds := make([]markup, len(t.Head))
	for i, head := range t.Head {
		if t.numeric(i) {
			kinds[i] = ` class="n"`
		}
		w.put("<th scope=\"col\"%s><button>%s</button></th>", kinds[i], markup(plots.HTML(head)))
	}
	w.put("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		w.put("<tr>")
		for i, field := range row {
			w.put("<td%s>%s</td>", kinds[i], field)
		}
		w.put("</tr>\n")
	}
	w.put("</tbody></table></div>\n")
	if t.Note != "" || t.Files != nil && !w.embed {
		w.put("<p class=\"files\">%s", t.Note)
		if !w.embed {
			for _, file := range t.Files {
				w.put(" <a href=\"%s\">%s</a>", link(s.base, file), file)
			}
		}
		w.put("</p>\n")
	}
	w.put("</details>\n")
}

// unmarked takes the mark off a number outside the model, and writes a hyphen for its minus.
var unmarked = strings.NewReplacer("†", "", "−", "-")

// numeric reports whether the fields of a column begin with numbers, as far as there are
// any.
func (t *Table) numeric(column int) bool {
	numbers := 0
	for _, row := range t.Rows {
		first, _, _ := strings.Cut(row[column], " ")
		if first == "" {
			continue
		}
		if _, err := strconv.ParseFloat(unmarked.Replace(first), 64); err != nil {
			return false
		}
		numbers++
	}
	return numbers > 0
}
