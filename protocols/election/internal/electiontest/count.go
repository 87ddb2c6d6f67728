// Package electiontest is shared by the tests of the elections: every way to place
// identities, exact statistics over them, and one call that runs an election on the
// emulator and counts.
package electiontest

import (
	"iter"
	"math/big"
	"slices"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Ranks makes ranks without attributes, by address.
func Ranks(ids ...int) []election.Rank {
	ranks := make([]election.Rank, len(ids))
	for i, id := range ids {
		ranks[i] = election.Rank{ID: election.Identity(id)}
	}
	return ranks
}

// Increasing is 1..n.
func Increasing(n int) []int {
	ids := make([]int, n)
	for i := range ids {
		ids[i] = i + 1
	}
	return ids
}

// Placements yields every placement of the identities 1..n on a ring, up to
// rotation: n is at address 0. The slice is reused.
func Placements(n int) iter.Seq[[]election.Rank] {
	return func(yield func([]election.Rank) bool) {
		ids := make([]int, n)
		for i := range ids {
			ids[i] = n - i
		}
		permute(ids, 1, func() bool { return yield(Ranks(ids...)) })
	}
}

// permute calls visit for every order of s[from:], until it returns false.
func permute(s []int, from int, visit func() bool) bool {
	if from >= len(s)-1 {
		return visit()
	}
	for i := from; i < len(s); i++ {
		s[from], s[i] = s[i], s[from]
		more := permute(s, from+1, visit)
		s[from], s[i] = s[i], s[from]
		if !more {
			return false
		}
	}
	return true
}

// Subsets yields every subset of the addresses 0..n-1, the empty one first.
func Subsets(n int) iter.Seq[[]protocols.ID] {
	return func(yield func([]protocols.ID) bool) {
		for mask := range 1 << n {
			var set []protocols.ID
			for i := range n {
				if mask>>i&1 == 1 {
					set = append(set, protocols.ID(i))
				}
			}
			if !yield(set) {
				return
			}
		}
	}
}

// All is every address 0..n-1.
func All(n int) []protocols.ID {
	all := make([]protocols.ID, n)
	for i := range all {
		all[i] = protocols.ID(i)
	}
	return all
}

// Best is the address of the best rank that is not excluded.
func Best(ranks []election.Rank, order election.Order, excluded []protocols.ID) protocols.ID {
	best := protocols.ID(-1)
	for i, r := range ranks {
		id := protocols.ID(i)
		if !slices.Contains(excluded, id) && (best < 0 || order.Better(r, ranks[best])) {
			best = id
		}
	}
	return best
}

// Tally is the exact distribution of a count.
type Tally struct {
	times map[int]int64
	n     int64
}

// Add counts x once.
func (t *Tally) Add(x int) {
	if t.times == nil {
		t.times = make(map[int]int64)
	}
	t.times[x]++
	t.n++
}

// Min is the smallest count.
func (t *Tally) Min() int { return slices.Min(t.values()) }

// Max is the largest count.
func (t *Tally) Max() int { return slices.Max(t.values()) }

// Histogram is the frequency of each count from Min to Max.
func (t *Tally) Histogram() []int64 {
	h := make([]int64, t.Max()-t.Min()+1)
	for x, times := range t.times {
		h[x-t.Min()] = times
	}
	return h
}

// Mean is the exact mean.
func (t *Tally) Mean() *big.Rat { return t.moment(1) }

// Variance is the exact variance of the whole population.
func (t *Tally) Variance() *big.Rat {
	mean := t.Mean()
	return new(big.Rat).Sub(t.moment(2), mean.Mul(mean, mean))
}

func (t *Tally) moment(k int64) *big.Rat {
	sum := new(big.Int)
	for x, times := range t.times {
		power := new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(k), nil)
		sum.Add(sum, power.Mul(power, big.NewInt(times)))
	}
	return new(big.Rat).SetFrac(sum, big.NewInt(t.n))
}

func (t *Tally) values() []int {
	var xs []int
	for x := range t.times {
		xs = append(xs, x)
	}
	return xs
}

// Harmonic is the sum of 1/i^power for i = 1..n.
func Harmonic(n, power int) *big.Rat {
	sum := new(big.Rat)
	for i := 1; i <= n; i++ {
		p := new(big.Int).Exp(big.NewInt(int64(i)), big.NewInt(int64(power)), nil)
		sum.Add(sum, new(big.Rat).SetFrac(big.NewInt(1), p))
	}
	return sum
}
