package termination

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/termination"
	"bullring/protocols/termination/safra"
)

func safraAlgorithm() trial.Algorithm {
	return families.Termination(trial.Algorithm{
		Name:       "safra",
		Title:      "Safra: a token adds up the work messages under way, and distrusts those who have received one",
		Look:       looks.Look{Colour: looks.Orange, Marker: looks.Square},
		LabelLooks: map[string]looks.Look{"white": {Colour: looks.Red, Marker: looks.Cross}},
		Source:     "Dijkstra, EWD 998, 1987",
		Papers:     []string{"dijkstra1987"},
		Cost:       "n a probe; at most 2 probes begin after termination",
		Variants:   [][]string{{"black", "white"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			whole("probes", "TOKEN", "a multiple of n", func(n int) int { return n }),
			detected("3n", "the rest of a probe, and two more", func(n int) int { return 3 * n }),
		},
	}, general, func(in *trial.Instance) func(protocols.ID, termination.Config) termination.Process[safra.Message] {
		cfg := safra.Config{Processes: in.N, Leader: families.FirstInitiator(in), White: in.Variant.Has("white")}
		return func(p protocols.ID, work termination.Config) termination.Process[safra.Message] {
			return safra.New(p, work, cfg)
		}
	})
}
