// Package chandratoueg is the consensus of Chandra and Toueg with a failure detector that may be mistaken,
// and a coordinator that rotates.
//
// Paper: T. D. Chandra and S. Toueg, "Unreliable failure detectors for reliable distributed systems",
// Journal of the ACM 43(2), 1996, section 6.2.
//
// Model: asynchronous, complete graph, reliable links in any order. At most f of n > 2f processes crash,
// and stay down. The failure detector is eventually strong: in the end it suspects each process that
// crashed, and some process that lives is suspected no more. Until then it may suspect anybody. In the
// variant timeout a process suspects the coordinator of round r after r times as long as that of
// round 1; such a detector is eventually strong if delays have a bound, known or not.
//
// A round has four phases, and process (r-1) mod n coordinates round r. All send the coordinator their
// estimate and the round in which they took it. From a majority the coordinator takes an estimate of
// the latest round, and proposes it to all. A process that gets the proposal takes it and
// acknowledges; one that suspects the coordinator refuses. If a majority answers, and all of it
// acknowledges, the coordinator broadcasts the decision reliably: each process that learns of it tells all.
//
// Cost: if nobody is suspected, round 1 decides, with 3(n-1) messages, and n(n-1) for the decision;
// 4 message delays. But a process begins round 2 when it has acknowledged, before it knows of the
// decision. If all messages take one delay, and n > 2, that is n-2 estimates and n-1 proposals more.
//
// Invariant: once a majority has taken the proposal of a round, each later proposal is the same, since each
// majority of estimates holds one of that majority, and it is of the latest round.
//
// Deviations: (1) The paper's process waits for the coordinator or its detector. Here it looks at its
// detector once a pause, since a detector does not call. (2) A message to itself is not sent. (3) Of
// estimates of the same round the first counts. (4) A message has 8 bits for its kind, 64 for its
// round, and 64 for each other number. Where processes agree on something else than numbers, a value has
// the size that it says.
package chandratoueg

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// Message is one of the messages. Only an estimate and a proposal have a value, and a decision.
type Message[V any] struct {
	Type  protocols.Type
	Round int // of a decision 0
	Value V
	Stamp int // of an estimate: the round in which it was taken, 0 if it is the input
}

// The messages.
const (
	Estimate protocols.Type = iota
	Propose
	Ack
	Nack
	Decide
)

// Kind implements [protocols.Message].
func (m Message[V]) Kind() int { return int(m.Type) }

// Kinds implements [protocols.Message].
func (Message[V]) Kinds() []string { return names }

var names = []string{"ESTIMATE", "PROPOSE", "ACK", "NACK", "DECIDE"}

// Bits implements [protocols.Message].
func (m Message[V]) Bits() int {
	switch m.Type {
	case Estimate:
		return 8 + 64 + 64 + consensus.Bits(m.Value)
	case Propose:
		return 8 + 64 + consensus.Bits(m.Value)
	case Decide:
		return 8 + consensus.Bits(m.Value)
	}
	return 8 + 64
}

// String prints the message as a trace shows it: ESTIMATE(1 of round 0, round 2).
func (m Message[V]) String() string {
	switch m.Type {
	case Estimate:
		return fmt.Sprintf("ESTIMATE(%v of round %d, round %d)", m.Value, m.Stamp, m.Round)
	case Propose:
		return fmt.Sprintf("PROPOSE(%v, round %d)", m.Value, m.Round)
	case Decide:
		return fmt.Sprintf("DECIDE(%v)", m.Value)
	}
	return fmt.Sprintf("%s(round %d)", names[m.Type], m.Round)
}

// Config is what the processes know.
type Config struct {
	Processes int           // n
	Wait      time.Duration // between two looks at the detector
	// Timeout: a process asks no detector. It suspects the coordinator of round r when it has waited
	// for r times Wait.
	Timeout bool
}

// Process is one process of the complete graph. V is what the processes agree on.
type Process[V any] struct {
	id       protocols.ID
	cfg      Config
	estimate V
	stamp    int // the round in which it took its estimate
	round    int // from 1; 0 before the start, and after the decision
	// proposed: it coordinates the round, and has proposed its estimate.
	proposed bool
	acks     int
	answers  []answers[V] // to the coordinator of this round and of later ones, by round
	early    []Message[V] // proposals for later rounds, by round
	decision consensus.DecisionOf[V]
}

// answers are what a coordinator has heard of a round, its own estimate included. A process may
// refuse before the coordinator begins the round.
type answers[V any] struct {
	round, estimates, nacks int
	value                   V // an estimate of the latest round
	stamp                   int
}

var _ consensus.Process[Message[int]] = (*Process[int])(nil)

// New returns the process at an address.
func New[V any](id protocols.ID, input V, cfg Config) *Process[V] {
	return &Process[V]{id: id, cfg: cfg, estimate: input}
}

// Propose replaces the input of a process that has not started.
func (p *Process[V]) Propose(input V) { p.estimate = input }

// Decision is what the process has decided: see [consensus.Decider].
func (p *Process[V]) Decision() consensus.DecisionOf[V] { return p.decision }

// Round is the round that the process is in; 0 before the start and after the decision.
func (p *Process[V]) Round() int { return p.round }

// look is the timer of a process that waits for a coordinator.
const look protocols.Timer = 0

// TimerName implements [protocols.TimerNamer].
func (*Process[V]) TimerName(protocols.Timer) string { return "look at the coordinator" }

// Start begins round 1, once.
func (p *Process[V]) Start(n protocols.Node[Message[V]]) {
	if p.round == 0 && !p.decision.Made {
		p.begin(n)
		p.advance(n)
	}
}

// coordinator is the coordinator of this round.
func (p *Process[V]) coordinator() protocols.ID { return protocols.ID((p.round - 1) % p.cfg.Processes) }

// majority is the number of processes that are more than a half.
func (p *Process[V]) majority() int { return p.cfg.Processes/2 + 1 }

// begin begins a round: phase 1.
func (p *Process[V]) begin(n protocols.Node[Message[V]]) {
	p.round++
	p.proposed, p.acks = false, 0
	for len(p.answers) > 0 && p.answers[0].round < p.round {
		p.answers = append([]answers[V](nil), p.answers[1:]...)
	}
	m := Message[V]{Estimate, p.round, p.estimate, p.stamp}
	if p.coordinator() == p.id {
		n.StopTimer(look)
		p.note(m)
		return
	}
	n.Send(p.coordinator(), m)
	p.wait(n)
}

// wait sets the timer of phase 3.
func (p *Process[V]) wait(n protocols.Node[Message[V]]) {
	after := p.cfg.Wait
	if p.cfg.Timeout {
		after *= time.Duration(p.round)
	}
	n.SetTimer(look, after)
}

// note counts an estimate, and keeps the latest, or a refusal.
func (p *Process[V]) note(m Message[V]) {
	at, found := slices.BinarySearchFunc(p.answers, m.Round, func(a answers[V], round int) int { return a.round - round })
	if !found {
		p.answers = slices.Insert(p.answers, at, answers[V]{round: m.Round, stamp: -1})
	}
	a := &p.answers[at]
	if m.Type == Nack {
		a.nacks++
		return
	}
	if a.estimates++; m.Stamp > a.stamp {
		a.value, a.stamp = m.Value, m.Stamp
	}
}

// Receive handles the messages. Those of earlier rounds are of no use any more, nor are estimates after
// the proposal.
func (p *Process[V]) Receive(n protocols.Node[Message[V]], _ protocols.ID, m Message[V]) {
	switch {
	case p.decision.Made:
		return
	case m.Type == Decide:
		p.decide(n, m.Value)
		return
	case m.Round < p.round, m.Type == Estimate && m.Round == p.round && p.proposed:
		return
	case m.Type == Estimate, m.Type == Nack:
		p.note(m)
	case m.Type == Propose:
		at, _ := slices.BinarySearchFunc(p.early, m.Round, func(early Message[V], round int) int { return early.Round - round })
		p.early = slices.Insert(p.early, at, m)
	case m.Type == Ack:
		p.acks++
	default:
		panic(protocols.Unknown(m))
	}
	if p.round > 0 {
		p.advance(n)
	}
}

// advance goes from phase to phase as long as there is what they wait for.
func (p *Process[V]) advance(n protocols.Node[Message[V]]) {
	for p.phase(n) {
	}
}

// phase ends a phase, and reports whether it could.
func (p *Process[V]) phase(n protocols.Node[Message[V]]) bool {
	switch {
	case p.decision.Made:
		return false
	case p.coordinator() != p.id:
		return p.answer(n)
	case p.proposed:
		return p.count(n)
	}
	return p.propose(n)
}

// propose is phase 2 of the coordinator, and its own phase 3.
func (p *Process[V]) propose(n protocols.Node[Message[V]]) bool {
	if p.answers[0].estimates < p.majority() {
		return false
	}
	p.estimate, p.stamp = p.answers[0].value, p.round
	tell(n, Message[V]{Type: Propose, Round: p.round, Value: p.estimate})
	p.proposed, p.acks = true, 1
	return true
}

// answer is phase 3 of the others.
func (p *Process[V]) answer(n protocols.Node[Message[V]]) bool {
	if len(p.early) == 0 || p.early[0].Round > p.round {
		return false
	}
	p.estimate, p.stamp = p.early[0].Value, p.round
	p.early = append([]Message[V](nil), p.early[1:]...)
	n.Send(p.coordinator(), Message[V]{Type: Ack, Round: p.round})
	p.begin(n)
	return true
}

// count is phase 4 of the coordinator.
func (p *Process[V]) count(n protocols.Node[Message[V]]) bool {
	switch {
	case p.acks+p.answers[0].nacks < p.majority():
		return false
	case p.acks >= p.majority():
		p.decide(n, p.estimate)
	default:
		p.begin(n)
	}
	return true
}

// decide tells all others of the decision, and stops: so it reaches all that live.
func (p *Process[V]) decide(n protocols.Node[Message[V]], value V) {
	tell(n, Message[V]{Type: Decide, Value: value})
	n.StopTimer(look)
	*p = Process[V]{id: p.id, cfg: p.cfg, decision: consensus.DecisionOf[V]{Made: true, Value: value, Round: p.round}}
}

// Timeout asks the detector. A process that suspects the coordinator refuses, and goes on.
func (p *Process[V]) Timeout(n protocols.Node[Message[V]], _ protocols.Timer) {
	if !p.cfg.Timeout && !n.Suspects(p.coordinator()) {
		p.wait(n)
		return
	}
	n.Send(p.coordinator(), Message[V]{Type: Nack, Round: p.round})
	p.begin(n)
	p.advance(n)
}

// tell tells all others.
func tell[V any](n protocols.Node[Message[V]], m Message[V]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
}
