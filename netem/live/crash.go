package live

import (
	"fmt"
	"sync/atomic"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// crash stops a process, in the middle of its last step or between two steps. Its timers will not
// expire, and what arrives from now on is lost. The world has stopped.
func (r *run) crash(p protocols.ID, amid bool) {
	if r.down[p] {
		r.revivals[p].wanted.Store(false) // a restart that is being prepared
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
	n.note(s)
	if r.Waits.Crashed != nil {
		r.Waits.Crashed(p)
	}
	r.target.observe(s.What, p)
}

// boot lets the services of a process begin, if it is alive and has some.
func (n *node) boot() {
	if b, ok := protocols.AsBooter(n.process); ok && !n.run.down[n.id] {
		n.run.target.count()
		n.step(Step{Record: netem.Record{What: "boot", Who: n.id}}, func() { b.Boot(n) })
	}
}

// start lets a process start, if it is alive.
func (n *node) start() {
	if !n.run.down[n.id] {
		n.step(Step{Record: netem.Record{What: "start", Who: n.id}}, func() { n.process.Start(n) })
	}
}

// revive restarts a crashed process, when it is prepared. The world has stopped; it does not wait.
func (r *run) revive(p protocols.ID) {
	if r.Waits.Prepare == nil || !r.down[p] {
		r.restart(p)
		return
	}
	v := &r.revivals[p]
	v.wanted.Store(true)
	if v.prepares.Swap(true) {
		return
	}
	r.busy.Add(1)
	r.planned.Add(1)
	r.working.Go(func() {
		r.Waits.Prepare(p)
		select {
		case <-r.closed:
			return
		default:
		}
		r.enter()
		v.prepares.Store(false)
		if v.wanted.Load() {
			r.restart(p)
		}
		r.planned.Add(-1)
		r.leave()
		r.done()
	})
}

// revival is the restart of a process, which takes time to prepare.
type revival struct {
	prepares atomic.Bool // it is being prepared
	wanted   atomic.Bool // the process restarts then; another crash takes that back
}

// awaited names the processes whose restart is still being prepared.
func (r *run) awaited() (all []string) {
	for p := range r.revivals {
		if v := &r.revivals[p]; v.prepares.Load() && v.wanted.Load() {
			all = append(all, fmt.Sprintf("process %d has not come back: its restart is being prepared", p))
		}
	}
	return all
}

// restart makes a crashed process come back: what its stable storage held is restored. The world
// has stopped.
func (r *run) restart(p protocols.ID) {
	if !r.down[p] {
		return
	}
	r.down[p] = false
	n := r.nodes[p]
	r.rise()
	n.step(Step{Record: netem.Record{What: "restart", Who: p}}, n.comeBack)
	r.floor = n.clock
}

// comeBack replaces the process of a node that crashed, restores its stable storage, and lets it do
// what it does first after a restart.
func (n *node) comeBack() {
	crashed := n.process
	n.process = n.run.Boot(n.id)
	if s, ok := protocols.AsStable(n.process); ok {
		s.Restore(crashed)
	}
	if b, ok := protocols.AsBooter(n.process); ok {
		b.Boot(n)
	}
	if b, ok := n.process.(protocols.Recoverer[box.Message]); ok {
		b.Recover(n)
	}
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
