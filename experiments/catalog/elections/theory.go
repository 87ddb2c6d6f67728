package elections

import (
	"math"
	"slices"

	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/election"
)

// harmonic is H_n, the sum of 1/i for i from 1 to n.
func harmonic(n int) float64 {
	sum := 0.0
	for i := n; i >= 1; i-- { // small terms first: the sum is more accurate
		sum += 1 / float64(i)
	}
	return sum
}

// lg is the logarithm to base 2, rounded to 1e-9. The last bits of math.Log2 differ between
// processors, but bounds in tables must not.
func lg(x float64) float64 { return math.Round(math.Log2(x)*1e9) / 1e9 }

// eachHops calls yield for each process of a ring with the distance to the next better one in the
// direction of travel. For the best one it is n.
func eachHops(ranks election.Ranks, order election.Order, yield func(p protocols.ID, hops int)) {
	n := ranks.Len()
	best := protocols.ID(0)
	for p, r := range ranks.All() {
		if order.Better(r, ranks.At(best)) {
			best = p
		}
	}
	before := func(hops int32) protocols.ID { return (best - protocols.ID(hops) + protocols.ID(n)) % protocols.ID(n) }
	// Go round from the best against the direction of travel. The stack holds, as the distance to
	// the best, the processes ahead that are better than all processes between. A process that is
	// not better than the present one stops no identity from further behind.
	ahead := make([]int32, 0, n) // some ln n are used on a random ring
	for back := range int32(n) {
		p, hops := before(back), n
		for len(ahead) > 0 && !order.Better(ranks.At(before(ahead[len(ahead)-1])), ranks.At(p)) {
			ahead = ahead[:len(ahead)-1]
		}
		if len(ahead) > 0 {
			hops = int(back - ahead[len(ahead)-1])
		}
		yield(p, hops)
		ahead = append(ahead, back)
	}
}

// lcrProbes is the number of PROBE messages of LCR. Each identity travels to the next better
// one, and the best one goes all the way round.
func lcrProbes(in *trial.Instance) int {
	sum := 0
	eachHops(in.Ranks, in.Order, func(_ protocols.ID, hops int) { sum += hops })
	return sum
}

// changRobertsElection is the number of ELECTION messages of Chang-Roberts when the
// initiators start together. From an initiator to the next one, the message passes processes
// that do not take part yet, and carries the best identity on its way. From there on it is
// as in LCR.
func changRobertsElection(in *trial.Instance) int {
	n, sum, k := in.N, 0, in.Initiators.Len()
	for j := range k {
		s, next := in.Initiators.At(j), int(in.Initiators.At((j+1)%k))
		gap := (next-int(s)+n-1)%n + 1
		carried, owner := in.Ranks.At(s), 0
		for d := 1; d < gap; d++ {
			if r := in.Ranks.At((s + protocols.ID(d)) % protocols.ID(n)); in.Order.Better(r, carried) {
				carried, owner = r, d
			}
		}
		hops := gap
		for hops < n+owner && !in.Order.Better(in.Ranks.At((s+protocols.ID(hops))%protocols.ID(n)), carried) {
			hops++
		}
		sum += hops
	}
	return sum
}

// telElection is the number of ELECTION messages of Tel's form. The message of an initiator
// travels to the next better initiator, and that of the best one all the way round.
func telElection(in *trial.Instance) int {
	ranks := make([]election.Rank, 0, in.Initiators.Len())
	for p := range in.Initiators.All() {
		ranks = append(ranks, in.Ranks.At(p))
	}
	sum := 0
	eachHops(election.Listed(ranks), in.Order, func(p protocols.ID, hops int) {
		i := int(p)
		sum += distance(int(in.Initiators.At(i)), int(in.Initiators.At((i+hops)%len(ranks))), in.N)
	})
	return sum
}

// distanceToBest is the distance to the best process from the nearest initiator before it.
// After so many delays the best identity is on its way.
func distanceToBest(in *trial.Instance) int {
	least := in.N
	b := best(in)
	for s := range in.Initiators.All() {
		least = min(least, (int(b-s)+in.N)%in.N)
	}
	return least
}

// lcrDistribution is the exact distribution of the number of PROBE messages over the
// placements of n identities. Cut the ring at the maximum, which makes n hops. What is left
// is a line, with the generating function T(n-1). Cut a line of N at its own maximum, in
// place j, whose hops lead to the end: T(N) = 1/N sum over j of q^(N-j+1) T(j-1) T(N-j).
func lcrDistribution(n int) []float64 {
	t := make([][]float64, n)
	t[0] = []float64{1}
	for size := 1; size < n; size++ {
		p := make([]float64, size*(size+1)/2+1)
		for j := 1; j <= size; j++ {
			left, right, shift := t[j-1], t[size-j], size-j+1
			for a, x := range left {
				if x == 0 {
					continue
				}
				for b, y := range right {
					p[a+b+shift] += x * y / float64(size)
				}
			}
		}
		t[size] = p
	}
	return append(make([]float64, n), t[n-1]...)
}

// above returns, for each process, the number of processes with a better rank, with or
// without those dead from the start.
func above(in *trial.Instance, withDead bool) []int {
	byRank := make([]protocols.ID, in.N)
	for p := range byRank {
		byRank[p] = protocols.ID(p)
	}
	slices.SortFunc(byRank, func(p, q protocols.ID) int {
		if in.Order.Better(in.Ranks.At(p), in.Ranks.At(q)) {
			return -1
		}
		return 1
	})
	higher, k := make([]int, in.N), 0
	for _, p := range byRank {
		higher[p] = k
		if withDead || !in.IsDead(p) {
			k++
		}
	}
	return higher
}
