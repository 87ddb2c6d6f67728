// Package gossip is epidemic broadcast: again and again a process chooses another one at random and
// tells it what it knows, until it loses interest.
//
// Paper: A. Demers, D. Greene, C. Hauser, W. Irish, J. Larson, S. Shenker, H. Sturgis, D. Swinehart and
// D. Terry, "Epidemic algorithms for replicated database maintenance", PODC 1987, section 1.4 (rumor
// mongering). Time of push: B. Pittel, "On spreading a rumor", SIAM Journal on Applied Mathematics
// 47(1), 1987.
//
// Model: complete graph, reliable links, a bound on delay. Whether all processes get an item is a
// matter of chance.
//
// A process that has an item is hot until it loses interest. In each cycle a process chooses one
// partner. With push it sends the partner the items in which it is hot. With pull it asks the partner,
// which answers with the items in which that is hot. The variant pushpull does both. With feedback a
// process that needed an item says so: it did not have it when its last cycle began. A cycle is
// unnecessary for an item if the process has sent it and no receiver said that it needed it; blind, no
// receiver says so. The counter variant loses interest after k unnecessary cycles in a row, the coin
// variant after an unnecessary cycle with probability 1/k. With pull a process takes part in a given
// number of cycles.
//
// Blind with a counter, a process pushes in exactly k cycles. With a large k that is anti-entropy by
// push: all have the item after log2 n + ln n + O(1) cycles, in probability (Pittel).
//
// Cost of push, if d processes deliver an item and send N NEEDED: blind with a counter kd DATA; blind
// with a coin kd on average; with feedback and a counter at least N + kd and at most N + k(d+N), since
// at most k unnecessary cycles follow each necessary one, and each delivery. N is at least d-1, and
// larger if several processes tell one in the same cycle. With pull, one REQUEST for each process and
// cycle.
//
// The differential equations of the paper give the share s of the processes that do not get the item,
// for large n: s = exp(-(k+1)(1-s)) for push with feedback and a coin, s = exp(-k(1-s)) for push blind.
//
// Invariants: a process delivers an item at most once; one that has lost interest in an item never
// sends it again.
//
// Deviations: (1) A cycle takes two message delays with push, three with pull. A process gets its first
// cycle one delay after it gets an item, or after the start if it pulls. So if items are broadcast at the
// start and every message takes exactly the assumed delay, the cycles of all processes begin together,
// as in the simulations of the paper. (2) A process chooses one partner a cycle for all items. (3) Pull
// ends after a number of cycles, so that a run ends.
package gossip

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Message is an item on its way, or a word about one.
type Message struct {
	Type protocols.Type
	broadcast.Item
}

// The three messages.
const (
	data    protocols.Type = iota // an item
	needed                        // the sender had not known the item
	request                       // asks for what the receiver is hot in; it names no item
)

var names = []string{"DATA", "NEEDED", "REQUEST"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message]: 8 for the kind, 64 for each number of an item.
func (m Message) Bits() int {
	if m.Type == request {
		return 8
	}
	return 8 + 3*64
}

// String prints the message as a trace shows it: DATA(0.1), or REQUEST.
func (m Message) String() string {
	if m.Type == request {
		return names[request]
	}
	return fmt.Sprintf("%s(%v)", names[m.Type], m.Item)
}

// Config is the variant, and what the processes know.
type Config struct {
	// Push: a process sends its partner what it is hot in. Pull: it asks its partner for that.
	Push, Pull bool
	// Blind: no process says whether it needed an item.
	Blind bool
	// Coin: a process loses interest with probability 1/K. Without, it counts to K.
	Coin bool
	// K is how many unnecessary cycles make a process lose interest, at least 1.
	K int
	// Cycles is in how many cycles a process pulls, from 0.
	Cycles int
	// Delay is the bound on the delay of a message, above 0.
	Delay time.Duration
}

// Cycle is the time of a cycle: until the last answer in it has come.
func (c Config) Cycle() time.Duration {
	if c.Pull {
		return 3 * c.Delay
	}
	return 2 * c.Delay
}

// next is the timer of the next cycle.
const next protocols.Timer = 0

// Process is the service of one process.
type Process struct {
	cfg       Config
	delivered []broadcast.Item
	knows     map[broadcast.Item]bool
	hot       []rumour
	awake     bool // the timer is set
	left      int  // in so many cycles it still pulls
}

// rumour is an item in which a process is hot.
type rumour struct {
	item         broadcast.Item
	sent, needed int  // in this cycle: how many got it, how many of these needed it
	unnecessary  int  // cycles in a row
	fresh        bool // the process did not have it when its last cycle began
}

var _ broadcast.Service[Message] = (*Process)(nil)

// New returns a process. It panics if the configuration makes no sense.
func New(cfg Config) *Process {
	if !cfg.Push && !cfg.Pull || cfg.K < 1 || cfg.Cycles < 0 || cfg.Delay <= 0 {
		panic(fmt.Sprintf("gossip: %+v", cfg))
	}
	return &Process{cfg: cfg, knows: map[broadcast.Item]bool{}, left: cfg.Cycles}
}

// Delivered implements [broadcast.Service].
func (p *Process) Delivered() []broadcast.Item { return p.delivered }

// Boots implements [broadcast.Booter]: only with pull.
func (p *Process) Boots() bool { return p.cfg.Pull }

// Boot implements [broadcast.Booter].
func (p *Process) Boot(n protocols.Node[Message]) { p.wake(n) }

// Broadcast implements [broadcast.Service].
func (p *Process) Broadcast(n protocols.Node[Message], item broadcast.Item) { p.learn(n, item) }

// Receive implements [broadcast.Service].
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case request:
		p.tell(n, from)
	case data:
		if !p.knows[m.Item] {
			p.learn(n, m.Item)
		} else if r := p.rumour(m.Item); r == nil || !r.fresh {
			return
		}
		if !p.cfg.Blind {
			n.Send(from, Message{needed, m.Item})
		}
	case needed:
		if r := p.rumour(m.Item); r != nil {
			r.needed++
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout begins a cycle: the process judges the last one, and turns to a partner.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) {
	p.awake = false
	hot := p.hot[:0]
	for _, r := range p.hot {
		if after, still := p.judged(n, r); still {
			hot = append(hot, after)
		}
	}
	p.hot = hot
	if !p.active() {
		return
	}
	partner := n.Neighbor(n.Intn(n.Degree()))
	if p.cfg.Pull {
		p.left--
		n.Send(partner, Message{Type: request})
	}
	if p.cfg.Push {
		p.tell(n, partner)
	}
	p.awake = true
	n.SetTimer(next, p.cfg.Cycle())
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "next cycle" }

// learn delivers an item, in which the process is hot from now on.
func (p *Process) learn(n protocols.Node[Message], item broadcast.Item) {
	p.knows[item] = true
	p.delivered = append(p.delivered, item)
	p.hot = append(p.hot, rumour{item: item})
	p.wake(n)
	p.hot[len(p.hot)-1].fresh = p.awake
}

// rumour is the rumour of an item in which the process is hot, or nil.
func (p *Process) rumour(item broadcast.Item) *rumour {
	if i := slices.IndexFunc(p.hot, func(r rumour) bool { return r.item == item }); i >= 0 {
		return &p.hot[i]
	}
	return nil
}

// wake sets the timer of the first cycle.
func (p *Process) wake(n protocols.Node[Message]) {
	if !p.awake && p.active() && n.Degree() > 0 {
		p.awake = true
		n.SetTimer(next, p.cfg.Delay)
	}
}

// active reports whether a process has something to do in a cycle.
func (p *Process) active() bool {
	if p.cfg.Pull {
		return p.left > 0
	}
	return len(p.hot) > 0
}

// tell sends another process all items in which this one is hot.
func (p *Process) tell(n protocols.Node[Message], to protocols.ID) {
	for i := range p.hot {
		p.hot[i].sent++
		n.Send(to, Message{data, p.hot[i].item})
	}
}

// judged is a rumour after the cycle that ends, and whether the process is still hot in it.
func (p *Process) judged(n protocols.Node[Message], r rumour) (after rumour, still bool) {
	after.item = r.item
	switch {
	case r.sent == 0:
		after.unnecessary = r.unnecessary
		return after, true
	case r.needed > 0:
		return after, true
	case p.cfg.Coin:
		return after, n.Intn(p.cfg.K) > 0
	}
	after.unnecessary = r.unnecessary + 1
	return after, after.unnecessary < p.cfg.K
}
