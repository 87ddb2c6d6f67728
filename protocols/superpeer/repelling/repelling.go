// Package repelling spreads superpeers evenly over an unstructured network. Tokens repel
// each other and move away. A process that has held a token for long enough is a superpeer.
//
// Source: A. S. Tanenbaum and M. van Steen, "Distributed Systems", the section on
// elections in large-scale systems, which tells the idea and leaves the details open.
//
// Model: processes at points of an m-dimensional space, which all processes know; complete
// graph, asynchronous, reliable links, no crashes; all start. N tokens begin at N
// processes.
//
// Cost, n processes, N tokens: fanout GOSSIP a process and round; a
// move takes OFFER, ACCEPT and TOKEN, an offer that fails OFFER and REFUSE. The run ends
// when the last round is over and the last token was held for the required time.
//
// Invariants: there are N tokens at all times, at processes or under way. No process
// holds two, because one that has promised to take a token takes no other. A process is a
// superpeer after it has held its token for the time hold without a break, and keeps it.
//
// How the details are settled: (1) A token at distance d below the reach pushes away with the
// force reach-d; beyond the reach it does not push. If forces never ended, tokens would gather at the
// edge of the space. (2) Places of tokens spread by gossip. Every period each process tells
// fanout others what it has heard, with the number of moves of each token, so that later
// news win. (3) In each round, if the combined force at a token passes the threshold, the
// process offers it to another. That process lies in the direction of the force, no farther
// than half its size. Of these it is the one at which the energy of all known tokens is
// least, if that is less than here, and of several the one with the smallest address. Two
// tokens that push each other see the same force, so each goes half of the way; longer steps
// on old news make tokens jump about. (4) A process that holds a token or has promised to
// take one refuses. (5) A holder whose time is up while its own offer is open waits for the
// answer. (6) After the last round tokens stay, so that the run comes to rest. (7) All
// arithmetic is in whole numbers.
package repelling

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/superpeer"
)

// Config says how tokens move.
type Config struct {
	// Holders are the addresses at which tokens begin, by token, all different.
	Holders []protocols.ID
	// Period is the time between rounds, Rounds their number.
	Period time.Duration
	Rounds int
	// Fanout is the number of processes, drawn anew in each round, that a process tells
	// the places of tokens. A process that is drawn twice is told once.
	Fanout int
	// Reach is the distance at which the force of a token ends.
	Reach int64
	// Threshold is the force above which a token moves.
	Threshold int64
	// Hold is the time for which a process holds a token before it becomes a superpeer.
	Hold time.Duration
}

// validate reports what is wrong with the configuration of n processes.
func (c Config) validate(n int) error {
	switch {
	case c.Period <= 0 || c.Rounds < 1 || c.Fanout < 0 || c.Hold <= 0:
		return fmt.Errorf("repelling: %d rounds every %v, fanout %d, hold %v; all must be positive, and the fanout not negative", c.Rounds, c.Period, c.Fanout, c.Hold)
	case c.Reach < 0 || c.Reach > 2*Side || c.Threshold < 0:
		return fmt.Errorf("repelling: reach %d and threshold %d; the one is from 0 to %d, the other not negative", c.Reach, c.Threshold, 2*Side)
	}
	for token, p := range c.Holders {
		if p < 0 || int(p) >= n || slices.Contains(c.Holders[:token], p) {
			return fmt.Errorf("repelling: tokens begin at %v; these are to be different addresses below %d", c.Holders, n)
		}
	}
	return nil
}

// Process is one process of the network.
type Process struct {
	self  protocols.ID
	space *Space
	cfg   Config

	token    int // none if it holds none
	seen     []Sighting
	round    int
	offered  protocols.ID // it has offered its token to this process, or nobody
	promised protocols.ID // it has agreed to take the token of this process, or nobody
	due      bool         // it has held the token for long enough
	serves   bool
}

const (
	none   = -1
	nobody = protocols.ID(-1)
)

var (
	_ protocols.Process[Message] = (*Process)(nil)
	_ superpeer.Keeper           = (*Process)(nil)
)

// New returns the process at an address of a space. It panics on an invalid
// configuration.
func New(self protocols.ID, space *Space, cfg Config) *Process {
	if err := cfg.validate(len(space.coordinates) / space.dimensions); err != nil {
		panic(err)
	}
	p := &Process{self: self, space: space, cfg: cfg, token: none, offered: nobody, promised: nobody}
	for token, holder := range cfg.Holders {
		p.seen = append(p.seen, Sighting{At: nobody, Moves: none})
		if holder == self {
			p.token = token
			p.seen[token] = Sighting{At: self}
		}
	}
	return p
}

// Token implements [superpeer.Keeper].
func (p *Process) Token() (token int, holds bool) { return p.token, p.token != none }

// Serves implements [superpeer.Keeper].
func (p *Process) Serves() bool { return p.serves }

// The timers.
const (
	tick protocols.Timer = iota // the next round
	held                        // the token was held for long enough
)

// Start begins the first round after a period, once.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.round > 0 {
		return
	}
	p.round = 1
	n.SetTimer(tick, p.cfg.Period)
	if p.token != none {
		n.SetTimer(held, p.cfg.Hold)
	}
}

// Receive handles the five messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Gossip:
		for token, s := range m.Seen {
			if s.Moves > p.seen[token].Moves {
				p.seen[token] = s
			}
		}
	case Offer:
		p.answer(n, from)
	case Accept:
		if p.offered == from {
			p.give(n, from)
		}
	case Refuse:
		if p.offered == from {
			p.offered = nobody
			p.serve()
		}
	case Token:
		p.take(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout is a round, or the end of Hold.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	switch t {
	case tick:
		p.move(n)
		p.gossip(n)
		if p.round < p.cfg.Rounds {
			p.round++
			n.SetTimer(tick, p.cfg.Period)
		}
	case held:
		p.due = true
		p.serve()
	default:
		panic(fmt.Sprintf("repelling: process %d never sets timer %d, yet it expired", p.self, t))
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(t protocols.Timer) string {
	if t == tick {
		return "tick"
	}
	return "held"
}

// serve makes the process a superpeer, if it has held the token for long enough and has
// not offered it.
func (p *Process) serve() {
	if p.due && p.offered == nobody {
		p.serves = true
	}
}

// move offers the token in the direction of the forces, if they are strong enough.
func (p *Process) move(n protocols.Node[Message]) {
	if p.token == none || p.serves || p.offered != nobody {
		return
	}
	others := without(p.holders(), p.self)
	force := p.space.force(p.self, others, p.cfg.Reach)
	if length(force) <= p.cfg.Threshold {
		return
	}
	best, least := nobody, p.space.energy(p.self, others, p.cfg.Reach)
	for port := range n.Degree() {
		q := n.Neighbor(port)
		if slices.Contains(others, q) || p.space.distance(p.self, q) > length(force)/2 || !p.space.ahead(p.self, q, force) {
			continue
		}
		if e := p.space.energy(q, others, p.cfg.Reach); e < least || e == least && best != nobody && q < best {
			best, least = q, e
		}
	}
	if best != nobody {
		p.offered = best
		n.Send(best, Message{Type: Offer, Token: p.token})
	}
}

// holders are the processes with tokens, as far as this one knows.
func (p *Process) holders() []protocols.ID {
	var at []protocols.ID
	for _, s := range p.seen {
		if s.At != nobody {
			at = append(at, s.At)
		}
	}
	return at
}

// gossip tells other processes the places of tokens.
func (p *Process) gossip(n protocols.Node[Message]) {
	if n.Degree() == 0 {
		return
	}
	m := Message{Type: Gossip, Seen: slices.Clone(p.seen)}
	var told []int
	for range p.cfg.Fanout {
		port := n.Intn(n.Degree())
		if !slices.Contains(told, port) {
			told = append(told, port)
			n.Send(n.Neighbor(port), m)
		}
	}
}

// answer answers an offer.
func (p *Process) answer(n protocols.Node[Message], from protocols.ID) {
	if p.token != none || p.promised != nobody {
		n.Send(from, Message{Type: Refuse})
		return
	}
	p.promised = from
	n.Send(from, Message{Type: Accept})
}

// give gives the token to the process that has accepted it.
func (p *Process) give(n protocols.Node[Message], to protocols.ID) {
	moved := Sighting{At: to, Moves: p.seen[p.token].Moves + 1}
	n.Send(to, Message{Type: Token, Token: p.token, Moves: moved.Moves})
	p.seen[p.token] = moved
	p.token, p.offered, p.due = none, nobody, false
	n.StopTimer(held)
}

// take takes the promised token.
func (p *Process) take(n protocols.Node[Message], m Message) {
	p.token, p.promised = m.Token, nobody
	p.seen[m.Token] = Sighting{At: p.self, Moves: m.Moves}
	n.SetTimer(held, p.cfg.Hold)
}
