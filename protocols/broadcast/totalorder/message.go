package totalorder

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Message is a message of the broadcast below, or of the consensus on a batch. K names its kinds: the one
// of the broadcast, then those of the consensus.
type Message[K protocols.Namer, C protocols.Message] struct {
	Batch     int // whose consensus it is, from 1; 0 if it is of the broadcast
	Data      broadcast.Message[K]
	Consensus C
}

// Kind implements [protocols.Message].
func (m Message[K, C]) Kind() int {
	if m.Batch == 0 {
		return 0
	}
	return 1 + m.Consensus.Kind()
}

// Kinds implements [protocols.Message].
func (Message[K, C]) Kinds() []string { var k K; return k.Names() }

// Bits implements [protocols.Message].
func (m Message[K, C]) Bits() int {
	if m.Batch == 0 {
		return m.Data.Bits()
	}
	return 64 + m.Consensus.Bits()
}

// String prints the message as a trace shows it: CONS.PROPOSE({0.1}, round 1) for batch 2.
func (m Message[K, C]) String() string {
	if m.Batch == 0 {
		return m.Data.String()
	}
	return fmt.Sprintf("CONS.%v for batch %d", m.Consensus, m.Batch)
}

// lower is what the broadcast below sees of the world.
type lower[K protocols.Namer, C protocols.Message] struct{ protocols.Node[Message[K, C]] }

// Send implements [protocols.Node].
func (n lower[K, C]) Send(to protocols.ID, m broadcast.Message[K]) {
	n.Node.Send(to, Message[K, C]{Data: m})
}

// SetTimer implements [protocols.Node].
func (n lower[K, C]) SetTimer(t protocols.Timer, after time.Duration) { n.Node.SetTimer(2*t, after) }

// StopTimer implements [protocols.Node].
func (n lower[K, C]) StopTimer(t protocols.Timer) { n.Node.StopTimer(2 * t) }

// node is what an instance of consensus sees of the world.
type node[K protocols.Namer, C protocols.Message] struct {
	protocols.Node[Message[K, C]]
	batch int
}

// Send implements [protocols.Node].
func (n node[K, C]) Send(to protocols.ID, m C) {
	n.Node.Send(to, Message[K, C]{Batch: n.batch, Consensus: m})
}

// SetTimer implements [protocols.Node].
func (n node[K, C]) SetTimer(t protocols.Timer, after time.Duration) { n.Node.SetTimer(2*t+1, after) }

// StopTimer implements [protocols.Node].
func (n node[K, C]) StopTimer(t protocols.Timer) { n.Node.StopTimer(2*t + 1) }
