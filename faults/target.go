package faults

import (
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Target is the run on which an Injector acts.
type Target interface {
	// Now is the present instant, 0 before the run.
	Now() des.Time
	// Alive reports whether a process is alive.
	Alive(p protocols.ID) bool
	// CrashAt, RestartAt and StartAt make a process crash, restart, or wake up
	// spontaneously, at t, which may be now. At one instant they take effect in the
	// order of the calls, before any message arrives.
	CrashAt(p protocols.ID, t des.Time)
	RestartAt(p protocols.ID, t des.Time)
	StartAt(p protocols.ID, t des.Time)
	// InterveneAt calls Injector.Due with the token at t.
	InterveneAt(t des.Time, token uint32)
	// InterveneAfter does so after that number of events.
	InterveneAfter(events uint64, token uint32)
	// ReleaseAt offers at t, in their order, the messages and timers that were told
	// to wait. Waiting messages come before messages that arrive at that instant, so
	// that none of the same link overtakes them. If a message has to wait again, so
	// do those behind it on its link; if a timer has to, so do those of its process.
	ReleaseAt(t des.Time)
	// SetLine changes the line of the links of the set from now on. The line has
	// passed Words.Line. The empty line restores the line of the beginning.
	SetLine(set links.Set, line string)
	// ChangeLinks makes the links of the set go down or come up at t, which may be now, in both
	// directions, and tells their ends.
	ChangeLinks(set links.Set, t des.Time, up bool)
	// AdjustClock sets the clock of a process forward by step, which may be negative.
	// From now on the clock gains drift nanoseconds a second; a negative drift loses.
	AdjustClock(p protocols.ID, step time.Duration, drift int64)
}
