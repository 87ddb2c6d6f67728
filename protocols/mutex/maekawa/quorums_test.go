package maekawa_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/protocols"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/maekawa"
)

// planes are the orders of the projective planes, and their numbers of points.
var planes = map[int]int{1: 1, 2: 3, 3: 7, 4: 13, 5: 21, 6: 31, 8: 57, 9: 73, 10: 91, 12: 133}

// Maekawa's condition: any two quorums have a process in common, and every process is in
// his own.
func TestQuorumsMeet(t *testing.T) {
	systems := 0
	for _, system := range maekawa.Systems {
		for n := 1; n <= 133; n++ {
			q, err := maekawa.NewQuorums(system, n)
			if err != nil {
				if system != "plane" || !strings.Contains(err.Error(), "allowed are 1, 3, 7, 13, 21, 31, 57, 73, 91, 133") {
					t.Errorf("%s of %d: %v", system, n, err)
				}
				continue
			}
			systems++
			for i := range q {
				if !slices.Contains(q[i], protocols.ID(i)) || len(slices.Compact(slices.Sorted(slices.Values(q[i])))) != len(q[i]) {
					t.Fatalf("%s of %d: the quorum of %d is %v", system, n, i, q[i])
				}
				for j := range i {
					if !slices.ContainsFunc(q[i], func(p protocols.ID) bool { return slices.Contains(q[j], p) }) {
						t.Fatalf("%s of %d: %v and %v have nobody in common", system, n, q[i], q[j])
					}
				}
			}
		}
	}
	if want := 133 + 133 + len(planes); systems != want {
		t.Errorf("%d systems, want %d", systems, want)
	}
}

// The sizes of quorums: 2 sqrt(N) - 1 on a grid, K with N = K(K-1)+1 on a plane, where
// any two have exactly one process in common and every process votes equally often.
func TestQuorumSizes(t *testing.T) {
	for k := 1; k <= 11; k++ {
		for _, quorum := range must(t, "grid", k*k) {
			if len(quorum) != 2*k-1 {
				t.Errorf("grid of %d: %v", k*k, quorum)
			}
		}
	}
	for k, n := range planes {
		if n != k*(k-1)+1 {
			t.Fatalf("%d is not of the form K(K-1)+1", n)
		}
		q := must(t, "plane", n)
		votes := make([]int, n)
		for i := range q {
			for _, p := range q[i] {
				votes[p]++
			}
			for j := range i {
				common := 0
				for _, p := range q[i] {
					if slices.Contains(q[j], p) {
						common++
					}
				}
				if common != 1 {
					t.Fatalf("plane of %d: %v and %v have %d in common", n, q[i], q[j], common)
				}
			}
		}
		if slices.Min(votes) != k || slices.Max(votes) != k {
			t.Errorf("plane of %d: from %d to %d votes", n, slices.Min(votes), slices.Max(votes))
		}
	}
	for n := 1; n <= 20; n++ {
		for i, quorum := range must(t, "majority", n) {
			if len(quorum) != n/2+1 || quorum[0] != protocols.ID(i) {
				t.Errorf("majority of %d: %v", n, quorum)
			}
		}
		for _, quorum := range maekawa.Everybody(n) {
			if slices.Sort(quorum); !slices.Equal(quorum, mutextest.All(n)) {
				t.Errorf("everybody of %d: %v", n, quorum)
			}
		}
	}
}

func TestUnknownQuorums(t *testing.T) {
	if _, err := maekawa.NewQuorums("tree", 7); err == nil || err.Error() != `unknown quorums "tree"; allowed are grid, plane, majority` {
		t.Error(err)
	}
}

func must(t *testing.T, system string, n int) maekawa.Quorums {
	t.Helper()
	q, err := maekawa.NewQuorums(system, n)
	if err != nil {
		t.Fatal(err)
	}
	return q
}
