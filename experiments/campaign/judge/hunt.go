package judge

import (
	"context"
	"fmt"
	"strings"

	"bullring/experiments/campaign/hunt"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/experiments/trial/setting"
	"bullring/internal/counts"
)

// hunts draws settings inside the model until one fails.
func (j *judging) hunts(ctx context.Context) error {
	s := j.fixed()
	if s.Seed, s.Variant = j.Seed, j.usualVariant(); j.Setting.Variant == search.Every {
		s.Variant = ""
	}
	a := Attempt{Stage: Hunt, Command: command("hunt", s, "--settings", text(j.Settings), "--least", text(j.Sizes[0]))}
	j.try(a, func(a *Attempt) {
		h := &hunt.Hunt{
			Registry: j.Registry, Algorithm: j.algorithm, Fix: j.fix, Least: j.Sizes[0],
			OutsideModel: s.OutsideModel, Seed: j.Seed, Settings: j.Settings, Failures: 1,
			Progress: func(r *hunt.Report) {
				now := *a
				now.Runs = r.Runs
				j.progress(now)
			},
		}
		j.hunted(ctx, h.Run(ctx), a)
	})
	return nil
}

// hunted notes what came of a hunt.
func (j *judging) hunted(ctx context.Context, r *hunt.Report, a *Attempt) {
	switch a.Runs = r.Runs; {
	case len(r.Found) > 0:
		j.fails(a, found(r.Found[0]))
	case ctx.Err() != nil:
		a.cut(ctx)
	case r.Late > 0:
		a.Result, a.Why = Late, fmt.Sprintf("a program did not answer in time in %s", counts.Several(int(r.Late), "run"))
	case r.Runs == 0:
		a.Result, a.Why = Skipped, fmt.Sprintf("none of %s is inside the model", counts.Several(int(r.Drawn), "setting"))
	case r.Limited == r.Runs:
		a.Result, a.Why = Unfinished, "every run ended at a limit of events"
	default:
		a.Result = Held
		if r.Limited > 0 {
			a.Why = fmt.Sprintf("%s ended at a limit of events", counts.Several(int(r.Limited), "run"))
		}
	}
}

// found is a failure that a hunt has found.
func found(f *hunt.Found) *Failure {
	if f.Shrunk == nil { // there was no time
		return &Failure{Check: string(f.Failure), Detail: f.Detail, Setting: f.Setting, Replays: true}
	}
	return &Failure{
		Check: string(f.Failure), Detail: sentence(f.Shrunk.Result, f.Failure, f.Detail), Setting: f.Shrunk.Setting, Replays: true,
		Result: f.Shrunk.Result, Explanation: f.Explanation,
	}
}

// fixed is a setting with what all settings of the hunt have in common.
func (j *judging) fixed() trial.Setting {
	s := j.Setting
	s.N, s.Seed = 0, 0
	for _, every := range []*string{&s.Placement, &s.Initiators, &s.Inputs} {
		if *every == search.Every {
			*every = ""
		}
	}
	return s
}

// fix gives a drawn setting what the case says. Variants vary if every one is judged.
func (j *judging) fix(s *trial.Setting) {
	base := j.fixed()
	if base.Variant != search.Every {
		s.Variant = base.Variant
	}
	for _, c := range given(base) {
		if c.Name == "variant" {
			continue
		}
		if c.Name == "placement" {
			s.IDs = ""
		}
		c.Set(s, c.Get(&base))
	}
	if base.IDs != "" {
		s.IDs, s.Placement = base.IDs, ""
	}
	if base.Attr != "" {
		s.Attr = base.Attr
	}
	if base.Processing != "" {
		s.Processing = base.Processing
	}
}

// usualVariant is the one of the setting or, if it has none, that of the algorithm.
func (j *judging) usualVariant() string {
	if j.Setting.Variant != "" {
		return j.Setting.Variant
	}
	var words []string
	for _, group := range j.algorithm.Variants {
		words = append(words, group[0])
	}
	return strings.Join(words, ",")
}

// given are the conditions to which a setting gives a value.
func given(s trial.Setting) (some []*setting.Condition) {
	for _, c := range setting.InOrder() {
		if c.Name != "n" && c.Get(&s) != c.Get(&trial.Setting{}) {
			some = append(some, c)
		}
	}
	return some
}
