package repelling

import (
	"fmt"
	"strings"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The five messages.
const (
	Gossip Type = iota // the places of tokens, as far as the sender knows
	Offer              // asks the receiver to take a token
	Accept             // it will
	Refuse             // it has a token, or will have one
	Token              // the token itself
)

// Sighting is the place of a token after a number of moves. A later sighting counts.
type Sighting struct {
	At    protocols.ID // negative if unknown
	Moves int
}

// String prints the sighting: at 3 after 2 moves.
func (s Sighting) String() string {
	if s.At < 0 {
		return "unknown"
	}
	return fmt.Sprintf("at %d after %d moves", s.At, s.Moves)
}

// Message is gossip, or part of a move.
type Message struct {
	Type  Type
	Token int        // OFFER, TOKEN
	Moves int        // TOKEN
	Seen  []Sighting // GOSSIP: by token; never modified
}

var kinds = []string{"GOSSIP", "OFFER", "ACCEPT", "REFUSE", "TOKEN"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for a token, 64 for its moves,
// 128 for a sighting.
func (m Message) Bits() int {
	switch m.Type {
	case Gossip:
		return 8 + 128*len(m.Seen)
	case Offer:
		return 8 + 64
	case Token:
		return 8 + 128
	}
	return 8
}

// String prints the message as a trace shows it: GOSSIP(0@3 1@?), OFFER(1), TOKEN(1). The number
// of moves of a token follows if it has moved: GOSSIP(0@3:2 1@?), TOKEN(1:2).
func (m Message) String() string {
	switch m.Type {
	case Gossip:
		var words []string
		for token, s := range m.Seen {
			if s.At < 0 {
				words = append(words, fmt.Sprintf("%d@?", token))
			} else {
				words = append(words, fmt.Sprintf("%d@%d%s", token, s.At, after(s.Moves)))
			}
		}
		return kinds[Gossip] + "(" + strings.Join(words, " ") + ")"
	case Offer:
		return fmt.Sprintf("%s(%d)", kinds[Offer], m.Token)
	case Token:
		return fmt.Sprintf("%s(%d%s)", kinds[Token], m.Token, after(m.Moves))
	}
	return kinds[m.Type]
}

// after is the text of a number of moves in a message.
func after(moves int) string {
	if moves == 0 {
		return ""
	}
	return fmt.Sprintf(":%d", moves)
}
