package reliable

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// node is the node of the algorithm: the node below, with messages in envelopes.
type node[M protocols.Message] struct {
	protocols.Node[Message[M]] // of the running handler
	process                    *Process[M]
}

func (nd *node[M]) Send(to protocols.ID, m M) { nd.process.send(to, m) }

// Neighbors implements [protocols.Near]. A broadcast is a message to each of them, which is acknowledged.
func (nd *node[M]) Neighbors() []protocols.ID { return protocols.Neighbors(nd.Node) }

func (nd *node[M]) SetTimer(t protocols.Timer, after time.Duration) {
	nd.mustNotOwn(t)
	nd.Node.SetTimer(t, after)
}

func (nd *node[M]) StopTimer(t protocols.Timer) {
	nd.mustNotOwn(t)
	nd.Node.StopTimer(t)
}

func (nd *node[M]) mustNotOwn(t protocols.Timer) {
	if owns(t) {
		panic(fmt.Sprintf("reliable: process %d uses timer %d; the labels from -1 down to above %d are the link's", nd.ID(), t, protocols.Background))
	}
}
