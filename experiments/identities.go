package experiments

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/internal/suggest"
	"bullring/protocols/election"
)

// Placements are the ways to place the identities 1..n on the addresses 0..n-1.
var Placements = []string{"increasing", "decreasing", "alternating", "random"}

func (in *Instance) readRanks(s *Setting) error {
	if s.IDs != "" {
		return in.readIDs(s)
	}
	if s.Placement == "" {
		s.Placement = Placements[0]
	}
	if s.N < 1 || s.N > MaxN {
		return fmt.Errorf("n is %d; allowed are 1 to %d", s.N, MaxN)
	}
	ids, err := place(s.Placement, s.N, s.Seed)
	if err != nil {
		return err
	}
	in.setIDs(ids)
	return nil
}

func (in *Instance) readIDs(s *Setting) error {
	ids, err := parseIDs(s.IDs)
	if err != nil {
		return err
	}
	if s.N != 0 && s.N != len(ids) {
		return fmt.Errorf("n is %d, but %d identities are given", s.N, len(ids))
	}
	if s.Placement != "" && s.Placement != "given" {
		return fmt.Errorf("placement %q: the identities given are placed as they stand; give either identities or a placement", s.Placement)
	}
	s.N, s.Placement = len(ids), "given"
	in.setIDs(ids)
	return nil
}

func (in *Instance) setIDs(ids []election.Identity) {
	in.N = len(ids)
	in.Ranks = make([]election.Rank, in.N)
	for i, id := range ids {
		in.Ranks[i].ID = id
	}
}

// parseIDs reads distinct identities, comma-separated.
func parseIDs(text string) ([]election.Identity, error) {
	words := strings.Split(text, ",")
	if len(words) > MaxN {
		return nil, fmt.Errorf("%d identities; allowed are at most %d", len(words), MaxN)
	}
	ids := make([]election.Identity, len(words))
	seen := make(map[election.Identity]int, len(words))
	for i, word := range words {
		id, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("identity %q at position %d is not a whole number", word, i)
		}
		ids[i] = election.Identity(id)
		if first, twice := seen[ids[i]]; twice {
			return nil, fmt.Errorf("identity %d stands at positions %d and %d; identities must be distinct", id, first, i)
		}
		seen[ids[i]] = i
	}
	return ids, nil
}

// place puts the identities 1..n on the addresses 0..n-1.
func place(placement string, n int, seed uint64) ([]election.Identity, error) {
	ids := make([]election.Identity, n)
	switch placement {
	case "increasing":
		for i := range ids {
			ids[i] = election.Identity(i + 1)
		}
	case "decreasing":
		for i := range ids {
			ids[i] = election.Identity(n - i)
		}
	case "alternating": // 1, n, 2, n-1, ...
		for i := range ids {
			ids[i] = election.Identity(i/2 + 1)
			if i%2 == 1 {
				ids[i] = election.Identity(n - i/2)
			}
		}
	case "random":
		stream := des.NewStream(seed, "placement")
		for i, p := range stream.Perm(n) {
			ids[i] = election.Identity(p + 1)
		}
	default:
		return nil, fmt.Errorf("unknown placement %q%s", placement, suggest.Among(placement, Placements))
	}
	return ids, nil
}

func (in *Instance) readAttributes(s *Setting) error {
	if s.Attr == "" {
		return nil
	}
	if k, ok := strings.CutPrefix(s.Attr, "random:"); ok {
		most, err := strconv.Atoi(k)
		if err != nil || most < 1 {
			return fmt.Errorf("attributes %q: random:K takes a positive number, attributes being drawn from 1..K", s.Attr)
		}
		stream := des.NewStream(s.Seed, "attribute")
		for i := range in.Ranks {
			in.Ranks[i].Attr = float64(stream.Intn(most) + 1)
		}
		return nil
	}
	words := strings.Split(s.Attr, ",")
	if len(words) != in.N {
		return fmt.Errorf("%d attributes for %d processes", len(words), in.N)
	}
	for i, word := range words {
		x, err := parseAttribute(strings.TrimSpace(word))
		if err != nil {
			return fmt.Errorf("attribute %q at position %d: %w", word, i, err)
		}
		in.Ranks[i].Attr = x
	}
	return nil
}

// exactFloat: a float64 is exact for all whole numbers up to it.
const exactFloat = 1 << 53

// parseAttribute reads any number, or a MAC address as its 48 bits.
func parseAttribute(word string) (float64, error) {
	if octets := strings.FieldsFunc(word, func(r rune) bool { return r == ':' || r == '-' }); len(octets) == 6 {
		mac := uint64(0)
		for _, o := range octets {
			b, err := strconv.ParseUint(o, 16, 8)
			if err != nil {
				return 0, fmt.Errorf("%q is not an octet of a MAC address", o)
			}
			mac = mac<<8 | b
		}
		return float64(mac), nil
	}
	x, err := strconv.ParseFloat(word, 64)
	switch {
	case err != nil || x != x || x-x != 0:
		return 0, errors.New("neither a finite number nor a MAC address")
	case x >= exactFloat || x <= -exactFloat:
		return 0, errors.New("numbers beyond 2^53 in size cannot be told apart")
	}
	return x, nil
}
