package synchronous_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/itairodeh/synchronous"
	"bullring/protocols/rounds"
)

func run(t *testing.T, n int, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology, nw.Start = netem.Ring(n), electiontest.All(n)
	return electiontest.Run(t, nw, func(protocols.ID) election.Process[rounds.Stamped[synchronous.Message]] {
		return electiontest.Lockstep(synchronous.New(synchronous.Config{N: n}))
	})
}

// Itai and Rodeh 1990: one leader with probability 1, behind phases of n rounds, and
// the token of every candidate goes all the way round: n messages each.
func TestElectsOne(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for seed := range uint64(40) {
			res := run(t, n, electiontest.Network{Seed: seed})
			leaders := 0
			for _, d := range res.Decisions {
				if d.Status == election.Leader {
					leaders++
				}
			}
			if leaders != 1 || res.Leaders != 1 || res.Total%n != 0 {
				t.Fatalf("n=%d, seed %d: %d leaders, %d at once, %d messages", n, seed, leaders, res.Leaders, res.Total)
			}
			if res.Learnt%electiontest.Hops(n) != 0 || res.Learnt == 0 || res.Quiet != res.Learnt {
				t.Fatalf("n=%d, seed %d: elected at %v, quiet at %v; phases take %d", n, seed, res.Learnt, res.Quiet, n)
			}
		}
	}
}

// binomial is the probability that w of m become candidates, each with probability 1/m.
func binomial(m, w int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m), int64(w)))
	for i := range m {
		if i < w {
			p.Mul(p, big.NewRat(1, int64(m)))
		} else {
			p.Mul(p, big.NewRat(int64(m-1), int64(m)))
		}
	}
	return p
}

// phases is M(m), the expected number of phases with m active.
func phases(m int) *big.Rat {
	sum, again := big.NewRat(1, 1), binomial(m, 0)
	for w := 2; w < m; w++ {
		sum.Add(sum, new(big.Rat).Mul(binomial(m, w), phases(w)))
	}
	again.Add(again, binomial(m, m))
	if m == 1 {
		return sum
	}
	return sum.Quo(sum, again.Sub(big.NewRat(1, 1), again))
}

// Lavault and Louchard 2006, and before them Itai and Rodeh: M(2) = 2, M(n) -> 2.4417.
func TestRecurrence(t *testing.T) {
	for n, want := range map[int]string{1: "1.00000", 2: "2.00000", 3: "2.16667", 4: "2.24138", 8: "2.34542", 16: "2.39442"} {
		if got := phases(n).FloatString(5); got != want {
			t.Errorf("M(%d) = %s, want %s", n, got, want)
		}
	}
}

// play plays phases of the processes themselves, with draws of the caller's: how many
// candidates there were in each.
func play(n, phases int, draw func(int) int) (candidates []int) {
	ps, nodes := make([]*synchronous.Process, n), make([]*electiontest.Ring[synchronous.Message], n)
	playing := -1
	for i := range ps {
		ps[i] = synchronous.New(synchronous.Config{N: n})
		nodes[i] = &electiontest.Ring[synchronous.Message]{Address: protocols.ID(i), N: n, Draw: func(of int) int {
			if playing == phases-1 { // their draws for the next are not looked at
				return 0
			}
			return draw(of)
		}}
		ps[i].Start(nodes[i])
	}
	for playing = range phases {
		messages := 0
		for range n {
			sent := make([][]synchronous.Message, n)
			for i, p := range ps {
				p.Messages(nodes[i])
				sent[i] = nodes[i].Take()
				messages += len(sent[i])
			}
			for i := range ps {
				var arrived []protocols.Arrival[synchronous.Message]
				for _, m := range sent[(i+n-1)%n] {
					arrived = append(arrived, protocols.Arrival[synchronous.Message]{Message: m})
				}
				ps[i].Transition(nodes[i], arrived)
			}
		}
		candidates = append(candidates, messages/n)
		if ps[0].Halted() {
			break
		}
	}
	return candidates
}

// Every draw of two phases, with its probability: as many candidates as the recurrence
// says.
func TestEveryDraw(t *testing.T) {
	for n := 1; n <= 4; n++ {
		went := map[string]*big.Rat{}
		var path string
		electiontest.EveryDraw(func(draw func(int) int) {
			path = fmt.Sprint(play(n, 2, draw))
		}, func(p *big.Rat) {
			if went[path] == nil {
				went[path] = new(big.Rat)
			}
			went[path].Add(went[path], p)
		})
		want := map[string]*big.Rat{}
		for w := range n + 1 {
			p := binomial(n, w)
			if w == 1 {
				want["[1]"] = p
				continue
			}
			m := w
			if w == 0 {
				m = n
			}
			for v := range m + 1 {
				if q := new(big.Rat).Mul(p, binomial(m, v)); q.Sign() > 0 {
					want[fmt.Sprint([]int{w, v})] = q
				}
			}
		}
		if len(went) != len(want) {
			t.Errorf("n=%d: %v, want %v", n, went, want)
		}
		for path, p := range want {
			if went[path] == nil || went[path].Cmp(p) != 0 {
				t.Errorf("n=%d: candidates %s with probability %v, want %v", n, path, went[path], p)
			}
		}
	}
}

func TestMessage(t *testing.T) {
	m := synchronous.Message{}
	if m.Kind() != 0 || !slices.Equal(m.Kinds(), []string{"TOKEN"}) || m.Bits() != 8 || m.String() != "TOKEN" {
		t.Errorf("%v: kind %d of %v, %d bits", m, m.Kind(), m.Kinds(), m.Bits())
	}
}

func TestNoRing(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "a ring of 0") {
			t.Errorf("panic %v", r)
		}
	}()
	synchronous.New(synchronous.Config{})
}
