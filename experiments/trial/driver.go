package trial

import (
	"context"
	"runtime"
	"time"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/detector"
	"bullring/protocols/reliable"
)

// model is an algorithm with its message type.
type model[M protocols.Message] struct {
	family *Family
	judge  func(in *Instance, measured bool) Judge
	build  Build[M]
	reboot Build[M] // makes the processes that restart; nil is build

	crashed func(protocols.ID) // is called at a crash; may be nil
}

// complete completes a declaration. Its functions hide the message type: this is the one
// place that forgets it.
func (m model[M]) complete(a Algorithm) Algorithm {
	var zero M
	a.Kinds = zero.Kinds()
	if o, ok := any(zero).(protocols.Overhead); ok { // the kinds of a transformer come last
		for o.Overhead(len(a.Kinds) - 1) {
			a.Kinds = a.Kinds[:len(a.Kinds)-1]
		}
	}
	_, a.forgeable = any(zero).(protocols.Forgeable[M])
	a.judge = m.judge
	a.newRunner = func() runner { return &modelRunner[M]{model: m} }
	a.explore = m.explore
	a.processes = func(in *Instance) boot[box.Message] { return inOwnBoxes(in, m.build(in)) }
	a.stack = m.stack
	return a
}

// modelRunner runs trials of one algorithm. Each type of messages has its own network: that
// of the algorithm, and boxes where transformers stand below it.
type modelRunner[M protocols.Message] struct {
	model[M]

	plain driver[M]
	boxed driver[box.Message]
}

// boot makes the process of an address.
type boot[M protocols.Message] = func(protocols.ID) protocols.Process[M]

// inBoxes wraps the processes that b makes. They exchange their messages in boxes.
func inBoxes[M protocols.Message](b boot[M]) boot[box.Message] {
	return func(id protocols.ID) protocols.Process[box.Message] { return box.Wrap(b(id)) }
}

// inOwnBoxes is inBoxes for the processes of the algorithm, which read a clock only if it
// declares one.
func inOwnBoxes[M protocols.Message](in *Instance, b boot[M]) boot[box.Message] {
	if in.Algorithm.Clock {
		return inBoxes(b)
	}
	return func(id protocols.ID) protocols.Process[box.Message] { return box.Clockless(b(id)) }
}

func (r *modelRunner[M]) run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	if in.Script != nil {
		return r.play(ctx, in, trace)
	}
	watch := newWatch(in, r.family, r.judge(in, true), trace)
	watch.crashed = r.crashed
	if in.Transport != nil || in.Detector != nil || in.conduct != nil {
		return r.boxed.run(ctx, in, watch, r.stack(in, &watch.view, watch.made))
	}
	watch.view.process = func(p protocols.ID) any { return r.plain.net.Process(p) }
	return r.plain.run(ctx, in, watch, noting(r.build(in), watch.made))
}

// noting calls note with each process that b makes.
func noting[M protocols.Message](b boot[M], note func(protocols.ID, any)) boot[M] {
	return func(id protocols.ID) protocols.Process[M] {
		p := b(id)
		note(id, p)
		return p
	}
}

// stacking is the form of stack.
type stacking = func(in *Instance, v *View, note func(protocols.ID, any)) boot[box.Message]

// stack returns the processes of an instance behind its transformers. v sees them, and note is
// called with each process of the algorithm.
func (m model[M]) stack(in *Instance, v *View, note func(protocols.ID, any)) boot[box.Message] {
	served := inOwnBoxes(in, noting(m.build(in), note))
	if in.conduct != nil {
		served = watching(in.conduct, served)
	}
	if in.Transport != nil || in.Detector != nil {
		v.wrapped = make([]wrapper, in.N)
	}
	if in.Transport != nil {
		v.resends = true
		served = relying(in, v, served)
	}
	if in.Detector != nil {
		served = detecting(in, v, served)
	}
	return served
}

// Stack returns what makes the processes of an instance, with its failure detector and its
// reliable links, for drivers other than the network.
func Stack(in *Instance) func(protocols.ID) protocols.Process[box.Message] {
	return in.Algorithm.stack(in, &View{}, func(protocols.ID, any) {})
}

// relying adds a reliable link below each process.
func relying(in *Instance, v *View, b boot[box.Message]) boot[box.Message] {
	return inBoxes(func(id protocols.ID) protocols.Process[reliable.Message[box.Message]] {
		p := reliable.Wrap(b(id), *in.Transport)
		v.wrapped[id] = p
		return p
	})
}

// detecting adds a failure detector below each process. A monitor measures its quality.
func detecting(in *Instance, v *View, b boot[box.Message]) boot[box.Message] {
	suspecters := make([]detector.Suspecter, in.N)
	v.monitor = detector.NewMonitor(in.Topology, func(id protocols.ID) detector.Suspecter { return suspecters[id] })
	return inBoxes(func(id protocols.ID) protocols.Process[detector.Message[box.Message]] {
		p := detector.Wrap(b(id), *in.Detector)
		suspecters[id] = p
		if in.Transport == nil {
			v.wrapped[id] = p
		}
		return p
	})
}

// driver runs processes with messages of type W, one run after another in the same memory.
type driver[W protocols.Message] struct{ net *netem.Network[W] }

func (d *driver[W]) run(ctx context.Context, in *Instance, watch *watch, b boot[W]) *Result {
	cfg := configOf(in)
	if d.net == nil {
		d.net = netem.New(cfg, b)
	} else {
		d.net.Reset(cfg, b)
	}
	result := runOn(ctx, d.net, in, watch)
	if in.N >= 1<<16 {
		runtime.GC() // what follows, such as the theory of a bound, finds room where the messages were
	}
	return result
}

// network is a netem.Network without its message type, so that its users are compiled once.
type network interface {
	Opposed
	Oppose(a netem.Adversary)
	Trace(t netem.Tracer)
	Note(text string)
	Boot()
	Stop()
	Run(ctx context.Context) netem.End
	Events() uint64
	Counters() netem.Counters
	Fingerprint() uint64
	Trail() string
	Depth(id protocols.ID) uint32
	AtHand() (r netem.Record, ok bool)
	Reading(id protocols.ID) time.Duration
	UnderWay(kind int) int
	Sample() protocols.Message
	Loop() netem.Loop
	relinking
}

// runOn runs an instance on a network that was made for it.
func runOn(ctx context.Context, net network, in *Instance, watch *watch) *Result {
	v := &watch.view
	v.run = net
	net.Observe(watch.observer())
	watch.follow(net)
	if watch.climb != nil {
		watch.climb.run = net
	}
	net.Trace(watch.tracer())
	for _, p := range in.Dead {
		net.CrashAt(p, 0)
	}
	if len(in.Drawn) > 0 {
		note := net.Note
		if watch.given == nil {
			note = nil
		}
		v.faults = oppose(in, net, net.Oppose, note)
	}
	net.Boot()
	for p := range in.Initiators.All() {
		net.StartAt(p, 0)
	}
	end, failed := drive(ctx, net, in.Algorithm.Name)
	if watch.climb != nil {
		watch.climb.finish()
	}
	if failed != nil {
		if at, ok := net.AtHand(); ok && watch.given != nil && !IsLate(failed) {
			watch.given.Record(at)
		}
		return unjudged(net, in, failed)
	}
	r := newResult(in, watch, end, net.Counters(), net.Sample(), net.Fingerprint())
	r.Trail, r.Loop = net.Trail(), net.Loop()
	return r
}

// programEvents is the number of events between two checks of the limits of a run whose processes
// are programs.
const programEvents = 1 << 8

// configOf returns the configuration of the network of the instance.
func configOf(in *Instance) netem.Config {
	programs, every := in.InPrograms(), uint64(0)
	if programs {
		every = programEvents
	}
	alter := in.Altered
	if alter == nil && in.Drawn.Carries() {
		alter = &netem.Alteration{}
	}
	return netem.Config{
		// What is around the processes, or asked for a time, could make a difference later.
		Loops:      !programs && !in.Algorithm.IsEndless() && in.Setting.MaxTime == "" && in.Transport == nil && in.Detector == nil && in.conduct == nil,
		CheckEvery: every, Pulse: in.Pulse,
		Topology: in.Topology, Changes: in.changes(in.Topology, in.Setting.Seed), Delay: in.Delay, Late: in.Late, FIFO: in.FIFO, Medium: in.Medium, Seed: in.Setting.Seed, Forks: in.Forks,
		Clockless: in.Detector == nil && !in.Algorithm.Clock,
		Lines:     in.DrawnLines, Mode: in.LinkMode, Delta: in.Delta, GST: in.GST, Blind: in.Blind, Alter: alter,
		MaxEvents: in.Setting.MaxEvents, MaxTime: in.MaxTime, MaxPending: in.MaxPending(), Full: in.Full, Until: in.Until,
	}
}
