package peterson

import "bullring/protocols"

// The improved program of Peterson's paper. Its rounds are half as long, and every
// second one is different: in the odd ones, of ONE, a rank goes on at the next
// active process if it beats what that one stands for; in the even ones, of TWO,
// an active process stays active if what it stands for beats what comes. So a rank
// is compared with the one after it and with the one before it in turn, and a rank
// that goes on has between it and its neighbour one that was beaten before.

// receiveImproved handles a ONE or a TWO.
func (p *Process) receiveImproved(n protocols.Node[Message], m Message) {
	wins := p.cfg.Order.Better(m.Rank, p.held)
	switch {
	case p.role == Relay:
		n.Send(n.Neighbor(0), m)
	case m.Rank.ID == p.held.ID:
		p.learn(n, m.Rank)
	case m.Type == One && wins:
		p.held = m.Rank
		n.Send(n.Neighbor(0), Message{Type: Two, Rank: p.held})
	case m.Type == Two && !wins:
		p.stand(n, p.held)
	default:
		p.role = Relay
	}
}
