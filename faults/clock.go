package faults

import (
	"math/bits"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// clock is the error of a process's clock.
type clock struct {
	since des.Time
	off   time.Duration // at since
	drift int64         // nanoseconds a second that it has gained since then
}

// errorAt is the error at an instant.
func (c clock) errorAt(t des.Time) time.Duration {
	drift, sign := c.drift, time.Duration(1)
	if drift < 0 {
		drift, sign = -drift, -1
	}
	hi, lo := bits.Mul64(uint64(t-c.since), uint64(drift))
	gained, _ := bits.Div64(hi, lo, uint64(time.Second)) // drift < 2^29 and t < 2^62, so hi < 2^27
	return c.off + sign*time.Duration(gained)
}

// setClock changes a clock when a fault begins.
func (i *Injector) setClock(f *fault) {
	switch f.Kind {
	case ClockOffset:
		f.step = f.By - i.clocks[f.who].errorAt(f.begun)
	case ClockStep:
		f.step = f.By
	}
	i.adjust(f.who, f.step)
}

// resetClock undoes the change.
func (i *Injector) resetClock(f *fault) { i.adjust(f.who, -f.step) }

// adjust sets a clock forward by step. Its drift becomes that of the active fault that
// began last.
func (i *Injector) adjust(who protocols.ID, step time.Duration) {
	var latest *fault
	for _, f := range i.active[clocked] {
		if f.Kind == ClockDrift && f.who == who && (latest == nil || f.begun >= latest.begun) {
			latest = f
		}
	}
	now := i.target.Now()
	c := clock{since: now, off: i.clocks[who].errorAt(now) + step}
	if latest != nil {
		c.drift = latest.Drift
	}
	if i.clocks == nil {
		i.clocks = map[protocols.ID]clock{}
	}
	i.clocks[who] = c
	i.target.AdjustClock(who, step, c.drift)
}
