package electiontest

import (
	"slices"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/internal/testnet"
)

// RandomGraph is [testnet.RandomGraph], drawn from a seed.
func RandomGraph(n, extra int, seed uint64) testnet.Graph {
	draw := des.NewStream(seed, "graph")
	return testnet.RandomGraph(n, extra, draw.Intn)
}

// TreeDone is when the tree of a root is done, in hops, and the eccentricity of the root. The tree is that of a
// breadth-first search: what is sent first arrives first. A process is done when its children are, and when it has the
// answers of its neighbours that are neither parent nor child: answered tells when that is, by its distance d and that
// of the neighbour.
func TreeDone(g testnet.Graph, root protocols.ID, answered func(d, of int) int) (done, eccentricity int) {
	d := g.Distances(root)
	parent := make([]protocols.ID, len(g))
	for p := range parent {
		parent[p] = -1
	}
	order := []protocols.ID{root}
	for i := 0; i < len(order); i++ {
		for _, q := range g[order[i]] {
			if q != root && parent[q] < 0 {
				parent[q] = order[i]
				order = append(order, q)
			}
		}
	}
	at := make([]int, len(g))
	for _, v := range slices.Backward(order) {
		at[v] = max(at[v], d[v])
		for _, q := range g[v] {
			if q != parent[v] && parent[q] != v {
				at[v] = max(at[v], answered(d[v], d[q]))
			}
		}
		if v != root {
			at[parent[v]] = max(at[parent[v]], at[v]+1)
		}
	}
	return at[root], slices.Max(d)
}
