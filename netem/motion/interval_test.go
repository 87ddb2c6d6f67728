package motion

import (
	"fmt"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// graphsOf are the links of the first rounds.
func graphsOf(t *testing.T, text string, n, rounds int, seed uint64) (all []map[netem.Link]bool) {
	t.Helper()
	m := mustParse(t, text)
	length, ok := m.Rounds()
	if !ok {
		t.Fatalf("%s has no rounds", text)
	}
	s, up := m.Source(netem.Complete(n), seed), map[netem.Link]bool{}
	s.Begin(func(a, b protocols.ID) { up[netem.LinkBetween(a, b)] = true })
	c, more := s.Next()
	for r := range rounds {
		for ; more && c.At <= des.Time(r)*des.Time(length); c, more = s.Next() {
			if in := c.At % des.Time(length); in != 3*des.Time(length)/4 {
				t.Fatalf("%s: a change %v after the beginning of a round", text, in)
			}
			if up[netem.LinkBetween(c.A, c.B)] = c.Up; !c.Up {
				delete(up, netem.LinkBetween(c.A, c.B))
			}
		}
		g := map[netem.Link]bool{}
		for p := range up {
			g[p] = true
		}
		all = append(all, g)
	}
	return all
}

// reached are the processes that process 0 reaches over links that are in all of some graphs.
func reached(n int, graphs []map[netem.Link]bool) (count int) {
	has := make([]bool, n)
	has[0] = true
	for range n {
		for p := range graphs[0] {
			stays := true
			for _, g := range graphs {
				stays = stays && g[p]
			}
			if stays && has[p.A] != has[p.B] {
				has[p.A], has[p.B] = true, true
			}
		}
	}
	for _, h := range has {
		if h {
			count++
		}
	}
	return count
}

// Any T rounds one after another share a spanning connected graph.
func TestIntervalsAreConnected(t *testing.T) {
	for _, choice := range []string{"random", "worst"} {
		for _, stays := range []int{1, 2, 3, 5} {
			for n := 1; n <= 9; n++ {
				text := fmt.Sprintf("interval(%d, 2ms, %s)", stays, choice)
				graphs := graphsOf(t, text, n, 40, uint64(n))
				for r := range len(graphs) - stays + 1 {
					if got := reached(n, graphs[r:r+stays]); got != n {
						t.Fatalf("%s, n %d: %d processes are connected through the rounds from %d on", text, n, got, r)
					}
				}
			}
		}
	}
}

// With the worst trees one more process hears process 0 in each round, whatever T is.
func TestWorstIntervals(t *testing.T) {
	for _, stays := range []int{1, 2, 3, 7} {
		for n := 2; n <= 20; n++ {
			has := make([]bool, n)
			has[0] = true
			for r, g := range graphsOf(t, fmt.Sprintf("interval(%d, 1ms, worst)", stays), n, n-1, 5) {
				before := append([]bool(nil), has...)
				count := 0
				for p := range g {
					has[p.A] = has[p.A] || before[p.B]
					has[p.B] = has[p.B] || before[p.A]
				}
				for _, h := range has {
					if h {
						count++
					}
				}
				if count != r+2 {
					t.Fatalf("T %d, n %d: after %d rounds %d have heard it", stays, n, r+1, count)
				}
			}
		}
	}
}

// Trees change: over many rounds each link is there at some time.
func TestIntervalsChange(t *testing.T) {
	for _, choice := range []string{"random", "worst"} {
		seen := map[netem.Link]bool{}
		for _, g := range graphsOf(t, "interval(1, 1ms, "+choice+")", 6, 200, 3) {
			for p := range g {
				seen[p] = true
			}
		}
		if len(seen) != 15 {
			t.Errorf("%s: %d of 15 links were there", choice, len(seen))
		}
	}
}
