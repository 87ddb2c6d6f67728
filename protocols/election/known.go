package election

import (
	"time"

	"bullring/protocols"
)

// known has the best process that E1 compares a leader with: of those that live, that did
// not come back only a moment ago and that started, if only initiators may win. A decision
// is compared with it alone. All processes are looked at when it has crashed, and once to
// name the better process that breaks E1.
type known struct {
	best  protocols.ID // -1 for none
	stale bool         // best has to be looked for
	fresh []comeback   // those that were not yet known, oldest first
}

// comeback is a restart of a process.
type comeback struct {
	process protocols.ID
	at      time.Duration
}

// knows reports whether E1 compares a leader with a process.
func (c *Checker) knows(p protocols.ID, now time.Duration) bool {
	s := c.states[p]
	return !s.is(crashed) && (!s.is(back) || now-c.since[p] > c.promise.Settle) && (c.promise.Winner == Best || s.is(started))
}

// better is the first process that E1 knows and that is better than a leader, -1 for none.
func (c *Checker) better(leader Rank, now time.Duration) protocols.ID {
	if best := c.bestKnown(now); best < 0 || !c.order.Better(c.ranks.At(best), leader) {
		return -1
	}
	for p, r := range c.ranks.All() {
		if c.order.Better(r, leader) && c.knows(p, now) {
			return p
		}
	}
	return -1
}

func (c *Checker) bestKnown(now time.Duration) protocols.ID {
	k := &c.known
	for len(k.fresh) > 0 && now-k.fresh[0].at > c.promise.Settle {
		c.learn(k.fresh[0].process, now)
		k.fresh = k.fresh[1:]
	}
	if k.stale {
		k.best, k.stale = -1, false
		for p := range c.states {
			c.learn(protocols.ID(p), now)
		}
	}
	return k.best
}

// learn makes a process the best if it is known, and better than the best so far.
func (c *Checker) learn(p protocols.ID, now time.Duration) {
	k := &c.known
	if !k.stale && c.knows(p, now) && (k.best < 0 || c.order.Better(c.ranks.At(p), c.ranks.At(k.best))) {
		k.best = p
	}
}

// forget takes note that a process has crashed.
func (k *known) forget(p protocols.ID) { k.stale = k.stale || p == k.best }

// turn moves what is known of address p to p+1 of n.
func (k *known) turn(n int) {
	k.stale = true
	for i := range k.fresh {
		k.fresh[i].process = (k.fresh[i].process + 1) % protocols.ID(n)
	}
}
