package election_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bullring/protocols"
	"bullring/protocols/election"
)

// lengths are the lengths of all shortest paths among live processes, by Floyd and Warshall; far where there is none.
func (w *network) lengths(dead []protocols.ID, n int) [][]int {
	d := make([][]int, n)
	for p := range d {
		d[p] = slices.Repeat([]int{far}, n)
		if !slices.Contains(dead, protocols.ID(p)) {
			d[p][p] = 0
		}
	}
	for link, up := range w.links {
		if a, b := link[0], link[1]; up && d[a][a] == 0 && d[b][b] == 0 {
			d[a][b], d[b][a] = 1, 1
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

const far = 1 << 20

// bestOf is the best process of a component by definition. row has the distances from one of its members.
func bestOf(d [][]int, row []int, by election.Criterion) int {
	best, most := -1, 0
	for p := range row {
		if row[p] >= far {
			continue
		}
		merit := 0
		for _, l := range d[p] {
			switch {
			case by == election.ByCloseness && l < far:
				merit -= l
			case by == election.ByDegree && l == 1:
				merit++
			}
		}
		if best < 0 || merit >= most { // identities grow with addresses
			best, most = p, merit
		}
	}
	return best
}

// Where leaders stand is as by definition, in random graphs whose links and processes come and go, and whose processes
// follow anyone. So is E2, if it demands the best.
func TestStandings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	several, right, wrong := 0, 0, 0
	for range 1_500 {
		n := 1 + r.IntN(7)
		by := []election.Criterion{election.ByRank, election.ByDegree, election.ByCloseness}[r.IntN(3)]
		w := &network{of(n, election.Promise{Winner: election.Local, Rest: math.MaxInt64, Criterion: by, Central: true}), map[[2]protocols.ID]bool{}}
		w.Relinked(w.near, 0)
		leaders := slices.Repeat([]int{-1}, n)
		var dead []protocols.ID
		for range 4 * n {
			p, q := r.IntN(n), r.IntN(n)
			switch k := r.IntN(8); {
			case p == q && k < 2 && !slices.Contains(dead, protocols.ID(p)):
				w.Crashed(protocols.ID(p), 1)
				dead, leaders[p] = append(dead, protocols.ID(p)), -1
			case p != q && k < 5:
				w.link(protocols.ID(min(p, q)), protocols.ID(max(p, q)), k > 2, 1)
			case !slices.Contains(dead, protocols.ID(p)):
				d := w.lengths(dead, n)
				if k == 7 {
					q = bestOf(d, d[p], by)
				}
				elects(w.Checker, protocols.ID(p), protocols.ID(q), 1)
				leaders[p] = q
			}
			w.wantStandings(t, by, dead, leaders)
		}
		for p, row := range w.lengths(dead, n) {
			if row[p] == 0 && r.IntN(8) > 0 {
				leaders[p] = bestOf(w.lengths(dead, n), row, by)
				elects(w.Checker, protocols.ID(p), protocols.ID(leaders[p]), 1)
			}
		}
		all := w.wantStandings(t, by, dead, leaders)
		best := !slices.ContainsFunc(all, func(s election.Standing) bool { return s.Best < s.Live })
		if holds := w.Checks(true)[1].Verdict == protocols.Holds; holds != best {
			t.Fatalf("%v: E2 holds is %v; leaders %v of %v: %+v", by, holds, leaders, w.links, all)
		} else if holds {
			right++
		} else {
			wrong++
		}
		if len(all) > 1 {
			several++
		}
	}
	if several < 500 || right < 200 || wrong < 200 {
		t.Errorf("%d networks with several components, %d right, %d wrong: too few to say anything", several, right, wrong)
	}
}

// wantStandings compares the standings with the definition.
func (w *network) wantStandings(t *testing.T, by election.Criterion, dead []protocols.ID, leaders []int) []election.Standing {
	t.Helper()
	d := w.lengths(dead, len(leaders))
	var want []election.Standing
	for root, row := range d {
		if first := slices.IndexFunc(row, func(l int) bool { return l < far }); first != root {
			continue
		}
		var s election.Standing
		for p := range row {
			if row[p] >= far {
				continue
			}
			s.Live++
			for _, l := range d[p] {
				if l < far {
					s.Diameter = max(s.Diameter, l)
				}
			}
			if q := leaders[p]; q >= 0 && d[p][q] < far {
				s.Here++
				s.Path = max(s.Path, d[p][q])
				if q == bestOf(d, row, by) {
					s.Best++
				}
			}
		}
		want = append(want, s)
	}
	got := w.Standings()
	if !slices.Equal(got, want) {
		t.Fatalf("%v: leaders %v, dead %v, of %v: %+v, want %+v", by, leaders, dead, w.links, got, want)
	}
	return got
}

// E2 says which process is the best, and who follows another one.
func TestNotTheBest(t *testing.T) {
	for by, says := range map[election.Criterion]string{
		election.ByCloseness: "process 0 follows 40, and the process with the largest closeness of its component is 30",
		election.ByDegree:    "process 0 follows 40, and the process with the largest degree of its component is 30",
		election.ByRank:      "",
	} {
		promise := election.Promise{Winner: election.Local, Rest: math.MaxInt64, Criterion: by, Central: true}
		w := &network{of(4, promise), map[[2]protocols.ID]bool{{0, 1}: true, {1, 2}: true, {2, 3}: true}}
		w.Relinked(w.near, 0)
		w.follow(1, 3, 3, 3, 3)
		e2 := w.Checks(true)[1]
		if want := map[bool]protocols.Verdict{true: protocols.Violated, false: protocols.Holds}[says != ""]; e2.Verdict != want || says != "" && e2.Detail != says {
			t.Errorf("%v: E2 %v: %s", by, e2.Verdict, e2.Detail)
		}
		if !strings.Contains(promise.Ends(), by.String()) {
			t.Errorf("E2 is %q", promise.Ends())
		}
	}
}
