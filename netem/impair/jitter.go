package impair

import (
	"embed"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
	"time"

	"bullring/des"
)

// delayer draws the delays of a channel.
type delayer struct {
	source delaySource
	law    des.Distribution

	// Of correlatedDelays: the last normal deviates, that of the last message in z.
	copula    copula
	z, before int64

	// Of tracedDelays.
	trace []time.Duration
	place int
	last  time.Duration

	// Of linuxDelays.
	jitter  jitter
	numbers correlated
}

// delaySource says where delays come from.
type delaySource uint8

const (
	noDelays delaySource = iota
	plainDelays
	correlatedDelays
	tracedDelays
	linuxDelays // a spread under Compat
)

func newDelayer(d *delay, mode Mode, start uint64) delayer {
	s := delayer{law: d.law}
	switch {
	case d.kind == noDelay:
	case d.kind == traceDelay:
		place, _ := bits.Mul64(start, uint64(len(d.trace.delays)))
		s.source, s.trace, s.place = tracedDelays, d.trace.delays, int(place)
	case d.kind == spreadDelay && mode == Compat:
		s.source, s.jitter, s.numbers = linuxDelays, newJitter(d.spread, mode), newCorrelated(d.correlation, start)
	case d.kind == spreadDelay && d.correlation > 0:
		s.source, s.copula = correlatedDelays, copulaOf(d)
		s.z = s.copula.normal.Deviate(start)
	default:
		s.source = plainDelays
	}
	return s
}

// next is the delay of the next message. Under Compat it may be negative.
func (s *delayer) next(r uint64) time.Duration {
	switch s.source {
	case plainDelays:
		return s.law.Sample(r)
	case linuxDelays:
		return s.jitter.linux(s.numbers.draw(r))
	case correlatedDelays:
		s.before = s.z
		s.z = s.copula.step(s.before, r)
		return s.law.Quantile(s.copula.normal.Below(s.z))
	case tracedDelays:
		s.last = s.trace[s.place]
		if s.place++; s.place == len(s.trace) {
			s.place = 0
		}
		return s.last
	}
	return 0
}

// sibling is the delay of the second copy of the last message.
func (s *delayer) sibling(r uint64) time.Duration {
	switch s.source {
	case correlatedDelays:
		return s.law.Quantile(s.copula.normal.Below(s.copula.step(s.before, r)))
	case tracedDelays:
		return s.last
	}
	return s.next(r)
}

// jitter draws the times of a spread.
type jitter struct {
	spread *spread
	compat bool
	table  []int16 // under Compat, nil for uniform
	sd     time.Duration
}

func newJitter(s *spread, mode Mode) jitter {
	j := jitter{spread: s, compat: mode == Compat}
	if j.compat {
		const most = 1<<31 - 1 // Linux cuts longer ones to it
		j.sd = min(s.jitter, most)
		if s.table != nil {
			j.table = s.table()
		}
	}
	return j
}

// sample is the time that belongs to a random word. Under Compat it may be negative.
func (j *jitter) sample(r uint64) time.Duration {
	if j.compat {
		return j.linux(uint32(r >> 32))
	}
	return j.spread.law.Sample(r)
}

// linux is the time that belongs to a 32-bit number under Compat.
func (j *jitter) linux(x uint32) time.Duration {
	switch {
	case j.sd == 0:
		return j.spread.mean
	case j.table == nil:
		return time.Duration(x%uint32(2*j.sd)) + j.spread.mean - j.sd
	}
	return scaled(j.spread.mean, j.sd, j.table[x%uint32(len(j.table))])
}

//go:generate go run ./internal/tables

// files are netem's tables, which are checked in: numbers of 16 bits, the high byte first.
//
//go:embed tables
var files embed.FS

const (
	tableEntries = 4096
	tableUnit    = 8192 // an entry is in units of the jitter divided by this
)

func tableOf(name string) func() []int16 {
	return sync.OnceValue(func() []int16 {
		t := make([]int16, tableEntries)
		file, err := files.ReadFile("tables/" + name + ".bin")
		if err == nil {
			_, err = binary.Decode(file, binary.BigEndian, t)
		}
		if err != nil {
			panic(fmt.Sprintf("impair: the table %s is damaged: %v", name, err))
		}
		return t
	})
}

// quantileTable is the table of a shape that Linux has not. It is made as Linux's are: the
// quantiles, cut to 16 bits.
func (s *spread) quantileTable() func() []int16 {
	return sync.OnceValue(func() []int16 {
		t := make([]int16, tableEntries)
		for i := range t {
			q := s.law.Quantile(uint64(2*i+1) << (64 - 13))
			above := int64(q-s.mean) * tableUnit / int64(max(1, s.jitter))
			t[i] = int16(max(-1<<15, min(above, 1<<15-1)))
		}
		return t
	})
}
