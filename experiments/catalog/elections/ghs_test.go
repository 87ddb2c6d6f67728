package elections

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election/ghs"
)

// The branches are the minimum spanning tree, by gonum's Kruskal, on topologies of the
// registry, whatever the delays and whoever starts.
func TestGHSBuildsTheMinimumSpanningTree(t *testing.T) {
	registry := &trial.Registry{}
	registry.Register(ghsAlgorithm())
	for _, topology := range []string{"complete", "line", "star", "tree", "grid", "torus", "hypercube", "er(0.3)", "ba(2)", "biring"} {
		for seed := range uint64(6) {
			in, err := registry.Instance(trial.Setting{
				Algorithm: "ghs", N: 16, Topology: topology, Delay: []string{"1ms", "exp(1ms)"}[seed%2], Initiators: []string{"all", "random:3"}[seed/2%2], Seed: seed,
			})
			if err != nil {
				t.Fatal(err)
			}
			made, processes := ghsProcesses(in), make([]*ghs.Process, in.N)
			net := netem.New(netem.Config{Topology: in.Topology, Delay: in.Delay, FIFO: true, Seed: seed, MaxEvents: 1_000_000}, func(p protocols.ID) protocols.Process[ghs.Message] {
				processes[p] = made(p)
				return processes[p]
			})
			for p := range in.Initiators.All() {
				net.StartAt(p, 0)
			}
			if end := net.Run(t.Context()); end != netem.Quiescent {
				t.Fatalf("%s, seed %d: %v", topology, seed, end)
			}
			want := minimumSpanningTree(in)
			for p, process := range processes {
				if got := process.Branches(); !slices.Equal(got, want[p]) {
					t.Errorf("%s, seed %d: the branches of %d are %v, in the minimum spanning tree %v", topology, seed, p, got, want[p])
				}
			}
		}
	}
}

// minimumSpanningTree is the neighbours of each process in the tree, ascending.
func minimumSpanningTree(in *trial.Instance) [][]protocols.ID {
	g, tree := simple.NewWeightedUndirectedGraph(0, 0), simple.NewWeightedUndirectedGraph(0, 0)
	for p := range protocols.ID(in.N) {
		for port := range in.Topology.Degree(p) {
			q := in.Topology.Neighbor(p, port)
			g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(p), T: simple.Node(q), W: float64(in.Graph().Weight(p, port))})
		}
	}
	path.Kruskal(tree, g)
	to := make([][]protocols.ID, in.N)
	for edges := tree.Edges(); edges.Next(); {
		e := edges.Edge()
		p, q := protocols.ID(e.From().ID()), protocols.ID(e.To().ID())
		to[p], to[q] = append(to[p], q), append(to[q], p)
	}
	for _, neighbors := range to {
		slices.Sort(neighbors)
	}
	return to
}
