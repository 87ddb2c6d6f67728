package explore

import (
	"fmt"
	"math"
	"slices"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// playing is the protocols.Node of a step that is played. Its answers are those of the step,
// and it notes them in the record.
type playing[M protocols.Message] struct {
	player *Player[M]
	step   *Step
	record *netem.Record
	err    error // the first reason why the step is not possible after all
	sends  []leaving[M]
}

type leaving[M protocols.Message] struct {
	sent[M]
	to    protocols.ID
	toAll bool // it is a broadcast
}

var (
	_ protocols.Node[protocols.Message]        = (*playing[protocols.Message])(nil)
	_ protocols.Near                           = (*playing[protocols.Message])(nil)
	_ protocols.Broadcaster[protocols.Message] = (*playing[protocols.Message])(nil)
)

// wrong notes why the step is not possible.
func (n *playing[M]) wrong(format string, args ...any) {
	if n.err == nil {
		n.err = fmt.Errorf(format, args...)
	}
}

// finish returns why the step that the process has taken is not the one of the schedule.
func (n *playing[M]) finish() error {
	s, r := n.step, n.record
	switch {
	case n.err != nil:
	case len(r.Choices) < len(s.Choices):
		n.wrong("the process makes fewer choices than the step has; left are %d", s.Choices[len(r.Choices):])
	case len(r.Reads) < len(s.Reads):
		n.wrong("the process looks at its clock less often than the step says; left are %v", s.Reads[len(r.Reads):])
	case len(r.Suspected) < len(s.Suspected):
		n.wrong("the process asks its failure detector less often than the step says; left are %v", s.Suspected[len(r.Suspected):])
	}
	return n.err
}

func (n *playing[M]) ID() protocols.ID { return n.step.Who }

func (n *playing[M]) Degree() int { return n.player.system.Topology.Degree(n.step.Who) }

func (n *playing[M]) Neighbor(port int) protocols.ID {
	return n.player.system.Topology.Neighbor(n.step.Who, port)
}

func (n *playing[M]) Send(to protocols.ID, m M) {
	netem.MustReach(n.player.system.Topology, n.step.Who, to)
	n.leave(leaving[M]{to: to}, m)
}

// Broadcast implements protocols.Broadcaster.
func (n *playing[M]) Broadcast(m M) { n.leave(leaving[M]{toAll: true}, m) }

// leave notes a message that leaves after the handler.
func (n *playing[M]) leave(l leaving[M], m M) {
	p := n.player
	netem.MustBeKind(n.step.Who, m.Kind(), len(p.counters.Sent))
	l.sent = sent[M]{content: m, depth: p.seats[n.step.Who].depth + 1, until: p.now + uint32(p.system.Bound)}
	n.sends = append(n.sends, l)
}

// Neighbors implements protocols.Near.
func (n *playing[M]) Neighbors() []protocols.ID { return n.player.Neighbors(n.step.Who) }

func (n *playing[M]) SetTimer(t protocols.Timer, after time.Duration) {
	netem.MustBeTimer(n.step.Who, t, after)
	n.StopTimer(t)
	at, step := n.player.now, n.player.system.Step
	if n.player.system.Bound > 0 {
		if after%step != 0 {
			n.wrong("a timer of %v is no multiple of %v, the step of time", after, step)
		}
		at += uint32(min(after/step, math.MaxUint32))
	}
	s := &n.player.seats[n.step.Who]
	s.timers = append(s.timers, setTimer{t, at, n.player.set})
	n.player.set++
}

func (n *playing[M]) StopTimer(t protocols.Timer) {
	s := &n.player.seats[n.step.Who]
	s.timers = slices.DeleteFunc(s.timers, func(u setTimer) bool { return u.label == t })
}

func (n *playing[M]) Intn(of int) int {
	i, all, c := len(n.record.Choices), n.step.Choices, 0
	switch {
	case i < len(all) && all[i] < of:
		c = all[i]
	case i >= len(all) && n.player.intn != nil:
		c = n.player.intn(of)
	default:
		n.wrong("the process chooses one of %d, but the step has no such choice; left are %d", of, all[min(i, len(all)):])
	}
	n.record.Choices = append(n.record.Choices, c)
	n.player.counters.Draws++
	return c
}

// Now is 0 unless processes have clocks. After the steps of a schedule that goes on, no time
// passes.
func (n *playing[M]) Now() time.Duration {
	p := n.player
	if !p.clocks {
		return 0
	}
	i, all, now := len(n.record.Reads), n.step.Reads, p.latest
	switch {
	case i < len(all):
		now = all[i]
	case all != nil || p.intn == nil:
		n.wrong("the process looks at its clock, and the step does not say what it shows then (look %d)", i+1)
	}
	n.record.Reads = append(n.record.Reads, now)
	p.seats[n.step.Who].reading, p.latest = now, max(p.latest, now)
	return now
}

func (n *playing[M]) Suspects(who protocols.ID) bool {
	mustBeAddress(who, len(n.player.seats))
	i, all := len(n.record.Suspected), n.step.Suspected
	answer := netem.Suspicion{Who: who, Yes: n.player.seats[who].crashed && !n.player.system.Blind}
	switch {
	case i < len(all) && all[i].Who == who:
		answer = all[i]
	case i < len(all):
		n.wrong("the process asks its failure detector about %d, and the step says that it asks about %d", who, all[i].Who)
	case all != nil:
		n.wrong("the process asks its failure detector about %d, and the step does not say so", who)
	}
	n.record.Suspected = append(n.record.Suspected, answer)
	return answer.Yes
}
