package berkeley

import (
	"fmt"
	"time"
)

// Type tells the messages apart.
type Type uint8

// The three messages.
const (
	Poll   Type = iota // asks for the time
	Time               // the answer
	Adjust             // the correction
)

// Message is one of the three.
type Message struct {
	Type  Type
	Round int
	Time  time.Duration // TIME: on the clock of the sender; ADJUST: to be added to that of the receiver
}

var kinds = []string{"POLL", "TIME", "ADJUST"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the round, and 64 for a
// time.
func (m Message) Bits() int {
	if m.Type == Poll {
		return 8 + 64
	}
	return 8 + 2*64
}

// String prints the message as a trace shows it: POLL, TIME(3h25m0s), ADJUST(-20m0s), with the
// number of the round from the second on: POLL@2.
func (m Message) String() string {
	text := kinds[m.Type]
	switch {
	case m.Type == Adjust && m.Time > 0:
		text += fmt.Sprintf("(+%v)", m.Time)
	case m.Type != Poll:
		text += fmt.Sprintf("(%v)", m.Time)
	}
	if m.Round > 1 {
		text += fmt.Sprintf("@%d", m.Round)
	}
	return text
}
