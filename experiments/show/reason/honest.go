package reason

import (
	"fmt"
	"slices"

	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/netem/explore"
)

// honest has the Byzantine processes of a fault follow their algorithm, in a run that follows a
// schedule. They draw nothing, and what they do at a step is what the algorithm does.
func (s *schedules) honest(fault int) {
	f := s.in.Drawn[fault]
	plan := slices.Clone(s.in.Drawn)
	plan[fault] = faults.Fault{Kind: faults.Never, Spared: &f}
	steps := slices.Clone(s.steps)
	for i, line := range steps {
		if step, err := explore.ParseStep(line); err == nil && f.Groups[0].Has(step.Who) {
			step.Choices = nil
			steps[i] = step.String()
		}
	}
	in, err := s.followingWith(plan.String(), append(steps, trial.GoOn))
	if err != nil {
		return
	}
	in.Tolerant = true
	found := s.judge(in)
	if !found.Gone() {
		return
	}
	m := &moved{
		happened: fmt.Sprintf("the fault %q", f),
		becomes:  fmt.Sprintf("the fault %q never happens", f),
		order:    "had these processes followed the algorithm",
	}
	e := &Element{Class: Step, Name: m.happened}
	s.found = append(s.found, &Reason{Changes: []Change{{Element: e, step: m}}, Effect: found.Effect, Then: found.then, Saved: in})
}
