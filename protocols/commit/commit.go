// Package commit is what algorithms of atomic commitment have in common: processes vote on a
// transaction, and all commit it or all abort it (Ö. Babaoğlu and S. Toueg, "Non-blocking atomic
// commitment", in S. Mullender, "Distributed Systems", 1993).
//
//	AC1  no two processes decide differently, be they alive or not
//	AC2  a process commits only if all have voted yes
//	AC3  if all vote yes and none has crashed, no process aborts
//	AC4  a process decides once
//	AC5  every process that lives decides
//
// An algorithm that keeps AC5, whichever processes crash, is non-blocking.
package commit

import "bullring/protocols"

// Decision is what a process has decided.
type Decision uint8

// The decisions. The zero value is that of a process that has not decided.
const (
	Undecided Decision = iota
	Abort
	Commit
)

// String is the word for it.
func (d Decision) String() string { return [...]string{"undecided", "abort", "commit"}[d] }

// Said is what a process has said. Its zero value is that of a process that has not voted.
type Said struct {
	Yes      bool // it has voted to commit
	Decision Decision
}

// InDoubt reports whether the process has voted yes and knows no decision: it may not decide by
// itself.
func (s Said) InDoubt() bool { return s.Yes && s.Decision == Undecided }

// String prints what a process has said last, as a trace shows it: votes yes, commits.
func (s Said) String() string {
	switch {
	case s.Decision == Commit:
		return "commits"
	case s.Decision == Abort:
		return "aborts"
	case s.Yes:
		return "votes yes"
	}
	return "has not voted"
}

// Participant is a process of an algorithm of atomic commitment. A transformer between it and the
// network passes Said on.
type Participant interface {
	Said() Said
}

// Process is a process that votes and decides.
type Process[M any] interface {
	protocols.Process[M]
	Participant
}

// Coordinator is the address of the process that asks for the votes.
const Coordinator protocols.ID = 0
