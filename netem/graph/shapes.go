package graph

import (
	"fmt"
	"math/bits"
	"slices"

	"bullring/protocols"
)

// Line returns the line of n processes, in which i has links to i-1 and i+1.
func Line(n int) *Graph {
	return treeOf("line", n, func(i int) int { return i - 1 })
}

// Star returns the star of n processes, in which 0 has links to all others, and they to it.
func Star(n int) *Graph {
	return treeOf("star", n, func(int) int { return 0 })
}

// Tree returns the tree of n processes whose inner processes have k children, as in a heap: the
// children of i are k*i+1 to k*i+k. The root is 0. Port 0 of the others leads to the parent.
func Tree(n, k int) *Graph {
	name := "tree"
	if atLeast(k, 1) != 2 {
		name = fmt.Sprintf("tree(%d)", k)
	}
	return treeOf(name, n, func(i int) int { return (i - 1) / k })
}

// treeOf returns the tree with root 0 and the given parents of the others.
func treeOf(name string, n int, parent func(i int) int) *Graph {
	var edges []pair
	for i := 1; i < atLeast(n, 1); i++ {
		edges = append(edges, pairOf(parent(i), i))
	}
	return fromEdges(name, n, edges)
}

// Grid returns the grid of so many rows and columns, numbered row by row.
func Grid(rows, columns int) *Graph {
	return lattice("grid", rows, columns, false)
}

// Torus returns the grid whose rows and columns are closed to rings. A ring of two has one edge, a
// ring of one has none.
func Torus(rows, columns int) *Graph {
	g := lattice("torus", rows, columns, true)
	g.alike = true
	return g
}

func lattice(name string, rows, columns int, closed bool) *Graph {
	n := atLeast(rows, 1) * atLeast(columns, 1)
	var edges []pair
	join := func(from, to int) { edges = append(edges, pairOf(min(from, to), max(from, to))) }
	for r := range rows {
		for c := range columns {
			if c+1 < columns || closed && columns > 2 {
				join(r*columns+c, r*columns+(c+1)%columns)
			}
			if r+1 < rows || closed && rows > 2 {
				join(r*columns+c, (r+1)%rows*columns+c)
			}
		}
	}
	if r, c, ok := MostSquare(n); !ok || r != rows || c != columns {
		name = fmt.Sprintf("%s(%dx%d)", name, rows, columns)
	}
	return fromEdges(name, n, edges)
}

// MostSquare returns the numbers of rows and columns of n processes that are closest to each
// other, no more rows than columns. ok is false if that is a single row of more than three.
func MostSquare(n int) (rows, columns int, ok bool) {
	rows = 1
	for r := 1; r*r <= n; r++ {
		if n%r == 0 {
			rows = r
		}
	}
	return rows, n / rows, rows > 1 || n <= 3
}

// Hypercube returns the hypercube of so many dimensions, up to 24. Port k leads to the process
// whose address differs in bit k.
func Hypercube(dimensions int) *Graph {
	if dimensions < 0 || dimensions > 24 {
		panic(fmt.Sprintf("graph: a hypercube of %d dimensions", dimensions))
	}
	return Of(hypercube(dimensions))
}

// hypercube is the number of dimensions.
type hypercube int

func (h hypercube) Len() int                { return 1 << h }
func (h hypercube) Alike() bool             { return true }
func (h hypercube) Degree(protocols.ID) int { return int(h) }
func (h hypercube) String() string          { return "hypercube" }

func (h hypercube) Neighbor(id protocols.ID, port int) protocols.ID { return id ^ 1<<port }

func (h hypercube) Port(from, to protocols.ID) (int, bool) {
	differ := uint(from ^ to)
	return bits.TrailingZeros(differ), bits.OnesCount(differ) == 1 && 0 <= to && int(to) < h.Len()
}

// complement returns the edges that an undirected graph of n processes lacks.
func complement(n int, edges []pair) []pair {
	all := n * (n - 1) / 2
	lacking := make([]pair, 0, all-len(edges))
	a := newAdjacency("", n, edges, true)
	for from := range n {
		linked := a.row(int32(from))
		next, _ := slices.BinarySearch(linked, int32(from))
		for to := from + 1; to < n; to++ {
			if next < len(linked) && int(linked[next]) == to {
				next++
			} else {
				lacking = append(lacking, pairOf(from, to))
			}
		}
	}
	return lacking
}

func atLeast(x, least int) int {
	if x < least {
		panic(fmt.Sprintf("graph: a size of %d; at least %d is needed", x, least))
	}
	return x
}
