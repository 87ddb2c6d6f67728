package judge

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/protocols"
	"bullring/protocols/conduct"
)

// How trials of the check of conduct look, if the setting does not say.
const (
	conductSize  = 8
	conductDelay = "uniform(0,2ms)"
	conductEnd   = 5_000 // events
)

// conducts checks that the program keeps the rules of a process, in each variant. It takes a quarter of the time
// at most: a run that goes on for ever breaks no rule, and explorations find it.
func (j *judging) conducts(ctx context.Context) error {
	ctx, end := j.within(ctx, j.Limit/4)
	defer end()
	for _, variant := range j.variants() {
		if !j.goesOn() {
			return nil
		}
		s, why := j.plainSetting(variant)
		a := Attempt{Stage: Conduct, Variant: variant, N: s.N, Command: command("check", s, "--trials", text(j.Trials))}
		if why != nil {
			a.Result, a.Why = Skipped, why.Error()
			j.report.Tried = append(j.report.Tried, a)
			continue
		}
		var bad error
		j.try(a, func(a *Attempt) { bad = j.conduct(ctx, s, a) })
		if bad != nil {
			return bad
		}
	}
	return nil
}

// plainSetting is a setting inside the model, with more processes than are explored if that is possible; but programs
// take time to start. The error says why there is none.
func (j *judging) plainSetting(variant string) (s trial.Setting, why error) {
	sizes := slices.Clone(j.Sizes)
	slices.Reverse(sizes)
	if !inPrograms(&j.Setting) {
		sizes = append([]int{max(conductSize, sizes[0])}, sizes...)
	}
	for _, n := range sizes {
		s = j.Setting
		s.Variant, s.N, s.Seed, s.MaxEvents = variant, n, j.Seed, cmp.Or(s.MaxEvents, conductEnd)
		s.Delay = cmp.Or(s.Delay, conductDelay)
		if s.Initiators == search.Every {
			s.Initiators = ""
		}
		if s.Inputs == search.Every {
			s.Inputs = ""
		}
		if s.Placement == search.Every || s.Placement == "" && s.IDs == "" && j.places(&j.algorithm.Assumes) {
			s.Placement = "random"
		}
		_, err := j.Registry.Instance(s)
		if err == nil {
			return s, nil
		}
		why = cmp.Or(why, err)
	}
	return s, why
}

// conduct checks trials of a setting. The error says that the program does not start.
func (j *judging) conduct(ctx context.Context, s trial.Setting, a *Attempt) error {
	c, err := trial.CheckConduct(ctx, j.Registry, s, j.Trials)
	a.Runs = uint64(c.Trials)
	s.Seed += uint64(c.Trials)
	switch {
	case ctx.Err() != nil:
		a.cut(ctx)
	case trial.IsLate(err):
		a.Result, a.Why = Late, err.Error()
	case isPanic(err):
		j.fails(a, j.shrunk(ctx, s, search.Panics, err.Error()))
	case err != nil:
		return err
	case len(c.Findings) > 0:
		f := &c.Findings[0]
		s.Seed = f.Seed
		j.fails(a, &Failure{Check: string(f.Rule), Detail: f.Error(), Setting: s})
	default:
		a.Result = Held
		if c.Cut {
			a.Why = "runs were long, or ended at a limit of events, so that not all calls were compared"
		}
	}
	return nil
}

func isPanic(err error) bool {
	_, panics := errors.AsType[*trial.PanicError](err)
	return panics
}

// shrunk is a failure with the smallest run that shows it; if the run does not show it again, with the run itself.
func (j *judging) shrunk(ctx context.Context, s trial.Setting, failure search.Failure, detail string) *Failure {
	shrunk, err := search.Shrink(ctx, j.Registry, s, failure, nil)
	if shrunk == nil {
		again := !errors.Is(err, search.ErrSound)
		f := &Failure{Check: string(failure), Detail: detail, Setting: s, Replays: again}
		if !again {
			f.Check = string(conduct.Deterministic)
		}
		return f
	}
	return &Failure{Check: string(failure), Detail: sentence(shrunk.Result, failure, detail), Setting: shrunk.Setting, Replays: true, Result: shrunk.Result}
}

// sentence says how a run fails, or what is known of another run that fails in the same way.
func sentence(r *trial.Result, failure search.Failure, known string) string {
	switch {
	case failure == search.Panics && r.Panicked():
		return r.Failed.Error()
	case failure == search.Bound && r.BrokenBound() != nil:
		return r.BrokenBound().Error()
	}
	for _, c := range r.Checks {
		if c.Name == string(failure) && c.Verdict == protocols.Violated {
			return c.Detail
		}
	}
	return known
}

// explained adds why the check does not hold.
func (j *judging) explained(ctx context.Context, f *Failure) *Failure {
	if f.Result != nil && f.Result.Verdict(f.Check) == protocols.Violated {
		f.Explanation = reason.Full.Of(f.Check).ExplainResult(ctx, j.Registry, f.Result)
	}
	return f
}
