package remote

import (
	"context"
	"fmt"
	"time"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// learn takes note of an event.
func (c *coordinator) learn(e event) {
	if c.over {
		return // what was reported until then counts
	}
	c.active = true
	switch {
	case e.fault != nil:
		c.planned--
		c.due = append(c.due, e.fault)
	case e.news == nil:
		for _, s := range c.processes {
			if s.member == e.member && s.up && !s.started {
				c.fail(s.who, "its host is gone")
			}
			s.vanished = s.vanished || s.member == e.member
		}
	case e.news.Who < 0 || int(e.news.Who) >= len(c.processes) || c.processes[e.news.Who].member != e.member:
	case e.news.Ended:
		c.ended(c.processes[e.news.Who], e.news)
	case e.news.Line != nil:
		c.hear(c.processes[e.news.Who], e.news.Line)
	}
}

// hear takes note of a report.
func (c *coordinator) hear(s *process, r *report) {
	if r.Who < 0 || int(r.Who) >= len(c.processes) {
		c.fail(s.who, fmt.Sprintf("it speaks of a process %d, which there is not", r.Who))
		return
	}
	switch r.What {
	case "listens":
		s.addr = r.Addr
	case "linked", "unlinked":
		peer := c.processes[r.Who]
		if !peer.running || peer.addr != r.Addr {
			break // it has crashed
		}
		if s.linked[r.Who] = r.What == "linked"; !s.linked[r.Who] {
			c.fail(s.who, r.Why)
		}
	case "started":
		s.started = true
	case "failed":
		c.fail(s.who, r.Why)
	case "gone":
		if peer := c.processes[r.Who]; peer.who != s.who {
			peer.closed[s.who] = true
			if !peer.running {
				c.undelivered(peer, s)
			}
		}
	case "step":
		step, err := live.UnmarshalStep(s.decodes, r.Step)
		if err == nil {
			err = c.isOf(s, step)
		}
		if err != nil {
			c.fail(s.who, err)
			return
		}
		c.step(s, step)
		s.armed, s.dying, s.amid, s.back = r.Armed, s.dying || r.Amid || step.Panics, r.Amid, r.Back
	}
}

// isOf reports whether a step can be one of a process.
func (c *coordinator) isOf(s *process, step *live.Step) error {
	named := []protocols.ID{step.From}
	for i := range step.Sent {
		named = append(named, step.Sent[i].To)
	}
	for _, p := range named {
		if p < 0 || int(p) >= len(c.processes) {
			return fmt.Errorf("its step %s names a process %d, which there is not", step.What, p)
		}
	}
	switch {
	case step.Who != s.who:
		return fmt.Errorf("it reports a step of process %d", step.Who)
	case step.What == "deliver" != (step.Message != nil):
		return fmt.Errorf("its step %s has a message, or lacks one", step.What)
	}
	return nil
}

// step adds a step to the cut.
func (c *coordinator) step(s *process, step *live.Step) {
	c.clock = max(c.clock, step.Clock)
	if c.steps++; c.steps == c.MaxSteps {
		c.finish(live.OutOfSteps)
	}
	s.steps = append(s.steps, *step)
	if step.What == "deliver" {
		c.cut.receives(step.Number)
	}
	if step.What == "restart" {
		s.up, s.started = true, true
	}
	for i := range step.Sent {
		m := &step.Sent[i]
		c.cut.sends(s.who, m)
		if m.To != s.who && !s.linked[m.To] {
			c.lose("lost", func(l letter) bool { return l.sent.Number == m.Number })
		}
	}
}

// ended takes note of the end of an OS process. All that it reported came before. If it was killed
// its process has crashed, no matter who killed it. (Not every system tells how a process ended.)
// One that was killed before its restart has crashed already.
func (c *coordinator) ended(s *process, n *news) {
	s.running = false
	if !n.Killed && !s.dying {
		c.fail(s.who, "its OS process ended: "+n.Why)
		return
	}
	for _, other := range c.processes {
		delete(other.linked, s.who)
	}
	if s.up {
		c.crash(s)
	}
	c.lose("lost", func(l letter) bool { return l.to == s.who })
	for peer := range s.closed {
		c.undelivered(s, c.processes[peer])
	}
	if s.back > 0 {
		c.planned++
		f := &Fault{Who: s.who, Restart: true}
		time.AfterFunc(s.back, func() { c.mail.put(event{fault: f}) })
		s.back = 0
	}
}

// crash records the crash of a process, and tells the others. A crash before the run begins comes
// before all steps.
func (c *coordinator) crash(s *process) {
	crash := live.Step{Record: netem.Record{What: "crash", Who: s.who}}
	if !c.begin.IsZero() {
		c.clock++
		crash.Clock, crash.Wall = c.clock, time.Since(c.begin)
	}
	if last := len(s.steps) - 1; s.amid {
		crash.Amid, crash.Clock = true, s.steps[last].Clock
	}
	s.up, s.dying, s.amid, s.armed = false, false, false, 0
	s.steps = append(s.steps, crash)
	for _, other := range c.processes {
		if other.running {
			c.tell(other, command{What: "crashed", Who: s.who, Floor: c.clock})
		}
	}
}

// undelivered loses what a process that crashed had sent to a peer, and did not leave.
func (c *coordinator) undelivered(s, peer *process) {
	c.lose("lose", func(l letter) bool { return l.from == s.who && l.to == peer.who })
}

// lose records the loss of messages: now, after all that was reported.
func (c *coordinator) lose(what string, which func(letter) bool) {
	gone := c.cut.takes(which)
	if len(gone) == 0 {
		return
	}
	c.clock++
	for _, l := range gone {
		s := c.processes[l.from]
		s.lost = append(s.lost, live.Step{
			Record: netem.Record{What: what, Who: l.to, From: l.from, Message: l.sent.Message.(box.Message), Number: l.sent.Number},
			Clock:  c.clock, Wall: time.Since(c.begin),
		})
	}
}

// restart starts the next life of a process. First, all that its last life sent is handled or
// lost. Then it and its neighbours connect. So whatever was lost comes before the restart. If its
// OS process is killed meanwhile, the process stays crashed.
func (c *coordinator) restart(ctx context.Context, s *process) {
	if s.dying {
		c.pump(ctx, s.isGone)
	}
	if c.over || s.up || s.vanished {
		return
	}
	if c.pump(ctx, func() bool { return c.isDrained(s) }); c.over {
		return
	}
	c.spawn(s)
	if !c.comes(ctx, s, func() bool { return s.addr != "" }) {
		return
	}
	c.link(s)
	for _, p := range c.processesOf(s.neighbours) {
		if p.running {
			c.tell(p, command{What: "peer", Who: s.who, Addr: s.addr})
		}
	}
	if !c.comes(ctx, s, func() bool {
		return c.isLinked(s) && all(c.processesOf(s.neighbours), func(p *process) bool { return p.isGone() || p.linked[s.who] })
	}) {
		return
	}
	c.clock++
	c.tell(s, command{What: "restart", Begin: c.begin.UnixNano(), Floor: c.clock, Down: c.down()})
	c.tell(s, command{What: "go", Floor: c.clock})
	if !c.comes(ctx, s, func() bool { return s.up }) {
		return
	}
	for _, p := range c.processes {
		if p.running && p != s {
			c.tell(p, command{What: "back", Who: s.who, Floor: c.clock})
		}
	}
}

// comes waits until something is so of a process that restarts. It returns false if the process is
// gone, or the run over.
func (c *coordinator) comes(ctx context.Context, s *process, is func() bool) bool {
	c.pump(ctx, func() bool { return s.isGone() || is() })
	return !c.over && !s.isGone()
}
