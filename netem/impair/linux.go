package impair

import (
	"time"

	"bullring/des"
)

// passLinux takes a message through the link as Linux does (net/sched/sch_netem.c, 6.18). A
// feature takes no step for a message that does not come to it. If the message is duplicated,
// clone has the words of its second copy. If it is also lost, one copy is left. Otherwise the
// second copy goes through the link first; it is not duplicated again.
func (c *Channel) passLinux(o *offer, d, clone *draws) {
	if c.loses(o.now, d) {
		c.fate.Lost++
		if clone == nil {
			return
		}
		clone = nil
	}
	corrupt := c.corrupts(d)
	if c.line.limit > 0 && c.full(o.now) {
		copies := 1
		if clone != nil {
			copies = 2
		}
		c.fate.Lost += copies
		c.fate.Overflow += copies
		return
	}
	if clone != nil {
		c.passLinux(o, clone, nil)
	}
	c.sendLinux(o, d, newCopy(corrupt, d.damage))
}

// sendLinux sends a copy early, or delays it. With a rate, the copy is transmitted behind
// those in the queue, and its delay passes while it waits for them.
func (c *Channel) sendLinux(o *offer, d *draws, copied Copy) {
	if c.line.reorder.given {
		possible := c.streak >= c.line.gap-1 // Linux draws only then
		if c.early(possible && c.reorder.next(d.reorder)) {
			c.leave(o, o.now.After(o.extra), true, copied)
			return
		}
	}
	delay := c.delay.next(d.delay)
	begin := o.now
	if c.line.rate.bits > 0 {
		if last := c.busy; last > o.now {
			delay = max(0, delay-last.Sub(o.now))
			begin = last
		}
		delay += min(c.line.rate.transmission(o.bits), time.Duration(des.MaxTime)-max(0, delay))
	}
	due := max(o.now, begin.After(delay)) // a delay can be negative
	c.busy = max(c.busy, due)
	c.leave(o, due.After(o.extra), false, copied)
}
