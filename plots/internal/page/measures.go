package page

import "gonum.org/v1/plot/vg"

// Sizes of the text in points.
const (
	TitleSize  = vg.Length(8)
	LabelSize  = vg.Length(8)
	TickSize   = vg.Length(7)
	LegendSize = vg.Length(7)
)

// Distances in points.
const (
	Margin      = vg.Length(2)   // along the edge of the page
	TickLength  = vg.Length(2.6) // of a labelled tick
	minorLength = vg.Length(1.5)
	TickGap     = vg.Length(2.4) // between a tick and its label
	LabelGap    = vg.Length(4)   // between the labels of the ticks and of the axis
	TitleGap    = vg.Length(4)   // below the title
)

// Measures of the legend.
const (
	SampleWidth   = vg.Length(19) // long enough to show a dash pattern
	SampleGap     = vg.Length(3)
	ColumnGap     = vg.Length(9)
	LegendRow     = vg.Length(9.6)
	LegendPadding = vg.Length(2) // between the legend and the axes
)

// Widths of the lines of the frame in points.
const (
	AxisWidth = vg.Length(0.5)
	GridWidth = vg.Length(0.4)
)

// Centimetres converts a length, with a default for zero.
func Centimetres(v, fallback float64) vg.Length {
	if v == 0 {
		v = fallback
	}
	return vg.Length(v) * vg.Centimeter
}
