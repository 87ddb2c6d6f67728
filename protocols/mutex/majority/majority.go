// Package majority is mutual exclusion by the votes of any majority of all processes.
//
// Paper: R. H. Thomas, "A majority consensus approach to concurrency control for
// multiple copy databases", ACM TODS 4(2), 1979; D. K. Gifford, "Weighted voting for
// replicated data", SOSP 1979, with one vote each. How votes are asked back, so that
// there is no deadlock, is Maekawa's (ACM TOCS 3(2), 1985): see maekawa.
//
// Model: asynchronous complete graph, reliable FIFO links. A minority of processes may
// crash while they neither wait nor are inside: a process that dies with the vote of
// others keeps it for ever, and with too many votes lets no other in.
//
// Cost per entry, a message taking one unit:
//
//	uncontended            3(n-1): every process is asked, votes, and gets its vote back
//	contended              2(n-1) to 6n-3 on average: a process with a majority does not
//	                       wait for more votes
//	client delay           2
//	synchronization delay  2: RELEASE and LOCKED; 1 where a process has its own vote
//
// Invariants: no process votes for two requests at once, and any two majorities have a
// voter in common.
//
// Deviations: the papers keep copies of data consistent, and a majority has to agree on
// every update. Here it agrees on the process inside, and there are no data.
package majority

import (
	"bullring/protocols"
	"bullring/protocols/mutex/maekawa"
)

// Message is one of Maekawa's six.
type Message = maekawa.Message

// New returns the lock of the process at address id, one of n.
func New(id protocols.ID, n int) *maekawa.Lock {
	votes := n/2 + 1
	return maekawa.New(id, maekawa.Config{Quorum: maekawa.Everybody(n)[id], Votes: votes})
}
