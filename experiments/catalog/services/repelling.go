package services

import (
	"fmt"
	"strconv"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/superpeer/repelling"
)

func repellingAlgorithm() trial.Algorithm {
	return families.SuperpeerTokens(trial.Algorithm{
		Name:   "repelling",
		Title:  "superpeers in an unstructured network: tokens repel each other, and who holds one for long enough serves",
		Source: "Tanenbaum & van Steen, Distributed Systems, the section on elections in large-scale systems",
		Papers: []string{"tanenbaum2007"},
		Cost:   "fanout GOSSIP a process and round; 3 messages a move",
		Params: []trial.Param{
			{Name: "tokens", Form: "K|auto", Default: "auto", Meaning: "how many tokens there are; auto is a process in ten, at least 2 if there are as many", Check: func(in *trial.Instance, value string) error {
				if value == trial.Auto {
					return nil
				}
				return trial.CountParam("tokens", "", "", 1, in.N).Check(in, value)
			}},
			trial.CountParam("dimensions", "2", "of the space in which processes are, at random places", 1, 8),
			trial.CountParam("rounds", "60", "in which tokens move and places are told", 1, 1_000_000),
			positive("period", "10ms", "time between two rounds"),
			trial.CountParam("fanout", "3", "to how many others a process tells in a round where tokens are", 0, 1000),
			positive("hold", "200ms", "for how long a token is held before its holder serves"),
			{Name: "reach", Form: "K|auto", Default: "auto", Meaning: fmt.Sprintf("distance at which the force of a token ends; a side of the space is %d; auto divides it among the tokens, and takes half as much again", repelling.Side), Check: checkDistance},
			{Name: "threshold", Form: "K|auto", Default: "auto", Meaning: "force above which a token moves; auto is a hundredth of a side", Check: checkDistance},
		},
		Seeded: func(*trial.Instance) string { return "places" },
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, AllInitiate: true, NoCrash: true, NoRestart: true, RightClocks: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "most", Metric: "messages", Relation: trial.AtMost,
				Formula:    "(n fanout + 3 tokens) rounds",
				Convention: "GOSSIP, OFFER, ACCEPT, REFUSE and TOKEN counted",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64((in.N*in.Count("fanout") + 3*len(holders(in))) * in.Count("rounds")), in.Calm()
				},
			},
			{
				Name: "superpeers", Metric: "superpeers", Relation: trial.Exactly,
				Formula: "as many as tokens", Convention: "everybody starts",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(len(holders(in))), in.Calm() && in.AllInitiate()
				},
			},
		},
	}, func(in *trial.Instance) families.Scattered {
		s := families.Scattered{Holders: holders(in), Hold: in.Duration("hold"), Side: repelling.Side}
		if in.Count("dimensions") == 2 {
			for _, point := range pointsOf(in) {
				s.Places = append(s.Places, [2]float64{float64(point[0]), float64(point[1])})
			}
		}
		return s
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[repelling.Message] {
		space, err := repelling.NewSpace(pointsOf(in))
		if err != nil {
			panic(err) // they were drawn
		}
		cfg := repelling.Config{
			Holders: holders(in), Period: in.Duration("period"), Rounds: in.Count("rounds"), Fanout: in.Count("fanout"), Hold: in.Duration("hold"),
			Reach: length(in, "reach"), Threshold: length(in, "threshold"),
		}
		return func(p protocols.ID) protocols.Process[repelling.Message] { return repelling.New(p, space, cfg) }
	})
}

// positive is a parameter that is a duration above 0.
func positive(name, byDefault, meaning string) trial.Param {
	p := trial.DurationParam(name, byDefault, meaning)
	p.Check = func(in *trial.Instance, value string) error {
		if err := trial.DurationParam(name, "", "").Check(in, value); err != nil {
			return err
		}
		if in.Duration(name) == 0 {
			return fmt.Errorf("it takes a duration above 0s")
		}
		return nil
	}
	return p
}

func checkDistance(in *trial.Instance, value string) error {
	if value == trial.Auto {
		return nil
	}
	if k, err := strconv.ParseInt(value, 10, 64); err != nil || k < 0 || k > 2*repelling.Side {
		return fmt.Errorf("it takes a whole number from 0 to %d, or auto", 2*repelling.Side)
	}
	return nil
}

// length is the value of one of the parameters that are distances or forces.
func length(in *trial.Instance, name string) int64 {
	switch value := in.Param(name); {
	case value != trial.Auto:
		k, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			panic(err) // it was checked
		}
		return k
	case name == "reach":
		return repelling.Reach(len(holders(in)), in.Count("dimensions"))
	}
	return repelling.Side / 100
}

// holders are where the tokens begin: the first addresses, which are at random places.
func holders(in *trial.Instance) []protocols.ID {
	tokens := min(in.N, max(2, in.N/10))
	if in.Param("tokens") != trial.Auto {
		tokens = in.Count("tokens")
	}
	all := make([]protocols.ID, tokens)
	for token := range all {
		all[token] = protocols.ID(token)
	}
	return all
}

// pointsOf are the places of the processes, drawn from the seed.
func pointsOf(in *trial.Instance) [][]int64 {
	stream := des.NewStream(in.Setting.Seed, "places")
	points := make([][]int64, in.N)
	for p := range points {
		for range in.Count("dimensions") {
			points[p] = append(points[p], int64(stream.Intn(repelling.Side)))
		}
	}
	return points
}
