// Package counting counts the processes of a network whose links change in every round, and elects the best of
// them. No process knows how many there are.
//
// Paper: F. Kuhn, N. Lynch and R. Oshman, "Distributed computation in dynamic networks", STOC 2010: counting with
// messages of any size.
//
// Model: synchronous rounds, all processes begin together, distinct ranks, no crashes. The graph of each round is
// connected; between rounds it may change arbitrarily (1-interval connectivity). No process knows its neighbours
// before it sends.
//
// Each process keeps the set of the ranks that it has heard of, at first its own, and broadcasts it in each round. As
// long as some rank is missing to a process, each round brings at least one more: a link of the connected graph leads
// from those whose rank it knows to the others. So after r rounds a process knows at least r+1 ranks, or all. Once it
// knows at most r, it knows all: it has counted them, and the best leads.
//
// Cost, for every such graph: exactly n rounds at each process, and n*n broadcasts. A broadcast with s ranks takes 8
// bits and those of the ranks.
//
// Invariants: after r < n rounds a process that has not halted knows more than r ranks.
//
// Deviations: (1) The set is that of ranks, so that counting elects, too. (2) The best rank wins, which is the largest
// unless the order says otherwise.
package counting

import (
	"slices"
	"strings"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is what its sender knows: ranks, ascending. It is never modified.
type Message []election.Rank

var kinds = []string{"KNOWN"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, and the ranks.
func (m Message) Bits() int {
	bits := 8
	for _, r := range m {
		bits += r.Bits()
	}
	return bits
}

// String prints the message as a trace shows it: KNOWN(1,3,5).
func (m Message) String() string {
	names := make([]string, len(m))
	for i, r := range m {
		names[i] = r.String()
	}
	return kinds[0] + "(" + strings.Join(names, ",") + ")"
}

// Process is one process of the network.
type Process struct {
	rank     election.Rank
	order    election.Order
	known    []election.Rank // ascending; never modified, for messages have it
	rounds   int             // that are over
	decision election.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ protocols.Rounder        = (*Process)(nil)
	_ election.Elector         = (*Process)(nil)
)

// New returns the process with this rank. The best rank by the order wins.
func New(rank election.Rank, order election.Order) *Process {
	return &Process{rank: rank, order: order, known: []election.Rank{rank}}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Count is the number of processes; 0 as long as it is not known.
func (p *Process) Count() int {
	if p.Halted() {
		return len(p.known)
	}
	return 0
}

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.decision.Status != election.Undecided }

// Round implements [protocols.Rounder].
func (p *Process) Round() int {
	if p.Halted() {
		return p.rounds
	}
	return p.rounds + 1
}

// Start implements [protocols.Round].
func (*Process) Start(protocols.Node[Message]) {}

// Messages broadcasts what the process knows.
func (p *Process) Messages(n protocols.Node[Message]) { protocols.Broadcast(n, Message(p.known)) }

// Transition learns what the neighbours of the round knew, and decides once no round can bring more.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	known := slices.Clone(p.known)
	for _, a := range arrived {
		known = append(known, a.Message...)
	}
	slices.SortFunc(known, election.Rank.Compare)
	p.known = slices.Compact(known)
	if p.rounds++; len(p.known) <= p.rounds {
		p.decision = election.Decide(p.rank.ID, p.best().ID)
	}
}

// best is the best rank that the process knows.
func (p *Process) best() election.Rank {
	best := p.known[0]
	for _, r := range p.known {
		if p.order.Better(r, best) {
			best = r
		}
	}
	return best
}
