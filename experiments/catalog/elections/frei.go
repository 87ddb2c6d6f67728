package elections

import (
	"fmt"
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/frei"
)

const (
	freiSource     = "Frei, Gelles, Ghazy & Nolin, DISC 2024; as it is known, not compared with the text"
	freiConvention = "M is the largest identity; any initiators"
)

func freiAlgorithm() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name:      "frei",
		Title:     "the content-oblivious election of Frei, Gelles, Ghazy & Nolin: pulses that are counted both ways, and it terminates",
		Look:      looks.Look{Colour: looks.Blue, Marker: looks.Diamond},
		Source:    freiSource,
		Papers:    []string{"frei2024"},
		Cost:      "n(2M+1) for the largest identity M",
		Variants:  [][]string{{"max"}},
		Rotations: true,
		Assumes:   contentless("biring"),
		Bounds:    pulses("n(2M+1)", func(in *trial.Instance) int { return in.N * (2*largest(in) + 1) }),
	}, everyoneDecides, func(in *trial.Instance) func(protocols.ID) election.Process[frei.Both] {
		return func(p protocols.ID) election.Process[frei.Both] { return frei.New(in.Ranks.At(p).ID) }
	})
}

func freiStableAlgorithm() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name:      "freistable",
		Title:     "the content-oblivious election of Frei, Gelles, Ghazy & Nolin that stabilizes: pulses that are counted one way",
		Look:      looks.Look{Colour: looks.Blue, Marker: looks.Nabla},
		Source:    freiSource,
		Papers:    []string{"frei2024"},
		Cost:      "nM for the largest identity M",
		Variants:  [][]string{{"max"}},
		Rotations: true,
		Assumes:   contentless("ring", "biring"),
		Bounds:    pulses("nM", func(in *trial.Instance) int { return in.N * largest(in) }),
	}, bestAtRest, func(in *trial.Instance) func(protocols.ID) election.Process[frei.One] {
		return func(p protocols.ID) election.Process[frei.One] { return frei.NewStable(in.Ranks.At(p).ID) }
	})
}

func freiUnorientedAlgorithm() trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name:     "freiunoriented",
		Title:    "the content-oblivious election of Frei, Gelles, Ghazy & Nolin on rings without an orientation: it stabilizes, and orients the ring",
		Look:     looks.Look{Colour: looks.Blue, Marker: looks.Cross},
		Source:   freiSource,
		Papers:   []string{"frei2024"},
		Cost:     "n(2M+1) for the largest identity M",
		Variants: [][]string{{"max"}},
		Params: []trial.Param{{
			Name: "swapped", Form: "odd|none|BITS", Default: "odd",
			Meaning: "whose ports are wired the other way round: those with odd addresses, none, or those of the ones in a word such as 0110",
			Check: func(in *trial.Instance, value string) error {
				if value != "odd" && value != "none" && (len(value) != in.N || strings.Trim(value, "01") != "") {
					return fmt.Errorf("it takes odd, none, or a word of %d zeros and ones", in.N)
				}
				return nil
			},
		}},
		Assumes: contentless("biring"),
		Bounds:  pulses("n(2M+1)", func(in *trial.Instance) int { return in.N * (2*largest(in) + 1) }),
	}, bestAtRest, func(in *trial.Instance) func(protocols.ID) election.Process[frei.Both] {
		return func(p protocols.ID) election.Process[frei.Both] {
			return frei.NewUnoriented(in.Ranks.At(p).ID, swapped(in, p))
		}
	})
}

// contentless are the assumptions of an election whose messages have no content.
func contentless(topologies ...string) trial.Assumptions {
	return trial.Assumptions{Topologies: topologies, NoCrash: true, NoRestart: true, Numbers: true, NoContent: true}
}

// bestAtRest: others may take themselves for the leader until nothing is under way.
func bestAtRest(*trial.Instance) election.Promise {
	return election.Promise{Winner: election.BestAtRest, LeaderOnly: true}
}

// pulses are the bounds of an election that sends so many pulses under every schedule.
func pulses(formula string, sent func(*trial.Instance) int) []trial.Bound {
	return []trial.Bound{
		{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: formula, Convention: freiConvention,
			Value: func(in *trial.Instance) (float64, bool) { return float64(sent(in)), true },
		},
		{
			Name: "quiet", Metric: "time", Relation: trial.AtMost, Formula: formula,
			Convention: "until it is over a pulse is under way; constant delay, initiators start at 0",
			Value:      func(in *trial.Instance) (float64, bool) { return float64(sent(in)), in.ConstantDelay() },
		},
	}
}

// largest is the largest identity.
func largest(in *trial.Instance) int {
	most := election.Identity(0)
	for _, r := range in.Ranks.All() {
		most = max(most, r.ID)
	}
	return int(most)
}

// swapped reports whether the ports of a process are wired the other way round.
func swapped(in *trial.Instance, p protocols.ID) bool {
	switch word := in.Param("swapped"); word {
	case "odd":
		return p%2 == 1
	case "none":
		return false
	default:
		return word[p] == '1'
	}
}
