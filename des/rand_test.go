package des_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"bullring/des"
)

// The generator is SplitMix64: these are the first outputs from state 0 of the
// reference implementation (prng.di.unimi.it/splitmix64.c).
func TestStreamIsSplitMix64(t *testing.T) {
	var s des.Stream
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f, 0xf88bb8a8724c81ec} {
		if got := s.Uint64(); got != want {
			t.Errorf("draw %d is %#x; want %#x", i, got, want)
		}
	}
}

// The numbers of a named stream are frozen, because published results name a seed. If one of
// these changes, every golden fingerprint does, and netem.Epoch must go up.
func TestNamedStreamsAreFrozen(t *testing.T) {
	for _, tc := range []struct {
		name string
		s    des.Stream
		want [3]uint64
	}{
		{"seed 1, link", des.NewStream(1, "link"), [3]uint64{0x21d9779540b21106, 0x8fe851560bf63aae, 0x91fb59e1c869aec3}},
		{"seed 1, link 0 to 1", des.NewStream(1, "link", 0, 1), [3]uint64{0x676ee7c09b05282, 0xd699757f7cb27c2e, 0xcf12fb7ac2ad84a3}},
		{"seed 2, link 0 to 1", des.NewStream(2, "link", 0, 1), [3]uint64{0x20cfd80acf2aa6b3, 0x807c6319dfa2d43e, 0x41744b052b7938f2}},
		{"seed 0, no name", des.NewStream(0, ""), [3]uint64{0x568a9b0b1a2c05ec, 0x44e5b8b147ef718b, 0x458563ab55521133}},
		{"seed 2^64-1, choice 7", des.NewStream(math.MaxUint64, "choice", 7), [3]uint64{0xe4c4f6122750bc89, 0x72680cfc68770026, 0xfda6101bfca46fa4}},
	} {
		var got [3]uint64
		for i := range got {
			got[i] = tc.s.Uint64()
		}
		if got != tc.want {
			t.Errorf("%s: %#x; want %#x", tc.name, got, tc.want)
		}
	}
	s := des.NewStream(1, "permutation")
	if got, want := s.Perm(10), []int32{4, 3, 8, 9, 5, 6, 2, 7, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("Perm(10) = %v; want %v", got, want)
	}
}

// Draw number i of a stream depends on (seed, name, i) alone: draws from other streams in
// between change nothing.
func TestConsumersDoNotShiftOneAnother(t *testing.T) {
	alone := draws(des.NewStream(5, "link", 3), 100)
	s := des.NewStream(5, "link", 3)
	parent, other := des.NewStream(5, "link"), des.NewStream(5, "node", 3)
	var among []uint64
	for range alone {
		other.Uint64()
		other.Intn(7)
		sub := parent.Sub(4)
		sub.Uint64()
		among = append(among, s.Uint64())
	}
	if !slices.Equal(among, alone) {
		t.Error("the stream depends on what others draw")
	}
	if again := draws(parent.Sub(3), 100); !slices.Equal(again, alone) {
		t.Error("the numbers of NewStream are not those of Sub")
	}
}

func draws(s des.Stream, n int) []uint64 {
	xs := make([]uint64, n)
	for i := range xs {
		xs[i] = s.Uint64()
	}
	return xs
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	differ := func(name string, s des.Stream) {
		t.Helper()
		x := s.Uint64()
		if other, ok := seen[x]; ok {
			t.Errorf("%s begins as %s does", name, other)
		}
		seen[x] = name
	}
	for seed := range uint64(20) {
		for _, name := range []string{"", "a", "b", "ab", "ba", "link", "choice"} {
			root := des.NewStream(seed, name)
			differ("the stream itself", root)
			for a := range uint64(20) {
				differ("a stream's sub", root.Sub(a))
				for b := range uint64(20) {
					differ("a sub's sub", root.Sub(a).Sub(b)) // so (1, 2) is not (2, 1)
				}
			}
		}
	}
}

// The first draws of streams k and k+1 differ in half of their bits, within four standard
// errors.
func TestNeighbouringStreamsAreUnrelated(t *testing.T) {
	const n = 100_000
	for name, stream := range map[string]func(uint64) des.Stream{
		"seeds": func(k uint64) des.Stream { return des.NewStream(k, "link") },
		"subs":  func(k uint64) des.Stream { return des.NewStream(1, "link").Sub(k) },
	} {
		var differing [64]int
		last := uint64(0)
		for k := range uint64(n + 1) {
			s := stream(k)
			x := s.Uint64()
			for b := range differing {
				if k > 0 {
					differing[b] += int((x ^ last) >> b & 1)
				}
			}
			last = x
		}
		for b, d := range differing {
			if z := (float64(d) - n/2) / math.Sqrt(n/4); math.Abs(z) > 4 {
				t.Errorf("%s: bit %d differs in %d of %d neighbours, %.1f standard errors off", name, b, d, n, z)
			}
		}
	}
}

// chiSquare is Pearson's statistic of counts that should all be equal, and the value that it
// exceeds once in a thousand times by chance (Wilson and Hilferty).
func chiSquare(counts []int) (statistic, limit float64) {
	total := 0
	for _, c := range counts {
		total += c
	}
	want := float64(total) / float64(len(counts))
	for _, c := range counts {
		statistic += (float64(c) - want) * (float64(c) - want) / want
	}
	const z = 3.09 // the normal quantile at 0.999
	df := float64(len(counts) - 1)
	return statistic, df * math.Pow(1-2/(9*df)+z*math.Sqrt(2/(9*df)), 3)
}

func wantUniform(t *testing.T, what string, counts []int) {
	t.Helper()
	if got, limit := chiSquare(counts); got > limit {
		t.Errorf("%s: chi-square %.1f; want at most %.1f", what, got, limit)
	}
}

func TestIntnIsUniform(t *testing.T) {
	for _, n := range []int{2, 3, 6, 7, 64, 100, 1000} {
		s := des.NewStream(1, "uniform", uint64(n))
		counts := make([]int, n)
		for range 200_000 {
			counts[s.Intn(n)]++
		}
		wantUniform(t, "Intn("+strconv.Itoa(n)+")", counts)
	}
	if s := des.NewStream(1, "one"); s.Intn(1) != 0 {
		t.Error("Intn(1) is not 0")
	}
}

// With an n that is not small beside 2^64, a multiplication without rejection would show: for
// n = 3*2^61 it gives the residues mod 3 in the ratio 3:3:2.
func TestIntnRejects(t *testing.T) {
	n := 3
	if strconv.IntSize == 64 {
		n <<= strconv.IntSize - 3
	}
	s := des.NewStream(1, "reject")
	counts := make([]int, 3)
	for range 100_000 {
		counts[s.Intn(n)%3]++
	}
	wantUniform(t, "Intn(3*2^61) mod 3", counts)
}

func TestIntnNeedsAPositiveNumber(t *testing.T) {
	for _, n := range []int{0, -1, math.MinInt} {
		if panicOf(func() { s := des.NewStream(1, ""); s.Intn(n) }) == "" {
			t.Errorf("Intn(%d) does not panic", n)
		}
	}
}

func TestPermIsAPermutation(t *testing.T) {
	s := des.NewStream(1, "permutations")
	for n := range 50 {
		p := s.Perm(n)
		slices.Sort(p)
		for i, x := range p {
			if int32(i) != x {
				t.Fatalf("Perm(%d) sorted is %v", n, p)
			}
		}
		if len(p) != n {
			t.Fatalf("Perm(%d) has %d elements", n, len(p))
		}
	}
}

func TestPermIsUniform(t *testing.T) {
	s := des.NewStream(1, "permutations of four")
	index := map[[4]int32]int{}
	counts := make([]int, 24)
	for range 24_000 {
		p := [4]int32(s.Perm(4))
		if _, ok := index[p]; !ok {
			index[p] = len(index)
		}
		counts[index[p]]++
	}
	wantUniform(t, "Perm(4)", counts)
}
