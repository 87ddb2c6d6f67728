package view

import (
	"io"
	"slices"
	"strings"
	"unicode"
)

// Form is the form of printed text: how many columns it has, and whether it has colours.
type Form struct {
	Columns int
	Colours bool
}

// Print writes to w what print writes, in the form. Views know nothing of it. They write lines
// of any length, and a tab between the cells of a row; the rows between other lines are a
// table. A line that is too long goes on under the beginning of its column, and a cell inside
// its column. A command goes on behind a backslash, so that it can be pasted. No word is
// broken: a word that is wider than the form has a line of its own.
func (f Form) Print(w io.Writer, print func(io.Writer) error) error {
	var text strings.Builder
	err := print(&text)
	if _, writeErr := io.WriteString(w, f.laidOut(text.String())); err == nil {
		err = writeErr
	}
	return err
}

// onward is before a line of an error that goes on.
const onward = "  "

// Wrapped returns an error in the form. A line that begins with a blank, such as one of a file with
// its mark below it, stays as it is.
func (f Form) Wrapped(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, " ") && !strings.Contains(line, "\t") {
			lines[i] = strings.Join(wrapped(line, f.Columns-len(onward)), "\n"+onward)
		}
	}
	return strings.Join(lines, "\n")
}

// laidOut returns a text in the form.
func (f Form) laidOut(text string) string {
	var b strings.Builder
	var rows [][]string
	flush := func() {
		for _, line := range tabulated(rows, f.Columns) {
			b.WriteString(line + "\n")
		}
		rows = nil
	}
	text, ended := strings.CutSuffix(text, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if cells := strings.Split(line, "\t"); len(cells) > 1 {
			rows = append(rows, cells)
			continue
		}
		flush()
		b.WriteString(strings.Join(wrapped(line, f.Columns), "\n") + "\n")
	}
	flush()
	out := strings.ReplaceAll(strings.ReplaceAll(b.String(), commandSpace, " "), fixedSpace, " ")
	if !f.Colours {
		out = colourless(out)
	}
	if !ended {
		out = strings.TrimSuffix(out, "\n")
	}
	return out
}

const (
	betweenColumns = 2
	hanging        = 4  // the indent of a line that goes on, beyond that of its beginning
	leastCell      = 24 // columns of a cell that is worth its own column
)

// tabulated returns the lines of a table of so many columns. Cells that cannot stand beside
// the others, since words would be broken, stand below them.
func tabulated(rows [][]string, columns int) (lines []string) {
	cells, natural, longest := extents(rows)
	beside := len(natural)
	for beside > 1 && !fits(longest[:beside], columns) {
		beside--
	}
	widths := narrowed(cells, natural[:beside], longest[:beside], columns-betweenColumns*(beside-1))
	for _, row := range rows {
		lines = append(lines, joined(row[:min(beside, len(row))], widths)...)
		for _, cell := range row[min(beside, len(row)):] {
			if cell != "" {
				lines = append(lines, wrapped(strings.Repeat(" ", hanging)+cell, columns)...)
			}
		}
	}
	return lines
}

// extents returns the width of each cell, that of each column, and that of its longest word.
func extents(rows [][]string) (cells [][]int, natural, longest []int) {
	for _, row := range rows {
		for len(natural) < len(row) {
			natural, longest = append(natural, 0), append(longest, 0)
		}
		widths := make([]int, len(row))
		for c, cell := range row {
			widths[c] = markedWidth(cell)
			natural[c] = max(natural[c], widths[c])
			for _, t := range tokens(cell) {
				longest[c] = max(longest[c], markedWidth(t.word))
			}
		}
		cells = append(cells, widths)
	}
	return cells, natural, longest
}

// fits reports whether columns whose longest words are so long fit beside each other. The last
// may have a word that is too long for any line.
func fits(longest []int, columns int) bool {
	last := len(longest) - 1
	room := columns - betweenColumns*last
	for _, w := range longest[:last] {
		room -= w
	}
	return longest[last] <= room || longest[last] > columns-hanging && room >= leastCell
}

// narrowed returns the widths of columns that fit in the room, none below its longest word. Of
// all columns the one is narrowed that makes the table longer by the fewest lines, or else the
// widest.
func narrowed(rows [][]int, natural, longest []int, room int) []int {
	widths, sum := slices.Clone(natural), 0
	for _, w := range widths {
		sum += w
	}
	for sum > room {
		step := max(1, (sum-room)/8) // small where it matters
		best, fewest := -1, 0
		for c, w := range widths {
			if w == longest[c] {
				continue
			}
			by := min(step, w-longest[c])
			widths[c] -= by
			if lines := height(rows, widths); best < 0 || lines < fewest || lines == fewest && w > widths[best] {
				best, fewest = c, lines
			}
			widths[c] += by
		}
		if best < 0 {
			break
		}
		step = min(step, widths[best]-longest[best])
		widths[best] -= step
		sum -= step
	}
	return widths
}

// height is about how many lines rows take if their columns have these widths.
func height(rows [][]int, widths []int) (lines int) {
	for _, row := range rows {
		most := 1
		for c, w := range row[:min(len(row), len(widths))] {
			most = max(most, (w+widths[c]-1)/max(1, widths[c]))
		}
		lines += most
	}
	return lines
}

// joined returns the lines of a row of cells.
func joined(row []string, widths []int) (lines []string) {
	cells, height := make([][]string, len(row)), 1
	for c, cell := range row {
		cells[c] = wrapped(cell, widths[c])
		height = max(height, len(cells[c]))
	}
	for i := range height {
		line := ""
		for c, cell := range cells {
			text := ""
			if i < len(cell) {
				text = cell[i]
			}
			line += text + strings.Repeat(" ", max(0, widths[c]-markedWidth(text))+betweenColumns)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// token is a word with what stands before it.
type token struct {
	spaces    int
	continues bool // a command, so that a line break before the word takes a backslash
	word      string
}

// tokens takes a text apart at the spaces where a line may end.
func tokens(text string) (all []token) {
	for text != "" {
		var t token
		rest := strings.TrimLeft(text, " ")
		t.spaces = len(text) - len(rest)
		if after, ok := strings.CutPrefix(rest, commandSpace); ok {
			t.spaces, t.continues, rest = 1, true, after
		}
		end := tokenEnd(rest)
		t.word, text = rest[:end], rest[end:]
		all = append(all, t)
	}
	return all
}

// tokenEnd is where the first token of a text ends. What stands in short parentheses is not
// broken, and a sign stays with what it begins.
func tokenEnd(text string) int {
	end := wordEnd(text)
	word := text[:end]
	if open := strings.LastIndexByte(word, '('); open > strings.LastIndexByte(word, ')') {
		const longest = 20
		if closing := strings.IndexByte(text[open:], ')'); closing >= 0 && closing <= longest {
			return open + closing + wordEnd(text[open+closing:])
		}
	}
	if (word == "|" || word == "<-") && end < len(text) {
		return end + 1 + wordEnd(text[end+1:])
	}
	return end
}

// wordEnd is where the first word of a text ends.
func wordEnd(text string) int {
	if end := strings.IndexAny(text, " "+commandSpace); end >= 0 {
		return end
	}
	return len(text)
}

// wrapped breaks a text between words into lines of so many columns. There is at least one. A
// line goes on under the beginning of its column; two spaces end a column.
func wrapped(text string, columns int) []string {
	if markedWidth(text) <= columns {
		return []string{text}
	}
	const backslash = ` \`
	all, line, under, indent := tokens(text), "", 0, 0
	var lines []string
	for i, t := range all {
		end := markedWidth(line) + t.spaces + markedWidth(t.word)
		if i+1 < len(all) && all[i+1].continues {
			end += len(backslash)
		}
		if whole := cellWidth(all[i:]); t.spaces > 1 && whole <= leastCell {
			end = markedWidth(line) + t.spaces + whole
		}
		switch {
		case i == 0 && t.spaces > 0:
			indent, under = t.spaces, t.spaces+hanging
		case i > 0 && end > columns:
			if t.continues {
				line += backslash
				under = indent + hanging
			}
			if wide := markedWidth(t.word); under+wide > columns {
				under = min(under, indent+hanging)
				if wide <= columns {
					under = min(under, columns-wide)
				}
			}
			lines = append(lines, line)
			line, t.spaces = "", under
		case t.spaces > 1 && columns-markedWidth(line)-t.spaces >= leastCell:
			under = markedWidth(line) + t.spaces
		}
		line += strings.Repeat(" ", t.spaces) + t.word
	}
	return append(lines, line)
}

// cellWidth is the width of tokens up to the end of their column.
func cellWidth(all []token) int {
	columns := markedWidth(all[0].word)
	for _, t := range all[1:] {
		if t.spaces > 1 {
			break
		}
		columns += t.spaces + markedWidth(t.word)
	}
	return columns
}

// markedWidth is the number of columns that a text with marks takes.
func markedWidth(text string) int {
	for i := range len(text) {
		if text[i] > unicode.MaxASCII {
			return width(colourless(text))
		}
	}
	return len(text)
}
