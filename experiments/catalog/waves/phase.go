package waves

import (
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/phase"
)

func phaseAlgorithm() trial.Algorithm {
	const start = "e the largest distance from the next initiator; they start together; 0 of a process alone"
	end := func(in *trial.Instance) int {
		if in.N == 1 { // it decides at once: there is no link
			return 0
		}
		return slices.Max(reached(in)) + phases(in)
	}
	assumes := anyStart()
	assumes.Params = func(in *trial.Instance) string {
		if d := in.Graph().Diameter(); phases(in) < d {
			return fmt.Sprintf("the diameter is %d, and there are %d phases", d, phases(in))
		}
		return ""
	}
	return families.Wave(trial.Algorithm{
		Name:   "phase",
		Title:  "the phase algorithm: as many rounds of tokens as the graph is wide",
		Look:   looks.Look{Colour: looks.Sky, Marker: looks.OpenSquare},
		Source: "Peleg, J. Parallel and Distributed Computing 8(1), 1990; Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.2",
		Papers: []string{"peleg1990", "tel2000"},
		Cost:   "2Dm messages, e+D time",
		Params: []trial.Param{{
			Name: "phases", Form: "K", Default: trial.Auto, Meaning: "how many phases there are, at least the diameter D; auto is D",
			Check: func(_ *trial.Instance, value string) error {
				if k, err := strconv.Atoi(value); value != trial.Auto && (err != nil || k < 0 || k > mostPhases) {
					return fmt.Errorf("it takes a whole number from 0 to %d, or %s", mostPhases, trial.Auto)
				}
				return nil
			},
		}},
		Assumes: assumes,
		Bounds: []trial.Bound{
			messages("exact", trial.Exactly, "D for each link in each direction, 2Dm if undirected", "TOKEN counted when sent; D is the number of phases", func(in *trial.Instance) int {
				return phases(in) * links(in)
			}),
			exactTime("e+D", start, end),
			longestTime("e+D", start, end),
			deciders("n", everyone),
		},
	}, families.Plain, func(in *trial.Instance) func(protocols.ID) wave.Process[phase.Message] {
		k, from := phases(in), sources(in)
		return func(p protocols.ID) wave.Process[phase.Message] {
			return phase.New(phase.Config{Phases: k, From: from[p]})
		}
	})
}

const mostPhases = 1_000_000

// phases is the number of phases.
func phases(in *trial.Instance) int {
	if in.Param("phases") == trial.Auto {
		return in.Graph().Diameter()
	}
	return in.Count("phases")
}
