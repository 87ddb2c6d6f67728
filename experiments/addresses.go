package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/protocols"
)

func (in *Instance) readDead(s *Setting) (err error) {
	in.dead = make([]bool, in.N)
	if s.Dead == "" {
		s.Dead = "none"
	}
	if s.Dead == "none" {
		return nil
	}
	in.Dead, err = in.addresses("dead", s.Dead, s.Seed)
	for _, p := range in.Dead {
		in.dead[p] = true
	}
	if err == nil && len(in.Dead) == in.N {
		err = fmt.Errorf("dead %q: all %d processes are dead; at least one must live", s.Dead, in.N)
	}
	return err
}

func (in *Instance) readInitiators(s *Setting) (err error) {
	if s.Initiators == "" {
		s.Initiators = "all"
	}
	if s.Initiators == "all" {
		in.Initiators = make([]protocols.ID, 0, in.N-len(in.Dead))
		for p := range protocols.ID(in.N) {
			if !in.dead[p] {
				in.Initiators = append(in.Initiators, p)
			}
		}
		return nil
	}
	in.Initiators, err = in.addresses("initiators", s.Initiators, s.Seed)
	for _, p := range in.Initiators {
		if in.dead[p] && err == nil {
			err = fmt.Errorf("initiators %q: process %d is dead from the start and cannot initiate", s.Initiators, p)
		}
	}
	return err
}

// addresses reads random:K, or a comma-separated list of addresses. These may be counted
// from the end: last, last-1...
func (in *Instance) addresses(what, text string, seed uint64) ([]protocols.ID, error) {
	if k, ok := strings.CutPrefix(text, "random:"); ok {
		return in.randomAddresses(what, text, k, seed)
	}
	return listedAddresses(what, text, in.N)
}

// listedAddresses reads a list of addresses of n processes.
func listedAddresses(what, text string, n int) ([]protocols.ID, error) {
	var ids []protocols.ID
	seen := map[protocols.ID]bool{}
	for word := range strings.SplitSeq(text, ",") {
		p, err := addressOf(strings.TrimSpace(word), n)
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", what, text, err)
		}
		if seen[p] {
			return nil, fmt.Errorf("%s %q: process %d stands there twice", what, text, p)
		}
		seen[p] = true
		ids = append(ids, p)
	}
	slices.Sort(ids)
	return ids, nil
}

// addressOf reads an address of n processes.
func addressOf(word string, n int) (protocols.ID, error) {
	p, err := strconv.Atoi(word)
	if back, ok := strings.CutPrefix(word, "last"); ok {
		p, err = n-1, nil
		if back != "" {
			var k int
			k, err = strconv.Atoi(back)
			if k > 0 || back[0] != '-' {
				err = errors.New("not counted back")
			}
			p += k
		}
	} else if word == "first" {
		p, err = 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not an address; allowed are 0..%d, first, and last, last-1 and so on", word, n-1)
	}
	if p < 0 || p >= n {
		return 0, fmt.Errorf("there is no process %s; addresses are 0..%d", word, n-1)
	}
	return protocols.ID(p), nil
}

func (in *Instance) randomAddresses(what, text, k string, seed uint64) ([]protocols.ID, error) {
	var living []protocols.ID
	for p := range protocols.ID(in.N) {
		if !in.dead[p] {
			living = append(living, p)
		}
	}
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
