package plots

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
	"pgregory.net/rapid"
)

// drawMark draws a mark of any kind with random numbers of that scale.
func drawMark(t *rapid.T, kind int) Mark {
	number := rapid.Float64Range(-20, 120)
	xs := slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(number, 2, 30).Draw(t, "x"))))
	if len(xs) < 2 {
		xs = []float64{0, 1}
	}
	label := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "label")
	var places []XY
	for _, x := range xs {
		places = append(places, XY{x, number.Draw(t, "y")})
	}
	switch kinds[kind] {
	case "series":
		s := &Series{Label: label}
		for _, p := range places {
			s.Points = append(s.Points, Point{p.X, p.Y, p.Y - 5, p.Y + 5})
		}
		return s
	case "curve":
		return &Curve{Label: label, Points: places}
	case "histogram":
		h := &Histogram{Label: label, Edges: xs}
		for _, p := range places[1:] {
			h.Values = append(h.Values, math.Abs(p.Y))
		}
		return h
	case "ecdf":
		e := &ECDF{Label: label}
		for i, x := range xs {
			p := float64(i) / float64(len(xs))
			e.Steps = append(e.Steps, Step{x, p, p / 2, (p + 1) / 2})
		}
		return e
	case "boxes":
		b := &BoxSeries{Label: label}
		for _, p := range places {
			b.Boxes = append(b.Boxes, Box{p.X, p.Y - 9, p.Y - 3, p.Y, p.Y + 3, p.Y + 9, []float64{p.Y + 30}, &p.Y, 0})
		}
		return b
	case "reference":
		return &Reference{Label: label, X: xs[0]}
	case "scatter":
		return &Scatter{Label: label, Symbol: Symbol(rapid.IntRange(0, 2).Draw(t, "symbol")), Points: places}
	}
	h := &HeatMap{X: Side{Values: xs}, Y: Side{Categories: []string{"a", "b"}}, Values: make([][]float64, 2)}
	for i := range h.Values {
		for _, p := range places {
			h.Values[i] = append(h.Values[i], p.Y+float64(i))
		}
	}
	return h
}

// drawFigure draws a figure with a mark of a kind, and others. A heat map stands alone.
func drawFigure(t *rapid.T, kind int) *Figure {
	f := &Figure{Name: "f", X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Marks: []Mark{drawMark(t, kind)}}
	heat := len(kinds) - 1
	if kind == heat {
		return f
	}
	for range rapid.IntRange(0, 5).Draw(t, "other marks") {
		f.Marks = append(f.Marks, drawMark(t, rapid.IntRange(0, heat-1).Draw(t, "kind")))
	}
	for _, a := range []*Axis{&f.X, &f.Y} {
		if rapid.Bool().Draw(t, "bounds") {
			a.Min, a.Max = new(20.0), new(60.0)
		}
	}
	return f
}

// No mark is drawn outside the axes: markers, whose middles are inside, may reach over the edge.
func TestMarksStayInside(t *testing.T) {
	for kind, name := range kinds[:len(kinds)-1] { // the colour bar of a heat map stands beside the axes
		drawn := 0
		rapid.Check(t, func(t *rapid.T) {
			f := drawFigure(t, kind)
			l, err := f.layout()
			if err != nil {
				t.Skip(err)
			}
			drawn++
			for i, p := range f.parts() {
				staysInside(t, l, i, p.name)
			}
		})
		if drawn == 0 {
			t.Errorf("no %s was drawn", name)
		}
	}
}

func staysInside(t *rapid.T, l *layout, mark int, name string) {
	var c recorder.Canvas
	painter := l.painter(&c)
	for at := range pass(passes) {
		l.marks[mark].draw(painter, at)
	}
	const reach = openRadius + openWidth
	inside := painter.axes.Rectangle
	inside.Min = inside.Min.Sub(vg.Point{X: reach, Y: reach})
	inside.Max = inside.Max.Add(vg.Point{X: reach, Y: reach})
	for _, q := range points(&c) {
		if q.X < inside.Min.X || q.X > inside.Max.X || q.Y < inside.Min.Y || q.Y > inside.Max.Y {
			t.Fatalf("%s draws at %v, outside the axes %v", name, q, painter.axes.Rectangle)
		}
	}
}

// points returns the corners of everything that was drawn.
func points(c *recorder.Canvas) (all []vg.Point) {
	for _, action := range c.Actions {
		var path vg.Path
		switch a := action.(type) {
		case *recorder.Stroke:
			path = a.Path
		case *recorder.Fill:
			path = a.Path
		}
		for _, comp := range path {
			if comp.Type != vg.CloseComp {
				all = append(all, comp.Pos)
			}
		}
	}
	return all
}

// All axes of panels are equally large and aligned, shared axes have the same limits, and an
// entry stands once in the legend.
func TestPanelsAreAligned(t *testing.T) {
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		p := &Panels{Name: "p", Columns: rapid.IntRange(1, 3).Draw(t, "columns"), ShareX: rapid.Bool().Draw(t, "share x"), ShareY: rapid.Bool().Draw(t, "share y")}
		for range rapid.IntRange(p.Columns, 6).Draw(t, "panels") {
			p.Figures = append(p.Figures, drawFigure(t, rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")))
		}
		l, err := p.layout()
		if err != nil {
			t.Skip(err)
		}
		drawn++
		for i, panel := range l.panels {
			column, row := i%l.columns, i/l.columns
			for what, gap := range map[string]vg.Length{
				"left edge": panel.x.From - l.left[column], "bottom": panel.y.From - l.bottom[row],
				"width": panel.x.To - panel.x.From - l.axesWidth, "height": panel.y.To - panel.y.From - l.axesHeight,
			} {
				if math.Abs(float64(gap)) > 0.02 {
					t.Fatalf("panel %d: the %s is %v off", i, what, gap)
				}
			}
			if first := l.panels[0]; p.ShareX && panel.x.Lo != first.x.Lo || p.ShareY && panel.y.Hi != first.y.Hi {
				t.Fatalf("panel %d has limits of its own", i)
			}
		}
		entries := map[string]bool{}
		for _, cell := range l.legend.cells {
			entry := fmt.Sprint(cell.of)
			if entries[entry] {
				t.Fatalf("%s stands twice in the legend", entry)
			}
			entries[entry] = true
		}
	})
	if drawn == 0 {
		t.Error("no panels could be arranged")
	}
}
