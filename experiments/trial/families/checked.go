package families

import (
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// lacks notes that a check which holds so far is violated at rest, if there is such a failure.
func lacks(checks []protocols.Check, name, failure string) {
	for i := range checks {
		if c := &checks[i]; c.Name == name && c.Verdict == protocols.Holds && failure != "" {
			c.Verdict, c.Detail = protocols.Violated, failure
		}
	}
}

// checker watches the processes of a run, which are of type M. To it one step is like another.
type checker[M any] interface {
	Stepped(p protocols.ID, m M, now time.Duration)
	Crashed(p protocols.ID, now time.Duration)
	Restarted(p protocols.ID)
}

// checked is the part of a judge that tells a checker of the steps.
type checked[M any, C checker[M]] struct{ checker C }

// Started implements explore.Watch.
func (j *checked[M, C]) Started(p protocols.ID, process any, now time.Duration) {
	j.checker.Stepped(p, trial.As[M](process), now)
}

// Received implements explore.Watch.
func (j *checked[M, C]) Received(p protocols.ID, process any, now time.Duration) {
	j.checker.Stepped(p, trial.As[M](process), now)
}

// Expired implements explore.Watch.
func (j *checked[M, C]) Expired(p protocols.ID, process any, now time.Duration) {
	j.checker.Stepped(p, trial.As[M](process), now)
}

// Crashed implements explore.Watch.
func (j *checked[M, C]) Crashed(p protocols.ID, now time.Duration) { j.checker.Crashed(p, now) }

// Restarted implements explore.Watch.
func (j *checked[M, C]) Restarted(p protocols.ID, process any, now time.Duration) {
	j.checker.Restarted(p)
	j.checker.Stepped(p, trial.As[M](process), now)
}
