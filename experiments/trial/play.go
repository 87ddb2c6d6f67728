package trial

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/internal/guard"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
)

// play follows the schedule of an instance. If a step is impossible or a handler panics,
// the result is that of the steps before, and Failed has the error.
func (r *modelRunner[M]) play(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	watch := newWatch(in, r.family, r.judge(in, true), trace)
	watch.crashed = r.crashed
	v := &watch.view
	sc := in.Script
	network := in.Network(sc.timers, sc.grain, sc.budget)
	network.Down, network.Notice = sc.down, sc.notice
	system := &explore.System[box.Message]{
		Topology: in.Topology, Network: network,
		Roots: []explore.Root[box.Message]{{Boot: r.stack(in, v, watch.made), Initiators: in.Initiators.List(), Dead: in.Dead}},
	}
	player := &played{Player: explore.NewPlayer(system, 0), clocks: sc.clocks}
	if sc.clocks {
		player.ReadClocks()
	}
	v.run, v.checkTime, v.monitorTime = player, player.Told, player.Latest
	player.Observe(watch.observer())
	watch.follow(player)
	player.Trace(watch.tracer())
	for _, p := range in.Dead {
		watch.judge.Crashed(p, 0)
		if v.monitor != nil {
			v.monitor.Crashed(p, 0)
		}
	}
	end := netem.OutOfSteps
	broke := map[string]int{} // the step at which each check broke
	if sc.goesOn {
		draws := des.NewStream(in.Setting.Seed, "go on")
		player.DrawBy(draws.Intn)
	}
	failed := player.follow(ctx, sc, in.Tolerant, func(step int) {
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
	case failed == nil && player.stopped:
		end = netem.Stopped
	}
	result := newResult(in, watch, end, player.Counters(), player.Sample(), player.Fingerprint())
	if failed != nil {
		result.fail(failed)
	}
	inSteps(result.Checks, broke)
	return result
}

// played is a run that follows a schedule.
type played struct {
	*explore.Player[box.Message]
	clocks  bool
	stopped bool
}

// Stop implements running.
func (p *played) Stop() { p.stopped = true }

// Reading implements running.
func (p *played) Reading(id protocols.ID) time.Duration {
	if p.clocks {
		return p.Player.Reading(id)
	}
	return p.Told()
}

// inSteps replaces the time at which each check broke by the number of the step.
func inSteps(checks []protocols.Check, broke map[string]int) {
	for i := range checks {
		if c := &checks[i]; c.Broke != nil {
			c.Detail = strings.Replace(c.Detail, c.Broke.At.String(), fmt.Sprintf("step %d", broke[c.Name]), 1)
		}
	}
}

// mostOn is the largest number of steps that a run takes after its schedule.
const mostOn = 10_000

// follow takes the steps of a schedule, goes on after them if it says so, and calls taken
// after each. The error names the step at which it had to stop. If it is tolerant, it leaves out
// a step that is not possible when its turn comes.
func (p *played) follow(ctx context.Context, s *Script, tolerant bool, taken func(step int)) (err error) {
	var step explore.Step
	number := 0
	walk := func() error {
		take := func(next explore.Step) error {
			number++
			step = next
			if err := p.Step(step); err != nil {
				return fmt.Errorf("step %d of the schedule, %q, is not possible: %w", number, step, err)
			}
			taken(number)
			return nil
		}
		for _, next := range s.steps {
			if ctx.Err() != nil || p.stopped {
				return nil
			}
			if tolerant && p.Possible(next) != nil {
				number++
				continue
			}
			if err := take(next); err != nil {
				return err
			}
		}
		for on := 0; s.goesOn && on < mostOn && !p.stopped && ctx.Err() == nil; on++ {
			next, more := p.Next()
			if !more {
				return nil
			}
			if err := take(next); err != nil {
				return err
			}
		}
		return nil
	}
	guard.Call(func() { err = walk() }, func(x any) {
		if err = failureOf("", x); !IsLate(err) {
			failed := err.(*PanicError)
			failed.Step, failed.Taken = number, step.String()
		}
	})
	return err
}
