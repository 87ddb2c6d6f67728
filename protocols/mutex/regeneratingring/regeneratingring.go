// Package regeneratingring is the token ring that survives the loss of its token: who
// waits for it in vain claims the right to make a new one, one of the claims gets round
// the ring, and tokens of an older generation are swallowed.
//
// Paper: G. Le Lann, "Distributed systems: towards a formal approach", IFIP Congress
// 1977: a process that misses the token for longer than a round of it starts an
// election on the ring, and who wins makes the new one.
//
// Model: asynchronous complete graph whose ports give the logical ring, Neighbor(k)
// being k+1 steps ahead; processes crash at any time and stay dead; a perfect detector;
// delays that are bounded, which only liveness needs. Links need not be FIFO and may
// lose messages, but not duplicate them.
//
// Cost, n > 1 processes, messages until the last client has left, the pass included
// with which it gives the token away: as package tokenring, as long as no token is
// taken for lost, under every schedule. If the token is lost, those that wait claim when
// Timeout is over, with m live processes
//
//	one claims       m CLAIM and m message times, and it is inside
//	k next to each   m + k-1 CLAIM, for a claim ends at the first process that
//	other claim      claims more; as many message times
//
// Invariants: (a) At most one process has a token, or will ever take one that is under
// way: a process takes no token of a generation below the largest that it knows, and no
// claim goes through a process that has a token. So when a claim is home at its
// claimant, and that knows no larger generation, all have sworn off the tokens that
// there were, and nobody has one. This takes no bounds on delays, only that the ring
// leaves out nobody who lives. (b) Of a generation there is one token at most:
// generations of different claimants differ, each claims a larger one every time, and
// where a claim meets a token, the claim ends and the token takes its generation, so
// that those behind the claim will take it. (c) If Timeout is no less than n message
// times, a claim is home before its claimant claims again, and unless others crash the
// largest of those under way gets there: whoever waits gets in.
//
// For (a), take the first token of a generation g that is made by its claim while
// somebody has, or will take, another. That is of a larger generation h. A token that
// was made as h had its claim go through the claimant of g, which then would not make
// g. So it is an older token that took generation h from a claim, at a process that
// had the token then, where the claim of g neither had been, for since it would not
// have taken that token, nor came by later, for h is larger.
//
// Deviations from Le Lann, who leaves them open: (1) The token leaves at 0 when those
// have started that start then. Who is alone keeps it, and makes it, without a message.
// (2) Only who waits watches, from its request on, and each claims anew when Timeout is
// over again. (3) Claims carry generations, as above, so that a Timeout that is too
// short costs messages and no exclusion; Le Lann's, of identities alone, trusts the
// timeout. J. Misra's two tokens that each see the loss of the other (CACM 26(5), 1983)
// need no timeout, but FIFO links, and do not survive a crash. (4) Successors that the
// detector suspects are passed over when a message is sent; one that dies with a
// message takes that with it. (5) Who comes back from a crash, which the model excludes,
// has no token.
package regeneratingring

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Config is how patient those are that wait.
type Config struct {
	// Timeout is how long they wait for the token before they claim. It must be
	// positive, and to be sure to get in no less than n times the delay of a message.
	// If it is longer than a round of the token, of n delays and the time that n-1
	// stay inside, nobody claims in vain.
	Timeout time.Duration
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
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
	generation int  // of the token if it is here; else the largest known
	claiming   bool // has claimed that generation, and nothing was heard of since
}

var (
	_ mutex.Lock[Message]          = (*Lock)(nil)
	_ protocols.Booter[Message]    = (*Lock)(nil)
	_ protocols.Recoverer[Message] = (*Lock)(nil)
)

// New returns the lock of a process that has the token in the beginning, or not. It
// panics on an invalid configuration.
func New(token bool, cfg Config) *Lock {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Lock{cfg: cfg, token: token}
}

// The timers of a lock.
const (
	depart protocols.Timer = iota // the token leaves for the first time
	watch                         // the token is overdue
)

// Boot sends the token on its way, when those that start at the same time have.
func (l *Lock) Boot(n protocols.Node[Message]) {
	if l.token {
		n.SetTimer(depart, 0)
	}
}

// Recover comes back without the token.
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
		// Swallowed: a new one is made, or was.
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

// take has the token, of that generation.
func (l *Lock) take(n protocols.Node[Message], generation int) {
	l.token, l.generation, l.claiming = true, generation, false
	if l.wants {
		n.StopTimer(watch)
	} else {
		l.pass(n)
	}
}

// pass hands the token on. Who is alone keeps it.
func (l *Lock) pass(n protocols.Node[Message]) {
	if to := l.successor(n); to != n.ID() {
		l.token = false
		n.Send(to, Message{Type: Token, Generation: l.generation})
	}
}

// claim asks all others to forgo the tokens of before, for a generation that is
// larger than any known, and nobody else's.
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

// weigh lets a claim pass that is larger than what is known, unless the token is here.
func (l *Lock) weigh(n protocols.Node[Message], m Message) {
	if m.Generation <= l.generation {
		return
	}
	l.generation, l.claiming = m.Generation, false
	switch {
	case l.token: // it goes on under the generation that others have let pass
		return
	case l.wants:
		n.SetTimer(watch, l.cfg.Timeout)
	}
	if to := l.successor(n); to != n.ID() { // else the claimant is dead, and all others
		n.Send(to, m)
	}
}

// successor is the next on the ring that lives.
func (l *Lock) successor(n protocols.Node[Message]) protocols.ID {
	for port := range n.Degree() {
		if p := n.Neighbor(port); !protocols.Suspects(n, p) {
			return p
		}
	}
	return n.ID()
}
