// Package afekgafnisync is the election of Afek and Gafni on a synchronous complete
// graph. In each phase a candidate asks twice as many processes as in the last. Each
// process accepts one candidate at most, and a candidate that is not accepted by all
// gives up.
//
// Paper: Y. Afek and E. Gafni, "Time and message bounds for election in synchronous
// and asynchronous complete networks", SIAM Journal on Computing 20(2), 1991. The
// program is reconstructed from memory; the bounds below are derived here.
//
// Model: complete graph; all processes start at 0; delays of at most one round; right
// clocks; reliable links, FIFO or not; distinct identities; n known, as the number of
// ports; no crashes.
//
// Cost, n > 1 processes, with ceil(lg n) phases of two rounds each:
//
//	messages  at most 3n ceil(lg n) - n; the ranks alone decide how many, whatever
//	          the delays
//	LEADER    n-1 more, with all-terminate
//	time      the leader knows after 2 ceil(lg n) rounds; the last process a message
//	          later
//
// Why: a candidate of phase i > 0 was accepted by 2^(i-1) processes in the phase before,
// and these accepted no other. So phase i has at most n/2^(i-1) candidates, with 2^i
// CAPTURE each, and at most n ACCEPT. Phase 0 has n CAPTURE.
//
// Invariants: all remaining candidates have asked the same number of ports. Of two
// candidates one asks the process of the other sooner or later, and then the worse one
// gives up; so one remains. The best is never turned down.
//
// Deviations from the paper: (1) All processes are candidates from the start, so the
// level of a candidate, which the paper compares first, is the number of the phase. (2)
// A candidate asks its ports in their order. (3) A candidate that is turned down gets no
// answer. (4) The better rank wins, which is the larger unless the order says otherwise.
package afekgafnisync

import (
	"fmt"
	"math/bits"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message carries the rank of a candidate.
type Message = election.Ranked[kinds]

// The three messages.
const (
	Capture protocols.Type = iota // to a process: the candidate asks for it
	Accept                        // to the candidate: it has the process
	Leader                        // to all: the winner
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"CAPTURE", "ACCEPT", "LEADER"}

// Config is the length of a round, and the variant.
type Config struct {
	// Round is the bound on the delay of a message; it must be positive.
	Round time.Duration
	// Announce: the leader sends LEADER to all others.
	Announce bool
	// Order says which rank wins.
	Order election.Order
}

// validate reports what is wrong with the configuration.
func (c Config) validate() error {
	if c.Round <= 0 {
		return fmt.Errorf("afekgafnisync: Round is %v, and must be positive", c.Round)
	}
	return nil
}

// endOfRound is the label of the timer.
const endOfRound protocols.Timer = 0

// Process is one process of the graph: a candidate that may be captured.
type Process struct {
	rank   election.Rank
	cfg    Config
	begun  bool
	rounds int // that are over

	// As a candidate.
	running  bool
	captured int // the number of ports that accepted it, in their order
	asked    int // the number of ports that it asks in this phase
	accepted int // those that have accepted

	// As a process that is asked for.
	wanted    bool          // in this phase
	claimant  election.Rank // the best candidate that asks
	contender protocols.ID  // its address
	decision  election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank. It panics on an invalid configuration.
func New(rank election.Rank, cfg Config) *Process {
	if err := cfg.validate(); err != nil {
		panic(err)
	}
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins round 1, once.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.begun {
		return
	}
	p.begun, p.running = true, true
	p.ask(n)
	p.wait(n)
}

// Receive notes the messages of a round.
func (p *Process) Receive(_ protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Capture:
		if !p.wanted || p.cfg.Order.Better(m.Rank, p.claimant) {
			p.wanted, p.claimant, p.contender = true, m.Rank, from
		}
	case Accept:
		p.accepted++
	case Leader:
		p.decision = election.Decide(p.rank.ID, m.Rank.ID)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout ends a round. Rounds of CAPTURE and of ACCEPT alternate.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t != endOfRound || !p.begun {
		panic(fmt.Sprintf("afekgafnisync: process %v never sets timer %d, yet it expired", p.rank, t))
	}
	p.rounds++
	if p.rounds%2 == 1 {
		p.answer(n)
	} else if p.running {
		p.count(n)
	}
	p.wait(n)
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "end of round" }

// wait waits for the end of the next round, unless that was the last.
func (p *Process) wait(n protocols.Node[Message]) {
	if p.rounds < Rounds(n.Degree()+1) {
		n.SetTimer(endOfRound, p.cfg.Round)
	}
}

// Rounds is the number of rounds among n processes: 2 ceil(lg n).
func Rounds(n int) int { return 2 * bits.Len(uint(n-1)) }

// ask begins a phase. A candidate that has asked all others is the leader.
func (p *Process) ask(n protocols.Node[Message]) {
	p.asked, p.accepted = min(p.captured+1, n.Degree()-p.captured), 0 // 2^i, after 2^i - 1
	for port := range p.asked {
		n.Send(n.Neighbor(p.captured+port), Message{Type: Capture, Rank: p.rank})
	}
	if p.asked > 0 {
		return
	}
	p.decision = election.Decide(p.rank.ID, p.rank.ID)
	if !p.cfg.Announce {
		return
	}
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: Leader, Rank: p.rank})
	}
}

// answer accepts the best candidate that asked, unless the process is a better one.
func (p *Process) answer(n protocols.Node[Message]) {
	if p.wanted && !(p.running && p.cfg.Order.Better(p.rank, p.claimant)) {
		p.running = false
		n.Send(p.contender, Message{Type: Accept, Rank: p.claimant})
	}
	p.wanted = false
}

// count goes on to the next phase, or gives up.
func (p *Process) count(n protocols.Node[Message]) {
	if p.accepted < p.asked {
		p.running = false
		return
	}
	p.captured += p.asked
	p.ask(n)
}
