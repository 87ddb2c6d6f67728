// Package uniform is uniform reliable broadcast: a process delivers an item when enough processes have
// sent it on.
//
// Paper: textbook; C. Cachin, R. Guerraoui and L. Rodrigues, "Introduction to Reliable and Secure
// Distributed Programming", 2nd edition, 2011, section 3.4 (all-ack
// and majority-ack).
//
// Model: asynchronous complete graph, reliable links, crash-stop. Enough are
//
//	majority   more than n/2 processes; fewer than n/2 crash, and nobody has to notice
//	allack     all that have not crashed; any number crash, and a failure detector without mistakes
//	           says which
//
// Cost: each process sends an item to all others once: n(n-1) messages an item if nobody crashes. Time 2
// until all have delivered it.
//
// Invariants: a process that sends an item has it. When an item is delivered, a correct process has sent
// it to all.
//
// Deviations: with allack, a process that has an item which it cannot deliver asks the detector again
// every period, since the detector does not tell of a crash by itself.
package uniform

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/broadcast"
)

// Config is the same for all processes.
type Config struct {
	// Majority: enough are more than half of the processes. Else all that are not suspected.
	Majority bool
	// Period is the time after which a process asks the detector again; positive unless Majority.
	Period time.Duration
}

// look is the timer with which a process asks the detector again.
const look protocols.Timer = 0

// Process is one process.
type Process struct {
	cfg       Config
	delivered map[broadcast.Key]bool
	pending   []pending // in the order in which they arrived
}

// pending is an item that not enough processes have sent on.
type pending struct {
	data broadcast.Data
	by   []protocols.ID // who has sent it
}

// New returns a process. It panics if it would never ask the detector again.
func New(cfg Config) *Process {
	if !cfg.Majority && cfg.Period <= 0 {
		panic(fmt.Sprintf("uniform: a period of %v", cfg.Period))
	}
	return &Process{cfg: cfg, delivered: map[broadcast.Key]bool{}}
}

// Request implements [broadcast.Layer]: a broadcast.
func (p *Process) Request(n broadcast.Node, d broadcast.Data) {
	p.passOn(n, d.Pushed(broadcast.Header{By: n.ID()}))
}

// Indication implements [broadcast.Layer]: a process has sent an item.
func (p *Process) Indication(n broadcast.Node, from protocols.ID, d broadcast.Data) {
	key := d.Key()
	if p.delivered[key] {
		return
	}
	i := slices.IndexFunc(p.pending, func(w pending) bool { return w.data.Key() == key })
	if i < 0 {
		i = len(p.pending)
		p.passOn(n, d)
	}
	p.pending[i].by = append(p.pending[i].by, from)
	p.deliver(n)
}

// passOn sends an item to all, this process included.
func (p *Process) passOn(n broadcast.Node, d broadcast.Data) {
	p.pending = append(p.pending, pending{data: d})
	n.Request(d)
	if !p.cfg.Majority && len(p.pending) == 1 {
		n.SetTimer(look, p.cfg.Period)
	}
}

// Timeout implements [broadcast.Layer]: it asks the detector again.
func (p *Process) Timeout(n broadcast.Node, _ protocols.Timer) {
	n.SetTimer(look, p.cfg.Period)
	p.deliver(n)
}

// TimerName implements [protocols.TimerNamer].
func (p *Process) TimerName(protocols.Timer) string { return "look" }

// deliver delivers what enough processes have sent.
func (p *Process) deliver(n broadcast.Node) {
	p.pending = slices.DeleteFunc(p.pending, func(w pending) bool {
		if !p.enough(n, w.by) {
			return false
		}
		p.delivered[w.data.Key()] = true
		h, inner := w.data.Popped()
		n.Indicate(h.By, inner)
		return true
	})
	if len(p.pending) == 0 && !p.cfg.Majority {
		n.StopTimer(look)
	}
}

// enough reports whether enough processes have sent an item.
func (p *Process) enough(n broadcast.Node, by []protocols.ID) bool {
	if p.cfg.Majority {
		return 2*len(by) > n.Degree()+1
	}
	for port := range n.Degree() {
		if q := n.Neighbor(port); !slices.Contains(by, q) && !n.Suspects(q) {
			return false
		}
	}
	return true
}
