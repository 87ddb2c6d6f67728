package experiments

import (
	"slices"
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/plots"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Family is a kind of algorithms that solve one problem.
type Family struct {
	Name string
	// Checks are what a Judge checks: as Judge.Checks has them, and in that order.
	// Those that are Always are safety, the others are Eventually.
	Checks []explore.Property
	// Promised, if not nil, is what Checks say of an instance, for a family in which
	// instances promise different things.
	Promised func(*Instance) []explore.Property
	// Done is what a search looks for to show that a run can come out as it should; the
	// zero value is called "done". Its kind is Sometimes.
	Done explore.Property
	// Right are the outcomes of a run that came out as it should, Wrong all others
	// but Unfinished.
	Right, Wrong []Outcome
	// Metrics are what a Judge measures, beyond what every run does. One that is called
	// "correct" stands in place of the usual one.
	Metrics []Metric
	// Optional are metrics that a Judge measures for the algorithms that declare them.
	Optional []Metric
	// Effects are those that a Comparer tells, beyond Same and Slower, the worst last.
	Effects []Effect
	// Endless: runs never come to rest, and end when their judge has seen all it wants
	// to: see Ender.
	Endless bool
	// Commutes says of the Judge, where nothing is measured, what
	// explore.Network.Commutes says.
	Commutes bool
	// Measured, if not nil, makes what watches a search for the run that costs the most.
	// Such a search judges nothing, and has fewer states the less is watched. Nil is the
	// Judge.
	Measured func(*Instance, explore.Measure) explore.Watch
}

// Judge watches one run of an algorithm for its family. It watches runs and, with
// nothing measured, what the explorer looks at: so what it measures has the tag
// explore:"-", and what is left is what tells states of a run apart. The interfaces
// below are for judges that do more.
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

// Viewer is a Judge that gets a View of a run before it begins. There is none of what is
// explored.
type Viewer interface {
	Judge
	See(v *View)
}

// Sparing is a Judge that keeps the processes of a run itself, and looks at them to be
// told of few steps of many. What tells it of a step gives it nil for the process.
type Sparing interface {
	Judge
	// Sit tells which process an address has got, before it starts or restarts.
	Sit(p protocols.ID, process any)
	// Spare returns what observes the run in place of told, and tells that of what matters.
	Spare(told netem.Observer) netem.Observer
}

// Concluder is a Judge that completes the result of a run, of which everything else is
// known.
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

// Leading is a Judge of runs that elect a leader, whom tables and reports name.
type Leading interface {
	Judge
	// Leader is the one leader at the end of the run; ok is false if there is none.
	Leader() (id election.Identity, ok bool)
}

// Lister is a Judge that lists moments of the run under a title, for reports.
type Lister interface {
	Judge
	Moments() (title string, moments []Moment)
}

// Moment is a process, and when it did something that matters.
type Moment struct {
	Process protocols.ID
	At      time.Duration
}

// Explainer is a Judge that knows at which processes to look for the reason of an
// outcome, for Why.
type Explainer interface {
	Judge
	// Endings are groups of processes, of which the first counts that took any steps. If
	// settled, the reason is the last News of each; else it is the last step of each that
	// has not crashed.
	Endings() (groups [][]protocols.ID, settled bool)
}

// Comparer is a Judge that tells in which respect a run came out worse than another, for
// FindCritical.
type Comparer interface {
	Judge
	// Compare compares the run with one that was judged by base, of the same family. Both
	// came to rest.
	Compare(base Judge) Effect
}

// Judged completes the declaration of an algorithm of a family: this is where its
// message type is forgotten. judgeOf makes the judge of a run, which is to measure or
// not; build makes the maker of an instance's processes.
func Judged[M protocols.Message](a Algorithm, f Family, judgeOf func(in *Instance, measured bool) Judge,
	build func(*Instance) func(protocols.ID) protocols.Process[M],
) Algorithm {
	return model[M]{&f, judgeOf, build}.complete(f.declare(a))
}

// declare has an algorithm be one of the family.
func (f *Family) declare(a Algorithm) Algorithm {
	a.Family, a.family = f.Name, f
	for _, c := range f.Checks {
		a.Checks = append(a.Checks, c.Name)
	}
	a.Outcomes = slices.Concat([]Outcome{Unfinished}, f.Right, f.Wrong)
	a.Metrics = slices.Concat(familyMetrics(f.Metrics), a.Metrics)
	return a
}

// properties are what an exploration of an instance judges.
func (f *Family) properties(in *Instance) []explore.Property {
	properties := slices.Clone(f.Checks)
	if f.Promised != nil {
		properties = f.Promised(in)
	}
	if !f.Endless {
		properties = append(properties, explore.Property{Name: "rest", Kind: explore.Finally, Says: "every run comes to rest"})
	}
	done := explore.Property{Name: "done", Says: "the run comes out as it should"}
	if f.Done.Name != "" {
		done = f.Done
	}
	done.Kind = explore.Sometimes
	return append(properties, done)
}

// explored is what watches an instance for the explorer.
func (f *Family) explored(in *Instance, measure explore.Measure, judgeOf func(*Instance, bool) Judge) explore.Watch {
	if measure != explore.Nothing && f.Measured != nil {
		return f.Measured(in, measure)
	}
	w := judgeOf(in, false)
	for _, p := range in.Dead {
		w.Crashed(p, 0)
	}
	return &exploredJudge{w, f.Endless}
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

// Rotate implements explore.Rotator, for an algorithm with Rotations. Its judge is one.
func (e *exploredJudge) Rotate() { e.Judge.(explore.Rotator).Rotate() }

// VerdictsOf are the verdicts of checks and, last, Holds if the run has come out as it
// should: what explore.Watch asks a Judge for.
func VerdictsOf(checks []protocols.Check, done bool) []protocols.Verdict {
	verdicts := make([]protocols.Verdict, 0, len(checks)+2)
	for _, c := range checks {
		verdicts = append(verdicts, c.Verdict)
	}
	if done {
		return append(verdicts, protocols.Holds)
	}
	return append(verdicts, protocols.Undecided)
}
