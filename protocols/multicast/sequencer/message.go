package sequencer

import (
	"fmt"

	"bullring/protocols/multicast"
)

// Type tells the messages apart.
type Type uint8

// The four messages.
const (
	Request Type = iota // an item to be ordered
	Data                // an item and its number
	Sync                // a new sequencer asks for the items delivered beyond a number
	State               // the answer; from the sequencer: the change is over
)

// Message is an item on its way to the sequencer or from it, or a message of a
// change of sequencers.
type Message struct {
	Type   Type
	Term   int              // of the sequencer; not in a REQUEST
	Number int              // DATA: of the item; SYNC, STATE: of items that the sender has delivered
	Item   multicast.Item   // REQUEST, DATA
	Items  []multicast.Item // STATE: delivered beyond the number asked for; never modified
}

var kinds = []string{"REQUEST", "DATA", "SYNC", "STATE"}

func (m Message) Kind() int     { return int(m.Type) }
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for each number, and 192
// for an item; that of a Request does not name its sender.
func (m Message) Bits() int {
	const number, item = 64, 3 * 64
	switch m.Type {
	case Request:
		return 8 + item - number
	case Data:
		return 8 + 2*number + item
	case Sync:
		return 8 + 2*number
	}
	return 8 + 2*number + item*len(m.Items)
}

// String prints the message as a trace shows it: REQUEST(2.1), DATA(5: 2.1), SYNC(4),
// STATE(6: 0.1 2.1), and @ with the term unless it is the first.
func (m Message) String() string {
	text := fmt.Sprintf("%s(%d)", kinds[m.Type], m.Number)
	switch m.Type {
	case Request:
		return fmt.Sprintf("%s(%v)", kinds[m.Type], m.Item)
	case Data:
		text = fmt.Sprintf("%s(%d: %v)", kinds[m.Type], m.Number, m.Item)
	case State:
		items := fmt.Sprint(m.Items)
		text = fmt.Sprintf("%s(%d: %s)", kinds[m.Type], m.Number, items[1:len(items)-1])
	}
	if m.Term > 0 {
		text += fmt.Sprintf("@%d", m.Term)
	}
	return text
}
