package itairodeh_test

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/itairodeh"
)

// run elects on a ring of n that draw from 1..K.
func run(t *testing.T, cfg itairodeh.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	nw.Topology = netem.Ring(cfg.N)
	return electiontest.Run(t, nw, func(protocols.ID) election.Process[itairodeh.Message] { return itairodeh.New(cfg) })
}

// A. Itai and M. Rodeh 1990, theorem 4: one leader, with probability 1, whichever processes
// starts; rounds of n message times; and then silence, with no second leader ever.
func TestElectsOne(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for _, k := range []int{2, n, 10} {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 || k < 1 {
					continue
				}
				for seed := range uint64(5) {
					res := run(t, itairodeh.Config{N: n, K: k}, electiontest.Network{Start: set, Seed: seed})
					leaders := 0
					for id, d := range res.Decisions {
						if d.Status == election.Leader {
							leaders++
							if !slices.Contains(set, protocols.ID(id)) {
								t.Fatalf("n=%d, %v start: %d is elected", n, set, id)
							}
						}
					}
					if leaders != 1 || res.Leaders != 1 {
						t.Fatalf("n=%d, K=%d, %v start, seed %d: %d leaders, %d at once", n, k, set, seed, leaders, res.Leaders)
					}
					if res.Learnt%electiontest.Hops(n) != 0 || res.Learnt == 0 || res.Quiet != res.Learnt {
						t.Fatalf("n=%d, K=%d, %v start, seed %d: elected at %v, quiet at %v; rounds take %d", n, k, set, seed, res.Learnt, res.Quiet, n)
					}
				}
			}
		}
	}
}

// Given the draws the ring is a Kahn network: no schedule changes what is sent, nor
// who wins.
func TestAnyScheduleSendsTheSame(t *testing.T) {
	const n = 5
	for set := range electiontest.Subsets(n) {
		if len(set) == 0 {
			continue
		}
		for nw := range electiontest.RandomDelays() {
			nw.Start = set
			want := run(t, itairodeh.Config{N: n, K: n}, electiontest.Network{Start: set, Seed: nw.Seed})
			got := run(t, itairodeh.Config{N: n, K: n}, nw)
			if !slices.Equal(got.Sent, want.Sent) || !slices.Equal(got.Decisions, want.Decisions) {
				t.Fatalf("%v start, %v: %v, %v; want %v, %v", set, nw.Delay, got.Sent, got.Decisions, want.Sent, want.Decisions)
			}
		}
	}
}

// chain is the recurrence, exactly: what a round costs with m active on average, and
// with what probability w of them go on.
type chain struct{ n, k int }

func (c chain) power(x, e int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(e)), nil))
}

func (c chain) cost(m int) *big.Rat {
	sum := new(big.Rat)
	for x := 1; x <= c.k; x++ {
		for j := range m {
			sum.Add(sum, new(big.Rat).Quo(c.power(x, j), c.power(c.k, j)))
		}
	}
	return sum.Mul(sum, big.NewRat(int64(c.n), int64(c.k)))
}

func (c chain) goOn(m, w int) *big.Rat {
	sum := new(big.Rat)
	for x := 1; x <= c.k; x++ {
		sum.Add(sum, c.power(x-1, m-w))
	}
	sum.Mul(sum, new(big.Rat).SetInt(new(big.Int).Binomial(int64(m), int64(w))))
	return sum.Quo(sum, c.power(c.k, m))
}

// means are the expected numbers of messages and rounds with m active.
func (c chain) means(m int) (messages, rounds *big.Rat) {
	messages, rounds = c.cost(m), big.NewRat(1, 1)
	again := new(big.Rat)
	for w := 2; w <= m; w++ {
		p := c.goOn(m, w)
		if w == m {
			again = p
			continue
		}
		ms, rs := c.means(w)
		messages.Add(messages, ms.Mul(ms, p))
		rounds.Add(rounds, rs.Mul(rs, p))
	}
	again.Sub(big.NewRat(1, 1), again)
	return messages.Quo(messages, again), rounds.Quo(rounds, again)
}

// The recurrence gives the published values: E messages and E rounds for K = n.
func TestRecurrence(t *testing.T) {
	for _, c := range []struct {
		n                int
		messages, rounds string
	}{
		{1, "1", "1"},
		{2, "7", "2"},
		{3, "163/16", "27/16"},
		{4, "4436/315", "8/5"},
	} {
		messages, rounds := chain{c.n, c.n}.means(c.n)
		if messages.RatString() != c.messages || rounds.RatString() != c.rounds {
			t.Errorf("n=%d: %s messages, %s rounds; want %s and %s", c.n, messages.RatString(), rounds.RatString(), c.messages, c.rounds)
		}
	}
	messages, rounds := chain{8, 8}.means(8)
	if messages.FloatString(4) != "32.1976" || rounds.FloatString(5) != "1.49792" {
		t.Errorf("n=8: %s messages, %s rounds", messages.FloatString(4), rounds.FloatString(5))
	}
}

// round plays one round of the processes of a ring, all of which that are in the set
// have just drawn and sent: what is sent, and which of them go on or are elected.
func round(n int, ps []*itairodeh.Process, nodes []*electiontest.Ring[itairodeh.Message]) (messages int, elected bool) {
	for range n {
		sent := make([][]itairodeh.Message, n)
		for i, nd := range nodes {
			sent[i] = nd.Take()
			messages += len(sent[i])
		}
		for i, ms := range sent {
			for _, m := range ms {
				ps[(i+1)%n].Receive(nodes[(i+1)%n], protocols.ID(i), m)
			}
		}
	}
	for _, p := range ps {
		elected = elected || p.Decision().Status == election.Leader
	}
	return messages, elected
}

// Every draw of two rounds, with its probability: of the first round the mean cost is
// what the recurrence says, with any initiators; and so is the probability with which it
// ends, or w go on; and then the same of the second.
func TestEveryDraw(t *testing.T) {
	for _, c := range []struct{ n, k, rounds int }{{2, 2, 3}, {2, 3, 3}, {3, 2, 2}, {3, 3, 2}, {4, 2, 2}, {4, 4, 1}} {
		for set := range electiontest.Subsets(c.n) {
			if len(set) < 2 {
				continue
			}
			cost := new(big.Rat)          // of the rounds played
			went := map[string]*big.Rat{} // how many were active, round by round
			var path string
			var messages int
			electiontest.EveryDraw(func(draw func(int) int) {
				path, messages = "", 0
				ps, nodes := make([]*itairodeh.Process, c.n), make([]*electiontest.Ring[itairodeh.Message], c.n)
				draws, playing := 0, -1
				for i := range ps {
					ps[i] = itairodeh.New(itairodeh.Config{N: c.n, K: c.k})
					nodes[i] = &electiontest.Ring[itairodeh.Message]{Address: protocols.ID(i), N: c.n, Draw: func(of int) int {
						draws++
						if playing == c.rounds-1 { // their draws for the next are not looked at
							return 0
						}
						return draw(of)
					}}
				}
				for _, id := range set {
					ps[id].Start(nodes[id])
				}
				for playing = range c.rounds {
					path += fmt.Sprintf("%d ", draws)
					draws = 0
					sent, elected := round(c.n, ps, nodes)
					messages += sent
					if elected {
						path += "."
						return
					}
				}
				path += fmt.Sprintf("%d ", draws)
			}, func(p *big.Rat) {
				if went[path] == nil {
					went[path] = new(big.Rat)
				}
				went[path].Add(went[path], p)
				cost.Add(cost, p.Mul(p, big.NewRat(int64(messages), 1)))
			})
			wantCost, want := new(big.Rat), map[string]*big.Rat{}
			chain{c.n, c.k}.paths(len(set), c.rounds, "", big.NewRat(1, 1), wantCost, want)
			if cost.Cmp(wantCost) != 0 {
				t.Errorf("n=%d, K=%d, %v start: %d rounds cost %v, want %v", c.n, c.k, set, c.rounds, cost, wantCost)
			}
			if len(went) != len(want) {
				t.Errorf("n=%d, K=%d, %v start: %v; want %v", c.n, c.k, set, went, want)
			}
			for path, p := range want {
				if went[path] == nil || went[path].Cmp(p) != 0 {
					t.Errorf("n=%d, K=%d, %v start: active %s with probability %v, want %v", c.n, c.k, set, path, went[path], p)
				}
			}
		}
	}
}

// paths adds up what so many rounds cost, and the probabilities of what happens in
// them.
func (c chain) paths(m, rounds int, path string, p, cost *big.Rat, all map[string]*big.Rat) {
	path += fmt.Sprintf("%d ", m)
	if rounds == 0 {
		all[path] = p
		return
	}
	cost.Add(cost, new(big.Rat).Mul(p, c.cost(m)))
	all[path+"."] = new(big.Rat).Mul(p, c.goOn(m, 1))
	for w := 2; w <= m; w++ {
		c.paths(w, rounds-1, path, new(big.Rat).Mul(p, c.goOn(m, w)), cost, all)
	}
}

func TestMessage(t *testing.T) {
	m := itairodeh.Message{Draw: 2, Hop: 3, Unique: true}
	if m.Kind() != 0 || !slices.Equal(m.Kinds(), []string{"TOKEN"}) || m.Bits() != 144 || m.String() != "TOKEN(draw 2 hop 3 unique)" {
		t.Errorf("%v: kind %d of %v, %d bits", m, m.Kind(), m.Kinds(), m.Bits())
	}
}

func TestPanics(t *testing.T) {
	for says, do := range map[string]func(){
		"0 processes that draw from 1..2": func() { itairodeh.New(itairodeh.Config{N: 0, K: 2}) },
		"3 processes that draw from 1..0": func() { itairodeh.New(itairodeh.Config{N: 3}) },
		"never sets a timer": func() {
			itairodeh.New(itairodeh.Config{N: 3, K: 3}).Timeout(&electiontest.Ring[itairodeh.Message]{Address: 1}, 1)
		},
	} {
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), says) {
					t.Errorf("panic %v; want %q", r, says)
				}
			}()
			do()
		}()
	}
}

// Two rounds on a ring of three: two draw the same number first.
func TestTrace(t *testing.T) {
	for seed := range uint64(50) {
		var trace bytes.Buffer
		res := run(t, itairodeh.Config{N: 3, K: 3}, electiontest.Network{Start: electiontest.All(3), Seed: seed, Trace: &trace})
		if res.Learnt == electiontest.Hops(6) {
			golden.Check(t, "ring3.txt", trace.Bytes())
			return
		}
	}
	t.Error("no run of two rounds")
}
