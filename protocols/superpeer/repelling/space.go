package repelling

import (
	"fmt"
	"math/bits"
	"slices"

	"bullring/protocols"
)

// Side is the length of a side of the space: coordinates are 0..Side-1. With it sums of
// squares stay below 2^63.
const Side = 1 << 15

// Space is the places of processes in an m-dimensional space of whole coordinates, in
// which distance stands for delay.
type Space struct {
	dimensions  int
	coordinates []int64 // of all processes, one after the other, by address
}

// NewSpace returns the space of processes with these coordinates, by address.
func NewSpace(points [][]int64) (*Space, error) {
	if len(points) == 0 || len(points[0]) == 0 {
		return nil, fmt.Errorf("repelling: a space of %d processes; it takes at least one, with at least one coordinate", len(points))
	}
	s := &Space{dimensions: len(points[0])}
	for p, point := range points {
		if len(point) != s.dimensions {
			return nil, fmt.Errorf("repelling: process %d has %d coordinates, process 0 has %d", p, len(point), s.dimensions)
		}
		for _, x := range point {
			if x < 0 || x >= Side {
				return nil, fmt.Errorf("repelling: process %d has a coordinate of %d; allowed are 0..%d", p, x, Side-1)
			}
		}
		s.coordinates = append(s.coordinates, point...)
	}
	return s, nil
}

// At are the coordinates of a process. They must not be modified.
func (s *Space) At(p protocols.ID) []int64 {
	return s.coordinates[int(p)*s.dimensions : (int(p)+1)*s.dimensions : (int(p)+1)*s.dimensions]
}

// distance is the distance of two processes, rounded down.
func (s *Space) distance(p, q protocols.ID) int64 {
	sum := int64(0)
	at, there := s.At(p), s.At(q)
	for i, x := range at {
		sum += (x - there[i]) * (x - there[i])
	}
	return root(sum)
}

// force is the sum of the forces of tokens on a process. A token at distance d pushes
// away with the force reach-d.
func (s *Space) force(p protocols.ID, tokens []protocols.ID, reach int64) []int64 {
	sum := make([]int64, s.dimensions)
	for _, q := range tokens {
		if d := s.distance(p, q); d > 0 && d < reach {
			there := s.At(q)
			for i, x := range s.At(p) {
				sum[i] += (x - there[i]) * (reach - d) / d
			}
		}
	}
	return sum
}

// energy is the potential of the force: the sum of the squares of reach-d over tokens at
// distances d.
func (s *Space) energy(p protocols.ID, tokens []protocols.ID, reach int64) int64 {
	sum := int64(0)
	for _, q := range tokens {
		if d := s.distance(p, q); d < reach {
			sum += (reach - d) * (reach - d)
		}
	}
	return sum
}

// ahead reports whether process q lies in the direction of a force at p.
func (s *Space) ahead(p, q protocols.ID, force []int64) bool {
	product := int64(0)
	there := s.At(q)
	for i, x := range s.At(p) {
		product += (there[i] - x) * force[i]
	}
	return product > 0
}

// length is the length of a vector, rounded down.
func length(v []int64) int64 {
	sum := int64(0)
	for _, x := range v {
		sum += x * x
	}
	return root(sum)
}

// root is the square root of a non-negative number, rounded down.
func root(x int64) int64 {
	r := int64(0)
	for bit := int64(1) << (uint(bits.Len64(uint64(x))) / 2); bit > 0; bit >>= 1 {
		if next := r | bit; next*next <= x {
			r = next
		}
	}
	return r
}

// without are the places of tokens except p.
func without(tokens []protocols.ID, p protocols.ID) []protocols.ID {
	return slices.DeleteFunc(slices.Clone(tokens), func(q protocols.ID) bool { return q == p })
}

// Reach is a good reach for a number of tokens: the length of a side divided among them,
// and half as much again.
func Reach(tokens, dimensions int) int64 {
	per := int64(1)
	for pow(per+1, dimensions) <= int64(tokens) {
		per++
	}
	return Side * 3 / (2 * per)
}

func pow(x int64, k int) int64 {
	product := int64(1)
	for range k {
		product *= x
	}
	return product
}
