// Package om is the agreement of the Byzantine generals by oral messages, OM(f).
//
// Paper: L. Lamport, R. Shostak and M. Pease, "The Byzantine generals problem", ACM Transactions on
// Programming Languages and Systems 4(3), 1982, section 3.
//
// Model: synchronous rounds on a complete graph, all processes begin together, reliable links, and a
// receiver knows the sender. At most f of n > 3f processes are Byzantine. Process 0 is the commander,
// and its input is the order; the others are the lieutenants.
//
// In round 1 the commander sends its order to all. In round r + 1 a lieutenant passes on to those who
// have not seen it each order that came in round r, by the path of those who passed it on. After f + 1
// rounds it decides: for an order that came last, it takes that order; else the majority of the order
// itself and of what the others said they were told. An order that did not come, and a majority that
// does not exist, are 0: retreat.
//
// Cost: f+1 rounds (time f+1). In round r, (n-1)(n-2)...(n-r) messages: 9 for n = 4 and f = 1, 156 for
// n = 7 and f = 2, 3,609 for n = 10 and f = 3.
//
// Invariants: the path of an order begins with the commander, ends with its sender, and names no
// process twice; a lieutenant that is not Byzantine has the same order for a path as each other one,
// if the last of the path is not Byzantine.
//
// Deviations: (1) A lieutenant ignores an order with another path than the round and the sender
// demand, and the second one with a path. (2) Orders are 0 and 1. (3) A message has 8 bits for
// its kind, 8 for the order and 64 for each process of its path.
package om

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// Path is the processes that passed an order on, the commander first.
type Path = consensus.Path

// Order is the only message: what the last of the path says that the commander ordered.
type Order struct {
	Path  Path
	Value int
}

// Kind implements [protocols.Message].
func (Order) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Order) Kinds() []string { return names }

var names = []string{"ORDER"}

// Bits implements [protocols.Message].
func (o Order) Bits() int { return 8 + 8 + 64*o.Path.Len() }

// String prints the message as a trace shows it: ORDER(1 by 0,2).
func (o Order) String() string {
	return fmt.Sprintf("%s(%d by %v)", names[0], o.Value, o.Path)
}

// Opposite is the other order, by the same path.
func (o Order) Opposite() Order {
	o.Value = 1 - o.Value
	return o
}

// Config is what the processes know.
type Config struct {
	Processes int // n
	Faulty    int // f
}

// Process is a general.
type Process struct {
	id       protocols.ID
	input    int // the order of the commander
	cfg      Config
	rounds   int     // the number of rounds that are over
	heard    []Order // by the rounds in which they came
	fresh    int     // of these, those that came in the last round begin here
	decision consensus.Decision
}

var (
	_ protocols.Round[Order] = (*Process)(nil)
	_ consensus.Decider      = (*Process)(nil)
)

// New returns the general at an address. The input of the commander, at 0, is its order. New panics if
// there are too many processes or rounds, and if an order is neither 0 nor 1.
func New(id protocols.ID, input int, cfg Config) *Process {
	if input < 0 || input > 1 || cfg.Faulty < 0 || cfg.Faulty > consensus.MaxFaulty || cfg.Processes > consensus.MaxProcesses {
		panic(fmt.Sprintf("om: order %d, %+v", input, cfg))
	}
	return &Process{id: id, input: input, cfg: cfg}
}

const commander protocols.ID = 0

// Decision implements [consensus.Decider].
func (p *Process) Decision() consensus.Decision { return p.decision }

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.decision.Made }

// Round implements [protocols.Rounder].
func (p *Process) Round() int {
	if p.Halted() {
		return p.rounds
	}
	return p.rounds + 1
}

// Start implements [protocols.Round].
func (p *Process) Start(protocols.Node[Order]) {}

// Messages sends the order of the commander, and passes on what came in the last round.
func (p *Process) Messages(n protocols.Node[Order]) {
	if p.id == commander {
		if p.rounds == 0 {
			p.pass(n, Order{Path{}.With(commander), p.input})
		}
		return
	}
	for _, o := range p.heard[p.fresh:] {
		p.pass(n, Order{o.Path.With(p.id), o.Value})
	}
	p.fresh = len(p.heard)
}

// pass sends an order to all that are not on its path.
func (p *Process) pass(n protocols.Node[Order], o Order) {
	for port := range n.Degree() {
		if to := n.Neighbor(port); !o.Path.Has(to) {
			n.Send(to, o)
		}
	}
}

// Transition keeps the orders that arrived, and decides after the last round.
func (p *Process) Transition(_ protocols.Node[Order], arrived []protocols.Arrival[Order]) {
	p.rounds++
	for _, a := range arrived {
		if _, known := p.told(a.Message.Path); !known && p.right(a) {
			p.heard = append(p.heard, a.Message)
		}
	}
	if p.rounds == p.cfg.Faulty+1 {
		p.decision = consensus.Decision{Made: true, Value: p.decide()}
	}
}

// right reports whether an order has a path that it can have in this round.
func (p *Process) right(a protocols.Arrival[Order]) bool {
	path := a.Message.Path
	return path.Right(p.rounds, p.cfg.Processes, a.From, p.id) && path.First() == commander && (a.Message.Value == 0 || a.Message.Value == 1)
}

// told is the order that came by a path.
func (p *Process) told(path Path) (value int, known bool) {
	for _, o := range p.heard {
		if o.Path == path {
			return o.Value, true
		}
	}
	return 0, false
}

func (p *Process) decide() int {
	if p.id == commander {
		return p.input
	}
	told := make(map[Path]int, len(p.heard))
	for _, o := range p.heard {
		told[o.Path] = o.Value
	}
	return consensus.Settle(told, p.id, p.cfg.Processes, p.cfg.Faulty+1, Path{}.With(commander))
}

// Versions are what a Byzantine general can tell in a round: either order by each path that ends with
// it. An order that it does not send is 0 to the receiver.
func Versions(cfg Config) func(n protocols.Node[Order], round int, to protocols.ID) [][]Order {
	return func(n protocols.Node[Order], round int, to protocols.ID) (all [][]Order) {
		var paths []Path
		switch self := n.ID(); {
		case to == commander:
		case self == commander && round == 1:
			paths = []Path{{}}
		case self != commander && round > 1 && round <= cfg.Faulty+1:
			paths = Path{}.With(commander).Longer(cfg.Processes, round-2, self, to)
		}
		for _, path := range paths {
			path = path.With(n.ID())
			all = append(all, []Order{{path, 0}, {path, 1}})
		}
		return all
	}
}
