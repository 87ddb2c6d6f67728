package experiments

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/setting"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Schedule is a run, step by step, as text.
type Schedule = setting.Schedule

// script is a schedule that was understood.
type script struct {
	timers string
	grain  int
	steps  []explore.Step
	budget explore.Budget // what it takes
}

// readSchedule reads the schedule of a setting. What it takes from the algorithm's
// model is told by its steps.
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
	for i, line := range lines[1:] {
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
	in.Script = sc
	if what := NotExplored(in); what != "" {
		return fmt.Errorf("a run that follows a schedule has no %s", what)
	}
	if sc.timers == BoundedTimers && in.Assumed%time.Duration(sc.grain) != 0 {
		return fmt.Errorf("schedule: %d steps of time do not divide the bound on delay, %v", sc.grain, in.Assumed)
	}
	in.Tick = Tick(in, sc.timers, sc.grain)
	return nil
}

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

// Timeless reports whether an instance follows a schedule in which delays have no
// bound. Then instants are no more than the numbers of the steps.
func (in *Instance) Timeless() bool { return in.Script != nil && in.Script.timers == FreeTimers }

// Steps is the length of the schedule that an instance follows, 0 without one.
func (in *Instance) Steps() int {
	if in.Script == nil {
		return 0
	}
	return len(in.Script.steps)
}

// Calm reports whether nothing fails after the start.
func (in *Instance) Calm() bool {
	return len(in.Plan) == 0 && (in.Script == nil || in.Script.budget == explore.Budget{})
}

// NotExplored says what of an instance has no place in what is explored, "" if all
// has.
func NotExplored(in *Instance) string {
	for _, no := range []struct {
		given bool
		what  string
	}{
		{in.Setting.Link != "" || len(in.Lines) > 0, "links with impairments"},
		{in.Transport != nil, "reliable link"},
		{in.Detector != nil, "failure detector that sends heartbeats"},
		{len(in.Plan) > 0, "plan of faults"},
		{in.Delta > 0, "partial synchrony"},
	} {
		if no.given {
			return no.what
		}
	}
	return ""
}

// ExploredNetwork is what may happen in what is explored, or follows a schedule.
func ExploredNetwork(in *Instance, timers string, grain int, budget explore.Budget) explore.Network {
	n := explore.Network{FIFO: in.FIFO, Blind: in.Blind, Budget: budget}
	if timers == BoundedTimers {
		n.Bound, n.Step = grain, Tick(in, timers, grain)
	}
	return n
}

// Tick is the step in which time passes with those timers.
func Tick(in *Instance, timers string, grain int) time.Duration {
	if timers == FreeTimers {
		return 0
	}
	return in.Assumed / time.Duration(grain)
}

// play follows the schedule of an instance. If it is not possible, or a handler
// panics, the result says so and is that of the steps before.
func (r *modelRunner[M]) play(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	watch := newWatch(in, r.family, r.judgeOf(in, true))
	v := &watch.view
	system := r.system([]*Instance{in}, ExploredNetwork(in, in.Script.timers, in.Script.grain, in.Script.budget),
		func(in *Instance) func(protocols.ID) protocols.Process[M] {
			build := r.build(in)
			return func(p protocols.ID) protocols.Process[M] {
				made := build(p)
				watch.sit(p, made)
				return made
			}
		})
	player, stopped := explore.NewPlayer(system, 0), false
	v.now, v.told, v.depth, v.stop = player.Now, player.Told, player.Depth, func() { stopped = true }
	player.Observe(watch.observer())
	var told netem.Tracer
	if trace != nil {
		told = trace(watch.news)
	}
	player.Trace(watch.tracer(told))
	for _, p := range in.Dead {
		watch.judge.Crashed(p, 0)
	}
	end := netem.OutOfSteps
	broke := map[string]int{} // the step at which a check did
	failed := follow(ctx, player, in.Script.steps, func(step int) {
		for _, c := range watch.judge.Checks(false) {
			if c.Verdict == protocols.Violated && broke[c.Name] == 0 {
				broke[c.Name] = step
			}
		}
	})
	switch {
	case ctx.Err() != nil:
		end = netem.Interrupted
	case failed == nil && player.Rest():
		end = netem.Quiescent
	case failed == nil && stopped:
		end = netem.Stopped
	}
	var m M
	result := newResult(in, watch, end, player.Counters(), m, player.Fingerprint())
	result.Failed = failed
	inSteps(result.Checks, broke)
	return result
}

// inSteps has checks say at which step they broke, and not at which time.
func inSteps(checks []protocols.Check, broke map[string]int) {
	for i := range checks {
		if c := &checks[i]; c.Broke != nil {
			c.Detail = strings.Replace(c.Detail, c.Broke.At.String(), fmt.Sprintf("step %d", broke[c.Name]), 1)
		}
	}
}

// follow takes the steps of a schedule, and says after each that it was taken. The
// error says at which it had to stop.
func follow[M protocols.Message](ctx context.Context, player *explore.Player[M], steps []explore.Step, taken func(step int)) (err error) {
	at := 0
	defer func() {
		if panicked := recover(); panicked != nil {
			failed := newPanicError("", panicked)
			failed.Step, failed.Taken = at+1, steps[at].String()
			err = failed
		}
	}()
	for at = range steps {
		if ctx.Err() != nil {
			return nil
		}
		if err := player.Step(steps[at]); err != nil {
			return fmt.Errorf("step %d of the schedule, %q, is not possible: %w", at+1, steps[at], err)
		}
		taken(at + 1)
	}
	return nil
}

// Panicked reports whether a handler panicked.
func (r *Result) Panicked() bool {
	_, panicked := errors.AsType[*PanicError](r.Failed)
	return panicked
}

// Impossible says why the schedule could not be followed, nil if it could, up to
// the panic of a handler.
func (r *Result) Impossible() error {
	if r.Panicked() {
		return nil
	}
	return r.Failed
}
