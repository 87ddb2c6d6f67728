package elections

import (
	"errors"
	"math"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/vkt"
)

const (
	vktSource     = "Vasudevan, Kurose & Towsley, ICNP 2004; as it is known, not compared with the text"
	vktConvention = "the graph never changes, V processes, k initiators, who start before anything reaches them; a broadcast counts once"
)

func vktAlgorithm() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name:     "vkt",
		Title:    "the election of Vasudevan, Kurose & Towsley for mobile networks: beacons, elections that meet, components that merge, heartbeats",
		Look:     looks.Look{Colour: looks.Green, Marker: looks.Nabla},
		Source:   vktSource,
		Papers:   []string{"vasudevan2004"},
		Cost:     "3V-1 with one initiator, without beacons and heartbeats",
		Variants: [][]string{{"max", "min"}},
		Params: []trial.Param{
			intervalParam("beacon", "interval between two beacons of a process"),
			trial.CountParam("misses", "2", "how many intervals without a message a neighbour may be silent", 1, 1000),
			intervalParam("heartbeat", "interval between two heartbeats of the leader"),
			trial.CountParam("leadermisses", "6", "how many heartbeats of the leader may be missing", 1, 1000),
		},
		Metrics: append(families.Agreement(), families.Standing()...),
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, FIFO: true, BoundedDelay: true, Moving: true, Params: tooOften,
		},
		Bounds: []trial.Bound{{
			Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: vktConvention, Formula: "3V+k-2",
			Value: func(in *trial.Instance) (float64, bool) {
				return vktFewest(in), in.Calm() && len(in.Dead) == 0 && in.N > 1
			},
		}},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.Local, Rest: vktRest(in), Watches: true, Criterion: election.ByRank}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[vkt.Beaconed] {
		cfg := vktConfig(in)
		return func(p protocols.ID) election.Process[vkt.Beaconed] { return vkt.NewBeacons(in.Ranks.At(p), cfg) }
	})
}

func vktLinksAlgorithm() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name:     "vktlinks",
		Title:    "the election of Vasudevan, Kurose & Towsley for mobile networks, told of links: no beacons, no heartbeats, no timers",
		Look:     looks.Look{Colour: looks.Green, Marker: looks.OpenDiamond},
		Source:   vktSource,
		Papers:   []string{"vasudevan2004"},
		Cost:     "3V-1 with one initiator",
		Variants: [][]string{{"max", "min"}},
		Metrics:  append(families.Agreement(), families.Standing()...),
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, FIFO: true, NoCrash: true, NoRestart: true, Moving: true, Params: apartAtFirst,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: vktConvention,
				Formula: "V ELECTION, V-1 ACK, V LEADER with one initiator",
				Value: func(in *trial.Instance) (float64, bool) {
					return vktFewest(in), in.Calm() && in.Transport == nil && oneInitiator(in) && in.N > 1
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: vktConvention, Formula: "3V+k-2",
				Value: func(in *trial.Instance) (float64, bool) { return vktFewest(in), in.Calm() && in.N > 1 },
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: vktConvention, Formula: "k(2V-1) + V",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(in.Initiators.Len()*(2*in.N-1) + in.N), in.Calm() && in.Transport == nil && !in.Timeless()
				},
			},
			{
				Name: "decided", Metric: "decided_time", Relation: trial.Exactly,
				Formula:    "c(root) + e; c(v): the largest of d(v), d(q)+1 of each neighbour q that is neither parent nor child, and c+1 of each child",
				Convention: "one initiator, of eccentricity e; d is the distance from it; constant delay; the graph never changes",
				Value: func(in *trial.Instance) (float64, bool) {
					if !in.Calm() || !oneInitiator(in) || !in.ConstantDelay() {
						return 0, false
					}
					done, deepest := treeDone(in, func(_, of int) int { return of + 1 }) // its own ELECTION is the answer
					return float64(done + deepest), true
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.Local, Rest: restWhenTold(in), Criterion: election.ByRank}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[vkt.Told] {
		return func(p protocols.ID) election.Process[vkt.Told] { return vkt.NewLinks(in.Ranks.At(p), in.Order) }
	})
}

// intervalParam is an interval in the proportions of the timeouts of Raft: ten delays if none is given.
func intervalParam(name, meaning string) trial.Param {
	p := timeoutParam(name, meaning)
	plain := p.Check
	p.Check = func(in *trial.Instance, value string) error {
		if err := plain(in, value); err != nil {
			return err
		}
		if d, err := time.ParseDuration(value); err == nil && d == 0 {
			return errors.New("it takes a duration above 0s, or " + trial.Auto)
		}
		return nil
	}
	return p
}

func vktConfig(in *trial.Instance) vkt.Config {
	return vkt.Config{
		Order:  in.Order,
		Beacon: timeoutOf(in, "beacon"), Misses: in.Count("misses"),
		Heartbeat: timeoutOf(in, "heartbeat"), LeaderMisses: in.Count("leadermisses"),
	}
}

// tooOften names why the bound on delay is not small against the intervals, or returns "".
func tooOften(in *trial.Instance) string {
	if cfg := vktConfig(in); min(cfg.Beacon, cfg.Heartbeat) < max(10*in.Assumed, time.Microsecond) {
		return "an interval between beacons or heartbeats is shorter than ten times the bound on delay, or than 1us"
	}
	return ""
}

// apartAtFirst names why a component may have no initiator at the beginning, or returns "".
func apartAtFirst(in *trial.Instance) string {
	if moves := in.Motion != nil || in.Drawn.Effects().Moves; moves && in.Initiators.Len() < in.N-len(in.Dead) {
		return "links come and go, and not every process initiates: some may have no link at the beginning"
	}
	return ""
}

// vktFewest is a bound from below for messages on a graph that never changes.
func vktFewest(in *trial.Instance) float64 { return float64(3*in.N + in.Initiators.Len() - 2) }

// vktRest is how long after the last change of a component its processes may disagree, with beacons.
func vktRest(in *trial.Instance) time.Duration {
	if _, bounded := in.Bound(); !bounded || in.Transport != nil || in.Processing > 0 || len(in.Lines) > 0 {
		return math.MaxInt64
	}
	return vktConfig(in).Settling(in.N, in.Assumed)
}
