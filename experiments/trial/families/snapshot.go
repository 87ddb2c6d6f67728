package families

import (
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/snapshot"
)

// The outcomes of a snapshot.
const (
	Recorded     trial.Outcome = "recorded"     // a consistent global state
	Inconsistent trial.Outcome = "inconsistent" // no possible global state
	Incomplete   trial.Outcome = "incomplete"   // a process has not recorded everything
)

var snapshotFamily = trial.Family{
	Name: "snapshot",
	Checks: []explore.Property{
		{Name: "consistent", Kind: explore.Always, Says: "no message was recorded as received but not as sent, and channels hold the rest"},
		{Name: "conserved", Kind: explore.Always, Says: "what the application conserves is in the snapshot, all of it"},
		{Name: "complete", Kind: explore.Eventually, Says: "every process records its state and all its channels"},
	},
	Bands: []trial.Band{
		{Name: "recorded", Says: "has recorded its part: its state and its channels", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(r snapshot.Recorder) bool { return r.Progress().Complete })},
		{Name: "recording", Says: "has recorded its state, and records its channels", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
			In: trial.InBand(func(r snapshot.Recorder) bool { return r.Progress().Recorded })},
	},
	Ear:   newSnapshotEar,
	Right: []trial.Outcome{Recorded},
	Wrong: []trial.Outcome{Inconsistent, Incomplete},
	Metrics: []trial.Metric{
		{Name: "snapshot_time", Unit: trial.Units, Meaning: "when the last process had recorded everything", Axis: "time to a complete snapshot", Summary: true,
			Measure: trial.TimedBy(func(j *snapshotJudge) (time.Duration, bool) {
				_, complete := j.checker.Times()
				return complete, j.checker.Complete()
			})},
		{Name: "recording", Unit: trial.Units, Meaning: "from when the first process recorded its state to when the last did", Axis: "time over which states are recorded",
			Measure: trial.TimedBy(func(j *snapshotJudge) (time.Duration, bool) {
				recorded, _ := j.checker.Times()
				return slices.Max(recorded) - slices.Min(recorded), j.checker.Complete()
			})},
		{Name: "in_channels", Unit: "messages", Meaning: "messages that were recorded as under way", Axis: "messages recorded in channels", Summary: true,
			Measure: trial.JudgedBy(func(j *snapshotJudge) (float64, bool) { return float64(j.checker.InChannels()), j.checker.Complete() })},
	},
}

// AccountParams are the parameters of accounts that pay each other.
func AccountParams() []trial.Param {
	return []trial.Param{
		trial.CountParam("balance", "100", "what each account has in the beginning", 0, 1_000_000_000),
		trial.CountParam("transfers", "1", "how many payments each account makes", 0, 1_000_000),
		trial.CountParam("most", "1", "the largest payment; amounts are drawn from 1 on", 1, 1_000_000_000),
	}
}

// Snapshot completes the declaration of an algorithm that records a global state. Initiators
// begin the snapshot. total returns the quantity that the application conserves; build makes
// the processes, which are snapshot.Recorders.
func Snapshot[M protocols.Message](a trial.Algorithm, total func(*trial.Instance) int64, build trial.Build[M]) trial.Algorithm {
	return trial.Judged(a, snapshotFamily, func(in *trial.Instance, _ bool) trial.Judge {
		return &snapshotJudge{snapshot.NewChecker(in.N, total(in)), in.Initiators.Len() > 0}
	}, build)
}

// snapshotJudge judges a run with a snapshot.
type snapshotJudge struct {
	checker *snapshot.Checker
	due     bool `explore:"-"` // an initiator is to begin
}

// Received implements explore.Watch.
func (j *snapshotJudge) Received(p protocols.ID, process any, now time.Duration) {
	j.checker.Stepped(p, trial.As[snapshot.Recorder](process), now)
}

// Started implements explore.Watch.
func (j *snapshotJudge) Started(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Expired implements explore.Watch.
func (j *snapshotJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Restarted implements explore.Watch.
func (j *snapshotJudge) Restarted(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *snapshotJudge) Crashed(p protocols.ID, now time.Duration) { j.checker.Crashed(p, now) }

// Verdicts implements explore.Watch.
func (j *snapshotJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.Checks(rest), j.Outcome() == Recorded)
}

// Checks implements Judge.
func (j *snapshotJudge) Checks(rest bool) []protocols.Check {
	checks := j.checker.Checks(rest)
	if rest && j.due && j.checker.Idle() {
		checks[len(checks)-1].Verdict = protocols.Violated
	}
	return checks
}

// Outcome implements Judge.
func (j *snapshotJudge) Outcome() trial.Outcome {
	switch {
	case !j.checker.Right():
		return Inconsistent
	case !j.checker.Complete():
		return Incomplete
	}
	return Recorded
}

// News implements Judge.
func (j *snapshotJudge) News(p protocols.ID, process any) string {
	was, is := j.checker.Progress(p), trial.As[snapshot.Recorder](process).Progress()
	switch {
	case is == was:
		return ""
	case is.Complete:
		return "is complete"
	case is.Recorded && !was.Recorded:
		return "records its state"
	}
	return "has a channel"
}
