package waves

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/awerbuch"
	"bullring/protocols/wave/cidon"
	"bullring/protocols/wave/dfs"
	"bullring/protocols/wave/tarry"
)

// The conventions of traversals.
const (
	tokens  = "TOKEN counted when sent"
	twoVis  = "TOKEN and VIS counted when sent"
	unmoved = "one initiator, at 0"
)

// tokenAlone are the bounds of a traversal in which the token does all the work.
func tokenAlone() []trial.Bound {
	return []trial.Bound{
		messages("exact", trial.Exactly, "2m", tokens, links),
		exactTime("2m", unmoved, links),
		longestTime("2m", unmoved, links),
		deciders("1", one),
	}
}

func tarryAlgorithm() trial.Algorithm {
	return traversal(trial.Algorithm{
		Name:   "tarry",
		Title:  "Tarry's traversal: the token goes over each link once in each direction, and home last",
		Look:   looks.Look{Colour: looks.Blue, Marker: looks.Square},
		Source: "Tarry, Nouvelles annales de mathematiques 14, 1895; Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.3",
		Papers: []string{"tarry1895", "tel2000"},
		Cost:   "2m messages, 2m time",
		Bounds: tokenAlone(),
	}, families.Traversal, func(random bool) wave.Process[tarry.Message] { return tarry.New(random) })
}

func dfsAlgorithm() trial.Algorithm {
	return traversal(trial.Algorithm{
		Name:   "dfs",
		Title:  "classical depth-first search: Tarry's traversal, with the token sent back where it may be",
		Look:   looks.Look{Colour: looks.Red, Marker: looks.Diamond},
		Source: "Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.4; Cheung, IEEE Trans. Software Eng. SE-9(4), 1983",
		Papers: []string{"cheung1983", "tel2000"},
		Cost:   "2m messages, 2m time",
		Bounds: tokenAlone(),
	}, families.Search, func(random bool) wave.Process[dfs.Message] { return dfs.New(random) })
}

func awerbuchAlgorithm() trial.Algorithm {
	waits := func(in *trial.Instance) int { return 2*(in.N-1) + 2*branching(in) }
	return traversal(trial.Algorithm{
		Name:   "awerbuch",
		Title:  "Awerbuch's depth-first search: the token waits until all neighbours know of the visit",
		Look:   looks.Look{Colour: looks.Purple, Marker: looks.Nabla},
		Source: "Awerbuch, Information Processing Letters 20(3), 1985; Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.4",
		Papers: []string{"awerbuchdfs1985", "tel2000"},
		Cost:   "4m messages, 4n-2 time",
		Bounds: []trial.Bound{
			messages("exact", trial.Exactly, "4m", "TOKEN, VIS and ACK counted when sent", func(in *trial.Instance) int { return 2 * links(in) }),
			exactTime("2(n-1), + 2 for the initiator and each other process with two neighbours or more", unmoved, waits),
			longestTime("4n-2", unmoved, func(in *trial.Instance) int { return 4*in.N - 2 }),
			deciders("1", one),
		},
	}, families.Search, func(random bool) wave.Process[awerbuch.Message] { return awerbuch.New(random) })
}

// branching is the number of processes that wait for answers: those with neighbours besides the father.
func branching(in *trial.Instance) int {
	k := 0
	for p := range protocols.ID(in.N) {
		others := in.Topology.Degree(p)
		if !in.Initiators.Has(p) {
			others--
		}
		if others > 0 {
			k++
		}
	}
	return k
}

func cidonAlgorithm() trial.Algorithm {
	least := func(in *trial.Instance) int { return links(in) + in.N - 1 }
	once := messages("exact", trial.Exactly, "2m+n-1", twoVis+"; constant delay", least)
	always := once.Value
	once.Value = func(in *trial.Instance) (float64, bool) {
		v, ok := always(in)
		return v, ok && in.ConstantDelay()
	}
	return traversal(trial.Algorithm{
		Name:   "cidon",
		Title:  "Cidon's depth-first search: the token does not wait, and is sent again if it went wrong",
		Look:   looks.Look{Colour: looks.Black, Marker: looks.Ring},
		Source: "Cidon, Information Processing Letters 26(6), 1988; Tel, Introduction to Distributed Algorithms, 2nd ed., 2000, section 6.4",
		Papers: []string{"cidon1988", "tel2000"},
		Cost:   "2m+n-1 to 4m-n+1 messages, 2n-2 time",
		Bounds: []trial.Bound{
			once,
			messages("best", trial.AtLeast, "2m+n-1", twoVis, least),
			messages("worst", trial.AtMost, "4m-n+1", twoVis, func(in *trial.Instance) int { return 2*links(in) - in.N + 1 }),
			exactTime("2n-2", unmoved, func(in *trial.Instance) int { return 2*in.N - 2 }),
			longestTime("2n-2", unmoved, func(in *trial.Instance) int { return 2*in.N - 2 }),
			deciders("1", one),
		},
	}, families.Search, func(random bool) wave.Process[cidon.Message] { return cidon.New(random) })
}
