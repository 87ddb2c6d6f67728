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
	law des.Distribution

	// Of a correlated delay, the normal deviates that are below it.
	copula    copula
	z, before int64

	// Of a trace.
	trace []time.Duration
	place int
	last  time.Duration

	// Under Compat, of a spread.
	jitter jitter
	source correlated
}

func newDelayer(d *delay, mode Mode, start uint64) delayer {
	s := delayer{law: d.law}
	switch {
	case d.kind == traceDelay:
		place, _ := bits.Mul64(start, uint64(len(d.trace.delays)))
		s.trace, s.place = d.trace.delays, int(place)
	case d.kind != spreadDelay:
	case mode == Compat:
		s.jitter, s.source = newJitter(d.spread, mode), newCorrelated(d.correlation, start)
	case d.correlation > 0:
		s.copula = copulaOf(d)
		s.z = s.copula.normal.Deviate(start)
	}
	return s
}

// next is the delay of the next message.
func (s *delayer) next(r uint64) time.Duration {
	switch {
	case s.copula.rho > 0:
		s.before = s.z
		s.z = s.copula.step(s.before, r)
		return s.law.Quantile(s.copula.normal.Below(s.z))
	case s.trace != nil:
		s.last = s.trace[s.place]
		if s.place++; s.place == len(s.trace) {
			s.place = 0
		}
		return s.last
	case s.law != nil:
		return s.law.Sample(r)
	}
	return 0
}

// sibling is the delay of the second copy of the last message.
func (s *delayer) sibling(r uint64) time.Duration {
	switch {
	case s.copula.rho > 0:
		return s.law.Quantile(s.copula.normal.Below(s.copula.step(s.before, r)))
	case s.trace != nil:
		return s.last
	}
	return s.next(r)
}

// linux is the delay of the next message as Linux draws it. It may be negative.
func (s *delayer) linux(r uint64) time.Duration {
	if s.jitter.spread == nil {
		return s.next(r)
	}
	return s.jitter.linux(s.source.draw(r))
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
		const most = 1<<31 - 1 // what Linux cuts it to
		j.sd = min(s.jitter, most)
		if s.netem != nil {
			j.table = s.netem()
		}
	}
	return j
}

// sample is the time that belongs to a random word.
func (j *jitter) sample(r uint64) time.Duration {
	if j.compat {
		return j.linux(uint32(r >> 32))
	}
	return j.spread.law.Sample(r)
}

// linux is the time that belongs to a 32-bit number, perhaps a negative one.
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

// netemTables are the tables that Linux brings along.
var netemTables = map[string]func() []int16{
	"normal":       netemTableOf("normal"),
	"pareto":       netemTableOf("pareto"),
	"paretonormal": netemTableOf("paretonormal"),
}

const (
	netemEntries = 4096
	netemUnit    = 8192 // of an entry, in the jitter
)

func netemTableOf(name string) func() []int16 {
	return sync.OnceValue(func() []int16 {
		t := make([]int16, netemEntries)
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

// netemTable is the table of a shape under Compat, nil for uniform. Where Linux has none,
// it is made as Linux's are: the quantiles in units of 1/8192 of the jitter, cut to 16
// bits.
func netemTable(name string, s *spread) func() []int16 {
	if name == "uniform" {
		return nil
	}
	if t, ok := netemTables[name]; ok {
		return t
	}
	return sync.OnceValue(func() []int16 {
		t := make([]int16, netemEntries)
		for i := range t {
			q := s.law.Quantile(uint64(2*i+1) << (64 - 13))
			above := int64(q-s.mean) * netemUnit / int64(max(1, s.jitter))
			t[i] = int16(max(-1<<15, min(above, 1<<15-1)))
		}
		return t
	})
}
