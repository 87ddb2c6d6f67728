// Package testgraph has small graphs for tests of algorithms whose graph changes from round to round.
package testgraph

import (
	"math/bits"
	"math/rand/v2"
)

// Graph has, for each process, those that hear it in a round, a bit each.
type Graph []uint

// Link joins two processes in both directions.
func (g Graph) Link(a, b int) {
	g[a] |= 1 << b
	g[b] |= 1 << a
}

// Hears reports whether a process hears another one.
func (g Graph) Hears(to, from int) bool { return g[from]>>to&1 == 1 }

// Connected are all connected graphs of n processes.
func Connected(n int) (all []Graph) {
	for links := range 1 << (n * (n - 1) / 2) {
		g, link := make(Graph, n), 0
		for a := range n {
			for b := range a {
				if links>>link&1 == 1 {
					g.Link(a, b)
				}
				link++
			}
		}
		if g.connected() {
			all = append(all, g)
		}
	}
	return all
}

func (g Graph) connected() bool {
	reached := uint(1)
	for range g {
		for p := range g {
			if reached>>p&1 == 1 {
				reached |= g[p]
			}
		}
	}
	return bits.OnesCount(reached) == len(g)
}

// Random is a random tree of n processes, and up to two more links.
func Random(draw *rand.Rand, n int) Graph {
	g, order := make(Graph, n), draw.Perm(n)
	for i := 1; i < n; i++ {
		g.Link(order[i], order[draw.IntN(i)])
	}
	for range draw.IntN(3) {
		if a, b := draw.IntN(n), draw.IntN(n); a != b {
			g.Link(a, b)
		}
	}
	return g
}
