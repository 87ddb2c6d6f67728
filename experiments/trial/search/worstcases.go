package search

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/combin"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// cases are the cases of a hunt: placements of the identities 1..n, sets of initiators, and
// seeds of random delays.
type cases struct {
	base   trial.Setting
	n      int
	living []protocols.ID

	ids bool // placements vary
	// pinned: identity n stays at the last address, because a rotation of a run on the ring
	// is a run. Each process receives from one other process, so the order of events at one
	// instant makes no difference.
	pinned     bool
	initiators bool // sets of initiators vary
	size       int  // of these sets; 0 is any
	seeds      bool // seeds vary
}

// huntCase is one of the cases.
type huntCase struct {
	ids    []int  // identities by address; nil if they do not vary
	starts []bool // by index in cases.living; nil if initiators do not vary
	seed   uint64
}

func newCases(in *trial.Instance, over []string) *cases {
	c := &cases{base: explicit(in), n: in.N}
	c.base.MaxEvents = endless
	for p := range protocols.ID(in.N) {
		if !in.IsDead(p) {
			c.living = append(c.living, p)
		}
	}
	c.ids, c.initiators = slices.Contains(over, OverIDs), slices.Contains(over, overInitiators)
	if c.ids {
		c.base.Placement = ""
	}
	if c.initiators && (strings.HasPrefix(in.Setting.Initiators, "random:") || in.Algorithm.Assumes.OneInitiates) {
		c.size = in.Initiators.Len()
	}
	turns := c.initiators || in.Setting.Initiators == "all"
	c.pinned = c.ids && turns && in.Algorithm.Rotations && c.base.Topology == "ring" && len(in.Dead) == 0 && c.base.Attr == ""
	return c
}

// delays makes delays random, with the constant delay as their mean or bound, and seeds vary.
func (c *cases) delays(timers string) {
	unit := c.base.Delay
	c.seeds = true
	if timers == trial.FreeTimers {
		c.base.Delay, c.base.OutsideModel = fmt.Sprintf("exp(%s)", unit), true
		return
	}
	c.base.Delay = fmt.Sprintf("uniform(0,%s)", unit)
}

// count returns the number of cases, without seeds.
func (c *cases) count() *big.Int { return new(big.Int).Mul(c.placements(), c.sets()) }

func (c *cases) placements() *big.Int {
	switch {
	case !c.ids:
		return big.NewInt(1)
	case c.pinned:
		return new(big.Int).MulRange(1, int64(c.n-1))
	}
	return new(big.Int).MulRange(1, int64(c.n))
}

func (c *cases) sets() *big.Int {
	one := big.NewInt(1)
	switch k := int64(len(c.living)); {
	case !c.initiators:
		return one
	case c.size > 0:
		return new(big.Int).Binomial(k, int64(c.size))
	default:
		return new(big.Int).Sub(new(big.Int).Lsh(one, uint(k)), one)
	}
}

// at returns the case of a number below count.
func (c *cases) at(i int) huntCase {
	sets := int(c.sets().Int64())
	k := huntCase{seed: c.base.Seed}
	if c.ids {
		k.ids = c.placement(i / sets)
	}
	if c.initiators {
		k.starts = c.set(i % sets)
	}
	return k
}

// placement returns the placement of a number. The increasing one is 0.
func (c *cases) placement(i int) []int {
	moved := c.n
	if c.pinned {
		moved--
	}
	ids := make([]int, c.n)
	ids[c.n-1] = c.n
	combin.IndexToPermutation(ids[:moved], i, moved, moved)
	for p := range moved {
		ids[p]++
	}
	return ids
}

// set returns the set of initiators of a number.
func (c *cases) set(i int) []bool {
	starts := make([]bool, len(c.living))
	if c.size > 0 {
		for _, j := range combin.IndexToCombination(nil, i, len(c.living), c.size) {
			starts[j] = true
		}
		return starts
	}
	for j := range starts {
		starts[j] = (i+1)>>j&1 == 1
	}
	return starts
}

// random draws a case.
func (c *cases) random(s *des.Stream) huntCase {
	k := huntCase{seed: c.base.Seed}
	if c.ids {
		k.ids = make([]int, c.n)
		for p, id := range s.Perm(c.n) {
			k.ids[p] = int(id) + 1
		}
	}
	if c.initiators {
		size := c.size
		if size == 0 {
			size = 1 + s.Intn(len(c.living))
		}
		k.starts = make([]bool, len(c.living))
		for _, j := range s.Perm(len(c.living))[:size] {
			k.starts[j] = true
		}
	}
	if c.seeds {
		k.seed = s.Uint64()
	}
	return k
}

// neighbours returns about how many neighbours a case has, without seeds.
func (c *cases) neighbours() int {
	count := 1
	if c.ids {
		count += c.n * (c.n - 1) / 2
	}
	if c.initiators {
		count += len(c.living) * max(c.size, 1)
	}
	return count
}

// neighbour draws a case that differs in one respect: two identities are swapped, one
// process initiates more or less, or the seed of delays is another.
func (c *cases) neighbour(s *des.Stream, k huntCase) huntCase {
	var moves []func(*des.Stream, *huntCase)
	if c.ids && c.n > 1 {
		moves = append(moves, swapIDs)
	}
	if c.initiators && c.size == 0 {
		moves = append(moves, flip)
	}
	if c.initiators && c.size > 0 && c.size < len(c.living) {
		moves = append(moves, exchange)
	}
	if c.seeds {
		moves = append(moves, func(s *des.Stream, k *huntCase) { k.seed = s.Uint64() })
	}
	k.ids, k.starts = slices.Clone(k.ids), slices.Clone(k.starts)
	if len(moves) > 0 {
		moves[s.Intn(len(moves))](s, &k)
	}
	return k
}

func swapIDs(s *des.Stream, k *huntCase) {
	p := s.Intn(len(k.ids))
	q := (p + 1 + s.Intn(len(k.ids)-1)) % len(k.ids)
	k.ids[p], k.ids[q] = k.ids[q], k.ids[p]
}

// flip adds an initiator or removes one, but not the last.
func flip(s *des.Stream, k *huntCase) {
	j := s.Intn(len(k.starts))
	if k.starts[j] = !k.starts[j]; !slices.Contains(k.starts, true) {
		k.starts[j] = true
	}
}

// exchange replaces one initiator by another process.
func exchange(s *des.Stream, k *huntCase) {
	in, out := s.Intn(len(k.starts)), s.Intn(len(k.starts))
	for !k.starts[in] {
		in = (in + 1) % len(k.starts)
	}
	for k.starts[out] {
		out = (out + 1) % len(k.starts)
	}
	k.starts[in], k.starts[out] = false, true
}

// setting returns the setting of a case.
func (c *cases) setting(k huntCase) trial.Setting {
	s := c.base
	if k.ids != nil {
		words := make([]string, len(k.ids))
		for p, id := range k.ids {
			words[p] = strconv.Itoa(id)
		}
		s.IDs = strings.Join(words, ",")
	}
	if k.starts != nil {
		var words []string
		for j, starts := range k.starts {
			if starts {
				words = append(words, strconv.Itoa(int(c.living[j])))
			}
		}
		if s.Initiators = strings.Join(words, ","); len(words) == len(c.living) {
			s.Initiators = "all"
		}
	}
	s.Seed = k.seed
	return s
}
