package afekgafni

import (
	"strconv"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The messages: four a capture, and the announcement.
const (
	Capture Type = iota // to a process: the candidate claims it
	Contest             // to its owner: another candidate claims it
	Yield               // to the process: the owner gives it up
	Accept              // to the candidate: it owns the process
	Leader              // to all: the winner
)

// Message carries the claim of a candidate; LEADER has no level.
type Message struct {
	Type  Type
	Claim Claim
}

// Claim is the strength of a candidate: the number of processes that it has captured,
// and its rank on ties.
type Claim struct {
	Level int
	Rank  election.Rank
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"CAPTURE", "CONTEST", "YIELD", "ACCEPT", "LEADER"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for the level, and the
// rank.
func (m Message) Bits() int {
	if m.Type == Leader {
		return 8 + m.Claim.Rank.Bits()
	}
	return 8 + 64 + m.Claim.Rank.Bits()
}

// String prints the message as a trace shows it: CAPTURE(2,5) at level 2.
func (m Message) String() string {
	if m.Type == Leader {
		return kinds[Leader] + "(" + m.Claim.Rank.String() + ")"
	}
	return kinds[m.Type] + "(" + strconv.Itoa(m.Claim.Level) + "," + m.Claim.Rank.String() + ")"
}

// Forge implements [protocols.Forgeable].
func (m Message) Forge(f func(identity int64) int64) Message {
	m.Claim.Rank = m.Claim.Rank.Forge(f)
	return m
}
