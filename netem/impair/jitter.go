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

// delayer draws the delays of channels.
type delayer struct {
	source delaySource
	law    des.Distribution
	copula copula          // of correlatedDelays
	trace  []time.Duration // of tracedDelays
	jitter jitter          // of linuxDelays
	rho    correlated      // of linuxDelays
}

// delayed is the state of a delayer on a channel.
type delayed struct {
	z, before int64  // of correlatedDelays: the normal deviate of the last message, and the one before
	place     uint32 // of tracedDelays: of the next delay
	last      uint32 // of linuxDelays: the last correlated number
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

func newDelayer(d *delay, mode Mode) delayer {
	l := delayer{law: d.law}
	switch {
	case d.kind == noDelay:
	case d.kind == traceDelay:
		l.source, l.trace = tracedDelays, d.trace.delays
	case d.kind == spreadDelay && mode == Compat:
		l.source, l.jitter, l.rho = linuxDelays, newJitter(d.spread, mode), newCorrelated(d.correlation)
	case d.kind == spreadDelay && d.correlation > 0:
		l.source, l.copula = correlatedDelays, copulaOf(d)
	default:
		l.source = plainDelays
	}
	return l
}

// begin returns the state before the first message.
func (l *delayer) begin(start uint64) (s delayed) {
	switch l.source {
	case linuxDelays:
		s.last = uint32(start >> 32)
	case correlatedDelays:
		s.z = l.copula.normal.Deviate(start)
	case tracedDelays:
		place, _ := bits.Mul64(start, uint64(len(l.trace)))
		s.place = uint32(place)
	}
	return s
}

// next is the delay of the next message. Under Compat it may be negative.
func (l *delayer) next(s *delayed, r uint64) time.Duration {
	switch l.source {
	case plainDelays:
		return l.law.Sample(r)
	case linuxDelays:
		return l.jitter.linux(l.rho.draw(&s.last, r))
	case correlatedDelays:
		s.before = s.z
		s.z = l.copula.step(s.before, r)
		return l.law.Quantile(l.copula.normal.Below(s.z))
	case tracedDelays:
		delay := l.trace[s.place]
		if s.place++; int(s.place) == len(l.trace) {
			s.place = 0
		}
		return delay
	}
	return 0
}

// sibling is the delay of the second copy of the last message.
func (l *delayer) sibling(s *delayed, r uint64) time.Duration {
	switch l.source {
	case correlatedDelays:
		return l.law.Quantile(l.copula.normal.Below(l.copula.step(s.before, r)))
	case tracedDelays:
		last := int(s.place) - 1
		if last < 0 {
			last = len(l.trace) - 1
		}
		return l.trace[last]
	}
	return l.next(s, r)
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
