// Package hirschbergsinclair is the election of Hirschberg and Sinclair on a
// bidirectional ring, O(n log n) messages at worst. In phase k a candidate sends its
// identity 2^k hops both ways. A process with a better identity swallows it. If it comes
// back from both sides, the candidate enters the next phase. A process that receives
// its own identity on the way out leads.
//
// Paper: D. Hirschberg and J. Sinclair, "Decentralized extrema-finding in
// circular configurations of processors", CACM 23(11), 1980; N. Lynch,
// "Distributed Algorithms", 1996, section 3.4.
//
// Model: asynchronous bidirectional ring, reliable links that need not be FIFO,
// distinct identities, n unknown, no crashes; any non-empty set of initiators.
//
// Cost of Lynch's form. Let L be ceil(lg n), and l(x) and r(x) the distances of x
// to the next better identity on its two sides, n for the best. All processes take part in
// phase 0, and in phase k those x with min(l, r) > 2^(k-1). The last phase is that of the
// best alone in which 2^k >= n. Under every schedule and with any initiators, n > 1
//
//	OUT       on each side min(2^k, distance) for each phase; 2n in phase 0 and
//	          2n, by the leader, in the last
//	IN        on each side 2^k for each phase in which that is less than the
//	          distance; n in phase 0
//	together  5n + 4*2^L - 8 at best, if only the best is in phase 1; at
//	          most 8n ceil(lg n) - 3n, which is less than the published
//	          8n(1 + ceil(lg n)) and 8n + 8 ceil(n lg n)
//	time      if all start at once the leader knows at n + 2(2^L - 1): 3n-2 if n
//	          is a power of two, less than 5n always; then there is silence
//	ANNOUNCE  none, or n if the announcement is wanted, in time n
//
// In the original of 1980 a process answers NO to an identity that it swallows. A
// candidate stops when it hears NO or meets a better identity. NO makes phase 0 cost 4n.
// The schedule decides when a candidate stops, and so the number of messages, which is at
// least 6n + 4*2^L - 8 and at most 8n ceil(lg n) - 2n.
//
// Invariants: a candidate of phase k > 0 is the best of all within 2^(k-1), so
// there are at most n/(2^(k-1)+1). Only the best can get its own identity back on
// the way out, because the best swallows all others.
//
// Outside the model: the best swallows all other OUT, so lost messages can leave the
// ring without a leader, but never with another one. In the last phase one of the two
// OUT is enough.
//
// Deviations: (1) A process that a message finds asleep wakes up, as if it had
// been started just before; in Lynch all start. (2) An OUT carries the number of hops that
// are left, as in Lynch; in the original it carries the hops made and the hops allowed. (3)
// Messages say which way they go. (4) OK of the original is IN here. (5) The announcement
// is a variant (all-terminate); it goes round one way, and the leader absorbs it. (6) The best
// rank wins, which is the largest unless the order says otherwise.
package hirschbergsinclair

import (
	"fmt"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way along the ring. An OUT has hops.
type Message = election.Wayward[kinds]

// The four messages.
const (
	Out      protocols.Type = iota // the rank of a candidate on its way out
	In                             // on its way back: it has won all the way out
	No                             // on its way back: it has lost; in the original only
	Announce                       // the rank of the leader
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"OUT", "IN", "NO", "ANNOUNCE"}

// Config chooses the variant. The zero value is Lynch's form; only the leader decides,
// and the largest rank wins.
type Config struct {
	// Original is the program of 1980, with its NO answers.
	Original bool
	// Announce: the leader tells all others. That takes n more messages, and every
	// process decides.
	Announce bool
	// Order says which rank wins.
	Order election.Order
}

// Process is one process of the ring.
type Process struct {
	protocols.NoTimers[Message]

	rank     election.Rank
	cfg      Config
	reach    int   // the hops of its probes: 2^k in phase k, 0 while it is asleep
	answers  uint8 // the answers in this phase
	lost     bool  // in the original: it enters no further phase
	decision election.Decision
}

var _ election.Process[Message] = (*Process)(nil)

// New returns the process with this rank.
func New(rank election.Rank, cfg Config) *Process {
	return &Process{rank: rank, cfg: cfg}
}

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start begins phase 0, if the process is asleep.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.reach == 0 {
		p.probe(n, 1)
	}
}

// Receive handles the messages; the first OUT wakes the process.
func (p *Process) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch m.Type {
	case Out:
		p.Start(n)
		p.judge(n, m)
	case In, No:
		p.answered(n, m)
	case Announce:
		p.learn(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// probe begins the phase with this reach.
func (p *Process) probe(n protocols.Node[Message], reach int) {
	p.reach, p.answers = reach, 0
	for _, way := range [...]election.Way{election.With, election.Against} {
		Message{Type: Out, Way: way, Hops: reach, Rank: p.rank}.Send(n)
	}
}

// judge passes a better rank on or sends it back, and swallows a worse one. It leads if
// its own has come all the way round.
func (p *Process) judge(n protocols.Node[Message], m Message) {
	switch {
	case m.Rank.ID == p.rank.ID:
		p.lead(n)
	case p.cfg.Order.Better(m.Rank, p.rank):
		p.lost = p.cfg.Original
		if m.Hops > 1 {
			m.Hops--
			m.Send(n)
		} else {
			Message{Type: In, Way: m.Way.Back(), Rank: m.Rank}.Send(n)
		}
	case p.cfg.Original:
		Message{Type: No, Way: m.Way.Back(), Rank: m.Rank}.Send(n)
	}
}

// answered passes an answer on to its candidate. The second answer begins the next
// phase, unless the candidate has lost.
func (p *Process) answered(n protocols.Node[Message], m Message) {
	if m.Rank.ID != p.rank.ID {
		m.Send(n)
		return
	}
	p.lost = p.lost || m.Type == No
	if p.answers++; p.answers == 2 && !p.lost {
		p.probe(n, 2*p.reach)
	}
}

// lead decides when the first OUT is back. The one that went the other way comes later.
func (p *Process) lead(n protocols.Node[Message]) {
	if p.decision.Status == election.Leader {
		return
	}
	p.decision = election.Decide(p.rank.ID, p.rank.ID)
	if p.cfg.Announce {
		Message{Type: Announce, Rank: p.rank}.Send(n)
	}
}

// learn follows the announced leader and passes ANNOUNCE on. When it is back at the
// leader, all know.
func (p *Process) learn(n protocols.Node[Message], m Message) {
	if !p.cfg.Announce {
		panic(fmt.Sprintf("hirschbergsinclair: process %v received %v, and no leader is to be announced", p.rank, m))
	}
	if m.Rank.ID != p.rank.ID {
		p.decision = election.Decide(p.rank.ID, m.Rank.ID)
		m.Send(n)
	}
}
