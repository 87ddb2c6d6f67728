package live

import (
	"cmp"
	"slices"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/links"
)

// Target is a run on which an adversary acts. It has the methods of faults.Target, except that a
// line is parsed. Instants are times since the run began.
//
// In a run with a target the steps are taken one at a time, also those of different nodes. So the
// adversary sees an order of all that happens, and the present instant stands still in a step.
type Target struct {
	run       *run
	adversary netem.Adversary // nil if the plan needs none, such as a crash at a known instant
	observer  netem.Observer  // may be nil
	actions   *agenda[func()]
	now       des.Time
	starting  bool           // the processes start: now is 0
	events    uint64         // that happened
	pending   []intervention // by event; those of one event in the order of asking
	room      waitingRoom
}

// intervention is a call of Due for which the adversary asked.
type intervention struct {
	event uint64
	token uint32
}

// oppose lets the plan of the configuration act on the run.
func (r *run) oppose() {
	if r.Oppose == nil {
		return
	}
	r.target = &Target{run: r, actions: newAgenda[func()](), starting: true}
	r.target.adversary = r.Oppose(r.target)
}

// enter begins something that happens to the run: a step of a node, or actions that are due.
func (r *run) enter() {
	if r.target == nil {
		r.world.RLock()
		return
	}
	r.world.Lock()
	r.busy.Add(1) // it keeps the run alive
	r.target.catchUp()
}

// leave ends it.
func (r *run) leave() {
	if r.target == nil {
		r.world.RUnlock()
		return
	}
	r.target.catchUp()
	r.target.room.settle(r)
	r.world.Unlock()
	r.done()
}

// catchUp does what is due by now.
func (t *Target) catchUp() {
	for {
		if !t.starting {
			t.now = max(t.now, des.Time(t.run.now()))
		}
		for len(t.pending) > 0 && t.pending[0].event <= t.events {
			t.InterveneAt(t.now, t.pending[0].token)
			t.pending = t.pending[1:]
		}
		due, ok := t.actions.take(t.now)
		if !ok {
			return
		}
		t.now = due.At // actions happen at their instants, even if they are carried out late
		due.Item()
	}
}

// count counts an event.
func (t *Target) count() {
	if t != nil {
		t.events++
	}
}

// act carries out what is due, when nothing else happens.
func (t *Target) act() {
	t.run.enter()
	t.run.leave()
}

// plan plans an event that keeps the run alive until then.
func (t *Target) plan(at des.Time, do func()) {
	t.run.busy.Add(1)
	t.run.planned.Add(1)
	t.actions.add(at, func() {
		t.count()
		do()
		t.run.planned.Add(-1)
		t.run.done()
	})
}

// Now is the present instant.
func (t *Target) Now() des.Time { return t.now }

// Alive reports whether a process is alive.
func (t *Target) Alive(p protocols.ID) bool { return !t.run.down[p] }

// CrashAt stops a process at an instant.
func (t *Target) CrashAt(p protocols.ID, at des.Time) {
	t.plan(at, func() { t.run.crash(p, false) })
}

// RestartAt restarts a process that has crashed.
func (t *Target) RestartAt(p protocols.ID, at des.Time) { t.plan(at, func() { t.run.revive(p) }) }

// StartAt wakes a process up.
func (t *Target) StartAt(p protocols.ID, at des.Time) { t.plan(at, func() { t.run.nodes[p].start() }) }

// InterveneAt calls the adversary's Due at an instant.
func (t *Target) InterveneAt(at des.Time, token uint32) {
	t.plan(at, func() { t.adversary.Due(token) })
}

// InterveneAfter calls the adversary's Due after so many events.
func (t *Target) InterveneAfter(events uint64, token uint32) {
	i, _ := slices.BinarySearchFunc(t.pending, events, func(p intervention, events uint64) int {
		return cmp.Or(cmp.Compare(p.event, events), -1) // after those of the same event
	})
	t.pending = slices.Insert(t.pending, i, intervention{events, token})
}

// ReleaseAt offers at an instant the messages and timers that the adversary holds.
func (t *Target) ReleaseAt(at des.Time) {
	t.room.releases++
	t.run.planned.Add(1)
	t.actions.add(at, func() {
		t.count()
		t.run.planned.Add(-1)
		t.release()
	})
}

// SetLine changes the line of a set of links for messages that are sent from now on; nil is that
// of the configuration.
func (t *Target) SetLine(set links.Set, line *impair.Line) {
	if err := possible(line); err != nil {
		panic(err) // the plan was not checked
	}
	t.run.imposed.setLine(set, line)
}

// AdjustClock sets the clock of a process forward by step. From now on the clock gains drift
// nanoseconds a second.
func (t *Target) AdjustClock(p protocols.ID, step time.Duration, drift int64) {
	n := t.run.nodes[p]
	old := n.reading
	n.reading = old.Adjusted(t.now, step, drift)
	for _, a := range n.timers {
		if a.at <= t.now {
			continue
		}
		a.at = max(t.now, n.reading.When(old.Shows(a.at)))
		if a.expiry.Stop() { // else it is in the inbox of the node
			a.expiry.Reset(time.Duration(a.at) - t.run.now())
		}
	}
}

// Observe sets the observer, for an adversary that has to know what the processes decide.
func (t *Target) Observe(o netem.Observer) { t.observer = o }

// observe tells the observer of a step, or of a crash.
func (t *Target) observe(what string, who protocols.ID) {
	switch {
	case t == nil || t.observer == nil:
	case what == "start":
		t.observer.Started(who)
	case what == "restart":
		t.observer.Restarted(who)
	case what == "crash":
		t.observer.Crashed(who)
	default:
		t.observer.Stepped(who)
	}
}

// strikes asks the adversary about a step of a node, whose messages are about to leave. It
// reports whether the process crashes amid the step, and cuts off what it then has not sent.
func (t *Target) strikes(s *Step) (crashes bool) {
	if t == nil || t.adversary == nil {
		return false
	}
	handled := -1
	if m, ok := s.Message.(box.Message); ok {
		handled = m.Kind()
	}
	t.adversary.Steps(s.Who, handled)
	return s.Strike(func(m *netem.Sent) (leaves, crashes bool) { return t.adversary.Leaves(s.Who, m.To, kindOf(m)) })
}

// Strike asks about each message of a step, once about a broadcast, whether it leaves and whether the process crashes
// then. If it crashes, Strike cuts off what it has not sent.
func (s *Step) Strike(ask func(m *netem.Sent) (leaves, crashes bool)) (crashes bool) {
	for i := 0; i < len(s.Sent); {
		end := i + 1
		for end < len(s.Sent) && s.Sent[end].Same {
			end++
		}
		leaves, crashes := ask(&s.Sent[i])
		if leaves {
			i = end
		}
		if crashes {
			s.Sent = s.Sent[:i]
			return true
		}
		i = end
	}
	return false
}

// count notes how many messages a step has sent, if there is a broadcast.
func (s *Step) count() {
	s.Left = 0
	for _, m := range s.Sent {
		if !m.Same {
			s.Left++
		}
	}
	if s.Left == len(s.Sent) {
		s.Left = 0
	}
}

func kindOf(s *netem.Sent) int { return s.Message.(box.Message).Kind() }

// sends asks the adversary about a message that goes to its link.
func (t *Target) sends(from protocols.ID, s *netem.Sent) (copies int, extra time.Duration) {
	if t == nil || t.adversary == nil {
		return 1, 0
	}
	copies, extra, forge := t.adversary.Sent(from, s.To, kindOf(s))
	if forge != nil {
		panic("live: processes of live runs do not lie") // the plan was not checked
	}
	return copies, extra
}

// arrives asks the adversary about a message that arrives at a live process.
func (t *Target) arrives(to, from protocols.ID, kind int) (wait time.Duration, gone bool) {
	if t == nil || t.adversary == nil {
		return 0, false
	}
	return t.adversary.Arrives(to, from, kind)
}

// expires asks the adversary about a timer that expires.
func (t *Target) expires(who protocols.ID) (wait time.Duration) {
	if t == nil || t.adversary == nil {
		return 0
	}
	return t.adversary.Expires(who)
}
