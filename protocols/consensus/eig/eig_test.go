package eig_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/eig"
	"bullring/protocols/rounds"
)

// Four processes, of which the last tells the first two something else than the third.
func TestTrace(t *testing.T) {
	processes := make([]*eig.Process, 4)
	cfg := eig.Config{Processes: 4, Faulty: 1}
	net := netem.New(netem.Config{Topology: netem.Complete(4), Delay: des.Constant(time.Millisecond), FIFO: true}, func(p protocols.ID) protocols.Process[rounds.Stamped[eig.Message]] {
		processes[p] = eig.New(p, int(p)%2, cfg)
		var process protocols.Round[eig.Message] = processes[p]
		if p == 3 {
			process = adversary.TwoFaced(process, adversary.Contrary(eig.New(p, 1, cfg), eig.Message.Opposite), func(to protocols.ID) bool { return to < 2 })
		}
		return rounds.NewLockstep(process, time.Millisecond)
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := processes[p].Decision(); d.Made && p != 3 {
			return d.String()
		}
		return ""
	}))
	for p := range protocols.ID(4) {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "two-faced.txt", trace.Bytes())
}

// gathered is EIGByz as Lynch defines it in section 6.3.2 (the tree of reports is that of section 6.2.3),
// top down. A label of the tree is a path of processes.
type gathered struct {
	n, f   int
	inputs []int
	tells  told
}

// told is what a process tells another one of the value that it has for a label: the path that begins
// with that label and ends with the teller. A Byzantine one tells what it likes.
type told func(path []int, to, honest int) int

// has is the value with which a process decorates a label when the messages of that round have come.
func (g gathered) has(id int, label []int) int {
	if len(label) == 0 {
		return g.inputs[id]
	}
	last := len(label) - 1
	return g.tells(label, id, g.has(label[last], label[:last]))
}

// resolved is the value of a label from the leaves upwards: the majority of its children, 0 without one.
// A process has no child of its own, and takes what it has passed on.
func (g gathered) resolved(id int, label []int) int {
	if len(label) == g.f+1 {
		return g.has(id, label)
	}
	ones, children := 0, 0
	for j := range g.n {
		switch {
		case slices.Contains(label, j):
			continue
		case j == id:
			ones += g.has(id, label)
		default:
			ones += g.resolved(id, append(slices.Clone(label), j))
		}
		children++
	}
	if 2*ones > children {
		return 1
	}
	return 0
}

// node keeps what a process sends in a round.
type node struct {
	protocols.Node[eig.Message]
	id, n int
	tells told
	out   map[int][]protocols.Arrival[eig.Message]
}

func (n *node) Degree() int                 { return n.n - 1 }
func (n *node) Neighbor(k int) protocols.ID { return protocols.ID((n.id + k + 1) % n.n) }
func (n *node) Send(to protocols.ID, m eig.Message) {
	m = slices.Clone(m)
	for i, v := range m {
		m[i].Value = n.tells(addresses(v.Path), int(to), v.Value)
	}
	n.out[int(to)] = append(n.out[int(to)], protocols.Arrival[eig.Message]{From: protocols.ID(n.id), Message: m})
}

func addresses(p consensus.Path) (label []int) {
	for _, a := range p[:p.Len()] {
		label = append(label, int(a)-1)
	}
	return label
}

// run has the processes go through their rounds.
func (g gathered) run() []*eig.Process {
	processes, nodes := make([]*eig.Process, g.n), make([]*node, g.n)
	for p := range g.n {
		processes[p] = eig.New(protocols.ID(p), g.inputs[p], eig.Config{Processes: g.n, Faulty: g.f})
		nodes[p] = &node{id: p, n: g.n, tells: g.tells}
	}
	for range g.f + 1 {
		arrived := make([][]protocols.Arrival[eig.Message], g.n)
		for p := range g.n {
			nodes[p].out = map[int][]protocols.Arrival[eig.Message]{}
			processes[p].Messages(nodes[p])
			for q := range g.n {
				arrived[q] = append(arrived[q], nodes[p].out[q]...)
			}
		}
		for p := range g.n {
			processes[p].Transition(nodes[p], arrived[p])
		}
	}
	return processes
}

// The decisions are those of the definition, whatever Byzantine processes tell, also if there are more of
// them than the algorithm tolerates. And if there are not, the others agree, on their input if all have
// the same.
func TestResolvesAsDefined(t *testing.T) {
	lied, disagreed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n, f := rapid.IntRange(1, 7).Draw(t, "n"), rapid.IntRange(0, 2).Draw(t, "f")
		inputs := rapid.SliceOfN(rapid.IntRange(0, 1), n, n).Draw(t, "inputs")
		liars := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 3), rapid.ID).Draw(t, "liars")
		coins := rapid.SliceOfN(rapid.IntRange(0, 1), 64, 64).Draw(t, "coins")
		g := gathered{n: n, f: f, inputs: inputs, tells: func(path []int, to, honest int) int {
			if !slices.Contains(liars, path[len(path)-1]) {
				return honest
			}
			lied++
			hash := to
			for _, p := range path {
				hash = hash*31 + p + 7
			}
			return coins[hash%len(coins)]
		}}
		decided, began := map[int]bool{}, map[int]bool{}
		for p, process := range g.run() {
			want := g.resolved(p, nil)
			if d := process.Decision(); !d.Made || d.Value != want {
				t.Fatalf("n %d, f %d, inputs %v, Byzantine %v: process %d %v, want %d", n, f, inputs, liars, p, d, want)
			}
			if !slices.Contains(liars, p) {
				decided[want], began[inputs[p]] = true, true
			}
		}
		switch tolerated := n > 3*f && len(liars) <= f; {
		case tolerated && (len(decided) > 1 || len(began) == 1 && !maps.Equal(began, decided)):
			t.Fatalf("n %d, f %d, inputs %v, Byzantine %v: decided %v", n, f, inputs, liars, decided)
		case len(decided) > 1:
			disagreed++
		}
	})
	if lied == 0 || disagreed == 0 && !testing.Short() { // which draws few
		t.Errorf("%d lies, %d disagreements where too many are Byzantine", lied, disagreed)
	}
}

func path(ids ...protocols.ID) (p consensus.Path) {
	for _, id := range ids {
		p = p.With(id)
	}
	return p
}

// What is no value of this round from this sender is ignored: process 3, with the value 1, decides as if
// the others had said nothing.
func TestIgnores(t *testing.T) {
	for name, v := range map[string]eig.Value{
		"by another sender":  {Path: path(1), Value: 1},
		"too long":           {Path: path(1, 0), Value: 1},
		"no value":           {Path: path(0), Value: 2},
		"without a path":     {Value: 1},
		"by the receiver":    {Path: path(3), Value: 1},
		"by no process":      {Path: path(7), Value: 1},
		"that is not told 1": {Path: path(0), Value: 0},
	} {
		p := eig.New(3, 1, eig.Config{Processes: 4})
		p.Transition(nil, []protocols.Arrival[eig.Message]{{From: 0, Message: eig.Message{v}}})
		if d := p.Decision(); d != (consensus.Decision{Made: true}) {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestMessage(t *testing.T) {
	m := eig.Message{{Path: path(0, 2), Value: 1}, {Path: path(1)}}
	if m.String() != "VALUES(1 by 0,2; 0 by 1)" || m.Bits() != 8+(8+128)+(8+64) || m.Opposite().String() != "VALUES(0 by 0,2; 1 by 1)" {
		t.Errorf("%v, %d bits, %v", m, m.Bits(), m.Opposite())
	}
}

func TestNoSuchProcess(t *testing.T) {
	for _, cfg := range []eig.Config{{Processes: 256}, {Processes: 25, Faulty: 8}, {Processes: 4, Faulty: -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was made", cfg)
				}
			}()
			eig.New(0, 0, cfg)
		}()
	}
}
