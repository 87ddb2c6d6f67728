package graph

import "bullring/protocols"

// rows has the out-neighbours of every process. One goroutine may use it.
type rows interface {
	// row returns those of a process in port order. They hold until the next call, and are
	// not to be changed.
	row(id int32) []int32
}

// rows are the links of the topology.
func (s *shape) rows() rows {
	if a, ok := s.Topology.(*adjacency); ok {
		return a
	}
	return &computed{Topology: s.Topology}
}

// computed has the links of a topology that stores none.
type computed struct {
	Topology
	buffer []int32
}

func (c *computed) row(id int32) []int32 {
	c.buffer = c.buffer[:0]
	for port := range c.Degree(protocols.ID(id)) {
		c.buffer = append(c.buffer, int32(c.Neighbor(protocols.ID(id), port)))
	}
	return c.buffer
}

// both has the links of two graphs.
type both struct {
	there, back rows
	buffer      []int32
}

func (b *both) row(id int32) []int32 {
	b.buffer = append(b.buffer[:0], b.there.row(id)...)
	b.buffer = append(b.buffer, b.back.row(id)...)
	return b.buffer
}

// reversed has each link the other way round.
func (s *shape) reversed() rows {
	var links []pair
	forward := s.rows()
	for from := range int32(s.Len()) {
		for _, to := range forward.row(from) {
			links = append(links, pairOf(int(to), int(from)))
		}
	}
	return newAdjacency("", s.Len(), links, false)
}

// walk searches a graph breadth first. It can be used again, in the same memory.
type walk struct {
	distance []int32
	queue    []int32
}

func newWalk(n int) *walk {
	return &walk{distance: make([]int32, n), queue: make([]int32, 0, n)}
}

// from finds the distances from a process, and returns the number of processes that it reaches.
func (w *walk) from(start int32, links rows) int {
	for i := range w.distance {
		w.distance[i] = -1
	}
	w.distance[start] = 0
	w.queue = append(w.queue[:0], start)
	for i := 0; i < len(w.queue) && len(w.queue) < len(w.distance); i++ {
		id := w.queue[i]
		next := w.distance[id] + 1
		for _, to := range links.row(id) {
			if w.distance[to] < 0 {
				w.distance[to] = next
				w.queue = append(w.queue, to)
			}
		}
	}
	return len(w.queue)
}

func (w *walk) eccentricity(id int32, links rows) int {
	if w.from(id, links) < len(w.distance) {
		return -1
	}
	return int(w.distance[w.queue[len(w.queue)-1]]) // the last process reached is the farthest
}
