package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync/atomic"
)

// Workers read the shared tables far more often than they add to them. So list and table
// are read without a lock; a worker that adds holds the lock of the store.

// list is a list that only grows. Its elements never move and never change.
type list[T any] struct {
	count  uint32
	chunks [24]atomic.Pointer[[]T] // each twice as long as the previous one
}

const firstChunk = 256

// place is the place of the element with that number.
func place(i uint32) (chunk, offset int) {
	j := uint64(i) + firstChunk
	chunk = bits.Len64(j) - bits.Len64(firstChunk)
	return chunk, int(j - firstChunk<<chunk)
}

// at is the element with that number.
func (l *list[T]) at(i uint32) *T {
	chunk, offset := place(i)
	return &(*l.chunks[chunk].Load())[offset]
}

// add appends an element and returns its number.
func (l *list[T]) add(v T) uint32 {
	i := l.count
	chunk, offset := place(i)
	if offset == 0 {
		room := make([]T, firstChunk<<chunk)
		l.chunks[chunk].Store(&room)
	}
	(*l.chunks[chunk].Load())[offset] = v
	l.count++
	return i
}

// interned gives equal keys equal numbers. All but at needs the lock.
type interned[K comparable, V any] struct {
	list[V]
	numbers map[K]uint32
}

// number returns the number of the value with that key. It makes the value if the key is
// new.
func (n *interned[K, V]) number(key K, create func() V) (i uint32, fresh bool) {
	i, known := n.numbers[key]
	if !known {
		if n.numbers == nil {
			n.numbers = map[K]uint32{}
		}
		i = n.add(create())
		n.numbers[key] = i
	}
	return i, !known
}

// column is a growing list of small values. It consists of pieces, so that it never
// leaves a copy of itself behind.
type column[T any] struct {
	length uint32
	pieces [][]T
}

const piece = 1 << 14

func (c *column[T]) append(v T) {
	c.extend(1)
	c.set(c.length-1, v)
}

func (c *column[T]) at(i uint32) T     { return c.pieces[i/piece][i%piece] }
func (c *column[T]) set(i uint32, v T) { c.pieces[i/piece][i%piece] = v }

// extend appends values that are zero.
func (c *column[T]) extend(count uint32) {
	c.length += count
	for uint64(len(c.pieces))*piece < uint64(c.length) {
		c.pieces = append(c.pieces, make([]T, piece))
	}
}

// packed is a list of numbers that lie close together. Each takes as many bytes as the largest
// difference from the least.
type packed struct {
	least uint32
	width uint8
	bytes []byte
}

func pack(numbers []uint32) packed {
	if len(numbers) == 0 {
		return packed{}
	}
	p := packed{least: slices.Min(numbers)}
	p.width = uint8(bits.Len32(slices.Max(numbers)-p.least)+7) / 8
	p.bytes = make([]byte, 0, len(numbers)*int(p.width))
	for _, n := range numbers {
		var text [4]byte
		binary.LittleEndian.PutUint32(text[:], n-p.least)
		p.bytes = append(p.bytes, text[:p.width]...)
	}
	return p
}

func (p *packed) at(i uint32) uint32 {
	var text [4]byte
	copy(text[:], p.bytes[uint64(i)*uint64(p.width):][:p.width])
	return p.least + binary.LittleEndian.Uint32(text[:])
}

// table maps keys to numbers. A key keeps its number.
type table struct {
	slots atomic.Pointer[slots]
	used  int
}

type slots struct {
	keys   []atomic.Uint64 // 1 + the key; 0 is a free slot
	values []uint32        // each is written before its key
}

// find returns the number of a key.
func (t *table) find(key uint64) (value uint32, ok bool) {
	s := t.slots.Load()
	if s == nil {
		return 0, false
	}
	mask := uint64(len(s.keys) - 1)
	for i := mix(key) & mask; ; i = (i + 1) & mask {
		switch s.keys[i].Load() {
		case key + 1:
			return s.values[i], true
		case 0:
			return 0, false
		}
	}
}

// put gives a new key its number.
func (t *table) put(key uint64, value uint32) {
	s := t.slots.Load()
	if s == nil || 2*t.used >= len(s.keys) {
		s = s.grown()
	}
	s.put(key+1, value)
	t.used++
	t.slots.Store(s)
}

func (s *slots) put(key uint64, value uint32) {
	mask := uint64(len(s.keys) - 1)
	i := mix(key-1) & mask
	for s.keys[i].Load() != 0 {
		i = (i + 1) & mask
	}
	s.values[i] = value
	s.keys[i].Store(key)
}

func (s *slots) grown() *slots {
	size := 256
	if s != nil {
		size = 2 * len(s.keys)
	}
	g := &slots{make([]atomic.Uint64, size), make([]uint32, size)}
	if s != nil {
		for i := range s.keys {
			if key := s.keys[i].Load(); key != 0 {
				g.put(key, s.values[i])
			}
		}
	}
	return g
}

// mix scatters the bits of a word (the finisher of MurmurHash3).
func mix(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// hash identifies a state or a part of one.
type hash struct{ first, second uint64 }

// digest is the hash of a text.
func digest(text []byte) hash {
	sum := sha256.Sum256(text)
	return hash{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// number is the hash of a number.
func number(x uint32) hash {
	return hash{mix(uint64(x) + 0x9e3779b97f4a7c15), mix(uint64(x) + 0x6a09e667f3bcc909)}
}

// append appends the hash to a text.
func (h hash) append(text []byte) []byte {
	text = binary.LittleEndian.AppendUint64(text, h.first)
	return binary.LittleEndian.AppendUint64(text, h.second)
}

// The hash of a state is the sum of the hashes of its parts, each times the factor of its
// place. So a step that changes few parts costs few additions.

// scatter are the factors of the places: odd numbers without a pattern.
var scatter = func() (factors [4096]hash) {
	for i := range factors {
		factors[i] = hash{mix(uint64(i)+0x243f6a8885a308d3) | 1, mix(uint64(i)+0x13198a2e03707344) | 1}
	}
	return factors
}()

func (h *hash) add(part hash, position int) {
	f := &scatter[position]
	h.first += part.first * f.first
	h.second += part.second * f.second
}

func (h *hash) replace(was, is hash, position int) {
	f := &scatter[position]
	h.first += (is.first - was.first) * f.first
	h.second += (is.second - was.second) * f.second
}
