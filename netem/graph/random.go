package graph

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"bullring/des"
)

// The errors of this file end a sentence that names the graph.

// ErdosRenyi draws a graph of n processes in which any two have an edge with probability p,
// independently (Gilbert 1959; Erdős & Rényi 1959). It draws again until the graph is connected.
func ErdosRenyi(n int, p des.Probability, stream *des.Stream) (*Graph, error) {
	name := fmt.Sprintf("er(%v)", p)
	if err := chances(atLeast(n, 1), p, uint64(n)*uint64(n-1)/2); err != nil {
		return nil, err
	}
	next := newSkips(p)
	hint := fmt.Sprintf("they become likely where the probability is above (ln n)/n = %.2g", math.Log(float64(n))/float64(n))
	return redraw(name, n, false, hint, func() ([]pair, error) {
		var edges []pair
		// The pairs (low, high), ordered by high (Batagelj & Brandes 2005).
		low, high := int64(-1), int64(1)
		for high < int64(n) {
			low += 1 + next.draw(stream)
			for low >= high && high < int64(n) {
				low -= high
				high++
			}
			if high < int64(n) {
				edges = append(edges, pairOf(int(low), int(high)))
			}
		}
		return edges, nil
	})
}

// Digraph draws a directed graph of n processes in which each has a link to each other with
// probability p, independently. It draws again until the graph is strongly connected.
func Digraph(n int, p des.Probability, stream *des.Stream) (*Graph, error) {
	name := fmt.Sprintf("digraph(%v)", p)
	others := int64(atLeast(n, 1)) - 1
	all := int64(n) * others
	if err := chances(n, p, uint64(all)); err != nil {
		return nil, err
	}
	next := newSkips(p)
	hint := fmt.Sprintf("they become likely where the probability is above (ln n)/n = %.2g", math.Log(float64(n))/float64(n))
	return redraw(name, n, true, hint, func() ([]pair, error) {
		var links []pair
		for i := next.draw(stream); i < all; i += 1 + next.draw(stream) {
			from, to := i/others, i%others
			if to >= from {
				to++
			}
			links = append(links, pairOf(int(from), int(to)))
		}
		return links, nil
	})
}

// chances returns the error of a probability that gives no edges, or too many.
func chances(n int, p des.Probability, pairs uint64) error {
	if p == des.Never && n > 1 {
		return errors.New("with probability 0 there are no links; it has to be above 0")
	}
	if expected, _ := bits.Mul64(2*pairs, uint64(p)); expected > MaxEdges {
		return tooMany(expected)
	}
	return nil
}

func tooMany(edges uint64) error {
	return fmt.Errorf("%d edges are too many; allowed are up to %d", edges, MaxEdges)
}

// Geometric places n processes at random in the unit square. Two have an edge if they are no
// farther apart than the radius (Gilbert 1961). It draws again until the graph is connected. The
// radius is a fraction of the side; coordinates are in units of 2^-30 of the side.
func Geometric(n int, radius des.Probability, stream *des.Stream) (*Graph, error) {
	const unit = 30
	reach := int64(radius >> (63 - unit))
	if atLeast(n, 1) > 1 && reach == 0 {
		return nil, errors.New("with radius 0 there are no links; it has to be above 0")
	}
	name := fmt.Sprintf("geometric(%v)", radius)
	hint := fmt.Sprintf("they become likely where the radius is above sqrt((ln n)/(pi n)) = %.2g", math.Sqrt(math.Log(float64(n))/(math.Pi*float64(n))))
	return redraw(name, n, false, hint, func() ([]pair, error) {
		xs, ys := make([]int64, n), make([]int64, n)
		for i := range n {
			xs[i], ys[i] = int64(stream.Uint64()>>(64-unit)), int64(stream.Uint64()>>(64-unit))
		}
		return near(xs, ys, 1<<unit, reach)
	})
}

// near finds the pairs of points in a square that are no farther apart than reach. It divides
// the square into fields at least that wide, so that it only has to search neighbouring fields.
func near(xs, ys []int64, side, reach int64) ([]pair, error) {
	fields := int64(1)
	for fields*fields < int64(len(xs)) && (fields+1)*reach <= side {
		fields++
	}
	width := (side + fields - 1) / fields
	points := make([][]int, fields*fields)
	for i := range xs {
		f := ys[i]/width*fields + xs[i]/width
		points[f] = append(points[f], i)
	}
	var edges []pair
	for i := range xs {
		fx, fy := xs[i]/width, ys[i]/width
		for y := max(0, fy-1); y <= min(fields-1, fy+1); y++ {
			for x := max(0, fx-1); x <= min(fields-1, fx+1); x++ {
				for _, k := range points[y*fields+x] {
					dx, dy := xs[i]-xs[k], ys[i]-ys[k]
					if i < k && dx*dx+dy*dy <= reach*reach {
						edges = append(edges, pairOf(i, k))
					}
				}
			}
		}
		if len(edges) > MaxEdges {
			return nil, tooMany(uint64(len(edges)))
		}
	}
	return edges, nil
}

// BarabasiAlbert grows a graph from a complete one of m+1 processes. Each further process gets
// edges to m others, drawn with probabilities proportional to their degrees (Barabási & Albert
// 1999). The graph is connected.
func BarabasiAlbert(n, m int, stream *des.Stream) (*Graph, error) {
	switch {
	case m < 1:
		return nil, fmt.Errorf("a new process has %d edges; it has to have at least 1", m)
	case atLeast(n, 1) <= m && n > 1:
		return nil, fmt.Errorf("%d processes; with %d edges of a new process at least %d are needed", n, m, m+1)
	case uint64(n)*uint64(m) > MaxEdges:
		return nil, tooMany(uint64(n) * uint64(m))
	}
	var edges []pair
	var ends []int // every process as often as it has edges
	join := func(from, to int) {
		edges = append(edges, pairOf(from, to))
		ends = append(ends, from, to)
	}
	for i := range min(n, m+1) {
		for k := range i {
			join(k, i)
		}
	}
	chosen := make([]int, 0, m)
	for i := m + 1; i < n; i++ {
		chosen = chosen[:0]
		for len(chosen) < m {
			if k := ends[stream.Intn(len(ends))]; !slices.Contains(chosen, k) {
				chosen = append(chosen, k)
			}
		}
		for _, k := range chosen {
			join(k, i)
		}
	}
	return undirected(fmt.Sprintf("ba(%d)", m), n, edges), nil
}

// WattsStrogatz takes a ring of n processes, each with edges to the k nearest, k/2 on either
// side. It moves the far end of each edge with probability beta to a process drawn from all
// without an edge to the near end (Watts & Strogatz 1998). It draws again until the graph is
// connected.
func WattsStrogatz(n, k int, beta des.Probability, stream *des.Stream) (*Graph, error) {
	switch {
	case k < 2 || k%2 == 1:
		return nil, fmt.Errorf("%d nearest neighbours; allowed are even numbers from 2", k)
	case atLeast(n, 1) <= k:
		return nil, fmt.Errorf("%d processes; with %d nearest neighbours at least %d are needed", n, k, k+1)
	case uint64(n)*uint64(k)/2 > MaxEdges:
		return nil, tooMany(uint64(n) * uint64(k) / 2)
	}
	name := fmt.Sprintf("ws(%d,%v)", k, beta)
	return redraw(name, n, false, "more neighbours make them likelier", func() ([]pair, error) {
		g := newEdgeSet(n)
		for i := range n {
			for j := 1; j <= k/2; j++ {
				g.add(i, (i+j)%n)
			}
		}
		for j := 1; j <= k/2; j++ {
			for i := range n {
				far := (i + j) % n
				if !beta.Hit(stream.Uint64()) || g.degree[i] == n-1 {
					continue
				}
				to := stream.Intn(n)
				for to == i || g.has(i, to) {
					to = stream.Intn(n)
				}
				g.remove(i, far)
				g.add(i, to)
			}
		}
		return g.edges(), nil
	})
}

// Regular draws a graph of n processes of degree d: it joins free ends at random, and draws again
// until the graph is connected. If d, or the number of processes without an edge to a process, is
// at most 4, it starts again as soon as two ends do not fit, and all graphs are equally likely
// (Bollobás 1980). With higher degrees that would not end. Then it joins the ends that are left
// again, starts again only if none of them fit, and all graphs of many processes are about equally
// likely (Steger & Wormald 1999). The connected graphs of degree 2 are rings, which it draws
// directly.
func Regular(n, d int, stream *des.Stream) (*Graph, error) {
	switch {
	case d < 0 || d >= atLeast(n, 1):
		return nil, fmt.Errorf("degree %d; %d processes allow 1 to %d", d, n, n-1)
	case n*d%2 == 1:
		return nil, fmt.Errorf("%d processes of degree %d: one of the two numbers has to be even", n, d)
	case d < 2 && n > d+1:
		return nil, fmt.Errorf("degree %d; no such graph of %d processes is connected, at least degree 2 is needed", d, n)
	case uint64(n)*uint64(d)/2 > MaxEdges:
		return nil, tooMany(uint64(n) * uint64(d) / 2)
	}
	name := fmt.Sprintf("regular(%d)", d)
	if d == 2 {
		ring, edges := stream.Perm(n), make([]pair, n)
		for i, p := range ring {
			edges[i] = pairOf(p, ring[(i+1)%n])
		}
		return undirected(name, n, edges), nil
	}
	few := d
	if d > (n-1)/2 { // draw the complement, which has fewer ends
		few = n - 1 - d
	}
	return redraw(name, n, false, "", func() ([]pair, error) {
		for {
			edges, ok := joinEnds(n, few, stream)
			switch {
			case ok && few != d:
				return complement(n, edges), nil
			case ok:
				return edges, nil
			}
		}
	})
}

// joinEnds joins d free ends of each process at random. ok is false if ends are left that cannot
// be joined.
func joinEnds(n, d int, stream *des.Stream) (edges []pair, ok bool) {
	g := newEdgeSet(n)
	var ends []int
	for i := range n {
		for range d {
			ends = append(ends, i)
		}
	}
	for len(ends) > 0 {
		for i := len(ends) - 1; i > 0; i-- {
			k := stream.Intn(i + 1)
			ends[i], ends[k] = ends[k], ends[i]
		}
		var left []int
		for i := 0; i < len(ends); i += 2 {
			if a, b := ends[i], ends[i+1]; a == b || g.has(a, b) {
				left = append(left, a, b)
			} else {
				g.add(a, b)
			}
		}
		const exact = 4
		if len(left) > 0 && d <= exact || !g.joinable(left) {
			return nil, false
		}
		ends = left
	}
	return g.edges(), true
}

// edgeSet holds the edges of a graph that is being made.
type edgeSet struct {
	present map[pair]struct{} // never iterated
	order   []pair            // in the order of adding, removed ones included
	degree  []int
}

func newEdgeSet(n int) *edgeSet {
	return &edgeSet{present: map[pair]struct{}{}, degree: make([]int, n)}
}

func (s *edgeSet) has(a, b int) bool {
	_, ok := s.present[pairOf(min(a, b), max(a, b))]
	return ok
}

func (s *edgeSet) add(a, b int) {
	e := pairOf(min(a, b), max(a, b))
	s.present[e] = struct{}{}
	s.order = append(s.order, e)
	s.degree[a]++
	s.degree[b]++
}

func (s *edgeSet) remove(a, b int) {
	delete(s.present, pairOf(min(a, b), max(a, b)))
	s.degree[a]--
	s.degree[b]--
}

// edges are the present edges, each once.
func (s *edgeSet) edges() []pair {
	slices.Sort(s.order)
	return slices.DeleteFunc(slices.Compact(s.order), func(e pair) bool { return !s.has(e.from(), e.to()) })
}

// joinable reports whether two of these free ends can be joined, or none is left.
func (s *edgeSet) joinable(ends []int) bool {
	for i, a := range ends {
		for _, b := range ends[i+1:] {
			if a != b && !s.has(a, b) {
				return true
			}
		}
	}
	return len(ends) == 0
}

// redraw draws the edges of a graph until it is connected or, if strongly, the links of a directed
// graph until it is strongly connected. It draws large graphs fewer times before it gives up.
func redraw(name string, n int, strongly bool, hint string, draw func() ([]pair, error)) (*Graph, error) {
	const (
		most, least = 1000, 10
		effort      = 50_000_000 // processes and links
	)
	for drawn, spent := 0, 0; ; {
		links, err := draw()
		if err != nil {
			return nil, err
		}
		if strongly {
			if g := directed(name, n, links); g.StronglyConnected() {
				return g, nil
			}
		} else if g := undirected(name, n, links); g.Connected() {
			return g, nil
		}
		drawn, spent = drawn+1, spent+n+len(links)
		if drawn == most || drawn >= least && spent >= effort {
			kind := "connected"
			if strongly {
				kind = "strongly connected"
			}
			if hint != "" {
				hint = ": " + hint
			}
			return nil, fmt.Errorf("%d graphs of %d processes were drawn, and none is %s%s", drawn, n, kind, hint)
		}
	}
}

// skips draws the number of failures before an event of probability p: a geometric distribution,
// in fixed point.
type skips struct {
	powers []des.Probability // the probability of 2^i failures in a row
}

func newSkips(p des.Probability) skips {
	const most = 40 // 2^40 failures are more than there are pairs
	var s skips
	for q := p.Not(); q > des.Never && len(s.powers) < most; q = q.Times(q) {
		s.powers = append(s.powers, q)
	}
	return s
}

// draw draws one number: the largest k for which the probability of k failures in a row is above
// the random fraction.
func (s skips) draw(stream *des.Stream) int64 {
	r, k, tail := stream.Uint64(), int64(0), des.Always
	for i := len(s.powers) - 1; i >= 0; i-- {
		if t := tail.Times(s.powers[i]); t.Hit(r) {
			k, tail = k+1<<i, t
		}
	}
	return k
}
