package waves

import (
	"slices"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/finn"
)

func finnAlgorithm() trial.Algorithm {
	const start = "e the largest distance from the next initiator; they start together"
	exact := exactTime("the largest distance of a process from another one, after the last in-neighbour of that one has been reached, + 1", start+"; up to 500 processes", allKnown)
	constant := exact.Value
	exact.Value = func(in *trial.Instance) (float64, bool) {
		if in.N > 500 { // it takes a search from each process
			return 0, false
		}
		return constant(in)
	}
	return families.Wave(trial.Algorithm{
		Name:    "finn",
		Title:   "Finn's algorithm: of whom one has heard, and who has heard from all neighbours",
		Look:    looks.Look{Colour: looks.Orange, Marker: looks.OpenDiamond},
		Source:  "Finn, IEEE Trans. Communications COM-27(6), 1979; Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.2",
		Papers:  []string{"finn1979", "tel2000"},
		Cost:    "4nm messages at most, e+1+D time",
		Assumes: anyStart(),
		Bounds: []trial.Bound{
			messages("worst", trial.AtMost, "2n for each link in each direction, 4nm if undirected", "SETS counted when sent", func(in *trial.Instance) int {
				return 2 * in.N * links(in)
			}),
			exact,
			longestTime("e+1+D, or 0 if n is 1", start, func(in *trial.Instance) int {
				if in.N == 1 {
					return 0
				}
				return slices.Max(reached(in)) + 1 + in.Graph().Diameter()
			}),
			deciders("n", everyone),
		},
	}, families.Plain, func(in *trial.Instance) func(protocols.ID) wave.Process[finn.Sets] {
		from := sources(in)
		return func(p protocols.ID) wave.Process[finn.Sets] { return finn.New(from[p]) }
	})
}

// allKnown is when the last process knows that each process has heard from all its in-neighbours, in delays
// that are constant.
func allKnown(in *trial.Instance) int {
	at, latest := reached(in), 0
	for p, from := range sources(in) {
		heard := 0
		for _, q := range from {
			heard = max(heard, at[q]+1)
		}
		latest = max(latest, heard+in.Graph().Eccentricity(protocols.ID(p)))
	}
	return latest
}
