package experiments

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullring/netem/explore"
)

// script is a parsed schedule.
type script struct {
	timers string
	grain  int
	steps  []explore.Step
	budget explore.Budget // the faults of the steps
	goesOn bool           // after its steps, until rest
}

// GoOn is the last line of a schedule whose run goes on to its end.
const GoOn = "go on"

// readSchedule reads the schedule of a setting.
func (in *Instance) readSchedule(s *Setting) error {
	if s.Schedule == "" {
		return nil
	}
	lines := strings.Split(string(s.Schedule), "\n")
	sc := &script{}
	head, restarts := strings.CutSuffix(lines[0], ", restarts")
	switch words := strings.Fields(head); {
	case len(words) == 2 && head == "timers "+FreeTimers:
		sc.timers = FreeTimers
	case len(words) == 3 && strings.HasPrefix(head, "timers "+BoundedTimers+" "):
		sc.timers = BoundedTimers
		if grain, err := strconv.Atoi(words[2]); err == nil && grain > 0 {
			sc.grain = grain
			break
		}
		fallthrough
	default:
		return fmt.Errorf("schedule: its first line is %q; it says 'timers free' or 'timers bounded K', and may go on with ', restarts'", lines[0])
	}
	lines = lines[1:]
	if last := len(lines) - 1; last >= 0 && lines[last] == GoOn {
		sc.goesOn, lines = true, lines[:last]
	}
	for i, line := range lines {
		step, err := explore.ParseStep(line)
		if err != nil {
			return fmt.Errorf("schedule, line %d: %w", i+2, err)
		}
		sc.steps = append(sc.steps, step)
		sc.spend(step)
	}
	if restarts {
		sc.budget.Restarts = max(sc.budget.Restarts, 1)
	}
	in.script = sc
	if what := in.Unexplored(); what != "" {
		return fmt.Errorf("a run that follows a schedule has no %s", what)
	}
	if sc.timers == BoundedTimers && in.Assumed%time.Duration(sc.grain) != 0 {
		return fmt.Errorf("schedule: %d steps of time do not divide the bound on delay, %v", sc.grain, in.Assumed)
	}
	in.SetTick(sc.timers, sc.grain)
	return nil
}

// spend adds the faults of a step to the budget.
func (sc *script) spend(s explore.Step) {
	b := &sc.budget
	switch s.What {
	case explore.Lose:
		b.Losses++
	case explore.Duplicate:
		b.Duplicates++
	case explore.Crash:
		b.Crashes++
	case explore.Restart:
		b.Restarts++
	}
	if s.Sends >= 0 {
		b.Crashes++
	}
}
