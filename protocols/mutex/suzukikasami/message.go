package suzukikasami

import (
	"fmt"
	"strings"

	"bullring/protocols"
)

// Type tells the messages apart.
type Type uint8

// The two messages.
const (
	Request Type = iota // to everybody
	Token               // the paper's PRIVILEGE, to one
)

// Message is a request or the token.
type Message struct {
	Type   Type
	Number int            // REQUEST: the number among those of its sender, from 1
	Served []int          // TOKEN: by address, the number of the last granted request; never modified
	Queue  []protocols.ID // TOKEN: the next processes to get it, in order; never modified
}

var kinds = []string{"REQUEST", "TOKEN"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, and 64 for each number and
// each address.
func (m Message) Bits() int {
	if m.Type == Request {
		return 8 + 64
	}
	return 8 + 64*len(m.Served) + 64*len(m.Queue)
}

// String prints the message as a trace shows it: REQUEST(2), or the token with Served
// and Queue, TOKEN(1,0,2; 1).
func (m Message) String() string {
	if m.Type == Request {
		return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Number)
	}
	return fmt.Sprintf("%s(%s; %s)", kinds[m.Type], list(m.Served), list(m.Queue))
}

func list[T any](all []T) string {
	words := make([]string, len(all))
	for i, x := range all {
		words[i] = fmt.Sprint(x)
	}
	return strings.Join(words, ",")
}
