package failover

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/box"
)

// serving is the node of the service: the node below, with messages that carry their
// epoch.
type serving[S protocols.Message] struct {
	process                    *Process[S]
	protocols.Node[Message[S]] // of the running handler
}

// Send implements [protocols.Node]. During an election it sends nothing: the service
// shows its state to the next coordinator.
func (s *serving[S]) Send(to protocols.ID, m S) {
	if s.process.coordinator == nobody {
		return
	}
	s.Node.Send(to, Message[S]{Type: Serve, Epoch: s.process.epoch, Service: m})
}

func (s *serving[S]) SetTimer(t protocols.Timer, after time.Duration) {
	s.mustNotOwn(t)
	s.Node.SetTimer(t, after)
}

func (s *serving[S]) StopTimer(t protocols.Timer) {
	s.mustNotOwn(t)
	s.Node.StopTimer(t)
}

func (s *serving[S]) mustNotOwn(t protocols.Timer) {
	if t < 0 || t >= look {
		panic(fmt.Sprintf("failover: the service of process %d uses timer %d; its labels are those from 0 to below %d", s.ID(), t, look))
	}
}

// electing is the node of a contest: its network is that of the members.
type electing[S protocols.Message] struct {
	process *Process[S]
	below   protocols.Node[Message[S]] // of the running handler
}

// ID implements [protocols.Node]: addresses are indices of members.
func (e *electing[S]) ID() protocols.ID {
	return protocols.ID(slices.Index(e.process.members, e.below.ID()))
}

func (e *electing[S]) Degree() int                    { return len(e.process.contest.Neighbors) }
func (e *electing[S]) Neighbor(port int) protocols.ID { return e.process.contest.Neighbors[port] }
func (e *electing[S]) Intn(n int) int                 { return e.below.Intn(n) }

func (e *electing[S]) Send(to protocols.ID, m box.Message) {
	p := e.process
	e.below.Send(p.members[to], Message[S]{Type: Elect, Epoch: p.epoch, Members: fingerprint(p.members), Ballot: m})
}

// SetTimer implements [protocols.Node]. It notes running timers, so that they can be
// stopped when the election is over.
func (e *electing[S]) SetTimer(t protocols.Timer, after time.Duration) {
	label := e.label(t)
	if i, runs := slices.BinarySearch(e.process.timers, t); !runs {
		e.process.timers = slices.Insert(e.process.timers, i, t)
	}
	e.below.SetTimer(label, after)
}

func (e *electing[S]) StopTimer(t protocols.Timer) {
	label := e.label(t)
	if i, runs := slices.BinarySearch(e.process.timers, t); runs {
		e.process.timers = slices.Delete(e.process.timers, i, i+1)
	}
	e.below.StopTimer(label)
}

func (e *electing[S]) label(t protocols.Timer) protocols.Timer {
	if t < 0 {
		panic(fmt.Sprintf("failover: the election at process %d uses timer %d; labels below 0 belong to wrappers", e.below.ID(), t))
	}
	return contestTimer + t
}

func (e *electing[S]) Suspects(p protocols.ID) bool { return e.below.Suspects(e.process.members[p]) }

func (e *electing[S]) Now() time.Duration { return e.below.Now() }
