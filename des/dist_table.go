package des

import (
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"
	"time"
)

const (
	octaves  = 32
	cellLog  = 6
	cells    = 1 << cellLog
	fracLog  = 20
	pointLog = 32 // quantiles are in units of 2^-32
)

// quantiles is the inverse of a distribution function in fixed point. Each half of (0, 1)
// is cut into octaves towards its outer end, where the function is steep, and each octave
// into 64 cells. Within a cell the function is a straight line. lower holds the quantiles
// at v/2, upper those at 1-v/2, from v = 2^-32 in the first entry to v = 1 in the last.
type quantiles struct {
	lower, upper [octaves*cells + 1]int64
}

//go:generate go run ./internal/quantiles

// files are the tables that are checked in: numbers of 64 bits, the high byte first.
//
//go:embed tables
var files embed.FS

// checkedIn is a table of files. It is decoded when the first distribution that needs it is
// made, so sampling does not have to check for it.
type checkedIn struct {
	quantiles
	name string
	once sync.Once
}

var (
	exponential  = checkedIn{name: "exponential"} // of mean 1
	normal       = checkedIn{name: "normal"}      // these of mean 0 and standard deviation 1
	pareto       = checkedIn{name: "pareto"}
	paretoNormal = checkedIn{name: "paretonormal"}
)

func (c *checkedIn) load() *quantiles {
	c.once.Do(func() { decode(c.name, c.lower[:], c.upper[:]) })
	return &c.quantiles
}

// decode fills the lists with the numbers of a file, in order.
func decode(name string, lists ...any) {
	rest, err := files.ReadFile("tables/" + name + ".bin")
	for _, list := range lists {
		n, short := binary.Decode(rest, binary.BigEndian, list)
		rest, err = rest[n:], errors.Join(err, short)
	}
	if err != nil {
		panic(fmt.Sprintf("des: the table %s is damaged: %v", name, err))
	}
}

// at is the quantile that belongs to the random word r.
func (q *quantiles) at(r uint64) int64 {
	half := [...]*[octaves*cells + 1]int64{&q.lower, &q.upper}[r>>63] // a branch would be wrong half of the time
	v := r << 1
	octave := bits.LeadingZeros64(v)
	if octave >= octaves {
		return half[0]
	}
	v <<= octave + 1
	i := (octaves-1-octave)*cells + int(v>>(64-cellLog))
	frac := int64(v << cellLog >> (64 - fracLog))
	return half[i] + (half[i+1]-half[i])*frac>>fracLog
}

// each calls f for each straight line of the table, with its ends and with the fraction
// of the random words that fall on it.
func (q *quantiles) each(f func(weight float64, from, to int64)) {
	for _, half := range [...]*[octaves*cells + 1]int64{&q.lower, &q.upper} {
		f(0x1p-33, half[0], half[0])
		for i := range octaves * cells {
			f(math.Ldexp(1.0/cells, i/cells-octaves-1), half[i], half[i+1])
		}
	}
}

// partOf is x times fraction, which is in units of 2^-64.
func partOf(x, fraction uint64) uint64 {
	hi, _ := bits.Mul64(x, fraction)
	return hi
}

// ascending is the random word whose duration is the quantile at the fraction u/2^64.
func ascending(u uint64) uint64 {
	if u>>63 == 1 {
		return u ^ (1<<63 - 1) // the upper half begins at its outer end, too
	}
	return u
}

// scale is d times q, rounded; q is in units of 2^-32. It saturates at the longest
// duration.
func scale(d time.Duration, q int64) time.Duration {
	hi, lo := bits.Mul64(uint64(d), uint64(q))
	lo, carry := bits.Add64(lo, 1<<(pointLog-1), 0)
	hi += carry
	if hi >= 1<<(pointLog-1) {
		return 1<<63 - 1
	}
	return time.Duration(hi<<(64-pointLog) | lo>>pointLog)
}
