package explore

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// follower rebuilds the states of a run. The search has kept only their numbers or hashes.
type follower struct {
	x   *expander
	at  state
	run *Run
}

// follow goes from a root to a state.
func (se *search) follow(number uint32) *follower {
	return se.goAlong(se.wayTo(number), func(*state) {})
}

// wayTo are the numbers of the states on the way to one of them, from a root.
func (se *search) wayTo(number uint32) []uint32 {
	numbers := []uint32{number}
	for se.parents.at(number) != number {
		number = se.parents.at(number)
		numbers = append(numbers, number)
	}
	slices.Reverse(numbers)
	return numbers
}

// goAlong goes along the states of a way, and calls visit with each.
func (se *search) goAlong(way []uint32, visit func(*state)) *follower {
	return se.along(len(way), visit, func(i int, h hash) bool {
		found, ok := se.visited.find(h)
		return ok && found == way[i]
	})
}

// along goes from a root along so many states, and calls visit with each. is reports whether a hash is
// that of the i-th of them.
func (s *space) along(states int, visit func(*state), is func(i int, h hash) bool) *follower {
	f := &follower{x: newExpander(s), run: &Run{Property: -1}}
	for root := range s.roots {
		f.at = s.begin(root)
		if is(0, s.recognised(&f.at)) {
			f.run.Root = root
			break
		}
	}
	visit(&f.at)
	for i := 1; i < states; i++ {
		f.step(fmt.Sprintf("to state %d of the path", i), func(m move) bool {
			return f.x.panicked == "" && is(i, s.recognised(&f.x.next))
		})
		visit(&f.at)
	}
	return f
}

// step takes the first right move.
func (f *follower) step(what string, right func(move) bool) {
	if !f.take(right) {
		panic(&NotDeterministicError{Again: "no step leads " + what})
	}
}

// take takes the first right move, and reports whether there is one.
func (f *follower) take(right func(move) bool) bool {
	var to *state
	f.x.expand(&f.at, everyone, func(m move) {
		if to == nil && right(m) {
			to = &state{slices.Clone(f.x.next.words), f.x.next.print}
			f.run.Steps = append(f.run.Steps, f.x.stepOf(m))
			f.run.Panicked = f.x.panicked
		}
	})
	if to != nil {
		f.at = *to
	}
	return to != nil
}

// stepOf is the step of a move of the present expansion.
func (x *expander) stepOf(m move) Step {
	s := Step{What: m.what, Who: protocols.ID(m.who), From: protocols.ID(m.from), Choices: slices.Clone(x.choices), Sends: int(m.amid)}
	switch m.what {
	case Deliver, Lose, Duplicate:
		on := x.contents.at(x.from.words[x.layout.channel+x.channels.channelOf(s.From, s.Who)])
		s.Message = fmt.Sprint(x.handlers.message(on.items[m.place].message))
	case Timeout:
		s.Timer = *x.timers.labels.at(m.label)
	}
	return s
}

// path is a run that leads to a state.
func (se *search) path(number uint32) *Run { return se.follow(number).run }

// counterexample is a run that leads to a violation.
func (se *search) counterexample(v violation) *Run { return se.ending(se.follow(uint32(v.state)), v) }

// ending is the run of a follower, with the step that violates if a step does.
func (s *space) ending(f *follower, v violation) *Run {
	if v.by > 0 {
		f.step("to the violation", func(m move) bool {
			if v.by != anyMove && m.by() != v.by {
				return false
			}
			if v.property == 0 {
				return f.x.panicked != ""
			}
			return f.x.panicked == "" && s.watched(f.x.next.words).broken>>v.property&1 == 1
		})
	}
	f.run.Property = v.property
	return f.run
}

// lasso is a run that leads to a cycle and goes round it once.
func (se *search) lasso(property int, cycle []uint32, by []edge) *Run {
	f := se.follow(cycle[0])
	f.run.Property, f.run.Cycle = property, len(by)
	for _, e := range by {
		f.step("round the cycle", func(m move) bool {
			found, ok := se.visited.find(se.recognised(&f.x.next))
			return ok && found == e.to && m.action() == e.action && f.x.panicked == ""
		})
	}
	return f.run
}
