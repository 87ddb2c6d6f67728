package trial

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"bullring/des"
	"bullring/internal/suggest"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Placements are the ways to place the identities 1..n on the addresses 0..n-1.
var Placements = []string{"increasing", "decreasing", "alternating", "random"}

// parseIDs reads distinct identities, comma-separated.
func parseIDs(text string) (*election.Placement, error) {
	words := strings.Split(text, ",")
	if len(words) > MaxN {
		return nil, fmt.Errorf("%d identities; allowed are at most %d", len(words), MaxN)
	}
	ids := make([]election.Identity, len(words))
	seen := make(map[election.Identity]protocols.ID, len(words))
	for i, word := range words {
		id, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("identity %q at position %d is not a whole number", word, i)
		}
		ids[i] = election.Identity(id)
		if first, twice := seen[ids[i]]; twice {
			return nil, fmt.Errorf("identity %d stands at positions %d and %d; identities must be distinct", id, first, i)
		}
		seen[ids[i]] = protocols.ID(i)
	}
	return &election.Placement{
		N:        len(ids),
		Identity: func(p protocols.ID) election.Identity { return ids[p] },
		Address: func(id election.Identity) protocols.ID {
			if p, found := seen[id]; found {
				return p
			}
			return -1
		},
	}, nil
}

// place puts the identities 1..n on the addresses 0..n-1. Only a random placement is kept in
// memory.
func place(placement string, n int, seed uint64) (*election.Placement, error) {
	last := election.Identity(n)
	switch placement {
	case "increasing":
		return placed(n, func(p protocols.ID) election.Identity { return election.Identity(p) + 1 },
			func(id election.Identity) protocols.ID { return protocols.ID(id - 1) }), nil
	case "decreasing":
		return placed(n, func(p protocols.ID) election.Identity { return last - election.Identity(p) },
			func(id election.Identity) protocols.ID { return protocols.ID(last - id) }), nil
	case "alternating": // 1, n, 2, n-1, ...
		return placed(n, func(p protocols.ID) election.Identity {
			if p%2 == 1 {
				return last - election.Identity(p/2)
			}
			return election.Identity(p/2) + 1
		}, func(id election.Identity) protocols.ID {
			if low := protocols.ID(2 * (id - 1)); low < protocols.ID(n) {
				return low
			}
			return protocols.ID(2*(last-id) + 1)
		}), nil
	case "random":
		return placedAtRandom(n, seed), nil
	}
	return nil, fmt.Errorf("unknown placement %q%s", placement, suggest.Among(placement, Placements))
}

// placed returns a placement of the identities 1..n. address is asked for these only.
func placed(n int, identity func(protocols.ID) election.Identity, address func(election.Identity) protocols.ID) *election.Placement {
	return &election.Placement{N: n, Identity: identity, Address: func(id election.Identity) protocols.ID {
		if id < 1 || id > election.Identity(n) {
			return -1
		}
		return address(id)
	}}
}

func placedAtRandom(n int, seed uint64) *election.Placement {
	stream := des.NewStream(seed, "placement")
	s := &shuffled{ids: stream.Perm(n)}
	return placed(n, s.identity, s.address)
}

// shuffled is a random placement.
type shuffled struct {
	ids       []int32 // by address, less 1
	once      sync.Once
	addresses []int32 // by identity, less 1; few runs ask for it
}

func (s *shuffled) identity(p protocols.ID) election.Identity { return election.Identity(s.ids[p] + 1) }

func (s *shuffled) address(id election.Identity) protocols.ID {
	s.once.Do(func() {
		s.addresses = make([]int32, len(s.ids))
		for p, id := range s.ids {
			s.addresses[id] = int32(p)
		}
	})
	return protocols.ID(s.addresses[id-1])
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
