// Package raft is the leader election of Raft. Time is divided into terms. A process that
// hears of no leader for a random time begins a term and asks for votes. A process with
// the votes of a majority leads the term. A process that learns of a later term becomes
// its follower.
//
// Paper: D. Ongaro and J. Ousterhout, "In search of an understandable consensus
// algorithm", USENIX ATC 2014, sections 5.1 and 5.2; D. Ongaro, "Consensus:
// bridging theory and practice", dissertation, Stanford 2014, chapters 3 and 9.
//
// Model: asynchronous complete graph; messages may be lost, duplicated and
// overtaken; processes crash, and come back with their term and their vote. Safety holds
// in all of that. To elect a leader takes a live majority, and timeouts that are long and
// spread out compared with the delays.
//
// Cost, n processes of which s live, more than half:
//
//	clean election  (n-1) REQUESTVOTE + (s-1) VOTE + (n-1) APPENDENTRIES +
//	                (s-1) APPENDREPLY, 4n-6 if only the old leader is down;
//	                elected one round trip after the first timeout
//	first timeout   base + width/(s+1) on average, all waiting since 0
//	split vote      in a term, with a fixed delay of l widths, with probability
//	                P = sum of C(s,j) l^j (1-l)^(s-j) for j = c-1..s,
//	                c = s - floor(n/2) + 1; so some 1/(1-P) terms on average
//
// Invariants: the term of a process never decreases, not even in a crash. It votes once a
// term. A leader has the votes of a majority of all processes, so a term has at most one
// leader (the paper's Election Safety).
//
// Deviations from the paper: (1) There is no log. The log of every candidate is as good
// as that of the voter; APPENDENTRIES has no entries, and its answer no success. (2)
// Requests without an answer are not repeated within a term; the next term or the next
// heartbeat makes up for a lost one. (3) In the paper followers wait for ever. Here a
// process that knows a leader does not keep a run alive. Without heartbeats
// (variant once) the leader announces itself once a term and the others stop
// waiting; a process that suspects its death is to be started again. With heartbeats, as
// Raft is used, they watch it by a timer in the background. (4) A process that never started
// waits from the first vote that it gives.
package raft

import (
	"errors"
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Config are the timeouts.
type Config struct {
	// An election timeout is drawn from Base to Base+Width, in steps of Grain. The
	// dissertation recommends 10 times the delay of a message for both (section 9.3).
	Base, Width, Grain time.Duration
	// Heartbeat is the interval at which a leader repeats AppendEntries; 0 is never. It
	// must be well below Base. A run comes to rest only if it is above a round trip.
	Heartbeat time.Duration
	// Terms is the number of terms: a process that would begin another one gives up. 0
	// is no limit. A limit makes the number of states of a system finite.
	Terms int
}

// Validate reports what is wrong with the timeouts.
func (c Config) Validate() error {
	switch {
	case c.Base <= 0:
		return fmt.Errorf("raft: a base of %v; election timeouts are above 0s", c.Base)
	case c.Width < 0:
		return fmt.Errorf("raft: a width of %v; it is 0s or more", c.Width)
	case c.Width > 0 && c.Grain <= 0:
		return fmt.Errorf("raft: a grain of %v; steps are above 0s", c.Grain)
	case c.Heartbeat < 0 || c.Heartbeat >= c.Base:
		return fmt.Errorf("raft: a heartbeat every %v; it is 0s, or below the base of %v", c.Heartbeat, c.Base)
	case c.Terms < 0:
		return errors.New("raft: a negative number of terms")
	}
	return nil
}

// role is the role of a process in its term.
type role uint8

const (
	follower role = iota
	candidate
	leader
)

// String names the role.
func (r role) String() string {
	return [...]string{"follower", "candidate", "leader"}[r]
}

// The timers. Those of a process that knows its leader are in the background.
const (
	electionTimer protocols.Timer = 0
	watchTimer                    = protocols.Background     // of a follower, with heartbeats
	beatTimer                     = protocols.Background - 1 // of a leader, with heartbeats
)

// Process is one process.
type Process struct {
	id  election.Identity
	cfg Config

	// On stable storage.
	term     int
	voted    bool // in this term
	votedFor election.Identity

	role   role
	votes  []bool            // of a candidate: the votes for it in this term, by address
	waits  bool              // the election timer runs
	known  bool              // it knows the leader of this term
	leader election.Identity // if known
	gaveUp bool              // no term is left
}

var (
	_ election.Process[Message]    = (*Process)(nil)
	_ protocols.Recoverer[Message] = (*Process)(nil)
	_ protocols.Stable[Message]    = (*Process)(nil)
)

// New returns the process with this identity. It panics on an invalid configuration.
func New(id election.Identity, cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Process{id: id, cfg: cfg}
}

// Term is the current term of the process; 0 is before the first.
func (p *Process) Term() int { return p.term }

// Round implements [protocols.Rounder]: it is the term.
func (p *Process) Round() int { return p.term }

// Candidate reports whether the process has asked for votes, and waits for them.
func (p *Process) Candidate() bool { return p.role == candidate }

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision {
	switch {
	case p.role == leader:
		return election.Decision{Status: election.Leader, Leader: p.id, Term: p.term}
	case p.known:
		return election.Decision{Status: election.Follower, Leader: p.leader, Term: p.term}
	case p.gaveUp:
		return election.Decision{Term: p.term}
	}
	return election.Decision{}
}

// Start makes a process wait for a leader. A leader announces itself again.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.role == leader {
		p.announce(n)
		return
	}
	p.wait(n)
}

// Restore implements [protocols.Stable].
func (p *Process) Restore(crashed protocols.Process[Message]) {
	was := crashed.(*Process)
	p.term, p.voted, p.votedFor = was.term, was.voted, was.votedFor
}

// Recover implements [protocols.Recoverer]: a server begins as a follower.
func (p *Process) Recover(n protocols.Node[Message]) { p.wait(n) }

// Receive handles the four messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	later := m.Term > p.term
	if later {
		p.enter(m.Term)
	}
	switch m.Type {
	case RequestVote:
		granted := m.Term == p.term && (!p.voted || p.votedFor == m.ID)
		if granted {
			p.voted, p.votedFor = true, m.ID
			if p.role == follower && !p.known {
				p.wait(n)
			}
		}
		n.Send(from, Message{Type: Vote, Term: p.term, Granted: granted})
	case Vote:
		if p.role == candidate && m.Term == p.term && m.Granted {
			p.votes[from] = true
			p.count(n)
		}
	case AppendEntries:
		if m.Term == p.term {
			p.follow(n, m.ID)
		}
		n.Send(from, Message{Type: AppendReply, Term: p.term})
	case AppendReply:
		// It carries only its term.
	default:
		panic(protocols.Unknown(m))
	}
	if later && !p.known && !p.waits {
		p.wait(n) // it led an earlier term, or followed its leader
	}
}

// Timeout handles the three timers.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	switch t {
	case electionTimer, watchTimer:
		p.campaign(n)
	case beatTimer:
		p.announce(n)
	default:
		panic(fmt.Sprintf("raft: process %d never sets timer %d, yet it expired", p.id, t))
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(t protocols.Timer) string {
	return map[protocols.Timer]string{electionTimer: "election", watchTimer: "watch", beatTimer: "beat"}[t]
}

// enter makes the process a follower in a later term, whose leader it does not know yet.
func (p *Process) enter(term int) {
	p.term, p.voted, p.votedFor = term, false, 0
	p.role, p.votes = follower, nil
	p.known, p.leader, p.gaveUp = false, 0, false
}

// campaign begins a term.
func (p *Process) campaign(n protocols.Node[Message]) {
	p.waits, p.known, p.leader = false, false, 0
	if p.cfg.Terms > 0 && p.term >= p.cfg.Terms {
		p.gaveUp = true
		return
	}
	p.enter(p.term + 1)
	p.role, p.voted, p.votedFor = candidate, true, p.id
	p.votes = make([]bool, n.Degree()+1)
	p.votes[n.ID()] = true
	p.wait(n)
	broadcast(n, Message{Type: RequestVote, Term: p.term, ID: p.id})
	p.count(n)
}

// count makes a candidate with the votes of a majority the leader.
func (p *Process) count(n protocols.Node[Message]) {
	votes := 0
	for _, granted := range p.votes {
		if granted {
			votes++
		}
	}
	if votes > len(p.votes)/2 {
		p.role, p.votes = leader, nil
		p.rest(n)
		p.announce(n)
	}
}

// follow makes the process follow the leader of its term.
func (p *Process) follow(n protocols.Node[Message], id election.Identity) {
	p.role, p.votes = follower, nil
	p.known, p.leader = true, id
	p.rest(n)
	if p.cfg.Heartbeat > 0 {
		n.SetTimer(watchTimer, p.timeout(n))
	}
}

// announce tells the others that this process leads.
func (p *Process) announce(n protocols.Node[Message]) {
	broadcast(n, Message{Type: AppendEntries, Term: p.term, ID: p.id})
	if p.cfg.Heartbeat > 0 {
		n.SetTimer(beatTimer, p.cfg.Heartbeat)
	}
}

// wait makes the process begin a term after a timeout, unless it hears of a leader or
// votes before.
func (p *Process) wait(n protocols.Node[Message]) {
	p.rest(n)
	p.waits = true
	n.SetTimer(electionTimer, p.timeout(n))
}

// rest stops all waiting.
func (p *Process) rest(n protocols.Node[Message]) {
	p.waits, p.gaveUp = false, false
	n.StopTimer(electionTimer)
	if p.cfg.Heartbeat > 0 {
		n.StopTimer(watchTimer)
		n.StopTimer(beatTimer)
	}
}

// timeout draws an election timeout.
func (p *Process) timeout(n protocols.Node[Message]) time.Duration {
	if p.cfg.Width == 0 {
		return p.cfg.Base
	}
	return p.cfg.Base + p.cfg.Grain*time.Duration(n.Intn(int(p.cfg.Width/p.cfg.Grain)+1))
}

func broadcast(n protocols.Node[Message], m Message) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), m)
	}
}
