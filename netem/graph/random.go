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
	expected, err := chances(atLeast(n, 1), p, uint64(n)*uint64(n-1)/2)
	if err != nil {
		return nil, err
	}
	next := newSkips(p)
	hint := fmt.Sprintf("they become likely where the probability is above (ln n)/n = %.2g", math.Log(float64(n))/float64(n))
	return redraw(name, n, false, hint, func() ([]pair, error) {
		edges := make([]pair, 0, expected+expected/16)
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
	expected, err := chances(n, p, uint64(all))
	if err != nil {
		return nil, err
	}
	next := newSkips(p)
	hint := fmt.Sprintf("they become likely where the probability is above (ln n)/n = %.2g", math.Log(float64(n))/float64(n))
	return redraw(name, n, true, hint, func() ([]pair, error) {
		links := make([]pair, 0, expected+expected/16)
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

// chances returns the mean number of edges among so many pairs, or the error of a probability that
// gives none, or too many.
func chances(n int, p des.Probability, pairs uint64) (expected uint64, err error) {
	if p == des.Never && n > 1 {
		return 0, errors.New("with probability 0 there are no links; it has to be above 0")
	}
	if expected, _ = bits.Mul64(2*pairs, uint64(p)); expected > maxEdges {
		return 0, tooMany(expected)
	}
	return expected, nil
}

func tooMany(edges uint64) error {
	return fmt.Errorf("%d edges are too many; allowed are up to %d", edges, maxEdges)
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
		points := make([]point, n)
		for i := range points {
			points[i] = point{int64(stream.Uint64() >> (64 - unit)), int64(stream.Uint64() >> (64 - unit)), i}
		}
		return near(points, 1<<unit, reach)
	})
}

// point is the place of a process in a square.
type point struct {
	x, y int64
	id   int
}

// near finds the pairs of points in a square that are no farther apart than reach. It divides
// the square into fields at least that wide, so that it only has to search neighbouring fields.
func near(points []point, side, reach int64) ([]pair, error) {
	fields := int64(1)
	for fields*fields < int64(len(points)) && (fields+1)*reach <= side {
		fields++
	}
	width := (side + fields - 1) / fields
	points, first := byField(points, width, fields)
	var edges []pair
	for i, p := range points {
		// Of two points in one row of fields, the earlier finds the later. Of two points in
		// different rows, that in the lower row finds the other.
		column, row := p.x/width, p.y/width
		for y := row; y <= min(fields-1, row+1); y++ {
			from, to := first[y*fields+max(0, column-1)], first[y*fields+min(fields-1, column+1)+1]
			if y == row {
				from = i + 1
			}
			for _, q := range points[from:to] {
				if dx, dy := p.x-q.x, p.y-q.y; dx*dx+dy*dy <= reach*reach {
					edges = append(edges, pairOf(p.id, q.id))
				}
			}
		}
		if len(edges) > maxEdges {
			return nil, tooMany(uint64(len(edges)))
		}
	}
	return edges, nil
}

// byField sorts points by their fields, row by row. Those of field f are sorted[first[f]:first[f+1]].
func byField(points []point, width, fields int64) (sorted []point, first []int) {
	field := func(p point) int64 { return p.y/width*fields + p.x/width }
	first = make([]int, fields*fields+2)
	for _, p := range points {
		first[field(p)+2]++
	}
	for f := range fields * fields {
		first[f+2] += first[f+1]
	}
	sorted = make([]point, len(points))
	for _, p := range points {
		place := &first[field(p)+1]
		sorted[*place] = p
		*place++
	}
	return sorted, first
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
	case uint64(n)*uint64(m) > maxEdges:
		return nil, tooMany(uint64(n) * uint64(m))
	}
	edges := make([]pair, 0, n*m)
	for i := range min(n, m+1) {
		for k := range i {
			edges = append(edges, pairOf(k, i))
		}
	}
	chosen := make([]int, 0, m)
	for i := m + 1; i < n; i++ {
		chosen = chosen[:0]
		for len(chosen) < m {
			// An end of an edge: every process is drawn as often as it has edges.
			end := stream.Intn(2 * len(edges))
			k := edges[end/2].from()
			if end%2 == 1 {
				k = edges[end/2].to()
			}
			if !slices.Contains(chosen, k) {
				chosen = append(chosen, k)
			}
		}
		for _, k := range chosen {
			edges = append(edges, pairOf(k, i))
		}
	}
	return fromEdges(fmt.Sprintf("ba(%d)", m), n, edges), nil
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
	case uint64(n)*uint64(k)/2 > maxEdges:
		return nil, tooMany(uint64(n) * uint64(k) / 2)
	}
	name := fmt.Sprintf("ws(%d,%v)", k, beta)
	return redraw(name, n, false, "more neighbours make them likelier", func() ([]pair, error) {
		g := newEdgeSet(n * k) // those of the ring, and as many that replace them
		degree := make([]int32, n)
		for i := range n {
			for j := 1; j <= k/2; j++ {
				g.add(i, (i+j)%n)
			}
			degree[i] = int32(k)
		}
		for j := 1; j <= k/2; j++ {
			for i := range n {
				far := (i + j) % n
				if !beta.Hit(stream.Uint64()) || int(degree[i]) == n-1 {
					continue
				}
				to := stream.Intn(n)
				for to == i || g.has(i, to) {
					to = stream.Intn(n)
				}
				g.remove(i, far)
				g.add(i, to)
				degree[far]--
				degree[to]++
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
	case uint64(n)*uint64(d)/2 > maxEdges:
		return nil, tooMany(uint64(n) * uint64(d) / 2)
	}
	name := fmt.Sprintf("regular(%d)", d)
	if d == 2 {
		ring, edges := stream.Perm(n), make([]pair, n)
		for i, p := range ring {
			edges[i] = pairOf(int(p), int(ring[(i+1)%n]))
		}
		return fromEdges(name, n, edges), nil
	}
	few := d
	if d > (n-1)/2 { // draw the complement, which has fewer ends
		few = n - 1 - d
	}
	return redraw(name, n, false, "", func() ([]pair, error) {
		draw := joinEnds
		if few <= uniform {
			draw = pairEnds
		}
		edges := draw(n, few, stream)
		if few != d {
			edges = complement(n, edges)
		}
		return edges, nil
	})
}

// uniform is the largest degree of a graph that pairEnds draws in a bearable time. It succeeds once
// in exp((d*d-1)/4) attempts: in 43 of degree 4, in 400 of degree 5.
const uniform = 4

// pairEnds joins d free ends of each process at random. It starts again when two do not fit.
func pairEnds(n, d int, stream *des.Stream) []pair {
	const some = 128 // ends, which are joined one after the other: their look-ups wait for memory together
	g, ends := newEdgeSet(n*d/2), make([]int32, n*d)
	for {
		g.clear()
		free(ends, d)
		fit, next := true, len(ends) // those from next on have been shuffled and joined
		for fit && next > 0 {
			first := max(0, next-some)
			for i := next - 1; i >= max(first, 1); i-- {
				k := stream.Intn(i + 1)
				ends[i], ends[k] = ends[k], ends[i]
			}
			for i := first; i < next && fit; i += 2 {
				fit = g.add(int(ends[i]), int(ends[i+1]))
			}
			next = first
		}
		if fit {
			return g.edges()
		}
		for i := next - 1; i > 0; i-- { // an attempt has so many draws
			stream.Intn(i + 1)
		}
	}
}

// joinEnds joins d free ends of each process at random. It joins those that do not fit again, and
// starts again if none of them do.
func joinEnds(n, d int, stream *des.Stream) []pair {
	g, all := newEdgeSet(n*d/2), make([]int32, n*d)
	for {
		g.clear()
		free(all, d)
		ends := all
		for len(ends) > 0 && g.joinable(ends) {
			for i := len(ends) - 1; i > 0; i-- {
				k := stream.Intn(i + 1)
				ends[i], ends[k] = ends[k], ends[i]
			}
			left := ends[:0]
			for i := 0; i < len(ends); i += 2 {
				if a, b := ends[i], ends[i+1]; !g.add(int(a), int(b)) {
					left = append(left, a, b)
				}
			}
			ends = left
		}
		if len(ends) == 0 {
			return g.edges()
		}
	}
}

// free lists every process d times.
func free(ends []int32, d int) {
	for id, end := int32(0), 0; end < len(ends); id++ {
		for range d {
			ends[end] = id
			end++
		}
	}
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
			if g := fromLinks(name, n, links); g.StronglyConnected() {
				return g, nil
			}
		} else if g := fromEdges(name, n, links); g.Connected() {
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
