package families

import (
	"fmt"
	"time"

	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/clocksync"
)

// The outcomes of clock synchronization.
const (
	Synchronized trial.Outcome = "synchronized"     // all clocks were adjusted, and are as close as promised
	Apart        trial.Outcome = "apart"            // all were adjusted, but are not as close
	NotAdjusted  trial.Outcome = "not all adjusted" // a clock was not adjusted in some round
)

var clocksyncFamily = trial.Family{
	Name: "clocksync",
	Checks: []explore.Property{
		{Name: "adjusted", Kind: explore.Eventually, Says: "every clock is adjusted in every round"},
		{Name: "close", Kind: explore.Eventually, Says: "in the end clocks are as close as is promised"},
	},
	Ear:   newClockEar,
	Right: []trial.Outcome{Synchronized},
	Wrong: []trial.Outcome{Apart, NotAdjusted},
	Metrics: []trial.Metric{
		{Name: "spread_before", Unit: "s", Meaning: "largest difference of two clocks before the first was adjusted", Axis: "spread of the clocks before", Summary: true,
			Measure: trial.JudgedBy(func(j *clocksyncJudge) (float64, bool) {
				return j.checker.Before().Spread.Seconds(), len(j.checker.Rounds()) > 0
			})},
		{Name: "spread", Unit: "s", Meaning: "largest difference of two corrected clocks at the end of the last round", Axis: "spread of the clocks", Summary: true,
			Measure: trial.JudgedBy(func(j *clocksyncJudge) (float64, bool) {
				return j.checker.Spread().Seconds(), len(j.checker.Rounds()) > 0
			})},
		{Name: "spread_max", Unit: "s", Meaning: "largest difference of two corrected clocks at the end of any round", Axis: "largest spread of the clocks after a round",
			Measure: trial.JudgedBy((*clocksyncJudge).largestSpread)},
		{Name: "synchronizations", Unit: "rounds", Meaning: "rounds in which all clocks were adjusted", Axis: "rounds of adjustments",
			Measure: trial.JudgedBy(func(j *clocksyncJudge) (float64, bool) { return float64(len(j.checker.Rounds())), true })},
	},
}

// ClockSync completes the declaration of an algorithm that synchronizes clocks. build makes
// the processes, which are clocksync.Clocks.
func ClockSync[M protocols.Message](a trial.Algorithm, promise func(*trial.Instance) clocksync.Promise, build trial.Build[M]) trial.Algorithm {
	return trial.Judged(a, clocksyncFamily, func(in *trial.Instance, _ bool) trial.Judge {
		return &clocksyncJudge{checker: clocksync.NewChecker(in.N, promise(in))}
	}, build)
}

// SteadyClocks reports whether the only faults are clocks that are wrong from the beginning, always by the
// same time.
func SteadyClocks(in *trial.Instance) bool {
	for _, f := range in.Drawn {
		if f.Kind != faults.ClockOffset || f.When.On != faults.Instant || f.When.At > 0 || f.For > 0 {
			return false
		}
	}
	return true
}

// clocksyncJudge judges a run of clock synchronization.
type clocksyncJudge struct {
	checker *clocksync.Checker
	reading func(protocols.ID) time.Duration `explore:"-"` // nil: all clocks are right
}

// See implements Viewer.
func (j *clocksyncJudge) See(v *trial.View) { j.reading = v.Reading }

// Started implements explore.Watch.
func (j *clocksyncJudge) Started(p protocols.ID, process any, now time.Duration) {
	j.checker.Started(p)
	j.Received(p, process, now)
}

// Received implements explore.Watch.
func (j *clocksyncJudge) Received(p protocols.ID, process any, now time.Duration) {
	shown := j.reading
	if shown == nil {
		shown = func(protocols.ID) time.Duration { return now }
	}
	j.checker.Stepped(p, trial.As[clocksync.Clock](process), now, shown)
}

// Expired implements explore.Watch.
func (j *clocksyncJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Restarted implements explore.Watch.
func (j *clocksyncJudge) Restarted(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *clocksyncJudge) Crashed(p protocols.ID, now time.Duration) { j.checker.Crashed(p, now) }

// Verdicts implements explore.Watch.
func (j *clocksyncJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.checker.Checks(rest), j.Outcome() == Synchronized)
}

// Checks implements Judge.
func (j *clocksyncJudge) Checks(rest bool) []protocols.Check { return j.checker.Checks(rest) }

// Outcome implements Judge.
func (j *clocksyncJudge) Outcome() trial.Outcome {
	switch {
	case !j.checker.Done():
		return NotAdjusted
	case j.checker.Apart():
		return Apart
	}
	return Synchronized
}

// News implements Judge.
func (j *clocksyncJudge) News(p protocols.ID, process any) string {
	clock := trial.As[clocksync.Clock](process)
	if clock.Adjusted() == j.checker.Adjusted(p) {
		return ""
	}
	return fmt.Sprintf("corrects its clock by %v in all", clock.Correction())
}

// largestSpread is that of all rounds, in seconds. ok is false if there was none.
func (j *clocksyncJudge) largestSpread() (seconds float64, ok bool) {
	most, rounds := time.Duration(0), j.checker.Rounds()
	for _, r := range rounds {
		most = max(most, r.Spread)
	}
	return most.Seconds(), len(rounds) > 0
}
