package live

import (
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// crash stops a process, in the middle of its last step or between two steps. Its timers will not
// expire, and what arrives from now on is lost. The world has stopped.
func (r *run) crash(p protocols.ID, amid bool) {
	if r.down[p] {
		return
	}
	r.down[p] = true
	n := r.nodes[p]
	for label := range n.timers {
		n.StopTimer(label)
	}
	s := Step{Record: netem.Record{What: "crash", Who: p, Amid: amid}, Clock: r.rise(), Wall: r.now()}
	if amid {
		s.Clock = n.clock // directly after the step
	}
	n.log = append(n.log, s)
	r.target.observe(s.What, p)
}

// wake lets a process start, if it is alive.
func (r *run) wake(p protocols.ID) {
	if n := r.nodes[p]; !r.down[p] {
		n.step(Step{Record: netem.Record{What: "start", Who: p}}, func() { n.process.Start(n) })
	}
}

// restart makes a crashed process come back: what its stable storage held is restored. The world
// has stopped.
func (r *run) restart(p protocols.ID) {
	if !r.down[p] {
		return
	}
	r.down[p] = false
	n := r.nodes[p]
	crashed := n.process
	n.process = r.Boot(p)
	if s, ok := protocols.AsStable(n.process); ok {
		s.Restore(crashed)
	}
	r.rise()
	n.step(Step{Record: netem.Record{What: "restart", Who: p}}, func() {
		if b, ok := protocols.AsBooter(n.process); ok {
			b.Boot(n)
		}
		if b, ok := n.process.(protocols.Recoverer[box.Message]); ok {
			b.Recover(n)
		}
	})
	r.floor = n.clock
}

// rise returns a clock above those of all steps so far. Steps from now on have a larger one. The
// world has stopped.
func (r *run) rise() uint64 {
	for _, n := range r.nodes {
		r.floor = max(r.floor, n.clock)
	}
	r.floor++
	return r.floor
}

// panicked ends the run because a handler of a process panicked.
func (r *run) panicked(p protocols.ID, value any) {
	r.blame.Do(func() { r.failed = &PanicError{p, value} })
	r.end(Panicked)
}

func (r *run) isBackground(kind int) bool { return r.ambient != nil && r.ambient[kind] }

// disarmed counts a timer that is no longer armed.
func (r *run) disarmed(t protocols.Timer) {
	if t > protocols.Background {
		r.planned.Add(-1)
		r.done()
	}
}
