package explore

import (
	"context"
	"errors"
	"slices"

	"bullring/protocols"
)

// A timer is idle if its expiry makes no difference to others, now or later: such as that
// of a poll when no process has crashed. The times at which idle timers expire multiply the
// states of a system, and none of them matters.
//
// Where no fault can strike, a search is tried once for each process p. In the search of p
// the timers of p expire as they do. Those of every other process expire unseen, as soon as
// they are set; or never, if that would do something: so it is with a watchdog, which has
// nothing to do when it is due. Beside p there is its shadow, which handles the same events
// except that its timers expire unseen, too, or never. The search fails, and with it the
// trial, unless each expiry of p sends nothing, sets no timer and leaves the watch as it is,
// and p and its shadow send the same and change the watch in the same way at each event.
//
// If all searches end, and none of them fails, each of them judges the system. Proof: leave the expiries of the
// others out of a run, and it is a run of the search of p. Suppose that it was so up to some
// step, for each p. The step of a process q is one of the search of q, which has seen that q
// and its shadow do the same. The shadow of q is the q of the other searches: what becomes of its
// timers depends on q and the watch alone. So they follow
// the step. Time passes in a search if it does in the run, for fewer timers are in its way.
// Conversely, each run of a search becomes one of the system when timers expire as they are
// due: no expiry is in the way of any step. Both have the same messages at the same times, so
// what is measured is the same, too. If timeouts have a limit, the search of p counts those of
// p alone. So the searches cover the runs up to the limit, and some more. Rounds with a limit are
// searched as ever: the round of a process is not that of its shadow. Such a proof, of each part among
// abstractions of the others, is called assume-guarantee (Misra & Chandy, IEEE TSE 7(4), 1981).

// errNotIdle says that a timer matters.
var errNotIdle = errors.New("a timer makes a difference")

// withIdleTimers tries these searches. It returns the last one, with the states and
// transitions of all. If no timer is ever set, that is the first, an ordinary search. It
// returns nil if timers matter, or nothing was shown: a run that violates a property has to
// be found with all its timers, and a search that was cut off may have assumed too much.
func withIdleTimers(ctx context.Context, s *space, o Options) *search {
	if !o.Reduce || s.Rotations || len(s.contents.tallied) > 0 || s.Budget != (Budget{}) || s.Limits.Rounds > 0 {
		return nil
	}
	var all Result
	for p := range protocols.ID(s.n) {
		s.idle, s.real = true, p
		se := inBreadth(ctx, s, o)
		r := se.result
		r.States, r.Transitions, r.Cut = r.States+all.States, r.Transitions+all.Transitions, r.Cut+all.Cut
		r.Depth, r.Memory = max(r.Depth, all.Depth), max(r.Memory, all.Memory)
		all = *r
		set := slices.ContainsFunc(se.workers, func(x *expander) bool { return x.setTimer })
		r.Reduced = r.Reduced || set
		switch problem := s.problem.Load(); {
		case problem != nil && *problem == errNotIdle:
			s.problem.Store(nil)
			return nil
		case !set:
			return se
		case r.Stopped != nil && ctx.Err() != nil:
			se.seen = 0
			return se
		case !r.Complete || se.found.there() || se.mayGoOn() || o.MaxStates > 0 && r.States > o.MaxStates:
			return nil
		case p == protocols.ID(s.n-1) && !fewerInOne(ctx, s, o, r.States):
			return se
		}
	}
	return nil
}

// small is the number of states up to which a search of the whole is tried as well: among few processes
// the searches together may have more.
const small = 10_000

// fewerInOne reports whether one search with all timers has no more than so many states.
func fewerInOne(ctx context.Context, s *space, o Options, states uint64) bool {
	if states > small || o.alwaysIdle {
		return false
	}
	o.MaxStates, s.idle = states, false
	se := inBreadth(ctx, s, o)
	s.idle = true
	return se.result.Stopped == nil && !se.mayGoOn()
}

// afterIdle returns what becomes of a process and its timers in an event if timers are idle.
func (x *expander) afterIdle(r *reply, e event, timers uint32) (process, left uint32) {
	at, now := x.layout.watch, x.next.words
	x.setTimer = x.setTimer || r.timers != 0
	watch := x.watches.after(now[at], e.what, e.who, r.process, 0)
	if e.who != x.real {
		return x.expired(e.who, r, watch), 0
	}
	shadow, idle := now[x.layout.shadow], true
	switch before := x.from.words[x.layout.process+int(e.who)]; {
	case e.what == Timeout:
		idle = len(r.sends) == 0 && r.timers == 0 && len(x.choices) == 0 && watch == now[at]
	case shadow == before:
		shadow = x.expired(e.who, r, watch)
	default:
		same := x.handled(shadow, e)
		idle = same != nil && len(x.choices) == 0 && slices.Equal(same.sends, r.sends) &&
			x.watches.after(now[at], e.what, e.who, same.process, 0) == watch
		if idle {
			shadow = x.expired(e.who, same, watch)
		}
	}
	if !idle {
		x.fail(errNotIdle)
	}
	x.setProcess(x.layout.shadow, shadow)
	return r.process, timers
}

// expired is the process after a reply when the timers that it sets have expired unseen, but for
// those whose expiry would do something now.
func (x *expander) expired(p protocols.ID, r *reply, watch uint32) uint32 {
	process := r.process
	for _, t := range x.timers.at(x.timers.set(0, r.timers)).timers {
		then := x.handled(process, event{what: Timeout, who: p, more: t.label})
		if then != nil && len(then.sends) == 0 && then.timers == 0 && x.watches.after(watch, Timeout, p, then.process, 0) == watch {
			process = then.process
		}
	}
	return process
}

// handled is the reply of a process to an event, nil if it panics or draws in it.
func (x *expander) handled(process uint32, e event) *reply {
	r := x.replies.to(process, e)
	for answers := []int(nil); r.asks == whetherCrashed || r.asks == whetherNear; {
		answers = append(answers, x.answer(x.from.words, r, e.who))
		r = x.replies.answered(r, process, e, answers)
	}
	if r.asks != nothing || r.panicked != "" {
		return nil
	}
	return r
}

// withExpiries is a run of a search with idle timers as one of the system: timers expire before the time passes in
// which they are due, and those that are left at the end.
func withExpiries(s *space, run *Run) *Run {
	s.idle = false
	f := &follower{x: newExpander(s), at: s.begin(run.Root), run: &Run{Property: run.Property, Root: run.Root}}
	is := func(what StepKind) func(move) bool { return func(m move) bool { return m.what == what } }
	for _, want := range run.Steps {
		for want.What == Tick && f.take(is(Timeout)) {
		}
		f.step("by "+want.String(), func(m move) bool { return f.x.stepOf(m).String() == want.String() })
	}
	for f.take(is(Timeout)) || f.take(is(Tick)) {
	}
	return f.run
}
