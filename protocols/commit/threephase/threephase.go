// Package threephase is three-phase commit: between the votes and the decision to commit, all learn
// that all have voted yes.
//
// Paper: D. Skeen, "Nonblocking commit protocols", SIGMOD 1981; P. Bernstein, V. Hadzilacos and
// N. Goodman, "Concurrency Control and Recovery in Database Systems", 1987, section 7.5.
//
// Model: complete graph, reliable links, a known bound on delay, all processes begin together. Any
// number of processes crash, and none comes back: a process that does not answer in time has crashed.
// Process 0 is the coordinator; it votes, too.
//
// The coordinator asks for the votes. If one is no, it tells the others to abort. Else it tells all to
// prepare, by PRE-COMMIT, waits for their acknowledgements, and tells them to commit. A process that
// has voted yes is uncertain, and by PRE-COMMIT it becomes committable. No process commits while
// another one that lives is uncertain; none aborts while one is committable.
//
// Five delays after the start, those that have not decided know that the coordinator has crashed.
// Process 1 leads the next phase, of four delays, and then 2, 3 and so on. They tell it their states.
// A leader that has decided answers. Else it aborts if all are uncertain; if one is committable, it
// tells the uncertain ones to prepare, waits for them, and tells all to commit.
//
// Cost: exactly 5(n-1) messages without failures if all vote yes, 5 delays; else exactly 3(n-1), less
// one for each process but the coordinator that votes no, 3 delays.
//
// Invariants: while a live process is uncertain, none has committed. When a leader aborts, no live process
// without a decision is committable.
//
// If links lose messages, as in a partition, a process that does not answer may be alive. Two sides can
// then decide differently: the one with PRE-COMMIT commits, the other one aborts.
//
// Deviations: (1) No election: process k leads phase k. (2) A leader does not ask for states. Those
// without a decision tell theirs at the start of the phase, and those with one tell nothing: if one had
// committed, none would be uncertain. (3) The coordinator votes
// yes by PRE-COMMIT. (4) A message has 8 bits, for its kind.
package threephase

import (
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/commit"
)

// Message is a message.
type Message uint8

// The messages.
const (
	VoteReq     Message = iota // asks for the vote
	No                         // votes
	Yes                        // votes
	PreCommit                  // all have voted yes
	Ack                        // acknowledges that
	Abort                      // tells the decision
	Commit                     // tells the decision
	Uncertain                  // tells a leader the state
	Committable                // tells a leader the state
)

var names = []string{"VOTE-REQ", "NO", "YES", "PRE-COMMIT", "ACK", "ABORT", "COMMIT", "UNCERTAIN", "COMMITTABLE"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it: PRE-COMMIT.
func (m Message) String() string { return names[m] }

// Config is what the processes know.
type Config struct {
	Processes int           // n
	Bound     time.Duration // on the delay of a message
}

// Process is one process. The coordinator, at address 0, leads phase 0.
type Process struct {
	cfg     Config
	willing bool // it votes yes when it is asked
	begun   bool
	state   Message      // Uncertain or Committable; 0 before it has voted yes
	phase   protocols.ID // the process that leads it
	heard   []Message    // at a leader, by address: the last of each; PreCommit if an Ack is due
	decided commit.Decision
}

var _ commit.Process[Message] = (*Process)(nil)

// New returns the process that votes so.
func New(willing bool, cfg Config) *Process {
	return &Process{cfg: cfg, willing: willing, heard: make([]Message, cfg.Processes)}
}

// Said implements [commit.Participant].
func (p *Process) Said() commit.Said { return commit.Said{Yes: p.state != 0, Decision: p.decided} }

// The timers.
const (
	unasked protocols.Timer = iota // for the vote
	unled                          // in this phase
	silence                        // at a leader
)

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(t protocols.Timer) string {
	return [...]string{"not asked to vote", "end of phase", "not all have answered"}[t]
}

// Start has the coordinator ask for the votes, and the others wait for that.
func (p *Process) Start(n protocols.Node[Message]) {
	switch {
	case p.begun:
	case n.ID() != commit.Coordinator:
		p.begin(n)
		n.SetTimer(unasked, p.cfg.Bound)
	default:
		p.begun = true
		n.SetTimer(silence, 2*p.cfg.Bound)
		for port := range n.Degree() {
			n.Send(n.Neighbor(port), VoteReq)
		}
		p.count(n)
	}
}

// begin waits for the end of phase 0.
func (p *Process) begin(n protocols.Node[Message]) {
	if !p.begun {
		p.begun = true
		n.SetTimer(unled, 5*p.cfg.Bound)
	}
}

// Receive implements [protocols.Process].
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m {
	case VoteReq:
		p.vote(n, from)
	case No, Yes:
		p.heard[from] = m
		p.count(n)
	case PreCommit:
		if p.state == Uncertain {
			p.state = Committable
		}
		n.Send(from, Ack)
	case Ack:
		p.heard[from] = m
		p.acknowledged(n)
	case Abort:
		p.decide(n, commit.Abort)
	case Commit:
		p.decide(n, commit.Commit)
	case Uncertain, Committable:
		p.heard[from] = m
		if p.decided != commit.Undecided {
			n.Send(from, p.order())
		}
	}
}

// vote answers the coordinator, once.
func (p *Process) vote(n protocols.Node[Message], coordinator protocols.ID) {
	p.begin(n)
	n.StopTimer(unasked)
	switch {
	case p.decided == commit.Undecided && p.willing && p.state == 0:
		p.state = Uncertain
		n.Send(coordinator, Yes)
	case p.state == 0:
		p.decide(n, commit.Abort)
		n.Send(coordinator, No)
	}
}

// count has the coordinator go on when it has all votes.
func (p *Process) count(n protocols.Node[Message]) {
	for q, m := range p.heard {
		if m == VoteReq && protocols.ID(q) != commit.Coordinator {
			return
		}
	}
	p.lead(n)
}

// Timeout implements [protocols.Process].
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	switch {
	case t == unasked:
		p.decide(n, commit.Abort)
	case t == silence && slices.Contains(p.heard, PreCommit):
		p.finish(n, commit.Commit) // those that do not acknowledge have crashed
	case t == silence:
		p.lead(n)
	default:
		p.next(n)
	}
}

// next begins the next phase.
func (p *Process) next(n protocols.Node[Message]) {
	p.phase++
	if p.phase == n.ID() {
		n.SetTimer(silence, p.cfg.Bound)
		return
	}
	n.Send(p.phase, p.state)
	n.SetTimer(unled, 4*p.cfg.Bound)
}

// lead decides by what a leader has heard: votes or states.
func (p *Process) lead(n protocols.Node[Message]) {
	if !p.prepared() {
		p.finish(n, commit.Abort)
		return
	}
	p.state = Committable
	for q, m := range p.heard {
		if m == Yes || m == Uncertain {
			p.heard[q] = PreCommit
			n.Send(protocols.ID(q), PreCommit)
		}
	}
	n.SetTimer(silence, 2*p.cfg.Bound)
	p.acknowledged(n)
}

// prepared reports whether what a leader has heard lets it commit: all votes are yes or, in a later
// phase, a process is committable.
func (p *Process) prepared() bool {
	if p.phase > 0 {
		return p.state == Committable || slices.Contains(p.heard, Committable)
	}
	for q, m := range p.heard {
		if m != Yes && protocols.ID(q) != commit.Coordinator {
			return false
		}
	}
	return p.willing
}

// acknowledged has a leader commit when no live process is uncertain.
func (p *Process) acknowledged(n protocols.Node[Message]) {
	if !slices.Contains(p.heard, PreCommit) {
		p.finish(n, commit.Commit)
	}
}

// finish has a leader decide, and tell all that it has heard of, but those that have voted no.
func (p *Process) finish(n protocols.Node[Message], decision commit.Decision) {
	if p.decided != commit.Undecided {
		return
	}
	p.decide(n, decision)
	for q, m := range p.heard {
		if m > No {
			n.Send(protocols.ID(q), p.order())
		}
	}
}

// order is the message that tells the decision.
func (p *Process) order() Message {
	if p.decided == commit.Commit {
		return Commit
	}
	return Abort
}

// decide decides, once.
func (p *Process) decide(n protocols.Node[Message], decision commit.Decision) {
	if p.decided != commit.Undecided {
		return
	}
	p.decided = decision
	for _, t := range []protocols.Timer{unasked, unled, silence} {
		n.StopTimer(t)
	}
}
