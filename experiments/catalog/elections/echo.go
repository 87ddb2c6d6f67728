package elections

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/echo"
)

func echoAlgorithm() trial.Algorithm {
	const convention = "E edges; TOKEN, and LEADER unless leader-only; initiators start before anything reaches them"
	return families.Election(trial.Algorithm{
		Name:     "echo",
		Title:    "echo with extinction: every initiator floods a wave, the best initiator's comes back",
		Look:     looks.Look{Colour: looks.Green, Marker: looks.Circle},
		Source:   "Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 7.3; Chang, IEEE Trans. Software Eng. SE-8(4) 1982",
		Papers:   []string{"tel2000", "chang1982"},
		Cost:     "2E with one initiator, 2kE at most with k; + 2E to tell all",
		Variants: [][]string{{"all-terminate", "leader-only"}, {"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", trial.Connected}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: convention,
				Formula: "2E with one initiator, + 2E",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2*in.Graph().Edges() + echoLeader(in)), oneInitiator(in)
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Convention: convention,
				Formula: "2E, + 2E",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2*in.Graph().Edges() + echoLeader(in)), true
				},
			},
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Convention: convention,
				Formula: "2kE with k initiators, + 2E",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2*in.Initiators.Len()*in.Graph().Edges() + echoLeader(in)), true
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Exactly,
				Formula:    "2e, or 2e+1 if two processes at distance e are neighbours",
				Convention: "one initiator, of eccentricity e; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					if !oneInitiator(in) || !in.ConstantDelay() {
						return 0, false
					}
					elected, _ := echoHome(in)
					return float64(elected), true
				},
			},
			{
				Name: "quiet", Metric: "time", Relation: trial.Exactly,
				Formula:    "e+1 after the leader knows; at once if leader-only",
				Convention: "one initiator, of eccentricity e; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					if !oneInitiator(in) || !in.ConstantDelay() {
						return 0, false
					}
					quiet, e := echoHome(in)
					if in.Variant.Has("all-terminate") {
						quiet += e + min(e, 1)
					}
					return float64(quiet), true
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.BestInitiator, LeaderOnly: in.Variant.Has("leader-only")}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[echo.Message] {
		cfg := echo.Config{Announce: in.Variant.Has("all-terminate"), Order: in.Order}
		return func(p protocols.ID) election.Process[echo.Message] { return echo.New(in.Ranks.At(p), cfg) }
	})
}

// echoLeader is the number of LEADER messages.
func echoLeader(in *trial.Instance) int {
	if in.Variant.Has("leader-only") {
		return 0
	}
	return 2 * edges(in)
}

// echoHome is the time, in delays, at which the wave of the one initiator is back, and the
// eccentricity of the initiator. A token between two processes at the largest distance
// arrives after these have answered.
func echoHome(in *trial.Instance) (elected, eccentricity int) {
	s := searchFrom(in, in.Initiators.At(0))
	e := s.deepest
	for _, p := range s.order {
		if s.distance[p] < e {
			continue
		}
		for port := range in.Topology.Degree(p) {
			if q := in.Topology.Neighbor(p, port); s.distance[q] == e {
				return 2*e + 1, e
			}
		}
	}
	return 2 * e, e
}
