package detector

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// node is the node of the algorithm: the node below, with the list of suspects as its
// failure detector.
type node[M protocols.Message] struct {
	protocols.Node[Message[M]] // of the running handler
	process                    *Process[M]
}

func (nd *node[M]) Send(to protocols.ID, m M) { nd.Node.Send(to, Message[M]{Inner: m}) }

func (nd *node[M]) Broadcast(m M) { protocols.Broadcast(nd.Node, Message[M]{Inner: m}) }

func (nd *node[M]) Neighbors() []protocols.ID { return protocols.Neighbors(nd.Node) }

// Suspects implements [protocols.Node]. Only neighbours are ever suspected.
func (nd *node[M]) Suspects(p protocols.ID) bool {
	_, found := slices.BinarySearch(nd.process.suspected, p)
	return found
}

func (nd *node[M]) SetTimer(t protocols.Timer, after time.Duration) {
	nd.mustNotOwn(t)
	nd.Node.SetTimer(t, after)
}

func (nd *node[M]) StopTimer(t protocols.Timer) {
	nd.mustNotOwn(t)
	nd.Node.StopTimer(t)
}

func (nd *node[M]) mustNotOwn(t protocols.Timer) {
	if t <= beat {
		panic(fmt.Sprintf("detector: process %d uses timer %d; the labels from %d downwards are the detector's", nd.ID(), t, beat))
	}
}
