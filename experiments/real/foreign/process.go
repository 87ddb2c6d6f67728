package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// process is a process in a program.
type process struct {
	ear trial.Ear // what it has said to the judge

	id       protocols.ID  `explore:"-"`
	programs *programs     `explore:"-"`
	child    *child        `explore:"-"` // nil once it has crashed
	steps    int           `explore:"-"`
	line     []byte        `explore:"-"` // what waits to be written
	due      int64         `explore:"-"` // the first request that was not answered
	lines    int           `explore:"-"` // in this step
	bytes    int           `explore:"-"` // in this step
	event    func() string `explore:"-"` // what the program was told, for errors
	ready    bool          `explore:"-"` // it has answered init
	failed   error         `explore:"-"` // it could not be told init
	early    []said        `explore:"-"` // what it said in init
	stored   string        `explore:"-"` // JSON, "" for nothing
	notes    []string      `explore:"-"` // what it said to the driver since the last step
}

// Ear implements [trial.Heard].
func (p *process) Ear() trial.Ear { return p.ear }

// Sample implements [protocols.Sampler].
func (p *process) Sample() message { return message{kinds: p.programs.kinds} }

// Start implements [protocols.Process].
func (p *process) Start(n protocols.Node[message]) {
	p.tell(n, driver, startBody(p.programs.rank(p.id)), func() string { return "start" })
}

// Receive implements [protocols.Process].
func (p *process) Receive(n protocols.Node[message], from protocols.ID, m message) {
	if c, carries := p.ear.(trial.Carrier); carries {
		c.Takes(m.carried)
	}
	p.tell(n, name(from), m.body, func() string { return fmt.Sprintf("%v from %s", m, name(from)) })
}

// Timeout implements [protocols.Process].
func (p *process) Timeout(n protocols.Node[message], t protocols.Timer) {
	p.tell(n, timers, `{"type":"timeout","label":`+strconv.Itoa(int(t))+`}`, func() string { return fmt.Sprintf("timeout %d", t) })
}

// Boots implements [protocols.Partial]: a program boots if it does something in init.
func (p *process) Boots() bool {
	p.settle()
	return p.programs.boots || len(p.early) > 0
}

// Lasts implements [protocols.Partial]. What is to last through a crash a program writes to the
// storage.
func (p *process) Lasts() bool { return false }

// Boot implements [protocols.Booter].
func (p *process) Boot(n protocols.Node[message]) { p.Recover(n) }

// Recover implements [protocols.Recoverer]. The effects of init happen now.
func (p *process) Recover(n protocols.Node[message]) {
	p.settle()
	early := p.early
	p.early, p.event = nil, func() string { return "init" }
	for _, s := range early {
		p.act(n, s)
	}
	if p.due <= p.child.asked {
		p.hear(n)
	}
}

// settle waits for the answer to init, or for the first question to a service: there is no
// node to answer it yet.
func (p *process) settle() {
	if p.failed != nil {
		panic(p.failed)
	}
	if p.ready {
		return
	}
	defer p.child.patience(p.programs.nodes.wait())
	p.ready, p.event = true, func() string { return "init" }
	welcomed := false
	for p.due <= p.child.asked {
		s, answer := p.next()
		switch {
		case answer:
		case s.Dest == driver && s.Type == "init_ok":
			welcomed = true
			var reusable bool
			p.child.reusable = field(s.Body, "reusable", &reusable) == nil && reusable
		default:
			p.early = append(p.early, s)
			if s.Dest == random || s.Dest == detector {
				return
			}
		}
	}
	if !welcomed {
		p.misbehaves("did not answer with init_ok")
	}
}

// tell writes an event to the program, and does what it answers.
func (p *process) tell(n protocols.Node[message], src, body string, event func() string) {
	p.settle()
	p.event = event
	if over := p.programs.over; !over.IsZero() && time.Now().After(over) {
		panic(&trial.LateError{Where: p.where(), Text: fmt.Sprintf("the run takes more than %v (--node-limit)", p.programs.nodes.Limit)})
	}
	if text := p.child.early(); text != "" {
		p.misbehaves("is not in lockstep: after its last answer, and before this event, it wrote %q", text)
	}
	p.notes, p.lines, p.bytes = p.notes[:0], 0, 0
	p.line = appendLine(p.line[:0], src, name(p.id), body)
	p.ask()
	p.hear(n)
	if p.steps++; p.steps&(p.steps-1) == 0 && bits.TrailingZeros(uint(p.steps))%2 == 0 {
		p.sound() // after 1, 4, 16, 64... steps
	}
}

// ask writes the lines that wait, and a request that the program answers when it has done.
func (p *process) ask() {
	p.child.asked++
	p.line = appendSync(p.line, name(p.id), p.child.asked)
	if err := p.child.write(p.line); err != nil {
		p.fails(err)
	}
}

// hear does what the program says, up to its answer to the latest request.
func (p *process) hear(n protocols.Node[message]) {
	for p.due <= p.child.asked {
		if s, answer := p.next(); !answer {
			p.act(n, s)
		}
	}
}

// sound asks once more. A program that reads in order has nothing else to say.
func (p *process) sound() {
	p.line = p.line[:0]
	p.ask()
	p.quiet()
}

// quiet reads the answer to a request. A program that reads in order has nothing else to say.
func (p *process) quiet() {
	if s, answer := p.next(); !answer {
		p.misbehaves("is not in lockstep: after its answer it wrote %q to %s", cut(string(s.Body)), cut(s.Dest))
	}
}

// next is the next line of the program. answer says that it is the answer to the request that
// is due.
func (p *process) next() (s said, answer bool) {
	line, err := p.child.line()
	if err != nil {
		p.fails(err)
	}
	if p.lines++; p.lines > mostLines {
		p.misbehaves("wrote more than %d lines in one step", mostLines)
	}
	if p.bytes += len(line); p.bytes > mostBytes {
		p.misbehaves("wrote more than %d bytes in one step", mostBytes)
	}
	s, err = parse(line)
	if err != nil {
		p.misbehaves("wrote line %d of its output, %v", p.child.read, err)
	}
	if s.Src != name(p.id) {
		p.misbehaves("wrote line %d of its output with src %q; its name is %s", p.child.read, cut(s.Src), name(p.id))
	}
	if s.Dest != driver || s.Reply == nil || s.Type == "init_ok" {
		return s, false
	}
	if *s.Reply != p.due {
		p.misbehaves("answered request %d in line %d of its output; the request to answer is %d", *s.Reply, p.child.read, p.due)
	}
	p.due++
	return s, true
}

// fails ends the run because the program can no longer be written to or read.
func (p *process) fails(err error) {
	if late, is := errors.AsType[overdue](err); is {
		panic(&trial.LateError{Where: p.where(), Text: late.text})
	}
	p.misbehaves("%v", err)
}

// misbehaves ends the run.
func (p *process) misbehaves(format string, args ...any) {
	panic(&trial.Misbehaviour{Where: p.where(), Text: fmt.Sprintf(format, args...)})
}

// where names the process and the event that it was told.
func (p *process) where() string {
	return fmt.Sprintf("node %s (%s), told %s", name(p.id), p.programs.command.text, cut(p.event()))
}

// act does what the program says in a line.
func (p *process) act(n protocols.Node[message], s said) {
	var err error
	switch s.Dest {
	case driver:
		err = p.hearNote(s)
	case timers:
		err = p.setTimer(n, s)
	case random:
		err = p.draw(n, s)
	case detector:
		err = p.suspect(n, s)
	case storage:
		err = p.store(s)
	default:
		err = p.send(n, s)
	}
	if err != nil {
		p.misbehaves("wrote line %d of its output, %v: %s", p.child.read, err, cut(string(s.Body)))
	}
}

func (p *process) send(n protocols.Node[message], s said) error {
	to, err := address(s.Dest, p.programs.in.N)
	if err != nil {
		return fmt.Errorf("whose dest %w, timer, random, detector, storage and c0", err)
	}
	if !p.programs.reaches(p.id, to) {
		return fmt.Errorf("a message to %s, to which %s has no link", s.Dest, name(p.id))
	}
	kind, err := p.programs.kinds.of(s.Type)
	if err != nil {
		return err
	}
	m := message{kinds: p.programs.kinds, kind: kind, body: compact(s.Body)}
	if c, carries := p.ear.(trial.Carrier); carries {
		m.carried = c.Carried()
	}
	n.Send(to, m)
	return nil
}

// hearNote hears what the program says to the driver.
func (p *process) hearNote(s said) error {
	known, err := p.ear.Hear(s.Type, func(name string, v any) error {
		if id, is := v.(*protocols.ID); is {
			return p.node(s.Body, name, id)
		}
		return field(s.Body, name, v)
	})
	if !known && s.Type != "error" {
		p.notes = append(p.notes, cut(compact(s.Body)))
	}
	return err
}

// node reads a field of a body that has the name of a node.
func (p *process) node(body []byte, key string, id *protocols.ID) (err error) {
	var who string
	if err := field(body, key, &who); err != nil {
		return err
	}
	*id, err = address(who, p.programs.in.N)
	return err
}

// largestLabel is the largest label of a timer.
const largestLabel = 1 << 30

func (p *process) setTimer(n protocols.Node[message], s said) error {
	var label int64
	if err := field(s.Body, "label", &label); err != nil {
		return fmt.Errorf("to the service timer, but %w", err)
	}
	if label < 0 || label > largestLabel {
		return fmt.Errorf("to the service timer, but labels are from 0 to %d", largestLabel)
	}
	switch s.Type {
	case "stop":
		n.StopTimer(protocols.Timer(label))
		return nil
	case "set":
		var text string
		if err := field(s.Body, "after", &text); err != nil {
			return fmt.Errorf("to the service timer, but %w", err)
		}
		after, err := time.ParseDuration(text)
		if err != nil || after < 0 {
			return fmt.Errorf("to the service timer, but after is no duration from 0s on, such as 1.5ms")
		}
		n.SetTimer(protocols.Timer(label), after)
		return nil
	}
	return fmt.Errorf("to the service timer, which knows set and stop")
}

// largestDraw is the largest n of a random choice.
const largestDraw = 1<<31 - 1

func (p *process) draw(n protocols.Node[message], s said) error {
	var most int64
	if err := field(s.Body, "n", &most); err != nil {
		return fmt.Errorf("to the service random, but %w", err)
	}
	if s.Type != "intn" || most < 1 || most > largestDraw {
		return fmt.Errorf("to the service random, which knows intn with n from 1 to %d", largestDraw)
	}
	return p.reply(s, "intn_ok", "value", func() any { return n.Intn(int(most)) })
}

func (p *process) suspect(n protocols.Node[message], s said) error {
	var who string
	if err := field(s.Body, "node", &who); err != nil {
		return fmt.Errorf("to the service detector, but %w", err)
	}
	q, err := address(who, p.programs.in.N)
	if s.Type != "suspects" || err != nil {
		return fmt.Errorf("to the service detector, which knows suspects with the name of a node")
	}
	return p.reply(s, "suspects_ok", "suspects", func() any { return n.Suspects(q) })
}

// store keeps what the program is told after a restart.
func (p *process) store(s said) error {
	var value map[string]json.RawMessage
	if err := field(s.Body, "value", &value); s.Type != "write" || err != nil {
		return fmt.Errorf("to the service storage, which knows write with a value that is an object")
	}
	p.stored = text(value)
	return nil
}

// reply answers a question to a service.
func (p *process) reply(s said, kind, key string, value func() any) error {
	var id int64
	if err := field(s.Body, "msg_id", &id); err != nil {
		return fmt.Errorf("to the service %s, but %w", s.Dest, err)
	}
	body := fmt.Sprintf(`{"type":%q,"in_reply_to":%d,%q:%v}`, kind, id, key, value())
	p.line = appendLine(p.line[:0], s.Dest, name(p.id), body)
	p.ask()
	return nil
}
