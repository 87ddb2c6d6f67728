package spacetime

import (
	"errors"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bullring/plots/internal/page"
)

// A Change is a link between two processes that comes up or goes down: a line between their lanes,
// which is broken if the link goes down. Those of one instant stand side by side where they overlap.
type Change struct {
	At    float64
	A, B  int // lanes
	Up    bool
	Faded bool // drawn pale
}

// Measures of changes in points.
const (
	changeWidth = vg.Length(1)
	changeEnd   = vg.Length(1.2) // half of the side of the square at an end
	changeGap   = vg.Length(6)   // between two changes of one instant
	changesWide = vg.Length(36)  // the most room of all of an instant
	breakHalf   = vg.Length(2)   // half of the gap of a link that goes down
	breakBar    = vg.Length(2.4) // half of a bar at the gap
)

var changeInk = page.Mix(page.Ink, page.White, 0.35)

// name is that of the change in the legend and in CSV.
func (c Change) name() string {
	if c.Up {
		return "link up"
	}
	return "link down"
}

// ends are the lanes of the change, the upper one first.
func (c Change) ends() (upper, lower int) { return min(c.A, c.B), max(c.A, c.B) }

func (d *Diagram) validateChange(c Change) error {
	if c.A == c.B {
		return errors.New("a link from a lane to itself")
	}
	return errors.Join(d.validateSpot(Spot{c.At, c.A}), d.validateSpot(Spot{c.At, c.B}))
}

// A mark is a change on the page.
type mark struct {
	from, to vg.Point // its ends
	middle   vg.Point // where it is broken if the link goes down
	up       bool
	ink      color.NRGBA
}

// placeChanges places the changes.
func (l *diagramLayout) placeChanges() {
	for i, c := range l.Changes {
		upper, lower := c.ends()
		before, all := 0, 0 // changes of the instant that overlap with it
		for k, other := range l.Changes {
			if u, w := other.ends(); other.At == c.At && u <= lower && upper <= w {
				all++
				if k < i {
					before++
				}
			}
		}
		x, aside := l.axis.At(c.At), vg.Length(before)*min(changeGap, changesWide/vg.Length(all))
		if c.At > 0.5 { // into the diagram
			aside = -aside
		}
		x += aside
		at := func(lane float64) vg.Point { return vg.Point{X: x, Y: l.top - (vg.Length(lane)+0.5)*l.pitch} }
		between := float64(upper) + float64((lower-upper-1)/2) + 0.5 // two lanes
		m := mark{at(float64(upper)), at(float64(lower)), at(between), c.Up, changeInk}
		if c.Faded {
			m.ink = faded(changeInk)
		}
		l.marks = append(l.marks, m)
	}
}

// plate is the room of the break, which a label would hide.
func (m mark) plate() plate { return plate{m.middle, level, breakBar, breakHalf + changeWidth} }

// draw draws a change.
func (m mark) draw(p pen) {
	style := draw.LineStyle{Color: m.ink, Width: changeWidth}
	along := direction(m.from, m.to)
	across := vg.Point{X: -along.Y, Y: along.X}.Scale(breakBar)
	for _, end := range [2]vg.Point{m.from, m.to} {
		p.fill(m.ink, page.Box(end.X-changeEnd, end.X+changeEnd, end.Y-changeEnd, end.Y+changeEnd)...)
	}
	if m.up {
		p.stroke(style, m.from, m.to)
		return
	}
	for _, half := range [2][2]vg.Point{{m.from, m.middle.Sub(along.Scale(breakHalf))}, {m.to, m.middle.Add(along.Scale(breakHalf))}} {
		p.stroke(style, half[0], half[1])
		p.stroke(style, half[1].Sub(across), half[1].Add(across))
	}
}

// changeEntries adds the changes that the diagram has to the legend.
func (l *diagramLayout) changeEntries(add func(label string, wide vg.Length, sample func(p pen, x, y vg.Length))) {
	for _, up := range []bool{false, true} {
		if i := slices.IndexFunc(l.Changes, func(c Change) bool { return c.Up == up }); i >= 0 {
			add(l.Changes[i].name(), page.SampleWidth, func(p pen, x, y vg.Length) {
				at := func(part vg.Length) vg.Point { return vg.Point{X: x + part*page.SampleWidth, Y: y} }
				mark{at(0), at(1), at(0.5), up, changeInk}.draw(p)
			})
		}
	}
}
