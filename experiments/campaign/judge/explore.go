package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/conduct"
)

// singleFaults are those of explorations: none, or one that the model allows. Of links that come and go there are
// two: one that goes down can come up again.
var singleFaults = []explore.Budget{{}, {Crashes: 1}, {Crashes: 1, Restarts: 1}, {Losses: 1}, {Duplicates: 1}, {LinkChanges: 1}, {LinkChanges: 2}}

// noFaults is the text of no faults.
const noFaults = "none"

// explores explores systems: those with few processes first, and of these first those without faults.
func (j *judging) explores(ctx context.Context) error {
	ctx, end := j.within(ctx, j.Limit/2)
	defer end()
	faults := j.Faults
	if faults == nil {
		faults = singleFaults
	}
	for _, variant := range j.variants() {
		large := make([]string, len(faults)) // why no larger systems are explored
		for _, n := range j.Sizes {
			in, err := j.instance(variant, n)
			if err != nil { // no hypercube has three processes
				j.skip(variant, n, "", Skipped, err.Error())
				continue
			}
			for i, b := range faults {
				if !j.goesOn() {
					return nil
				}
				if j.Faults == nil && b.LinkChanges > 0 && !in.Algorithm.Assumes.Moving {
					continue // few algorithms are for such graphs: no word about the others
				}
				if large[i] != "" {
					j.skip(variant, n, faultsText(b), Unfinished, large[i])
					continue
				}
				large[i] = j.system(ctx, in, variant, b)
			}
		}
	}
	return nil
}

// skip notes a system that is not explored. What is outside of the model is noted for the smallest system alone.
func (j *judging) skip(variant string, n int, faults string, result Result, why string) {
	noted := func(a Attempt) bool {
		return a.Stage == Explore && a.Variant == variant && a.Faults == faults && a.Result == Skipped && a.Why == why
	}
	if result != Skipped || !slices.ContainsFunc(j.report.Tried, noted) {
		j.report.Tried = append(j.report.Tried, Attempt{Stage: Explore, Variant: variant, N: n, Faults: faults, Result: result, Why: why})
	}
}

// system explores a variant with some processes and faults. It returns why larger systems are not worth a look, ""
// if they are.
func (j *judging) system(ctx context.Context, in *trial.Instance, variant string, b explore.Budget) (large string) {
	n := in.N
	s := search.Search{Setting: j.widest(in, variant, b), Budget: b, Options: explore.Options{MaxStates: j.States, Reduce: true}}
	if outside, err := search.Outside(j.Registry, s); err == nil && len(outside) > 0 && !j.Setting.OutsideModel {
		j.skip(variant, n, faultsText(b), Skipped, strings.Join(outside, "; "))
		return ""
	}
	a := Attempt{Stage: Explore, Variant: variant, N: n, Faults: faultsText(b), Command: explorationCommand(s.Setting, b, j.States)}
	j.try(a, func(a *Attempt) {
		s.Options.Progress = func(p explore.Progress) {
			now := *a
			now.States = p.States
			j.progress(now)
		}
		e, err := search.Explore(ctx, j.Registry, s)
		j.explored(ctx, e, err, s.Setting, a)
		if a.Result != Held {
			large = fmt.Sprintf("n %d was not explored to its end", n)
		}
	})
	return large
}

// widest is a setting with every placement, every vector of inputs and every set of initiators, where the algorithm has
// a choice and the case says nothing. Some algorithms bear lossy links only if every process initiates.
func (j *judging) widest(in *trial.Instance, variant string, b explore.Budget) trial.Setting {
	s, assumes := j.Setting, &in.Algorithm.Assumes
	s.Variant, s.N, s.Seed, s.OutsideModel = variant, in.N, j.Seed, true
	if j.places(assumes) && s.Placement == "" && s.IDs == "" {
		s.Placement = search.Every
	}
	lossy := assumes.Lossy && b.Losses+b.Duplicates > 0
	if !assumes.AllInitiate && !assumes.OneInitiates && !lossy && s.Initiators == "" {
		s.Initiators = search.Every
	}
	if in.Algorithm.Inputs != nil && s.Inputs == "" {
		s.Inputs = search.Every
	}
	return s
}

// places reports whether it makes sense to place identities in another way.
func (j *judging) places(a *trial.Assumptions) bool {
	return !a.Anonymous && !(a.KnowsIdentities && inPrograms(&j.Setting))
}

// explored notes what came of an exploration.
func (j *judging) explored(ctx context.Context, e *search.Exploration, err error, s trial.Setting, a *Attempt) {
	if err != nil {
		j.unexplored(ctx, err, s, a)
		return
	}
	switch a.States = e.States; {
	case e.Counterexample != nil:
		j.counterexample(ctx, e, a)
	case e.Complete && slices.ContainsFunc(e.Properties, never):
		a.Result, a.Why = Unfinished, "no run comes out as it should"
	case e.Complete:
		a.Result = Held
		if e.Asked != nil {
			a.Questions, a.Again = e.Asked.Questions, e.Asked.Again
		}
	case ctx.Err() != nil:
		a.cut(ctx)
	default:
		a.Result, a.Why = Unfinished, e.Stopped.Error()
	}
}

// never reports whether a property that some run is to have holds in none.
func never(p explore.Judged) bool {
	return p.Kind == explore.Sometimes && p.Verdict == protocols.Violated
}

// unexplored notes why an exploration said nothing, or that the program does one thing and then another.
func (j *judging) unexplored(ctx context.Context, err error, s trial.Setting, a *Attempt) {
	wrong, misbehaves := errors.AsType[*trial.Misbehaviour](err)
	_, unsteady := errors.AsType[*explore.NotDeterministicError](err)
	switch {
	case ctx.Err() != nil:
		a.cut(ctx)
	case trial.IsLate(err):
		a.Result, a.Why = Late, err.Error()
	case isPanic(err), misbehaves && !wrong.Opaque && !wrong.Unsteady:
		j.fails(a, &Failure{Check: string(search.Panics), Detail: err.Error(), Setting: s})
	case unsteady, misbehaves && wrong.Unsteady:
		j.fails(a, &Failure{Check: string(conduct.Deterministic), Detail: err.Error(), Setting: s})
	default:
		a.Result, a.Why = Unfinished, err.Error()
	}
}

// counterexample notes the smallest run that violates a property, once it was played.
func (j *judging) counterexample(ctx context.Context, e *search.Exploration, a *Attempt) {
	smallest := e.Smallest(ctx, j.Registry)
	run := smallest.Counterexample
	played, err := smallest.Play(j.whole, j.Registry, run, nil)
	if err != nil {
		j.unexplored(j.whole, err, smallest.Instances[run.Root].Setting, a)
		return
	}
	p := smallest.Properties[run.Property]
	f := &Failure{Check: p.Name, Setting: played.Instance.Setting, Replays: true, Result: played, Cycle: run.Cycle}
	if f.Detail = sentence(played, search.Failure(p.Name), "it is not so that "+p.Says); run.Cycle > 0 {
		f.Detail = fmt.Sprintf("the run goes on for ever: its last %s repeat", counts.Several(run.Cycle, "step"))
	}
	j.fails(a, j.explained(ctx, f))
}

// faultsText names faults.
func faultsText(b explore.Budget) string {
	var parts []string
	for _, k := range []struct {
		count int
		what  string
	}{{b.Crashes, "crash"}, {b.Restarts, "restart"}, {b.Losses, "loss"}, {b.Duplicates, "duplicate"}, {b.LinkChanges, "link change"}} {
		if k.count > 0 {
			parts = append(parts, counts.Several(k.count, k.what))
		}
	}
	if parts == nil {
		return noFaults
	}
	return strings.Join(parts, ", ")
}
