// Command lcr is LCR: the largest identity survives the ring.
package main

import bullring "example.org/nodes"

func main() {
	bullring.Run(func(n *bullring.Node) bullring.Handlers {
		next := n.Neighbors[0]
		return bullring.Handlers{
			"start": func(string, bullring.Body) { n.Send(next, bullring.Body{"type": "probe", "rank": n.Rank}) },
			"probe": func(_ string, m bullring.Body) {
				switch rank := m.Int("rank"); {
				case rank > n.Rank:
					n.Send(next, m)
				case rank == n.Rank:
					n.Decide(n.Rank, true)
				}
			},
		}
	})
}
