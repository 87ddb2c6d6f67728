package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/internal/descriptors"
	"bullring/internal/regular"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/netem/live"
)

// Defaults of live runs.
const (
	DefaultDelay = "0s"                  // that links impose
	Slack        = 50 * time.Millisecond // of the assumed bound on delay, beyond what links impose
	DefaultLimit = 30 * time.Second
	EndlessLimit = 2 * time.Second // for families whose runs never come to rest
	mostSteps    = 1_000_000       // that are recorded of a run in one OS process: 1.5 GB
)

// Options belong to a live run beside its setting.
type Options struct {
	Sockets live.Transport
	Limit   time.Duration // 0 is DefaultLimit or EndlessLimit
	// Processes, if it is not nil, gives each node an OS process of its own.
	Processes *Processes
}

// Instance returns the instance of a setting that is to run live. Where the setting leaves
// them open, links impose no delay, and the bound on delay that the algorithm assumes is
// Slack more than what they impose. The error says what a live run cannot have.
func Instance(r *trial.Registry, s trial.Setting, o Options) (*trial.Instance, error) {
	if s.Delay == "" {
		s.Delay = DefaultDelay
	}
	s.Unordered = s.Unordered || o.Sockets == live.UDP
	in, err := r.Instance(s)
	if err == nil && s.Assume == "" {
		s.Assume = (in.Assumed.Truncate(time.Microsecond) + Slack).String()
		in, err = r.Instance(s)
	}
	if err != nil {
		return nil, err
	}
	return in, cmp.Or(refused(in), refusedApart(in, o), descriptors.Ask(kept(in, o)))
}

// kept is the number of descriptors that the nodes of a run keep open in this OS process.
func kept(in *trial.Instance, o Options) int {
	switch {
	case o.Processes != nil && len(o.Processes.Hosts) > 0:
		return 2 * len(o.Processes.Hosts) // at most: hosts, and their news
	case o.Processes != nil:
		return 4 * in.N // three pipes, and what tells the end of the OS process
	}
	files := 2 * in.N // both ends of a connection
	if o.Sockets == live.UDP {
		files = in.N
	}
	if in.InPrograms() {
		files += 4 * in.N // three pipes to a program, and what tells its end
	}
	return files
}

// refused says what of an instance a live run cannot have, or a schedule cannot hold.
func refused(in *trial.Instance) error {
	does := in.Drawn.Effects()
	for _, no := range []struct {
		given bool
		why   string
	}{
		{in.Setting.Schedule != "", "it follows a schedule, so all its steps are known"},
		{alters(in), "links alter messages, and a schedule has no word for that"},
		{does.Lies, "a process lies, and a schedule has no word for that"},
		{does.Moves || in.Motion != nil, "links come and go, and sockets have no instant at which both ends know of it"},
		{in.Forks != nil, "forks are at events of a run in virtual time"},
		{in.Medium != nil, "processes share a medium, and sockets do not collide"},
		{does.Carries, "a fault carries a message in a time of its own, and sockets take theirs"},
		{in.Setting.MaxTime != "" || in.Until > 0, "--max-time and --until are for virtual time; --limit ends a live run"},
	} {
		if no.given {
			return errors.New("this cannot run live: " + no.why)
		}
	}
	return nil
}

// alters reports whether a link, from the beginning or by a fault, delivers altered messages.
func alters(in *trial.Instance) bool {
	return slices.ContainsFunc(in.Lines, func(l netem.Line) bool { return l.Line.Alters() }) ||
		slices.ContainsFunc(in.Drawn, func(f faults.Fault) bool {
			line, err := impair.Parse(f.Line, regular.ReadInput)
			return f.Line != "" && err == nil && line.Alters()
		})
}

// LimitOf is the longest time that a run may take.
func (o Options) LimitOf(in *trial.Instance) time.Duration {
	switch {
	case o.Limit > 0:
		return o.Limit
	case in.Algorithm.IsEndless():
		return EndlessLimit
	}
	return DefaultLimit
}

// configOf is the configuration of a live run, without its processes.
func configOf(in *trial.Instance, o Options) live.Config {
	return live.Config{
		Topology: in.Topology, Initiators: in.Initiators.List(), Dead: in.Dead,
		Delay: in.Delay, FIFO: in.FIFO, Lines: in.DrawnLines, Mode: in.LinkMode, Delta: in.Delta, GST: in.GST,
		Seed: in.Setting.Seed, Blind: in.Blind, Transport: o.Sockets, Limit: o.LimitOf(in), MaxSteps: StepsOf(in),
	}
}

// StepsOf is the most steps that a run takes in one OS process.
func StepsOf(in *trial.Instance) uint64 { return min(mostSteps, in.Setting.MaxEvents) }

// run runs an instance over sockets. A cancelled context ends it early, and is no error; a panic
// while processes are made is one. after is what a program did after its last event.
func run(ctx context.Context, r *trial.Registry, in *trial.Instance, o Options) (rec *live.Recording, after, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = trial.NewPanicError(in.Algorithm.Name, x)
		}
	}()
	if o.Processes != nil {
		rec, err = runProcesses(ctx, r, in, o)
	} else {
		rec, after, err = runHere(ctx, in, o)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the run could not begin: %w", err)
	}
	return rec, after, nil
}

// runHere runs an instance in this OS process. Its programs, if it has some, end with it.
func runHere(ctx context.Context, in *trial.Instance, o Options) (rec *live.Recording, after, err error) {
	waiting, cancel := context.WithCancel(context.WithoutCancel(ctx)) // an interrupted run waits for the present handlers
	defer cancel()
	begun := context.AfterFunc(ctx, cancel)
	in, programs, err := trial.Begin(waiting, in)
	begun()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		// The recording is nil after an error, and while a panic passes.
		after = programs.End(rec != nil && rec.End != live.Panicked && rec.Stuck == nil && waiting.Err() == nil)
	}()
	c := configOf(in, o)
	c.Waits = live.Waits{Late: lateness, Cancel: cancel}
	if in.InPrograms() {
		c.Waits.Crashed, c.Waits.Prepare = programs.Crash, programs.Prepare
	}
	if len(in.Drawn) == 0 {
		c.Boot = trial.Stack(in)
	} else {
		boot, oppose := trial.StackAndFaults(in)
		c.Boot, c.Oppose = boot, func(t *live.Target) netem.Adversary { return oppose(t) }
	}
	rec, err = live.Run(ctx, c)
	return rec, nil, err
}

// lateness says of the panic of a handler that its program did not answer in time, or nothing.
func lateness(panicked any) string {
	if late, is := panicked.(*trial.LateError); is {
		return late.Error()
	}
	return ""
}
