package dissemination_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/dissemination"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/workload"
)

// node is the place of a process. It keeps what is broadcast, and until when the process waits.
type node struct {
	protocols.Node[dissemination.Message]
	said  dissemination.Message
	waits bool
}

func (n *node) Broadcast(m dissemination.Message) { n.said = m }

func (n *node) SetTimer(protocols.Timer, time.Duration) { n.waits = true }

// outcome is how many items the processes have at the end, the round of the last delivery, and the broadcasts.
type outcome struct{ delivered, last, broadcasts int }

// run runs n processes, of which those before k have an item each, round by round. next is the graph of the next
// round, given who has the first item.
func run(n, k int, tokens bool, next func(have uint) testnet.Graph) (o outcome) {
	cfg := dissemination.Config{Processes: n, Length: time.Second}
	if tokens {
		cfg.Tokens = k
	}
	nodes, processes := make([]*node, n), make([]*dissemination.Process, n)
	first := broadcast.Item{Number: 1}
	for p := range n {
		nodes[p], processes[p] = &node{}, dissemination.New(cfg)
		processes[p].Boot(nodes[p])
		if p < k {
			processes[p].Broadcast(nodes[p], broadcast.Item{Origin: protocols.ID(p), Number: 1})
		}
	}
	for round := 1; nodes[0].waits; round++ {
		had, have := 0, uint(0)
		for p, process := range processes {
			had += len(process.Delivered())
			if slices.Contains(process.Delivered(), first) {
				have |= 1 << p
			}
		}
		g := next(have)
		said := make([]dissemination.Message, n)
		for p := range n {
			if said[p] = nodes[p].said; said[p] != nil {
				o.broadcasts++
			}
			nodes[p].said, nodes[p].waits = nil, false
		}
		o.delivered = 0
		for q, process := range processes {
			for p := range n {
				if said[p] != nil && slices.Contains(g[p], protocols.ID(q)) {
					process.Receive(nodes[q], protocols.ID(p), said[p])
				}
			}
			o.delivered += len(process.Delivered())
		}
		if o.delivered > had {
			o.last = round
		}
		for q, process := range processes {
			process.Timeout(nodes[q], 0)
		}
	}
	return o
}

// sequences calls test with each sequence of so many of the graphs.
func sequences(graphs []testnet.Graph, rounds int, test func([]testnet.Graph)) {
	at := make([]int, rounds)
	sequence := make([]testnet.Graph, rounds)
	for {
		for i, g := range at {
			sequence[i] = graphs[g]
		}
		test(sequence)
		i := 0
		for ; i < rounds; i++ {
			if at[i]++; at[i] < len(graphs) {
				break
			}
			at[i] = 0
		}
		if i == rounds {
			return
		}
	}
}

// In every sequence of connected graphs each item reaches all: of up to four processes with sets, of three with tokens.
func TestEverySequence(t *testing.T) {
	for _, c := range []struct {
		n, k   int
		tokens bool
	}{{2, 1, false}, {2, 2, true}, {3, 1, false}, {3, 3, false}, {3, 1, true}, {3, 2, true}, {3, 3, true}, {4, 1, false}, {4, 4, false}, {4, 1, true}} {
		rounds := c.n - 1
		if c.tokens {
			rounds *= c.k
		}
		worst := 0
		sequences(slices.Collect(testnet.Graphs(c.n)), rounds, func(sequence []testnet.Graph) {
			round := 0
			o := run(c.n, c.k, c.tokens, func(uint) testnet.Graph {
				round++
				return sequence[round-1]
			})
			if o.delivered != c.n*c.k || round != rounds || o.broadcasts > c.n*rounds || !c.tokens && c.k == c.n && o.broadcasts != c.n*rounds {
				t.Fatalf("%+v, graphs %v: %+v after %d rounds", c, sequence, o, round)
			}
			worst = max(worst, o.last)
		})
		if c.k == 1 && worst != c.n-1 {
			t.Errorf("%+v: the last delivery is in round %d at the latest, want %d", c, worst, c.n-1)
		}
	}
}

// An adversary that joins those who have the item to the others by one link needs exactly n-1 rounds.
func TestWorst(t *testing.T) {
	for n := 2; n <= 30; n++ {
		o := run(n, 1, false, func(have uint) testnet.Graph {
			order := make([]int, 0, n)
			for p := range n {
				if have>>p&1 == 1 {
					order = append(order, p)
				}
			}
			for p := range n {
				if have>>p&1 == 0 {
					order = append(order, p)
				}
			}
			var path [][2]int
			for i := 1; i < n; i++ {
				path = append(path, [2]int{order[i-1], order[i]})
			}
			return testnet.NewGraph(n, path)
		})
		if o.last != n-1 || o.broadcasts != n*(n-1)/2 {
			t.Errorf("n %d: %+v", n, o)
		}
	}
}

// With random connected graphs tokens reach all, and never later than the bound.
func TestRandomSequences(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 2 + draw.IntN(12)
		k := 1 + draw.IntN(n)
		o := run(n, k, true, func(uint) testnet.Graph {
			return testnet.RandomGraph(n, 2, draw.IntN)
		})
		if o.delivered != n*k || o.last > k*(n-1) {
			t.Fatalf("n %d, k %d: %+v", n, k, o)
		}
	}
}

// Two processes of three broadcast an item each, on a complete graph that stays.
func TestTrace(t *testing.T) {
	for name, tokens := range map[string]int{"sets": 0, "tokens": 2} {
		net := testnet.New(3, testnet.Always(time.Millisecond), func(protocols.ID) protocols.Process[dissemination.Message] {
			cfg := dissemination.Config{Processes: 3, Tokens: tokens, Length: time.Millisecond}
			return broadcast.NewClient[dissemination.Message](dissemination.New(cfg), workload.Work{Requests: 1})
		})
		var trace bytes.Buffer
		net.Trace = &trace
		net.At(0, func() {
			net.Start(0)
			net.Start(2)
		})
		if !net.Settle(time.Second) {
			t.Fatalf("no rest:\n%s", trace.Bytes())
		}
		golden.Check(t, name+".txt", trace.Bytes())
	}
}

func TestRefuses(t *testing.T) {
	for _, cfg := range []dissemination.Config{{}, {Processes: 2}, {Processes: 2, Tokens: -1, Length: 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("took %+v", cfg)
				}
			}()
			dissemination.New(cfg)
		}()
	}
	if got := fmt.Sprint(dissemination.Message{{Origin: 2, Number: 1}, {Origin: 3, Number: 1}}); got != "ITEMS(2.1,3.1)" {
		t.Error(got)
	}
}
