package page

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// Branch says how a schedule repeats the run up to an event and then takes another step, or
// why none does.
type Branch struct {
	Refused string `json:"refused,omitempty"`
	Timers  string `json:"timers,omitempty"` // the first line of a schedule
	Case    *Case  `json:"case,omitempty"`
	Dead    []int  `json:"dead,omitempty"` // from the start
}

// Case is a case for bullring run --schedule, without its schedule.
type Case struct {
	Setting trial.Setting `json:"setting"`
}

// Limits of a branch.
const (
	mostPlayed = 20_000    // events of a run that is played as a schedule
	mostExact  = 1<<53 - 1 // the largest number that every browser counts exactly
)

// BranchOf returns how the run is left at an event. The run, or one of the same setting in
// which nothing fails, is played as a schedule, to see whether that repeats it.
func BranchOf(ctx context.Context, r *trial.Registry, h *history.History) Branch {
	in := h.Result.Instance
	does := in.Drawn.Effects()
	switch {
	case does.Lies:
		return Branch{Refused: "a process that follows a schedule does not lie"}
	case slices.ContainsFunc(in.Lines, func(l netem.Line) bool { return l.Line.Alters() }):
		return Branch{Refused: "in a schedule messages arrive as they were sent"}
	case does.Moves || h.Moves():
		return Branch{Refused: "in a branch links do not come and go"}
	case in.Medium != nil:
		return Branch{Refused: "in a branch no transmissions collide"}
	case does.Starts:
		return Branch{Refused: "in a schedule all processes start first"}
	case in.Setting.Seed > mostExact:
		return Branch{Refused: "the seed is too large for a browser"}
	case in.Setting.Schedule != "" && !in.Timeless():
		return Branch{Refused: "the run follows a schedule with time"}
	case in.Setting.Schedule != "" && unstarted(h):
		return Branch{Refused: "the schedule ends before all processes have started"}
	case len(h.Events) > mostPlayed:
		return Branch{Refused: fmt.Sprintf("the run has more than %d events", mostPlayed)}
	}
	s := in.Setting
	followed := s.Schedule
	if followed == "" {
		s.Fault = in.Plan.Lying().String() // what a process is, and no step of the run
		s.Link, s.LinkMode, s.Delta, s.GST, s.OutsideModel = "", "", "", "", true
		var err error
		if followed, err = repeats(ctx, r, s); err != nil {
			return Branch{Refused: fmt.Sprintf("a schedule without time does not repeat the run: %v", err)}
		}
	}
	s.Schedule, s.Forks = "", ""
	timers, _, _ := strings.Cut(string(followed), "\n")
	b := Branch{Timers: timers, Case: &Case{s}}
	for _, p := range in.Dead {
		b.Dead = append(b.Dead, int(p))
	}
	return b
}

// repeats returns a schedule that repeats a run in which nothing fails, or why none does.
func repeats(ctx context.Context, r *trial.Registry, s trial.Setting) (trial.Schedule, error) {
	s.MaxEvents = min(s.MaxEvents, mostPlayed)
	in, err := r.Instance(s)
	if err != nil {
		return "", err
	}
	s.Schedule, s.Forks = history.Of(ctx, in).Schedule(), "" // the steps say what was drawn
	if in, err = r.Instance(s); err != nil {
		return "", err
	}
	return s.Schedule, new(trial.Worker).Run(ctx, in, nil).Impossible()
}

// unstarted reports whether an initiator has neither started nor crashed.
func unstarted(h *history.History) bool {
	began := map[protocols.ID]bool{}
	for i := range h.Events {
		if e := &h.Events[i]; e.What == "start" || e.What == "crash" {
			began[e.Who] = true
		}
	}
	in := h.Result.Instance
	for p := range in.Initiators.All() {
		if !began[p] && !in.IsDead(p) {
			return true
		}
	}
	return false
}
