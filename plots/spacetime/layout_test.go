package spacetime

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"

	"bullring/plots"
	"bullring/plots/looks"
)

// drawnDiagram draws a diagram that is valid, of any shape.
func drawnDiagram(t *rapid.T) *Diagram {
	d := &Diagram{
		Width: rapid.Float64Range(8, plots.PageWidth).Draw(t, "width"), Kinds: []string{"A", "LONGER", "", "", "", "", "TAGGED"},
		Bands: []Band{{"waits", looks.Fill{Colour: looks.Blue, Texture: looks.Zigzag}}},
		End:   rapid.Float64Range(0, 3).Draw(t, "end"), Ticks: []Tick{{0, "0 ms"}, {0.5, "a long label"}, {0.52, "x"}, {1, "100000000"}},
	}
	for i := range rapid.IntRange(1, 12).Draw(t, "lanes") {
		d.Lanes = append(d.Lanes, Lane{Label: fmt.Sprintf("*p*_{%d}", i)})
		if from := rapid.Float64Range(0, 2).Draw(t, "stay"); from <= 1 {
			d.Lanes[i].Stays = []Stay{{Stretch: Stretch{from, 1}}}
		}
	}
	place := rapid.Float64Range(0, 1)
	spot := func(name string) Spot {
		return Spot{place.Draw(t, name), rapid.IntRange(0, len(d.Lanes)-1).Draw(t, name+" lane")}
	}
	text := rapid.SampledFrom([]string{"", "x", "is the leader", "REQUEST(17, 4)", "a decision of many words, which is long"})
	for range rapid.IntRange(0, 30).Draw(t, "arrows") {
		a := Arrow{From: spot("from"), To: spot("to"), Kind: rapid.SampledFrom([]int{0, 6}).Draw(t, "kind"), Fate: Fate(rapid.IntRange(0, int(Entering)).Draw(t, "fate")), Label: text.Draw(t, "label")}
		a.To.At = max(a.To.At, a.From.At)
		d.Arrows = append(d.Arrows, a)
	}
	for range rapid.IntRange(0, 30).Draw(t, "signs") {
		shape := Shape(rapid.IntRange(0, shapes-1).Draw(t, "shape"))
		d.Signs = append(d.Signs, Sign{Spot: spot("sign"), Shape: shape, News: text.Draw(t, "news"), Note: text.Draw(t, "note"), Marked: rapid.Bool().Draw(t, "marked")})
	}
	for range rapid.IntRange(0, 6).Draw(t, "periods") {
		from := place.Draw(t, "begin")
		d.Periods = append(d.Periods, Period{Stretch{from, max(from, place.Draw(t, "end"))}, text.Draw(t, "fault")})
	}
	return d
}

// inside reports whether a plate lies on the page.
func (l *diagramLayout) inside(p plate) bool {
	for _, c := range p.corners() {
		if c.X < 0 || c.X > l.width || c.Y < 0 || c.Y > l.height {
			return false
		}
	}
	return true
}

// No label leaves the page or touches a sign, a label of a lane or another label, and each is
// placed or counted.
func TestDiagramLabelsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawnDiagram(t)
		l, err := d.layout()
		if err != nil {
			t.Fatal(err)
		}
		var taken []plate
		for _, s := range d.Signs {
			taken = append(taken, l.signPlate(s))
		}
		for i := range d.Lanes {
			taken = append(taken, l.laneLabel(i).plate())
		}
		for _, f := range l.flights {
			if f.Fate == Unheard || f.Fate == Vanished {
				taken = append(taken, plate{f.path[len(f.path)-1], level, crossRadius, crossRadius})
			}
		}
		for _, tag := range l.tags {
			taken = append(taken, tag.room())
		}
		shown := 0
		for i, row := range l.rows {
			if row >= 0 {
				shown++
				w := l.periodLabel(i)
				w.at.Y += periodRow * vg.Length(row)
				taken = append(taken, w.plate())
			}
		}
		for i, p := range taken[len(d.Signs):] {
			if !l.inside(p) {
				t.Errorf("part %d of the lanes, crosses and periods leaves the page: %+v", i, p)
			}
		}
		for _, w := range l.labels {
			p := w.plate()
			if !l.inside(p) {
				t.Errorf("%q leaves the page: %+v", w.markup, p)
			}
			for _, q := range taken {
				if p.overlaps(q) {
					t.Errorf("%q at %v overlaps %+v", w.markup, w.at, q)
				}
			}
			taken = append(taken, p)
		}
		if len(l.labels)+shown+l.hidden != l.wanted {
			t.Errorf("%d labels, %d of periods and %d hidden; wanted are %d", len(l.labels), shown, l.hidden, l.wanted)
		}
	})
}

// An arrow begins at its lane and ends at it, unless the message was lost on its way or is
// still under way.
func TestArrowsEndAtTheirLanesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawnDiagram(t)
		l, err := d.layout()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range l.flights {
			aside := -float64(sideBySideGap) / 2
			for _, a := range d.Arrows {
				if a.From == f.From && a.To == f.To {
					aside += float64(sideBySideGap) / 2
				}
			}
			away := func(p vg.Point, s Spot) float64 {
				q := p.Sub(l.spot(s))
				return math.Hypot(float64(q.X), float64(q.Y)) - aside - 1e-6
			}
			if f.Fate != Entering && away(f.path[0], f.From) > 0 {
				t.Errorf("arrow %d begins at %v; its lane is at %v", i, f.path[0], l.spot(f.From))
			}
			arrives := f.Fate == Arrived || f.Fate == Unheard || f.Fate == Entering
			if gap := away(f.path[len(f.path)-1], f.To); arrives && gap > float64(signRoom+ringWidth)+1e-6 {
				t.Errorf("arrow %d ends %v pt away from its lane", i, gap)
			} else if !arrives && f.From.Lane != f.To.Lane && gap < float64(l.pitch)/2-2*aside-1e-5 {
				t.Errorf("arrow %d ends %v pt away from a lane that it did not reach", i, gap)
			}
		}
	})
}

// The turned rectangles of plates overlap as those that are not turned do.
func TestPlatesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) vg.Length { return vg.Length(rapid.IntRange(-6, 6).Draw(t, name)) }
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
		turned := func(x, y vg.Length) vg.Point {
			sin, cos := math.Sincos(angle)
			return vg.Point{X: x*vg.Length(cos) - y*vg.Length(sin), Y: x*vg.Length(sin) + y*vg.Length(cos)}
		}
		px, py, qx, qy := draw("px"), draw("py"), draw("qx"), draw("qy")
		along := turned(1, 0)
		p, q := plate{turned(px, py), along, 2.25, 1.25}, plate{turned(qx, qy), along, 1.25, 0.75}
		apart := math.Abs(float64(px-qx)) > 3.5 || math.Abs(float64(py-qy)) > 2
		edge := math.Abs(float64(px-qx)) == 3.5 || math.Abs(float64(py-qy)) == 2
		if !edge && p.overlaps(q) == apart {
			t.Errorf("plates at %v and %v, turned by %v: overlap is %v", [2]vg.Length{px, py}, [2]vg.Length{qx, qy}, angle, p.overlaps(q))
		}
		missed := math.Abs(float64(qy-py)) > 1.25
		if p.crossed(turned(-50, qy), turned(50, qy)) == missed {
			t.Errorf("a line at height %v, plate at %v: crossed is %v", qy, py, !missed)
		}
	})
}
