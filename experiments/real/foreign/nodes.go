package foreign

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"time"

	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/internal/descriptors"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Nodes runs programs as processes: see [trial.Nodes]. Its zero value starts none.
type Nodes struct {
	Allowed bool          // to start programs
	Wait    time.Duration // for each answer of a program; 0 is DefaultWait
	Limit   time.Duration // of each trial, in real time; 0 is none
	Sandbox *Sandbox      // of each program; nil is none

	mutex    sync.Mutex
	idle     map[string][]*child // programs that wait for another trial, by command
	slots    chan struct{}       // one for each program that is starting
	declared map[declarationKey]*trial.Algorithm
}

// DefaultWait is the time for which the driver waits for an answer of a program.
const DefaultWait = 5 * time.Second

// DefaultLimit is the longest time of a trial on the command line.
const DefaultLimit = 5 * time.Minute

// startWait is the time for which the driver waits for the first answer of a program, unless
// it waits longer for the others. A program in Python reads its libraries first.
const startWait = 30 * time.Second

// wait is the time for which the driver waits for an answer.
func (n *Nodes) wait() time.Duration { return cmp.Or(n.Wait, DefaultWait) }

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

// waiting returns a program that has waited for another trial, or nil.
func (n *Nodes) waiting(c command) *child {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	waiting := n.idle[c.text]
	last := len(waiting) - 1
	if last < 0 {
		return nil
	}
	n.idle[c.text] = waiting[:last]
	return waiting[last]
}

// slot returns the slots for programs that start at the same time, in all trials together. On
// a machine that starts many programs at once, each of them is slow.
func (n *Nodes) slot() chan struct{} {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.slots == nil {
		n.slots = make(chan struct{}, max(2, runtime.NumCPU()))
	}
	return n.slots
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

// setup is what the processes of a trial or of an exploration have in common.
type setup struct {
	ctx     context.Context
	nodes   *Nodes
	in      *trial.Instance
	command command
	kinds   *kinds
	boots   bool   // every process boots
	names   string // of all nodes, as JSON
	links   []map[protocols.ID]bool
	over    time.Time // when the limit is reached; zero without one
}

// programs is the processes of a trial. It is a [trial.Programs].
type programs struct {
	*setup
	processes []*process
	booted    []bool // Boot was called
	prepared  []bool // Prepare was called since then
}

// Refused returns why the program of a setting may not start, or nil.
func (n *Nodes) Refused(node string) error {
	if n.Allowed || node == "" || node == trial.NoNode {
		return nil
	}
	return fmt.Errorf("the run starts the program %q; --allow-nodes allows that", Command(node))
}

// perProgram is the number of descriptors for a program: three pipes, and on Linux one that tells
// its end.
const perProgram = 4

// Afford returns an error if the system does not allow as many open files as so many programs need.
func (n *Nodes) Afford(programs int) error {
	if err := descriptors.Ask(perProgram * programs); err != nil {
		return fmt.Errorf("%s run at the same time: %w", counts.Several(programs, "program"), err)
	}
	return nil
}

// mostPrograms is the most programs of a run: each of 50 in Python had 13 MB in memory.
const mostPrograms = 1024

// setup prepares the processes of an instance. The error says why its program may not start, or is not
// what it was; programs is how many will run at the same time.
func (n *Nodes) setup(ctx context.Context, in *trial.Instance, kinds *kinds, boots bool, programs int) (*setup, error) {
	if err := n.Refused(in.Setting.Node); err != nil {
		return nil, err
	}
	c, err := parseCommand(in.Setting.Node)
	if err == nil {
		err = c.check()
	}
	if err == nil && programs > mostPrograms {
		err = fmt.Errorf("node %q: n %d; a program runs for each process, and a run starts at most %d", c.text, in.N, mostPrograms)
	}
	if err == nil {
		err = n.Afford(programs)
	}
	if err != nil {
		return nil, err
	}
	s := &setup{ctx: ctx, nodes: n, command: c, kinds: kinds, boots: boots}
	if n.Limit > 0 {
		s.over = time.Now().Add(n.Limit)
	}
	return s.of(in), nil
}

// startWait is the time for which the driver waits for the first answer of a program.
func (s *setup) startWait() time.Duration { return max(startWait, s.nodes.wait()) }

// spent says that the run has taken all its time, or nothing.
func (s *setup) spent() string {
	if s.over.IsZero() || time.Now().Before(s.over) {
		return ""
	}
	return fmt.Sprintf("the run takes more than %v (--node-limit)", s.nodes.Limit)
}

// of is the setup for an instance.
func (s *setup) of(in *trial.Instance) *setup {
	own := *s
	own.in, own.links = in, nil
	var all []string
	for p := range protocols.ID(in.N) {
		all = append(all, name(p))
		links := map[protocols.ID]bool{p: true} // a process may send to itself
		for port := range in.Topology.Degree(p) {
			links[in.Topology.Neighbor(p, port)] = true
		}
		own.links = append(own.links, links)
	}
	own.names = text(all)
	return &own
}

// startAll starts the programs of a trial, few at once.
func (n *Nodes) startAll(ctx context.Context, in *trial.Instance, kinds *kinds, boots bool) (trial.Programs[message], error) {
	s, err := n.setup(ctx, in, kinds, boots, in.N)
	if err != nil {
		return nil, err
	}
	ps := &programs{setup: s, processes: make([]*process, in.N), booted: make([]bool, in.N), prepared: make([]bool, in.N)}
	if err := ps.begin(); err != nil {
		ps.End(false)
		return nil, err
	}
	return ps, nil
}

// begin gives each address a process with a program. It waits until the new programs have
// started.
func (c *programs) begin() error {
	slot := c.nodes.slot()
	var starting sync.WaitGroup
	defer starting.Wait()
	for p := range c.processes {
		if ch := c.nodes.waiting(c.command); ch != nil {
			c.place(protocols.ID(p), ch, false)
			continue
		}
		slot <- struct{}{}
		ch, err := start(c.command, c.nodes.Sandbox)
		if err != nil {
			<-slot
			return err
		}
		starting.Go(func() {
			proc := c.place(protocols.ID(p), ch, false)
			if proc.failed == nil {
				proc.failed = caught(proc.settle)
			}
			<-slot
		})
	}
	return nil
}

// place gives an address a process with a program, and tells the program init.
func (c *programs) place(p protocols.ID, ch *child, restarted bool) *process {
	proc := &process{role: role{id: p, setup: func() *setup { return c.setup }, ear: c.ear(p)}}
	if crashed := c.processes[p]; crashed != nil {
		proc.stored = crashed.stored
	}
	c.processes[p] = proc
	proc.meet(ch)
	proc.line = appendLine(nil, driver, name(p), c.initBody(p, restarted, proc.stored))
	proc.failed = caught(proc.ask) // the program ended at once
	return proc
}

// initBody tells a process to begin.
func (s *setup) initBody(p protocols.ID, restarted bool, stored string) string {
	near := []string{}
	for port := range s.in.Topology.Degree(p) {
		near = append(near, name(s.in.Topology.Neighbor(p, port)))
	}
	body := fmt.Sprintf(`{"type":"init","msg_id":1,"node_id":%q,"node_ids":%s,"neighbors":%s,"rank":%d`, name(p), s.names, text(near), s.rank(p)) + s.knowledge(p)
	if restarted {
		body += `,"restarted":true`
	}
	if stored != "" {
		body += `,"stored":` + stored
	}
	return body + "}"
}

// ear hears the process of an address.
func (c *programs) ear(p protocols.ID) trial.Ear {
	var crashed trial.Ear
	if before := c.processes[p]; before != nil {
		crashed = before.ear
	}
	return c.in.Algorithm.NewEar(c.in, p, crashed)
}

// knowledge is what a process of the algorithm knows besides names and links, as fields of init.
func (s *setup) knowledge(p protocols.ID) string {
	fields, assumes := "", &s.in.Algorithm.Assumes
	if s.in.Algorithm.Inputs != nil {
		fields += `,"input":` + strconv.Itoa(s.in.Input(p))
	}
	if assumes.Resilience != nil {
		fields += `,"f":` + strconv.Itoa(s.in.F)
	}
	if assumes.BoundedDelay {
		fields += `,"bound":"` + s.in.Assumed.String() + `"`
	}
	values := map[string]any{}
	for _, p := range s.in.Algorithm.Params {
		if p.Name != kindsParam || !s.in.Algorithm.Bare {
			values[p.Name] = plainValue(s.in.Param(p.Name))
		}
	}
	if len(values) > 0 {
		fields += `,"params":` + text(values)
	}
	return fields
}

// plainValue is the value of a parameter: a number if it is a whole one, or a text.
func plainValue(text string) any {
	if i, err := strconv.Atoi(text); err == nil {
		return i
	}
	return text
}

// Boot implements [trial.Programs].
func (c *programs) Boot(p protocols.ID) protocols.Process[message] {
	if c.booted[p] && !c.prepared[p] {
		if err := c.again(p); err != nil {
			panic(&trial.LateError{Where: c.processes[p].where("init"), Text: err.Error()}) // it started before: that is the machine's
		}
	}
	c.booted[p], c.prepared[p] = true, false
	return c.processes[p]
}

// again gives an address that restarts another program.
func (c *programs) again(p protocols.ID) (err error) {
	c.Crash(p)
	ch := c.nodes.waiting(c.command)
	if ch == nil {
		if ch, err = start(c.command, c.nodes.Sandbox); err != nil {
			return err
		}
	}
	c.place(p, ch, true)
	return nil
}

// Prepare implements [trial.Running].
func (c *programs) Prepare(p protocols.ID) {
	if c.again(p) == nil { // else Boot tries again, and tells the error
		c.prepared[p] = true
		proc := c.processes[p]
		proc.failed = cmp.Or(proc.failed, caught(proc.settle))
	}
}

// Ready implements [trial.Programs].
func (c *programs) Ready() error {
	for _, proc := range c.processes {
		if err := caught(proc.settle); err != nil {
			return err
		}
	}
	return nil
}

// Crash implements [trial.Running].
func (c *programs) Crash(p protocols.ID) {
	if proc := c.processes[p]; proc.child != nil {
		proc.child.end(0)
		proc.child = nil
	}
}

// End implements [trial.Running].
func (c *programs) End(sound bool) (err error) {
	if sound {
		err = caught(c.sound)
	}
	for _, proc := range c.processes {
		switch {
		case proc == nil || proc.child == nil:
		case sound && err == nil && proc.foretold == nil:
			c.nodes.give(c.command, proc.child)
		default:
			proc.child.end(0)
		}
	}
	return err
}

// sound looks whether the programs are silent after their last answers. A run that was stopped may leave some
// with an event that they were told ahead.
func (c *programs) sound() {
	for _, proc := range c.processes {
		if proc.child != nil && proc.foretold == nil {
			proc.settle()
			proc.line = proc.line[:0]
			proc.ask()
		}
	}
	for _, proc := range c.processes {
		if proc.child != nil && proc.foretold == nil {
			proc.quiet()
		}
	}
}

// caught calls f, and returns the error with which it panics.
func caught(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *trial.Misbehaviour:
			err = x
		case *trial.LateError:
			err = x
		case *explore.FailedError:
			err = x
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

func (s *setup) rank(p protocols.ID) int64 { return int64(s.in.Ranks.At(p).ID) }

// text is a list of names, or an object, as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts, numbers and JSON
	}
	return string(b)
}

// startBody tells a process to start.
func startBody(rank int64) string {
	return `{"type":"start","rank":` + strconv.FormatInt(rank, 10) + "}"
}

// timeoutBody tells a process that a timer has expired.
func timeoutBody(t protocols.Timer) string {
	return `{"type":"timeout","label":` + strconv.Itoa(int(t)) + `}`
}

// linkBody tells a process that a link has come up or gone down.
func linkBody(change string, to protocols.ID) string {
	return `{"type":"` + change + `","node":"` + name(to) + `"}`
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
