// Package safra detects termination by a token that goes round a ring and adds up how many work
// messages are under way.
//
// Paper: E. W. Dijkstra, "Shmuel Safra's version of termination detection", EWD 998, 1987.
//
// Model: asynchronous; a complete graph with reliable links, in any order; no process fails. The token
// goes round the ring of addresses downwards, from the leader, which is one of the initiators. Any
// processes may initiate the computation.
//
// Each process counts the work messages that it has sent less those that it has received. It is black
// after it has received one. A process that is passive hands on the token, with its count added, black
// if the process or the token is, and is white then. When the token is back at the passive leader, and
// both are white, and its sum with the leader's count is 0, the leader announces termination. Else it
// begins another probe with a white token.
//
// Cost: exactly n TOKEN a probe, one after the other. At most the rest of one probe and two more come
// after termination: with delays of a time unit it is announced within 3n units.
//
// Invariant of EWD 998, with the token at process t on its way from the leader: the sum of all counts is
// the number of work messages under way; and either the processes beyond t are passive and the token has
// the sum of their counts, or a count up to t makes the total positive, or a process up to t is black,
// or the token is.
//
// Deviations: (1) The leader begins a probe as soon as it can, also while it knows that it would fail.
// (2) An initiator is active until it has begun. (3) Messages have 8 bits for the kind; TOKEN has 64
// for the sum and 8 for the colour.
//
// The variant white is wrong: no process is black, so that work behind the token is not noticed.
package safra

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/termination"
)

// Message is a work message or the token.
type Message struct {
	Type  protocols.Type
	Sum   int  // of the token: of the counts of those who had it
	Black bool // the token
}

// The messages.
const (
	Work  protocols.Type = iota // of the computation
	Token                       // the probe
)

var names = []string{termination.Work, "TOKEN"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (m Message) Bits() int {
	if m.Type == Token {
		return 8 + 64 + 8
	}
	return 8
}

// String prints the message as a trace shows it: TOKEN(-1, black).
func (m Message) String() string {
	switch {
	case m.Type != Token:
		return names[m.Type]
	case m.Black:
		return fmt.Sprintf("TOKEN(%d, black)", m.Sum)
	}
	return fmt.Sprintf("TOKEN(%d, white)", m.Sum)
}

// Config is what the processes know.
type Config struct {
	Processes int          // n
	Leader    protocols.ID // begins the probes
	White     bool         // no process is ever black: wrong
}

// Process is one process of the ring.
type Process struct {
	termination.Worker
	cfg   Config
	count int // work messages sent less those received
	black bool
	holds bool
	token Message
}

var _ termination.Process[Message] = (*Process)(nil)

// New returns the process at an address. The leader holds a token that has failed.
func New(id protocols.ID, work termination.Config, cfg Config) *Process {
	p := &Process{Worker: termination.NewWorker(work), cfg: cfg}
	if id == cfg.Leader {
		p.holds, p.token = true, Message{Type: Token, Black: true}
	}
	return p
}

// Start implements [protocols.Process].
func (p *Process) Start(n protocols.Node[Message]) { p.send(n, p.Begin(n)) }

// Timeout implements [protocols.Process]: a piece of work is done.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) { p.send(n, p.Finish(n)) }

// Receive implements [protocols.Process].
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch m.Type {
	case Work:
		p.count--
		p.black = !p.cfg.White
		p.send(n, p.Activate(n))
	case Token:
		p.holds, p.token = true, m
		p.pass(n)
	default:
		panic(protocols.Unknown(m))
	}
}

// send sends work messages, and then the token if the process holds it.
func (p *Process) send(n protocols.Node[Message], to []protocols.ID) {
	for _, q := range to {
		p.count++
		n.Send(q, Message{Type: Work})
	}
	p.pass(n)
}

// pass hands on the token, unless the process is active or knows that the computation has terminated.
func (p *Process) pass(n protocols.Node[Message]) {
	if !p.holds || !p.Passive() || p.Announced() {
		return
	}
	next := Message{Token, p.token.Sum + p.count, p.token.Black || p.black}
	if n.ID() == p.cfg.Leader {
		if next.Sum == 0 && !next.Black || p.cfg.Processes == 1 {
			p.Announce()
			return
		}
		next = Message{Type: Token}
	}
	p.holds, p.black, p.token = false, false, Message{}
	n.Send(protocols.ID((int(n.ID())+p.cfg.Processes-1)%p.cfg.Processes), next)
}
