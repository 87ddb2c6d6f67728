package reason

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/internal/pattern"
	"bullring/netem/explore"
	"bullring/protocols"
)

// moved is a step of a schedule that comes at another place, or not at all.
type moved struct {
	happened string // in the real run
	becomes  string // in the changed run
	order    string // what would have been
	distance int    // steps that it passes; 0 if it is left out
	race     bool   // both steps are of one process
	still    int    // the step from which on clocks stand still; 0 if none does
}

// schedules explains a run that follows a schedule. A step is moved or, if it is a fault, left
// out. The steps up to the new place have to be possible. Later ones that are not are left out,
// and the run goes on to its end. What clocks showed is of the real run: from the first changed step
// on they stand still. If that alone saves the run, the change is no reason.
type schedules struct {
	*replays

	registry *trial.Registry
	head     string
	steps    []string
	names    []string // of the steps, with their messages
	found    []*Reason
	still    map[int]bool // whether the violation is there with clocks that stand still from a step on
}

// newSchedules reads the steps of a run.
func newSchedules(r *replays, registry *trial.Registry) *schedules {
	lines := strings.Split(string(r.in.Setting.Schedule), "\n")
	s := &schedules{replays: r, registry: registry, head: lines[0], steps: lines[1:], still: map[int]bool{}}
	if last := len(s.steps) - 1; last >= 0 && s.steps[last] == trial.GoOn {
		s.steps = s.steps[:last]
	}
	s.names = withoutReadings(s.steps, 0)
	for i := range r.real.Events {
		if e := &r.real.Events[i]; e.Message != nil && e.Step > 0 && e.Step <= len(s.names) && !strings.Contains(s.names[e.Step-1], fmt.Sprint(e.Message)) {
			s.names[e.Step-1] += fmt.Sprintf(" %v", e.Message)
		}
	}
	return s
}

// faultWords begin the steps of faults.
var faultWords = []string{"lose", "crash", "duplicate"}

// run tries all steps up to the violation, and ranks what helps.
func (s *schedules) run() []*Reason {
	end := len(s.steps)
	if s.v.Event > 0 {
		end = min(end, max(1, s.real.Events[s.v.Event-1].Step))
	}
	for i := range s.in.Drawn {
		if s.in.Drawn[i].Kind == faults.Byzantine {
			s.honest(i)
		}
	}
	for i := range end {
		word, _, _ := strings.Cut(s.steps[i], " ")
		if slices.Contains(faultWords, word) {
			s.omit(i)
		}
		if step, _, amid := strings.Cut(s.steps[i], amidStep); amid {
			s.complete(i, step)
		}
		before := len(s.found)
		if s.move(i); !slices.ContainsFunc(s.found[before:], inAnotherOrder) {
			s.await(i)
		}
	}
	if !slices.ContainsFunc(s.found, func(r *Reason) bool { return r.Effect == Holds }) {
		s.awaitAll(end)
	}
	slices.SortStableFunc(s.found, func(a, b *Reason) int {
		x, y := a.Changes[0].step, b.Changes[0].step
		return cmp.Or(cmp.Compare(x.rank(), y.rank()), cmp.Compare(b.Effect, a.Effect), cmp.Compare(x.distance, y.distance), cmp.Compare(b.Changes[0].order, a.Changes[0].order))
	})
	return s.found
}

// rank orders moves: first faults that are left out, then steps of one process in another order.
func (m *moved) rank() int {
	switch {
	case m.distance == 0:
		return 0
	case m.race:
		return 1
	}
	return 2
}

// process is the process that takes a step, -1 if none does.
func process(step string) protocols.ID {
	s, err := explore.ParseStep(step)
	if err != nil {
		return -1
	}
	return s.Who
}

// amidStep begins the words for a crash in the middle of a step.
const amidStep = ", crash after "

// complete has a process complete the step in which it crashed.
func (s *schedules) complete(i int, step string) {
	steps := slices.Clone(s.steps)
	steps[i] = step
	s.try(i, i, steps, &moved{
		happened: fmt.Sprintf("step %d, %s", i+1, s.names[i]),
		becomes:  fmt.Sprintf("step %d is %s, without a crash", i+1, step),
		order:    "had it been without the crash",
	})
}

// omit leaves a step out.
func (s *schedules) omit(i int) {
	s.try(i, i-1, slices.Delete(slices.Clone(s.steps), i, i+1), &moved{
		happened: fmt.Sprintf("step %d, %s", i+1, s.names[i]),
		becomes:  fmt.Sprintf("step %d, %s, is left out", i+1, s.names[i]),
		order:    "had it not been there",
	})
}

// move tries a step at later places and at earlier ones, the nearest first, until it helps.
func (s *schedules) move(i int) {
	without := slices.Delete(slices.Clone(s.steps), i, i+1)
	for j := i + 1; j < len(s.steps); j++ {
		if s.try(i, j, slices.Insert(slices.Clone(without), j, s.steps[i]), s.passing(i, j)) {
			break
		}
	}
	for j := i - 1; j >= 0; j-- {
		if s.try(i, j, slices.Insert(slices.Clone(without), j, s.steps[i]), s.passing(i, j)) {
			break
		}
	}
}

// passing is step i at the place of step j.
func (s *schedules) passing(i, j int) *moved {
	was, becomes := "before", "after"
	if j < i {
		was, becomes = becomes, was
	}
	return &moved{
		happened: fmt.Sprintf("step %d, %s, came %s step %d, %s", i+1, s.names[i], was, j+1, s.names[j]),
		becomes:  fmt.Sprintf("step %d, %s, comes %s step %d, %s", i+1, s.names[i], becomes, j+1, s.names[j]),
		order:    "had it come " + becomes,
		distance: max(i-j, j-i), race: process(s.steps[i]) == process(s.steps[j]),
	}
}

// try runs with other steps, and keeps what helps. The steps up to place j have to be possible.
func (s *schedules) try(i, j int, steps []string, m *moved) bool {
	if from := min(i, max(j, 0)); s.clocked(from) {
		if !s.violatedStill(from) {
			return false
		}
		m.still = from + 1
		steps = withoutReadings(steps, from)
	}
	in, err := s.following(append(steps, trial.GoOn))
	if err != nil {
		return false // these steps are no schedule
	}
	in.Tolerant = true
	found := s.judge(in)
	if !found.Gone() {
		return false
	}
	first := slices.Clone(steps[:j+1])
	if m.still > 0 { // without readings a step is possible only if the run goes on
		first = append(first, trial.GoOn)
	}
	if strict, err := s.following(first); err != nil || s.worker.Run(s.ctx, strict, nil).Impossible() != nil {
		return false
	}
	e := &Element{Class: Step, Name: fmt.Sprintf("step %d, %s", i+1, s.names[i]), order: i}
	s.found = append(s.found, &Reason{Changes: []Change{{Element: e, step: m}}, Effect: found.Effect, Then: found.then, Saved: in})
	return true
}

// readings are what clocks showed in a step.
var readings = pattern.Of(`, reads [^,]+`)

// clocked reports whether a step from i on says what clocks showed.
func (s *schedules) clocked(i int) bool {
	return slices.ContainsFunc(s.steps[i:], readings().MatchString)
}

// withoutReadings leaves out what clocks showed from step i on.
func withoutReadings(steps []string, i int) []string {
	steps = slices.Clone(steps)
	for k := i; k < len(steps); k++ {
		steps[k] = readings().ReplaceAllString(steps[k], "")
	}
	return steps
}

// violatedStill reports whether the violation is there if clocks stand still from step i on, and
// nothing else is otherwise.
func (s *schedules) violatedStill(i int) bool {
	violated, known := s.still[i]
	if !known {
		in, err := s.following(append(withoutReadings(s.steps, i), trial.GoOn))
		if err == nil {
			in.Tolerant = true
			r := s.worker.Run(s.ctx, in, nil)
			s.runs++
			violated = r.Failed == nil && r.Verdict(s.v.Check) == s.verdict() && !compare(s.real.Result, r, s.v).Gone()
		}
		s.still[i] = violated
	}
	return violated
}

// verdict is that of the violated check in the real run.
func (s *schedules) verdict() protocols.Verdict { return s.real.Result.Verdict(s.v.Check) }

// following is the instance that follows these steps instead.
func (s *schedules) following(steps []string) (*trial.Instance, error) {
	return s.followingWith(s.in.Setting.Fault, steps)
}

// followingWith is the instance with other Byzantine processes.
func (s *schedules) followingWith(liars string, steps []string) (*trial.Instance, error) {
	setting := s.in.Setting
	setting.Fault, setting.Forks = liars, ""
	setting.Schedule = trial.Schedule(strings.Join(slices.Concat([]string{s.head}, steps), "\n"))
	setting.OutsideModel = true
	return s.registry.Instance(setting)
}
