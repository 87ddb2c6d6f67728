package experiments

import (
	"slices"
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/plots"
	"bullring/protocols"
)

// Family is a kind of algorithms that solve one problem, other than election.
type Family struct {
	Name string
	// Checks are what a Judge checks: as Judge.Checks has them, and in that order.
	// Those that are Always are safety, the others are Eventually.
	Checks []explore.Property
	// Right are the outcomes of a run that came out as it should, Wrong all others
	// but Unfinished.
	Right, Wrong []Outcome
	// Metrics are what a Judge measures, beyond what every run does.
	Metrics []Metric
	// Endless: runs never come to rest, and end when their judge has seen all it wants
	// to: see Ender.
	Endless bool
}

// Judge watches one run of an algorithm for its family. It watches runs and, with
// nothing measured, what the explorer looks at: so what it measures has the tag
// explore:"-", and what is left is what tells states of a run apart.
type Judge interface {
	explore.Watch
	// Checks judges the run so far; rest says that nothing more will happen. The verdicts
	// that explore.Watch asks for are those of the family's checks and, last, Holds as
	// soon as the run has come out as it should.
	Checks(rest bool) []protocols.Check
	// Outcome says how a run came out that has come to rest.
	Outcome() Outcome
	// Measure is a metric of the family by name; ok is false where the run has none.
	// Times are in nanoseconds.
	Measure(metric string) (v float64, ok bool)
	// News says what a process has done since the judge was last told of it, "" if
	// nothing that matters.
	News(p protocols.ID, process any) string
}

// Ender is the Judge of a family that is Endless: it says when all that it wants to see
// has been seen, and the run is ended.
type Ender interface {
	Judge
	Over() bool
}

// Follower is a Judge that is told every record of a run, with the process that it
// tells of, before it is told of the step.
type Follower interface {
	Judge
	Follow(r netem.Record, process any)
}

// ClockReader is a Judge that wants to know what the clocks of processes show, and is
// told before the run how to read them. Where runs follow a schedule clocks are right;
// of what is explored it is not told.
type ClockReader interface {
	Judge
	ReadClocks(reading func(protocols.ID) time.Duration)
}

// Concluder is a Judge that has more to say of a run than checks and metrics.
type Concluder interface {
	Judge
	Conclude(r *Result)
}

// Picturer is a Judge that can draw the run.
type Picturer interface {
	Judge
	// Picture is the run as it is, with the axes, the data and the title.
	Picture() *plots.Figure
}

// Judged completes the declaration of an algorithm of a family: this is where its
// message type is forgotten. judgeOf makes the judge of a run, which is to measure or
// not; build makes the maker of an instance's processes.
func Judged[M protocols.Message](a Algorithm, f Family, judgeOf func(in *Instance, measured bool) Judge,
	build func(*Instance) func(protocols.ID) protocols.Process[M],
) Algorithm {
	a.Family = f.Name
	for _, c := range f.Checks {
		a.Checks = append(a.Checks, c.Name)
	}
	a.Outcomes = slices.Concat([]Outcome{Unfinished}, f.Right, f.Wrong)
	a.Metrics = slices.Concat(familyMetrics(f.Metrics), a.Metrics)
	properties := slices.Clone(f.Checks)
	if !f.Endless {
		properties = append(properties, explore.Property{Name: "rest", Kind: explore.Finally, Says: "every run comes to rest"})
	}
	properties = append(properties, explore.Property{Name: "done", Kind: explore.Sometimes, Says: "the run comes out as it should"})
	return model[M]{
		build: build,
		judge: func(in *Instance) judge {
			w := &judgedWatch{family: &f, judge: judgeOf(in, true), processes: make([]any, in.N)}
			if c, ok := w.judge.(ClockReader); ok {
				c.ReadClocks(w.shows)
			}
			if follower, ok := w.judge.(Follower); ok {
				return &tracedWatch{w, follower}
			}
			return w
		},
		watch: func(in *Instance, _ explore.Measure) explore.Watch {
			w := judgeOf(in, false)
			for _, p := range in.Dead {
				w.Crashed(p, 0)
			}
			return &exploredJudge{w, f.Endless}
		},
		properties: func(*Instance) []explore.Property { return properties },
	}.complete(a)
}

// judgedWatch is the judge of a run of such a family.
type judgedWatch struct {
	vantage
	family    *Family
	judge     Judge
	processes []any
}

// tracedWatch is one that wants to know every record.
type tracedWatch struct {
	*judgedWatch
	follower Follower
}

// Record implements netem.Tracer.
func (w *tracedWatch) Record(r netem.Record) { w.follower.Follow(r, w.processes[r.Who]) }

func (w *judgedWatch) sit(p protocols.ID, process any) { w.processes[p] = process }

// shows is what the clock of a process shows.
func (w *judgedWatch) shows(p protocols.ID) time.Duration {
	if w.reading == nil {
		return w.instant()
	}
	return w.reading(p)
}

func (w *judgedWatch) dead(p protocols.ID) { w.judge.Crashed(p, 0) }

func (w *judgedWatch) news(p protocols.ID) string { return w.judge.News(p, w.processes[p]) }

// Started implements netem.Observer.
func (w *judgedWatch) Started(p protocols.ID) {
	w.judge.Started(p, w.processes[p], w.instant())
	w.end()
}

// Stepped implements netem.Observer.
func (w *judgedWatch) Stepped(p protocols.ID) {
	w.judge.Received(p, w.processes[p], w.instant())
	w.end()
}

// Crashed implements netem.Observer.
func (w *judgedWatch) Crashed(p protocols.ID) {
	w.judge.Crashed(p, w.instant())
	w.end()
}

// Restarted implements netem.Observer.
func (w *judgedWatch) Restarted(p protocols.ID) { w.judge.Restarted(p, w.processes[p], w.instant()) }

// end ends a run of which everything was seen.
func (w *judgedWatch) end() {
	if w.family.Endless && w.judge.(Ender).Over() {
		w.stop()
	}
}

func (w *judgedWatch) checks(rest bool) []protocols.Check { return w.judge.Checks(rest) }

func (w *judgedWatch) conclude(r *Result) {
	rest := r.End == netem.Quiescent || r.End == netem.Stopped
	r.Checks = w.judge.Checks(rest)
	if rest {
		r.Outcome = w.judge.Outcome()
	}
	r.Correct = slices.Contains(w.family.Right, r.Outcome)
	r.Followed = r.Correct
	unit, _ := r.Instance.Unit()
	r.measure = func(name string) (float64, bool) {
		v, ok := w.judge.Measure(name)
		if r.Instance.Algorithm.isTime(name) {
			v /= float64(unit)
		}
		return v, ok
	}
	if c, ok := w.judge.(Concluder); ok {
		c.Conclude(r)
	}
	if p, ok := w.judge.(Picturer); ok {
		r.picture = p.Picture
	}
}

// exploredJudge is a judge as the explorer sees it: that runs come to rest, if they are
// to, it finds out itself.
type exploredJudge struct {
	Judge
	endless bool
}

// Verdicts implements explore.Watch.
func (e *exploredJudge) Verdicts(rest bool) []protocols.Verdict {
	verdicts := e.Judge.Verdicts(rest)
	if e.endless {
		return verdicts
	}
	return slices.Insert(verdicts, len(verdicts)-1, protocols.Undecided)
}
