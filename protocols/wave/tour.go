package wave

import "bullring/protocols"

// Tour is what a process of a traversal knows: whose child it is, and over which links it need not send
// the token any more. It is embedded in the process.
type Tour[M any] struct {
	random bool // the next link is drawn, and not the first

	visited bool
	father  protocols.ID
	closed  []bool // by port: the token has gone there, or must not
	home    bool   // the token has gone back to the father
	decided bool
}

// NewTour returns the tour of a process that the token has not visited. If random, it draws the next link
// among those that it may take; else it takes the first.
func NewTour[M any](random bool) Tour[M] { return Tour[M]{random: random, father: Nobody} }

// Says implements [Process].
func (t *Tour[M]) Says() Said { return Said{t.decided, t.visited, t.father} }

// Visited reports whether the token has visited the process.
func (t *Tour[M]) Visited() bool { return t.visited }

// Visit is the first visit of the token. It comes from the father; at the initiator, from Nobody.
func (t *Tour[M]) Visit(n protocols.Node[M], father protocols.ID) {
	t.visited, t.father = true, father
	t.open(n)
}

// open notes the links at the first step.
func (t *Tour[M]) open(n protocols.Node[M]) {
	if t.closed == nil {
		t.closed = make([]bool, n.Degree())
	}
}

// Others are the neighbours except the father.
func (t *Tour[M]) Others(n protocols.Node[M]) []protocols.ID {
	others := make([]protocols.ID, 0, n.Degree())
	for port := range n.Degree() {
		if q := n.Neighbor(port); q != t.father {
			others = append(others, q)
		}
	}
	return others
}

// Close notes that the token must not go to a neighbour. It reports whether it could have: the link was
// open, and does not lead to the father.
func (t *Tour[M]) Close(n protocols.Node[M], neighbor protocols.ID) bool {
	t.open(n)
	for port, closed := range t.closed {
		if n.Neighbor(port) == neighbor {
			t.closed[port] = true
			return !closed && neighbor != t.father
		}
	}
	return false
}

// Next is the neighbour to whom the token goes: over an open link, which it closes (rule R1 of Tarry), and
// to the father only if no other is open (R2). If there is none, the initiator decides.
func (t *Tour[M]) Next(n protocols.Node[M]) (to protocols.ID, ok bool) {
	port := t.choose(n)
	switch {
	case port >= 0:
		t.closed[port] = true
		return n.Neighbor(port), true
	case t.visited && t.father == Nobody:
		t.decided = true
	case t.visited && !t.home:
		t.home = true
		return t.father, true
	}
	return Nobody, false
}

// choose returns a port whose link is open and does not lead to the father, or -1.
func (t *Tour[M]) choose(n protocols.Node[M]) int {
	var open []int
	for port, closed := range t.closed {
		if closed || n.Neighbor(port) == t.father {
			continue
		}
		if !t.random {
			return port
		}
		open = append(open, port)
	}
	if len(open) == 0 {
		return -1
	}
	return open[n.Intn(len(open))]
}
