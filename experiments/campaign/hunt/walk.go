package hunt

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
)

// Schedules says which runs of a hunt follow a schedule. It is a random walk of the explorer: each
// step is drawn from all that are possible. Delays, links and plans of faults have no part in it.
type Schedules uint8

// The choices of schedules.
const (
	SomeSchedules Schedules = iota // one setting of perSchedule
	NoSchedules
	OnlySchedules
)

// ScheduleChoices are their names.
var ScheduleChoices = []string{"some", "none", "only"}

const (
	perSchedule = 8   // settings for each that follows a schedule
	mostWalkers = 8   // processes of a run that follows a schedule
	mostWalked  = 200 // steps of it
)

// walks reports whether the run of a number follows a schedule, and returns what draws it.
func (u *hunter) walks(number uint64) (*draw, bool) {
	d := &draw{Stream: des.NewStream(u.Seed, "hunt schedules "+u.Algorithm.Name, number), algorithm: u.subject.algorithm, n: u.N, least: u.Least, classes: u.Classes}
	return d, u.walked == OnlySchedules || u.walked == SomeSchedules && d.oneIn(perSchedule)
}

// Walkable says what keeps the runs of a hunt from following schedules; nil for nothing.
func (h *Hunt) Walkable() error {
	const some = 3
	s := trial.Setting{Algorithm: h.Algorithm.Name, N: cmp.Or(h.N, some), OutsideModel: true}
	if h.Fix != nil {
		h.Fix(&s)
	}
	switch {
	case s.Node != "":
		return errors.New("no schedules are drawn for programs")
	case s.N > mostWalkers:
		return fmt.Errorf("%d processes are too many for schedules; allowed are up to %d", s.N, mostWalkers)
	case s.MaxTime != "" || s.Until != "":
		return errors.New("a run that follows a schedule ends when its steps do, and not at a time")
	}
	if in, err := h.Registry.Instance(s); err == nil && in.Unexplored() != "" {
		return fmt.Errorf("a run that follows a schedule has no %s", in.Unexplored())
	}
	return nil
}

// walker changes a setting into one that can be explored, and is small.
func (d *draw) walker(s *trial.Setting) {
	s.Delay, s.Link, s.LinkMode, s.Delta, s.GST, s.Transport, s.Detector = trial.DefaultDelay, "", "", "", "", "", ""
	s.Fault, s.Schedule, s.Assume, s.Processing, s.Motion, s.Forks, s.Until = "", "", "", "", "", "", ""
	if n := max(d.least, 2+d.Intn(4)); d.n == 0 && s.N > n {
		s.N, s.IDs, s.Topology = n, "", ""
		s.Placement = d.pick("random", "increasing", "decreasing")
	}
	if s.N < 2 || s.Initiators != "all" {
		s.Initiators = d.pick("all", "random:1", fmt.Sprintf("random:%d", s.N))
	}
	if s.Dead = ""; s.N > 2 && d.oneIn(6) {
		s.Dead = "random:1"
	}
}

// walk draws a walk of a setting: how timers expire, how often faults may strike, and the steps.
func (d *draw) walk(s trial.Setting) *search.Search {
	a := d.algorithm.Assumes
	w := &search.Search{Setting: s, Timers: d.pick(trial.FreeTimers, trial.BoundedTimers), Grain: 1}
	if a.BoundedDelay && (!s.OutsideModel || d.classes != nil) { // messages that are late are of no class
		w.Timers = trial.BoundedTimers
	}
	if w.Timers == trial.BoundedTimers {
		w.Grain = 1 + d.Intn(2)
	}
	w.Budget = explore.Budget{
		Crashes:    d.times(!a.NoCrash && !a.DeadAtStart || s.OutsideModel, "crashes", "partial-broadcasts", "leader-crashes", "restarts", "churn"),
		Losses:     d.times(a.Lossy || s.OutsideModel, "loss", "omissions", "cuts", "partitions"),
		Duplicates: d.times(a.Lossy || s.OutsideModel, "duplicates"),
	}
	if w.Budget.Crashes > 0 {
		w.Budget.Restarts = d.times(!a.NoRestart && !a.DeadAtStart || s.OutsideModel, "restarts", "churn")
	}
	w.Options.Seed, w.Options.MaxSteps = d.Uint64(), mostWalked
	w.Budget.LinkChanges = d.times(a.Moving, "link-changes")
	return w
}

// times draws how often a fault may strike, if it may and is of a class that is drawn.
func (d *draw) times(may bool, classes ...string) int {
	k := max(0, d.Intn(4)-1)
	ofClass := slices.ContainsFunc(classes, func(c string) bool { return slices.Contains(d.classes, c) })
	if !may || d.classes != nil && !ofClass {
		return 0
	}
	return k
}

// faultsOf are the kinds of the faults of a schedule.
func faultsOf(schedule trial.Schedule) (kinds []string) {
	for _, line := range schedule.Lines() {
		step, err := explore.ParseStep(line)
		switch {
		case err != nil: // the first line, or the last
		case step.Sends >= 0:
			kinds = append(kinds, explore.Crash.String())
		case slices.Contains([]explore.StepKind{explore.Crash, explore.Restart, explore.Lose, explore.Duplicate}, step.What):
			kinds = append(kinds, step.What.String())
		}
	}
	return kinds
}
