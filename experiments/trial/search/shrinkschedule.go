package search

import (
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// shows reports whether a run fails as it should. A run whose schedule ends before the run does
// fails only by a check that is violated already.
func (k *shrinker) shows(r *trial.Result) bool {
	if r.End == netem.OutOfSteps && !r.Panicked() && r.Verdict(string(k.failure)) != protocols.Violated {
		return false
	}
	return r.Impossible() == nil && k.failure.Shows(r)
}

// fewerSteps drops steps of the schedule: half of them at a time, then a quarter, and so on to
// single ones. It goes from the end to the beginning, since a step needs what came before it. Then
// the first line loses the words that no step needs.
func (k *shrinker) fewerSteps() {
	if k.best.Setting.Schedule == "" {
		return
	}
	for size := len(k.best.Setting.Schedule.Lines()) / 2; size > 0; size /= 2 {
		for end := len(k.best.Setting.Schedule.Lines()); end > 1; {
			begin := max(1, end-size) // the first line is no step
			k.change(func(s *trial.Setting) {
				s.Schedule = joined(slices.Delete(s.Schedule.Lines(), begin, end))
			})
			end = begin
		}
	}
	for _, word := range []string{", restarts", ", clocks", ", notice any"} {
		k.change(func(s *trial.Setting) {
			lines := s.Schedule.Lines()
			lines[0] = strings.Replace(lines[0], word, "", 1)
			s.Schedule = joined(lines)
		})
	}
}

func joined(lines []string) trial.Schedule {
	return trial.Schedule(strings.Join(lines, "\n"))
}

// changed returns a schedule with steps that a function changes, or drops.
func changed(schedule trial.Schedule, change func(*explore.Step) (stays bool)) trial.Schedule {
	var lines []string
	for i, line := range schedule.Lines() {
		if step, err := explore.ParseStep(line); i > 0 && line != trial.GoOn && err == nil {
			if !change(&step) {
				continue
			}
			line = step.String()
		}
		lines = append(lines, line)
	}
	return joined(lines)
}

// scheduleWithout is a schedule without the steps of a process and the messages from it. The
// processes behind it move up.
func scheduleWithout(schedule trial.Schedule, move func(protocols.ID) (protocols.ID, bool)) trial.Schedule {
	return changed(schedule, func(s *explore.Step) bool {
		ends := slices.Contains([]explore.StepKind{
			explore.Deliver, explore.Lose, explore.Duplicate, explore.Up, explore.Down, explore.LinkUp, explore.LinkDown,
		}, s.What)
		var stays, from bool
		s.Who, stays = move(s.Who)
		if s.From, from = move(s.From); ends {
			stays = stays && from
		}
		for i := range s.Suspected {
			s.Suspected[i].Who, _ = move(s.Suspected[i].Who)
		}
		return stays || s.What == explore.Tick
	})
}

// startOnly lets one initiator start.
func startOnly(s *trial.Setting, p protocols.ID) {
	s.Initiators = strconv.Itoa(int(p))
	s.Schedule = changed(s.Schedule, func(step *explore.Step) bool { return step.What != explore.Start || step.Who == p })
}
