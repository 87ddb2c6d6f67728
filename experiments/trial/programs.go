package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Nodes runs programs as the processes of algorithms. Package foreign has one.
type Nodes interface {
	// Bare are the declarations without processes of their own: see [Algorithm].Bare. One has the name
	// PlainNode, the others those of families.
	Bare() []*Algorithm
	// WithProgram returns the declaration of a, with the program of the setting in the place of its
	// processes. It completes Node of the setting, and starts nothing.
	WithProgram(a *Algorithm, s *Setting) (*Algorithm, error)
}

// NodeHashes stands in a Node between the command and the hashes of its files.
const NodeHashes = " # sha256 "

// NoNode is the Node of a setting whose processes are those of the algorithm, in a sweep that
// has others as well.
const NoNode = "none"

// InPrograms reports whether the processes of the instance are programs.
func (in *Instance) InPrograms() bool { return in.Setting.Node != "" && in.Setting.Node != NoNode }

// MaxPending is the number of messages under way at which the run ends.
func (in *Instance) MaxPending() int {
	if in.InPrograms() {
		return programMaxPending
	}
	return defaultMaxPending
}

// PlainNode is the name of the declaration of which nothing is judged.
const PlainNode = "node"

// Programs is the processes of one trial, each in a program.
type Programs[M protocols.Message] interface {
	// Boot makes the process of an address. The second call for an address is a restart.
	Boot(p protocols.ID) protocols.Process[M]
	// Ready waits until all programs have answered init, and returns the error of one that has not.
	Ready() error
	Running
}

// Running is the programs of a run.
type Running interface {
	// Crash ends the program of an address.
	Crash(p protocols.ID)
	// Prepare starts a program for an address that has crashed, and waits until it has answered init. The
	// next Boot of the address takes it.
	Prepare(p protocols.ID)
	// End ends the programs, or keeps them for another trial. sound says that the run came to
	// its end; then the error tells what a program did after its last event.
	End(sound bool) error
}

// Asked is a program that is asked what processes do, in an exploration: for each state of a process and
// each event once.
type Asked[M protocols.Message] interface {
	// Boot returns what makes the processes of an instance, those that restart or the others.
	Boot(in *Instance, restarted bool) func(protocols.ID) protocols.Process[M]
	// End ends the program. sound says that the search came to its end; then some questions are
	// asked again, and the error tells of another answer.
	End(sound bool) (explore.Asked, error)
}

// Ear is what a program has said to the judge of its family. Where the judge asks a process for something,
// such as its decision, the Ear has the same methods.
type Ear interface {
	// Hear notes a word, such as decide. field reads a field of it into v; into a [protocols.ID] it
	// reads the name of a node. known is false for a word that means nothing to the family.
	Hear(word string, field func(name string, v any) error) (known bool, err error)
}

// Stepper is an Ear to which it matters in which step of its process a word was said.
type Stepper interface {
	Ear
	Begins() // another step
}

// Carrier is an Ear to which messages matter, too: on which events of others its process depends, or how
// many there are of a kind. What it gives to each message of its process it gets from those of others, before
// their programs do. The programs do not see it.
type Carrier interface {
	Ear
	Carried(to protocols.ID, kind string) any
	Takes(from protocols.ID, kind string, carried any)
}

// Heard is a process in a program.
type Heard interface{ Ear() Ear }

// Writer is a process in a program that writes lines for people, which no judge reads.
type Writer interface {
	// Written returns what the program has logged, and written to its standard error, since it was
	// asked the last time.
	Written() (log, stderr []string)
}

// As returns a process as the judge of its family asks it: the process itself or, of a program, what it
// has said. It panics if that is no P.
func As[P any](process any) P { return asked(process).(P) }

// asked is the process, or what its program has said.
func asked(process any) any {
	if h, heard := process.(Heard); heard {
		return h.Ear()
	}
	return process
}

// Misbehaviour is the panic of a process in a program that does not keep the protocol of nodes.
type Misbehaviour struct {
	Where string // which process, and the event that it had
	Text  string // what it did

	Unsteady bool // it does one thing, and the next time another one
	Opaque   bool // its runs are sound; but it cannot be explored, since it does not tell all that it is
}

func (m *Misbehaviour) Error() string { return m.Where + ": " + m.Text }

// LateError is the panic of a process whose program did not answer in time. That says nothing
// about the program, because a slow machine can be the reason.
type LateError struct {
	Where string // which process, and the event that it had
	Text  string // what it did not do, and for how long
}

func (e *LateError) Error() string { return e.Where + ": " + e.Text }

// IsLate reports whether an error says that a program was late.
func IsLate(err error) bool {
	_, late := errors.AsType[*LateError](err)
	return late
}

// WithProcesses returns the declaration with other processes. start makes those of a trial, and ask what
// answers for those of an exploration; they wait for no answer once the context is cancelled. A program may
// know addresses, so that rotations of a ring make a difference. No program is Byzantine: the strategies are those
// of the processes in Go.
func WithProcesses[M protocols.Message](a *Algorithm, start func(context.Context, *Instance) (Programs[M], error), ask func(context.Context, *Instance) (Asked[M], error)) *Algorithm {
	changed := *a
	changed.others, changed.programs, changed.forgeable, changed.Rotations = nil, true, false, false
	changed.Liars = nil
	changed.newRunner = func() runner {
		return &programRunner[M]{modelRunner: modelRunner[M]{model: model[M]{family: a.family, judge: a.judge}}, start: start}
	}
	changed.explore = func(ctx context.Context, instances []*Instance, network explore.Network, o explore.Options) (r *explore.Result, err error) {
		asked, err := ask(ctx, instances[0])
		if err != nil {
			return nil, err
		}
		sound := false
		defer func() { // also after a panic
			count, differs := asked.End(sound)
			if err = cmp.Or(err, differs); err != nil {
				r = nil
			} else if r != nil && r.Complete { // else it depends on which worker came first
				r.Asked = &count
			}
		}()
		m := model[M]{family: a.family, judge: a.judge}
		m.build = func(in *Instance) boot[M] { return asked.Boot(in, false) }
		m.reboot = func(in *Instance) boot[M] { return asked.Boot(in, true) }
		r, err = m.explore(ctx, instances, network, o)
		sound = err == nil && ctx.Err() == nil
		return r, err
	}
	changed.begin = func(ctx context.Context, in *Instance) (stacking, Running, error) {
		programs, err := start(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		if err := programs.Ready(); err != nil {
			programs.End(false)
			return nil, nil, err
		}
		m := model[M]{family: a.family, judge: a.judge, build: func(*Instance) boot[M] { return programs.Boot }}
		return m.stack, programs, nil
	}
	return &changed
}

// Begin starts the programs of an instance, if it has some, for a driver that is not the network. Stack and
// StackAndFaults of the instance that it returns make the processes in these programs. The driver tells Running
// which processes crash.
func Begin(ctx context.Context, in *Instance) (*Instance, Running, error) {
	if !in.InPrograms() {
		return in, none{}, nil
	}
	stack, running, err := in.Algorithm.begin(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	own, a := *in, *in.Algorithm
	a.stack, own.Algorithm = stack, &a
	return &own, running, nil
}

// none is a Running without programs.
type none struct{}

// Crash implements [Running].
func (none) Crash(protocols.ID) {}

// Prepare implements [Running].
func (none) Prepare(protocols.ID) {}

// End implements [Running].
func (none) End(bool) error { return nil }

// programRunner runs trials whose processes are programs.
type programRunner[M protocols.Message] struct {
	modelRunner[M]
	start func(context.Context, *Instance) (Programs[M], error)
}

func (r *programRunner[M]) run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	programs, err := r.start(ctx, in)
	if err != nil {
		none := measured(in, netem.OutOfSteps, netem.Counters{Sent: make([]uint64, len(in.Algorithm.Kinds))}, kindsOf(in.Algorithm.Kinds), 0)
		none.Failed = err
		return none
	}
	var result *Result
	defer func() {
		if result == nil { // a panic passes
			programs.End(false)
		}
	}()
	r.build, r.crashed = func(*Instance) boot[M] { return programs.Boot }, programs.Crash
	result = r.modelRunner.run(ctx, in, trace)
	if err := programs.End(result.Failed == nil); err != nil {
		result.fail(failureOf(in.Algorithm.Name, err))
	}
	return result
}

// inPrograms returns the declaration with the program of the setting in the place of its
// processes, or the algorithm itself if the setting has no program.
func (r *Registry) inPrograms(a *Algorithm, s *Setting) (*Algorithm, error) {
	switch {
	case s.Node == "" || s.Node == NoNode:
		return a, r.NeedsNode(a)
	case r.Nodes == nil:
		return nil, fmt.Errorf("node %q: this program runs no nodes", s.Node)
	}
	return r.Nodes.WithProgram(a, s)
}

// NeedsNode returns why the algorithm does not run without a program, or nil if it does.
func (r *Registry) NeedsNode(a *Algorithm) error {
	switch {
	case !a.Bare:
		return nil
	case a.Name == PlainNode:
		return fmt.Errorf("algorithm %s: it is that of a program, and no node is given", PlainNode)
	}
	var names []string
	for _, other := range r.algorithms {
		if other.Family == a.Name {
			names = append(names, other.Name)
		}
	}
	has := "; its algorithms are " + strings.Join(names, ", ")
	if names == nil {
		has = ", without an algorithm here"
	}
	return fmt.Errorf("%s is a family%s; a program of it is named by --node", a.Name, has)
}
