package phaseking_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/consensus/phaseking"
	"bullring/protocols/rounds"
)

// node keeps the one message that a process sends to all in a round.
type node struct {
	protocols.Node[phaseking.Message]
	id, n int
	sent  int
	said  phaseking.Message
}

func (n *node) ID() protocols.ID                         { return protocols.ID(n.id) }
func (n *node) Degree() int                              { return n.n - 1 }
func (n *node) Neighbor(k int) protocols.ID              { return protocols.ID((n.id + k + 1) % n.n) }
func (n *node) Send(_ protocols.ID, m phaseking.Message) { n.sent, n.said = n.sent+1, m }

// In runs with up to f of n > 4f Byzantine processes, which say anything or nothing to each, the honest
// ones agree, and keep a value with which all of them begin. With more, some runs disagree.
func TestAgreesInSpiteOfLies(t *testing.T) {
	disagreed := 0
	rapid.Check(t, func(t *rapid.T) {
		n, f := rapid.IntRange(1, 9).Draw(t, "n"), rapid.IntRange(0, 2).Draw(t, "f")
		liars := rapid.SliceOfDistinct(rapid.IntRange(0, n-1), rapid.ID).Draw(t, "liars")
		liars = liars[:min(len(liars), f)]
		inputs := rapid.SliceOfN(rapid.IntRange(0, 1), n, n).Draw(t, "inputs")
		lie := rapid.IntRange(-1, 2) // 2 is no value, -1 no message
		nodes, processes := make([]*node, n), make([]*phaseking.Process, n)
		for p := range n {
			nodes[p], processes[p] = &node{id: p, n: n}, phaseking.New(protocols.ID(p), inputs[p], phaseking.Config{Processes: n, Faulty: f})
			processes[p].Start(nodes[p])
		}
		for round := range 2 * (f + 1) {
			arrived := make([][]protocols.Arrival[phaseking.Message], n)
			for p := range n {
				nodes[p].sent = 0
				processes[p].Messages(nodes[p])
				for q := range n {
					m := nodes[p].said
					switch {
					case q == p || nodes[p].sent == 0:
						continue
					case slices.Contains(liars, p):
						if m.Value = lie.Draw(t, fmt.Sprintf("%d to %d in round %d", p, q, round)); m.Value < 0 {
							continue
						}
					}
					arrived[q] = append(arrived[q], protocols.Arrival[phaseking.Message]{From: protocols.ID(p), Message: m})
				}
			}
			for p := range n {
				processes[p].Transition(nodes[p], arrived[p])
			}
		}
		decided, began := map[int]bool{}, map[int]bool{}
		for p := range n {
			d := processes[p].Decision()
			if !d.Made {
				t.Fatalf("process %d has not decided", p)
			}
			if !slices.Contains(liars, p) {
				decided[d.Value], began[inputs[p]] = true, true
			}
		}
		wrong := len(decided) > 1 || len(began) == 1 && !began[keyOf(decided)]
		if n > 4*f && wrong {
			t.Fatalf("n %d, f %d, Byzantine %v, inputs %v: decided %v", n, f, liars, inputs, decided)
		}
		if wrong {
			disagreed++
		}
	})
	if disagreed == 0 && !testing.Short() { // which draws few
		t.Error("too many Byzantine processes have done no harm")
	}
}

func keyOf(set map[int]bool) int {
	for k := range set {
		return k
	}
	return -1
}

// Five processes, f = 1, of which two prefer 0: the first king settles it.
func TestTrace(t *testing.T) {
	processes := make([]*phaseking.Process, 5)
	net := netem.New(netem.Config{Topology: netem.Complete(5), Delay: des.Constant(time.Millisecond), FIFO: true}, func(p protocols.ID) protocols.Process[rounds.Stamped[phaseking.Message]] {
		processes[p] = phaseking.New(p, int(p)%2, phaseking.Config{Processes: 5, Faulty: 1})
		return rounds.NewLockstep(processes[p], time.Millisecond)
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := processes[p].Decision(); d.Made {
			return d.String()
		}
		return ""
	}))
	for p := range protocols.ID(5) {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "phaseking.txt", trace.Bytes())
}

func TestMessage(t *testing.T) {
	if m := (phaseking.Message{Type: phaseking.Prefer}); m.String() != "PREFER(0)" {
		t.Error(m)
	}
	m := phaseking.Message{Type: phaseking.King, Value: 1}
	if m.String() != "KING(1)" || m.Bits() != 16 || m.Kinds()[m.Kind()] != "KING" {
		t.Errorf("%v, %d bits", m, m.Bits())
	}
}

func TestNoSuchInput(t *testing.T) {
	for _, input := range []int{-1, 2} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a process with input %d was made", input)
				}
			}()
			phaseking.New(0, input, phaseking.Config{Processes: 5, Faulty: 1})
		}()
	}
}
