package trial

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/detector"
)

// View is what a Judge can see of a run besides its processes.
type View struct {
	run         running
	checkTime   func() time.Duration // of the verdicts, if it is not now
	monitorTime func() time.Duration // of the failure detector, if it is not now
	process     func(protocols.ID) any

	faults  *faults.Injector  // nil if no fault waits for anything
	monitor *detector.Monitor // nil without a detector that can be mistaken
	wrapped []wrapper         // the transformers right below the algorithm, by address; may be nil
	resends bool              // reliable links carry the messages of the algorithm
}

// running is a run: a network, or the player of a schedule.
type running interface {
	Now() des.Time
	Depth(p protocols.ID) uint32
	Reading(p protocols.ID) time.Duration // of its clock
	UnderWay(kind int) int                // messages of a kind to processes that are alive
	Stop()
}

// wrapper is a transformer. It knows whether the process inside has received a message.
type wrapper interface{ Reached() bool }

// Now is the time of the run, or the number of the step in a schedule with free timers.
func (v *View) Now() des.Time { return v.run.Now() }

// Reached reports whether a process has handled a message of the algorithm.
func (v *View) Reached(p protocols.ID) bool {
	if v.wrapped != nil {
		return v.wrapped[p].Reached()
	}
	return v.run.Depth(p) > 0
}

// Process is the process at an address.
func (v *View) Process(p protocols.ID) any { return v.process(p) }

// Reading is the time that the clock of a process shows. In a schedule that says what clocks
// show, it is the last time that this one showed: differences of clocks then include the time
// between the looks. In other schedules all clocks are right.
func (v *View) Reading(p protocols.ID) time.Duration { return v.run.Reading(p) }

// underWay is the number of messages of a kind under way to processes that are alive. It is not known
// where reliable links carry them.
func (v *View) underWay(kind int) (messages int, known bool) {
	if v.resends {
		return 0, false
	}
	return v.run.UnderWay(kind), true
}

// Became tells faults that wait for a leader that a process has become the leader.
func (v *View) Became(leader protocols.ID) {
	if v.faults != nil {
		v.faults.Became(leader)
	}
}

// Instant is the time of a step for the judge.
func (v *View) Instant() time.Duration {
	if v.checkTime != nil {
		return v.checkTime()
	}
	return time.Duration(v.run.Now())
}

// elapsed is the time of a step for the monitor. The clocks of a schedule are the only ones
// that know how much time has passed between its steps.
func (v *View) elapsed() time.Duration {
	if v.monitorTime != nil {
		return v.monitorTime()
	}
	return time.Duration(v.run.Now())
}

// watch tells a Judge what happens in a run.
type watch struct {
	view            View
	family          *Family
	judge           Judge
	selective       Selective          // the judge, or nil if it is not Selective
	processes       []any              // by address, as many as are kept; nil if the judge is Selective
	tracedProcesses []any              // by address, of a run with a trace
	given           netem.Tracer       // the tracer of the caller; may be nil
	settler         Settler            // the tracer of the caller, or nil if it is none
	crashed         func(protocols.ID) // may be nil
	begun           bool               // processes that are made now restart
	lies            *lies              // nil if no process is Byzantine
	climb           *Climb             // nil unless the run is watched for a level
	own             *ownRun            // nil without own properties
}

// newWatch returns the watch of a run, and makes its tracer if trace is not nil.
func newWatch(in *Instance, f *Family, j Judge, trace TraceFunc) *watch {
	w := &watch{family: f, judge: j, lies: liesOf(in), climb: in.Climb}
	if w.climb != nil {
		w.climb.begin(in.N)
	}
	w.own = newOwnRun(in, &w.view)
	if trace != nil {
		w.tracedProcesses = make([]any, in.N)
		w.given = trace(&Traced{in, w})
		w.settler, _ = w.given.(Settler)
		if w.given != nil && in.InPrograms() {
			w.given = withWritten{w.given, w.tracedProcesses}
		}
	}
	if viewer, ok := j.(Viewer); ok {
		viewer.See(&w.view)
	}
	if selective, ok := j.(Selective); ok {
		w.selective = selective
	} else {
		w.processes = make([]any, in.Kept())
	}
	return w
}

// made notes the process of an address.
func (w *watch) made(p protocols.ID, process any) {
	if w.tracedProcesses != nil {
		w.tracedProcesses[p] = process
	}
	if w.climb != nil {
		w.climb.made(p, process)
	}
	if w.own != nil {
		w.own.made(p, process)
	}
	if b, ok := w.judge.(explore.Beginner); ok && !w.begun {
		b.Begins(p, process)
	}
	if w.selective != nil {
		w.selective.Made(p, process)
	} else if int(p) < len(w.processes) {
		w.processes[p] = process
	}
}

// process is the process of an address for the judge.
func (w *watch) process(p protocols.ID) any {
	if w.selective != nil {
		return nil
	}
	if int(p) < len(w.processes) {
		return w.processes[p]
	}
	return w.view.process(p)
}

// observer observes the run for the judge and for the monitor of a failure detector. All
// processes have been made.
func (w *watch) observer() netem.Observer {
	w.begun = true
	var o netem.Observer = w
	if w.family.Endless {
		o = ended{w, w.judge.(Ender)}
	}
	if w.selective != nil {
		o = w.selective.Filter(o)
	}
	if w.view.monitor != nil {
		o = monitored{o, &w.view}
	}
	if w.own != nil {
		o = observing{o, w.own}
	}
	if w.settler != nil {
		o = settled{o, w.settler}
	}
	if w.climb != nil {
		o = climbing{o, w.climb}
	}
	return o
}

// relinking is a run that tells of its links.
type relinking interface {
	Neighbors(id protocols.ID) []protocols.ID
	ObserveLinks(changed func(a, b protocols.ID))
}

// follow has a judge that is a LinkWatch told of the links of a run.
func (w *watch) follow(run relinking) {
	if l, looks := w.judge.(explore.LinkWatch); looks {
		l.Relinked(run.Neighbors, 0)
		run.ObserveLinks(func(a, b protocols.ID) { l.Relinked(run.Neighbors, w.view.Instant(), a, b) })
	}
}

// tracer returns the tracer of the run: that of the caller, a judge that is a Follower, and what
// counts lies. It is nil if there is none.
func (w *watch) tracer() netem.Tracer {
	t := w.given
	if follower, follows := w.judge.(Follower); follows {
		t = withTracer(following{w, follower}, t)
	}
	if w.lies != nil {
		t = withTracer(w.lies, t)
	}
	return t
}

// withTracer is a tracer and then another one, which may be nil.
func withTracer(t, then netem.Tracer) netem.Tracer {
	if then == nil {
		return t
	}
	return bothTracers{t, then}
}

// withWritten adds to the steps of processes in programs what these wrote for people.
type withWritten struct {
	netem.Tracer
	processes []any // by address
}

// Record implements netem.Tracer.
func (w withWritten) Record(r netem.Record) {
	switch r.What {
	case "start", "boot", "deliver", "timeout", "restart":
		if p, writes := w.processes[r.Who].(Writer); writes {
			r.Log, r.Stderr = p.Written()
		}
	}
	w.Tracer.Record(r)
}

// following tells a Follower of the records of a run.
type following struct {
	*watch
	follower Follower
}

// Record implements netem.Tracer.
func (f following) Record(r netem.Record) { f.follower.Follow(r, f.process(r.Who)) }

type bothTracers [2]netem.Tracer

// Record implements netem.Tracer.
func (b bothTracers) Record(r netem.Record) {
	b[0].Record(r)
	b[1].Record(r)
}

func (w *watch) news(p protocols.ID) string { return w.judge.News(p, w.process(p)) }

// Started implements netem.Observer.
func (w *watch) Started(p protocols.ID) {
	w.judge.Started(p, w.process(p), w.view.Instant())
}

// Stepped implements netem.Observer.
func (w *watch) Stepped(p protocols.ID) {
	w.judge.Received(p, w.process(p), w.view.Instant())
}

// Crashed implements netem.Observer.
func (w *watch) Crashed(p protocols.ID) {
	if w.crashed != nil {
		w.crashed(p)
	}
	w.judge.Crashed(p, w.view.Instant())
}

// Restarted implements netem.Observer.
func (w *watch) Restarted(p protocols.ID) {
	w.judge.Restarted(p, w.process(p), w.view.Instant())
}

// conclude adds the verdict of the judge to the result.
func (w *watch) conclude(r *Result) {
	r.Judge = w.judge
	rest := r.End == netem.Quiescent || r.End == netem.Stopped
	r.Checks = w.judge.Checks(rest)
	if rest {
		r.Outcome = w.judge.Outcome()
	}
	r.Correct = slices.Contains(w.family.Right, r.Outcome)
	if c, ok := w.judge.(Concluder); ok {
		c.Conclude(r)
	}
	if w.own != nil {
		r.Checks = append(r.Checks, w.own.checks(r, rest)...)
	}
}

// ended ends the run of an Endless family when its judge has seen enough.
type ended struct {
	*watch
	ender Ender
}

func (e ended) Started(id protocols.ID) {
	e.watch.Started(id)
	e.end()
}

func (e ended) Stepped(id protocols.ID) {
	e.watch.Stepped(id)
	e.end()
}

func (e ended) Crashed(id protocols.ID) {
	e.watch.Crashed(id)
	e.end()
}

func (e ended) end() {
	if e.ender.Over() {
		e.view.run.Stop()
	}
}

// monitored also tells the monitor of a failure detector.
type monitored struct {
	netem.Observer
	*View
}

func (m monitored) Stepped(id protocols.ID) {
	m.Observer.Stepped(id)
	m.monitor.Stepped(id, m.elapsed())
}

func (m monitored) Started(id protocols.ID) {
	m.Observer.Started(id)
	m.monitor.Stepped(id, m.elapsed())
}

func (m monitored) Crashed(id protocols.ID) {
	m.Observer.Crashed(id)
	m.monitor.Crashed(id, m.elapsed())
}

func (m monitored) Restarted(id protocols.ID) {
	m.Observer.Restarted(id)
	m.monitor.Restarted(id, m.elapsed())
}

// settled tells a tracer that the judge has seen a step.
type settled struct {
	netem.Observer
	settler Settler
}

func (s settled) Stepped(id protocols.ID) {
	s.Observer.Stepped(id)
	s.settler.Settled()
}

func (s settled) Started(id protocols.ID) {
	s.Observer.Started(id)
	s.settler.Settled()
}

func (s settled) Crashed(id protocols.ID) {
	s.Observer.Crashed(id)
	s.settler.Settled()
}

func (s settled) Restarted(id protocols.ID) {
	s.Observer.Restarted(id)
	s.settler.Settled()
}
