// Package floodset is the consensus of FloodSet, among processes that may crash, in synchronous
// rounds.
//
// Paper: N. Lynch, "Distributed Algorithms", 1996, section 6.2 (FloodSet in 6.2.1, OptFloodSet in
// 6.2.2). The bound of f+1 rounds: M. Fischer and N. Lynch, Information Processing Letters 14(4),
// 1982. Early stopping: D. Dolev, R. Reischuk and H. Strong, Journal of the ACM 37(4), 1990.
//
// Model: synchronous rounds on a complete graph, all processes begin together, reliable links. At
// most f processes crash, also between two sends of a round, and none comes back.
//
// Each process keeps the set of the values that it has heard of, at first its own. In each of f+1
// rounds it sends the set to all. In at least one of them nobody crashes, and then all have the
// same set. A process decides for the value of a set with one value, and for 0 else. The optimised
// form sends values and not sets: in round 1 its own, and once more, in the round after that in
// which it first heard of a second one, that one. Two values are enough to decide for 0.
//
// The early form does not wait for f crashes that do not happen. If a process hears from as many
// processes as in the round before, no process that lives knows a value that it lacks. In the next round
// it tells its set for the last time, and decides. A process that gets a last message knows all, too. The
// hasty form decides a round earlier, before it tells: if it then crashes, the others may decide
// differently.
//
// Cost: f+1 rounds (time f+1). FloodSet sends exactly (f+1)n(n-1) messages if nobody crashes.
// OptFloodSet sends at most 2n(n-1); exactly n(n-1) if all begin with one value and nobody crashes,
// and else exactly 2n(n-1) if f is at least 1. The early form takes at most min(t+2, f+1) rounds if t
// processes crash, and exactly min(2, f+1)n(n-1) messages if none does.
//
// Invariants: after a round in which nobody crashes, all live processes have the same set; for the optimised form, both or none of them have more than one value. The values
// of a last message are all that live processes know.
//
// Deviations: (1) Values are the numbers 0 to 63, and the default value is 0. (2) A message
// has 8 bits for its kind and 8 for each value. (3) The early form is FloodSet with the rule of the
// paper, not the program of the paper.
package floodset

import (
	"fmt"
	"math/bits"
	"strings"

	"bullring/protocols"
	"bullring/protocols/consensus"
)

// MaxValue is the largest value; the least is 0.
const MaxValue = 63

// Set is a set of values, a bit each.
type Set uint64

// Message is a set of values. It is the only message.
type Message struct {
	Set
	Last bool // the sender has all values, and stops
}

// String prints the message as a trace shows it: VALUES(0,3), or last VALUES(0,3).
func (m Message) String() string {
	if m.Last {
		return "last " + m.Set.String()
	}
	return m.Set.String()
}

// Of is the set of one value.
func Of(value int) Set { return 1 << value }

// Kind implements [protocols.Message].
func (Set) Kind() int { return 0 }

// Kinds implements [protocols.Message].
func (Set) Kinds() []string { return names }

var names = []string{"VALUES"}

// Bits implements [protocols.Message].
func (s Set) Bits() int { return 8 + 8*bits.OnesCount64(uint64(s)) }

// String prints the set: VALUES(0,3).
func (s Set) String() string {
	var values []string
	for v := range MaxValue + 1 {
		if s&Of(v) != 0 {
			values = append(values, fmt.Sprint(v))
		}
	}
	return names[0] + "(" + strings.Join(values, ",") + ")"
}

// Config is what the processes know, and the variant.
type Config struct {
	// Rounds is the number of rounds, f+1 for f crashes.
	Rounds int
	// Optimised: a process sends at most two values.
	Optimised bool
	// Early: a process that has all values tells them, then decides.
	Early bool
	// Hasty, with Early: it decides, then tells them.
	Hasty bool
}

// Process is one process of the complete graph.
type Process struct {
	input    int
	cfg      Config
	heard    Set
	news     Set  // what the optimised form has to send
	rounds   int  // the number of rounds that are over
	senders  int  // to the early form: how many messages came in the last round
	last     bool // its next message is its last
	decision consensus.Decision
}

var (
	_ protocols.Round[Message] = (*Process)(nil)
	_ consensus.Decider        = (*Process)(nil)
)

// New returns the process that begins with this value. It panics if there is no such value, or
// without a round.
func New(input int, cfg Config) *Process {
	if input < 0 || input > MaxValue || cfg.Rounds < 1 {
		panic(fmt.Sprintf("floodset: value %d, %d rounds", input, cfg.Rounds))
	}
	return &Process{input: input, cfg: cfg}
}

// Decision implements [consensus.Decider].
func (p *Process) Decision() consensus.Decision { return p.decision }

// Halted implements [protocols.Round].
func (p *Process) Halted() bool { return p.decision.Made && !p.last }

// Round implements [protocols.Rounder].
func (p *Process) Round() int {
	if p.Halted() {
		return p.rounds
	}
	return p.rounds + 1
}

// Start implements [protocols.Round].
func (p *Process) Start(n protocols.Node[Message]) {
	p.heard, p.news = Of(p.input), Of(p.input)
	if p.cfg.Early {
		p.senders = n.Degree()
	}
}

// Messages sends the values that it has heard of, or those that are news.
func (p *Process) Messages(n protocols.Node[Message]) {
	values := p.heard
	if p.cfg.Optimised {
		values, p.news = p.news, 0
	}
	if values == 0 {
		return
	}
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{values, p.last})
	}
}

// Transition adds the values that arrived, and decides after the last round.
func (p *Process) Transition(_ protocols.Node[Message], arrived []protocols.Arrival[Message]) {
	before, told := p.heard, false
	for _, a := range arrived {
		p.heard |= a.Message.Set
		told = told || a.Message.Last
	}
	if before.one() && !p.heard.one() {
		p.news = (p.heard &^ before).least()
	}
	p.rounds++
	over := p.last || p.rounds == p.cfg.Rounds
	if p.cfg.Early {
		p.last = !over && (told || len(arrived) == p.senders)
		p.senders = len(arrived)
	}
	if (over || p.last && p.cfg.Hasty) && !p.decision.Made {
		p.decide()
	}
}

func (p *Process) decide() {
	p.decision.Made = true
	if p.heard.one() {
		p.decision.Value = bits.TrailingZeros64(uint64(p.heard))
	}
}

// Versions are what a Byzantine process can tell, each set of the two least values.
func Versions(protocols.Node[Message], int, protocols.ID) [][]Message {
	return [][]Message{{{Set: Of(0)}, {Set: Of(1)}, {Set: Of(0) | Of(1)}}}
}

// one reports whether the set has exactly one value.
func (s Set) one() bool { return bits.OnesCount64(uint64(s)) == 1 }

// least is the set of the least value.
func (s Set) least() Set { return s & -s }
