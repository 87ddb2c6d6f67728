package netem

import (
	"fmt"
	"strings"

	"bullring/protocols"
)

// Topology says who has a link to whom. Addresses are 0..Len()-1. Links are
// directed; a topology is a function and stores no adjacency unless it must.
type Topology interface {
	// Len is the number of processes.
	Len() int
	// Degree is the number of out-neighbours of a process.
	Degree(id protocols.ID) int
	// Neighbor is the address behind a port of a process, in port order.
	Neighbor(id protocols.ID, port int) protocols.ID
	// Port is the port of from behind which to is.
	Port(from, to protocols.ID) (port int, ok bool)
	// String is the name by which ParseTopology knows the topology.
	String() string
}

// Topologies are the names that ParseTopology knows.
var Topologies = []string{"ring", "biring", "complete"}

// ParseTopology returns the topology of that name with n processes.
func ParseTopology(name string, n int) (Topology, error) {
	if n < 1 {
		return nil, fmt.Errorf("a topology of %d processes: at least 1 is needed", n)
	}
	switch name {
	case "ring":
		return Ring(n), nil
	case "biring":
		return BiRing(n), nil
	case "complete":
		return Complete(n), nil
	}
	return nil, fmt.Errorf("unknown topology %q; allowed are %s", name, strings.Join(Topologies, ", "))
}

// Ring returns the unidirectional ring in which i sends to i+1 mod n. A ring
// of one is a link of the process to itself.
func Ring(n int) Topology { return ring(atLeastOne(n)) }

type ring int

func (r ring) Len() int                { return int(r) }
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

// BiRing returns the bidirectional ring: port 0 leads to i+1 mod n, port 1 to
// i-1 mod n. In a ring of one or two both ports lead to the same process.
func BiRing(n int) Topology { return biring(atLeastOne(n)) }

type biring int

func (r biring) Len() int                { return int(r) }
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

// Complete returns the complete graph, in which port k of i leads to
// i+1+k mod n.
func Complete(n int) Topology { return complete(atLeastOne(n)) }

type complete int

func (c complete) Len() int                { return int(c) }
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
		panic(fmt.Sprintf("netem: a topology of %d processes", n))
	}
	return n
}
