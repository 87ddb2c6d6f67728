package experiments

import (
	"context"
	"fmt"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/election"
	"bullring/protocols/links"
	"bullring/protocols/reliable"
)

// Election completes the declaration of an election algorithm: this is where
// its message type is forgotten. promise tells what an instance promises; build
// makes the maker of an instance's processes.
func Election[M protocols.Message](a Algorithm, promise func(*Instance) election.Promise,
	build func(*Instance) func(protocols.ID) election.Process[M],
) Algorithm {
	var m M
	a.Family = "election"
	a.Kinds = m.Kinds()
	a.Checks = []string{"E1", "E2"}
	_, a.forgeable = any(m).(protocols.Forgeable[M])
	a.newRunner = func() runner {
		return &electionRunner[M]{promise: promise, build: build}
	}
	a.explore = exploreElection(promise, build)
	return a
}

// electionRunner runs an election over the network as it is, or over what an
// instance puts between the two. Each of these has messages of a type of its own
// and so a network of its own.
type electionRunner[M protocols.Message] struct {
	promise func(*Instance) election.Promise
	build   func(*Instance) func(protocols.ID) election.Process[M]

	plain    driver[M]
	reliable driver[reliable.Message[M]]
	detected driver[detector.Message[M]]
	both     driver[detector.Message[reliable.Message[M]]]
}

func (r *electionRunner[M]) run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	if in.script != nil {
		return r.play(ctx, in, trace)
	}
	build := r.build(in)
	watch := newElectionWatch(in, r.promise(in))
	algorithm := func(id protocols.ID) protocols.Process[M] {
		p := build(id)
		watch.seats[id] = watched{elector: p}
		return p
	}
	switch {
	case in.Transport != nil && in.Detector != nil:
		return r.both.run(ctx, in, trace, watch, detecting(in, watch, relying(in, algorithm)))
	case in.Transport != nil:
		return r.reliable.run(ctx, in, trace, watch, relying(in, algorithm))
	case in.Detector != nil:
		return r.detected.run(ctx, in, trace, watch, detecting(in, watch, algorithm))
	}
	return r.plain.run(ctx, in, trace, watch, algorithm)
}

// relying puts a reliable link below the processes that boot makes.
func relying[M protocols.Message](in *Instance, boot func(protocols.ID) protocols.Process[M]) func(protocols.ID) protocols.Process[reliable.Message[M]] {
	return func(id protocols.ID) protocols.Process[reliable.Message[M]] {
		return reliable.Wrap(boot(id), *in.Transport)
	}
}

// detecting puts a failure detector below the processes that boot makes, and has
// the watch measure how good it is.
func detecting[M protocols.Message](in *Instance, watch *electionWatch, boot func(protocols.ID) protocols.Process[M]) func(protocols.ID) protocols.Process[detector.Message[M]] {
	watch.monitor = detector.NewMonitor(in.Topology, func(id protocols.ID) detector.Suspecter { return watch.suspecters[id] })
	return func(id protocols.ID) protocols.Process[detector.Message[M]] {
		p := detector.Wrap(boot(id), *in.Detector)
		watch.suspecters[id] = p
		return p
	}
}

// driver runs processes whose messages are of type W, one run after another in
// the same memory.
type driver[W protocols.Message] struct{ net *netem.Network[W] }

func (d *driver[W]) run(ctx context.Context, in *Instance, trace TraceFunc, watch *electionWatch, boot func(protocols.ID) protocols.Process[W]) *Result {
	cfg := in.config()
	if d.net == nil {
		d.net = netem.New(cfg, boot)
	} else {
		d.net.Reset(cfg, boot)
	}
	net := d.net
	watch.now, watch.depth = net.Now, net.Depth
	if watch.monitor != nil {
		net.Observe(monitored{watch, watch.monitor})
	} else {
		net.Observe(watch)
	}
	if trace != nil {
		net.Trace(trace(watch.news))
	}
	for _, p := range in.Dead {
		net.CrashAt(p, 0)
	}
	note := net.Note
	if trace == nil {
		note = nil
	}
	watch.faults = in.oppose(target[W]{net, in, map[string]*impair.Line{}}, net.Oppose, note)
	net.Boot()
	for _, p := range in.Initiators {
		net.StartAt(p, 0)
	}
	end := net.Run(ctx)
	var w W
	r := watch.result(in, end, net.Counters(), w, net.Fingerprint())
	if trace != nil {
		r.Decisions = watch.checker.Decisions()
	}
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

// oppose installs the faults of an instance. Those that are no more than crashes
// at known instants need nobody to watch over them, and then there is no
// injector.
func (in *Instance) oppose(t faults.Target, oppose func(netem.Adversary), note func(text string)) *faults.Injector {
	if len(in.Drawn) == 0 {
		return nil
	}
	env := faults.Env{
		Seed: in.Setting.Seed, N: in.N, Kinds: in.Algorithm.Kinds,
		Identity: func(p protocols.ID) int64 { return int64(in.Ranks[p].ID) },
	}
	if note != nil {
		env.Record, env.Tell = true, func(e faults.Event) {
			if text := in.told(e); text != "" {
				note(text)
			}
		}
	}
	injector := faults.NewInjector(in.Drawn, t, env)
	injector.Install()
	if in.Drawn.Simple() {
		return nil
	}
	oppose(injector)
	return injector
}

// told is what a fault did, for a trace; "" for what the trace shows anyway.
func (in *Instance) told(e faults.Event) string {
	text := in.Drawn[e.Fault].String()
	switch e.What {
	case faults.Began:
		return text
	case faults.Ended:
		if in.Drawn[e.Fault].Amid {
			return ""
		}
		return "the end of: " + text
	}
	return fmt.Sprintf("%v %d->%d: %s", e.What, e.From, e.To, text)
}

// target is a network as fault plans see it.
type target[W protocols.Message] struct {
	*netem.Network[W]
	in    *Instance
	lines map[string]*impair.Line // that were read, so that the same text is the same line
}

// SetLine implements faults.Target. The line was read before the run.
func (t target[W]) SetLine(set links.Set, text string) {
	if text == "" {
		t.Network.SetLine(set, nil)
		return
	}
	line, known := t.lines[text]
	if !known {
		var err error
		if line, err = t.in.parseLine(text); err != nil {
			panic(err) // it was checked
		}
		t.lines[text] = line
	}
	t.Network.SetLine(set, line)
}

// electionWatch observes a run and tells the checker, the faults that wait for a
// leader, and the monitor of a failure detector.
type electionWatch struct {
	checker          *election.Checker
	seats            []watched
	now              func() des.Time
	told             func() time.Duration // what checks take for now, if that is something else
	depth            func(protocols.ID) uint32
	elected, decided des.Time // latest

	faults     *faults.Injector  // nil if none waits for anything
	monitor    *detector.Monitor // nil without a detector that can be mistaken
	suspecters []detector.Suspecter
}

// watched is a process, and its decision when it was last looked at, side by
// side: every event looks at both.
type watched struct {
	elector  election.Elector
	decision election.Decision
}

func newElectionWatch(in *Instance, promise election.Promise) *electionWatch {
	w := &electionWatch{
		checker: election.NewChecker(in.Ranks, in.Order, promise),
		seats:   make([]watched, in.N),
		elected: -1, decided: -1,
	}
	if in.Detector != nil {
		w.suspecters = make([]detector.Suspecter, in.N)
	}
	return w
}

// Stepped implements netem.Observer.
func (w *electionWatch) Stepped(id protocols.ID) {
	s := &w.seats[id]
	if d := s.elector.Decision(); d != s.decision {
		s.decision = d
		w.changed(id, d)
	}
}

// Started implements netem.Observer.
func (w *electionWatch) Started(id protocols.ID) {
	w.checker.Started(id, w.instant())
	w.Stepped(id)
}

func (w *electionWatch) changed(id protocols.ID, d election.Decision) {
	w.checker.Decided(id, d, w.instant())
	w.decided = w.now()
	if d.Status == election.Leader {
		w.elected = w.decided
		if w.faults != nil {
			w.faults.Became(id)
		}
	}
}

// Crashed implements netem.Observer.
func (w *electionWatch) Crashed(id protocols.ID) {
	if w.depth(id) > 0 {
		w.checker.TookPart(id)
	}
	w.checker.Crashed(id, w.instant())
}

// Restarted implements netem.Observer.
func (w *electionWatch) Restarted(id protocols.ID) {
	w.checker.Restarted(id, w.instant())
	w.Stepped(id)
}

// monitored tells the monitor of a failure detector as well.
type monitored struct {
	*electionWatch
	monitor *detector.Monitor
}

func (m monitored) Stepped(id protocols.ID) {
	m.electionWatch.Stepped(id)
	m.monitor.Stepped(id, m.instant())
}

func (m monitored) Started(id protocols.ID) {
	m.electionWatch.Started(id)
	m.monitor.Stepped(id, m.instant())
}

func (m monitored) Crashed(id protocols.ID) {
	m.electionWatch.Crashed(id)
	m.monitor.Crashed(id, m.instant())
}

func (m monitored) Restarted(id protocols.ID) {
	m.electionWatch.Restarted(id)
	m.monitor.Restarted(id, m.instant())
}

// instant is the time that checks are told.
func (w *electionWatch) instant() time.Duration {
	if w.told != nil {
		return w.told()
	}
	return time.Duration(w.now())
}

// news says what a process has decided, if the event that it just handled
// changed that.
func (w *electionWatch) news(id protocols.ID) string {
	d := w.seats[id].elector.Decision()
	if d == w.seats[id].decision {
		return ""
	}
	switch d.Status {
	case election.Leader:
		return "is the leader"
	case election.Follower:
		return "follows " + election.Rank{ID: d.Leader}.String()
	}
	return "is undecided again"
}

func (w *electionWatch) result(in *Instance, end netem.End, c netem.Counters, m protocols.Message, fingerprint uint64) *Result {
	for id := range w.seats {
		if w.depth(protocols.ID(id)) > 0 {
			w.checker.TookPart(protocols.ID(id))
		}
	}
	r := &Result{
		Instance: in, End: end, Counters: c, Fingerprint: fingerprint,
		Time: max(c.LastMessage, w.decided), Elected: w.elected, Decided: w.decided,
		Leaders: w.checker.MostLeaders(), Correct: end == netem.Quiescent && w.checker.Correct(),
		Followed: end == netem.Quiescent && w.checker.Followed(),
		Checks:   w.checker.Checks(end == netem.Quiescent), Kinds: m.Kinds(),
	}
	if o, ok := m.(protocols.Overhead); ok {
		for kind, sent := range c.Sent {
			if o.Overhead(kind) {
				r.Overhead += sent
			}
		}
	}
	if w.monitor != nil {
		q := w.monitor.Quality(w.instant())
		r.Detection = &q
	}
	leaders := w.checker.Leaders()
	switch {
	case end != netem.Quiescent:
		r.Outcome = Unfinished
	case len(leaders) == 0:
		r.Outcome = NoLeader
	case len(leaders) == 1:
		r.Outcome, r.Leader = Elected, in.Ranks[leaders[0]].ID
	default:
		r.Outcome = SeveralLeaders
	}
	return r
}
