// Package benor is Ben-Or's randomized consensus, which needs neither a bound on delay nor a failure
// detector.
//
// Papers: M. Ben-Or, "Another advantage of free choice: completely asynchronous agreement protocols",
// PODC 1983, protocols A (crashes) and B (Byzantine processes). The names of the messages are those
// of M. Aguilera and S. Toueg, "The correctness proof of Ben-Or's randomized consensus algorithm",
// Distributed Computing 25(5), 2012.
//
// Model: asynchronous, complete graph, reliable links in any order, and a receiver knows the sender.
// At most f of n > 2f processes crash or, in the variant for liars, f of n > 5f are Byzantine. Inputs
// are 0 and 1. Processes toss fair coins.
//
// A round has two phases. In each a process tells all, and waits for n-f messages, its own included. In
// the first phase it reports its value. In the second it proposes a value that more than n/2
// processes reported, or says that there is none. If more than f propose a value, it decides for that; if
// some do, that is its value in the next round; else it tosses a coin. With liars, more than (n+f)/2
// reports make a proposal, more than (n+f)/2 proposals a decision, and more than f proposals the next
// value.
//
// Cost: 2n(n-1) messages a round if no process fails, and n(n-1) for the decisions; one round if all
// begin with one value: 3n(n-1) messages. How many rounds there are is a matter of chance. The
// expected number is constant if f is O(sqrt n), and up to exponential in n else (Ben-Or 1983).
//
// Invariants: all proposals of a round name one value; if a process decides v in round r, all others begin
// round r+1 with v, and decide v in that round at the latest.
//
// Deviations: (1) The paper's processes go on for ever. Here one that decides says DECIDE and stops.
// Others count that as its report and its proposal in each later round. A process decides, too, if among
// the n-f messages of a phase are such of one value (liars: more than f). If the phase is the first of
// round r, its DECIDE is of round r-1, and so stands for its proposal of round r, too. (2) A message to itself is not
// sent. (3) A process that has more than n-f messages of a phase when it enters it looks at all. (4) The
// first message of a sender and phase counts; one that no process sends is ignored. (5) A message
// has 8 bits for its kind, 64 for the round and 8 for the value.
package benor

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// Message is what a process says in a phase of a round, or behind the round.
type Message struct {
	Type  protocols.Type
	Round int
	Value int // or None
}

// The messages.
const (
	Report  protocols.Type = iota // the value of a process
	Propose                       // a value that many reported, or None
	Decide                        // what the process says in each later round
)

// None is the proposal of no value.
const None = 2

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

var names = []string{"REPORT", "PROPOSE", "DECIDE"}

// Bits implements [protocols.Message].
func (Message) Bits() int { return 8 + 64 + 8 }

// String prints the message as a trace shows it: PROPOSE(?, round 2).
func (m Message) String() string {
	value := "?"
	if m.Value != None {
		value = fmt.Sprint(m.Value)
	}
	return fmt.Sprintf("%s(%s, round %d)", names[m.Type], value, m.Round)
}

// sent reports whether there is a process that sends the message.
func (m Message) sent() bool {
	most := 1
	if m.Type == Propose {
		most = None
	}
	return m.Round > 0 && m.Value >= 0 && m.Value <= most
}

// Versions are what a Byzantine process can say in place of a message.
func Versions(m Message) (all []Message) {
	for m.Value = 0; m.sent(); m.Value++ {
		all = append(all, m)
	}
	return all
}

// Told is the message of a process that tells 0 to the first half of the others, and 1 to the second.
func Told(m Message, first bool) Message {
	m.Value = 1
	if first {
		m.Value = 0
	}
	return m
}

// Config is what the processes know.
type Config struct {
	Processes int // n
	Faulty    int // f
	Liars     bool
}

// Process is one process of the complete graph.
type Process struct {
	protocols.NoTimers[Message]

	cfg      Config
	round    int    // from 1; 0 before the start
	proposes bool   // it is in the second phase
	own      int    // what it says in this phase; its input before the start
	heard    []vote // in this phase, and what has come for later ones; by phase and sender
	decided  []vote // by sender
	decision consensus.Decision
}

// vote is a message that counts.
type vote struct {
	Message
	from protocols.ID
}

// order is the order of phases, and of senders in each.
func order(a, b vote) int {
	return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Type, b.Type), cmp.Compare(a.from, b.from))
}

var _ consensus.Process[Message] = (*Process)(nil)

// MostFaulty is the largest f with which n processes run. With more, a process could go from phase to phase
// in one step for ever, since it would wait for no other process that still runs.
func MostFaulty(n int, liars bool) int {
	if liars {
		return max((n-2)/3, 0)
	}
	return max(n-2, 0)
}

// New returns a process. It panics if its input is neither 0 nor 1, or if there are too many faulty processes.
func New(input int, cfg Config) *Process {
	if input < 0 || input > 1 || cfg.Faulty > MostFaulty(cfg.Processes, cfg.Liars) {
		panic(fmt.Sprintf("benor: input %d, %+v", input, cfg))
	}
	return &Process{cfg: cfg, own: input}
}

// Decision implements [consensus.Decider].
func (p *Process) Decision() consensus.Decision { return p.decision }

// Round is the round that the process is in; 0 before the start and after the decision.
func (p *Process) Round() int { return p.round }

// Start begins round 1, once.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.round == 0 && !p.decision.Made {
		p.report(n, p.own)
		p.advance(n)
	}
}

// Receive keeps the message, and goes on if the phase has enough.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	if p.decision.Made || !m.sent() {
		return
	}
	if v := (vote{m, from}); m.Type == Decide {
		p.decided = with(p.decided, v, func(a, b vote) int { return cmp.Compare(a.from, b.from) })
	} else if order(v, p.first()) >= 0 {
		p.heard = with(p.heard, v, order)
	}
	if p.round > 0 {
		p.advance(n)
	}
}

// first is before all votes of this phase, and behind those of earlier ones.
func (p *Process) first() vote { return vote{Message{Type: p.kind(), Round: p.round}, 0} }

// kind is the kind of the messages of this phase.
func (p *Process) kind() protocols.Type {
	if p.proposes {
		return Propose
	}
	return Report
}

// with is a sorted list of votes with another one, unless it has one of that place.
func with(votes []vote, v vote, order func(a, b vote) int) []vote {
	at, found := slices.BinarySearchFunc(votes, v, order)
	if found {
		return votes
	}
	return slices.Insert(votes, at, v)
}

// advance goes from phase to phase as long as n-f messages have come.
func (p *Process) advance(n protocols.Node[Message]) {
	for !p.decision.Made {
		votes, decided := p.votes()
		if votes[0]+votes[1]+votes[None] < p.cfg.Processes-p.cfg.Faulty {
			return
		}
		most := 0
		if votes[1] > votes[0] {
			most = 1
		}
		_, _, toFollow := p.cfg.quorums()
		switch {
		case decided[0] > toFollow:
			p.decide(n, 0)
		case decided[1] > toFollow:
			p.decide(n, 1)
		case p.proposes:
			p.conclude(n, most, votes[most])
		default:
			p.propose(n, most, votes[most])
		}
	}
}

// votes counts the messages of this phase by their values, its own included, and those among them that
// are of processes that decided in an earlier round.
func (p *Process) votes() (all [3]int, decided [2]int) {
	all[p.own]++
	voted := func(by protocols.ID) bool {
		return slices.ContainsFunc(p.heard, func(v vote) bool { return p.current(v.Message) && v.from == by })
	}
	for _, v := range p.heard {
		if p.current(v.Message) {
			all[v.Value]++
		}
	}
	for _, v := range p.decided {
		if v.Round < p.round && !voted(v.from) {
			all[v.Value]++
			decided[v.Value]++
		}
	}
	return all, decided
}

// current reports whether a message is of this phase.
func (p *Process) current(m Message) bool { return m.Round == p.round && m.Type == p.kind() }

// report begins a round.
func (p *Process) report(n protocols.Node[Message], value int) {
	p.round++
	p.enter(n, false, value)
}

// propose proposes the value that most reported, if they are enough.
func (p *Process) propose(n protocols.Node[Message], most, votes int) {
	proposal := None
	if toPropose, _, _ := p.cfg.quorums(); votes > toPropose {
		proposal = most
	}
	p.enter(n, true, proposal)
}

// conclude decides for the value that most proposed, or begins the next round.
func (p *Process) conclude(n protocols.Node[Message], most, votes int) {
	_, toDecide, toFollow := p.cfg.quorums()
	switch {
	case votes > toDecide:
		p.decide(n, most)
	case votes > toFollow:
		p.report(n, most)
	default:
		p.report(n, n.Intn(2))
	}
}

// decide tells all others what it says behind the last phase in which it said something, and stops.
func (p *Process) decide(n protocols.Node[Message], value int) {
	said := p.round
	if !p.proposes {
		said--
	}
	tell(n, Message{Decide, said, value})
	*p = Process{cfg: p.cfg, decision: consensus.Decision{Made: true, Value: value, Round: p.round}}
}

// quorums are the numbers of votes that are not enough to propose a value, to decide for it and to
// begin the next round with it. One more is.
func (c Config) quorums() (toPropose, toDecide, toFollow int) {
	if c.Liars {
		return (c.Processes + c.Faulty) / 2, (c.Processes + c.Faulty) / 2, c.Faulty
	}
	return c.Processes / 2, c.Faulty, 0
}

// enter enters a phase, and tells all others what it says in it.
func (p *Process) enter(n protocols.Node[Message], proposes bool, own int) {
	p.proposes, p.own = proposes, own
	later, _ := slices.BinarySearchFunc(p.heard, p.first(), order)
	p.heard = append([]vote(nil), p.heard[later:]...)
	tell(n, Message{p.kind(), p.round, own})
}

// tell tells all others.
func tell(n protocols.Node[Message], m Message) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
}
