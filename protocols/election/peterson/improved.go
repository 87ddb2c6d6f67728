package peterson

import "bullring/protocols"

// The improved program of Peterson's paper. Its rounds are half as long, and odd and
// even ones differ. In an odd round, of ONE, the next active process takes a rank over if
// it beats its own. In an even round, of TWO, an active process stays active if its
// rank beats the one that comes. So a rank is compared in turn with the one after it
// and with the one before it. Between two ranks that go on there is one that was beaten
// before.

// receiveImproved handles a ONE or a TWO.
func (p *Process) receiveImproved(n protocols.Node[Message], m Message) {
	wins := p.cfg.Order.Better(m.Rank, p.held)
	switch {
	case p.role == relay:
		n.Send(n.Neighbor(0), m)
	case m.Rank.ID == p.held.ID:
		p.learn(n, m.Rank)
	case m.Type == One && wins:
		p.held = m.Rank
		n.Send(n.Neighbor(0), Message{Type: Two, Rank: p.held})
	case m.Type == Two && !wins:
		p.stand(n, p.held)
	default:
		p.role = relay
	}
}
