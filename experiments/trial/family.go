package trial

import (
	"slices"
	"time"

	"bullring/netem/explore"
	"bullring/protocols"
)

// Family is a problem, such as election, that several algorithms solve. Its checks are
// made by a [Judge].
type Family struct {
	Name string
	// Checks are the checks of Judge.Checks, in the same order. Those that are Always are
	// safety; the others are Eventually.
	Checks []explore.Property
	// Promised, if not nil, returns the Checks of an instance, for a family in which
	// instances promise different things.
	Promised func(*Instance) []explore.Property
	// Done is the property that a run can come out as it should. The explorer looks for
	// such a run. Its kind is Sometimes; the zero value is called "done".
	Done explore.Property
	// Bands are conditions of processes that a diagram or a page shows. A process is in the first
	// that fits, of those of the algorithm and then of these.
	Bands []Band
	// Right are the outcomes of a run that came out as it should. Wrong are all others but
	// Unfinished.
	Right, Wrong []Outcome
	// Metrics are measured by the Judge, in addition to those of every family. A metric
	// "correct" replaces the usual one.
	Metrics []Metric
	// Optional are metrics that the Judge measures for the algorithms that declare them.
	Optional []Metric
	// Effects are the results of a Comparer besides Same and Slower, the worst last.
	Effects []Effect
	// Endless: runs never come to rest. The Judge is an Ender, and ends them.
	Endless bool
	// Ear makes what hears the program of an address, for a family that judges by what processes say.
	// After a restart it is given that of the crashed process, else nil.
	Ear func(in *Instance, p protocols.ID, crashed Ear) Ear
	// Commutes is explore.Network.Commutes for a Judge that measures nothing.
	Commutes bool
	// Measured, if not nil, makes the watch of a search for the run that costs most. Such a
	// search judges nothing; the less its watch sees, the fewer states it has. Nil is the
	// Judge.
	Measured func(*Instance, explore.Measure) explore.Watch
}

// Build returns what makes the process of each address of an instance.
type Build[M protocols.Message] = func(*Instance) func(protocols.ID) protocols.Process[M]

// Judged completes the declaration of an algorithm of a family, whose messages are of type
// M. judge makes the judge of a run; with measured false it measures nothing.
func Judged[M protocols.Message](a Algorithm, f Family, judge func(in *Instance, measured bool) Judge, build Build[M]) Algorithm {
	a.Family, a.family = f.Name, &f
	for _, c := range f.Checks {
		a.Checks = append(a.Checks, c.Name)
	}
	a.Bands = slices.Concat(a.Bands, f.Bands)
	a.Outcomes = slices.Concat([]Outcome{Unfinished}, f.Right, f.Wrong)
	a.Metrics = familyMetrics(f.Metrics, a.Metrics)
	a.measured = make(map[string]*Metric, len(f.Optional)+len(a.Metrics))
	for _, metrics := range [][]Metric{f.Optional, a.Metrics} {
		for i := range metrics {
			a.measured[metrics[i].Name] = &metrics[i]
		}
	}
	return model[M]{family: &f, judge: judge, build: build}.complete(a)
}

// restName is the name of the property that every run comes to rest.
const restName = "rest"

// properties returns the properties that an exploration of an instance checks.
func (f *Family) properties(in *Instance) []explore.Property {
	properties := in.Promised()
	judged := len(properties) > 0
	if !f.Endless {
		properties = append(properties, explore.Property{Name: restName, Kind: explore.Finally, Says: "every run comes to rest"})
	}
	if !judged { // no run comes out as it should, or otherwise
		return properties
	}
	done := explore.Property{Name: "done", Says: "the run comes out as it should"}
	if f.Done.Name != "" {
		done = f.Done
	}
	done.Kind = explore.Sometimes
	return append(properties, done)
}

// explored returns the watch of an exploration of an instance.
func (f *Family) explored(in *Instance, measure explore.Measure, judge func(*Instance, bool) Judge) explore.Watch {
	if measure != explore.Nothing && f.Measured != nil {
		return f.Measured(in, measure)
	}
	e := &exploredJudge{judge(in, false), f.Endless, in.Dead}
	if in.Own != nil && measure == explore.Nothing {
		return newExploredOwn(in, e)
	}
	return e
}

// exploredJudge is a Judge in an exploration. It adds a verdict for the property "rest",
// which the explorer itself decides.
type exploredJudge struct {
	Judge
	endless bool
	dead    []protocols.ID `explore:"-"` // from the start
}

// Verdicts implements explore.Watch.
func (e *exploredJudge) Verdicts(rest bool) []protocols.Verdict {
	verdicts := e.Judge.Verdicts(rest)
	if e.endless {
		return verdicts
	}
	return slices.Insert(verdicts, max(0, len(verdicts)-1), protocols.Undecided)
}

// Begins implements explore.Beginner.
func (e *exploredJudge) Begins(p protocols.ID, process any) {
	if b, ok := e.Judge.(explore.Beginner); ok {
		b.Begins(p, process)
	}
	if slices.Contains(e.dead, p) {
		e.Crashed(p, 0)
	}
}

// Relinked implements explore.LinkWatch.
func (e *exploredJudge) Relinked(near func(protocols.ID) []protocols.ID, now time.Duration, ends ...protocols.ID) {
	if l, looks := e.Judge.(explore.LinkWatch); looks {
		l.Relinked(near, now, ends...)
	}
}

// Tallies implements explore.Tally.
func (e *exploredJudge) Tallies() []string {
	if t, counts := e.Judge.(explore.Tally); counts {
		return t.Tallies()
	}
	return nil
}

// UnderWay implements explore.Tally. The Judge is one.
func (e *exploredJudge) UnderWay(counts []int) { e.Judge.(explore.Tally).UnderWay(counts) }

// Rotate implements explore.Rotator, for an algorithm with Rotations. Its Judge is one.
func (e *exploredJudge) Rotate() { e.Judge.(explore.Rotator).Rotate() }
