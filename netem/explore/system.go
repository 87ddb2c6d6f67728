package explore

import (
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// System is a distributed system of a few processes.
type System[M protocols.Message] struct {
	Topology netem.Topology
	// Roots are the states in which runs begin: one, or one for each placement
	// of the identities and each set of initiators.
	Roots []Root[M]
	// Properties are judged by the Watch of every root.
	Properties []Property
	// Shown, if not nil, gives watches a view of a process in its place.
	Shown func(protocols.Process[M]) any
	Network
}

// Root is a beginning of runs.
type Root[M protocols.Message] struct {
	// Boot makes the process of an address, at the start and when it restarts.
	Boot func(protocols.ID) protocols.Process[M]
	// Reboot, if not nil, makes the process of an address that restarts.
	Reboot     func(protocols.ID) protocols.Process[M]
	Initiators []protocols.ID
	Dead       []protocols.ID // from the start
	Watch      Watch
}

// reboot makes the process of an address that restarts.
func (r *Root[M]) reboot(p protocols.ID) protocols.Process[M] {
	if r.Reboot != nil {
		return r.Reboot(p)
	}
	return r.Boot(p)
}

// Network says what may happen to messages, timers and processes.
type Network struct {
	// FIFO: a link delivers messages in the order in which they were sent.
	FIFO bool
	// Blind: the failure detector suspects no process. Otherwise it suspects exactly
	// the crashed ones.
	Blind bool
	// Bound is the longest delay of a message, in steps of Step. Time passes in steps:
	// a message arrives 0 to Bound steps after it was sent, and a timer expires on
	// time. At one instant the messages that cannot arrive any later come before the
	// timers. 0 is asynchrony: messages and timers may take any time.
	Bound int
	Step  time.Duration
	// Budget limits the faults of a run.
	Budget Budget
	// Down are the links that are down at first. A process finds that by protocols.Neighbors.
	Down []netem.Link
	// Notice is when processes are told of changes of links.
	Notice Notice
	// Graceful: a link goes down only when nothing is under way on it, and only if its ends stay
	// connected over other links.
	Graceful bool
	// Returns: a run is not at rest while a crashed process may restart.
	Returns bool
	// Limits say where a run is cut off.
	Limits Limits
	// Rotations: a rotation of the ring turns runs into runs, because neither
	// processes nor messages hold addresses. So one of several states that differ by
	// a rotation is explored. The Watch must be a Rotator, and there must be no
	// restarts.
	Rotations bool
	// Commutes: while no process crashes, the Watch does not depend on the order of
	// two steps of different processes; and once it has found a property violated, or
	// a Sometimes true, it keeps saying so.
	Commutes bool
	// Measure is added up along a run, as part of its state.
	Measure Measure
}

// Budget is the number of times that each fault may strike in a run.
type Budget struct {
	Losses      int // messages that a link loses
	Duplicates  int // messages that arrive once more
	Crashes     int // processes that stop, between two steps or between two sends of one
	Restarts    int // processes that restart
	LinkChanges int // links that come up or go down
}

// Limits keep a system finite whose timers may be set again and again, or whose rounds are numbered.
// A step behind a limit is not taken. The state before it is cut off: it is not at rest, and an endless
// run through it is not judged. So what holds in every state is proven up to the limit; what holds
// sooner or later is not decided.
type Limits struct {
	Timeouts int // timers that expire in a run, of all processes together; 0 is no limit
	Rounds   int // the number of the last round that a process enters, see protocols.Rounder; 0 is no limit
}

// Measure is a cost of a run.
type Measure uint8

// The measures.
const (
	Nothing  Measure = iota
	Messages         // sent, without protocols.Overhead
	Bits             // sent
	Depth            // of the longest chain of messages
	Time             // steps until the last message arrives or the Watch changes; needs a Bound
)

// Watch sees a run and judges it. The explorer copies it, and watches with equal fields
// are one state. Now is the time since the run began. Without a Bound, or without
// restarts, it is always 1ns: after the beginning, and no time passes.
type Watch interface {
	// Started tells of a spontaneous wake-up, after the step.
	Started(p protocols.ID, process any, now time.Duration)
	// Received tells that a process has handled a message.
	Received(p protocols.ID, process any, now time.Duration)
	// Expired tells that a process has handled a timer.
	Expired(p protocols.ID, process any, now time.Duration)
	// Crashed tells that a process has stopped.
	Crashed(p protocols.ID, now time.Duration)
	// Restarted tells that a process has restarted.
	Restarted(p protocols.ID, process any, now time.Duration)
	// Verdicts judges the run so far by each property. If rest is true, the run has
	// ended.
	Verdicts(rest bool) []protocols.Verdict
}

// Beginner is a Watch that looks at each process before the first step of a run, also at one that
// is dead from the start.
type Beginner interface {
	Watch
	Begins(p protocols.ID, process any)
}

// Tally is a Watch that knows how many messages are under way to processes that are alive.
type Tally interface {
	Watch
	// Tallies are the kinds of messages that it counts, by name: up to four.
	Tallies() []string
	// UnderWay tells it how many messages of these kinds are under way. It hears so after each step
	// that changed that, and before it is told of the step.
	UnderWay(counts []int)
}

// LinkWatch is a Watch that is told which links are up.
type LinkWatch interface {
	Watch
	// Relinked tells that the links of some processes have changed, before these are told; or, at the
	// beginning, what links there are, if none is named. near are the neighbours of a process now.
	Relinked(near func(protocols.ID) []protocols.ID, now time.Duration, ends ...protocols.ID)
}

// watchTime is the time that a watch gets after that many steps of time. The first
// instant of a run is 1ns.
func (n *Network) watchTime(steps uint32) time.Duration {
	if n.Bound == 0 || n.Budget.Restarts == 0 {
		return 1
	}
	return time.Duration(steps)*n.Step + 1
}

// Rotator is a Watch that can be rotated: what it knows of address p moves to address p+1
// mod n.
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
	// Always: no state of a run violates it.
	Always Kind = iota
	// Eventually: it holds in every state at rest, and no fair endless run lacks it from
	// some state on. A run is fair if it delays no step for ever.
	Eventually
	// Sometimes: it holds in some state. If none is reached, the other properties say
	// little.
	Sometimes
	// Finally: every fair run comes to rest. The Watch does not judge it.
	Finally
)

// Kinds are the names of the kinds.
var Kinds = []string{"always", "eventually", "sometimes", "eventually"}

// String names the kind.
func (k Kind) String() string { return Kinds[k] }
