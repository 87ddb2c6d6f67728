// Package maekawa is mutual exclusion by the votes of a quorum. Any two quorums have a
// process in common.
//
// Paper: M. Maekawa, "A sqrt(N) algorithm for mutual exclusion in decentralized
// systems", ACM TOCS 3(2), 1985; the deadlock handling as corrected by B. A. Sanders,
// "The information structure of distributed mutual exclusion algorithms", ACM TOCS
// 5(3), 1987.
//
// Model: asynchronous complete graph, reliable FIFO links. No crashes: a quorum needs
// all of its votes.
//
// Cost per entry with quorums of K processes, oneself included, a message taking one
// unit:
//
//	uncontended            3(K-1): REQUEST, LOCKED, RELEASE
//	contended              6K-3 at most on average: a REQUEST may cause FAILED, or
//	                       INQUIRE, RELINQUISH and another LOCKED, of its own
//	                       voter, too
//	client delay           2
//	synchronization delay  2: RELEASE and LOCKED; 1 where the common voter is one of
//	                       the two
//
// Invariants: a voter has given its vote to at most one request. Only the first of its
// queue may hope: it is earlier than the request that has the vote, which has been sent
// INQUIRE. All others have been sent FAILED since they last had LOCKED, or have given the
// vote back themselves. So where processes that may hope wait for the votes of each
// other, each waits for a request later than its own, and the last has heard FAILED: it
// gives its votes back.
//
// Deviations: (1) A voter that puts a request before the first of its queue sends that one
// FAILED, if it could hope so far (Sanders). (2) All messages carry the time of the request
// that they are about: where fewer votes than voters are enough, as in majority, a
// message may still be under way when the next request is made. (3) Without deadlock
// handling voters serve in the order of arrival. (4) A process is its own voter; what it
// tells itself is no message, and is handled when its present handler is done.
package maekawa

import (
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Message carries the time of the request that it is about.
type Message = mutex.Timed[kinds]

// The six messages.
const (
	Request    protocols.Type = iota // asks a voter for its vote
	Locked                           // the vote
	Failed                           // another request comes first
	Inquire                          // asks for the vote back, if the process has failed elsewhere
	Relinquish                       // gives the vote back for now
	Release                          // gives the vote back for good
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"REQUEST", "LOCKED", "FAILED", "INQUIRE", "RELINQUISH", "RELEASE"}

// Config chooses the variant.
type Config struct {
	// Quorum is the processes that vote on the requests of this process.
	Quorum []protocols.ID
	// Votes is the number of votes that it needs.
	Votes int
	// Naive: there are no INQUIRE, RELINQUISH and FAILED. Processes that each have some
	// of the votes wait for each other for ever.
	Naive bool
}

// claim is a request at a voter. The zero value is none.
type claim struct {
	time int64 // from 1
	by   protocols.ID
}

// String prints the claim: 0 at time 3.
func (c claim) String() string {
	if c == (claim{}) {
		return "none"
	}
	return fmt.Sprintf("%d at time %d", c.by, c.time)
}

// compare orders claims: the smaller is served first.
func compare(a, b claim) int {
	if a.time != b.time {
		return int(a.time - b.time)
	}
	return int(a.by - b.by)
}

// answer is the last answer of a voter to the open request.
type answer uint8

const (
	silent answer = iota
	locked
	inquired // locked, and INQUIRE has come
	failed
)

// String names the answer.
func (a answer) String() string {
	return [...]string{"silent", "locked", "inquired", "failed"}[a]
}

// Lock is the algorithm at one process.
type Lock struct {
	protocols.NoTimers[Message]

	id  protocols.ID
	cfg Config

	latest  int64 // the largest time of a request that it has seen
	time    int64 // of its own open request, 0 if there is none
	answers []answer
	inside  bool

	// As a voter.
	vote    claim
	inquiry bool    // the process that has the vote was sent INQUIRE
	queue   []claim // the waiting requests, in the order of service

	own []Message // from the process to itself; empty between two handlers
}

var _ mutex.Lock[Message] = (*Lock)(nil)

// New returns the lock of the process at address id. It panics unless Votes is from 1 to
// the size of the quorum.
func New(id protocols.ID, cfg Config) *Lock {
	if cfg.Votes < 1 || cfg.Votes > len(cfg.Quorum) {
		panic(fmt.Sprintf("maekawa: process %d needs %d votes of the quorum %v", id, cfg.Votes, cfg.Quorum))
	}
	return &Lock{id: id, cfg: cfg, answers: make([]answer, len(cfg.Quorum)), queue: []claim{}, own: []Message{}}
}

// Granted implements [mutex.Lock].
func (l *Lock) Granted() bool { return l.inside }

// Request asks the quorum.
func (l *Lock) Request(n protocols.Node[Message]) {
	l.latest++
	l.time = l.latest
	for _, voter := range l.cfg.Quorum {
		l.tell(n, voter, Message{Type: Request, Time: l.time})
	}
	l.settle(n)
}

// Release gives all votes back, and withdraws the request at the other voters.
func (l *Lock) Release(n protocols.Node[Message]) {
	l.inside = false
	clear(l.answers)
	time := l.time
	l.time = 0
	for _, voter := range l.cfg.Quorum {
		l.tell(n, voter, Message{Type: Release, Time: time})
	}
	l.settle(n)
}

// Receive handles the six messages.
func (l *Lock) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	l.handle(n, from, m)
	l.settle(n)
}

func (l *Lock) tell(n protocols.Node[Message], to protocols.ID, m Message) {
	if to == l.id {
		l.own = append(l.own, m)
		return
	}
	n.Send(to, m)
}

// settle handles the messages of the process to itself.
func (l *Lock) settle(n protocols.Node[Message]) {
	for i := 0; i < len(l.own); i++ {
		l.handle(n, l.id, l.own[i])
	}
	l.own = l.own[:0]
}

func (l *Lock) handle(n protocols.Node[Message], from protocols.ID, m Message) {
	c := claim{m.Time, from}
	switch m.Type {
	case Request:
		l.latest = max(l.latest, m.Time)
		l.claimed(n, c)
	case Relinquish, Release:
		l.returned(n, c, m.Type == Relinquish)
	case Locked, Failed, Inquire:
		voter := slices.Index(l.cfg.Quorum, from)
		if m.Time == l.time && !l.inside && voter >= 0 {
			l.answered(n, voter, m.Type)
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// claimed is the voter's answer to a request: it votes for it, or queues it.
func (l *Lock) claimed(n protocols.Node[Message], c claim) {
	switch {
	case l.vote == claim{}:
		l.voteFor(n, c)
		return
	case l.cfg.Naive:
		l.queue = append(l.queue, c)
		return
	}
	place, _ := slices.BinarySearchFunc(l.queue, c, compare)
	l.queue = slices.Insert(l.queue, place, c)
	if place > 0 || compare(l.vote, c) < 0 {
		l.tell(n, c.by, Message{Type: Failed, Time: c.time})
		return
	}
	if len(l.queue) > 1 && compare(l.queue[1], l.vote) < 0 {
		l.tell(n, l.queue[1].by, Message{Type: Failed, Time: l.queue[1].time})
	}
	if !l.inquiry {
		l.inquiry = true
		l.tell(n, l.vote.by, Message{Type: Inquire, Time: l.vote.time})
	}
}

// returned is called when a vote comes back: the voter votes for the next request. A
// request without the vote is withdrawn.
func (l *Lock) returned(n protocols.Node[Message], c claim, waits bool) {
	if l.vote != c {
		l.queue = slices.DeleteFunc(l.queue, func(q claim) bool { return q == c })
		return
	}
	if waits {
		place, _ := slices.BinarySearchFunc(l.queue, c, compare)
		l.queue = slices.Insert(l.queue, place, c)
	}
	l.vote, l.inquiry = claim{}, false
	if len(l.queue) > 0 {
		next := l.queue[0]
		l.queue = slices.Delete(l.queue, 0, 1)
		l.voteFor(n, next)
	}
}

func (l *Lock) voteFor(n protocols.Node[Message], c claim) {
	l.vote = c
	l.tell(n, c.by, Message{Type: Locked, Time: c.time})
}

// answered notes the answer of a voter to the open request. A process that has failed at
// one voter gives back every vote that it is asked for.
func (l *Lock) answered(n protocols.Node[Message], voter int, what protocols.Type) {
	switch {
	case what == Locked:
		l.answers[voter] = locked
		l.inside = l.votes() >= l.cfg.Votes
		return
	case what == Failed:
		l.answers[voter] = failed
	case l.answers[voter] == locked:
		l.answers[voter] = inquired
	}
	if !slices.Contains(l.answers, failed) {
		return
	}
	for i, a := range l.answers {
		if a == inquired {
			l.answers[i] = failed
			l.tell(n, l.cfg.Quorum[i], Message{Type: Relinquish, Time: l.time})
		}
	}
}

func (l *Lock) votes() int {
	votes := 0
	for _, a := range l.answers {
		if a == locked || a == inquired {
			votes++
		}
	}
	return votes
}
