package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/netem"
	"bullring/protocols"
)

// rumor floods the largest address that it has heard. It greets a neighbour that comes, and forgets all
// when one goes.
type rumor struct {
	protocols.NoTimers[count]
	best count
	near int // neighbours, when it last acted
}

var _ protocols.Linked[count] = (*rumor)(nil)

func (r *rumor) Start(n protocols.Node[count]) {
	r.best = count(n.ID())
	r.tell(n)
}

func (r *rumor) tell(n protocols.Node[count]) {
	r.near = len(protocols.Neighbors(n))
	protocols.Broadcast(n, r.best)
}

func (r *rumor) Receive(n protocols.Node[count], _ protocols.ID, best count) {
	if best > r.best {
		r.best = best
		r.tell(n)
	}
}

func (r *rumor) LinkUp(n protocols.Node[count], to protocols.ID) {
	near := protocols.Neighbors(n)
	if r.near = len(near); slices.Contains(near, to) { // on a ring the link may lead one way
		n.Send(to, r.best)
	}
}

func (r *rumor) LinkDown(n protocols.Node[count], _ protocols.ID) {
	r.best = count(n.ID())
	r.tell(n)
}

func rumors(topology netem.Topology, network Network, initiators ...protocols.ID) *System[count] {
	return &System[count]{
		Topology: topology, Network: network,
		Roots: []Root[count]{{Boot: func(protocols.ID) protocols.Process[count] { return &rumor{} }, Initiators: initiators, Watch: &quiet{}}},
	}
}

// naive is a state of rumors, in plain words. It shares nothing with the explorer.
type naive struct {
	waits, crashed [3]bool
	best, near     [3]int
	link           [3][3]bool
	queue          [3][3]string // a digit for each message
	notices        [3][3]string // + and - for the changes that the first is to be told of, of its link to the second
	first          string       // who is to be told first, with exact notices
	changes        int
	crashes        int
	graceful       bool
}

// naively counts the states of rumors with FIFO links, the steps between them, and the states in which
// nothing but a fault can happen.
func naively(begin naive, n int, exact bool) (found [3]int) {
	known := map[naive]bool{begin: true}
	for open := []naive{begin}; len(open) > 0; {
		at := open[0]
		open = open[1:]
		next, free := at.steps(n, exact)
		if !free {
			found[2]++
		}
		found[1] += len(next)
		for _, s := range next {
			if !known[s] {
				known[s] = true
				open = append(open, s)
			}
		}
	}
	found[0] = len(known)
	return found
}

// acts is the state after a step of p, and those in which it crashes in the middle. A send is the
// receivers of a message.
func (s naive) acts(p, n int, do func(s *naive) (sends [][]int)) (all []naive) {
	whole := s
	sends := do(&whole)
	for k := len(sends); k >= 0; k-- {
		if k < len(sends) && s.crashes == 0 {
			break
		}
		t := whole
		for _, to := range sends[:k] {
			for _, q := range to {
				if t.link[p][q] && !t.crashed[q] {
					t.queue[p][q] += fmt.Sprint(t.best[p])
				}
			}
		}
		if k < len(sends) {
			t.crash(p, n)
		}
		all = append(all, t)
	}
	return all
}

func (s *naive) crash(p, n int) {
	s.crashes--
	s.crashed[p], s.waits[p], s.best[p], s.near[p] = true, false, 0, 0
	for q := range n {
		s.queue[q][p], s.notices[p][q] = "", ""
	}
	s.first = strings.ReplaceAll(s.first, fmt.Sprint(p), "")
}

func (s *naive) neighbors(p, n int) (all []int) {
	for q := range n {
		if s.link[p][q] {
			all = append(all, q)
		}
	}
	return all
}

func (s *naive) shout(p, n int) [][]int {
	all := s.neighbors(p, n)
	s.near[p] = len(all)
	return [][]int{all}
}

// spared reports whether a link goes down gracefully.
func (s *naive) spared(p, q int) bool {
	around := false
	for r := range s.link {
		around = around || s.link[p][r] && s.link[r][q]
	}
	return around && s.queue[p][q] == "" && s.queue[q][p] == ""
}

// steps are the states to which a step leads. free reports whether one of them is no fault.
func (s naive) steps(n int, exact bool) (next []naive, free bool) {
	add := func(states []naive) { next, free = append(next, states...), true }
	for p := range n {
		for q := range n {
			if s.notices[p][q] == "" || exact && s.first[0] != byte('0'+p) {
				continue
			}
			add(s.acts(p, n, func(t *naive) [][]int {
				up := t.notices[p][q][0] == '+'
				t.notices[p][q] = t.notices[p][q][1:]
				if exact {
					t.first = t.first[1:]
				}
				if up {
					t.near[p] = len(t.neighbors(p, n))
					return [][]int{{q}}
				}
				t.best[p] = p
				return t.shout(p, n)
			}))
		}
	}
	if exact && s.first != "" {
		return next, free
	}
	if slices.Contains(s.waits[:], true) {
		for p := range n {
			if s.waits[p] {
				add(s.acts(p, n, func(t *naive) [][]int {
					t.waits[p], t.best[p] = false, p
					return t.shout(p, n)
				}))
			}
		}
	} else {
		for p := range n {
			for q := range n {
				if s.queue[q][p] == "" {
					continue
				}
				add(s.acts(p, n, func(t *naive) [][]int {
					m := int(t.queue[q][p][0] - '0')
					if t.queue[q][p] = t.queue[q][p][1:]; m <= t.best[p] {
						return nil
					}
					t.best[p] = m
					return t.shout(p, n)
				}))
			}
		}
	}
	for p := range n {
		if s.crashes > 0 && !s.crashed[p] {
			t := s
			t.crash(p, n)
			next = append(next, t)
		}
		for q := range p {
			if s.changes > 0 && (!s.graceful || !s.link[p][q] || s.spared(p, q)) {
				t := s
				t.changes--
				t.link[p][q] = !t.link[p][q]
				t.link[q][p], t.queue[p][q], t.queue[q][p] = t.link[p][q], "", ""
				sign := map[bool]string{true: "+", false: "-"}[t.link[p][q]]
				for _, ends := range [][2]int{{q, p}, {p, q}} {
					if end := ends[0]; !t.crashed[end] {
						t.notices[end][ends[1]] += sign
						if exact {
							t.first += fmt.Sprint(end)
						}
					}
				}
				next = append(next, t)
			}
		}
	}
	return next, free
}

// The explorer finds as many states, steps and ends as a search that shares nothing with it.
func TestLinkChangesNaively(t *testing.T) {
	for _, c := range []struct {
		n, changes, crashes int
		down                []netem.Link
		notice              Notice
		graceful            bool
		want                [3]int // states, transitions, states at rest
	}{
		{n: 2, changes: 1, want: [3]int{21, 30, 2}},
		{n: 2, changes: 2, want: [3]int{48, 68, 3}},
		{n: 2, changes: 3, want: [3]int{61, 100, 4}},
		{n: 2, changes: 3, notice: AnyNotice, want: [3]int{585, 1790, 5}},
		{n: 2, changes: 2, down: []netem.Link{{A: 0, B: 1}}, notice: AnyNotice, want: [3]int{176, 467, 3}},
		{n: 2, changes: 2, crashes: 1, want: [3]int{89, 217, 11}},
		{n: 2, changes: 2, crashes: 1, notice: AnyNotice, want: [3]int{540, 2659, 12}},
		{n: 3, changes: 1, want: [3]int{1779, 4864, 9}},
		{n: 3, changes: 2, want: [3]int{11249, 37197, 20}},
		{n: 3, changes: 1, down: []netem.Link{{A: 0, B: 2}}, want: [3]int{885, 2532, 7}},
		{n: 3, changes: 2, down: []netem.Link{{A: 0, B: 2}}, want: [3]int{3609, 9719, 17}},
		{n: 3, changes: 3, down: []netem.Link{{A: 0, B: 2}}, want: [3]int{18801, 61491, 28}},
		{n: 3, changes: 1, notice: AnyNotice, want: [3]int{3362, 11884, 9}},
		{n: 3, changes: 1, crashes: 1, down: []netem.Link{{A: 0, B: 2}}, want: [3]int{1788, 7230, 30}},
		{n: 3, down: []netem.Link{{A: 0, B: 1}}, want: [3]int{32, 62, 1}},
		{n: 2, changes: 2, graceful: true, want: [3]int{8, 9, 1}},
		{n: 2, changes: 2, down: []netem.Link{{A: 0, B: 1}}, graceful: true, want: [3]int{27, 35, 2}},
		{n: 3, changes: 1, graceful: true, want: [3]int{1533, 3648, 9}},
		{n: 3, changes: 2, graceful: true, want: [3]int{9744, 31776, 11}},
		{n: 3, changes: 3, down: []netem.Link{{A: 0, B: 2}}, graceful: true, want: [3]int{14017, 46247, 12}},
		{n: 3, changes: 1, crashes: 1, graceful: true, want: [3]int{3242, 11525, 35}},
	} {
		begin := naive{changes: c.changes, crashes: c.crashes, graceful: c.graceful}
		var all []protocols.ID
		for p := range c.n {
			all = append(all, protocols.ID(p))
			begin.waits[p] = true
			for q := range c.n {
				begin.link[p][q] = p != q && !slices.Contains(c.down, netem.LinkBetween(protocols.ID(p), protocols.ID(q)))
			}
		}
		naive := naively(begin, c.n, c.notice == ExactNotice)
		network := Network{FIFO: true, Budget: Budget{LinkChanges: c.changes, Crashes: c.crashes}, Down: c.down, Notice: c.notice, Graceful: c.graceful}
		for _, strategy := range []Strategy{BreadthFirst, DepthFirst} {
			r, err := Explore(context.Background(), rumors(netem.Complete(c.n), network, all...), Options{Strategy: strategy})
			if err != nil {
				t.Fatal(err)
			}
			if found := [3]int{int(r.States), int(r.Transitions), int(r.Rests)}; found != c.want || found != naive || !r.Complete {
				t.Errorf("%+v %v: %d; naively %d", c, strategy, found, naive)
			}
		}
	}
}
