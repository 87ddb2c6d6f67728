package explore

import (
	"context"
	"errors"
	"math"
	"math/bits"
)

// Bitstate describes the table of a search that recognises states by a few bits.
type Bitstate struct {
	Bits   uint64 `json:"bits"`   // of the table
	Set    uint64 `json:"set"`    // of these, those that are set
	Hashes int    `json:"hashes"` // bits of a state
	// Missed is about how many new states the search came to and took for visited ones,
	// because other states had set all their bits. States to which only these lead are
	// not among them.
	Missed float64 `json:"missed"`
}

// stateHashes is the number of bits of a state. It is the default of SPIN.
const stateHashes = 3

// errBitstate says why a search by bits is not complete.
var errBitstate = errors.New("different states may have the same bits")

// supertrace searches depth-first and recognises a state by a few bits of a table
// (Holzmann, "An analysis of bitstate hashing", FMSD 13(3), 1998). Other
// states may have set all bits of a new state. The search then takes it for a visited one,
// so it proves nothing. It keeps the states of the path, so a violation comes with its run.
func supertrace(ctx context.Context, s *space, o Options, t *bitTable) *Result {
	d := newDepthFirst(s, o)
	d.bits, d.reserved = t, t.size()/8
	d.fromRoots(ctx)
	d.hasRoom()
	if d.result.Stopped == nil && !d.found.there() {
		d.result.Stopped = errBitstate
	}
	for _, v := range d.found.nearest() {
		d.result.found(d.ending(d.alongPath(), v))
	}
	d.result.Bitstate = d.bits.describe()
	d.result.judge(d.seen, false)
	return d.result
}

// alongPath follows the path of the search.
func (d *depthFirst) alongPath() *follower {
	return d.along(len(d.path), func(*state) {}, func(i int, h hash) bool { return d.path[i].key == h })
}

// bitTable is a set of hashes that may take an absent one for present (Bloom 1970).
type bitTable struct {
	words  []uint64
	set    uint64
	missed float64
}

func newBitTable(bytes uint64) *bitTable { return &bitTable{words: make([]uint64, max(bytes/8, 1))} }

func (t *bitTable) size() uint64 { return 64 * uint64(len(t.words)) }

// places are the bits of a hash. Two words of it give all of them (Kirsch & Mitzenmacher,
// ESA 2006).
func (t *bitTable) places(h hash) (places [stateHashes]uint64) {
	at := h.first
	for i := range places {
		places[i], _ = bits.Mul64(at, t.size())
		at += h.second | 1
	}
	return places
}

func (t *bitTable) has(h hash) bool {
	for _, p := range t.places(h) {
		if t.words[p/64]>>(p%64)&1 == 0 {
			return false
		}
	}
	return true
}

// add adds a hash that is absent. With a share f of the bits set, a hash is found absent
// with probability 1 - f^k. So for each one that is, f^k/(1 - f^k) others were missed.
func (t *bitTable) add(h hash) {
	wrong := math.Pow(float64(t.set)/float64(t.size()), stateHashes)
	t.missed += wrong / (1 - wrong)
	for _, p := range t.places(h) {
		if t.words[p/64]>>(p%64)&1 == 0 {
			t.words[p/64] |= 1 << (p % 64)
			t.set++
		}
	}
}

func (t *bitTable) describe() *Bitstate {
	return &Bitstate{Bits: t.size(), Set: t.set, Hashes: stateHashes, Missed: t.missed}
}
