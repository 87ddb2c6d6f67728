package trial

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
	"bullring/protocols/election"
)

// System is the part of an instance that says which processes there are, what distinguishes
// them, and which of them share a link.
type System struct {
	N          int
	Ranks      election.Ranks // by address
	Order      election.Order // election.Min if the variant has the word min
	F          int            // how many processes may fail, if the algorithm counts them
	Initiators Addresses
	Dead       []protocols.ID // from the start, ascending
	Topology   netem.Topology

	dead   []bool // by address; nil if no process is
	inputs []int  // by address; nil if the algorithm declares none
	graph  *graph.Graph
}

// IsDead reports whether a process is dead from the start.
func (sys *System) IsDead(p protocols.ID) bool { return sys.dead != nil && sys.dead[p] }

// AllInitiate reports whether every live process initiates.
func (sys *System) AllInitiate() bool { return sys.Initiators.Len()+len(sys.Dead) == sys.N }

// living are the processes that are not dead from the start.
func (sys *System) living() []protocols.ID {
	living := make([]protocols.ID, 0, sys.N-len(sys.Dead))
	for p := range protocols.ID(sys.N) {
		if !sys.IsDead(p) {
			living = append(living, p)
		}
	}
	return living
}

// identityBelow reports whether an identity is below least. Only given ones may be below 1.
func (sys *System) identityBelow(least election.Identity) bool {
	for _, r := range sys.Ranks.All() {
		if r.ID < least {
			return true
		}
	}
	return false
}

func (sys *System) readRanks(s *Setting) error {
	if s.IDs != "" {
		return sys.readIDs(s)
	}
	if s.Placement == "" {
		s.Placement = Placements[0]
	}
	if s.N < 1 || s.N > MaxN {
		return fmt.Errorf("n is %d; allowed are 1 to %d", s.N, MaxN)
	}
	placement, err := place(s.Placement, s.N, s.Seed)
	if err != nil {
		return err
	}
	sys.N, sys.Ranks = s.N, election.Placed(placement)
	return nil
}

func (sys *System) readIDs(s *Setting) error {
	given, err := parseIDs(s.IDs)
	if err != nil {
		return err
	}
	if s.N != 0 && s.N != given.N {
		return fmt.Errorf("n is %d, but %d identities are given", s.N, given.N)
	}
	if s.Placement != "" && s.Placement != "given" {
		return fmt.Errorf("placement %q: the identities given are placed as they stand; give either identities or a placement", s.Placement)
	}
	s.N, s.Placement = given.N, "given"
	sys.N, sys.Ranks = given.N, election.Placed(given)
	return nil
}

func (sys *System) readAttributes(s *Setting) error {
	if s.Attr == "" {
		return nil
	}
	if k, ok := strings.CutPrefix(s.Attr, "random:"); ok {
		most, err := strconv.Atoi(k)
		if err != nil || most < 1 {
			return fmt.Errorf("attributes %q: random:K takes a positive number, attributes being drawn from 1..K", s.Attr)
		}
		stream := des.NewStream(s.Seed, "attribute")
		sys.Ranks = sys.Ranks.With(func(protocols.ID) float64 { return float64(stream.Intn(most) + 1) })
		return nil
	}
	words := strings.Split(s.Attr, ",")
	if len(words) != sys.N {
		return fmt.Errorf("%d attributes for %d processes", len(words), sys.N)
	}
	attributes := make([]float64, sys.N)
	for i, word := range words {
		x, err := parseAttribute(strings.TrimSpace(word))
		if err != nil {
			return fmt.Errorf("attribute %q at position %d: %w", word, i, err)
		}
		attributes[i] = x
	}
	sys.Ranks = sys.Ranks.With(func(p protocols.ID) float64 { return attributes[p] })
	return nil
}

func (sys *System) readDead(s *Setting) (err error) {
	if s.Dead == "" {
		s.Dead = "none"
	}
	if s.Dead == "none" {
		return nil
	}
	sys.Dead, err = sys.addresses("dead", s.Dead, s.Seed)
	sys.dead = make([]bool, sys.N)
	for _, p := range sys.Dead {
		sys.dead[p] = true
	}
	if err == nil && len(sys.Dead) == sys.N {
		err = fmt.Errorf("dead %q: all %d processes are dead; at least one must live", s.Dead, sys.N)
	}
	return err
}

// drawDead draws anew, from all processes, who is dead.
func (sys *System) drawDead(s *Setting) error {
	sys.Dead, sys.dead = nil, nil
	return sys.readDead(s)
}

// readInitiators reads who initiates. usual is who does if the setting does not say.
func (sys *System) readInitiators(s *Setting, usual string) (err error) {
	if s.Initiators == "" {
		s.Initiators = usual
	}
	if s.Initiators == "all" {
		if len(sys.Dead) == 0 {
			sys.Initiators.first = protocols.ID(sys.N)
		} else {
			sys.Initiators.list = sys.living()
		}
		return nil
	}
	sys.Initiators.list, err = sys.addresses("initiators", s.Initiators, s.Seed)
	for p := range sys.Initiators.All() {
		if sys.IsDead(p) && err == nil {
			err = fmt.Errorf("initiators %q: process %d is dead from the start and cannot initiate", s.Initiators, p)
		}
	}
	return err
}

// addresses reads random:K, or a comma-separated list of addresses. These may be counted
// from the end: last, last-1...
func (sys *System) addresses(what, text string, seed uint64) ([]protocols.ID, error) {
	if k, ok := strings.CutPrefix(text, "random:"); ok {
		return sys.randomAddresses(what, text, k, seed)
	}
	return listedAddresses(what, text, sys.N)
}

func (sys *System) randomAddresses(what, text, k string, seed uint64) ([]protocols.ID, error) {
	living := sys.living()
	count, err := strconv.Atoi(k)
	if err != nil || count < 1 || count > len(living) {
		return nil, fmt.Errorf("%s %q: random:K takes a number from 1 to %d", what, text, len(living))
	}
	stream := des.NewStream(seed, what)
	ids := make([]protocols.ID, count)
	for i, j := range stream.Perm(len(living))[:count] {
		ids[i] = living[j]
	}
	slices.Sort(ids)
	return ids, nil
}
