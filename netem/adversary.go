package netem

import (
	"time"

	"bullring/protocols"
)

// Adversary injects faults: the network asks it wherever a fault can strike, in the order of
// the run. A run without an adversary does not pay for it. It acts through the network's
// CrashAt, RestartAt, StartAt, InterveneAt, InterveneAfter, ReleaseAt, SetLine and AdjustClock.
//
// The methods use only types of package protocols and of the standard library, so a package
// of fault plans need not import this one.
type Adversary interface {
	// Due is called at an instant for which the adversary asked by InterveneAt or
	// InterveneAfter.
	Due(token uint32)
	// Steps is called when a process has handled an event, before its messages leave.
	// handled is the kind of the message that it handled, -1 if it started, recovered or
	// handled a timer.
	Steps(who protocols.ID, handled int)
	// Leaves is called for each message of the step, in the order of the sends. If crash is
	// true, the process crashes right after this message, or right before it if leaves is
	// false. Later messages of the step were never sent.
	Leaves(from, to protocols.ID, kind int) (leaves, crash bool)
	// Sent is called for a message that is handed to its link. It returns how many copies
	// are sent (0: the message is lost) and a delay beyond that of the link. A forge that
	// is not nil replaces the identities in the message, if the algorithm has opted in.
	Sent(from, to protocols.ID, kind int) (copies int, delay time.Duration, forge func(identity int64) int64)
	// Arrives is called for a message that arrives at a live process. It returns whether
	// the message is lost there, and otherwise how long it waits until Arrives is called
	// again: 0 is not at all; negative is until a release, and then later messages of its
	// link wait too.
	Arrives(to, from protocols.ID, kind int) (wait time.Duration, lost bool)
	// Expires is called for a timer of a live process that expires. It returns how long the
	// process does not notice, as Arrives does.
	Expires(who protocols.ID) (wait time.Duration)
}

// Carrier is an optional extension of Adversary, for runs with an Alteration.
type Carrier interface {
	// Carries is called after Sent for the same message. If yes is true, exactly one copy
	// arrives, so long after it was sent: see Alteration.Carry.
	Carries() (after time.Duration, yes bool)
}
