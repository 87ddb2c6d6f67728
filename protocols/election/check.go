package election

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// Promise is what an election promises. The zero value: every live process learns the
// leader, provided that a process that notices a crash starts an election.
type Promise struct {
	// Winner says who may be elected.
	Winner Winner
	// Anonymous: processes have no identities. Only the leader decides, and its
	// decision has no name in it.
	Anonymous bool
	// LeaderOnly: the leader learns that it leads, and no other process decides.
	LeaderOnly bool
	// Notices: the election ends without a new start whatever crashes on the way, if
	// one process that took part lives.
	Notices bool
	// Settle is the time for which a process that has come back may be passed over.
	Settle time.Duration
	// Rest is the time after the last fault for which an election that the fault has
	// disturbed may go on. If the winners are Local it is that after the last change of a
	// component, and math.MaxInt64 if there is no bound.
	Rest time.Duration
	// Watches, if the winners are Local: processes go on watching their leader in the background. So a run
	// that has come to rest is judged as it would be at any other instant.
	Watches bool
	// Criterion, if the winners are Local, says which process of a component is its best.
	Criterion Criterion
	// Central, if the winners are Local: the leader of each component is its best process.
	Central bool
	// Terms, if positive, is the largest number of elections. When a process has given
	// up in the last one, undecided processes may stay undecided.
	Terms int
}

// Winner is who may be elected.
type Winner uint8

// The winners.
const (
	Best          Winner = iota // the best process that lives
	BestInitiator               // the best process that started before a message reached it
	Anyone                      // any process, but one only in a term
	Local                       // any process of a component of the present graph; each component has its own
	BestAtRest                  // the best process that lives, when nothing is under way; before that anybody may lead
)

var winnerSays = [...]string{
	Best:          "no process elects a leader while a better process is alive",
	BestInitiator: "no process elects a leader while a better initiator is alive, or one that has not started",
	Anyone:        "no two processes are elected in one term",
	Local:         "no process elects one that was never alive",
	BestAtRest:    "no process elects one that was never alive",
}

// Says is the text of E1.
func (w Winner) Says() string { return winnerSays[w] }

// Ends is the text of E2.
func (p Promise) Ends() string {
	switch {
	case p.Central:
		return fmt.Sprintf("each component has one leader, %v, which all of it follow", p.Criterion)
	case p.Winner == Local:
		return "each component has one leader, which all of it follow"
	case p.Winner == BestAtRest:
		return "at rest the best process leads, and no other"
	case p.LeaderOnly:
		return "one leader and silence"
	}
	return "every live process decides"
}

// Checker watches an election and judges it. Its caller tells it of every change, with
// the instant in nanoseconds; it looks at no process itself.
//
//	E1 (safety)    no process elects one that is worse than a live process, or that
//	               was never alive; the promise may name other winners
//	E2 (liveness)  every live process decides, or the promise says less. If a process
//	               started after all that the last fault had disturbed, every live
//	               process follows the best
//
// A crash that no process has noticed leaves E2 undecided: the undecided processes wait
// for a start that did not come.
//
// If the winners are Local the links of the graph come and go, and E2 is what is known as
// local leader election: at rest each component of the present graph has exactly one live
// leader, and all its processes follow it. So it is at each instant in a component that has
// not changed for longer than the Rest of the promise. If there was no such instant, a run
// that did not come to rest leaves E2 undecided.
type Checker struct {
	ranks     Ranks
	order     Order
	promise   Promise
	states    []state         // by address
	decisions decisions       // by address, as the processes told them
	since     []time.Duration // by address, when it came back; nil until one has

	leaders int
	faulty  bool          // something has failed since the run began
	failed  time.Duration // the last fault
	calm    bool          // a process has started after that, and after its Rest
	unsafe  string        // what broke E1
	winners []winner      // of each term, if any process may win

	components *components // nil unless the winners are Local
	unsettled  string      `explore:"-"` // what broke E2 in a component that was quiet

	known known `explore:"-"` // follows from the rest

	// For reports alone: no part of the state of a run.
	mostLeaders int            `explore:"-"`
	broke       protocols.Step `explore:"-"` // the step that broke E1
	changes     int            `explore:"-"` // of decisions
}

// winner is the process elected in a term.
type winner struct {
	term   int
	leader Identity
}

// state is a set of what the checker knows of a process.
type state uint8

const (
	crashed state = 1 << iota
	started       // in this life, before a message reached it; noted for BestInitiator
	unborn        // never alive
	took          // part: it has handled an event in this life
	back          // it has restarted
	decided       // its decision is not the zero value
)

func (s state) is(what state) bool { return s&what != 0 }

// NewChecker returns a checker of an election among live processes with these ranks.
func NewChecker(ranks Ranks, order Order, promise Promise) *Checker {
	n := ranks.Len()
	c := &Checker{ranks: ranks, order: order, promise: promise, states: make([]state, n), decisions: newDecisions(n), known: known{stale: true}}
	if promise.Winner == Local {
		c.components = newComponents(n)
	}
	return c
}

// Crashed tells that a process stopped.
func (c *Checker) Crashed(p protocols.ID, now time.Duration) {
	c.Passed(now)
	s := &c.states[p]
	if c.decisions.at(p).Status == Leader {
		c.leaders--
	}
	*s = *s&^unborn | crashed
	if now == 0 && !s.is(took|back) {
		*s |= unborn
	}
	c.failedAt(now, !s.is(unborn))
	c.known.forget(p)
	c.regroup(p, now)
}

// Restarted tells that a process is back, without its memory.
func (c *Checker) Restarted(p protocols.ID, now time.Duration) {
	c.Passed(now)
	c.Renewed(p)
	c.states[p] = back
	if c.since == nil {
		c.since = make([]time.Duration, len(c.states))
	}
	c.since[p] = now
	c.failedAt(now, true)
	c.known.forget(p)
	c.known.fresh = append(c.known.fresh, comeback{p, now})
	c.regroup(p, now)
}

// Renewed tells that another process will act at an address. It has decided nothing.
func (c *Checker) Renewed(p protocols.ID) {
	c.decisions.set(p, Decision{})
	c.states[p] &^= decided
}

// failedAt notes a fault. A process that is dead from the start has not failed in the
// run.
func (c *Checker) failedAt(now time.Duration, inRun bool) {
	c.calm, c.failed = false, now
	c.faulty = c.faulty || inRun
}

// Started tells that a process has woken up. It is an initiator unless it has handled an
// event before.
func (c *Checker) Started(p protocols.ID, now time.Duration) {
	if c.components != nil { // it may begin an election, which disturbs its component
		c.Passed(now)
		c.touch(now, []protocols.ID{p})
	}
	if s := &c.states[p]; c.promise.Winner == BestInitiator && !s.is(took) {
		*s |= started
		c.learn(p, now)
	}
	c.TookPart(p)
	c.calm = c.calm || !c.faulty || now-c.failed > c.promise.Rest
}

// TookPart tells that a process has handled an event.
func (c *Checker) TookPart(p protocols.ID) { c.states[p] |= took }

// Changed reports whether d differs from the decision that a process told last. It costs
// little while neither is one.
func (c *Checker) Changed(p protocols.ID, d Decision) bool {
	return (uint64(d.Leader)|uint64(d.Term)|uint64(d.Status) != 0 || c.states[p].is(decided)) && d != c.decisions.at(p)
}

// Decided tells that the decision of a process has become d.
func (c *Checker) Decided(p protocols.ID, d Decision, now time.Duration) {
	c.Passed(now)
	if c.decisions.at(p).Status == Leader {
		c.leaders--
	}
	if d.Status == Leader {
		c.leaders++
		c.mostLeaders = max(c.mostLeaders, c.leaders)
	}
	c.decisions.set(p, d)
	c.states[p] &^= decided
	if d != (Decision{}) {
		c.states[p] |= decided
	}
	c.changes++
	if d.Status == Undecided || c.unsafe != "" {
		return
	}
	c.unsafe, c.broke = c.wrong(p, c.named(p, d), now), protocols.Step{Process: p, At: now, Change: c.changes}
}

// named is a decision of a process, with the name of the leader also on an anonymous ring.
func (c *Checker) named(p protocols.ID, d Decision) Decision {
	if c.promise.Anonymous && d.Status == Leader {
		d.Leader = c.ranks.At(p).ID
	}
	return d
}

// wrong says how a decision breaks E1; it is empty if the decision does not.
func (c *Checker) wrong(p protocols.ID, d Decision, now time.Duration) string {
	leader := d.Leader
	elected := c.ranks.Address(leader)
	switch {
	case elected < 0 || c.states[elected].is(unborn):
		return fmt.Sprintf("process %d elected %d, which was never alive", p, leader)
	case c.promise.Winner == Local || c.promise.Winner == BestAtRest:
		return ""
	case c.promise.Winner == Anyone:
		return c.second(p, d, now)
	case c.promise.Winner == BestInitiator && !c.states[elected].is(started|crashed):
		return fmt.Sprintf("process %d elected %d, which has not started", p, leader)
	}
	if better := c.better(c.ranks.At(elected), now); better >= 0 {
		return fmt.Sprintf("process %d elected %d while the better %v was alive, at %v", p, leader, c.ranks.At(better), now)
	}
	return ""
}

// second notes the winner of a term. If the term has another one it says so.
func (c *Checker) second(p protocols.ID, d Decision, now time.Duration) string {
	i, found := slices.BinarySearchFunc(c.winners, d.Term, func(w winner, term int) int { return cmp.Compare(w.term, term) })
	switch {
	case !found:
		c.winners = slices.Insert(c.winners, i, winner{d.Term, d.Leader})
	case c.winners[i].leader != d.Leader && d.Term > 0:
		return fmt.Sprintf("process %d elected %d in term %d, in which %d was elected before, at %v", p, d.Leader, d.Term, c.winners[i].leader, now)
	case c.winners[i].leader != d.Leader:
		return fmt.Sprintf("process %d elected %d, and %d was elected before, at %v", p, d.Leader, c.winners[i].leader, now)
	}
	return ""
}

// Rotate turns the ring by one: it moves all knowledge from address p to p+1, and from
// the last address to 0.
func (c *Checker) Rotate() {
	c.ranks = Listed(turned(c.ranks.List()))
	c.states, c.since = turned(c.states), turned(c.since)
	c.decisions.turn()
	c.known.turn(len(c.states))
}

// turned is a list with its last element moved to the front.
func turned[T any](list []T) []T {
	if len(list) == 0 {
		return list
	}
	last := len(list) - 1
	return slices.Concat(list[last:], list[:last])
}

// Last is the decision that a process told last.
func (c *Checker) Last(p protocols.ID) Decision { return c.decisions.at(p) }

// Decisions are the decisions of the processes, by address. A crashed one has the zero
// value.
func (c *Checker) Decisions() []Decision {
	ds := make([]Decision, len(c.states))
	for p, s := range c.states {
		if s&(decided|crashed) == decided {
			ds[p] = c.named(protocols.ID(p), c.Last(protocols.ID(p)))
		}
	}
	return ds
}

// Leaders are the live processes that have decided to lead, by address.
func (c *Checker) Leaders() []protocols.ID {
	var leaders []protocols.ID
	for p, s := range c.states {
		if s&(decided|crashed) == decided && c.Last(protocols.ID(p)).Status == Leader {
			leaders = append(leaders, protocols.ID(p))
		}
	}
	return leaders
}

// MostLeaders is the largest number of live leaders at one time.
func (c *Checker) MostLeaders() int { return c.mostLeaders }

// Correct reports whether a process that may win is the only leader and, unless the
// promise is LeaderOnly, every live process follows it. If the winners are Local, each
// component has its leader.
func (c *Checker) Correct() bool {
	if c.promise.Winner == Anyone || c.promise.Winner == Local {
		return c.Followed()
	}
	best := protocols.ID(-1)
	for p, r := range c.ranks.All() {
		may := !c.states[p].is(crashed) && (c.promise.Winner != BestInitiator || c.states[p].is(started))
		if may && (best < 0 || c.order.Better(r, c.ranks.At(best))) {
			best = p
		}
	}
	return best >= 0 && c.decisions.at(best).Status == Leader && c.Followed()
}

// Followed reports whether there is one leader and, unless the promise is LeaderOnly,
// every live process follows it. If the winners are Local, it is so in each component.
func (c *Checker) Followed() bool {
	if c.components != nil {
		return c.anyBroken() == ""
	}
	if c.leaders != 1 {
		return false
	}
	return c.promise.LeaderOnly || !c.astray(c.ranks.At(c.Leaders()[0]).ID)
}

// astray reports whether a live process does not follow the leader.
func (c *Checker) astray(leader Identity) bool {
	for p := range c.states {
		if c.strays(protocols.ID(p), leader) {
			return true
		}
	}
	return false
}

// strays reports whether a process lives and does not follow the leader. If the winners are Local
// that is the leader of its component.
func (c *Checker) strays(p protocols.ID, leader Identity) bool {
	if c.states[p].is(crashed) {
		return false
	}
	if c.components != nil {
		return c.broken(p) != ""
	}
	d := c.named(p, c.decisions.at(p))
	return d.Status == Undecided || d.Leader != leader
}

// Astray are the live processes that do not follow the only leader, by address, whatever
// was promised. There has to be one leader.
func (c *Checker) Astray() []protocols.ID {
	leader := c.ranks.At(c.Leaders()[0]).ID
	var astray []protocols.ID
	for p := range c.states {
		if c.strays(protocols.ID(p), leader) {
			astray = append(astray, protocols.ID(p))
		}
	}
	return astray
}

// Checks judges the run so far. In a quiescent run no event is left.
func (c *Checker) Checks(quiescent bool) []protocols.Check {
	return []protocols.Check{c.safety(quiescent), c.liveness(quiescent)}
}

func (c *Checker) safety(quiescent bool) protocols.Check {
	check := protocols.Check{Name: "E1", Verdict: protocols.Undecided, Detail: c.promise.Winner.Says()}
	switch {
	case c.unsafe != "":
		check.Verdict, check.Detail, check.Broke = protocols.Violated, c.unsafe, &c.broke
	case quiescent:
		check.Verdict = protocols.Holds
	}
	return check
}

func (c *Checker) liveness(quiescent bool) protocols.Check {
	check := protocols.Check{Name: "E2", Verdict: protocols.Undecided, Detail: c.promise.Ends()}
	switch {
	case c.unsettled != "":
		check.Verdict, check.Detail = protocols.Violated, c.unsettled // no step broke it, but that there was none
		return check
	case (!quiescent || c.promise.Watches) && c.components != nil && c.components.quiet:
		check.Verdict = protocols.Holds
		return check
	case !quiescent:
		return check
	}
	failure, promised := c.notLive()
	switch {
	case failure == "":
		check.Verdict = protocols.Holds
	case promised:
		check.Verdict, check.Detail = protocols.Violated, failure
	default:
		check.Detail = failure
	}
	return check
}

// notLive says what E2 lacks in a run at rest, and whether it was promised.
func (c *Checker) notLive() (failure string, promised bool) {
	if c.components != nil {
		return c.anyBroken(), !c.promise.Watches
	}
	switch {
	case c.promise.LeaderOnly && c.leaders != 1:
		return fmt.Sprintf("%d leaders", c.leaders), true
	case c.promise.Winner == BestAtRest && !c.Correct():
		return "the leader is not the best process", true
	case c.promise.LeaderOnly:
		return "", true
	}
	tookPart, gaveUp := false, ""
	for p, s := range c.states {
		tookPart = tookPart || s&(took|crashed) == took
		d := c.decisions.at(protocols.ID(p))
		switch {
		case s.is(crashed) || d.Status != Undecided:
		case c.promise.Terms > 0 && d.Term >= c.promise.Terms:
			gaveUp = fmt.Sprintf("process %d gave up in term %d, the last", p, d.Term)
		case failure == "":
			failure = fmt.Sprintf("process %d has not decided", p)
		}
	}
	switch {
	case gaveUp != "":
		return gaveUp, false
	case failure == "" && c.faulty && c.calm && !c.Correct():
		return "a process started long after the last fault, but at rest the best live process is not the one leader of all", true
	case failure == "" || c.calm || !c.faulty || c.promise.Notices:
		return failure, tookPart
	}
	return failure + "; a process crashed or failed otherwise, and nobody has started an election since", false
}
