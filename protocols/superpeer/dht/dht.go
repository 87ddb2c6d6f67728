// Package dht chooses superpeers in a distributed hash table. The k leading bits of
// identifiers are reserved for superpeers, and each process finds its superpeer by a
// lookup.
//
// Source: A. S. Tanenbaum and M. van Steen, "Distributed Systems", the section on
// elections in large-scale systems; I. Stoica, R. Morris, D. Karger, M. F. Kaashoek and
// H. Balakrishnan, "Chord: A Scalable Peer-to-peer Lookup Service for Internet
// Applications", ACM SIGCOMM 2001, section 4, for the lookup.
//
// Model: a stable ring of identifiers of m bits, chosen at random. Each process knows its
// predecessor and its m fingers, the processes responsible for its identifier + 2^i;
// complete graph, asynchronous, reliable links, no crashes. The superpeer of process p is
// the process responsible for p AND 1..10..0, with k ones.
//
// Cost, N processes:
//
//	lookup      LOOKUP, and FORWARD from finger to finger, O(log N) hops and at most
//	            m; then RESPONSIBLE. None of them if the process is responsible itself
//	superpeers  2^k (1 - C(2^m-L,N)/C(2^m,N)) on average, L = 2^(m-k): one for each
//	            arc of L identifiers that holds a process
//
// Lecture notes print 2^(k-m) N for the number of superpeers. That is the number of
// processes with an identifier that ends in m-k zeros. The rule above makes far more
// superpeers unless N is close to 2^m. Both numbers are offered, as the bounds
// expected and printed.
//
// Invariants: a question gets closer to the key with every hop, and never past the
// responsible process. One process is responsible for a key.
//
// Deviations from the sources: (1) The lookup is recursive and ends at the responsible
// process, because a superpeer has to learn that it is one; Chord's ends at its
// predecessor. (2) Joining, leaving and stabilization are left out.
package dht

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/superpeer"
)

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	self        protocols.ID
	id          uint64
	prefix      uint64 // the key for which its superpeer is responsible
	predecessor uint64
	fingers     []finger // the finger of 2^i at index i; the first is the successor

	superpeer protocols.ID
	known     bool // it knows its superpeer
	serves    bool
}

// finger is a process that this process knows.
type finger struct {
	id uint64
	at protocols.ID
}

var (
	_ protocols.Process[Message] = (*Process)(nil)
	_ superpeer.Peer             = (*Process)(nil)
)

// New returns the process at an address of a ring with k bits for superpeers. It panics
// unless 0 <= k <= m.
func New(self protocols.ID, ring *Ring, k int) *Process {
	if k < 0 || k > ring.bits {
		panic(fmt.Sprintf("dht: %d leading bits of %d", k, ring.bits))
	}
	id := ring.ID(self)
	p := &Process{self: self, id: id, prefix: prefix(id, ring.bits, k), predecessor: ring.ID(ring.predecessor(self))}
	for i := range ring.bits {
		at := ring.responsible((id + 1<<i) % (1 << ring.bits))
		p.fingers = append(p.fingers, finger{ring.ID(at), at})
	}
	return p
}

// Serves implements [superpeer.Peer].
func (p *Process) Serves() bool { return p.serves }

// Superpeer implements [superpeer.Peer].
func (p *Process) Superpeer() (protocols.ID, bool) { return p.superpeer, p.known }

// Start looks for the superpeer.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.responsible(p.prefix) {
		p.serves = true
		p.learn(p.self)
	} else {
		n.Send(p.next(p.prefix), Message{Type: Lookup, Key: p.prefix})
	}
}

// Receive answers a question, passes it on, or takes an answer.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch {
	case m.Type == Responsible:
		p.learn(from)
		return
	case m.Type > Responsible:
		panic(protocols.Unknown(m))
	case m.Type == Lookup:
		m.Origin = from
	}
	if p.responsible(m.Key) {
		p.serves = true
		n.Send(m.Origin, Message{Type: Responsible, Key: m.Key})
	} else {
		n.Send(p.next(m.Key), Message{Forward, m.Key, m.Origin})
	}
}

func (p *Process) learn(superpeer protocols.ID) { p.superpeer, p.known = superpeer, true }

// responsible reports whether the process is responsible for a key.
func (p *Process) responsible(key uint64) bool {
	return between(p.predecessor, key, p.id) || key == p.id
}

// next is the process to ask for a key: the finger that precedes it most closely, or the
// successor if none does.
func (p *Process) next(key uint64) protocols.ID {
	for i := len(p.fingers) - 1; i >= 0; i-- {
		if between(p.id, p.fingers[i].id, key) {
			return p.fingers[i].at
		}
	}
	return p.fingers[0].at
}

// between reports whether x is strictly between a and b on the ring. If a = b every
// other x is.
func between(a, x, b uint64) bool {
	if a < b {
		return a < x && x < b
	}
	return x > a || x < b
}
