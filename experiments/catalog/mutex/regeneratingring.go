package mutex

import (
	"fmt"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/regeneratingring"
)

func regeneratingRingAlgorithm() trial.Algorithm {
	promise := families.MutexPromise{Endless: true}
	promise.Tolerant = true
	return families.Mutex(trial.Algorithm{
		Name:   "regeneratingring",
		Title:  "the token ring that makes a new token, of a larger generation, if those that wait miss it",
		Look:   looks.Look{Colour: looks.Orange, Marker: looks.OpenTriangle},
		Source: "Le Lann, IFIP Congress 1977, with generations of tokens",
		Papers: []string{"lelann1977"},
		Cost:   "as the token ring; m CLAIM, of m that live, to 2m-1 if it is lost",
		Params: []trial.Param{
			holderParam(),
			trial.DurationParam("timeout", "0s", "how long who waits believes in the token, n times the delay of a message or more; 0s is two rounds in which everybody is inside"),
		},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoRestart: true, BoundedDelay: true, PerfectDetector: true, Params: impatient,
		},
		Bounds: tokenRingBounds(func(in *trial.Instance) bool {
			return in.Calm() && len(in.Dead) == 0 && in.Duration("timeout") == 0
		}),
	}, promise, func(in *trial.Instance) func(protocols.ID) mutex.Lock[regeneratingring.Message] {
		cfg, holder := regeneratingring.Config{Timeout: tokenTimeout(in)}, in.Address("holder")
		return func(p protocols.ID) mutex.Lock[regeneratingring.Message] {
			return regeneratingring.New(p == holder, cfg)
		}
	})
}

// impatient says that processes may take the token for lost while a claim goes round the
// ring. Then claims follow each other, and a client may wait for ever.
func impatient(in *trial.Instance) string {
	longest, bounded := in.Bound()
	if given := in.Duration("timeout"); given > 0 && bounded && given < time.Duration(in.N)*longest {
		return fmt.Sprintf("timeout is %v, and a round of %d messages takes up to %v", given, in.N, time.Duration(in.N)*longest)
	}
	return ""
}

// tokenTimeout is the time after which a waiting process takes the token for lost.
func tokenTimeout(in *trial.Instance) time.Duration {
	if given := in.Duration("timeout"); given > 0 {
		return given
	}
	rounds := 2 * time.Duration(in.N)
	if each := in.Assumed + in.Duration("cs"); each < des.MaxDuration/rounds {
		return rounds * each
	}
	return des.MaxDuration
}
