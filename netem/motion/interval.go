package motion

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// intervalConnected is a graph for synchronous rounds. For any T rounds one after another there is a spanning tree that stays
// (Kuhn, Lynch & Oshman 2010, T-interval connectivity): a tree is there for 2T-1 rounds, and a new one comes every T
// rounds. The graph of a round has its trees and no other link.
//
// The trees are random, each process joined to one that was drawn before it, or the worst ones for what process 0
// floods: paths with those first that have heard it. So in each round one more hears it, and no more.
type intervalConnected struct {
	stays int // T
	round des.Time
	worst bool
}

func readInterval(a *arguments) model {
	m := &intervalConnected{}
	a.next("number of rounds", func(text string) (string, string) {
		var err error
		if m.stays, err = strconv.Atoi(text); err != nil || m.stays < 1 || m.stays > mostStays {
			return "", fmt.Sprintf("takes a whole number from 1 to %d", mostStays)
		}
		return text, ""
	})
	m.round = des.Time(a.duration("time of a round", 4*time.Microsecond)) * microsecond
	a.next("choice of trees", func(text string) (string, string) {
		if m.worst = text == "worst"; !m.worst && text != "random" {
			return "", "takes random or worst"
		}
		return text, ""
	})
	return m
}

const mostStays = 1_000_000

// Rounds is the time of a round, if the graph of each round is connected and stays from the beginning of the round for
// three quarters of its time. Then the links of the next one come.
func (m *Motion) Rounds() (round time.Duration, ok bool) {
	if i, is := m.model.(*intervalConnected); is {
		return time.Duration(i.round), true
	}
	return 0, false
}

func (m *Motion) inRounds() bool {
	_, rounds := m.Rounds()
	return rounds
}

// Worst reports whether the graph of each round is one in which only one more process hears what process 0 floods.
func (m *Motion) Worst() bool {
	i, is := m.model.(*intervalConnected)
	return is && i.worst
}

func (m *intervalConnected) source(t netem.Topology, seed uint64) source {
	s := &intervals{intervalConnected: m, n: t.Len(), stream: des.NewStream(seed, "motion")}
	others := s.stream.Perm(max(s.n-1, 0))
	s.order = make([]protocols.ID, s.n)
	for i, q := range others {
		s.order[i+1] = protocols.ID(q + 1)
	}
	s.trees[1] = s.tree()
	s.up = sorted(s.links())
	return s
}

// intervals is the source.
type intervals struct {
	*intervalConnected
	n      int
	stream des.Stream
	order  []protocols.ID  // in which the worst trees have process 0 heard, itself first
	now    int             // the round, from 0
	trees  [2][]netem.Link // the one before, and the latest
	up     []netem.Link    // the links of the round, ascending
	next   []netem.Change  // of its end
}

// renew implements drawing.
func (s *intervals) renew(stream func(...uint64) des.Stream) { s.stream = stream() }

// Begin implements source.
func (s *intervals) Begin(link func(a, b protocols.ID)) {
	for _, p := range s.up {
		link(p.A, p.B)
	}
}

// Next implements source.
func (s *intervals) Next() (c netem.Change, ok bool) {
	if len(s.next) == 0 {
		if s.turn(); len(s.next) == 0 {
			return quietUntil(s.at()), true
		}
	}
	c, s.next = s.next[0], s.next[1:]
	return c, true
}

// at is when the links of the round come: before it begins, and after the messages of the last one.
func (s *intervals) at() des.Time { return des.Time(s.now)*s.round - s.round/4 }

// turn goes to the next round.
func (s *intervals) turn() {
	s.now++
	if s.now%s.stays == 0 {
		s.trees = [2][]netem.Link{s.trees[1], s.tree()}
	}
	after := s.links()
	for _, p := range s.up {
		if !after[p] {
			s.next = append(s.next, netem.Change{At: s.at(), A: p.A, B: p.B})
		}
	}
	before := s.up
	s.up = sorted(after)
	for _, p := range s.up {
		if _, was := slices.BinarySearchFunc(before, p, netem.Link.Compare); !was {
			s.next = append(s.next, netem.Change{At: s.at(), A: p.A, B: p.B, Up: true})
		}
	}
}

// links are the links of the round. The tree before the latest is there up to the last round but one of the latest's
// first T.
func (s *intervals) links() map[netem.Link]bool {
	up := map[netem.Link]bool{}
	for _, p := range s.trees[1] {
		up[p] = true
	}
	if s.now%s.stays < s.stays-1 {
		for _, p := range s.trees[0] {
			up[p] = true
		}
	}
	return up
}

// tree is the tree that begins in the round.
func (s *intervals) tree() (tree []netem.Link) {
	if !s.worst {
		order := s.stream.Perm(s.n)
		for i := 1; i < s.n; i++ {
			tree = append(tree, netem.LinkBetween(protocols.ID(order[i]), protocols.ID(order[s.stream.Intn(i)])))
		}
		return tree
	}
	path := slices.Clone(s.order)
	for i, from := range s.stream.Perm(min(s.now+1, s.n)) { // those that have heard it
		path[i] = s.order[from]
	}
	for i := 1; i < s.n; i++ {
		tree = append(tree, netem.LinkBetween(path[i-1], path[i]))
	}
	return tree
}
