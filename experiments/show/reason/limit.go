package reason

import (
	"time"

	"bullring/des"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/faults"
)

// Limit is the latest arrival of a message with which this violation is still gone.
type Limit struct {
	At   des.Time
	Race *history.Event // the event of the receiver in the real run that it has to precede, or nil
}

// limit bisects the latest arrival that still helps. It returns nil if there is none: the
// message came too early, the violation has no instant, or an earlier arrival does not help.
func (r *replays) limit(c Change) *Limit {
	came := c.Came
	if came == des.MaxTime && r.v.Event > 0 {
		came = r.v.At + 1
	}
	if c.Class == Fault || c.Class >= Coin || c.Class == Twice || came == des.MaxTime || c.Sent.Add(c.Delay) >= came {
		return nil
	}
	helps := func(d time.Duration) bool { return r.try(Change{Element: c.Element, Delay: d}).Gone() }
	good, bad := c.Delay, came.Sub(c.Sent)
	if helps(bad) {
		return nil
	}
	for bad-good > 1 {
		if middle := good + (bad-good)/2; helps(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	if r.spent() || !r.monotone(helps, good) {
		return nil
	}
	l := &Limit{At: c.Sent.Add(good)}
	l.Race = r.eventAt(c, l.At)
	return l
}

// samples is the number of delays with which a limit is checked.
const samples = 8

// monotone reports whether delays from 0 to a limit help.
func (r *replays) monotone(helps func(time.Duration) bool, limit time.Duration) bool {
	for i := range time.Duration(samples) {
		if !helps(limit / samples * i) {
			return false
		}
	}
	return true
}

// eventAt returns the event of the receiver that a message has to precede if it is to arrive
// at an instant: a timeout of that instant, or an event right after it.
func (r *replays) eventAt(c Change, at des.Time) (race *history.Event) {
	for i := range r.real.Events[:r.v.last(r.real)] {
		e := &r.real.Events[i]
		if e.Who == c.Key.To && (e.At == at || e.At == at+1) && e.What != "fault" && !e.Absent {
			race = e
		}
	}
	return race
}

// later bisects the earliest later beginning of a fault with which this violation is gone. ok
// is false if there is none before the violation, or the fault has no instant.
func (r *replays) later(c Change) (at des.Time, ok bool) {
	f := r.in.Drawn[c.Fault]
	if f.When.On != faults.Instant || r.v.Event == 0 || f.When.At >= r.v.At {
		return 0, false
	}
	helps := func(at des.Time) bool {
		return r.judge(r.otherwise(func(in *trial.Instance) { in.Drawn[c.Fault].When.At = at })).Gone()
	}
	bad, good := f.When.At, r.v.At+1
	if !helps(good) {
		return 0, false
	}
	for good-bad > 1 {
		if middle := bad + (good-bad)/2; helps(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good, !r.spent()
}

// Window tells with which numbers of sends a crash in the middle of a step breaks the check.
type Window struct {
	Breaks []bool // by the number of sends, from 0
}

// mostSends is the least number of sends up to which a window is tried.
const mostSends = 12

// window tries the numbers of sends of a crash in the middle of a step. It returns nil for
// other faults.
func (r *replays) window(c Change) *Window {
	f := r.in.Drawn[c.Fault]
	if c.Class != Fault || !f.Amid {
		return nil
	}
	w := &Window{}
	for count := range max(mostSends, f.Count+4) + 1 {
		found := r.judge(r.otherwise(func(in *trial.Instance) { in.Drawn[c.Fault].Count = count }))
		w.Breaks = append(w.Breaks, found.Effect <= Other)
	}
	if r.spent() {
		return nil
	}
	return w
}
