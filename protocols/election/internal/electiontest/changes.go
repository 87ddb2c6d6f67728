package electiontest

import (
	"iter"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols/internal/testnet"
)

// TwoChanges yields each graph of n processes with each two changes of its links that come after one
// another, the second at so many instants, half a unit from one to the next. A link that has gone down
// comes up.
func TwoChanges(n, instants int) iter.Seq2[testnet.Graph, []netem.Change] {
	return func(yield func(testnet.Graph, []netem.Change) bool) {
		for g := range testnet.Graphs(n) {
			for _, first := range g.Edges() {
				for _, second := range g.Edges() {
					for half := range instants {
						if !yield(g, []netem.Change{
							{At: 1, A: first[0], B: first[1]},
							{At: 1 + des.Time(half)*des.Time(Unit)/2, A: second[0], B: second[1], Up: first == second},
						}) {
							return
						}
					}
				}
			}
		}
	}
}

// RandomChanges are some changes of the links of a graph at random instants, drawn from a seed.
func RandomChanges(g testnet.Graph, seed uint64) (changes []netem.Change) {
	s, edges := des.NewStream(seed, "changes"), g.Edges()
	at := des.Time(1)
	for range 40 {
		at += des.Time(s.Intn(3 * int(Unit)))
		e := edges[s.Intn(len(edges))]
		changes = append(changes, netem.Change{At: at, A: e[0], B: e[1], Up: s.Intn(2) == 0})
	}
	return changes
}
