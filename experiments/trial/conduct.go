package trial

import (
	"cmp"
	"context"
	"fmt"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/conduct"
)

// Conduct is the result of a check whether the program of an algorithm keeps the rules of
// protocols.Process.
type Conduct struct {
	Instance *Instance // of the first trial
	Trials   int       // each was run three times
	Calls    int       // of handlers, in one run of each trial
	Cut      bool      // a run had more calls than were compared, or reached a limit
	Findings []ConductError
}

// ConductError says that the program of an algorithm broke a rule.
type ConductError struct {
	Algorithm string
	Seed      uint64 // of the trial
	conduct.Finding
}

func (e *ConductError) Error() string {
	return fmt.Sprintf("%s %s: %s", e.Algorithm, e.verb(), e.Text)
}

func (e *ConductError) verb() string {
	switch e.Rule {
	case conduct.Deterministic:
		return "is not deterministic"
	case conduct.Separate:
		return "shares memory between processes"
	case conduct.Immutable:
		return "changes a message that was sent"
	}
	return "uses a Node after its handler"
}

// CheckConduct checks trials of a setting, with its seed and the following ones. Each trial
// runs three times: once plain, and twice under a watch that compares the calls of all
// handlers. The check ends with the first trial that has findings. The error is that of a
// wrong setting, of a panic, or of the context.
func CheckConduct(ctx context.Context, r *Registry, s Setting, trials int) (*Conduct, error) {
	c := &Conduct{}
	for c.Trials < trials && len(c.Findings) == 0 {
		in, err := r.Instance(s)
		if err != nil {
			return c, err
		}
		if err := c.Trial(ctx, in, checkedRuns); err != nil {
			return c, err
		}
		c.Trials++
		s.Seed++
	}
	return c, nil
}

// checkedRuns is the number of runs of a trial under a watch.
const checkedRuns = 2

// Trial checks one trial, which runs once plain and some times under a watch.
func (c *Conduct) Trial(ctx context.Context, in *Instance, runs int) error {
	var worker Worker
	c.Instance = cmp.Or(c.Instance, in)
	plain := worker.Run(ctx, in, nil)
	if err := plain.Late(); err != nil && ctx.Err() == nil {
		return err
	}
	var watch *conduct.Watch
	for range runs {
		watched := *in
		watch = conduct.New(watch)
		watched.conduct = watch
		result := worker.Run(ctx, &watched, unheardTrace) // with a trace it runs only once, also if it panics
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if result.Failed == nil {
			watch.Finish()
		}
		for _, f := range watch.Findings() {
			c.Findings = append(c.Findings, ConductError{in.Algorithm.Name, in.Setting.Seed, f})
		}
		switch {
		case len(c.Findings) > 0:
			return nil
		case result.Failed != nil:
			return result.Failed
		case result.Fingerprint != plain.Fingerprint:
			c.Findings = append(c.Findings, ConductError{in.Algorithm.Name, in.Setting.Seed,
				conduct.Finding{Rule: conduct.Deterministic, Text: result.PartsFrom(plain.Trail)}})
			return nil
		}
		c.Cut = c.Cut || result.End == netem.OutOfEvents || !watch.Compared()
	}
	c.Calls += watch.Calls()
	return nil
}

// watching adds a watch around each process.
func watching(w *conduct.Watch, b boot[box.Message]) boot[box.Message] {
	return inBoxes(func(id protocols.ID) protocols.Process[conduct.Message[box.Message]] {
		return conduct.Wrap(w, id, b(id))
	})
}
