package families

import (
	"fmt"
	"slices"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/termination"
)

// The outcomes of the detection of termination.
const (
	Terminated  trial.Outcome = "terminated"  // the computation has, and a process announced it
	TooSoon     trial.Outcome = "too soon"    // it was announced before
	Unannounced trial.Outcome = "unannounced" // it has terminated, and no process announced that
)

var terminationFamily = trial.Family{
	Name: "termination",
	Checks: []explore.Property{
		{Name: "safety", Kind: explore.Always, Says: "termination is announced only when all processes are passive and no work message is under way"},
		{Name: "liveness", Kind: explore.Eventually, Says: "once the computation has terminated, that is announced"},
	},
	Bands: []trial.Band{
		{Name: "announced", Says: "has announced that the computation has terminated", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(d termination.Detector) bool { return d.Status().Announced })},
		{Name: "active", Says: "works, or is to begin", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
			In: trial.InBand(func(d termination.Detector) bool { return d.Status().Active })},
	},
	Ear:   newTerminationEar,
	Right: []trial.Outcome{Terminated},
	Wrong: []trial.Outcome{TooSoon, Unannounced},
	Metrics: []trial.Metric{
		{Name: "work_messages", Unit: "messages", Meaning: "WORK sent, by the computation", Axis: "work messages", Summary: true,
			Measure: trial.Measured(workMessages)},
		{Name: "control_messages", Unit: "messages", Meaning: "other messages sent, by the detection", Axis: "control messages", Summary: true,
			Measure: func(r *trial.Result) (float64, bool) {
				all, _ := r.Metric("messages")
				work, ok := r.Metric(workMessages)
				return all - work, ok
			}},
		{Name: "terminated_time", Unit: trial.Units, Meaning: "when the last piece of work was done", Axis: "time to terminate",
			Measure: terminated},
		{Name: "detection_delay", Unit: trial.Units, Meaning: "from when the computation has terminated to when that is announced", Axis: "time to detect termination", Summary: true,
			Measure: trial.SinceMark[termination.Status]()},
	},
}

const workMessages = trial.SentPrefix + termination.Work

var terminated = trial.LastMark[termination.Status]()

// Termination completes the declaration of an algorithm that detects termination. build gets the
// computation of each process. begins reports whether a process initiates it.
func Termination[M protocols.Message](a trial.Algorithm, begins func(*trial.Instance, protocols.ID) bool, build func(*trial.Instance) func(protocols.ID, termination.Config) termination.Process[M]) trial.Algorithm {
	a.Params = slices.Concat(computationParams(), a.Params)
	rules := func(in *trial.Instance) trial.Rules[termination.Status] {
		return terminationRules{in.Transport != nil}
	}
	return trial.Ruled(a, terminationFamily, rules, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[M] {
			return made(p, termination.Config{Initiator: begins(in, p), Messages: in.Count("work"), Busy: in.Duration("busy")})
		}
	})
}

// computationParams returns the parameters of the computation.
func computationParams() []trial.Param {
	return []trial.Param{
		trial.CountParam("work", "2", "how many work messages each process sends in all, at most; it draws how many of those left in each piece of work", 0, 1_000_000),
		trial.DurationParam("busy", "0s", "how long a piece of work takes"),
	}
}

// FirstInitiator is the process that detects: the first of the initiators.
func FirstInitiator(in *trial.Instance) protocols.ID { return in.Initiators.At(0) }

// terminationRules are the rules of the detection of termination.
type terminationRules struct {
	// late: work after an announcement is judged, too. Reliable links hide which messages are under way, and
	// a program may call a work message otherwise.
	late bool
}

var (
	_ trial.Local[termination.Status]    = terminationRules{}
	_ trial.Counting[termination.Status] = terminationRules{}
	_ trial.Marking[termination.Status]  = terminationRules{}
)

// State implements trial.Rules.
func (terminationRules) State(process any) termination.Status {
	return trial.As[termination.Detector](process).Status()
}

// Kinds implements trial.Counting.
func (terminationRules) Kinds() []string { return []string{termination.Work} }

// Marks implements trial.Marking: it marks pieces of work.
func (terminationRules) Marks(before, after termination.Status) bool {
	return after.Pieces != before.Pieces
}

// BrokenBy implements trial.Local. A message that nothing has seen under way shows when it arrives.
func (t terminationRules) BrokenBy(seen trial.Seen[termination.Status], p protocols.ID, before termination.Status) map[string]string {
	now, early := seen.States[p], ""
	switch {
	case now.Announced && !before.Announced:
		early = tooSoon(seen, p)
	case t.late && (now.Active && !before.Active || now.Pieces > before.Pieces):
		if q := slices.IndexFunc(seen.States, func(s termination.Status) bool { return s.Announced }); q >= 0 {
			early = fmt.Sprintf("process %d works, and process %d has announced termination", p, q)
		}
	}
	if early == "" {
		return nil
	}
	return map[string]string{"safety": early}
}

// tooSoon says why an announcement of a process is wrong, "" if it is right.
func tooSoon(seen trial.Seen[termination.Status], p protocols.ID) string {
	for q, s := range seen.States {
		if s.Active && !seen.Down[q] {
			return fmt.Sprintf("process %d announces termination, and process %d is active", p, q)
		}
	}
	if k, known := seen.UnderWay(termination.Work); known && k > 0 {
		return fmt.Sprintf("process %d announces termination, and %d WORK under way will make a process active", p, k)
	}
	return ""
}

// Broken implements trial.Rules. Where a live process is still active at rest, the computation has not
// terminated.
func (terminationRules) Broken(seen trial.Seen[termination.Status]) map[string]string {
	for q, s := range seen.States {
		if s.Announced || s.Active && !seen.Down[q] {
			return nil
		}
	}
	return map[string]string{"liveness": "the computation has terminated, and no process has announced that"}
}

// Outcome implements trial.Rules.
func (terminationRules) Outcome(seen trial.Seen[termination.Status]) trial.Outcome {
	if slices.ContainsFunc(seen.States, func(s termination.Status) bool { return s.Announced }) {
		return Terminated
	}
	return Unannounced
}
