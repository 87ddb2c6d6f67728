// Package elections declares the built-in elections.
package elections

import (
	"bullring/des"
	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/protocols"
	"bullring/protocols/election"
)

// All returns the elections: on rings, on complete graphs, on any graph.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		lcrAlgorithm(),
		changRobertsAlgorithm(),
		leLannAlgorithm(),
		hirschbergSinclairAlgorithm(),
		franklinAlgorithm(),
		petersonAlgorithm(),
		itaiRodehAlgorithm(),
		timeSliceAlgorithm(),
		variableSpeedsAlgorithm(),
		freiStableAlgorithm(),
		freiAlgorithm(),
		freiUnorientedAlgorithm(),
		ringListAlgorithm(),
		modifiedRingAlgorithm(),
		bullyAlgorithm(),
		floodMaxAlgorithm(),
		countingAlgorithm(),
		raftAlgorithm(),
		echoAlgorithm(),
		electionTreeAlgorithm(),
		vktAlgorithm(),
		vktLinksAlgorithm(),
		ingramAlgorithm(),
		topologyAwareAlgorithm(),
		ghsAlgorithm(),
		afekGafniAlgorithm(),
		afekGafniSyncAlgorithm(),
	}
}

func everyoneDecides(*trial.Instance) election.Promise { return election.Promise{} }

// leaderOrEveryone: only the leader decides, unless the variant is all-terminate.
func leaderOrEveryone(in *trial.Instance) election.Promise {
	return election.Promise{LeaderOnly: !in.Variant.Has("all-terminate")}
}

// startsAgain returns the process that a plan starts again. ok is false unless this is the
// whole plan, the delay is constant, and at least so many delays have passed by then.
func startsAgain(in *trial.Instance, delays int) (p protocols.ID, ok bool) {
	unit, constant := in.Unit()
	if !constant || len(in.Drawn) != 1 || in.Drawn[0].Kind != faults.Start || in.Drawn[0].Process < 0 {
		return 0, false
	}
	f := in.Drawn[0]
	return f.Process, f.When.On == faults.Instant && f.When.At >= des.Time(delays)*des.Time(unit)
}

func randomPlacement(in *trial.Instance) bool { return in.Setting.Placement == "random" }

// best is the address of the best live process.
func best(in *trial.Instance) protocols.ID {
	best := protocols.ID(-1)
	for p := range protocols.ID(in.N) {
		if !in.IsDead(p) && (best < 0 || in.Order.Better(in.Ranks.At(p), in.Ranks.At(best))) {
			best = p
		}
	}
	return best
}
