// Package looks has the colours and markers of figures, for declarations that choose one and
// draw nothing. It imports nothing, and so a program without figures need not compile plots.
package looks

// A Look is a colour with a marker. The zero Look leaves the choice to the figure.
type Look struct {
	Colour Colour
	Marker Marker
}

// Colour is one of the palette of Okabe and Ito (Color Universal Design, 2008). Their
// yellow is left out: a thin yellow line vanishes on white paper.
type Colour int

// The colours. The zero Colour is none.
const (
	Blue Colour = iota + 1
	Orange
	Green
	Red // vermillion
	Purple
	Sky
	Black
	Colours = int(Black) // how many there are
)

// A Marker is the shape of a measured point.
type Marker int

// The markers. Those from Ring on are hollow.
const (
	Circle Marker = iota
	Square
	Triangle
	Diamond
	Nabla
	Cross
	Ring
	OpenSquare
	OpenTriangle
	OpenDiamond
	Markers // how many there are
)
