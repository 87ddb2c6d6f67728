package foreign

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"bullring/experiments"
	"bullring/protocols"
)

// Nodes runs programs as processes: see [experiments.Nodes]. Its zero value starts none.
type Nodes struct {
	Allowed bool          // to start programs
	Wait    time.Duration // for each answer of a program; 0 is DefaultWait

	mutex sync.Mutex
	idle  map[string][]*child // programs that wait for another trial, by command
	casts map[castKey]*experiments.Algorithm
}

// DefaultWait is the time for which the driver waits for an answer of a program.
const DefaultWait = 5 * time.Second

// Close ends all programs.
func (n *Nodes) Close() {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, children := range n.idle {
		for _, c := range children {
			c.end(0)
		}
	}
	n.idle = nil
}

// take returns a program that is ready for init: one that has waited, or a new one.
func (n *Nodes) take(c command) (*child, error) {
	n.mutex.Lock()
	waiting := n.idle[c.text]
	if last := len(waiting) - 1; last >= 0 {
		n.idle[c.text] = waiting[:last]
		n.mutex.Unlock()
		return waiting[last], nil
	}
	n.mutex.Unlock()
	wait := n.Wait
	if wait == 0 {
		wait = DefaultWait
	}
	return start(c, wait)
}

// give gives a program back.
func (n *Nodes) give(c command, ch *child) {
	if !ch.reusable {
		ch.end(0)
		return
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.idle == nil {
		n.idle = map[string][]*child{}
	}
	n.idle[c.text] = append(n.idle[c.text], ch)
}

// company is the processes of a trial. It is an [experiments.Company].
type company struct {
	ctx     context.Context
	nodes   *Nodes
	in      *experiments.Instance
	command command
	kinds   *kinds
	boots   bool   // every process boots
	names   string // of all nodes, as JSON
	seats   []*process
	booted  []bool // Boot was called
	links   []map[protocols.ID]bool
}

// Refused returns why the program of a setting may not start, or nil.
func (n *Nodes) Refused(node string) error {
	if n.Allowed || node == "" || node == experiments.NoNode {
		return nil
	}
	return fmt.Errorf("the run starts the program %q; --allow-nodes allows that", Command(node))
}

// mostPrograms is the most programs of a run: each of 50 in Python had 13 MB in memory.
const mostPrograms = 1024

// hire starts the programs of a trial, and does not wait for them.
func (n *Nodes) hire(ctx context.Context, in *experiments.Instance, kinds *kinds, boots bool) (experiments.Company[message], error) {
	if err := n.Refused(in.Setting.Node); err != nil {
		return nil, err
	}
	c, err := parseCommand(in.Setting.Node)
	if err == nil {
		err = c.check()
	}
	if err == nil && in.N > mostPrograms {
		err = fmt.Errorf("node %q: n %d; a program runs for each process, and a run starts at most %d", c.text, in.N, mostPrograms)
	}
	if err != nil {
		return nil, err
	}
	team := &company{ctx: ctx, nodes: n, in: in, command: c, kinds: kinds, boots: boots, seats: make([]*process, in.N), booted: make([]bool, in.N)}
	var all []string
	for p := range protocols.ID(in.N) {
		all = append(all, name(p))
		links := map[protocols.ID]bool{}
		for port := range in.Topology.Degree(p) {
			links[in.Topology.Neighbor(p, port)] = true
		}
		team.links = append(team.links, links)
	}
	team.names = text(all)
	for p := range team.seats {
		if err := team.sit(protocols.ID(p), false); err != nil {
			team.End(false)
			return nil, err
		}
	}
	return team, nil
}

// sit gives an address a process with a program, and tells the program init.
func (c *company) sit(p protocols.ID, restarted bool) error {
	ch, err := c.nodes.take(c.command)
	if err != nil {
		return err
	}
	ch.out.ctx = c.ctx
	var near []string
	for port := range c.in.Topology.Degree(p) {
		near = append(near, name(c.in.Topology.Neighbor(p, port)))
	}
	body := fmt.Sprintf(`{"type":"init","msg_id":1,"node_id":%q,"node_ids":%s,"neighbors":%s,"rank":%d`, name(p), c.names, text(near), c.rank(p))
	if restarted {
		body += `,"restarted":true`
	}
	seat := &process{id: p, company: c, child: ch, due: ch.asked + 1}
	c.seats[p] = seat
	seat.line = appendLine(nil, driver, name(p), body+"}")
	seat.event = func() string { return "init" }
	seat.failed = caught(seat.ask) // the program ended at once
	return nil
}

// Boot implements [experiments.Company].
func (c *company) Boot(p protocols.ID) protocols.Process[message] {
	if c.booted[p] {
		c.Crash(p)
		if err := c.sit(p, true); err != nil {
			panic(err)
		}
	}
	c.booted[p] = true
	return c.seats[p]
}

// Crash implements [experiments.Company].
func (c *company) Crash(p protocols.ID) {
	if seat := c.seats[p]; seat.child != nil {
		seat.child.end(0)
		seat.child = nil
	}
}

// End implements [experiments.Company].
func (c *company) End(sound bool) (err error) {
	if sound {
		err = caught(c.sound)
	}
	for _, seat := range c.seats {
		switch {
		case seat == nil || seat.child == nil:
		case sound && err == nil:
			c.nodes.give(c.command, seat.child)
		default:
			seat.child.end(0)
		}
	}
	return err
}

// sound looks whether the programs are silent after their last answers.
func (c *company) sound() {
	for _, seat := range c.seats {
		if seat.child != nil {
			seat.settle()
			seat.line = seat.line[:0]
			seat.ask()
		}
	}
	for _, seat := range c.seats {
		if seat.child != nil {
			seat.quiet()
		}
	}
}

// caught calls f, and returns the misbehaviour with which it panics.
func caught(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			m, ok := x.(*experiments.Misbehaviour)
			if !ok {
				panic(x)
			}
			err = m
		}
	}()
	f()
	return nil
}

func (c *company) rank(p protocols.ID) int64 { return int64(c.in.Ranks.At(p).ID) }

// reaches reports whether there is a link.
func (c *company) reaches(from, to protocols.ID) bool { return c.links[from][to] }

// text is a list as JSON.
func text(list []string) string {
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // a list of names
	}
	if list == nil {
		return "[]"
	}
	return string(b)
}

// startBody tells a process to start.
func startBody(rank int64) string {
	return `{"type":"start","rank":` + strconv.FormatInt(rank, 10) + "}"
}

// appendLine appends a line to a program. The body is JSON.
func appendLine(line []byte, src, dest, body string) []byte {
	line = append(line, `{"src":"`...)
	line = append(line, src...)
	line = append(line, `","dest":"`...)
	line = append(line, dest...)
	line = append(line, `","body":`...)
	line = append(line, body...)
	return append(line, "}\n"...)
}

// appendSync appends a request of a type that no node knows.
func appendSync(line []byte, dest string, id int64) []byte {
	return appendLine(line, driver, dest, `{"type":"bullring_sync","msg_id":`+strconv.FormatInt(id, 10)+"}")
}
