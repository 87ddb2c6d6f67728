package des

import (
	"fmt"
	"math/bits"
)

// Stream is a named stream of random numbers. Draw number i depends on seed, name and i
// alone, so a new consumer does not shift the draws of another. It is SplitMix64 (Steele,
// Lea & Flood, OOPSLA 2014), started at a hash of seed and name. Its numbers do not change
// between versions of Go, nor of this package without a new fingerprint epoch.
type Stream struct {
	state uint64
}

const golden = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio, odd

// NewStream returns the stream of this name. The numbers distinguish streams of one name,
// for instance by the two ends of a link.
func NewStream(seed uint64, name string, numbers ...uint64) Stream {
	h := mix(seed + golden)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 0x100000001b3 // FNV-1a over the name
	}
	s := Stream{mix(h)}
	for _, x := range numbers {
		s = s.Sub(x)
	}
	return s
}

// Sub returns the x-th stream derived from this one. Do not draw from s itself then.
func (s Stream) Sub(x uint64) Stream {
	return Stream{mix(s.state ^ mix(x+golden))}
}

// Uint64 draws 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += golden
	return mix(s.state)
}

// Intn draws from 0..n-1 without bias (Lemire, ACM TOMACS 29(1) 2019). It panics unless
// n > 0.
func (s *Stream) Intn(n int) int {
	if n <= 0 {
		panic(fmt.Sprintf("des: Intn(%d); the number must be positive", n))
	}
	bound := uint64(n)
	hi, lo := bits.Mul64(s.Uint64(), bound)
	if lo < bound {
		for threshold := -bound % bound; lo < threshold; {
			hi, lo = bits.Mul64(s.Uint64(), bound)
		}
	}
	return int(hi)
}

// Perm draws a permutation of 0..n-1, for n below 2^31.
func (s *Stream) Perm(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		j := s.Intn(i + 1)
		p[i], p[j] = p[j], int32(i)
	}
	return p
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
