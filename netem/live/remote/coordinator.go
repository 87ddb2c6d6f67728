package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// coordinator starts the nodes of a run, collects their steps, carries out faults and decides when
// the run is over.
type coordinator struct {
	Config
	members   []*member
	processes []*process
	mail      *mailbox[event]
	cut       *cut
	begin     time.Time
	clock     uint64   // above all clocks of steps that were reported
	planned   int      // faults with an instant that is to come
	steps     uint64   // that were reported
	due       []*Fault // one after another
	active    bool     // something happened since the last look
	over      bool
	end       live.End
	failed    *live.PanicError
}

// event is news for the coordinator.
type event struct {
	member int
	news   *news  // nil if the host is gone
	fault  *Fault // that is due
}

// process is what the coordinator knows of a process.
type process struct {
	who        protocols.ID
	member     int
	neighbours []protocols.ID // to which it can send, or which can send to it

	up       bool          // its process has not crashed
	running  bool          // its OS process has not ended
	dying    bool          // it was killed, is about to kill itself, or will report a panic
	amid     bool          // it kills itself in the middle of its last step
	back     time.Duration // until it restarts after that; 0 is never
	vanished bool          // with its host
	addr     string
	started  bool // or has come back
	armed    int
	linked   map[protocols.ID]bool // neighbours to whose present life it is connected
	// closed are the neighbours that have handled all that this life sent to them.
	closed  map[protocols.ID]bool
	steps   []live.Step
	decodes protocols.Process[box.Message]
	lost    []live.Step // messages that it sent, and that did not leave
}

// newCoordinator returns the coordinator of hosts that have joined. What they say comes by mail.
func newCoordinator(c Config, members []*member, mail *mailbox[event]) *coordinator {
	co := &coordinator{Config: c, members: members, mail: mail, cut: newCut(protocols.Sample(c.Boot(0)))}
	for i := range protocols.ID(c.Topology.Len()) {
		co.processes = append(co.processes, &process{
			who: i, member: int(i) % len(members), up: !slices.Contains(c.Dead, i),
			decodes: c.Boot(i), linked: map[protocols.ID]bool{}, closed: map[protocols.ID]bool{},
		})
	}
	for _, s := range co.processes {
		for port := range c.Topology.Degree(s.who) {
			co.acquaint(s, co.processes[c.Topology.Neighbor(s.who, port)])
		}
	}
	for i := range c.Faults {
		if f := &c.Faults[i]; f.At == 0 && !f.Restart && f.Doom == nil && co.processes[f.Who].up {
			co.crash(co.processes[f.Who])
		}
	}
	return co
}

// acquaint makes two processes neighbours, also if only one can send to the other.
func (c *coordinator) acquaint(a, b *process) {
	if a != b && !slices.Contains(a.neighbours, b.who) {
		a.neighbours = append(a.neighbours, b.who)
		c.acquaint(b, a)
	}
}

// run runs the nodes, which end with the connections to their hosts.
func (c *coordinator) run(ctx context.Context) (*live.Recording, error) {
	if err := c.launch(ctx); err != nil {
		return nil, err
	}
	c.plan(ctx)
	if c.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Limit, errLimit)
		defer cancel()
	}
	c.pump(ctx, c.resting)
	for !c.over && len(c.due) > 0 {
		f := c.due[0]
		c.due = c.due[1:]
		if s := c.processes[f.Who]; f.Restart {
			c.restart(ctx, s)
		} else if s.up {
			s.dying = true
			c.order(s, order{What: "kill"})
		}
		c.pump(ctx, c.resting)
	}
	return c.recording(), nil
}

var errLimit = errors.New("the limit")

// launch starts all nodes: nothing is delivered until all have started. The error names those that
// have not.
func (c *coordinator) launch(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Launch, errLimit)
	defer cancel()
	up := slices.DeleteFunc(slices.Clone(c.processes), func(s *process) bool { return !s.up })
	for _, s := range up {
		c.spawn(s)
	}
	if err := c.await(ctx, up, "do not take connections yet", func(s *process) bool { return s.addr != "" }); err != nil {
		return err
	}
	for _, s := range up {
		c.link(s)
	}
	if err := c.await(ctx, up, "are not connected to all neighbours", c.isLinked); err != nil {
		return err
	}
	c.begin = time.Now()
	for _, s := range up {
		c.tell(s, command{What: "start", Begin: c.begin.UnixNano(), Initiator: slices.Contains(c.Initiators, s.who), Down: c.down()})
	}
	if err := c.await(ctx, up, "have not started", func(s *process) bool { return s.started }); err != nil {
		return err
	}
	c.clock++
	for _, s := range up {
		c.tell(s, command{What: "go", Floor: c.clock})
	}
	return nil
}

// mostNamed is the number of nodes that an error names.
const mostNamed = 10

// await waits until something is so of each node that starts, or the node is gone. The error names
// the nodes that lack it.
func (c *coordinator) await(ctx context.Context, up []*process, lack string, has func(*process) bool) error {
	is := func(s *process) bool { return s.isGone() || has(s) }
	c.pump(ctx, func() bool { return all(up, is) })
	switch {
	case !c.over:
		return nil
	case c.failed != nil:
		return c.failed
	}
	var names []string
	for _, s := range up {
		if !is(s) {
			names = append(names, fmt.Sprintf("%d on %s", s.who, c.Hosts[s.member]))
		}
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d others", more))
	}
	return fmt.Errorf("remote: %v before all nodes had started; nodes that %s: %s", c.end, lack, strings.Join(names, ", "))
}

func all(some []*process, is func(*process) bool) bool {
	return !slices.ContainsFunc(some, func(s *process) bool { return !is(s) })
}

// plan plans the faults that have an instant. Those of one instant come in the order of the plan.
func (c *coordinator) plan(ctx context.Context) {
	var plan []*Fault
	for i := range c.Faults {
		if f := &c.Faults[i]; f.Doom == nil && (f.Restart || f.At > 0) {
			plan = append(plan, f)
		}
	}
	slices.SortStableFunc(plan, func(a, b *Fault) int { return cmp.Compare(a.At, b.At) })
	c.planned += len(plan)
	go func() {
		for _, f := range plan {
			select {
			case <-ctx.Done():
				return
			case <-time.After(f.At - time.Since(c.begin)):
				c.mail.put(event{fault: f})
			}
		}
	}()
}

// spawn starts the OS process of a life, which takes all steps of its earlier lives again.
func (c *coordinator) spawn(s *process) {
	s.running, s.addr, s.started = true, "", false
	s.linked, s.closed = map[protocols.ID]bool{}, map[protocols.ID]bool{}
	j := &job{Who: s.who, Setting: c.Setting}
	for i := range c.Faults {
		if f := &c.Faults[i]; f.Who == s.who && f.Doom != nil {
			j.Dooms = append(j.Dooms, *f.Doom)
		}
	}
	c.order(s, order{What: "spawn"})
	c.tell(s, command{What: "job", Job: j})
	for i := range s.steps {
		switch s.steps[i].What {
		case "crash", "lost": // the process did nothing
			continue
		}
		text, err := live.MarshalStep(&s.steps[i])
		if err != nil {
			c.fail(s.who, err)
			return
		}
		c.tell(s, command{What: "log", Step: text})
	}
	c.tell(s, command{What: "listen"})
}

// link lets a process connect to its neighbours.
func (c *coordinator) link(s *process) {
	for _, p := range s.neighbours {
		if peer := c.processes[p]; peer.running && peer.addr != "" {
			c.tell(s, command{What: "peer", Who: p, Addr: peer.addr})
		}
	}
}

// isLinked reports whether a process is connected to all neighbours that are up.
func (c *coordinator) isLinked(s *process) bool {
	return all(c.processesOf(s.neighbours), func(p *process) bool { return p.isGone() || s.linked[p.who] })
}

// isGone reports whether nothing comes from a process any more: its OS process has ended, or its
// host has vanished.
func (s *process) isGone() bool { return !s.running || s.vanished }

// down are the processes that have crashed.
func (c *coordinator) down() (down []protocols.ID) {
	for _, s := range c.processes {
		if !s.up {
			down = append(down, s.who)
		}
	}
	return down
}

func (c *coordinator) processesOf(some []protocols.ID) (processes []*process) {
	for _, p := range some {
		processes = append(processes, c.processes[p])
	}
	return processes
}

// resting reports whether faults are due, or nothing can happen any more. Then the run is over.
func (c *coordinator) resting() bool {
	if len(c.due) > 0 {
		return true
	}
	if c.planned > 0 || !c.cut.isQuiet() || !all(c.processes, c.isIdle) {
		return false
	}
	c.finish(live.Rest)
	return true
}

// isIdle reports whether a process will do nothing on its own, and all that its lives have sent
// was received or is lost.
func (c *coordinator) isIdle(s *process) bool {
	return s.up && s.armed == 0 && !s.dying && !s.vanished || !s.up && !s.running && c.isDrained(s)
}

// isDrained reports whether all that a process sent before its end was handled or is lost.
func (c *coordinator) isDrained(s *process) bool {
	return all(c.processesOf(s.neighbours), func(p *process) bool { return p.isGone() || !s.linked[p.who] || s.closed[p.who] })
}

// pump takes what the coordinator learns until something is so, or the run is over.
func (c *coordinator) pump(ctx context.Context, until func() bool) {
	silence := time.NewTicker(c.Quiet)
	defer silence.Stop()
	for !c.over && !until() {
		select {
		case <-ctx.Done():
			c.finish(live.Interrupted)
			if context.Cause(ctx) == errLimit {
				c.finish(live.OutOfTime)
			}
		case <-silence.C:
			c.listen()
		case <-c.mail.some:
			for _, e := range c.mail.take() {
				c.learn(e)
			}
		}
	}
}

// listen ends a run in silence if a host has vanished, or a connection broke between two processes
// that live, and nothing happens any more.
func (c *coordinator) listen() {
	broken := func(s *process) bool { return s.vanished || s.up && !s.dying && len(s.closed) > 0 }
	still := func(s *process) bool { return s.vanished || s.armed == 0 }
	if !c.active && c.planned == 0 && slices.ContainsFunc(c.processes, broken) && all(c.processes, still) {
		c.finish(live.Silence)
	}
	c.active = false
}

func (c *coordinator) finish(e live.End) { c.over, c.end = true, e }

func (c *coordinator) fail(p protocols.ID, why any) {
	if c.failed == nil {
		c.failed = &live.PanicError{Who: p, Value: why}
	}
	c.finish(live.Panicked)
}

// order and tell speak to a host and a node. A host that is gone is noticed elsewhere.
func (c *coordinator) order(s *process, o order) {
	o.Who = s.who
	c.members[s.member].out.write(o)
}

func (c *coordinator) tell(s *process, what command) { c.order(s, order{What: "tell", Line: &what}) }

// recording has the reported steps, as far as they are consistent.
func (c *coordinator) recording() *live.Recording {
	var of [][]live.Step
	for _, s := range c.processes {
		of = append(of, s.steps)
	}
	consistent(of)
	known := map[uint64]bool{}
	var steps []live.Step
	for _, some := range of {
		steps = append(steps, some...)
		for i := range some {
			for _, m := range some[i].Sent {
				known[m.Number] = true
			}
		}
	}
	for _, s := range c.processes {
		for _, l := range s.lost {
			if known[l.Number] {
				steps = append(steps, l)
			}
		}
	}
	rec := live.NewRecording(steps, c.end, protocols.Sample(c.processes[0].decodes))
	rec.Failed = c.failed
	return rec
}
