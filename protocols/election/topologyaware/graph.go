package topologyaware

import (
	"math/bits"

	"bullring/protocols"
)

// graph is what is known of the graph: a row of bits for each address, with one for each neighbour.
type graph struct {
	words int // of a row
	rows  []uint64
}

// newGraph makes a graph of the links that both ends name.
func newGraph(known []View) graph {
	size := int(known[len(known)-1].Who) + 1
	for _, v := range known {
		if len(v.Near) > 0 {
			size = max(size, int(v.Near[len(v.Near)-1])+1)
		}
	}
	g := graph{words: (size + 63) / 64}
	g.rows = make([]uint64, size*g.words)
	for _, v := range known {
		for _, q := range v.Near {
			g.row(v.Who)[q/64] |= 1 << (q % 64)
		}
	}
	for _, v := range known {
		for _, q := range v.Near {
			if !has(g.row(q), v.Who) {
				g.row(v.Who)[q/64] &^= 1 << (q % 64)
			}
		}
	}
	return g
}

func (g graph) row(p protocols.ID) []uint64 { return g.rows[int(p)*g.words:][:g.words] }

func has(row []uint64, p protocols.ID) bool { return row[p/64]>>(p%64)&1 == 1 }

// degree is the number of neighbours of a process.
func (g graph) degree(p protocols.ID) (degree int) {
	for _, w := range g.row(p) {
		degree += bits.OnesCount64(w)
	}
	return degree
}

// search is a search in breadth: it returns the sum of distances, and who was reached.
func (g graph) search(from protocols.ID) (sum int, seen []uint64) {
	buffer := make([]uint64, 3*g.words)
	seen, front, next := buffer[:g.words], buffer[g.words:2*g.words], buffer[2*g.words:]
	front[from/64] |= 1 << (from % 64)
	seen[from/64] = front[from/64]
	for distance := 1; ; distance++ {
		clear(next)
		for i, w := range front {
			for ; w != 0; w &= w - 1 {
				for k, near := range g.row(protocols.ID(64*i + bits.TrailingZeros64(w))) {
					next[k] |= near
				}
			}
		}
		found := 0
		for i := range next {
			next[i] &^= seen[i]
			seen[i] |= next[i]
			found += bits.OnesCount64(next[i])
		}
		if found == 0 {
			return sum, seen
		}
		sum += distance * found
		front, next = next, front
	}
}
