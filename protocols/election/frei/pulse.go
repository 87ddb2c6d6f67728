package frei

import (
	"bullring/protocols"
	"bullring/protocols/election"
)

// Pulse is a message without content. Way is the way round the ring that its link leads, and K names the
// ways that there are.
type Pulse[K protocols.Namer] struct{ Way election.Way }

// The pulses of a process of a ring on which they go one way, and of one on which they go both ways.
type (
	One  = Pulse[oneWay]
	Both = Pulse[bothWays]
)

var (
	_ protocols.Forgeable[One]  = One{}
	_ protocols.Forgeable[Both] = Both{}
)

type (
	oneWay   struct{}
	bothWays struct{}
)

func (oneWay) Names() []string   { return kinds[:1] }
func (bothWays) Names() []string { return kinds }

var kinds = []string{"CW", "CCW"}

// Kind implements [protocols.Message].
func (m Pulse[K]) Kind() int { return int(m.Way) }

// Kinds implements [protocols.Message].
func (Pulse[K]) Kinds() []string {
	var kinds K
	return kinds.Names()
}

// Bits implements [protocols.Message]: none.
func (Pulse[K]) Bits() int { return 0 }

// String implements [protocols.Message]: CW goes with the ring, CCW against it.
func (m Pulse[K]) String() string { return kinds[m.Way] }

// Forge implements [protocols.Forgeable]: there is no content to replace.
func (m Pulse[K]) Forge(func(identity int64) int64) Pulse[K] { return m }
