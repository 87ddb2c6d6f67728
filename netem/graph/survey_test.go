package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bullring/protocols"
)

// stronglyConnected draws a strongly connected graph: a ring and some chords.
func stronglyConnected(t *rapid.T) *Graph {
	n := rapid.IntRange(2, 100).Draw(t, "n")
	directed := rapid.Bool().Draw(t, "directed")
	end := rapid.IntRange(0, n-1)
	links := map[pair]bool{}
	add := func(from, to int) {
		if !directed {
			from, to = min(from, to), max(from, to)
		}
		if from != to {
			links[pairOf(from, to)] = true
		}
	}
	for i := range n {
		add(i, (i+1)%n)
	}
	for range rapid.IntRange(0, n).Draw(t, "chords") {
		add(end.Draw(t, "from"), end.Draw(t, "to"))
	}
	var edges []Edge
	for l := range links {
		edges = append(edges, Edge{From: protocols.ID(l.from()), To: protocols.ID(l.to())})
	}
	g, err := New("drawn", n, edges, directed, false)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The diameter is in the interval of a survey after each search. A search never widens the
// interval. In the end both ends are the diameter. The walks from all processes at once find the
// same diameter.
func TestSurveyHoldsTheDiameter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := stronglyConnected(rt)
		diameter, everyone := 0, make([]int32, g.Len())
		for id := range everyone {
			everyone[id] = int32(id)
			diameter = max(diameter, g.Eccentricity(protocols.ID(id)))
		}
		s := g.newSurvey()
		for least, most := 0, g.Len(); len(s.open) > 0; least, most = s.least, s.most() {
			s.narrow(1)
			if s.least < least || s.most() > most || s.least > diameter || s.most() < diameter {
				rt.Fatalf("from %d to %d, after %d to %d; the diameter is %d", s.least, s.most(), least, most, diameter)
			}
		}
		if s.least != diameter || s.most() != diameter {
			rt.Errorf("from %d to %d in the end; the diameter is %d", s.least, s.most(), diameter)
		}
		farthest, many := 0, newManyWalks(g.Len())
		for from := range slices.Chunk(everyone, wordSize) {
			farthest = max(farthest, many.farthest(from, g.rows()))
		}
		if farthest != diameter || g.Diameter() != diameter {
			rt.Errorf("the farthest is at %d, and the diameter is computed as %d; it is %d", farthest, g.Diameter(), diameter)
		}
	})
}

// An edge set does what a map does.
func TestEdgeSet(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const n, most = 8, 60
		set, want := newEdgeSet(n*(n-1)/2), map[pair]bool{}
		for range rapid.IntRange(0, most).Draw(rt, "steps") {
			a, b := rapid.IntRange(0, n-1).Draw(rt, "a"), rapid.IntRange(0, n-1).Draw(rt, "b")
			e := pairOf(min(a, b), max(a, b))
			switch {
			case rapid.Bool().Draw(rt, "add"):
				if got := set.add(a, b); got != (a != b && !want[e]) {
					rt.Fatalf("adding %d-%d: %v", a, b, got)
				}
				if a != b {
					want[e] = true
				}
			case want[e]:
				set.remove(a, b)
				delete(want, e)
			}
			if set.has(a, b) != want[e] {
				rt.Fatalf("has %d-%d: %v", a, b, set.has(a, b))
			}
		}
		edges := set.edges()
		for _, e := range edges {
			if !want[e] {
				rt.Errorf("edge %d-%d is not in the set", e.from(), e.to())
			}
		}
		if len(edges) != len(want) {
			rt.Errorf("%d edges; want %d", len(edges), len(want))
		}
	})
}
