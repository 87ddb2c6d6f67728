// Package dissemination spreads items by rounds on a network whose links change in every round. The processes know how
// many they are.
//
// Paper: F. Kuhn, N. Lynch and R. Oshman, "Distributed computation in dynamic networks", STOC 2010: flooding, and token
// forwarding for k tokens.
//
// Model: synchronous rounds, all processes begin together, n and k known, no crashes. The graph of each round is
// connected; between rounds it may change arbitrarily (1-interval connectivity). No process knows its neighbours before
// it sends. Clients broadcast one item each, when the run begins.
//
// Sets: in each of n-1 rounds a process broadcasts all items that it has. As long as some process lacks an item, each
// round gives it to one more at least: a link of the connected graph leads from those who have it to the others. With
// one item that is flooding.
//
// Tokens: a message has one item. There are k phases of n-1 rounds. In each round a process broadcasts the least of its
// items that is not done. The least of all is not held back by another one, so it reaches everybody by the end of the
// phase, and is done.
//
// Cost: the last delivery after at most n-1 rounds with sets, k(n-1) with tokens. A graph that joins those who have the
// only item to the others by one link takes exactly n-1. At most n(n-1) or kn(n-1) broadcasts, one for each process and
// round in which it has something to say.
//
// Invariants: after phase i, all processes have the i least items, and call them done.
//
// Deviations: (1) With sets, k need not be known. (2) The least item is that of the lowest address.
package dissemination

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Message is items, ascending. It is never modified.
type Message []broadcast.Item

var kinds = []string{"ITEMS"}

// Kind implements [protocols.Message].
func (Message) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind, 64 for each number of an item.
func (m Message) Bits() int { return 8 + 3*64*len(m) }

// String prints the message as a trace shows it: ITEMS(0.1,3.1).
func (m Message) String() string {
	names := make([]string, len(m))
	for i, item := range m {
		names[i] = item.String()
	}
	return kinds[0] + "(" + strings.Join(names, ",") + ")"
}

// Config is what the processes know, and the variant.
type Config struct {
	// Processes is their number, at least 1.
	Processes int
	// Tokens, if not 0, is the number of items, and a message has one. With 0 it has all that its sender has.
	Tokens int
	// Length is the time of a round, above 0.
	Length time.Duration
}

// Rounds is how many rounds there are.
func (c Config) Rounds() int { return max(c.Tokens, 1) * (c.Processes - 1) }

// endOfRound is the only timer.
const endOfRound protocols.Timer = 0

// Process is the service of one process.
type Process struct {
	cfg       Config
	delivered []broadcast.Item
	items     []broadcast.Item // the same ones, ascending; never modified, for messages have it
	done      int              // so many of the least ones, with tokens
	rounds    int              // that are over
}

var (
	_ broadcast.Service[Message] = (*Process)(nil)
	_ broadcast.Booter[Message]  = (*Process)(nil)
	_ protocols.Rounder          = (*Process)(nil)
)

// New returns a process. It panics if the configuration makes no sense.
func New(cfg Config) *Process {
	if cfg.Processes < 1 || cfg.Tokens < 0 || cfg.Length <= 0 {
		panic(fmt.Sprintf("dissemination: %+v", cfg))
	}
	return &Process{cfg: cfg}
}

// Delivered implements [broadcast.Service].
func (p *Process) Delivered() []broadcast.Item { return p.delivered }

// Round implements [protocols.Rounder].
func (p *Process) Round() int { return min(p.rounds+1, max(p.cfg.Rounds(), 1)) }

// Boots implements [broadcast.Booter].
func (*Process) Boots() bool { return true }

// Boot implements [broadcast.Booter]: the first round begins.
func (p *Process) Boot(n protocols.Node[Message]) {
	if p.rounds < p.cfg.Rounds() {
		n.SetTimer(endOfRound, p.cfg.Length)
	}
}

// Broadcast implements [broadcast.Service]. The item is for the first round.
func (p *Process) Broadcast(n protocols.Node[Message], item broadcast.Item) {
	p.learn(item)
	if p.rounds == 0 && p.cfg.Rounds() > 0 {
		p.tell(n)
	}
}

// Receive implements [broadcast.Service].
func (p *Process) Receive(_ protocols.Node[Message], _ protocols.ID, m Message) {
	for _, item := range m {
		p.learn(item)
	}
}

// Timeout ends a round.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) {
	p.rounds++
	if p.cfg.Tokens > 0 && p.rounds%(p.cfg.Processes-1) == 0 {
		p.done++
	}
	if p.rounds < p.cfg.Rounds() {
		n.SetTimer(endOfRound, p.cfg.Length)
		p.tell(n)
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "end of round" }

// learn delivers an item that is new.
func (p *Process) learn(item broadcast.Item) {
	i, known := slices.BinarySearchFunc(p.items, item, compare)
	if known {
		return
	}
	p.items = slices.Insert(slices.Clone(p.items), i, item)
	p.delivered = append(p.delivered, item)
}

// tell broadcasts the items of a round.
func (p *Process) tell(n protocols.Node[Message]) {
	items := p.items
	if p.cfg.Tokens > 0 {
		items = items[min(p.done, len(items)):min(p.done+1, len(items))]
	}
	if len(items) > 0 {
		protocols.Broadcast(n, Message(items))
	}
}

// compare orders items by their origin, then by their number.
func compare(a, b broadcast.Item) int {
	return cmp.Or(cmp.Compare(a.Origin, b.Origin), cmp.Compare(a.Number, b.Number))
}
