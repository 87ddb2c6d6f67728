// Package looks has the colours, markers and textures of figures, for declarations that choose one
// and draw nothing. It imports nothing, and so a program without figures need not compile plots.
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

// A Fill is how an area looks, such as a band on the lane of a process.
type Fill struct {
	Colour  Colour
	Texture Texture
}

// A Texture is the pattern of an area. Any two differ in a print in grey.
type Texture int

// The textures.
const (
	Full    Texture = iota // strong, without a pattern
	Zigzag                 // a line from edge to edge and back
	Crossed                // two such lines
	Dotted                 // rows of dots
	Hollow                 // an outline
	Pale                   // weak, without a pattern
	Textures
)

// colourNames are the names of the colours, for data.
var colourNames = [Colours + 1]string{Blue: "blue", Orange: "orange", Green: "green", Red: "red", Purple: "purple", Sky: "sky", Black: "black"}

// String names the colour.
func (c Colour) String() string { return colourNames[c] }

// textureNames are the names of the textures, for data.
var textureNames = [Textures]string{Full: "full", Zigzag: "zigzag", Crossed: "crossed", Dotted: "dotted", Hollow: "hollow", Pale: "pale"}

// String names the texture.
func (t Texture) String() string { return textureNames[t] }
