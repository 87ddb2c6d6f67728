package live

import (
	"bullring/netem"
	"bullring/protocols"
)

// loopback connects the nodes of one OS process over TCP on the loopback interface. There is one
// listener, and one connection to each node, which all senders share: so n nodes need 2n+1
// descriptors, whatever the topology. TCP keeps the order, so the links are FIFO.
type loopback struct {
	acceptor *acceptor
	lines    []*line // by receiver
}

func newLoopback(nodes []*node) (l *loopback, err error) {
	l = &loopback{lines: make([]*line, len(nodes))}
	if l.acceptor, err = newAcceptor("127.0.0.1", NewToken(), len(nodes)); err != nil {
		return nil, err
	}
	l.acceptor.serve(func(receiver protocols.ID, f frame) { nodes[receiver].inbox.put(item{frame: f}) }, func(protocols.ID) {})
	for i := range l.lines {
		if l.lines[i], err = l.acceptor.token.dial(l.acceptor.Addr(), protocols.ID(i)); err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

func (l *loopback) put(to protocols.ID, f frame) error { return l.lines[to].put(&f) }

func (l *loopback) flush(sent []netem.Sent) {
	for i := range sent {
		l.lines[sent[i].To].flush()
	}
}

func (l *loopback) close() {
	for _, k := range l.lines {
		if k != nil {
			k.conn.Close()
		}
	}
	l.acceptor.close()
}
