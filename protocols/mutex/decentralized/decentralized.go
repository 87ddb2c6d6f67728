// Package decentralized is mutual exclusion by the votes of m of n coordinators. A
// coordinator may come back from a crash having forgotten its vote.
//
// Paper: S.-D. Lin, Q. Lian, M. Chen and Z. Zhang, "A practical distributed mutual
// exclusion protocol in dynamic peer-to-peer systems", IPTPS 2004, in the form of A. S.
// Tanenbaum and M. van Steen, "Distributed Systems", section "A decentralized
// algorithm".
//
// Model: asynchronous complete graph, reliable links that need not be FIFO. Coordinators
// may be reset: they crash and come back at once, with no memory of their vote. A
// coordinator that is away makes the processes wait that have asked it.
//
// Cost per entry at the k-th attempt, a message taking one unit:
//
//	messages      2mk + m, and one for every vote obtained in a failed attempt: m
//	              REQUEST an attempt, each answered by GRANT or DENY, and a RELEASE for
//	              every GRANT; 3m without contention, unless the next REQUEST of a
//	              process overtakes its RELEASE, and is denied
//	client delay  2k and the pauses between the attempts
//
// Exclusion is probable only. While one process is inside, m coordinators have voted
// for it and n-m have not. Another gets m votes once 2m-n of the voters were reset. If
// each is, independently, with probability p, that has probability
//
//	sum over j from 2m-n to m of C(m,j) p^j (1-p)^(m-j)
//
// No process is promised to get in. One with too few votes gives them back, pauses and
// tries again, any number of times. Where timers are as late as they like, two processes
// can deny each other their votes for ever. Where timers are punctual and delays bounded,
// the drawn pauses part them with probability 1: that is proven of two and of three.
//
// Invariants: a coordinator that was not reset has voted for at most one process, and
// votes again only when it has the vote back. A process enters with m votes.
//
// Deviations, where sources differ: (1) A process asks as many coordinators as it
// needs votes, drawn anew for every attempt, and waits for all answers. (2) It spares
// itself, unless it needs the votes of all. (3) The pause is one of a number of
// multiples of a unit, all equally probable.
package decentralized

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message carries nothing.
type Message uint8

// The four messages.
const (
	Request Message = iota // asks a coordinator for its vote
	Grant                  // the vote
	Deny                   // another process has the vote
	Release                // gives the vote back
)

var kinds = []string{"REQUEST", "GRANT", "DENY", "RELEASE"}

func (m Message) Kind() int      { return int(m) }
func (Message) Kinds() []string  { return kinds }
func (Message) Bits() int        { return 8 } // the kind
func (m Message) String() string { return kinds[m] }

// Config is the same for all processes.
type Config struct {
	// Coordinators are the addresses of the n coordinators.
	Coordinators []protocols.ID
	// Votes is the number of votes that it takes to enter: m, more than half.
	Votes int
	// Backoff is the unit of the pause after a failed attempt, which is 1 to Slots units.
	Backoff time.Duration
	Slots   int
}

// nobody is the address of no process.
const nobody protocols.ID = -1

// retry is the label of the timer of that pause.
const retry protocols.Timer = 0

// Lock is the algorithm at one process.
type Lock struct {
	id       protocols.ID
	cfg      Config
	open     int            // the number of missing answers in the present attempt
	votes    []protocols.ID // the coordinators that have voted for it
	inside   bool
	votedFor protocols.ID // as a coordinator; nobody if it has its vote
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of the process at address id. It panics unless the configuration
// needs a majority of the coordinators and has slots.
func New(id protocols.ID, cfg Config) *Lock {
	if n := len(cfg.Coordinators); 2*cfg.Votes <= n || cfg.Votes > n || cfg.Slots < 1 || cfg.Backoff < 0 {
		panic(fmt.Sprintf("decentralized: %d votes of %d coordinators, pauses of up to %d times %v", cfg.Votes, n, cfg.Slots, cfg.Backoff))
	}
	return &Lock{id: id, cfg: cfg, votes: []protocols.ID{}, votedFor: nobody}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.inside }

// Request implements [mutex.Lock]: the first attempt.
func (l *Lock) Request(n protocols.Node[Message]) { l.attempt(n) }

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.inside = false
	l.giveBack(n)
}

// Receive handles the four messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m {
	case Request:
		if l.voteFor(from) {
			n.Send(from, Grant)
		} else {
			n.Send(from, Deny)
		}
	case Grant, Deny:
		if l.open > 0 { // otherwise the answer is superfluous
			l.answered(n, from, m == Grant)
		}
	case Release:
		l.voteBack(from)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout ends the pause after a failed attempt.
func (l *Lock) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t != retry {
		panic(fmt.Sprintf("decentralized: process %d never sets timer %d, yet it expired", l.id, t))
	}
	l.attempt(n)
}

// TimerName implements [protocols.TimerNamer].
func (*Lock) TimerName(protocols.Timer) string { return "retry" }

// attempt asks as many coordinators as votes are needed.
func (l *Lock) attempt(n protocols.Node[Message]) {
	asked := l.draw(n)
	l.open = len(asked)
	for _, c := range asked {
		if c != l.id {
			n.Send(c, Request)
		}
	}
	if slices.Contains(asked, l.id) {
		l.answered(n, l.id, l.voteFor(l.id))
	}
}

// draw draws the coordinators to ask, by selection sampling (D. E. Knuth, The Art of
// Computer Programming, vol. 2, section 3.4.2).
func (l *Lock) draw(n protocols.Node[Message]) []protocols.ID {
	left := len(l.cfg.Coordinators)
	spare := l.cfg.Votes < left && slices.Contains(l.cfg.Coordinators, l.id)
	if spare {
		left--
	}
	var drawn []protocols.ID
	for _, c := range l.cfg.Coordinators {
		if spare && c == l.id {
			continue
		}
		needed := l.cfg.Votes - len(drawn)
		if needed == left || needed > 0 && n.Intn(left) < needed {
			drawn = append(drawn, c)
		}
		left--
	}
	return drawn
}

// answered notes an answer. The last one ends the attempt.
func (l *Lock) answered(n protocols.Node[Message], from protocols.ID, granted bool) {
	if granted {
		l.votes = append(l.votes, from)
	}
	if l.open--; l.open > 0 {
		return
	}
	if len(l.votes) == l.cfg.Votes {
		l.inside = true
		return
	}
	l.giveBack(n)
	n.SetTimer(retry, l.cfg.Backoff*time.Duration(1+n.Intn(l.cfg.Slots)))
}

// giveBack gives back all votes.
func (l *Lock) giveBack(n protocols.Node[Message]) {
	for _, c := range l.votes {
		if c == l.id {
			l.voteBack(l.id)
		} else {
			n.Send(c, Release)
		}
	}
	l.votes = l.votes[:0]
}

// voteFor is the vote of the coordinator for a process, unless it has voted.
func (l *Lock) voteFor(p protocols.ID) bool {
	if l.votedFor != nobody {
		return false
	}
	l.votedFor = p
	return true
}

// voteBack returns a vote to the coordinator, unless it has forgotten that vote.
func (l *Lock) voteBack(from protocols.ID) {
	if l.votedFor == from {
		l.votedFor = nobody
	}
}
