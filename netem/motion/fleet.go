package motion

import (
	"math"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// leg is a movement with constant velocity, or a rest.
type leg struct {
	x, y, vx, vy int64
	from, to     int64 // microseconds
}

// forever ends the leg of a process that moves no more.
const forever = math.MaxInt64 / 4

// at is the place at an instant of the leg.
func (l *leg) at(now int64) (x, y int64) {
	return l.x + l.vx*(now-l.from), l.y + l.vy*(now-l.from)
}

// path is what one process does.
type path interface {
	// next is the next leg. The first begins at 0, and each other one where and when the one before
	// it ends, after a microsecond at least.
	next() leg
	// renew has it draw from that stream from now on.
	renew(des.Stream)
}

// space is where processes move, and how far they reach.
type space struct{ left, bottom, width, height, reach int64 }

// placed is a model of processes with places.
type placed interface {
	paths(n int, seed uint64) []path
	bounds() space
}

// fleet is the changes of links between processes that move. Those of a pair are computed when one of
// the two is looked at, for as long as both keep their velocities and are not looked at again. So
// what is in the queue never has to be withdrawn.
type fleet struct {
	paths []path
	legs  []leg
	looks []int64 // by process, when it is looked at next
	cells grid
	reach int64
	queue heap
}

func newFleet(m placed, n int, seed uint64) *fleet {
	f := &fleet{paths: m.paths(n, seed), legs: make([]leg, n), looks: make([]int64, n), cells: newGrid(m.bounds(), n), reach: m.bounds().reach}
	for i, p := range f.paths {
		f.legs[i] = p.next()
		f.settle(i, 0)
	}
	for i := range f.paths {
		f.cells.near(i, func(j int) {
			if j < i {
				f.compare(j, i, 0)
			}
		})
	}
	return f
}

// settle puts a process into its cell and says when it is looked at next: before it can be further
// than a side of the cell from where it is, or at the end of its leg.
func (f *fleet) settle(i int, now int64) {
	l := &f.legs[i]
	f.looks[i] = l.to
	if speed := int64(max(abs(l.vx), abs(l.vy))); speed > 0 {
		f.looks[i] = min(l.to, now+max(1, f.cells.side/speed))
	}
	f.cells.put(i, l, now)
	if f.looks[i] < forever {
		f.queue.push(event{at: f.looks[i], ends: true, a: int32(i)})
	}
}

// compare finds the changes of a link until one of its ends is looked at.
func (f *fleet) compare(a, b int, now int64) {
	g := f.gap(a, b, now)
	in, out := g.crossings(min(f.looks[a], f.looks[b])-now, f.reach)
	link := event{a: int32(min(a, b)), b: int32(max(a, b))}
	if in > 0 {
		link.at, link.up = now+in, true
		f.queue.push(link)
	}
	if out > 0 {
		link.at, link.up = now+out, false
		f.queue.push(link)
	}
}

func (f *fleet) gap(a, b int, now int64) gap {
	l, m := &f.legs[a], &f.legs[b]
	lx, ly := l.at(now)
	mx, my := m.at(now)
	return gap{mx - lx, my - ly, m.vx - l.vx, m.vy - l.vy}
}

// renew implements drawing.
func (f *fleet) renew(stream func(...uint64) des.Stream) {
	for i, p := range f.paths {
		p.renew(stream(uint64(i)))
	}
}

// Begin implements source.
func (f *fleet) Begin(link func(a, b protocols.ID)) {
	for a := range f.legs {
		f.cells.near(a, func(b int) {
			if a < b && f.gap(a, b, 0).within(0, f.reach) {
				link(protocols.ID(a), protocols.ID(b))
			}
		})
	}
}

// Next implements source.
func (f *fleet) Next() (c netem.Change, ok bool) {
	for looks := 0; len(f.queue) > 0; looks++ {
		e := f.queue.pop()
		if !e.ends {
			return netem.Change{At: des.Time(e.at) * microsecond, A: protocols.ID(e.a), B: protocols.ID(e.b), Up: e.up}, true
		}
		i := int(e.a)
		if e.at == f.legs[i].to {
			f.legs[i] = f.paths[i].next()
		}
		f.settle(i, e.at)
		f.cells.near(i, func(j int) {
			if j != i {
				f.compare(i, j, e.at)
			}
		})
		if looks == mostIdle {
			return quietUntil(des.Time(e.at) * microsecond), true
		}
	}
	return c, false
}

const microsecond = des.Time(1000)

// grid finds the processes that may be in range before one of them is looked at. No process goes
// further than a side of a cell from where it was when it was put there, so two that come into range
// were at most two sides and the range apart.
type grid struct {
	side, left, bottom int64
	columns, rows      int64
	within             int64   // cells, in each direction
	heads              []int32 // by cell, a process, or -1
	nexts, befores     []int32 // by process, those of its cell, or -1
	cells              []int32 // by process, or -1
}

// mostCells is the largest number of cells in one direction.
const mostCells = 256

func newGrid(s space, n int) grid {
	g := grid{side: max(s.reach, s.width/mostCells+1, s.height/mostCells+1), left: s.left, bottom: s.bottom, within: 3}
	g.columns, g.rows = s.width/g.side+1, s.height/g.side+1
	g.heads = none(int(g.columns * g.rows))
	g.nexts, g.befores, g.cells = none(n), none(n), none(n)
	return g
}

func none(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = -1
	}
	return all
}

// put puts a process into the cell of its present place.
func (g *grid) put(i int, l *leg, now int64) {
	x, y := l.at(now)
	column, row := min(max(0, x-g.left)/g.side, g.columns-1), min(max(0, y-g.bottom)/g.side, g.rows-1)
	cell := int32(row*g.columns + column)
	if g.cells[i] == cell {
		return
	}
	g.remove(i)
	next := g.heads[cell]
	if next >= 0 {
		g.befores[next] = int32(i)
	}
	g.heads[cell], g.nexts[i], g.befores[i], g.cells[i] = int32(i), next, -1, cell
}

func (g *grid) remove(i int) {
	before, next := g.befores[i], g.nexts[i]
	switch {
	case g.cells[i] < 0:
		return
	case before >= 0:
		g.nexts[before] = next
	default:
		g.heads[g.cells[i]] = next
	}
	if next >= 0 {
		g.befores[next] = before
	}
}

// near calls f with each process that may come into range of a process, and with itself.
func (g *grid) near(i int, f func(j int)) {
	column, row := int64(g.cells[i])%g.columns, int64(g.cells[i])/g.columns
	for r := max(0, row-g.within); r <= min(g.rows-1, row+g.within); r++ {
		for c := max(0, column-g.within); c <= min(g.columns-1, column+g.within); c++ {
			for j := g.heads[r*g.columns+c]; j >= 0; j = g.nexts[j] {
				f(int(j))
			}
		}
	}
}
