package faults

import (
	"math/bits"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// clock is by how much the clock of a process was off at an instant, and how
// many nanoseconds a second it has gained since.
type clock struct {
	since des.Time
	off   time.Duration
	drift int64
}

// at is by how much the clock is off.
func (c clock) at(t des.Time) time.Duration {
	drift, sign := c.drift, time.Duration(1)
	if drift < 0 {
		drift, sign = -drift, -1
	}
	hi, lo := bits.Mul64(uint64(t-c.since), uint64(drift))
	gained, _ := bits.Div64(hi, lo, uint64(time.Second)) // drift < 2^29 and t < 2^62, so hi < 2^27
	return c.off + sign*time.Duration(gained)
}

// setClock changes a clock as a fault wants it that begins.
func (i *Injector) setClock(f *fault) {
	switch f.Kind {
	case ClockOffset:
		f.step = f.By - i.clocks[f.who].at(f.begun)
	case ClockStep:
		f.step = f.By
	}
	i.adjust(f.who, f.step)
}

// resetClock takes the change back.
func (i *Injector) resetClock(f *fault) { i.adjust(f.who, -f.step) }

// adjust sets a clock forward by step, and has it drift as the fault says that
// began last of those that are active.
func (i *Injector) adjust(who protocols.ID, step time.Duration) {
	var latest *fault
	for _, f := range i.active[clocked] {
		if f.Kind == ClockDrift && f.who == who && (latest == nil || f.begun >= latest.begun) {
			latest = f
		}
	}
	now := i.target.Now()
	c := clock{since: now, off: i.clocks[who].at(now) + step}
	if latest != nil {
		c.drift = latest.Drift
	}
	if i.clocks == nil {
		i.clocks = map[protocols.ID]clock{}
	}
	i.clocks[who] = c
	i.target.AdjustClock(who, step, c.drift)
}
