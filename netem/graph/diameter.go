package graph

import "slices"

const (
	// surveyable is the largest number of processes for which DiameterBounds finds the
	// diameter itself in all graphs.
	surveyable = 10_000
	// searches is the largest number of its breadth-first searches in larger graphs, twice
	// as many in directed ones.
	searches = 32
)

// interval is one of the diameter.
type interval struct{ least, most int }

// DiameterBounds returns two numbers between which the diameter lies, -1 and -1 if the graph is
// not strongly connected. They are equal in graphs of up to 10,000 processes, in trees, and
// wherever a few searches suffice. The effort is that of these searches.
func (g *Graph) DiameterBounds() (least, most int) {
	within := g.interval.get(func() interval {
		d, ok := g.easyDiameter()
		switch {
		case ok:
			return interval{d, d}
		case g.Len() <= surveyable:
			return interval{g.Diameter(), g.Diameter()}
		}
		s := g.newSurvey()
		s.narrow(searches)
		return interval{s.least, s.most()}
	})
	return within.least, within.most
}

// Diameter is the largest distance between two processes, or -1 if the graph is not strongly
// connected. In large random graphs it can take a search from each process.
func (g *Graph) Diameter() int {
	return g.diameter.get(func() int {
		if d, ok := g.easyDiameter(); ok {
			return d
		}
		// A survey is the faster way as long as each of its searches closes the question for
		// some processes. One of many searches takes about an eighth of a search alone.
		const worth = 8
		s := g.newSurvey()
		for closed := worth * searches; len(s.open) > 0 && closed >= worth*searches; {
			before := len(s.open)
			s.narrow(searches)
			closed = before - len(s.open)
		}
		diameter, many := s.least, newManyWalks(g.Len())
		for from := range slices.Chunk(s.open, wordSize) {
			diameter = max(diameter, many.farthest(from, s.links))
		}
		return diameter
	})
}

// easyDiameter is the diameter if two searches find it.
func (g *Graph) easyDiameter() (diameter int, ok bool) {
	switch {
	case !g.StronglyConnected():
		return -1, true
	case g.alike:
		return g.Eccentricity(0), true
	case g.Tree(): // the farthest process from any process is the end of a longest path
		w := newWalk(g.Len())
		w.from(0, g.rows())
		return w.eccentricity(w.queue[len(w.queue)-1], g.rows()), true
	}
	return 0, false
}

// survey narrows the interval of the diameter, search by search. From a process of eccentricity e,
// let a process be at distance d, and at distance b the other way. Its eccentricity is then from
// max(b, e-d) to e+b. Processes whose interval is not above the largest eccentricity so far are
// left out (Takes & Kosters 2011, BoundingDiameters; both ways: Akiba, Iwata & Kawata 2015).
type survey struct {
	links, back  rows // back is nil if each link has one back
	there, again *walk

	low, high []int32 // the intervals, by address
	open      []int32 // the processes that are not left out
	least     int     // the largest eccentricity so far
	central   bool    // the next search is from a process that may be in the middle
}

// newSurvey returns a survey of a strongly connected graph.
func (g *Graph) newSurvey() *survey {
	n := g.Len()
	s := &survey{links: g.rows(), there: newWalk(n), low: make([]int32, n), high: make([]int32, n), open: make([]int32, n)}
	s.again = s.there
	if !g.Symmetric() {
		s.back, s.again = g.reversed(), newWalk(n)
	}
	for id := range int32(n) {
		s.open[id], s.high[id] = id, int32(n-1)
	}
	return s
}

// narrow makes so many searches, or as many as it takes.
func (s *survey) narrow(searches int) {
	for ; searches > 0 && len(s.open) > 0; searches-- {
		// Far processes raise the lower bound, central ones lower the upper bounds.
		chosen := s.open[0]
		for _, id := range s.open {
			if s.central && s.low[id] < s.low[chosen] || !s.central && s.high[id] > s.high[chosen] {
				chosen = id
			}
		}
		s.central = !s.central
		s.search(chosen)
	}
}

func (s *survey) search(from int32) {
	e := int32(s.there.eccentricity(from, s.links))
	if s.back != nil {
		s.again.from(from, s.back)
	}
	least := int32(max(s.least, int(e)))
	s.high[from] = e
	for _, id := range s.open {
		d, b := s.there.distance[id], s.again.distance[id]
		s.low[id] = max(s.low[id], b, e-d)
		s.high[id] = min(s.high[id], e+b)
		least = max(least, s.low[id])
	}
	s.least = int(least)
	s.open = slices.DeleteFunc(s.open, func(id int32) bool { return s.high[id] <= least })
}

// most is the upper end of the interval.
func (s *survey) most() int {
	most := s.least
	for _, id := range s.open {
		most = max(most, int(s.high[id]))
	}
	return most
}

// manyWalks searches a graph breadth first from many processes at once. Bit i of a word is of the
// search from the i-th of them (Then et al., VLDB 2014).
type manyWalks struct {
	seen, fresh, next []uint64 // the searches that have reached a process; just now; in the next step
	front, ahead      []int32  // the processes with fresh, and with next
}

const wordSize = 64

func newManyWalks(n int) *manyWalks {
	return &manyWalks{seen: make([]uint64, n), fresh: make([]uint64, n), next: make([]uint64, n)}
}

// farthest is the largest distance from one of up to wordSize processes.
func (w *manyWalks) farthest(from []int32, links rows) int {
	clear(w.seen)
	w.front = append(w.front[:0], from...)
	for i, id := range from {
		w.fresh[id], w.seen[id] = 1<<i, 1<<i
	}
	for distance := 0; ; distance++ {
		w.ahead = w.ahead[:0]
		for _, id := range w.front {
			for _, to := range links.row(id) {
				if news := w.fresh[id] &^ w.seen[to]; news != 0 {
					if w.next[to] == 0 {
						w.ahead = append(w.ahead, to)
					}
					w.next[to] |= news
				}
			}
			w.fresh[id] = 0
		}
		if len(w.ahead) == 0 {
			return distance
		}
		for _, id := range w.ahead {
			w.seen[id] |= w.next[id]
		}
		w.fresh, w.next = w.next, w.fresh
		w.front, w.ahead = w.ahead, w.front
	}
}
