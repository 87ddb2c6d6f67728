package dht

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/protocols"
)

// Ring is the ring of identifiers 0..2^m-1 with all its processes. Processes are made
// from it; none of them knows it.
type Ring struct {
	bits int
	ids  []uint64       // by address
	by   []protocols.ID // the addresses, in the order of their identifiers
}

// MaxBits is the largest number of bits of identifiers.
const MaxBits = 62

// NewRing returns the ring of processes with these identifiers, by address.
func NewRing(bits int, ids []uint64) (*Ring, error) {
	if bits < 1 || bits > MaxBits {
		return nil, fmt.Errorf("dht: identifiers of %d bits; allowed are 1 to %d", bits, MaxBits)
	}
	r := &Ring{bits: bits, ids: slices.Clone(ids)}
	for p, id := range ids {
		if id >= 1<<bits {
			return nil, fmt.Errorf("dht: identifier %d has more than %d bits", id, bits)
		}
		r.by = append(r.by, protocols.ID(p))
	}
	slices.SortFunc(r.by, func(p, q protocols.ID) int { return cmp.Compare(ids[p], ids[q]) })
	for i := 1; i < len(r.by); i++ {
		if ids[r.by[i]] == ids[r.by[i-1]] {
			return nil, fmt.Errorf("dht: processes %d and %d have the same identifier, %d", r.by[i-1], r.by[i], ids[r.by[i]])
		}
	}
	return r, nil
}

// ID is the identifier of a process.
func (r *Ring) ID(p protocols.ID) uint64 { return r.ids[p] }

// responsible is the process responsible for a key: the first whose identifier is the
// key or follows it on the ring.
func (r *Ring) responsible(key uint64) protocols.ID {
	i, _ := slices.BinarySearchFunc(r.by, key, func(p protocols.ID, key uint64) int { return cmp.Compare(r.ids[p], key) })
	return r.by[i%len(r.by)]
}

// Superpeer is the superpeer of a process, with k bits for superpeers.
func (r *Ring) Superpeer(p protocols.ID, k int) protocols.ID {
	return r.responsible(prefix(r.ids[p], r.bits, k))
}

// prefix is the identifier AND 1..10..0, a number of that many bits with k ones.
func prefix(id uint64, bits, k int) uint64 { return id &^ (1<<(bits-k) - 1) }

// predecessor is the process before another on the ring.
func (r *Ring) predecessor(p protocols.ID) protocols.ID {
	i := slices.Index(r.by, p)
	return r.by[(i+len(r.by)-1)%len(r.by)]
}

// Expected is the expected number of superpeers of n processes with random
// identifiers: 2^k (1 - C(2^m-L, n)/C(2^m, n)) with L = 2^(m-k). Each arc of L identifiers
// that holds a process makes one superpeer.
func Expected(bits, k, n int) float64 {
	all, arc := float64(uint64(1)<<bits), float64(uint64(1)<<(bits-k))
	empty := 1.0
	for i := range n {
		empty *= (all - arc - float64(i)) / (all - float64(i))
	}
	return float64(uint64(1)<<k) * (1 - empty)
}

// Printed is the number that lecture notes give instead, 2^(k-m) n: the number of
// processes whose own identifier ends in m-k zeros.
func Printed(bits, k, n int) float64 {
	return float64(n) / float64(uint64(1)<<(bits-k))
}
