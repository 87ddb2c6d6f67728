package tables

import (
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// The widths are those of LaTeX's default font, Computer Modern at 10 pt, which Latin Modern
// shares. They do not count kerning and ligatures, which make most words narrower. A letter in a
// text with italics is as wide as the wider of its two forms, and a script as a letter on the
// line. Other characters are as wide as the widest letter.

// Widths in points.
const (
	digit   = 5.0
	thin    = 1.66672  // the space between groups of digits, and beside a sign
	point   = 2.7778   // of a decimal
	sign    = 7.7778   // minus, and plus-minus
	bracket = 2.77776  // either
	comma   = 6.1111   // with the space behind it
	raised  = 4.16667  // a dagger above the line
	between = 12.0     // two columns
	widest  = 10.83334 // letter
)

// romans are the widths of the printable characters of ASCII in thousandths of a point, from the
// space; italics those of letters in formulas, capitals first.
var (
	romans = [...]int{
		3334, 2778, 5000, 8334, 5000, 8334, 7778, 2778, 3889, 3889, 5000, 7778, 2778, 3334, 2778, 5000,
		5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 2778, 2778, 7778, 7778, 7778, 4723,
		7778, 7500, 7084, 7223, 7639, 6806, 6528, 7848, 7500, 3612, 5139, 7778, 6250, 9167, 7500, 7778,
		6806, 7778, 7362, 5556, 7223, 7500, 7500, 10278, 7500, 7500, 6112, 2778, 5000, 2778, 5556, 7500,
		5000, 5000, 5556, 4445, 5556, 4445, 3056, 5000, 5556, 2778, 3056, 5278, 2778, 8334, 5556, 5000,
		5556, 5278, 3917, 3945, 3889, 5556, 5278, 7223, 5278, 5278, 4445, 5000, 2778, 5000, 5556,
	}
	italics = [...]int{
		7501, 8087, 7863, 8557, 7959, 7820, 7863, 9125, 5181, 6507, 9209, 6806, 10792, 9125, 7906, 7810, 7906, 7671, 6709, 7233, 7919, 8056, 10834, 9070, 8028, 7542,
		5286, 4292, 4328, 5205, 4657, 5973, 5129, 5762, 3446, 4691, 5521, 3181, 8781, 6003, 4848, 5032, 4823, 4790, 4688, 3612, 5725, 5207, 7429, 5716, 5262, 5091,
	}
)

// otherWidth is the width of a character beyond ASCII: that of the widest letter, if it is not known
// to be narrower.
func otherWidth(r rune) float64 {
	switch r {
	case '–', '“', '”':
		return 5
	case '’', '‘', '·':
		return 2.7778
	case '°':
		return 7.5
	case '−', '±', '×', '≤', '≥':
		return sign
	case '\u00a0':
		return 3.3334
	case '\u2009', '\u202f':
		return thin
	case 'µ', 'μ':
		return 6.0255
	case '†':
		return 4.4445
	}
	return widest
}

// widthOf estimates the width of markup.
func widthOf(markup string) float64 {
	italic := strings.Contains(markup, "*")
	total := 0.0
	for _, r := range plots.Plain(markup) {
		total += runeWidth(r, italic)
	}
	return total
}

func runeWidth(r rune, italic bool) float64 {
	if r < ' ' || int(r-' ') >= len(romans) {
		return otherWidth(r)
	}
	w := romans[r-' ']
	switch {
	case !italic:
	case 'A' <= r && r <= 'Z':
		w = max(w, italics[r-'A'])
	case 'a' <= r && r <= 'z':
		w = max(w, italics[26+r-'a'])
	}
	return float64(w) / 1000
}

// longestWord estimates the width of the longest word of markup.
func longestWord(markup string) (most float64) {
	for _, word := range strings.Fields(plots.Plain(markup)) {
		most = max(most, widthOf(plots.Escape(word)))
	}
	return most
}

// shape is how many digits a number has before and behind the point, and whether it has a sign.
type shape struct {
	whole, decimals int
	negative        bool
}

func shapeOf(digits string) shape {
	unsigned, negative := strings.CutPrefix(digits, "-")
	whole, decimals, _ := strings.Cut(unsigned, ".")
	return shape{len(whole), len(decimals), negative}
}

func (s shape) and(other shape) shape {
	return shape{max(s.whole, other.whole), max(s.decimals, other.decimals), s.negative || other.negative}
}

// width of a number as siunitx prints it: with a thin space between groups of three digits, if
// there are five or more.
func (s shape) width() float64 {
	w := digit * float64(s.whole+s.decimals)
	for _, digits := range []int{s.whole, s.decimals} {
		if digits >= 5 {
			w += thin * float64((digits-1)/3)
		}
	}
	if s.decimals > 0 {
		w += point
	}
	if s.negative {
		w += sign
	}
	return w
}

// tailWidth is the width of what stands beside a value.
func (c *cell) tailWidth() (w float64) {
	switch {
	case c.half != "":
		w = sign + thin + shapeOf(c.half).width()
	case c.ends[0] != "":
		w = thin + 2*bracket + comma + shapeOf(c.ends[0]).width() + shapeOf(c.ends[1]).width()
	}
	if c.mark {
		w += raised
	}
	return w
}

// estimate is the estimated widths of the columns of a table, stubs first, and of all of it.
type estimate struct {
	columns []float64
	total   float64
}

// estimate estimates how wide the table is. It follows the rule of TeX for a head over several
// columns: what it is wider than these goes to the last of them.
func (t *Table) estimate() estimate {
	var e estimate
	for i, s := range t.stubs {
		w := widthOf(s.head)
		for _, r := range t.rows {
			w = max(w, widthOf(r.stubs[i]))
		}
		if s.wrap > 0 {
			w = max(min(w, s.wrap), longestWord(s.head))
		}
		e.columns = append(e.columns, w)
	}
	first := len(e.columns)
	for i, head := range t.heads {
		e.columns = append(e.columns, max(widthOf(head), t.numbersWidth(i)))
	}
	ends := make([]int, len(t.levels)) // the next column of each level
	spans := make([]int, len(t.levels))
	for i := range t.heads {
		for k, level := range t.levels {
			if s := level[spans[k]]; i == ends[k]+s.columns-1 {
				within := between * float64(s.columns-1)
				for _, w := range e.columns[first+ends[k] : first+i] {
					within += w
				}
				e.columns[first+i] = max(e.columns[first+i], widthOf(s.head)-within)
				ends[k], spans[k] = i+1, spans[k]+1
			}
		}
	}
	for _, w := range e.columns {
		e.total += w
	}
	e.total += between * float64(len(e.columns)-1)
	return e
}

// numbersWidth is the width of the numbers of a column.
func (t *Table) numbersWidth(column int) float64 {
	var s shape
	tail, paired, any, missing := 0.0, t.paired(column), false, 0.0
	for i := range t.rows {
		c := &t.rows[i].cells[column]
		if !c.ok {
			missing = digit
			continue
		}
		any, s = true, s.and(shapeOf(c.digits))
		tail = max(tail, c.tailWidth())
	}
	switch {
	case !any:
		return missing
	case paired:
		return s.width() + thin + tail
	}
	return s.width() + tail
}

// longestHead is the longest head that an error names in full, in characters.
const longestHead = 40

// tooWide returns an error if the table does not fit into its width. atLeast says that the numbers
// are not known yet.
func tooWide(t *Table, at spec.Pos, atLeast bool) error {
	e := t.estimate()
	if e.total <= t.limit.points {
		return nil
	}
	about := "about"
	if atLeast {
		about = "at least"
	}
	var heads []string
	for _, s := range t.stubs {
		heads = append(heads, s.head)
	}
	heads = append(heads, t.heads...)
	w := slices.Index(e.columns, slices.Max(e.columns))
	name := []rune(plots.Plain(heads[w]))
	if len(name) > longestHead {
		name = append(name[:longestHead], []rune("...")...)
	}
	return spec.Error{Pos: at, Message: fmt.Sprintf("the table %s is %s %.0f pt wide in the default font of LaTeX at 10 pt: %.0f pt more than its width, %s; the widest of its %d columns is %q with %.0f pt; give it fewer columns, shorter labels, or another width",
		t.Name, about, e.total, e.total-t.limit.points, t.limit.name, len(e.columns), string(name), e.columns[w])}
}
