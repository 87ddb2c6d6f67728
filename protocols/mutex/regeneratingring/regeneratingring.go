// Package regeneratingring is the token ring that survives the loss of its token. A
// process that waits for it in vain claims the right to make a new one. One of the claims
// gets round the ring, and tokens of an older generation are swallowed.
//
// Paper: G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress
// 1977: a process that misses the token for longer than a round of it starts an
// election on the ring, and the winner makes the new one.
//
// Model: asynchronous complete graph whose ports give the logical ring, neighbour k
// being k+1 steps ahead; processes crash at any time and stay dead; a perfect detector;
// bounded delays, which only liveness needs. Links need not be FIFO and may lose messages,
// but not duplicate them.
//
// Cost, n > 1 processes, messages until the last client has left, the pass included
// with which it gives the token away: as tokenring, as long as no token is
// taken for lost, under every schedule. If the token is lost, waiting processes claim
// after the timeout; with m live processes
//
//	one claims       m CLAIM and m message times, and it is inside
//	k next to each   m + k-1 CLAIM, for a claim ends at the first process that
//	other claim      claims more; as many message times
//
// Invariants: (a) At most one process has a token, or will ever take one that is under
// way. A process takes no token of a generation below the largest that it knows, and no
// claim goes through a process that has a token. So when a claim is home at its
// claimant, which knows no larger generation, all processes have renounced the tokens that
// there were, and none has one. This takes no bounds on delays, only that the ring leaves
// out no live process. (b) A generation has at most one token: generations of different
// claimants differ, and each claims a larger one every time. Where a claim meets a token,
// the claim ends and the token takes its generation, so that the processes behind the
// claim will take it. (c) If the timeout is no less than n message times, a claim is home
// before its claimant claims again, and unless processes crash the largest claim under way
// gets there: every waiting process gets in.
//
// For (a), take the first token of a generation g that its claim makes while a process
// has, or will take, another token. That one is of a larger generation h. If h was made by
// its claim, that claim went through the claimant of g, which then would not make g. So it
// is an older token that took generation h from a claim, at a process that had the token
// then. The claim of g had not been at that process, for then the process would not have
// taken that token; nor did it come by later, for h is larger.
//
// Deviations from Le Lann, who leaves these points open: (1) The token leaves at 0, after
// the processes that start at 0 have started. A process that is alone keeps it, and makes
// it, without a message. (2) Only a waiting process watches, from its request on, and
// claims anew after each timeout. (3) Claims carry generations, as above, so a timeout
// that is too short costs messages but not exclusion. Le Lann's claims, of identities
// alone, trust the timeout. J. Misra's two tokens that each see the loss of the other
// (CACM 26(5), 1983) need no timeout, but FIFO links, and do not survive a crash. (4) A
// message passes over successors that the detector suspects; a process that dies with a
// message takes it along. (5) A process that comes back from a crash, which the model
// excludes, has no token.
package regeneratingring

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Config is the same for all processes.
type Config struct {
	// Timeout is the time that a process waits for the token before it claims. It must
	// be positive. To be sure to get in it must be no less than n times the delay of a
	// message. If it is longer than a round of the token, n delays and the time that n-1
	// processes stay inside, no process claims in vain.
	Timeout time.Duration
}

// validate reports what is wrong with the configuration.
func (c Config) validate() error {
	if c.Timeout <= 0 {
		return fmt.Errorf("regeneratingring: Timeout is %v, and must be positive", c.Timeout)
	}
	return nil
}

// Lock is the lock of one process.
type Lock struct {
	cfg        Config
	token      bool
	wants      bool // from a request to its release
	generation int  // of the token if it is here; otherwise the largest known
	claiming   bool // has claimed that generation, and has not heard of a larger one
}

var (
	_ mutex.Lock[Message]          = (*Lock)(nil)
	_ protocols.Booter[Message]    = (*Lock)(nil)
	_ protocols.Recoverer[Message] = (*Lock)(nil)
)

// New returns the lock of a process. token: it has the token at the beginning. New panics
// on an invalid configuration.
func New(token bool, cfg Config) *Lock {
	if err := cfg.validate(); err != nil {
		panic(err)
	}
	return &Lock{cfg: cfg, token: token}
}

// The timers of a lock.
const (
	depart protocols.Timer = iota // the token leaves for the first time
	watch                         // the token is overdue
)

// Boot sends the token on its way, after the processes that start at the same time.
func (l *Lock) Boot(n protocols.Node[Message]) {
	if l.token {
		n.SetTimer(depart, 0)
	}
}

// Recover implements [protocols.Recoverer]: the token is lost.
func (l *Lock) Recover(n protocols.Node[Message]) {
	l.token = false
	n.StopTimer(depart)
}

// Request implements [mutex.Lock].
func (l *Lock) Request(n protocols.Node[Message]) {
	l.wants = true
	if !l.token {
		n.SetTimer(watch, l.cfg.Timeout)
	}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.wants && l.token }

// Release implements [mutex.Lock].
func (l *Lock) Release(n protocols.Node[Message]) {
	l.wants = false
	l.pass(n)
}

// Receive handles the two messages.
func (l *Lock) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch {
	case m.Type == Token && m.Generation < l.generation:
		// Swallowed: a newer token exists, or will.
	case m.Type == Token:
		l.take(n, m.Generation)
	case m.Type == Claim && m.Claimant == n.ID():
		if l.claiming && m.Generation == l.generation {
			l.take(n, m.Generation)
		}
	case m.Type == Claim:
		l.weigh(n, m)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout handles the two timers.
func (l *Lock) Timeout(n protocols.Node[Message], t protocols.Timer) {
	switch t {
	case depart:
		if l.token && !l.wants {
			l.pass(n)
		}
	case watch:
		l.claim(n)
	default:
		panic(fmt.Sprintf("regeneratingring: process %d never sets timer %d, yet it expired", n.ID(), t))
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Lock) TimerName(t protocols.Timer) string {
	if t == depart {
		return "depart"
	}
	return "watch"
}

// take takes the token, which is of that generation.
func (l *Lock) take(n protocols.Node[Message], generation int) {
	l.token, l.generation, l.claiming = true, generation, false
	if l.wants {
		n.StopTimer(watch)
	} else {
		l.pass(n)
	}
}

// pass hands the token on. A process that is alone keeps it.
func (l *Lock) pass(n protocols.Node[Message]) {
	if to := l.successor(n); to != n.ID() {
		l.token = false
		n.Send(to, Message{Type: Token, Generation: l.generation})
	}
}

// claim asks all others to renounce older tokens, for a generation that is larger than
// any known and that no other process claims.
func (l *Lock) claim(n protocols.Node[Message]) {
	size := n.Degree() + 1
	l.generation = (l.generation/size+1)*size + int(n.ID())
	l.claiming = true
	n.SetTimer(watch, l.cfg.Timeout)
	if to := l.successor(n); to == n.ID() {
		l.take(n, l.generation)
	} else {
		n.Send(to, Message{Type: Claim, Generation: l.generation, Claimant: n.ID()})
	}
}

// weigh passes a claim on if its generation is larger than any known, unless the token
// is here.
func (l *Lock) weigh(n protocols.Node[Message], m Message) {
	if m.Generation <= l.generation {
		return
	}
	l.generation, l.claiming = m.Generation, false
	switch {
	case l.token: // the token takes the generation, and the claim ends
		return
	case l.wants:
		n.SetTimer(watch, l.cfg.Timeout)
	}
	if to := l.successor(n); to != n.ID() { // otherwise all others are dead
		n.Send(to, m)
	}
}

// successor is the next live process on the ring.
func (l *Lock) successor(n protocols.Node[Message]) protocols.ID {
	for port := range n.Degree() {
		if p := n.Neighbor(port); !n.Suspects(p) {
			return p
		}
	}
	return n.ID()
}
