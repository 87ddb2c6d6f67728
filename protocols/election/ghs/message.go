package ghs

import (
	"math"
	"strconv"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Type tells the messages apart.
type Type uint8

// The seven messages of the paper, and the announcement.
const (
	Connect    Type = iota // joins the fragments of sender and receiver: Level, Rank
	Initiate               // names the new fragment: Level, Fragment, Found
	Test                   // asks whether the edge leads out of the fragment: Level, Fragment
	Accept                 // it does
	Reject                 // it does not
	Report                 // the lightest edge that leads out of a subtree: Weight
	ChangeRoot             // towards that edge, over which to join
	Leader                 // down the tree: Rank
)

// Infinite is the weight of no edge.
const Infinite = math.MaxInt64

// Message is one of the eight. A field that its type does not use is zero.
type Message struct {
	Type     Type
	Level    int           // of the fragment of the sender
	Fragment int64         // the name of that fragment: the weight of its core
	Found    bool          // there is nothing to search for
	Weight   int64         // of the lightest edge that leads out, or Infinite
	Rank     election.Rank // of the sender; of the leader
}

var _ protocols.Forgeable[Message] = Message{}

var kinds = []string{"CONNECT", "INITIATE", "TEST", "ACCEPT", "REJECT", "REPORT", "CHANGEROOT", "LEADER"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for a level, a name or a
// weight, 8 for the state of an INITIATE, and the rank.
func (m Message) Bits() int {
	switch m.Type {
	case Connect:
		return 8 + 64 + m.Rank.Bits()
	case Initiate:
		return 8 + 64 + 64 + 8
	case Test:
		return 8 + 64 + 64
	case Report:
		return 8 + 64
	case Leader:
		return 8 + m.Rank.Bits()
	}
	return 8
}

// String prints the message as a trace shows it: INITIATE(1,7,find).
func (m Message) String() string {
	text := kinds[m.Type]
	switch m.Type {
	case Connect:
		return text + "(" + strconv.Itoa(m.Level) + "," + m.Rank.String() + ")"
	case Initiate:
		state := "find"
		if m.Found {
			state = "found"
		}
		return text + "(" + strconv.Itoa(m.Level) + "," + strconv.FormatInt(m.Fragment, 10) + "," + state + ")"
	case Test:
		return text + "(" + strconv.Itoa(m.Level) + "," + strconv.FormatInt(m.Fragment, 10) + ")"
	case Report:
		if m.Weight == Infinite {
			return text + "(infinite)"
		}
		return text + "(" + strconv.FormatInt(m.Weight, 10) + ")"
	case Leader:
		return text + "(" + m.Rank.String() + ")"
	}
	return text
}

// Forge implements [protocols.Forgeable]. Weights are no identities.
func (m Message) Forge(f func(identity int64) int64) Message {
	if m.Type == Connect || m.Type == Leader {
		m.Rank = m.Rank.Forge(f)
	}
	return m
}
