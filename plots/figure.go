// Package plots draws figures for print: measured series with their intervals,
// theory as dashed curves, distributions as histograms, box plots or distribution functions,
// places in a plane, and heat maps. Package spacetime draws diagrams of single runs.
//
// The way of a figure: a [Figure] is plain data, and its data are [Mark]s: series, curves,
// boxes. [Figure.Validate] finds the mistakes in it. A layout gives everything its place, and
// a painter draws the layout on a gonum/plot canvas. [Figure.Save] writes PNG (300 dpi), SVG
// and PDF with the plotted numbers as CSV beside them; [Figure.SaveAs] writes one of the
// pictures, or TikZ. [Panels] are several figures in one. [ReadMeta] reads a picture's metadata back.
//
// Equal figures give equal bytes: no date, no map order and no installed font enters a
// file. Text is set in the embedded Liberation Sans. In SVG and PDF it is text, with the
// letters that it uses as a font in the file: it can be searched and copied, with its Greek
// letters, italics and minus signs.
//
// Titles and labels are in a small markup: *n* is italic, _{...} a subscript, ^{...} a
// superscript, and a backslash makes the next character literal. A _ or ^ without { is
// literal. [Escape] protects other text.
//
// The sizes are those of a printed page: 7 and 8 pt text in a column of 8.4 cm,
// half-point axes, one-point lines. The colours are those of Okabe and Ito, which
// colour-blind readers can tell apart; markers and dashes tell the same story in grey.
// A key (see [Series]) has the same colour in every figure, unless another key of the figure has
// it first.
//
// The package never computes a statistic and knows no algorithm: the caller gives it
// numbers, labels and looks.
package plots

import "bullring/plots/internal/page"

// Sizes of a figure in centimetres: one column of a two-column paper, and the
// width of its page.
const (
	ColumnWidth   = 8.4
	PageWidth     = 17.4
	DefaultHeight = 5.8
)

// A Figure is a chart with one horizontal and one vertical axis.
type Figure struct {
	// Name is the file name without its extension: letters, digits, and after
	// the first character also '.', '_' and '-'.
	Name string

	// Title is drawn above everything. Papers leave it empty: there the caption
	// is the title.
	Title string

	// Width is in centimetres; 0 means ColumnWidth.
	Width float64

	// Height is that of the axes with their labels, in centimetres; 0 means
	// DefaultHeight. Title and legend come on top of it, so that the length of a
	// legend does not change the size of the axes.
	Height float64

	X, Y Axis

	// Ends puts the labels of the series right of the axes, where the series end, if they fit
	// there and all series end at one x; else they are in the legend, as in panels. Labels of
	// theory stay in the legend.
	Ends bool

	// Looks has the keys with a fixed look: those that appear in many figures.
	Looks Looks

	// Marks are the data. Whatever the order of their kinds here, bands lie below lines, and
	// lines below markers. In the legend, the CSV and errors they stand kind by kind.
	Marks []Mark

	// Meta is written, in this order, into the PNG (tEXt and iTXt), the SVG
	// (metadata) and the PDF (Info), where [ReadMeta] finds it. It should say how to
	// make the figure again: version, seed, the specification itself.
	Meta []Meta
}

// An Axis is a quantity with its scale.
type Axis struct {
	// Label names the quantity and its unit, "latency (ms)".
	Label string

	// Log makes the axis logarithmic; all values must then be positive.
	Log bool

	// Min and Max bound the axis; nil means that the data decide. Points outside the
	// bounds are not drawn.
	Min, Max *float64

	// Whole: the values are whole numbers, and so are the ticks.
	Whole bool

	// Categories, on the horizontal axis, are the names of the places 0, 1, 2...
	// in markup. All x are then such places, and the axis has neither bounds nor a
	// logarithm. A heat map has its categories in its sides instead.
	Categories []string
}

// Meta is an entry of a picture's metadata. A key has 1 to 79 printable ASCII characters
// without blanks at its ends. The key "Receipt" is taken, and so is "Title" in a figure
// with a title. A value is any text that XML can hold: of the control characters, only
// tab, line feed and carriage return.
type Meta = page.Meta
