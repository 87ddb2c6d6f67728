// Package twophase is two-phase commit: all vote, then the coordinator decides.
//
// Paper: J. Gray, "Notes on data base operating systems", Lecture Notes in Computer Science 60, 1978.
// The cooperative termination protocol: P. Bernstein, V. Hadzilacos and N. Goodman, "Concurrency
// Control and Recovery in Database Systems", 1987, section 7.4.
//
// Model: complete graph, reliable links, a known bound on delay, stable storage. Any process may
// crash, and each one that crashes comes back. Process 0 is the coordinator; it votes, too.
//
// In phase 1 the coordinator asks for the votes. A process that votes no aborts. In phase 2 the
// coordinator commits if all votes are yes, and else aborts; it tells those that voted yes. From its
// vote to the decision, a process that voted yes is in doubt. If it waits in vain, it asks for the
// decision: the coordinator or, in the variant cooperative, all others. A process that comes back in
// doubt asks, too; another one tells its decision to all, and aborts if it had none.
//
// Cost: exactly 3(n-1) messages without failures, less one for each process but the coordinator that
// votes no; 3 delays.
//
// Invariants: the coordinator commits only with all votes. A process that has not voted yes may abort;
// after that no process commits.
//
// If the coordinator crashes for good, those in doubt wait for ever: two-phase commit blocks. The
// cooperative variant blocks only if all that live are in doubt.
//
// Deviations: (1) The coordinator does not log its own vote: it votes yes by deciding to commit.
// (2) A process that comes back without a vote aborts, whether it was asked or not. (3) A message has
// 8 bits, for its kind.
package twophase

import (
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/commit"
)

// Message is a message. Yes, Abort and Commit are also records of the log, where 0 is no record.
type Message uint8

// The messages.
const (
	VoteReq     Message = iota // asks for the vote
	No                         // votes
	Yes                        // votes
	Abort                      // tells the decision
	Commit                     // tells the decision
	DecisionReq                // asks for the decision
)

var names = []string{"VOTE-REQ", "NO", "YES", "ABORT", "COMMIT", "DECISION-REQ"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return names }

// Bits implements [protocols.Message].
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it: VOTE-REQ.
func (m Message) String() string { return names[m] }

// Config is what the processes know, and the variant.
type Config struct {
	Processes int           // n
	Bound     time.Duration // on the delay of a message
	// Cooperative: a process in doubt asks all others.
	Cooperative bool
}

// Process is the coordinator, at address 0, or another process.
type Process struct {
	cfg     Config
	willing bool // it votes yes when it is asked
	begun   bool
	votes   []Message // at the coordinator, by address; 0 before the vote is there
	log     Message   // its last record: Yes, Abort or Commit; 0 before the first
}

var (
	_ commit.Process[Message]      = (*Process)(nil)
	_ protocols.Stable[Message]    = (*Process)(nil)
	_ protocols.Recoverer[Message] = (*Process)(nil)
)

// New returns the process that votes so.
func New(willing bool, cfg Config) *Process {
	return &Process{cfg: cfg, willing: willing, votes: make([]Message, cfg.Processes)}
}

// Said implements [commit.Participant].
func (p *Process) Said() commit.Said {
	switch p.log {
	case Yes:
		return commit.Said{Yes: true}
	case Abort:
		return commit.Said{Decision: commit.Abort}
	case Commit:
		return commit.Said{Yes: true, Decision: commit.Commit}
	}
	return commit.Said{}
}

// patience is the timer of each wait.
const patience protocols.Timer = 0

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(protocols.Timer) string { return "waits in vain" }

// Start has the coordinator ask for the votes, and the others wait for that. A process that has begun
// goes on.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.begun {
		return
	}
	p.begun = true
	if n.ID() != commit.Coordinator {
		n.SetTimer(patience, p.cfg.Bound)
		return
	}
	n.SetTimer(patience, 2*p.cfg.Bound)
	p.tell(n, VoteReq)
	own := No
	if p.willing {
		own = Yes
	}
	p.count(n, commit.Coordinator, own)
}

// Receive implements [protocols.Process].
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m {
	case VoteReq:
		p.answer(n, from)
	case No, Yes:
		p.count(n, from, m)
	case Abort, Commit:
		p.decide(n, m)
	case DecisionReq:
		if p.log != Yes {
			p.decide(n, Abort) // unless it has decided: it has not voted, so that no process has committed
			n.Send(from, p.log)
		}
	}
}

// answer votes, once.
func (p *Process) answer(n protocols.Node[Message], coordinator protocols.ID) {
	switch {
	case p.log == 0 && p.willing:
		p.begun, p.log = true, Yes // in doubt from here to the decision
		n.Send(coordinator, Yes)
		n.SetTimer(patience, 3*p.cfg.Bound)
	case p.log != Yes:
		p.decide(n, Abort)
		n.Send(coordinator, No)
	}
}

// count has the coordinator decide when it has all votes.
func (p *Process) count(n protocols.Node[Message], from protocols.ID, vote Message) {
	p.votes[from] = vote
	switch slices.Min(p.votes) { // one that is not there is less than No
	case No:
		p.decide(n, Abort)
	case Yes:
		p.decide(n, Commit)
	}
}

// Timeout: in doubt, a process asks for the decision. Else it aborts.
func (p *Process) Timeout(n protocols.Node[Message], _ protocols.Timer) {
	if p.log == Yes {
		p.tell(n, DecisionReq)
	} else {
		p.decide(n, Abort)
	}
}

// Restore implements [protocols.Stable]: it reads the log.
func (p *Process) Restore(crashed protocols.Process[Message]) { p.log = crashed.(*Process).log }

// Recover implements [protocols.Recoverer]: in doubt, a process asks for the decision. Else it tells its
// own, which is to abort if it has logged nothing.
func (p *Process) Recover(n protocols.Node[Message]) {
	p.begun = true
	if p.log == Yes {
		p.tell(n, DecisionReq)
		return
	}
	p.log = max(p.log, Abort)
	p.tell(n, p.log)
}

// decide logs a decision. Then, and not before, the coordinator tells it.
func (p *Process) decide(n protocols.Node[Message], decision Message) {
	if p.log >= Abort {
		return
	}
	p.log = decision
	n.StopTimer(patience)
	if n.ID() == commit.Coordinator {
		p.tell(n, decision)
	}
}

// tell sends a message to all that need it: no decision to those that have voted no, and questions to
// the coordinator or, in the cooperative variant, to all.
func (p *Process) tell(n protocols.Node[Message], m Message) {
	for port := range n.Degree() {
		to := n.Neighbor(port)
		if p.votes[to] != No && (m != DecisionReq || p.cfg.Cooperative || to == commit.Coordinator) {
			n.Send(to, m)
		}
	}
}
