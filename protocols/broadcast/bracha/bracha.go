// Package bracha is Bracha's reliable broadcast among Byzantine processes: all echo what the origin
// says, and say that they are ready to deliver what enough have echoed.
//
// Papers: G. Bracha, "Asynchronous Byzantine agreement protocols", Information and Computation 75(2),
// 1987; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure Distributed
// Programming", 2nd edition, 2011, section 3.11 (authenticated double-echo broadcast).
//
// Model: asynchronous complete graph, reliable links in any order, and a receiver knows the sender. At
// most f of n > 3f processes are Byzantine, or crash. Nothing is signed.
//
// The origin sends its item to all: SEND. A process that gets it from the origin sends it to all: ECHO. A
// process that has the ECHO of one value from more than (n+f)/2 processes, or its READY from f+1, sends
// READY. With READY from 2f+1 processes it delivers the value.
//
// Cost: (n-1)(2n+1) messages an item: n-1 of SEND, n(n-1) of ECHO and n(n-1) of READY. Time 3 until all
// have delivered it, and 2 if f = 0.
//
// Invariants: all READYs of correct processes for an item have the same value, since two sets of more than
// (n+f)/2 processes have a correct one in common, and f+1 READYs have one of a correct process; if a correct
// process delivers, f+1 correct ones have sent READY, and so all will.
//
// A variant, for teaching, has no READY: a process delivers what more than (n+f)/2 have echoed (unready).
// No two deliver different values, but a Byzantine origin can have some deliver and others wait for ever.
//
// Deviations: (1) In Bracha's paper a process also echoes what enough others have echoed or are ready for,
// if it has no SEND. Here, as in Cachin et al., only a SEND makes it echo. (2) Of each sender the first ECHO
// and the first READY for an item count. (3) What a process sends itself is no message. (4) A process that
// has sent READY drops its ECHOes, and one that has delivered its READYs.
package bracha

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Message is an item in one of three phases.
type Message struct {
	Type protocols.Type
	Item broadcast.Item
}

// The messages.
const (
	Send  protocols.Type = iota // the item of the sender
	Echo                        // an item that its origin sent to the sender
	Ready                       // an item that enough echo, or are ready for
)

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

var names = []string{"SEND", "ECHO", "READY"}

// Bits implements [protocols.Message]: 8 for the kind, and 64 for the origin, the number and the value.
func (Message) Bits() int { return 8 + 3*64 }

// String prints the message as a trace shows it: ECHO(0.1=1).
func (m Message) String() string { return fmt.Sprintf("%s(%v)", names[m.Type], m.Item) }

// Versions are what a Byzantine process can say in place of a message: 0 or 1.
func Versions(m Message) []Message { return []Message{Told(m, true), Told(m, false)} }

// Told is the message of a process that tells 0 to the first half of the others, and 1 to the second.
func Told(m Message, first bool) Message {
	m.Item.Value = 1
	if first {
		m.Item.Value = 0
	}
	return m
}

// Opposite is the message with the other value of the two.
func Opposite(m Message) Message { return Told(m, m.Item.Value != 0) }

// Config is the same for all processes.
type Config struct {
	Faulty int // f
	// Unready: a process delivers what enough echo.
	Unready bool
}

// Process is one process.
type Process struct {
	protocols.NoTimers[Message]

	cfg       Config
	items     []*instance // by origin and number
	delivered []broadcast.Item
}

var _ broadcast.Service[Message] = (*Process)(nil)

// instance is what a process has done for an item, whatever its value, and what others have said of it.
type instance struct {
	item                     broadcast.Item // without a value
	echoed, ready, delivered bool
	echoes, readies          []vote // by sender
}

// vote is the value that a process has named.
type vote struct {
	from  protocols.ID
	value int
}

// String prints the vote: 0 by 2.
func (v vote) String() string { return fmt.Sprintf("%d by %d", v.value, v.from) }

// New returns a process.
func New(cfg Config) *Process { return &Process{cfg: cfg} }

// Delivered implements [broadcast.Service].
func (p *Process) Delivered() []broadcast.Item { return p.delivered }

// Broadcast implements [broadcast.Service].
func (p *Process) Broadcast(n protocols.Node[Message], item broadcast.Item) {
	p.tell(n, Message{Send, item})
}

// Receive implements [broadcast.Service].
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	i := p.instance(m.Item)
	switch m.Type {
	case Send:
		if from == m.Item.Origin && !i.echoed {
			i.echoed = true
			p.tell(n, Message{Echo, m.Item})
		}
	case Echo:
		if !i.ready && 2*count(&i.echoes, from, m.Item.Value) > n.Degree()+1+p.cfg.Faulty {
			p.getReady(n, i, m.Item)
		}
	case Ready:
		if i.delivered {
			return
		}
		readies := count(&i.readies, from, m.Item.Value)
		if readies > p.cfg.Faulty && !i.ready {
			p.getReady(n, i, m.Item)
		}
		if readies > 2*p.cfg.Faulty {
			p.deliver(i, m.Item)
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// instance is the instance of an item.
func (p *Process) instance(item broadcast.Item) *instance {
	at, known := slices.BinarySearchFunc(p.items, item, func(i *instance, item broadcast.Item) int {
		return cmp.Or(cmp.Compare(i.item.Origin, item.Origin), cmp.Compare(i.item.Number, item.Number))
	})
	if !known {
		p.items = slices.Insert(p.items, at, &instance{item: broadcast.Item{Origin: item.Origin, Number: item.Number}})
	}
	return p.items[at]
}

// count adds a vote, unless its sender has one, and counts those for its value.
func count(votes *[]vote, from protocols.ID, value int) (same int) {
	at, voted := slices.BinarySearchFunc(*votes, from, func(v vote, q protocols.ID) int { return cmp.Compare(v.from, q) })
	if !voted {
		*votes = slices.Insert(*votes, at, vote{from, value})
	}
	for _, v := range *votes {
		if v.value == value {
			same++
		}
	}
	return same
}

// getReady tells all that the process is ready to deliver an item.
func (p *Process) getReady(n protocols.Node[Message], i *instance, item broadcast.Item) {
	i.ready, i.echoes = true, nil
	if p.cfg.Unready {
		p.deliver(i, item)
		return
	}
	p.tell(n, Message{Ready, item})
}

// deliver delivers an item, once.
func (p *Process) deliver(i *instance, item broadcast.Item) {
	if !i.delivered {
		i.delivered, i.readies = true, nil
		p.delivered = append(p.delivered, item)
	}
}

// tell sends a message to all, this process included.
func (p *Process) tell(n protocols.Node[Message], m Message) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
	p.Receive(n, n.ID(), m)
}
