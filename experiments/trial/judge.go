package trial

import (
	"time"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Judge watches one run of an algorithm for its family. The explorer uses it too, and then
// it measures nothing: fields for what it measures have the tag explore:"-", and the other
// fields are part of the state. The interfaces below are optional.
type Judge interface {
	explore.Watch // its Verdicts are VerdictsOf the checks of the family
	// Checks judges the run so far. With rest, nothing more will happen.
	Checks(rest bool) []protocols.Check
	// Outcome returns the outcome of a run that has come to rest.
	Outcome() Outcome
	// News describes what a process has done since the last step that the judge was told
	// of, or returns "".
	News(p protocols.ID, process any) string
}

// VerdictsOf returns the verdicts that a [Judge] owes to explore.Watch: those of its checks
// and, last, Holds as soon as the run has come out as it should.
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

// Wrapper is a Judge around another, which measures what it does not.
type Wrapper interface {
	Judge
	Within() Judge
}

// Ender is the Judge of a family that is Endless. A run ends when Over reports that the
// judge has seen enough.
type Ender interface {
	Judge
	Over() bool
}

// Follower is a Judge that receives every record of a run, before it is told of the step.
// process is the process that the record is about.
type Follower interface {
	Judge
	Follow(r netem.Record, process any)
}

// Viewer is a Judge that receives a View of the run before it begins. An exploration has
// none.
type Viewer interface {
	Judge
	See(v *View)
}

// Selective is a Judge that needs few of the steps of a run, and chooses them itself. It gets
// the steps without the process.
type Selective interface {
	Judge
	// Made tells the judge the process of an address, before it starts or restarts.
	Made(p protocols.ID, process any)
	// Filter returns an observer of the run. It passes on to next the steps that matter.
	Filter(next netem.Observer) netem.Observer
}

// Concluder is a Judge that completes the result of a run. All else in it is complete, but for the checks of
// own properties, which may look at what it adds.
type Concluder interface {
	Judge
	Conclude(r *Result)
}

// Picturer is a Judge that can draw the run.
type Picturer interface {
	Judge
	Picture() Picture
}

// A Picture shows places of processes in a square whose sides are the unit.
type Picture struct {
	Title string
	X, Y  string // the labels of the axes
	All   Places
	First Places // of something that moves, at the beginning
	Last  Places // of the same at the end
}

// Places are points of a Picture.
type Places struct {
	Label string
	Key   string // chooses the colour, as that of a series of package plots does
	At    [][2]float64
}

// Leading is a Judge of runs that elect a leader. Tables and reports name it.
type Leading interface {
	Judge
	// Leader returns the one leader at the end of the run. ok is false if there is none.
	Leader() (id election.Identity, ok bool)
}

// Lister is a Judge that lists moments of the run under a title, for reports. In JSON the
// title is the name of the field, with underscores.
type Lister interface {
	Judge
	Moments() (title string, moments []Moment)
}

// Moment is a process and an instant at which it did something that matters.
type Moment struct {
	Process protocols.ID
	At      time.Duration
}

// Explainer is a Judge that knows which processes are the reason of an outcome.
type Explainer interface {
	Judge
	// Endings returns groups of processes. The first group counts in which a process took a
	// step. If settled, the reason is the last News of each process; else it is the last
	// step of each process that has not crashed.
	Endings() (groups [][]protocols.ID, settled bool)
}

// Comparer is a Judge that tells in which respect a run came out worse than another.
type Comparer interface {
	Judge
	// Compare compares the run with the run of base, a judge of the same family. Both came
	// to rest.
	Compare(base Judge) Effect
}

// Effect is the effect of a strike on a run.
type Effect string

// The effects, from nothing to the worst. Those of a family stand between Slower and
// OtherOutcome.
const (
	Same         Effect = "same"          // the same outcome, at the same time or sooner
	Slower       Effect = "slower"        // the same outcome, later
	OtherOutcome Effect = "other outcome" // another outcome
	Endless      Effect = "unfinished"    // the run did not come to rest
	Breaks       Effect = "panic"         // a handler panicked
)
