package live

import (
	"bullring/netem"
	"bullring/protocols"
)

// peers connects the one node of this OS process with its neighbours in others, over TCP: each
// connects to each neighbour, and sends on its own connection. So the end of a connection comes
// after all that the sender sent, also if the sender was killed.
type peers struct {
	acceptor *acceptor
	node     *node
	lines    []*line // by receiver; nil where there is no connection
}

func newPeers(n *node, host string, t Token) (*peers, error) {
	d, err := newAcceptor(host, t, n.run.Topology.Len())
	if err != nil {
		return nil, err
	}
	d.serve(func(p protocols.ID, f frame) { f.from = p; n.inbox.put(item{frame: f}) },
		func(p protocols.ID) { n.inbox.put(item{frame: frame{from: p}, gone: true}) })
	return &peers{d, n, make([]*line, n.run.Topology.Len())}, nil
}

// put takes a frame. Without a connection the receiver has crashed, and the message is lost.
func (p *peers) put(to protocols.ID, f frame) error {
	if to == p.node.id {
		p.node.inbox.put(item{frame: f})
		return nil
	}
	if k := p.lines[to]; k != nil {
		return k.put(&f)
	}
	return nil
}

func (p *peers) flush(sent []netem.Sent) {
	for i := range sent {
		if k := p.lines[sent[i].To]; k != nil {
			k.flush()
		}
	}
}

// close is for the interface: the OS process ends with its run.
func (p *peers) close() { p.acceptor.close() }
