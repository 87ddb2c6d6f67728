package peterson

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// The first program of Peterson's paper. In a TWO an active process passes on the
// better of its own rank and the one that came; Dolev, Klawe and Rodeh pass on the one
// that came. The same ranks survive a round. A process that receives its own rank,
// active or not, is elected: no holder has to find out first.

// receiveFirst handles a ONE or a TWO.
func (p *Process) receiveFirst(n protocols.Node[Message], m Message) {
	switch {
	case p.decision.Status == election.Leader:
		// The election is over: the rest of the last round stops here.
	case m.Rank.ID == p.rank.ID:
		p.learn(n, m.Rank)
	case p.role == relay:
		n.Send(n.Neighbor(0), m)
	case m.Type == One:
		p.neighbour = m.Rank
		n.Send(n.Neighbor(0), Message{Type: Two, Rank: p.better(p.held, m.Rank)})
	case !p.cfg.Order.Better(p.held, p.neighbour) && !p.cfg.Order.Better(m.Rank, p.neighbour):
		p.stand(n, p.neighbour)
	default:
		p.role = relay
	}
}

// better is the better of two ranks.
func (p *Process) better(r, s election.Rank) election.Rank {
	if p.cfg.Order.Better(r, s) {
		return r
	}
	return s
}
