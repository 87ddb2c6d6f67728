package elections

import (
	"fmt"
	"slices"
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
		Bounds: append(pulses("n(2M+1)", twice),
			freiTime("elected", "elected_time", "when the best has counted M pulses against the ring", func(in *trial.Instance) int { elected, _ := lastLagging(in); return elected }),
			freiTime("quiet", "time", "when the pulse that ends it is back", func(in *trial.Instance) int { _, quiet := lastLagging(in); return quiet })),
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
		Bounds: append(pulses("nM", func(in *trial.Instance) int { return in.N * largest(in) }),
			freiTime("quiet", "time", "hops from the best against the ring, while m falls from M to 0: by one in each process with an identity of m or more", func(in *trial.Instance) int { return lastPulse(identities(in)) }),
			trial.Bound{
				Name: "mean", Metric: "time", Relation: trial.Mean,
				Formula:    "sum over m = 1..M of n / (number of identities of m or more): n H_n for 1..n",
				Convention: "constant delay, all start at 0; over uniformly random placements",
				Value: func(in *trial.Instance) (float64, bool) {
					return freiMean(in), randomPlacement(in) && countable(in)
				},
			}),
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
		Bounds: append(pulses("n(2M+1)", twice),
			freiTime("quiet", "time", "that of freistable, the later of both ways", func(in *trial.Instance) int { return max(lastPulse(numbers(in, 0)), lastPulse(numbers(in, 1))) })),
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
	return []trial.Bound{{
		Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: formula, Convention: freiConvention,
		Value: func(in *trial.Instance) (float64, bool) { return float64(sent(in)), true },
	}}
}

// twice is what two elections send, of which one counts to M+1.
func twice(in *trial.Instance) int { return in.N * (2*largest(in) + 1) }

// freiTime is a time that all placements have, where delays are equal and all start at once.
func freiTime(name, metric, formula string, at func(*trial.Instance) int) trial.Bound {
	return trial.Bound{
		Name: name, Metric: metric, Relation: trial.Exactly, Formula: formula, Convention: "constant delay, all start at 0",
		Value: func(in *trial.Instance) (float64, bool) {
			if !countable(in) {
				return 0, false
			}
			return float64(at(in)), true
		},
	}
}

// countable reports whether times follow from the placement, and are soon found: pulses are counted one by one.
func countable(in *trial.Instance) bool {
	return in.ConstantDelay() && in.AllInitiate() && largest(in) <= 1<<20/in.N
}

// identities are those of the processes, in the order of addresses.
func identities(in *trial.Instance) []int {
	ids := make([]int, in.N)
	for p, r := range in.Ranks.All() {
		ids[p] = int(r.ID)
	}
	return ids
}

// numbers are those of the pulses that the processes of freiunoriented swallow, one way round the ring, in the order in which
// pulses pass them: 0 is with the ring, 1 against it.
func numbers(in *trial.Instance, way int) []int {
	own := identities(in)
	for p := range own {
		if with := way == 0; swapped(in, protocols.ID(p)) != with { // it arrives at the second port
			own[p]++
		}
	}
	if way == 1 {
		slices.Reverse(own)
	}
	return own
}

// lastPulse is when the last pulse of an election one way arrives, in delays. own are the numbers of the pulses that are
// swallowed, in the order in which pulses pass.
func lastPulse(own []int) int {
	last, most := 0, slices.Max(own)
	for p, number := range own {
		if number == most {
			last = max(last, arrives(own, p, most))
		}
	}
	return last
}

// arrives is when the m-th pulse arrives at a process. Its predecessor has sent it when its own pulse before arrived, if it had
// not swallowed one by then, and else when its m-th did.
func arrives(own []int, p, m int) (hops int) {
	for ; m > 0; hops++ {
		p = (p + len(own) - 1) % len(own)
		if own[p] >= m {
			m--
		}
	}
	return hops
}

// lastLagging is when the best process of frei has counted all pulses of both elections but the last, and when that is back.
// A process reads a pulse of the second election when it has arrived, and its own one of the first has.
func lastLagging(in *trial.Instance) (elected, quiet int) {
	ids, n := identities(in), in.N
	most := slices.Max(ids)
	best := slices.Index(ids, most)
	before, now := make([]int, n), make([]int, n) // by address, when the pulse before was read, and this one
	lag := make([]int, n)
	for p, id := range ids {
		lag[p] = arrives(ids, p, id)
	}
	copy(before, lag) // the first pulse is sent then
	for m := 1; m <= most+1; m++ {
		for hop := 1; hop <= n; hop++ {
			p, from := (best-hop+n)%n, (best-hop+1+n)%n
			sent := before[from]
			if m > ids[from] && from != best {
				sent = now[from]
			}
			now[p] = max(lag[p], sent+1)
		}
		before, now = now, before
		elected, quiet = quiet, before[best]
	}
	return elected, quiet
}

// freiMean is the mean of the time of freistable. The walk of arrives visits processes in the order of their identities, which
// says nothing of the distances, and the mean distance to the next of k processes is n/k.
func freiMean(in *trial.Instance) float64 {
	ids := identities(in)
	slices.Sort(ids)
	sum, below := 0.0, 0
	for k, id := range ids {
		sum += float64(id-below) * float64(in.N) / float64(in.N-k)
		below = id
	}
	return sum
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
