// Package judge comes to one verdict on code that nobody knows: an algorithm of a registry, or a program as the
// processes of one.
//
// It goes through three stages: whether the program keeps the rules of a process, every run of small systems, and
// random runs of larger ones. What it finds first is the failure, and it looks for no other. A machine that is
// slow can make a report inconclusive; it never condemns.
package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
)

// Case says what is judged, and how far one looks. What is 0 or nil has its default.
type Case struct {
	Registry *trial.Registry
	// Setting is the algorithm or the family, its variant, parameters, topology, program and what else is to be the
	// same in each run. N is not read. The variant may be search.Every.
	Setting  trial.Setting
	Sizes    []int            // numbers of processes whose every run is explored, ascending; default 2, 3, 4. No random run has fewer than the first
	Faults   []explore.Budget // of the explorations; default: none, and each single one that the model allows
	States   uint64           // at which an exploration ends; default [DefaultStates]
	Settings uint64           // that are drawn at random; default [DefaultSettings], or [ProgramSettings] of programs
	Seed     uint64           // of these, and of the trials; default 1
	Trials   int              // of the check of conduct; default [DefaultTrials]
	// Limit is the longest time, in real time; 0 is none. Of its first quarter the check of conduct takes no more, and
	// of its first half the explorations. What was not tried by then is said, and condemns nothing.
	Limit  time.Duration
	Stages []Stage // that are gone through, in the order of [Stages]; default all
	// Progress, if not nil, is called now and then with how far a stage is. Several goroutines may call it.
	Progress func(Attempt)
}

// Defaults of a [Case].
const (
	DefaultStates   = 20_000
	DefaultSettings = 1_000
	ProgramSettings = 200
	DefaultTrials   = 10
)

// Stage is a way to look for failures.
type Stage string

// The stages.
const (
	Conduct Stage = "conduct" // whether the program keeps the rules of a process
	Explore Stage = "explore" // every run of small systems
	Hunt    Stage = "hunt"    // random settings
)

// Stages are all, in the order in which they are gone through.
var Stages = []Stage{Conduct, Explore, Hunt}

// Run judges. The error is that of bad input, and then there is no report; or that of the context, and then the
// report has what was tried. Without a limit of time, the report but for the time spent is the same on every machine.
func (c *Case) Run(ctx context.Context) (*Report, error) {
	j := &judging{Case: c.filled(), report: &Report{}, whole: ctx, begun: time.Now()}
	if err := j.check(); err != nil {
		return nil, err
	}
	limited, end := j.within(ctx, j.Limit)
	defer end()
	stages := map[Stage]func(context.Context) error{Conduct: j.conducts, Explore: j.explores, Hunt: j.hunts}
	for _, s := range Stages {
		if !slices.Contains(j.Stages, s) || !j.goesOn() {
			continue
		}
		if err := stages[s](limited); err != nil {
			return nil, err
		}
	}
	j.report.conclude()
	j.report.Spent = time.Since(j.begun)
	return j.report, context.Cause(ctx)
}

// filled returns the case with its defaults.
func (c *Case) filled() *Case {
	f := *c
	settings := uint64(DefaultSettings)
	if inPrograms(&f.Setting) {
		settings = ProgramSettings
	}
	f.States, f.Settings, f.Trials = cmp.Or(f.States, DefaultStates), cmp.Or(f.Settings, settings), cmp.Or(f.Trials, DefaultTrials)
	f.Seed = cmp.Or(f.Seed, 1)
	if f.Sizes == nil {
		f.Sizes = []int{2, 3, 4}
	}
	if f.Stages == nil {
		f.Stages = Stages
	}
	return &f
}

func inPrograms(s *trial.Setting) bool { return s.Node != "" && s.Node != trial.NoNode }

// judging is a case under way.
type judging struct {
	*Case
	algorithm *trial.Algorithm
	report    *Report
	whole     context.Context // without the limit of time
	begun     time.Time
}

// check refuses bad input: a setting that is none for any number of processes.
func (j *judging) check() (err error) {
	if j.algorithm, err = j.Registry.Find(j.Setting.Algorithm); err != nil {
		return err
	}
	if j.algorithm.Name == trial.PlainNode {
		return errors.New("node demands nothing of a program: give the name of a family, such as mutex, or of an algorithm")
	}
	if len(j.Sizes) == 0 || j.Sizes[0] < 1 || !slices.IsSorted(j.Sizes) {
		return fmt.Errorf("numbers of processes %v; allowed are some from 1 on, in ascending order", j.Sizes)
	}
	for _, variant := range j.variants() {
		for _, n := range j.Sizes {
			if _, err = j.instance(variant, n); err == nil {
				break
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// instance is the system of a variant with n processes, inside the model or outside.
func (j *judging) instance(variant string, n int) (*trial.Instance, error) {
	s := j.Setting
	s.Variant, s.N, s.OutsideModel = variant, n, true
	if s.Placement == search.Every {
		s.Placement = ""
	}
	if s.Initiators == search.Every {
		s.Initiators = ""
	}
	if s.Inputs == search.Every {
		s.Inputs = ""
	}
	return j.Registry.Instance(s)
}

// variants are those that are judged.
func (j *judging) variants() []string {
	if j.Setting.Variant == search.Every {
		return j.algorithm.VariantChoices()
	}
	return []string{j.Setting.Variant}
}

// errOver is the cause of a context whose time is over.
var errOver = errors.New("the time was over")

// within bounds a context by some time from the beginning on; 0 is no bound.
func (j *judging) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, j.begun.Add(limit), errOver)
}

// goesOn reports whether more is to be tried: nothing was found, and the program answers a plain run.
func (j *judging) goesOn() bool {
	mute := func(a Attempt) bool { return a.Stage == Conduct && a.Result == Late }
	return j.whole.Err() == nil && j.report.Failure == nil && !slices.ContainsFunc(j.report.Tried, mute)
}

// try makes an attempt, and adds it to the report.
func (j *judging) try(a Attempt, make func(*Attempt)) {
	begun := time.Now()
	j.progress(a)
	make(&a)
	a.Spent = time.Since(begun)
	j.report.Tried = append(j.report.Tried, a)
}

func (j *judging) progress(a Attempt) {
	if j.Progress != nil {
		j.Progress(a)
	}
}

// fails notes the failure that an attempt has found.
func (j *judging) fails(a *Attempt, f *Failure) {
	a.Result, a.Why, j.report.Failure = Violated, f.Check, f
}

// cut says why an attempt ended early.
func (a *Attempt) cut(ctx context.Context) {
	a.Result, a.Why = Over, context.Cause(ctx).Error()
}
