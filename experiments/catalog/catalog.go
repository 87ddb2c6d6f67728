// Package catalog declares the built-in algorithms: their papers, what they
// assume, and the bounds that every run of them is held to.
package catalog

import (
	"bullring/des"
	"bullring/experiments"
	"bullring/faults"
	"bullring/protocols"
	"bullring/protocols/election"
)

// New returns a registry of the built-in algorithms.
func New() *experiments.Registry {
	r := &experiments.Registry{Bibliography: bibliography()}
	r.Register(documented([]experiments.Algorithm{ // by family
		lcrAlgorithm(),
		changRobertsAlgorithm(),
		leLannAlgorithm(),
		hirschbergSinclairAlgorithm(),
		franklinAlgorithm(),
		petersonAlgorithm(),
		itaiRodehAlgorithm(),
		timeSliceAlgorithm(),
		variableSpeedsAlgorithm(),
		ringListAlgorithm(),
		modifiedRingAlgorithm(),
		bullyAlgorithm(),
		floodMaxAlgorithm(),
		raftAlgorithm(),
		echoAlgorithm(),
		electionTreeAlgorithm(),
		ghsAlgorithm(),
		afekGafniAlgorithm(),
		afekGafniSyncAlgorithm(),
	})...)
	r.Register(documented([]experiments.Algorithm{ // any election of those above can be part of what needs one
		centralizedAlgorithm(),
		centralizedFailoverAlgorithm(r),
		decentralizedAlgorithm(),
		lamportAlgorithm(),
		ricartAgrawalaAlgorithm(),
		carvalhoRoucairolAlgorithm(),
		maekawaAlgorithm(),
		majorityAlgorithm(),
		tokenRingAlgorithm(),
		regeneratingRingAlgorithm(),
		suzukiKasamiAlgorithm(),
		raymondAlgorithm(),
		chandyLamportAlgorithm(),
		sequencerAlgorithm(),
		sequencerFailoverAlgorithm(r),
		berkeleyAlgorithm(),
		dhtAlgorithm(),
		repellingAlgorithm(),
	})...)
	return r
}

func everyoneDecides(*experiments.Instance) election.Promise { return election.Promise{} }

// leaderOrEveryone: the leader alone decides, unless all are to.
func leaderOrEveryone(in *experiments.Instance) election.Promise {
	return election.Promise{LeaderOnly: !in.Variant.Has("all-terminate")}
}

// The helpers below say when a bound applies.

// noPlan: nothing fails after the start.
func noPlan(in *experiments.Instance) bool { return in.Calm() }

// startsAgain is the process that a plan starts once more, if that is all there is to
// the plan, the delay is constant, and so many delays have gone by.
func startsAgain(in *experiments.Instance, delays int) (p protocols.ID, ok bool) {
	unit, constant := in.Unit()
	if !constant || len(in.Drawn) != 1 || in.Drawn[0].Kind != faults.Start || in.Drawn[0].Process < 0 {
		return 0, false
	}
	f := in.Drawn[0]
	return f.Process, f.When.On == faults.Instant && f.When.At >= des.Time(delays)*des.Time(unit)
}

// constantDelay: times are multiples of one delay, whatever fails.
func constantDelay(in *experiments.Instance) bool {
	_, ok := in.Unit()
	does := in.Drawn.Effects()
	return ok && !does.Delays && !does.Pauses && !does.Clocks && !does.Links
}

// allInitiate: every process that lives initiates.
func allInitiate(in *experiments.Instance) bool {
	return len(in.Initiators)+len(in.Dead) == in.N
}

func randomPlacement(in *experiments.Instance) bool { return in.Setting.Placement == "random" }

// best is the address of the best live process.
func best(in *experiments.Instance) protocols.ID {
	best := protocols.ID(-1)
	for p := range protocols.ID(in.N) {
		if !in.IsDead(p) && (best < 0 || in.Order.Better(in.Ranks[p], in.Ranks[best])) {
			best = p
		}
	}
	return best
}
