package impair

import (
	"time"

	"bullring/des"
)

// passLinux takes a message through the link as Linux does (net/sched/sch_netem.c,
// 6.18): what is not reached takes no step. A message that is duplicated and lost
// is one message; its second copy goes all the way but for being duplicated, ahead
// of the first.
func (c *Channel) passLinux(o *offer, first, second *draws) {
	twice := o.fate.Duplicated
	if c.losesLinux(o.now, first) {
		o.fate.Lost++
		if !twice {
			return
		}
		twice = false
	}
	corrupt := c.corruptsLinux(first)
	if c.full(o.now) {
		o.fate.Lost++
		o.fate.Overflow++
		if twice {
			o.fate.Lost++
			o.fate.Overflow++
		}
		return
	}
	if twice {
		c.passCloneLinux(o, second)
	}
	c.sendLinux(o, first, corrupt)
}

func (c *Channel) passCloneLinux(o *offer, d *draws) {
	if c.losesLinux(o.now, d) {
		o.fate.Lost++
		return
	}
	corrupt := c.corruptsLinux(d)
	if c.full(o.now) {
		o.fate.Lost++
		o.fate.Overflow++
		return
	}
	c.sendLinux(o, d, corrupt)
}

func (c *Channel) losesLinux(now des.Time, d *draws) bool {
	return c.line.loss.model != noLoss && c.loss.linux(now, d.loss, d.lossToo)
}

func (c *Channel) corruptsLinux(d *draws) Copy {
	if c.line.corrupt.given && c.corrupt.linux(d.corrupt) {
		return Copy{Corrupt: max(1, d.damage)}
	}
	return Copy{}
}

// sendLinux is early, or delayed and then behind what is in the queue, if there
// is a rate: what the delay has left of the wait is all that comes on top.
func (c *Channel) sendLinux(o *offer, d *draws, copied Copy) {
	if c.line.reorder.given {
		reached := c.streak >= c.line.gap-1 // only then chance is asked
		if c.early(reached && c.reorder.linux(d.reorder)) {
			c.leave(o, o.now.After(o.extra), true, copied)
			return
		}
	}
	delay := c.delay.linux(d.delay)
	begin := o.now
	if c.line.rate.bits > 0 {
		if last := c.busy; last > o.now {
			delay = max(0, delay-last.Sub(o.now))
			begin = last
		}
		delay += min(c.line.rate.transmission(o.bits), time.Duration(des.MaxTime)-max(0, delay))
	}
	// A delay may be negative; what is due before now leaves at once.
	due := max(o.now, begin.After(delay))
	c.busy = max(c.busy, due)
	c.leave(o, due.After(o.extra), false, copied)
}
