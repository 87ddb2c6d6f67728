package services

import (
	"fmt"
	"math"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/superpeer/dht"
)

func dhtAlgorithm() trial.Algorithm {
	const convention = "identifiers drawn from the seed; everybody looks for its superpeer"
	return families.SuperpeerLookup(trial.Algorithm{
		Name:   "dht",
		Title:  "superpeers in a distributed hash table: whoever is responsible for p AND 1..10..0",
		Source: "Tanenbaum & van Steen, Distributed Systems; the lookup: Stoica et al. (Chord), SIGCOMM 2001",
		Papers: []string{"tanenbaum2007", "stoica2001"},
		Cost:   "O(log N) hops a lookup; 2^k(1 - C(2^m-L,N)/C(2^m,N)) superpeers",
		Params: []trial.Param{
			{Name: "m", Form: "K", Default: "16", Meaning: "bits of an identifier", Check: func(in *trial.Instance, value string) error {
				if err := trial.CountParam("m", "", "", 1, dht.MaxBits).Check(in, value); err != nil {
					return err
				}
				if m := in.Count("m"); m < 31 && in.N > 1<<m {
					return fmt.Errorf("%d processes have no different identifiers of %d bits", in.N, m)
				}
				return nil
			}},
			{Name: "k", Form: "K", Default: "3", Meaning: "leading bits that are set aside for superpeers, up to m", Check: func(in *trial.Instance, value string) error {
				return trial.CountParam("k", "", "", 0, in.Count("m")).Check(in, value)
			}},
		},
		Metrics: []trial.Metric{
			{Name: "superpeers_printed", Unit: "processes", Meaning: "processes whose identifier ends in m-k zeros: what lecture notes print a formula for in place of superpeers", Axis: "identifiers that end in zeros", Measure: printedSuperpeers},
		},
		Seeded: func(*trial.Instance) string { return "identifiers" },
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "worst", Metric: "messages", Relation: trial.AtMost, Formula: "m+1 a lookup",
				Convention: "LOOKUP, FORWARD and RESPONSIBLE counted",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64((in.Count("m") + 1) * in.Initiators.Len()), in.Calm()
				},
			},
			{
				Name: "log", Metric: "hops", Relation: trial.AtMost, Formula: "m",
				Convention: "LOOKUP and FORWARD counted, over lookups that leave the process",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(in.Count("m")), in.Calm() },
			},
			{
				Name: "expected", Metric: "superpeers", Relation: trial.Mean, Convention: convention,
				Formula: "2^k (1 - C(2^m-L,N)/C(2^m,N)), L = 2^(m-k)",
				Value: func(in *trial.Instance) (float64, bool) {
					return dht.Expected(in.Count("m"), in.Count("k"), in.N), in.Calm() && in.AllInitiate()
				},
			},
			{
				Name: "most", Metric: "superpeers", Relation: trial.AtMost, Convention: convention, Formula: "min(2^k, N)",
				Value: func(in *trial.Instance) (float64, bool) {
					return min(math.Exp2(float64(in.Count("k"))), float64(in.N)), in.Calm()
				},
			},
			{
				Name: "printed", Metric: "superpeers_printed", Relation: trial.Mean, Convention: convention, Formula: "2^(k-m) N",
				Value: func(in *trial.Instance) (float64, bool) {
					return dht.Printed(in.Count("m"), in.Count("k"), in.N), true
				},
			},
		},
	}, func(in *trial.Instance) []protocols.ID {
		ring, k := ringOf(in), in.Count("k")
		right := make([]protocols.ID, in.N)
		for p := range right {
			right[p] = ring.Superpeer(protocols.ID(p), k)
		}
		return right
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[dht.Message] {
		ring, k := ringOf(in), in.Count("k")
		return func(p protocols.ID) protocols.Process[dht.Message] { return dht.New(p, ring, k) }
	})
}

// printedSuperpeers counts the identifiers that end in m-k zeros. They follow from the
// instance.
func printedSuperpeers(r *trial.Result) (count float64, ok bool) {
	in := r.Instance
	ring, m, k := ringOf(in), in.Count("m"), in.Count("k")
	for p := range protocols.ID(in.N) {
		if ring.ID(p)%(1<<(m-k)) == 0 {
			count++
		}
	}
	return count, r.Judge != nil
}

// ringOf draws different identifiers from the seed.
func ringOf(in *trial.Instance) *dht.Ring {
	m := in.Count("m")
	stream := des.NewStream(in.Setting.Seed, "identifiers")
	taken := make(map[uint64]bool, in.N)
	ids := make([]uint64, in.N)
	for p := range ids {
		id := stream.Uint64() >> (64 - m)
		for taken[id] {
			id = stream.Uint64() >> (64 - m)
		}
		ids[p], taken[id] = id, true
	}
	ring, err := dht.NewRing(m, ids)
	if err != nil {
		panic(err) // they are different, and not too large
	}
	return ring
}
