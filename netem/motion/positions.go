package motion

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/des"
	"bullring/netem"
)

// positions are the places of processes over time, from a file of BonnMotion, a line
//
//	t x y t x y ...
//
// for each process, or of ns-2, as setdest writes it:
//
//	$node_(0) set X_ 150.0
//	$ns_ at 2.0 "$node_(0) setdest 250.0 100.0 1.5"
//
// A process goes straight from one place to the next, and stays at the last one.
type positions struct {
	space
	routes []route
}

// usualRange is the range of positions if none is given: that of the radios of ns-2.
const usualRange = 250 * metre

func readPositions(a *arguments) model {
	m := &positions{}
	a.file(m.parse)
	m.reach = usualRange
	if a.err == nil && len(a.left) == 0 {
		a.texts = append(a.texts, printLength(m.reach))
		return m
	}
	m.reach = a.length("range")
	return m
}

func (m *positions) source(t netem.Topology, seed uint64) source { return newFleet(m, t.Len(), seed) }
func (m *positions) bounds() space                               { return m.space }
func (m *positions) paths(n int, _ uint64) []path {
	paths := make([]path, n)
	for i := range paths {
		paths[i] = &routePath{legs: m.routes[i].legs}
	}
	return paths
}

func (m *positions) fits(n int) error {
	if n > len(m.routes) {
		return tooFew(fmt.Sprintf("places of %d", len(m.routes)), n)
	}
	return nil
}

// parse reads a file in one of the two formats.
func (m *positions) parse(name string, text []byte) error {
	read := m.readBonnMotion
	if bytes.Contains(text, []byte("$node_(")) {
		read = m.readSetdest
	}
	if err := read(name, text); err != nil {
		return err
	}
	if len(m.routes) == 0 {
		return fmt.Errorf("%s has no places: a line of it is t x y t x y ..., or a command of ns-2", name)
	}
	m.bound()
	return nil
}

// bound sets the rectangle of all places.
func (m *positions) bound() {
	first := m.routes[0]
	right, top := first.x, first.y
	m.left, m.bottom = first.x, first.y
	grow := func(x, y int64) {
		m.left, m.bottom, right, top = min(m.left, x), min(m.bottom, y), max(right, x), max(top, y)
	}
	for _, r := range m.routes {
		for _, l := range r.legs {
			grow(l.x, l.y)
		}
		grow(r.x, r.y)
	}
	m.width, m.height = right-m.left, top-m.bottom
}

// route is the legs of a process, and where and when the last one ends.
type route struct {
	legs []leg
	x, y int64
	now  int64
}

// stay has the process stay where it is up to an instant.
func (r *route) stay(until int64) {
	if until > r.now {
		r.legs = append(r.legs, leg{x: r.x, y: r.y, from: r.now, to: until})
		r.now = until
	}
}

// move has the process go to a place in a time. It reports whether it is slow enough.
func (r *route) move(x, y, took int64) bool {
	if max(abs(x-r.x), abs(y-r.y)) >= uint64(fastestSpeed)*uint64(min(took, 1<<32)) {
		return false
	}
	l := leg{r.x, r.y, (x - r.x) / took, (y - r.y) / took, r.now, r.now + took}
	r.legs, r.now = append(r.legs, l), l.to
	r.x, r.y = l.at(l.to)
	return true
}

// cut ends the last leg earlier.
func (r *route) cut(at int64) {
	if len(r.legs) == 0 || at >= r.now {
		return
	}
	l := &r.legs[len(r.legs)-1]
	r.x, r.y = l.at(at)
	if l.to, r.now = at, at; l.from == at {
		r.legs = r.legs[:len(r.legs)-1]
	}
}

// routePath is the path along a route.
type routePath struct {
	legs []leg
	last leg
}

// renew implements path: a file has nothing to draw.
func (*routePath) renew(des.Stream) {}

func (p *routePath) next() leg {
	if len(p.legs) > 0 {
		p.last, p.legs = p.legs[0], p.legs[1:]
		return p.last
	}
	x, y := p.last.at(p.last.to)
	return leg{x: x, y: y, from: p.last.to, to: forever}
}

// readBonnMotion reads a line for each process.
func (m *positions) readBonnMotion(name string, text []byte) error {
	for _, r := range records(name, text, "") {
		if len(r.fields)%3 != 0 {
			return r.fail(len(r.fields)-1, "ends a line of %d numbers; allowed are t x y, again and again", len(r.fields))
		}
		var to route
		for i := 0; i < len(r.fields); i += 3 {
			t, err := r.instant(i)
			x, errX := r.coordinate(i + 1)
			y, errY := r.coordinate(i + 2)
			if err := cmp.Or(err, errX, errY); err != nil {
				return err
			}
			switch {
			case i == 0:
				to.x, to.y = x, y
				to.stay(t)
			case t <= to.now:
				return r.fail(i, "is a time that is not after the one before it")
			case !to.move(x, y, t-to.now):
				return r.fail(i, "is too early: the process would move at 2000 m/s or faster")
			}
		}
		if len(to.legs) == 0 { // it does not move
			to.stay(1)
		}
		m.routes = append(m.routes, to)
	}
	return nil
}

// command is a line of ns-2 that moves a process.
type command struct {
	record
	at, x, y, speed int64
}

// readSetdest reads the commands of ns-2.
func (m *positions) readSetdest(name string, text []byte) error {
	starts, commands := map[int]*[2]int64{}, map[int][]command{}
	n := 0
	for _, r := range records(name, text, "\"") {
		if strings.HasPrefix(r.fields[0].text, "$god_") || len(r.fields) > 3 && strings.HasPrefix(r.fields[3].text, "$god_") {
			continue // distances in hops, which follow from the places
		}
		var err error
		var node int
		switch {
		case len(r.fields) == 4 && r.fields[1].text == "set":
			node, err = r.setStart(starts)
		case len(r.fields) == 7 && r.fields[1].text == "at" && r.fields[4].text == "setdest":
			node, err = r.setDestination(commands)
		case len(r.fields) == 8 && r.fields[1].text == "at" && r.fields[4].text == "setdest":
			node, err = r.setDestination(commands)
		default:
			err = r.fail(0, "begins no command that is known; allowed are $node_(0) set X_ 1.5 and $ns_ at 2.0 \"$node_(0) setdest 250.0 100.0 1.5\"")
		}
		if err != nil {
			return err
		}
		n = max(n, node+1)
	}
	for node := range n {
		if starts[node] == nil {
			return fmt.Errorf("%s does not set where $node_(%d) begins", name, node)
		}
		to := route{x: starts[node][0], y: starts[node][1]}
		if err := to.follow(commands[node]); err != nil {
			return err
		}
		m.routes = append(m.routes, to)
	}
	return nil
}

// node reads $node_(I).
func (r *record) node(field int) (int, error) {
	text, ok := strings.CutPrefix(r.fields[field].text, "$node_(")
	number, closed := strings.CutSuffix(text, ")")
	v, valid := parseDecimal(number, 0)
	if !ok || !closed || !valid || v < 0 || v > 1<<23 {
		return 0, r.fail(field, "is no node, such as $node_(0)")
	}
	return int(v), nil
}

// setStart reads $node_(I) set X_ V.
func (r *record) setStart(starts map[int]*[2]int64) (node int, err error) {
	if node, err = r.node(0); err != nil {
		return 0, err
	}
	axis := slices.Index([]string{"X_", "Y_", "Z_"}, r.fields[2].text)
	if axis < 0 {
		return 0, r.fail(2, "is no coordinate; allowed are X_, Y_ and Z_")
	}
	v, err := r.coordinate(3)
	if starts[node] == nil {
		starts[node] = &[2]int64{}
	}
	if axis < 2 { // the height does not count
		starts[node][axis] = v
	}
	return node, err
}

// setDestination reads $ns_ at T $node_(I) setdest X Y SPEED.
func (r *record) setDestination(commands map[int][]command) (node int, err error) {
	if len(r.fields) != 8 {
		return 0, r.fail(len(r.fields)-1, "ends a setdest without a speed; it takes x, y and a speed")
	}
	node, err = r.node(3)
	at, errAt := r.instant(2)
	x, errX := r.coordinate(5)
	y, errY := r.coordinate(6)
	speed, errSpeed := r.number(7, 6, "a speed in m/s", 0, fastestSpeed-1)
	commands[node] = append(commands[node], command{*r, at, x, y, speed})
	return node, cmp.Or(errAt, err, errX, errY, errSpeed)
}

// follow makes the legs of the commands of one process. A command ends the one before it.
func (r *route) follow(commands []command) error {
	slices.SortStableFunc(commands, func(a, b command) int { return cmp.Compare(a.at, b.at) })
	for _, c := range commands {
		r.cut(c.at)
		r.stay(c.at)
		far := distance(c.x-r.x, c.y-r.y)
		if c.speed == 0 || far == 0 {
			continue
		}
		took := (far-1)/c.speed + 1
		if took > mostSeconds*second || !r.move(c.x, c.y, took) {
			return c.fail(7, "is a speed at which the process would take more than 73 years")
		}
	}
	if len(r.legs) == 0 {
		r.stay(1)
	}
	return nil
}
