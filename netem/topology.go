package netem

import (
	"fmt"

	"bullring/netem/graph"
	"bullring/protocols"
)

// Topology tells which processes have links.
type Topology = graph.Topology

var _, _, _ graph.Alike = ring(1), biring(1), complete(1)

// Ring returns the unidirectional ring in which i has a link to i+1 mod n. In a ring of one
// the process has a link to itself.
func Ring(n int) Topology { return ring(atLeastOne(n)) }

type ring int

func (r ring) Len() int                { return int(r) }
func (r ring) Alike() bool             { return true }
func (r ring) Degree(protocols.ID) int { return 1 }
func (r ring) String() string          { return "ring" }

func (r ring) Neighbor(id protocols.ID, _ int) protocols.ID {
	if int(id)+1 == int(r) {
		return 0
	}
	return id + 1
}

func (r ring) Port(from, to protocols.ID) (int, bool) {
	return 0, r.Neighbor(from, 0) == to
}

// BiRing returns the bidirectional ring: port 0 leads to i+1 mod n, port 1 to i-1 mod n. In a
// ring of one or two both ports lead to the same process.
func BiRing(n int) Topology { return biring(atLeastOne(n)) }

type biring int

func (r biring) Len() int                { return int(r) }
func (r biring) Alike() bool             { return true }
func (r biring) Degree(protocols.ID) int { return 2 }
func (r biring) String() string          { return "biring" }

func (r biring) Neighbor(id protocols.ID, port int) protocols.ID {
	if port == 0 {
		return ring(r).Neighbor(id, 0)
	}
	if id == 0 {
		return protocols.ID(r) - 1
	}
	return id - 1
}

func (r biring) Port(from, to protocols.ID) (int, bool) {
	if r.Neighbor(from, 0) == to {
		return 0, true
	}
	return 1, r.Neighbor(from, 1) == to
}

// Complete returns the complete graph, in which port k of i leads to i+1+k mod n.
func Complete(n int) Topology { return complete(atLeastOne(n)) }

type complete int

func (c complete) Len() int                { return int(c) }
func (c complete) Alike() bool             { return true }
func (c complete) Degree(protocols.ID) int { return int(c) - 1 }
func (c complete) String() string          { return "complete" }

func (c complete) Neighbor(id protocols.ID, port int) protocols.ID {
	to := int(id) + 1 + port
	if to >= int(c) {
		to -= int(c)
	}
	return protocols.ID(to)
}

func (c complete) Port(from, to protocols.ID) (int, bool) {
	port := int(to) - int(from) - 1
	if port < 0 {
		port += int(c)
	}
	return port, from != to && 0 <= to && int(to) < int(c)
}

func atLeastOne(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("netem: a topology of %d processes; at least 1 is needed", n))
	}
	return n
}
