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

// The optional extensions of the node below, which the algorithm's node has if
// and only if that one has them.
type (
	detecting[M protocols.Message] struct{ of *node[M] }
	clocked[M protocols.Message]   struct{ of *node[M] }
)

func (d detecting[M]) Suspects(p protocols.ID) bool {
	return d.of.Node.(protocols.Detector).Suspects(p)
}

func (c clocked[M]) Now() time.Duration { return c.of.Node.(protocols.Clocked).Now() }

// extended is the node with the extensions of the node below.
func (nd *node[M]) extended() protocols.Node[M] {
	_, detects := nd.Node.(protocols.Detector)
	_, hasClock := nd.Node.(protocols.Clocked)
	switch {
	case detects && hasClock:
		return &struct {
			*node[M]
			detecting[M]
			clocked[M]
		}{nd, detecting[M]{nd}, clocked[M]{nd}}
	case detects:
		return &struct {
			*node[M]
			detecting[M]
		}{nd, detecting[M]{nd}}
	case hasClock:
		return &struct {
			*node[M]
			clocked[M]
		}{nd, clocked[M]{nd}}
	}
	return nd
}
