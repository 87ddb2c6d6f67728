package consensus

import (
	"fmt"
	"slices"
	"strings"

	"bullring/protocols"
)

// Limits of a system whose processes pass on what they are told, with its path.
const (
	MaxFaulty    = 7   // f: a path has room for one process more
	MaxProcesses = 255 // n
)

// Path is the processes that passed a value on, the first one first: their addresses plus 1, then
// zeros.
type Path [MaxFaulty + 1]uint8

// Len is the number of processes.
func (p Path) Len() int {
	for i, a := range p {
		if a == 0 {
			return i
		}
	}
	return len(p)
}

// First is the process whose value it was. The path has one.
func (p Path) First() protocols.ID { return protocols.ID(p[0]) - 1 }

// Has reports whether a process is one of them.
func (p Path) Has(id protocols.ID) bool {
	for _, a := range p {
		if int(a) == int(id)+1 {
			return true
		}
	}
	return false
}

// With is the path that goes on to a process.
func (p Path) With(id protocols.ID) Path {
	p[p.Len()] = uint8(id) + 1
	return p
}

// String prints the addresses: 0,2.
func (p Path) String() string {
	words := make([]string, p.Len())
	for i := range words {
		words[i] = fmt.Sprint(int(p[i]) - 1)
	}
	return strings.Join(words, ",")
}

// Right reports whether a value that came from a process in a round, from 1, can have this path: it
// names so many of n processes, none twice, the sender last, and not the receiver.
func (p Path) Right(round, n int, from, to protocols.ID) bool {
	length := p.Len()
	if length != round || int(p[length-1]) != int(from)+1 || p.Has(to) {
		return false
	}
	var seen Path
	for i, q := range p[:length] {
		if int(q) > n || seen.Has(protocols.ID(q)-1) {
			return false
		}
		seen[i] = q
	}
	return true
}

// Longer returns the paths that go on to so many of n processes more, and to none of some.
func (p Path) Longer(n, more int, without ...protocols.ID) (all []Path) {
	if more == 0 {
		return []Path{p}
	}
	for q := range protocols.ID(n) {
		if !p.Has(q) && !slices.Contains(without, q) {
			all = append(all, p.With(q).Longer(n, more-1, without...)...)
		}
	}
	return all
}

// Settle is the value, 0 or 1, that a process believes the last of a path to have had: what came by a
// path of the longest length, and else the majority of that and of what each other process said it
// was told. It is 0 without a majority, and what did not come is 0.
func Settle(told map[Path]int, self protocols.ID, n, longest int, path Path) int {
	if path.Len() == longest {
		return told[path]
	}
	ones, votes := told[path], 1
	for q := range protocols.ID(n) {
		if q != self && !path.Has(q) {
			ones += Settle(told, self, n, longest, path.With(q))
			votes++
		}
	}
	if 2*ones > votes {
		return 1
	}
	return 0
}
