package lab

import (
	"fmt"
	"iter"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Replay returns the setting that repeats a recorded run of an instance. What links and faults
// did stands in the steps of its schedule, so it has neither, but for Byzantine processes.
func Replay(in *trial.Instance, rec *live.Recording) trial.Setting {
	s := in.Setting
	s.Link, s.LinkMode, s.Delta, s.GST, s.Fault = "", "", "", "", in.Plan.Lying().String()
	s.Schedule = trial.ScheduleOf(records(rec), in.Dead...)
	s.Unordered = s.Unordered || overtaken(rec)
	s.Assume = in.Assumed.String()
	s.OutsideModel = true
	return s
}

func records(rec *live.Recording) iter.Seq[*netem.Record] {
	return func(yield func(*netem.Record) bool) {
		for i := range rec.Steps {
			if !yield(&rec.Steps[i].Record) {
				return
			}
		}
	}
}

// overtaken reports whether a message arrived before one that the same process had sent to the
// same process earlier. Numbers of messages ascend for each sender.
func overtaken(rec *live.Recording) bool {
	type link struct{ from, to protocols.ID }
	last := map[link]uint64{}
	for r := range records(rec) {
		if r.What != "deliver" && r.What != "lost" {
			continue
		}
		on := link{r.From, r.Who}
		if r.Number < last[on] {
			return true
		}
		last[on] = r.Number
	}
	return false
}

// DisagreementError says that a replay is not the run that was recorded. This program is to
// blame for it, or an algorithm whose processes depend on more than their inputs.
type DisagreementError struct{ what string }

func (e *DisagreementError) Error() string {
	return "the replay is not the run that was recorded: " + e.what
}

// Agree compares the replay of a recording, which is the result of its setting, with the
// recording. The error is a [DisagreementError]; or it says how the live run failed, if that
// was outside of its handlers.
func Agree(rec *live.Recording, r *trial.Result) error {
	differ := func(format string, values ...any) error {
		return &DisagreementError{fmt.Sprintf(format, values...)}
	}
	switch panicked := panics(rec); {
	case rec.Failed != nil && !panicked:
		return fmt.Errorf("the live run failed: %w", rec.Failed)
	case r.Late() != nil:
		return nil
	case r.Impossible() != nil:
		return differ("%v", r.Impossible())
	case panicked != r.Panicked():
		return differ("a handler panicked in one of the two only: %v in the live run, %v in the replay", rec.Failed, r.Failed)
	case panicked || r.Instance.Algorithm.IsEndless(): // more steps may have followed
		return nil
	case rec.End == live.Rest && r.End != netem.Quiescent:
		return differ("the live run came to rest, and something is left to happen in the replay")
	}
	sent, arrived := map[kindName]uint64{}, uint64(0)
	kinds, ofReplay := kindNames(rec.Kinds), kindNames(r.Kinds)
	for one := range records(rec) {
		if one.What == "deliver" {
			arrived++
		}
		for _, s := range one.Sent {
			if s.Same {
				continue
			}
			sent[kinds[s.Message.(box.Message).Kind()]]++
		}
	}
	for kind, again := range r.Counters.Sent {
		if kind < len(r.Lied.Sent) {
			again += r.Lied.Sent[kind] // of Byzantine processes, counted apart
		}
		if was := sent[ofReplay[kind]]; was != again {
			return differ("%d messages %s were sent in the live run, and %d in the replay", was, r.Kinds[kind], again)
		}
	}
	if arrived != r.Counters.Delivered {
		return differ("%d messages arrived in the live run, and %d in the replay", arrived, r.Counters.Delivered)
	}
	return nil
}

// kindName identifies a kind of messages in two runs: a program without an algorithm finds kinds as they
// come. Kinds of an algorithm and of a transformer may have one name.
type kindName struct {
	name  string
	among int // kinds of that name, from 0
}

// kindNames are the names of kinds.
func kindNames(kinds []string) []kindName {
	names, count := make([]kindName, len(kinds)), map[string]int{}
	for i, name := range kinds {
		names[i] = kindName{name, count[name]}
		count[name]++
	}
	return names
}

// panics reports whether a handler panicked.
func panics(rec *live.Recording) bool {
	for r := range records(rec) {
		if r.Panics {
			return true
		}
	}
	return false
}
