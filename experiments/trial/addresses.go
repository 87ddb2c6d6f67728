package trial

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"bullring/protocols"
)

// Addresses are addresses of processes, ascending. All addresses of a network take no
// memory.
type Addresses struct {
	first protocols.ID   // so many addresses from 0, if none is listed
	list  []protocols.ID // all, if first is 0
}

// Len is the number of addresses.
func (a Addresses) Len() int { return int(a.first) + len(a.list) }

// At is the i-th address, from 0.
func (a Addresses) At(i int) protocols.ID {
	if a.first > 0 {
		return protocols.ID(i)
	}
	return a.list[i]
}

// Has reports whether an address is among them.
func (a Addresses) Has(p protocols.ID) bool {
	if a.first > 0 {
		return p >= 0 && p < a.first
	}
	_, found := slices.BinarySearch(a.list, p)
	return found
}

// All are the addresses, one after another.
func (a Addresses) All() iter.Seq[protocols.ID] {
	return func(yield func(protocols.ID) bool) {
		for i := range a.Len() {
			if !yield(a.At(i)) {
				return
			}
		}
	}
}

// List is a list of the addresses.
func (a Addresses) List() []protocols.ID {
	return slices.AppendSeq(make([]protocols.ID, 0, a.Len()), a.All())
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
