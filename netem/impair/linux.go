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
	r := c.rules
	if r.loss.model != noLoss && r.loss.next(&c.losses, o.now, d.loss, d.secondLoss) {
		o.fate.Lost++
		if clone == nil {
			return
		}
		clone = nil
	}
	corrupt := r.line.corrupt.given && r.corrupt.next(&c.corrupt, d.corrupt)
	if r.line.limit > 0 && c.full(o.now) {
		copies := 1
		if clone != nil {
			copies = 2
		}
		o.fate.Lost += copies
		o.fate.Overflow += copies
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
	if c.rules.line.reorder.given {
		possible := c.streak >= c.rules.line.gap-1 // Linux draws only then
		if c.early(possible && c.rules.reorder.next(&c.reorder, d.reorder)) {
			c.leave(o, o.now.After(o.extra), true, copied)
			return
		}
	}
	delay := c.rules.delay.next(&c.delayed, d.delay)
	begin := o.now
	if c.rules.line.rate.bits > 0 {
		if last := c.busy; last > o.now {
			delay = max(0, delay-last.Sub(o.now))
			begin = last
		}
		delay += min(c.rules.line.rate.transmission(o.bits), time.Duration(des.MaxTime)-max(0, delay))
	}
	due := max(o.now, begin.After(delay)) // a delay can be negative
	c.busy = max(c.busy, due)
	c.leave(o, due.After(o.extra), false, copied)
}
