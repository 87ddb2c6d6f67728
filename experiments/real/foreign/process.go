package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// process is a process in a program.
type process struct {
	role
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
	answers  []string      `explore:"-"` // to its questions in an event, in an exploration
	log      lines         `explore:"-"` // what it logged since it was asked the last time
	foretold *foretold     `explore:"-"` // an event that the program was told ahead of its turn
}

// foretold is an event that a program was told ahead of its turn, with the error of that.
type foretold struct {
	src, body string
	err       error
}

var (
	_ trial.Writer              = (*process)(nil)
	_ netem.Foreteller[message] = (*process)(nil)
)

// Foretell implements [netem.Foreteller]. The programs work on what happens at one instant at the same time. What a program says is read in
// its turn, and so is what is wrong with it.
func (p *process) Foretell(from protocols.ID, m message) {
	if p.foretold != nil || !p.ready || p.due <= p.child.asked || p.child.early() != "" {
		return
	}
	p.foretold = &foretold{src: name(from), body: m.body}
	p.line = appendLine(p.line[:0], p.foretold.src, name(p.id), m.body)
	p.child.hurry(p.setup().over)
	p.foretold.err = p.writeAsking()
}

// Written implements [trial.Writer].
func (p *process) Written() (log, stderr []string) {
	if p.child != nil {
		stderr = p.child.errs.fresh()
	}
	return p.log.take(), stderr
}

// Start implements [protocols.Process].
func (p *process) Start(n protocols.Node[message]) {
	p.tell(n, driver, startBody(p.setup().rank(p.id)), func() string { return "start" })
}

// Receive implements [protocols.Process].
func (p *process) Receive(n protocols.Node[message], from protocols.ID, m message) {
	p.takes(from, m)
	p.tell(n, name(from), m.body, func() string { return fmt.Sprintf("%v from %s", m, name(from)) })
}

// Timeout implements [protocols.Process].
func (p *process) Timeout(n protocols.Node[message], t protocols.Timer) {
	p.tell(n, timers, timeoutBody(t), func() string { return fmt.Sprintf("timeout %d", t) })
}

// LinkUp implements [protocols.Linked].
func (p *process) LinkUp(n protocols.Node[message], to protocols.ID) { p.linked(n, "link_up", to) }

// LinkDown implements [protocols.Linked].
func (p *process) LinkDown(n protocols.Node[message], to protocols.ID) { p.linked(n, "link_down", to) }

func (p *process) linked(n protocols.Node[message], change string, to protocols.ID) {
	p.tell(n, network, linkBody(change, to), func() string { return change + " " + name(to) })
}

// Boots implements [protocols.Partial]: a program boots if it does something in init.
func (p *process) Boots() bool {
	p.settle()
	return p.setup().boots || len(p.early) > 0
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
		p.do(n, s)
	}
	if p.due <= p.child.asked {
		p.hear(n)
	}
}

// meet gives the process its program.
func (p *process) meet(ch *child) {
	ch.patience(p.setup().startWait())
	ch.out.ctx = p.setup().ctx
	ch.errs.begin()
	ch.errs.fresh() // of another trial
	p.child, p.due = ch, ch.asked+1
	p.event = func() string { return "init" }
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
	defer p.child.patience(p.setup().nodes.wait())
	p.ready, p.event = true, func() string { return "init" }
	welcomed := false
	for p.due <= p.child.asked {
		s, answer := p.next()
		switch {
		case answer:
		case p.welcomes(s):
			welcomed = true
		default:
			p.early = append(p.early, s)
			if s.asks() {
				return
			}
		}
	}
	if !welcomed {
		p.misbehaves(unwelcome)
	}
}

// unwelcome is what is wrong with a program that does not answer init.
const unwelcome = "did not answer with init_ok"

// welcomes reports whether a line is the answer to init, and notes what it says.
func (p *process) welcomes(s said) bool {
	if s.Dest != driver || s.Type != "init_ok" {
		return false
	}
	var reusable bool
	p.child.reusable = field(s.Body, "reusable", &reusable) == nil && reusable
	return true
}

// tell writes an event to the program, and does what it answers.
func (p *process) tell(n protocols.Node[message], src, body string, event func() string) {
	p.settle()
	p.event = event
	if p.foretold == nil {
		p.begin()
		p.line = appendLine(p.line, src, name(p.id), body)
		p.ask()
	} else {
		p.recall(src, body)
	}
	p.hear(n)
	if p.steps++; p.steps&(p.steps-1) == 0 && bits.TrailingZeros(uint(p.steps))%2 == 0 {
		p.sound() // after 1, 4, 16, 64... steps
	}
}

// recall begins the event that the program was told ahead of its turn.
func (p *process) recall(src, body string) {
	told := p.foretold
	if p.foretold = nil; told.src != src || told.body != body {
		panic(fmt.Sprintf("foreign: %s was told %s of %s ahead of %s of %s", name(p.id), told.body, told.src, body, src))
	}
	p.clear()
	if p.child.hurry(p.setup().over); told.err != nil {
		p.fails(told.err)
	}
}

// begin begins an event.
func (p *process) begin() {
	p.clear()
	if text := p.child.early(); text != "" {
		p.misbehaves("is not in lockstep: after its last answer, and before this event, it wrote %q", text)
	}
}

// clear makes room for an event, if there is time for it.
func (p *process) clear() {
	if text := p.setup().spent(); text != "" {
		panic(&trial.LateError{Where: p.where(p.event()), Text: text})
	}
	p.begins()
	p.notes, p.lines, p.bytes, p.line = p.notes[:0], 0, 0, p.line[:0]
	p.child.errs.begin()
}

// ask writes the lines that wait, and a request that the program answers when it has done. It has the
// time for one answer, and questions of its own in between take none.
func (p *process) ask() {
	p.child.hurry(p.setup().over)
	p.askOn()
}

// askOn is ask within the time of the event.
func (p *process) askOn() {
	if err := p.writeAsking(); err != nil {
		p.fails(err)
	}
}

// writeAsking writes the lines that wait, and a request.
func (p *process) writeAsking() error {
	p.child.asked++
	p.line = appendSync(p.line, name(p.id), p.child.asked)
	return p.child.write(p.line)
}

// hear does what the program says, up to its answer to the latest request.
func (p *process) hear(n protocols.Node[message]) {
	for p.due <= p.child.asked {
		if s, answer := p.next(); !answer {
			p.do(n, s)
		}
	}
}

// do does what the program says in a line, and answers it if it is a question.
func (p *process) do(n protocols.Node[message], s said) {
	answer, err := p.act(n, s)
	if err != nil {
		p.misbehaves("%v", err)
	}
	if answer != "" {
		p.reply(s, answer)
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

// next is the next line of the program that is not for its log. answer says that it is the answer to
// the request that is due.
func (p *process) next() (s said, answer bool) {
	for {
		if s, answer = p.read(); s.Dest != driver || s.Type != logs {
			return s, answer
		}
		var text string
		if err := field(s.Body, "text", &text); err != nil {
			p.misbehaves("wrote line %d of its output, to the log, but %v: %s", s.at, err, cut(string(s.Body)))
		}
		p.log.add(text)
	}
}

// read reads the next line of the program.
func (p *process) read() (s said, answer bool) {
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
	s.at = p.child.read
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
		panic(&trial.LateError{Where: p.where(p.event()), Text: cmp.Or(p.setup().spent(), late.text)})
	}
	p.misbehaves("%v", err)
}

// misbehaves ends the run.
func (p *process) misbehaves(format string, args ...any) {
	panic(&trial.Misbehaviour{Where: p.where(p.event()), Text: fmt.Sprintf(format, args...)})
}

// reply answers a question to a service.
func (p *process) reply(s said, answer string) {
	var id int64
	if err := field(s.Body, "msg_id", &id); err != nil {
		p.misbehaves("wrote line %d of its output, to the service %s, but %v: %s", s.at, s.Dest, err, cut(string(s.Body)))
	}
	body := fmt.Sprintf(`{"type":"%s_ok","in_reply_to":%d,%s}`, s.Type, id, answer)
	p.line = appendLine(p.line[:0], s.Dest, name(p.id), body)
	p.askOn()
}
