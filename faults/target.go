package faults

import (
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Target is the run on which a plan is installed.
type Target interface {
	// Now is the present instant, 0 before the run.
	Now() des.Time
	// Alive reports whether a process is.
	Alive(p protocols.ID) bool
	// CrashAt, RestartAt and StartAt have a process crash, come back, or wake up
	// spontaneously, at t, which may be now. Events of one instant happen in the
	// order in which they were planned, before any message arrives.
	CrashAt(p protocols.ID, t des.Time)
	RestartAt(p protocols.ID, t des.Time)
	StartAt(p protocols.ID, t des.Time)
	// InterveneAt calls Injector.Due with the token at t.
	InterveneAt(t des.Time, token uint32)
	// InterveneAfter does so after the event of that number, counted from 1.
	InterveneAfter(events uint64, token uint32)
	// ReleaseAt offers again at t, in their order, the messages and timers that
	// were told to wait until then: messages before any other that arrives at that
	// instant, so that none of the same link overtakes them. Behind one that has to
	// wait again, the others of its link, or timers of its process, wait too.
	ReleaseAt(t des.Time)
	// SetLine changes what the links of the set do to messages from now on; the
	// line has passed the check of Words. An empty line is that of the beginning.
	SetLine(set links.Set, line string)
	// AdjustClock sets the clock of a process forward by step, which may be
	// negative, and has it run drift nanoseconds a second fast, or slow if
	// negative, from now on.
	AdjustClock(p protocols.ID, step time.Duration, drift int64)
}
