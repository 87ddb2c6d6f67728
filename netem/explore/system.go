package explore

import (
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// System is a distributed system of a few processes, to be explored.
type System[M protocols.Message] struct {
	Topology netem.Topology
	// Roots are the states in which runs begin: one, or one for each placement
	// of the identities and each set of initiators.
	Roots []Root[M]
	// Properties are what the Watch of every root judges.
	Properties []Property
	// Shown, if not nil, is what watches are shown of a process.
	Shown func(protocols.Process[M]) any
	Network
}

// Root is how runs begin.
type Root[M protocols.Message] struct {
	// Boot makes the process of an address, at the start and when it restarts.
	Boot       func(protocols.ID) protocols.Process[M]
	Initiators []protocols.ID
	Dead       []protocols.ID // from the start
	Watch      Watch
}

// Network is what may happen to messages, timers and processes.
type Network struct {
	// FIFO: a link delivers messages in the order in which they were sent.
	FIFO bool
	// Blind: the failure detector suspects nobody. Else it suspects whoever has
	// crashed.
	Blind bool
	// Bound is the longest delay of a message, in steps of Step. Together with the
	// timers it decides what can happen next: time passes in steps, a message
	// arrives 0 to Bound steps after it was sent, a timer expires on time, and at
	// one instant after the messages that cannot arrive any later. 0 is asynchrony:
	// messages and timers take as long as they like.
	Bound int
	Step  time.Duration
	// Budget is how often each fault may strike, all told.
	Budget Budget
	// Rotations: turning the ring turns runs into runs, because neither processes
	// nor messages hold addresses. So of states that differ by a rotation one is
	// explored. The Watch must be a Rotator, and there must be no restarts.
	Rotations bool
	// Commutes: what the Watch notes of steps of two processes does not depend on
	// which comes first, as long as nobody crashes; and what it has found to be
	// violated, or to hold sometimes, it says from then on.
	Commutes bool
	// Measure is what is added up along a run, as part of its state.
	Measure Measure
}

// Budget is how often each fault may strike in a run.
type Budget struct {
	Losses     int // messages that a link loses
	Duplicates int // messages that arrive once more
	Crashes    int // processes that stop, between two steps or between two sends of one
	Restarts   int // processes that come back
}

// Measure is something of which a run has more or less.
type Measure uint8

// What can be measured.
const (
	Nothing  Measure = iota
	Messages         // sent, but for those of protocols.Overhead
	Bits             // sent
	Depth            // of the longest chain of messages
	Time             // steps until the last message arrives or the Watch is another, where delays are bounded
)

// Watch sees a run and judges it. The explorer copies it, and takes watches whose
// fields are equal for the same. Now is the time since the run began; where delays
// are not bounded, or nobody restarts, it is always 1ns: who crashes or starts
// does so after the beginning, and no time passes.
type Watch interface {
	// Started tells of a spontaneous wake-up, after the step.
	Started(p protocols.ID, process any, now time.Duration)
	// Received tells that a process has handled a message.
	Received(p protocols.ID, process any, now time.Duration)
	// Expired tells that a process has handled a timer.
	Expired(p protocols.ID, process any, now time.Duration)
	// Crashed tells that a process has stopped.
	Crashed(p protocols.ID, now time.Duration)
	// Restarted tells that a process is back.
	Restarted(p protocols.ID, process any, now time.Duration)
	// Verdicts judges the run so far by each property. At rest nothing more will
	// happen.
	Verdicts(rest bool) []protocols.Verdict
}

// told is the time that a watch is told after so many steps of time. Nothing that
// happens in a run happens before 1ns.
func (n *Network) told(steps uint32) time.Duration {
	if n.Bound == 0 || n.Budget.Restarts == 0 {
		return 1
	}
	return time.Duration(steps)*n.Step + 1
}

// Rotator is a Watch that can be turned: what it knows of address p it knows of
// address p+1 mod n then.
type Rotator interface {
	Watch
	Rotate()
}

// Property is something that every run should have.
type Property struct {
	Name string
	Kind Kind
	Says string
}

// NoPanic is a property that every system should have. It comes before its own.
var NoPanic = Property{Name: "no-panic", Kind: Always, Says: "no handler panics"}

// Kind says when a property has to hold.
type Kind uint8

// The kinds of properties.
const (
	// Always: in every state; none is violated before the end.
	Always Kind = iota
	// Eventually: in every state in which a run comes to rest; and no run that goes
	// on for ever, and delays nothing for ever, is without it from some state on.
	Eventually
	// Sometimes: in some state. Without it the others say little.
	Sometimes
	// Finally: every run that puts nothing off for ever comes to rest, which is an
	// Eventually that no Watch need judge.
	Finally
)

var kindNames = [...]string{"always", "eventually", "sometimes", "eventually"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }
