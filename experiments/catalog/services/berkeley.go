package services

import (
	"fmt"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/faults"
	"bullring/protocols"
	"bullring/protocols/clocksync"
	"bullring/protocols/clocksync/berkeley"
)

func berkeleyAlgorithm() trial.Algorithm {
	const convention = "POLL, TIME and ADJUST counted"
	return families.ClockSync(trial.Algorithm{
		Name:   "berkeley",
		Title:  "the Berkeley algorithm: a master averages all clocks and corrects them",
		Source: "Gusella & Zatti, IEEE TSE 15(7) 1989",
		Papers: []string{"gusella1989", "tanenbaum2007", "coulouris2012"},
		Cost:   "3(n-1) a round",
		Params: []trial.Param{
			trial.AddressParam("master", "0", "who synchronizes the others, if it is an initiator"),
			trial.CountParam("rounds", "1", "how many rounds there are", 1, 1_000_000),
			trial.DurationParam("interval", "1s", "time from the beginning of a round to the next"),
			trial.DurationParam("range", "0s", "how far clocks may be apart to be averaged; 0s averages all"),
			{Name: "wait", Form: "duration", Default: "0s", Meaning: "how long the master waits for answers; 0s is until all have come",
				Check: func(in *trial.Instance, value string) error {
					if err := trial.DurationParam("wait", "0s", "").Check(in, value); err != nil {
						return err
					}
					return berkeleyConfig(in).Validate()
				}},
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true, Params: hurried,
		},
		Clock: true,
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "3(n-1) a round",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(3 * (in.N - 1) * in.Count("rounds")), allAnswer(in)
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly, Convention: convention + "; one round, constant delay",
				Formula: "3",
				Value: func(in *trial.Instance) (float64, bool) {
					return 3, allAnswer(in) && in.ConstantDelay() && in.Count("rounds") == 1 && in.N > 1
				},
			},
			{
				Name: "accuracy", Metric: "spread", Relation: trial.AtMost,
				Formula:    "b-a for delays between a and b, (b-a)/2 for two clocks; and 2ns that division leaves",
				Convention: "clocks that may be off from the beginning, but do not drift",
				Value: func(in *trial.Instance) (float64, bool) {
					spread := accuracy(in)
					return spread.Seconds(), spread >= 0 && allAnswer(in)
				},
			},
		},
	}, func(in *trial.Instance) clocksync.Promise {
		p := clocksync.Promise{Rounds: in.Count("rounds"), Spread: accuracy(in), Tolerant: in.Duration("wait") > 0}
		if !in.Initiators.Has(in.Address("master")) {
			p.Rounds = 0 // the master does not start
		}
		return p
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[berkeley.Message] {
		cfg := berkeleyConfig(in)
		return func(protocols.ID) protocols.Process[berkeley.Message] { return berkeley.New(cfg) }
	})
}

func berkeleyConfig(in *trial.Instance) berkeley.Config {
	return berkeley.Config{
		Master: in.Address("master"), Rounds: in.Count("rounds"), Interval: in.Duration("interval"), Range: in.Duration("range"), Wait: in.Duration("wait"),
	}
}

// hurried says that the master may not wait for all answers, or may begin a round before all
// processes have the corrections of the last one.
func hurried(in *trial.Instance) string {
	wait, again := in.Duration("wait"), in.Count("rounds") > 1
	if wait == 0 && !again || in.N == 1 {
		return ""
	}
	longest, bounded := in.Bound()
	trip, over := 2*longest, 3*longest
	if in.Ordered() {
		over = trip // the next messages of the master arrive after them
	}
	drifts, jumps := clocksChange(in)
	if drifts {
		trip, over = trip+trip/2, over+over/2 // the largest drift
	}
	switch {
	case !bounded:
		return "there is no bound on delay, and the master does not wait for ever"
	case jumps:
		return "a clock is set while the master waits by its own"
	case wait > 0 && wait < trip:
		return fmt.Sprintf("wait is %v, and a message there and back takes up to %v", wait, trip)
	case again && in.Duration("interval") < over:
		return fmt.Sprintf("interval is %v, and a round takes up to %v", in.Duration("interval"), over)
	}
	return ""
}

// clocksChange reports whether clocks drift, and whether any is set after the beginning.
func clocksChange(in *trial.Instance) (drifts, jumps bool) {
	for _, f := range in.Drawn {
		switch f.Kind {
		case faults.ClockDrift:
			drifts = true
		case faults.ClockOffset, faults.ClockStep:
			later := f.When.On != faults.Beginning && (f.When.On != faults.Instant || f.When.At > 0)
			jumps = jumps || later || f.For > 0
		}
	}
	return drifts, jumps
}

// allAnswer: the master starts, and every round is completed.
func allAnswer(in *trial.Instance) bool {
	_, longest, bounded := in.Delay.Bounds()
	bounded = bounded && !in.Timeless()
	inTime := func(d time.Duration) bool { return bounded && d > 2*longest }
	wait := in.Duration("wait")
	calm := len(in.Drawn) > 0 || in.Calm() // a schedule has no plan
	return calm && families.SteadyClocks(in) && in.Initiators.Has(in.Address("master")) && len(in.Lines) == 0 &&
		(wait == 0 || inTime(wait)) && (in.Count("rounds") == 1 || inTime(in.Duration("interval")))
}

// accuracy is the largest promised difference of two corrected clocks; negative is none.
func accuracy(in *trial.Instance) time.Duration {
	shortest, longest, bounded := in.Delay.Bounds()
	if !families.SteadyClocks(in) || in.ReadsClocks() || !bounded || len(in.Lines) > 0 || in.Delta > 0 {
		return -1
	}
	spread := longest - shortest
	if in.N == 2 {
		spread /= 2
	}
	return spread + 2
}
