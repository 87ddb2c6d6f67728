package faults

import (
	"slices"
	"time"

	"bullring/protocols"
)

// Effects are the effects that a plan can have on a run, for comparison with the
// assumptions of an algorithm. A random line has the effects of everything that may be
// drawn.
type Effects struct {
	DeadFromStart bool // a process is dead from the start
	Crashes       bool // a process crashes later, or leaves
	Partial       bool // a process crashes between two sends of a step
	Gone          bool // a process crashes or leaves, and may not come back
	Restarts      bool // a process comes back
	Starts        bool // a process wakes up spontaneously
	Pauses        bool // a process stands still, or is slow
	Stalls        bool // a process stands still for ever
	Loses         bool // messages are lost at live processes, or held back for ever
	Duplicates    bool // messages arrive twice
	Delays        bool // messages take longer than their link
	Carries       bool // messages take a time of their own, whatever their link
	Clocks        bool // clocks are off or drift
	Links         bool // links change what they do to messages
	Moves         bool // links come and go, with the messages that are under way on them
	Lies          bool // processes forge identities in their messages
	Byzantine     bool // processes do not follow the algorithm

	Carried time.Duration // the longest time that a carried message takes
}

// Effects are the effects that the plan can have on a run.
func (p Plan) Effects() Effects {
	var e Effects
	for i := range p {
		e.add(&p[i])
		if p.stays(i) {
			e.Gone = e.Gone || p[i].Kind == Crash || p[i].Kind == Leave
			e.Stalls = e.Stalls || p[i].Kind == Pause
			e.Loses = e.Loses || p[i].Kind == Clog
		}
	}
	return e
}

// Crashing is the largest number of processes that the plan can crash, beside some that are dead
// anyway. Its random faults are drawn.
func (p Plan) Crashing(dead []protocols.ID) int {
	crashed, leaders := slices.Clone(dead), 0
	for i := range p {
		switch f := &p[i]; {
		case f.Kind != Crash && f.Kind != Leave && f.Kind != Fail:
		case f.Process == Leader:
			leaders++ // another one each time
		case !slices.Contains(crashed, f.Process):
			crashed = append(crashed, f.Process)
		}
	}
	return len(crashed) - len(dead) + leaders
}

// stays reports whether a fault of the plan stops a process, or makes a process or messages wait, and
// no other fault is sure to end it.
func (p Plan) stays(i int) bool {
	if f := p[i]; !slices.Contains([]Kind{Pause, Clog, Crash, Leave}, f.Kind) || f.For > 0 {
		return false
	}
	for j := range p {
		if p.ends(j, i) {
			return false
		}
	}
	return true
}

// ends reports whether fault j of the plan is sure to end fault i, one that can stay.
func (p Plan) ends(j, i int) bool {
	end, f := &p[j], &p[i]
	then, sure := end.When.instant()
	at, known := f.When.instant()
	if !sure || known && (then < at || then == at && j < i) {
		return false
	}
	switch end.Kind {
	case HealAll: // a fault that has not begun by then never begins; dead processes stay dead
		return f.Kind == Pause || f.Kind == Clog
	case Heal:
		return known && f.Kind == Clog
	case Resume:
		return known && f.Kind == Pause && end.Process == f.Process
	case Restart, Join:
		return known && !f.Amid && (f.Kind == Crash || f.Kind == Leave) && end.Process == f.Process
	}
	return false
}

func (e *Effects) add(f *Fault) {
	switch f.Kind {
	case Crash, Leave:
		e.crash(f)
	case Fail:
		e.Crashes, e.Restarts = true, true
	case Restart:
		e.Restarts = true
	case Join:
		e.Restarts, e.Starts = true, true
	case Start:
		e.Starts = true
	case Pause, Slow:
		e.Pauses = true
	case Partition, Cut, OmitSends, OmitReceives, Drop:
		e.Loses = true
	case Down, Up:
		e.Moves = true
	case Clog, Delay:
		e.Delays = true
	case Duplicate:
		e.Duplicates = true
	case Carry:
		e.Carries, e.Carried = true, max(e.Carried, f.By)
	case ClockOffset, ClockStep, ClockDrift:
		e.Clocks = true
	case Link:
		e.Links = true
	case Lie, Equivocate:
		e.Lies = true
	case Byzantine:
		e.Byzantine = true
	case RandomCrashes:
		e.Crashes, e.Gone = true, true
	case RandomFailures:
		e.Crashes, e.Restarts = true, true
	case RandomPartitions:
		e.Loses = true
	case RandomSwarm:
		e.swarm(f.Random)
	}
}

func (e *Effects) crash(f *Fault) {
	at, known := f.When.instant()
	switch {
	case f.Amid:
		e.Crashes, e.Partial = true, true
	case known && at == 0:
		e.DeadFromStart = true
	default:
		e.Crashes = true
	}
	e.Restarts = e.Restarts || f.For > 0
	if f.Kind == Leave {
		e.Loses = true
		e.Starts = e.Starts || f.For > 0
	}
}

// swarm adds the effects of a swarm. It may crash a process at 0. When everything heals,
// crashed processes restart.
func (e *Effects) swarm(r *Random) {
	has := func(some ...string) bool {
		return slices.ContainsFunc(r.classes(), func(c string) bool { return slices.Contains(some, c) })
	}
	down := has(crashes, restarts, churn, partialBroadcast, leaderCrashes)
	e.DeadFromStart = e.DeadFromStart || has(crashes, restarts, churn)
	e.Crashes = e.Crashes || down
	e.Partial = e.Partial || has(partialBroadcast)
	e.Gone = e.Gone || !r.Heal && down
	e.Restarts = e.Restarts || has(restarts, churn) || r.Heal && down
	e.Starts = e.Starts || has(churn) || r.Heal
	e.Pauses = e.Pauses || has(pauses, slowness)
	e.Stalls = e.Stalls || !r.Heal && has(pauses)
	e.Loses = e.Loses || has(partitions, cuts, omissions, loss, churn) || !r.Heal && has(clogs)
	e.Duplicates = e.Duplicates || has(duplicates)
	e.Delays = e.Delays || has(delays, clogs)
	e.Clocks = e.Clocks || has(clocks)
	e.Links = e.Links || has(changedLinks)
	e.Lies = e.Lies || has(lies)
	e.Moves = e.Moves || has(linkChanges)
}
