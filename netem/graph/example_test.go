package graph_test

import (
	"fmt"

	"bullring/des"
	"bullring/netem/graph"
)

// The properties of a shape.
func Example() {
	g := graph.Grid(3, 4)
	fmt.Println(g, "has", g.Edges(), "edges and the diameter", g.Diameter())
	fmt.Println("distances from a corner:", g.Distances(0))
	fmt.Println("the farthest from process 5:", g.Eccentricity(5))
	// Output:
	// grid has 17 edges and the diameter 5
	// distances from a corner: [0 1 2 3 1 2 3 4 2 3 4 5]
	// the farthest from process 5: 3
}

// A graph of one's own, by its edges.
func ExampleNew() {
	edges := []graph.Edge{{From: 0, To: 1, Weight: 3}, {From: 1, To: 2, Weight: 7}, {From: 2, To: 0, Weight: 1}}
	g, err := graph.New("triangle", 3, edges, false, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	for port := range g.Degree(1) {
		fmt.Println("1 to", g.Neighbor(1, port), "weighs", g.Weight(1, port))
	}
	_, err = graph.New("typo", 3, append(edges, graph.Edge{From: 1, To: 3}), false, false)
	fmt.Println(err)
	// Output:
	// 1 to 0 weighs 3
	// 1 to 2 weighs 7
	// there is no link from 1 to 3: addresses are 0..2
}

// A random graph. One seed is one graph on every machine.
func ExampleErdosRenyi() {
	stream := des.NewStream(42, "topology")
	g, err := graph.ErdosRenyi(20, des.Ratio(1, 4), &stream)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g, g.Edges(), "edges, connected:", g.Connected())
	// Output:
	// er(25%) 42 edges, connected: true
}
