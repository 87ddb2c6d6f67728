package netem

import (
	"time"

	"bullring/protocols"
)

// Adversary makes a run go wrong: it is asked at every point at which a fault
// can strike. Its methods are called in the order in which things happen, and a
// run without an adversary does not pay for them. It acts on the run through the
// network's CrashAt, RestartAt, StartAt, InterveneAt, InterveneAfter, ReleaseAt,
// SetLine and AdjustClock.
//
// The types are those of package protocols and of the standard library, so that
// a package of fault plans need not know this one.
type Adversary interface {
	// Due: an instant has come for which the adversary asked by InterveneAt or
	// InterveneAfter.
	Due(token uint32)
	// Steps: a process has handled something, and what it sent is about to
	// leave. handled is the kind of the message that it handled, -1 if it
	// started, recovered or heard a timer.
	Steps(who protocols.ID, handled int)
	// Leaves is asked of each message of the step, in the order of the sends. If
	// crash is true, the process crashes right after this message, or, if leaves
	// is false, right before it. Messages behind a crash were never sent.
	Leaves(from, to protocols.ID, kind int) (leaves, crash bool)
	// Sent is asked of a message that is handed to its link: how many copies of
	// it go on their way (0: it is lost), by how much they are delayed beyond
	// what the link does, and, if forge is not nil, what it makes of the
	// identities in it, if the algorithm has opted in.
	Sent(from, to protocols.ID, kind int) (copies int, delay time.Duration, forge func(identity int64) int64)
	// Arrives is asked of a message that arrives at a live process: whether it
	// is lost there or, if not, for how long it has to wait before it is asked of
	// again. 0 is not at all, negative until a release, and then those behind it on its link
	// wait too.
	Arrives(to, from protocols.ID, kind int) (wait time.Duration, lost bool)
	// Expires is asked of a timer of a live process that expires: for how long
	// the process does not notice, as with Arrives.
	Expires(who protocols.ID) (wait time.Duration)
}
