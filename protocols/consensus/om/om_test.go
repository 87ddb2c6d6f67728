package om_test

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
	"bullring/protocols/adversary"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/om"
	"bullring/protocols/rounds"
)

// told is what a process tells another one of the order that came by a path, which ends with the
// sender. A Byzantine one tells what it likes.
type told func(path []int, to, honest int) int

// oral is OM(m) as the paper defines it: the orders that the lieutenants get from the last of the path.
func oral(m int, path []int, order func(to int) int, lieutenants []int, tells told) map[int]int {
	got := map[int]int{}
	for _, i := range lieutenants {
		got[i] = order(i)
	}
	if m == 0 {
		return got
	}
	second := map[int]map[int]int{} // by who acts as the commander
	for _, j := range lieutenants {
		rest := slices.DeleteFunc(slices.Clone(lieutenants), func(i int) bool { return i == j })
		longer := append(slices.Clone(path), j)
		second[j] = oral(m-1, longer, func(to int) int { return tells(longer, to, got[j]) }, rest, tells)
	}
	decided := map[int]int{}
	for _, i := range lieutenants {
		attack := got[i]
		for _, j := range lieutenants {
			if j != i {
				attack += second[j][i]
			}
		}
		if 2*attack > len(lieutenants) {
			decided[i] = 1
		}
	}
	return decided
}

// node keeps what a process sends, round by round.
type node struct {
	protocols.Node[om.Order]
	id, n int
	tells told
	out   map[int][]protocols.Arrival[om.Order]
}

func (n *node) ID() protocols.ID            { return protocols.ID(n.id) }
func (n *node) Degree() int                 { return n.n - 1 }
func (n *node) Neighbor(k int) protocols.ID { return protocols.ID((n.id + k + 1) % n.n) }
func (n *node) Send(to protocols.ID, o om.Order) {
	o.Value = n.tells(addresses(o.Path), int(to), o.Value)
	n.out[int(to)] = append(n.out[int(to)], protocols.Arrival[om.Order]{From: n.ID(), Message: o})
}

func addresses(p om.Path) (path []int) {
	for _, a := range p {
		if a > 0 {
			path = append(path, int(a)-1)
		}
	}
	return path
}

// The decisions are those of the recursive definition, whatever Byzantine processes tell, also if there
// are more of them than the algorithm tolerates. And if there are not, the lieutenants agree.
func TestDecidesAsDefined(t *testing.T) {
	lied, disagreed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n, f := rapid.IntRange(2, 7).Draw(t, "n"), rapid.IntRange(0, 2).Draw(t, "f")
		f = min(f, n-2)
		input := rapid.IntRange(0, 1).Draw(t, "input")
		liars := rapid.SliceOfDistinct(rapid.IntRange(0, n-1), rapid.ID).Draw(t, "liars")
		coins := rapid.SliceOfN(rapid.IntRange(0, 1), 64, 64).Draw(t, "coins")
		tells := func(path []int, to, honest int) int {
			if !slices.Contains(liars, path[len(path)-1]) {
				return honest
			}
			lied++
			hash := to
			for _, p := range path {
				hash = hash*31 + p + 7
			}
			return coins[hash%len(coins)]
		}
		cfg := om.Config{Processes: n, Faulty: f}
		nodes, processes := make([]*node, n), make([]*om.Process, n)
		for p := range n {
			nodes[p], processes[p] = &node{id: p, n: n, tells: tells}, om.New(protocols.ID(p), input, cfg)
			processes[p].Start(nodes[p])
		}
		for range f + 1 {
			arrived := make([][]protocols.Arrival[om.Order], n)
			for p := range n {
				nodes[p].out = map[int][]protocols.Arrival[om.Order]{}
				processes[p].Messages(nodes[p])
				for q := range n {
					arrived[q] = append(arrived[q], nodes[p].out[q]...)
				}
			}
			for p := range n {
				processes[p].Transition(nodes[p], arrived[p])
			}
		}
		lieutenants := []int{}
		for p := 1; p < n; p++ {
			lieutenants = append(lieutenants, p)
		}
		want := oral(f, []int{0}, func(to int) int { return tells([]int{0}, to, input) }, lieutenants, tells)
		decided := map[int]bool{}
		for _, p := range lieutenants {
			if d := processes[p].Decision(); !d.Made || d.Value != want[p] {
				t.Fatalf("n %d, f %d, Byzantine %v: process %d %v, want %d", n, f, liars, p, d, want[p])
			}
			if !slices.Contains(liars, p) {
				decided[want[p]] = true
			}
		}
		switch tolerated := n > 3*f && len(liars) <= f; {
		case tolerated && len(decided) > 1:
			t.Fatalf("n %d, f %d, Byzantine %v: %v", n, f, liars, want)
		case tolerated && !slices.Contains(liars, 0) && decided[1-input]:
			t.Fatalf("n %d, f %d, Byzantine %v: decided against the order %d", n, f, liars, input)
		case len(decided) > 1:
			disagreed++
		}
	})
	if lied == 0 || disagreed == 0 && !testing.Short() { // which draws few
		t.Errorf("%d lies, %d disagreements where too many are Byzantine", lied, disagreed)
	}
}

// What is no order of this round from this sender is ignored.
func TestIgnores(t *testing.T) {
	n := &node{id: 3, n: 4}
	path := func(ids ...int) (p om.Path) {
		for i, id := range ids {
			p[i] = uint8(id) + 1
		}
		return p
	}
	from := func(p int, o om.Order) protocols.Arrival[om.Order] {
		return protocols.Arrival[om.Order]{From: protocols.ID(p), Message: o}
	}
	for name, arrived := range map[string][]protocols.Arrival[om.Order]{
		"by another sender":    {from(1, om.Order{Path: path(0), Value: 1})},
		"not of the commander": {from(1, om.Order{Path: path(1), Value: 1})},
		"too long":             {from(0, om.Order{Path: path(1, 0), Value: 1})},
		"no order":             {from(0, om.Order{Path: path(0), Value: 2})},
		"without a path":       {from(0, om.Order{Value: 1})},
		"the second one":       {from(0, om.Order{Path: path(0), Value: 0}), from(0, om.Order{Path: path(0), Value: 1})},
	} {
		p := om.New(3, 0, om.Config{Processes: 4})
		p.Transition(n, arrived)
		if d := p.Decision(); d != (consensus.Decision{Made: true}) {
			t.Errorf("%s: %v", name, d)
		}
	}
}

// Four generals, of which the commander tells two stories: figure 4 of the paper.
func TestTrace(t *testing.T) {
	processes := make([]*om.Process, 4)
	cfg := om.Config{Processes: 4, Faulty: 1}
	net := netem.New(netem.Config{Topology: netem.Complete(4), Delay: des.Constant(time.Millisecond), FIFO: true}, func(p protocols.ID) protocols.Process[rounds.Stamped[om.Order]] {
		processes[p] = om.New(p, 1, cfg)
		var general protocols.Round[om.Order] = processes[p]
		if p == 0 {
			general = adversary.TwoFaced(general, adversary.Contrary(om.New(p, 1, cfg), om.Order.Opposite), func(to protocols.ID) bool { return to < 2 })
		}
		return rounds.NewLockstep(general, time.Millisecond)
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := processes[p].Decision(); d.Made && p != 0 {
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
	golden.Check(t, "traitorous-commander.txt", trace.Bytes())
}

func TestOrder(t *testing.T) {
	o := om.Order{Path: om.Path{1, 3, 255}, Value: 1}
	if o.String() != "ORDER(1 by 0,2,254)" || o.Bits() != 8+8+3*64 || o.Opposite().Value != 0 || o.Kinds()[o.Kind()] != "ORDER" {
		t.Errorf("%v, %d bits, %v", o, o.Bits(), o.Opposite())
	}
}

func TestNoSuchGeneral(t *testing.T) {
	for _, c := range []struct {
		input int
		cfg   om.Config
	}{{2, om.Config{Processes: 4}}, {-1, om.Config{Processes: 4}}, {0, om.Config{Processes: 256}}, {0, om.Config{Processes: 25, Faulty: 8}}, {0, om.Config{Processes: 4, Faulty: -1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was made", fmt.Sprint(c))
				}
			}()
			om.New(0, c.input, c.cfg)
		}()
	}
}
