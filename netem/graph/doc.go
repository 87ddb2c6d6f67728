// Package graph makes topologies and computes their properties.
//
// It has shapes ([Tree], [Grid], [Hypercube], ...), random graphs ([ErdosRenyi],
// [WattsStrogatz], ...), and [New] for graphs that are given by their edges. [Of] makes a
// [Graph] of any other topology. A Graph computes a property (number of links, connectivity,
// diameter, weights) when it is first asked for it, and remembers it.
//
// A random graph depends on a stream of package des alone, and is computed in integers: one
// seed is one graph on every machine. Neighbours are in the order of their addresses, unless a
// constructor says otherwise.
//
// The package sends no messages and never changes a graph.
package graph
