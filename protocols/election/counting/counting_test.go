package counting_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/counting"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/rounds"
)

// node takes what a process broadcasts.
type node struct {
	protocols.Node[counting.Message]
	said *counting.Message
}

func (n node) Broadcast(m counting.Message) { *n.said = m }

// system is the processes of a network between two rounds.
type system []counting.Process

func begun(n int, order election.Order) (s system) {
	for p := range n {
		process := counting.New(election.Rank{ID: election.Identity(p*7%n + 1)}, order) // n is no multiple of 7
		process.Start(nil)
		s = append(s, *process)
	}
	return s
}

// round is the system after another round.
func (s system) round(g testnet.Graph) system {
	next, said := append(system(nil), s...), make([]counting.Message, len(s))
	for p := range next {
		if !next[p].Halted() {
			next[p].Messages(node{said: &said[p]})
		}
	}
	for q := range next {
		var arrived []protocols.Arrival[counting.Message]
		for p := range next {
			if said[p] != nil && slices.Contains(g[p], protocols.ID(q)) {
				arrived = append(arrived, protocols.Arrival[counting.Message]{From: protocols.ID(p), Message: said[p]})
			}
		}
		if !next[q].Halted() {
			next[q].Transition(nil, arrived)
		}
	}
	return next
}

// check tells what is wrong after a round: nobody decides before round n, and all decide in it.
func (s system) check(round int, best election.Identity) string {
	for p := range s {
		d := s[p].Decision()
		switch {
		case round < len(s) && s[p].Halted():
			return fmt.Sprintf("process %d halts after %d rounds", p, round)
		case round == len(s) && (!s[p].Halted() || s[p].Count() != len(s) || d.Leader != best || s[p].Round() != round):
			return fmt.Sprintf("process %d counts %d, decision %v, in round %d", p, s[p].Count(), d, s[p].Round())
		}
	}
	return ""
}

// In every sequence of connected graphs of up to four processes, each counts all in exactly n rounds.
func TestEverySequence(t *testing.T) {
	for n := 1; n <= 4; n++ {
		graphs, states := slices.Collect(testnet.Graphs(n)), map[string]system{"": begun(n, election.Max)}
		for round := 1; round <= n; round++ {
			after := map[string]system{}
			for _, s := range states {
				for _, g := range graphs {
					next := s.round(g)
					if wrong := next.check(round, election.Identity(n)); wrong != "" {
						t.Fatalf("n %d, round %d, graph %v: %s", n, round, g, wrong)
					}
					after[fmt.Sprint(next)] = next
				}
			}
			states = after
		}
	}
}

// With random connected graphs it is the same for larger networks, and for the smallest rank.
func TestRandomSequences(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 5 + draw.IntN(20)
		if n%7 == 0 {
			n++
		}
		s := begun(n, election.Min)
		for round := 1; round <= n; round++ {
			if s = s.round(testnet.RandomGraph(n, 2, draw.IntN)); s.check(round, 1) != "" {
				t.Fatalf("n %d, round %d: %s", n, round, s.check(round, 1))
			}
		}
	}
}

// In a graph that falls apart, a process counts too few: the model matters.
func TestDisconnected(t *testing.T) {
	s := begun(3, election.Max)
	if s = s.round(make(testnet.Graph, 3)); s[0].Count() != 1 || s[0].Decision().Status != election.Leader {
		t.Errorf("alone, a process counts %d and is %v", s[0].Count(), s[0].Decision())
	}
}

// The graph is complete, and stays.
func TestTrace(t *testing.T) {
	net := testnet.New(3, testnet.Always(time.Millisecond), func(p protocols.ID) protocols.Process[rounds.Stamped[counting.Message]] {
		return rounds.NewLockstep(counting.New(election.Rank{ID: election.Identity(3 - p)}, election.Max), time.Millisecond)
	})
	var trace bytes.Buffer
	net.Trace = &trace
	net.At(0, func() {
		for p := range protocols.ID(3) {
			net.Start(p)
		}
	})
	if !net.Settle(time.Second) {
		t.Fatalf("no rest:\n%s", trace.Bytes())
	}
	golden.Check(t, "complete.txt", trace.Bytes())
}
