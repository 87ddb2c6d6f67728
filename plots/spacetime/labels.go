package spacetime

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
)

// A flight is the line of an arrow on the page.
type flight struct {
	*Arrow
	path []vg.Point // from the sending to the tip of the head, or to the cross
	// base is the line along which the label stands.
	base [2]vg.Point
}

// placeArrows places the arrows. Those between the same two spots lie side by side.
func (l *diagramLayout) placeArrows() {
	type way struct{ from, to Spot }
	total, placed := map[way]int{}, map[way]int{}
	gaps := map[Spot]vg.Length{} // before the middles of signs
	for _, s := range l.Signs {
		if s.Marked {
			gaps[s.Spot] = signRoom + ringWidth
		}
	}
	for _, a := range l.Arrows {
		total[way{a.From, a.To}]++
	}
	for i := range l.Arrows {
		a := &l.Arrows[i]
		f, w := l.flight(a, max(tipGap, gaps[a.To])), way{a.From, a.To}
		along := direction(f.path[0], f.path[len(f.path)-1])
		apart := min(sideBySideGap, widestBundle/vg.Length(total[w]))
		aside := vg.Point{X: -along.Y, Y: along.X}.Scale(apart * (vg.Length(placed[w]) - vg.Length(total[w]-1)/2))
		for k := range f.path {
			f.path[k] = f.path[k].Add(aside)
		}
		f.base[0], f.base[1] = f.base[0].Add(aside), f.base[1].Add(aside)
		placed[w]++
		l.flights = append(l.flights, f)
	}
}

// flight places an arrow. Its tip leaves a gap before the middle of a sign.
func (l *diagramLayout) flight(a *Arrow, gap vg.Length) flight {
	p, q := l.spot(a.From), l.spot(a.To)
	middle := p.Add(q.Sub(p).Scale(halfWay(a)))
	switch a.Fate {
	case Vanished:
		q.Y += (p.Y - q.Y) / vg.Length(2*max(1, lanesBetween(a)))
	case Underway:
		q = middle
	case Entering:
		p = middle
	}
	if a.From.Lane == a.To.Lane {
		return loop(a, p, q, gap)
	}
	f := flight{Arrow: a, path: []vg.Point{p, q}}
	if a.Fate == Arrived || a.Fate == Entering {
		f.path[1] = q.Sub(direction(p, q).Scale(gap))
	}
	f.base = [2]vg.Point(f.path)
	return f
}

// lanesBetween is how many lanes an arrow goes up or down.
func lanesBetween(a *Arrow) int { return max(a.To.Lane-a.From.Lane, a.From.Lane-a.To.Lane) }

// halfWay is the part of the way of an arrow that ends between two lanes nearest to its middle.
func halfWay(a *Arrow) vg.Length {
	lanes := lanesBetween(a)
	if lanes == 0 {
		return 0.5
	}
	return (vg.Length((lanes-1)/2) + 0.5) / vg.Length(lanes)
}

// loop places an arrow from a lane to itself: a curve above the lane.
func loop(a *Arrow, p, q vg.Point, gap vg.Length) flight {
	const steps = 40
	wide := max(0, 8-(q.X-p.X)/2)
	q.Y += gap
	controls := [4]vg.Point{p, {X: p.X - wide, Y: p.Y + 4*hump/3}, {X: q.X + wide, Y: p.Y + 4*hump/3}, q}
	f := flight{Arrow: a}
	for i := range steps + 1 {
		t := vg.Length(i) / steps
		s := 1 - t
		f.path = append(f.path, controls[0].Scale(s*s*s).Add(controls[1].Scale(3*s*s*t)).
			Add(controls[2].Scale(3*s*t*t)).Add(controls[3].Scale(t*t*t)))
	}
	f.base = [2]vg.Point{{X: p.X - wide, Y: p.Y + hump}, {X: q.X + wide, Y: p.Y + hump}}
	return f
}

// crossed reports whether the arrow ends in a cross.
func (f flight) crossed() bool { return f.Fate == Unheard || f.Fate == Vanished }

// direction returns the direction from p to q, of length 1. Equal points have that of the
// axis.
func direction(p, q vg.Point) vg.Point {
	d := q.Sub(p)
	length := vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	if length == 0 {
		return level
	}
	return d.Scale(1 / length)
}

// A crowd holds the places that are taken.
type crowd struct {
	area   vg.Rectangle // where labels may stand
	plates []plate      // of signs and labels
	lines  [][2]vg.Point
	ground []plate // what labels may lie on: lines of ticks, and periods
}

// has reports whether a label has room: inside the area, and clear of the others.
func (c *crowd) has(p plate) bool {
	for _, corner := range p.corners() {
		if corner.X < c.area.Min.X || corner.X > c.area.Max.X || corner.Y < c.area.Min.Y || corner.Y > c.area.Max.Y {
			return false
		}
	}
	return !slices.ContainsFunc(c.plates, p.overlaps)
}

// crossings counts the lines that run through a plate.
func (c *crowd) crossings(p plate) (n int) {
	for _, line := range c.lines {
		if p.crossed(line[0], line[1]) {
			n++
		}
	}
	return n
}

// place puts a label at the first of its places that the fewest lines cross, at most so
// many. It reports whether there is one.
func (c *crowd) place(w words, places []vg.Point, most int) (words, bool) {
	best, fewest := -1, most+1
	for i, at := range places {
		w.at = at
		p := w.plate()
		if !c.has(p.grown(labelRim)) {
			continue
		}
		if n := c.crossings(p); n < fewest {
			best, fewest = i, n
		}
	}
	if best < 0 {
		return w, false
	}
	w.at = places[best]
	p := w.plate().grown(haloWidth)
	w.halo = c.crossings(p) > 0 || slices.ContainsFunc(c.ground, p.overlaps)
	c.plates = append(c.plates, w.plate())
	return w, true
}

// labelRim is kept free around a label.
const labelRim = vg.Length(0.4)

// Lines that may run through a label: a reader looks for News first.
const (
	mostThroughNews  = math.MaxInt - 1
	mostThroughSmall = 1
)

// placeLabels finds room for the labels: first what processes decided, then the labels of
// the arrows, the longest arrow first, then the notes.
func (l *diagramLayout) placeLabels() {
	c := &crowd{area: vg.Rectangle{Min: vg.Point{X: page.Margin, Y: l.bottom}, Max: vg.Point{X: l.width - page.Margin, Y: l.top}}}
	for _, s := range l.Signs {
		c.plates = append(c.plates, l.signPlate(s))
	}
	for _, f := range l.flights {
		if f.crossed() {
			c.plates = append(c.plates, plate{f.path[len(f.path)-1], level, crossRadius, crossRadius})
		}
		for i := range f.path[1:] {
			c.lines = append(c.lines, [2]vg.Point{f.path[i], f.path[i+1]})
		}
	}
	for _, m := range l.marks {
		c.lines = append(c.lines, [2]vg.Point{m.from, m.to})
		if !m.up {
			c.plates = append(c.plates, m.plate())
		}
	}
	for i := range l.Lanes {
		c.lines = append(c.lines, [2]vg.Point{{X: 0, Y: l.lane(i)}, {X: l.width, Y: l.lane(i)}})
		c.plates = append(c.plates, l.laneLabel(i).plate())
	}
	c.ground = l.ground()
	var lanes []vg.Length
	for i := range l.Lanes {
		lanes = append(lanes, l.lane(i))
	}
	for _, f := range l.flights {
		if t, ok := f.tagged(l.types, c, lanes); ok {
			l.tags = append(l.tags, t)
		}
	}
	for _, s := range l.Signs {
		l.placeBeside(c, s, s.News, newsSize, mostThroughNews)
	}
	l.placeArrowLabels(c)
	for _, s := range l.Signs {
		l.placeBeside(c, s, s.Note, smallSize, mostThroughSmall)
	}
}

// ground returns the places of the periods, of the bands and of the lines at the ticks.
func (l *diagramLayout) ground() (plates []plate) {
	between := func(from, to vg.Length) {
		middle := vg.Point{X: (from + to) / 2, Y: (l.bottom + l.top) / 2}
		plates = append(plates, plate{middle, level, (to - from) / 2, (l.top - l.bottom) / 2})
	}
	for _, p := range l.Periods {
		between(l.axis.At(p.From), l.axis.At(p.To))
	}
	for i, lane := range l.Lanes {
		for _, s := range lane.Stays {
			from, to := l.stayEnds(s)
			plates = append(plates, plate{vg.Point{X: (from + to) / 2, Y: l.lane(i)}, level, (to - from) / 2, bandHalf})
		}
	}
	for _, t := range l.numbers.Ticks {
		if t.Label != "" {
			between(l.numbers.At(t.Value), l.numbers.At(t.Value))
		}
	}
	return plates
}

// laneLabel returns the label of a lane.
func (l *diagramLayout) laneLabel(i int) words {
	w := l.words(l.Lanes[i].Label, page.TickSize, page.Ink)
	w.at = vg.Point{X: l.axis.From - laneEnd - laneGap - w.line.Width/2, Y: l.lane(i) - page.TickSize*page.CapHeight/2}
	return w
}

// words typesets a text that has been checked.
func (l *diagramLayout) words(markup string, size vg.Length, c color.NRGBA) words {
	return words{markup: markup, line: l.types.MustSet(markup, size), size: size, color: c, along: level}
}

// placeBeside places a text beside a sign.
func (l *diagramLayout) placeBeside(c *crowd, s Sign, markup string, size vg.Length, most int) {
	if markup == "" {
		return
	}
	w := l.words(markup, size, page.Ink)
	if s.Faded {
		w.color = page.Mix(page.Ink, page.White, 0.55)
	}
	room := l.signPlate(s)
	if len(l.Lanes[s.Lane].Stays) > 0 { // clear of its bands
		room.high = max(room.high, bandHalf+edgeWidth)
	}
	l.place(c, w, beside(room, w), most)
}

// signPlate is the room of a sign.
func (l *diagramLayout) signPlate(s Sign) plate {
	p := plate{l.spot(s.Spot), level, signRoom, signRoom}
	if s.Marked {
		return p.grown(ringWidth)
	}
	return p
}

// place places a label, or counts it as hidden.
func (l *diagramLayout) place(c *crowd, w words, places []vg.Point, most int) {
	l.wanted++
	if w, ok := c.place(w, places, most); ok {
		l.labels = append(l.labels, w)
		return
	}
	l.hidden++
}

// beside returns the places of a text beside a sign, the best first.
func beside(sign plate, w words) (places []vg.Point) {
	at, gap := sign.middle, sign.high+labelRim+0.2
	half, up, down := w.line.Width/2, gap+page.Descent*w.size, -gap-page.CapHeight*w.size
	for _, y := range []vg.Length{up, down, up + w.size, down - w.size} {
		for _, x := range []vg.Length{half - 2, 0, 2 - half, half + gap, -half - gap} {
			places = append(places, at.Add(vg.Point{X: x, Y: y}))
		}
	}
	middle := -page.CapHeight * w.size / 2
	return append(places, at.Add(vg.Point{X: half + gap, Y: middle}), at.Add(vg.Point{X: -half - gap, Y: middle}))
}

// steepest is the largest slope of a label, as the sine of its angle.
const steepest = 0.93

// placeArrowLabels places the labels of the arrows.
func (l *diagramLayout) placeArrowLabels(c *crowd) {
	longer := func(i, j int) int { return cmp.Compare(l.flights[j].length(), l.flights[i].length()) }
	for _, i := range ordered(len(l.flights), longer) {
		f := l.flights[i]
		if f.Label == "" || f.Faded {
			continue
		}
		w := l.words(f.Label, smallSize, page.Mix(kindColor(f.Kind), page.Ink, 0.15))
		w.along = direction(f.base[0], f.base[1])
		l.place(c, w, f.along(w), mostThroughSmall)
	}
}

// length is the length of the base of the flight.
func (f flight) length() float64 {
	d := f.base[1].Sub(f.base[0])
	return math.Hypot(float64(d.X), float64(d.Y))
}

// along returns the places of a label along the arrow, the best first; none if the arrow is
// too short or too steep.
func (f flight) along(w words) (places []vg.Point) {
	const gap = 1.6
	if math.Abs(float64(w.along.Y)) > steepest {
		return nil
	}
	across := vg.Point{X: -w.along.Y, Y: w.along.X}
	for _, part := range []vg.Length{0.45, 0.55, 0.35, 0.65, 0.27, 0.73} {
		middle := f.base[0].Add(f.base[1].Sub(f.base[0]).Scale(part))
		if vg.Length(f.length())*min(part, 1-part) < w.line.Width/2 {
			continue
		}
		places = append(places,
			middle.Add(across.Scale(gap+page.Descent*w.size)),
			middle.Sub(across.Scale(gap+page.CapHeight*w.size)))
	}
	return places
}
