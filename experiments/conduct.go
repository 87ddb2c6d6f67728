package experiments

import (
	"cmp"
	"context"
	"fmt"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/conduct"
)

// Conduct is what came of checking that the program of an algorithm keeps the rules of
// protocols.Process.
type Conduct struct {
	Instance *Instance // of the first trial
	Trials   int       // that were run, three times each
	Calls    int       // of handlers, in one run of each
	Cut      bool      // a run had more calls than were compared, or came to a limit
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

// CheckConduct runs some trials of a setting, with the seed and those that follow, three
// times each: once as it is, and twice under a watch that compares the calls of all
// handlers. It ends at the first trial in which something is found. The error is that of a
// setting that is wrong, of a panic, or of the context.
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

// checkedRuns is how often a trial runs under a watch.
const checkedRuns = 2

// Trial checks a trial.
func (c *Conduct) Trial(ctx context.Context, in *Instance, runs int) error {
	var worker Worker
	c.Instance = cmp.Or(c.Instance, in)
	plain := worker.Run(ctx, in, nil)
	var watch *conduct.Watch
	for range runs {
		watched := *in
		watch = conduct.New(watch)
		watched.conduct = watch
		result := worker.Run(ctx, &watched, unheardTrace) // it is not made again if it panics
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
				conduct.Finding{Rule: conduct.Deterministic, Text: TrailsPart(plain.Trail, result.Trail)}})
			return nil
		}
		c.Cut = c.Cut || result.End == netem.OutOfEvents || !watch.Compared()
	}
	c.Calls += watch.Calls()
	return nil
}

// watching puts a watch around the processes that b makes.
func watching(w *conduct.Watch, b boot[box.Message]) boot[box.Message] {
	return inBoxes(func(id protocols.ID) protocols.Process[conduct.Message[box.Message]] {
		return conduct.Wrap(w, id, b(id))
	})
}

// TrailsPart says where two runs of different fingerprints part, by their trails.
func TrailsPart(a, b string) string {
	i := 0
	for i < min(len(a), len(b))/2 && a[2*i:2*i+2] == b[2*i:2*i+2] {
		i++
	}
	agreed := uint64(0)
	if i > 0 {
		agreed = netem.Checkpoint(i - 1)
	}
	switch next := netem.Checkpoint(i); {
	case i >= min(len(a), len(b))/2: // one of them has ended by then
		return fmt.Sprintf("the runs part after event %d", agreed)
	case next == agreed+1:
		return fmt.Sprintf("the runs part at event %d", next)
	default:
		return fmt.Sprintf("the runs part between event %d and %d", agreed+1, next)
	}
}
