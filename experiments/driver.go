package experiments

import (
	"context"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/detector"
	"bullring/protocols/links"
	"bullring/protocols/reliable"
)

// model is an algorithm with its type of messages.
type model[M protocols.Message] struct {
	family  *Family
	judgeOf func(in *Instance, measured bool) Judge
	build   func(*Instance) func(protocols.ID) protocols.Process[M]
}

// complete completes the declaration of an algorithm: this is where its message type
// is forgotten.
func (m model[M]) complete(a Algorithm) Algorithm {
	var zero M
	a.Kinds = zero.Kinds()
	if o, ok := any(zero).(protocols.Overhead); ok { // those of a transformer stand behind
		for o.Overhead(len(a.Kinds) - 1) {
			a.Kinds = a.Kinds[:len(a.Kinds)-1]
		}
	}
	_, a.forgeable = any(zero).(protocols.Forgeable[M])
	a.newRunner = func() runner { return &modelRunner[M]{model: m} }
	a.explore = m.explore
	a.processes = func(in *Instance) boot[box.Message] { return inBoxes(m.build(in)) }
	return a
}

// modelRunner runs an algorithm over the network as it is, or over what an
// instance puts between the two. Each of these has messages of a type of its own
// and so a network of its own.
type modelRunner[M protocols.Message] struct {
	model[M]

	plain driver[M]
	boxed driver[box.Message]
}

// boot makes the process of an address.
type boot[M protocols.Message] = func(protocols.ID) protocols.Process[M]

// inBoxes puts the messages of the processes that b makes into boxes.
func inBoxes[M protocols.Message](b boot[M]) boot[box.Message] {
	return func(id protocols.ID) protocols.Process[box.Message] { return box.Wrap(b(id)) }
}

func (r *modelRunner[M]) run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	if in.Script != nil {
		return r.play(ctx, in, trace)
	}
	build, watch := r.build(in), newWatch(in, r.family, r.judgeOf(in, true))
	if in.Detector != nil {
		watch.view.suspecters = make([]detector.Suspecter, in.N)
	}
	if in.Detector != nil || in.Transport != nil {
		watch.view.wrapped = make([]wrapper, in.N)
	}
	algorithm := func(id protocols.ID) protocols.Process[M] {
		p := build(id)
		watch.sit(id, p)
		return p
	}
	if in.Transport == nil && in.Detector == nil && in.conduct == nil {
		return r.plain.run(ctx, in, trace, watch, algorithm)
	}
	served := inBoxes(algorithm)
	if in.conduct != nil {
		served = watching(in.conduct, served)
	}
	if in.Transport != nil {
		served = relying(in, watch, served)
	}
	if in.Detector != nil {
		served = detecting(in, watch, served)
	}
	return r.boxed.run(ctx, in, trace, watch, served)
}

// relying puts a reliable link below the processes that b makes.
func relying(in *Instance, watch *watch, b boot[box.Message]) boot[box.Message] {
	wrapped := watch.view.wrapped
	return inBoxes(func(id protocols.ID) protocols.Process[reliable.Message[box.Message]] {
		p := reliable.Wrap(b(id), *in.Transport)
		wrapped[id] = p
		return p
	})
}

// detecting puts a failure detector below the processes that b makes, and has the
// watch measure how good it is.
func detecting(in *Instance, watch *watch, b boot[box.Message]) boot[box.Message] {
	v := &watch.view
	v.monitor = detector.NewMonitor(in.Topology, func(id protocols.ID) detector.Suspecter { return v.suspecters[id] })
	return inBoxes(func(id protocols.ID) protocols.Process[detector.Message[box.Message]] {
		p := detector.Wrap(b(id), *in.Detector)
		v.suspecters[id] = p
		if in.Transport == nil {
			v.wrapped[id] = p
		}
		return p
	})
}

// driver runs processes whose messages are of type W, one run after another in
// the same memory.
type driver[W protocols.Message] struct{ net *netem.Network[W] }

func (d *driver[W]) run(ctx context.Context, in *Instance, trace TraceFunc, watch *watch, b boot[W]) *Result {
	cfg := in.config()
	if d.net == nil {
		d.net = netem.New(cfg, b)
	} else {
		d.net.Reset(cfg, b)
	}
	return runOn(ctx, d.net, in, trace, watch)
}

// network is a netem.Network without the type of its messages, so that what is done
// with one is compiled once.
type network interface {
	Now() des.Time
	Alive(p protocols.ID) bool
	CrashAt(p protocols.ID, t des.Time)
	RestartAt(p protocols.ID, t des.Time)
	StartAt(p protocols.ID, t des.Time)
	InterveneAt(t des.Time, token uint32)
	InterveneAfter(events uint64, token uint32)
	ReleaseAt(t des.Time)
	SetLine(set links.Set, line *impair.Line)
	AdjustClock(p protocols.ID, step time.Duration, drift int64)
	Observe(o netem.Observer)
	Oppose(a netem.Adversary)
	Trace(t netem.Tracer)
	Note(text string)
	Boot()
	Stop()
	Run(ctx context.Context) netem.End
	Counters() netem.Counters
	Fingerprint() uint64
	Trail() string
	Depth(id protocols.ID) uint32
	AtHand() (r netem.Record, ok bool)
	Reading(id protocols.ID) time.Duration
	Sample() protocols.Message
}

// runOn runs an instance on a network that is ready for it.
func runOn(ctx context.Context, net network, in *Instance, trace TraceFunc, watch *watch) *Result {
	v := &watch.view
	v.now, v.depth, v.stop, v.reading = net.Now, net.Depth, net.Stop, net.Reading
	net.Observe(watch.observer())
	var told netem.Tracer
	if trace != nil {
		told = trace(watch.news)
	}
	net.Trace(watch.tracer(told))
	for _, p := range in.Dead {
		net.CrashAt(p, 0)
	}
	note := net.Note
	if trace == nil {
		note = nil
	}
	v.faults = in.oppose(target{net, in, map[string]*impair.Line{}}, net.Oppose, note)
	net.Boot()
	for _, p := range in.Initiators {
		net.StartAt(p, 0)
	}
	end, failed := drive(ctx, net, in.Algorithm.Name)
	if failed != nil {
		if at, ok := net.AtHand(); ok && told != nil {
			told.Record(at)
		}
		return unjudged(net, in, failed)
	}
	r := newResult(in, watch, end, net.Counters(), net.Sample(), net.Fingerprint())
	r.Trail = net.Trail()
	return r
}

// unjudged is what is left of a run in which the algorithm panicked. Nobody judges it:
// who watched may have been told half of the step.
func unjudged(net network, in *Instance, failed *PanicError) *Result {
	r := measured(in, netem.Panicked, net.Counters(), net.Sample(), net.Fingerprint())
	r.Trail, r.Failed = net.Trail(), failed
	return r
}

// config is the network of an instance.
func (in *Instance) config() netem.Config {
	return netem.Config{
		Topology: in.Topology, Delay: in.Delay, FIFO: in.FIFO, Seed: in.Setting.Seed,
		Lines: in.Lines, Mode: in.LinkMode, Delta: in.Delta, GST: in.GST, Blind: in.Blind,
		MaxEvents: in.Setting.MaxEvents, MaxTime: in.MaxTime, MaxPending: DefaultMaxPending, Until: in.Until,
	}
}

// newResult is what came of a run, and what its judge says of it.
func newResult(in *Instance, watch *watch, end netem.End, c netem.Counters, m protocols.Message, fingerprint uint64) *Result {
	r := measured(in, end, c, m, fingerprint)
	if v := &watch.view; v.monitor != nil {
		q := v.monitor.Quality(v.instant())
		r.Detection = &q
	}
	watch.conclude(r)
	return r
}

// measured is what was counted in a run.
func measured(in *Instance, end netem.End, c netem.Counters, m protocols.Message, fingerprint uint64) *Result {
	r := &Result{
		Instance: in, End: end, Outcome: Unfinished, Counters: c, Fingerprint: fingerprint,
		Time: c.LastMessage, Kinds: m.Kinds(),
	}
	r.Apart = make([]bool, len(c.Sent))
	if o, ok := m.(protocols.Overhead); ok {
		for kind, sent := range c.Sent {
			if o.Overhead(kind) {
				r.Overhead += sent
				r.Apart[kind] = true
			}
		}
	}
	return r
}
