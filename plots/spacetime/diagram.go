// Package spacetime draws space-time diagrams of single runs: a lane for each process, an arrow
// for each message, and signs for the other events.
//
// A [Diagram] is plain data, as a figure of package plots is, and goes the same way: validated,
// arranged, and drawn by a pen on a canvas.
package spacetime

import (
	"fmt"

	"bullring/plots"
	"bullring/plots/looks"
)

// A Diagram is a space-time diagram (Lamport, CACM 21(7) 1978): a lane for each process, an
// arrow for each message, and signs for the other events. All texts are markup.
//
// Places along the lanes run from 0 to 1. What they stand for, the caller says.
type Diagram struct {
	// Name is the file name without its extension, for [Diagram.Save], as in [plots.Figure].
	Name string

	// Title is drawn above everything. Papers leave it empty, see [plots.Figure].
	Title string

	// Width is in centimetres; 0 means PageWidth. The height follows from the lanes.
	Width float64

	// Axis is the label of the axis below the lanes.
	Axis string

	// Begin and End are the numbers at the places 0 and 1. If End is greater, ticks stand at
	// round numbers between them, or, if Whole, at whole ones.
	Begin, End float64
	Whole      bool

	// Ticks are used instead if End is not greater than Begin. Those without room for their
	// label are left out.
	Ticks []Tick

	Lanes   []Lane   // from top to bottom
	Kinds   []string // of messages, for the legend
	Bands   []Band   // conditions of processes
	Arrows  []Arrow
	Signs   []Sign
	Changes []Change // of links
	Periods []Period

	// Meta is written into the picture, see [plots.Figure].
	Meta []plots.Meta
}

// The largest diagrams: larger ones cannot be read on the width of a page.
const (
	MaxLanes   = 24
	MaxArrows  = 400
	MaxChanges = 400
)

// A Tick is a labelled place of an axis.
type Tick struct {
	At    float64
	Label string
}

// A Lane is the line of a process. It is dotted while the process is down.
type Lane struct {
	Label string
	Down  []Stretch
	Stays []Stay // those that come later lie above the others
}

// A Band is a condition of a process, drawn along its lane, behind everything else.
type Band struct {
	Label string
	Fill  looks.Fill
}

// A Stay is a stretch of a lane in which its process is in a band.
type Stay struct {
	Stretch
	Band  int  // index in Bands
	Open  bool // it goes on behind the end of the axis
	Clash bool // another process is in it, too, and should not be: drawn in strong red
}

// A Stretch is a part of an axis.
type Stretch struct{ From, To float64 }

// A Spot is a place on a lane, which is counted from 0.
type Spot struct {
	At   float64
	Lane int
}

// An Arrow is a message.
type Arrow struct {
	From, To Spot // the sending, and the arrival or the loss; else the arrival to be expected
	Kind     int  // index in Kinds
	Fate     Fate
	Label    string // left out without room for it
	Faded    bool   // drawn pale, behind the others
}

// Fate tells whether a message arrived, and where it ended.
type Fate int

// The fates of messages.
const (
	Arrived  Fate = iota // the arrow has a head
	Unheard              // it came to its lane and was not received: dashed, with a cross there
	Vanished             // it was lost on its way: dashed, with a cross at that place of the axis, half a lane before it
	Underway             // it had not arrived at the end: the first half of an arrow
	Entering             // it was sent before the beginning: the second half
)

// A Sign is an event on a lane.
type Sign struct {
	Spot
	Shape  Shape
	News   string // what the process decided
	Note   string // anything else, in small letters
	Marked bool   // a ring draws attention to it
	Faded  bool   // drawn pale, behind the others
}

// Shape is the shape of a sign.
type Shape int

// The shapes of signs.
const (
	Delivery Shape = iota // a dot
	Start                 // a triangle
	Timeout               // a diamond
	Crash                 // a cross
	Restart               // a hollow triangle
	shapes   = int(Restart) + 1
)

// A Period is a stretch of all lanes: shaded if it lasts, else a dashed line.
type Period struct {
	Stretch
	Label string
}

// Validate returns all mistakes in the diagram. Errors name the part and the value.
func (d *Diagram) Validate() error {
	_, err := d.layout()
	return err
}

// Labels returns how many labels of arrows, signs and periods the diagram has, and how many
// of them it leaves out because there is no room for them.
func (d *Diagram) Labels() (all, hidden int, err error) {
	l, err := d.layout()
	if err != nil {
		return 0, 0, err
	}
	return l.wanted, l.hidden, nil
}

// errorf returns an error that says that it is about a diagram.
func (d *Diagram) errorf(format string, args ...any) error {
	return fmt.Errorf("plots: diagram: "+format, args...)
}
