package bank

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/snapshot"
)

// Message is money on its way.
type Message struct{ Amount int64 }

var (
	_ protocols.Message = Message{}
	_ snapshot.Valued   = Message{}
)

var kinds = []string{"TRANSFER"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind and 64 for the amount.
func (Message) Bits() int { return 8 + 64 }

// Value implements [snapshot.Valued].
func (m Message) Value() int64 { return m.Amount }

// String prints the message as a trace shows it: TRANSFER(20).
func (m Message) String() string { return fmt.Sprintf("TRANSFER(%d)", m.Amount) }
