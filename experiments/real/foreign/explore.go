package foreign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
)

// An exploration needs of a process that it can be copied and compared. The copy of a program is its
// state as JSON: what it answers to the request state, and what the request load makes it again. So one
// program is asked for all processes. It is set to a state, told an event, and asked for its state; a
// question of its own, such as for a random number, is answered in each possible way. What it does is
// kept by all that it can observe: its state, the event, and the answers.

// question is an event of a process in a state.
type question struct {
	who   protocols.ID
	state string // JSON; "" before init
	src   string // of the line that tells the event
	body  string
}

// key identifies a question with the answers to the questions of the process.
func (q question) key(answers []string) string {
	return strings.Join(append([]string{name(q.who), q.state, q.src, q.body}, answers...), "\n")
}

// reaction is what a process does: up to its next question, or up to the end of the event.
type reaction struct {
	lines  []said // the last one is the question
	asks   bool
	state  string // at the end
	failed error  // it misbehaved
}

// oracle answers what processes do, from one program. It is a [trial.Asked].
type oracle struct {
	*setup
	child     *child
	begun     bool  // the child has been told init
	late      error // why nothing can be asked any more
	reactions map[string]*reaction
	asked     map[string]asked    // the questions with a state at the end, by key
	ways      map[string][]string // the keys of the questions that led to a state, the first one first
}

// asked is a question, with the answers that the process got.
type asked struct {
	question
	answers []string
}

// newOracle starts the program of some instances that are explored together.
func (n *Nodes) newOracle(ctx context.Context, in *trial.Instance, kinds *kinds, boots bool) (*oracle, error) {
	s, err := n.setup(ctx, in, kinds, boots, 1)
	if err != nil {
		return nil, err
	}
	o := &oracle{setup: s, reactions: map[string]*reaction{}, asked: map[string]asked{}, ways: map[string][]string{}}
	if o.child = n.waiting(s.command); o.child == nil {
		err = o.start()
	}
	return o, err
}

// start starts the program.
func (o *oracle) start() (err error) {
	o.begun = false
	o.child, err = start(o.command, o.nodes.Sandbox)
	return err
}

// Boot implements [trial.Asked].
func (o *oracle) Boot(in *trial.Instance, restarted bool) func(protocols.ID) protocols.Process[message] {
	s, itself := o.of(in), func() *oracle { return o }
	own := func() *setup { return s }
	return func(p protocols.ID) protocols.Process[message] {
		e := &explored{role: role{id: p, setup: own, ear: in.Algorithm.NewEar(in, p, nil)}, init: s.initBody(p, restarted, ""), oracle: itself}
		if restarted {
			return e
		}
		switch first := o.reaction(e.asks(driver, e.init), nil); {
		case first.failed != nil:
			panic(&explore.FailedError{Err: first.failed})
		case !s.boots && len(first.lines) == 0: // init is no step: it does nothing
			e.init, e.state = "", first.state
		}
		return e
	}
}

// explored is a process of an exploration.
type explored struct {
	role
	init   string         // the event of that name, before it was told
	state  string         // JSON
	oracle func() *oracle `explore:"-"`
}

var (
	_ protocols.Partial         = (*explored)(nil)
	_ protocols.Booter[message] = (*explored)(nil)
	_ protocols.Stable[message] = (*explored)(nil)
	_ trial.Heard               = (*explored)(nil)
)

// Boots implements [protocols.Partial]: init is a step if it does something.
func (e *explored) Boots() bool { return e.init != "" }

// Lasts implements [protocols.Partial]: what is in the storage lasts and, in some families, what the process has
// said. One that begins again takes it over.
func (e *explored) Lasts() bool {
	return e.init != "" || e.stored != "" || e.setup().in.Algorithm.NewEar(e.setup().in, e.id, e.ear) == e.ear
}

// Restore implements [protocols.Stable].
func (e *explored) Restore(crashed protocols.Process[message]) {
	before := crashed.(*explored)
	e.ear, e.stored = e.setup().in.Algorithm.NewEar(e.setup().in, e.id, before.ear), before.stored
	e.init = e.setup().initBody(e.id, true, e.stored)
}

// Boot implements [protocols.Booter].
func (e *explored) Boot(n protocols.Node[message]) {
	init := e.init
	e.init = ""
	e.react(n, question{who: e.id, src: driver, body: init})
}

// Start implements [protocols.Process].
func (e *explored) Start(n protocols.Node[message]) {
	e.react(n, e.asks(driver, startBody(e.setup().rank(e.id))))
}

// Receive implements [protocols.Process].
func (e *explored) Receive(n protocols.Node[message], from protocols.ID, m message) {
	e.takes(from, m)
	e.react(n, e.asks(name(from), m.body))
}

// Timeout implements [protocols.Process].
func (e *explored) Timeout(n protocols.Node[message], t protocols.Timer) {
	e.react(n, e.asks(timers, timeoutBody(t)))
}

// LinkUp implements [protocols.Linked].
func (e *explored) LinkUp(n protocols.Node[message], to protocols.ID) {
	e.react(n, e.asks(network, linkBody("link_up", to)))
}

// LinkDown implements [protocols.Linked].
func (e *explored) LinkDown(n protocols.Node[message], to protocols.ID) {
	e.react(n, e.asks(network, linkBody("link_down", to)))
}

func (e *explored) asks(src, body string) question { return question{e.id, e.state, src, body} }

// react does what the program does.
func (e *explored) react(n protocols.Node[message], q question) {
	e.begins()
	var answers []string
	for {
		r := e.oracle().reaction(q, answers)
		if r.failed != nil {
			panic(r.failed)
		}
		for _, s := range r.lines {
			answer, err := e.act(n, s)
			if err != nil {
				panic(&trial.Misbehaviour{Where: e.where(q.event()), Text: err.Error()})
			}
			if answer != "" {
				answers = append(answers, answer)
			}
		}
		if !r.asks {
			e.state, e.notes = r.state, nil
			return
		}
	}
}

// event says what the process is told.
func (q question) event() string {
	var body struct {
		Type  string
		Label int
		Node  string
	}
	if json.Unmarshal([]byte(q.body), &body) != nil {
		return q.body
	}
	switch {
	case isNode(q.src):
		return strings.ToUpper(body.Type) + strings.TrimSuffix(withoutType(q.body), "{}") + " from " + q.src
	case q.src == timers:
		return fmt.Sprintf("timeout %d", body.Label)
	case q.src == network:
		return body.Type + " " + body.Node
	}
	return body.Type
}

// reaction returns what a process does, given the answers to its questions so far.
func (o *oracle) reaction(q question, answers []string) *reaction {
	key := q.key(answers)
	if r, known := o.reactions[key]; known {
		return r
	}
	o.ask(q, answers)
	r := o.reactions[key]
	if r == nil {
		o.differs(q, "asked a question, and the next time it did not")
	}
	return r
}

// differs ends an exploration: the program did one thing, and then another.
func (o *oracle) differs(q question, text string) {
	p := role{id: q.who, setup: func() *setup { return o.setup }}
	panic(&explore.FailedError{Err: &trial.Misbehaviour{Where: p.where(q.event()), Unsteady: true, Text: unsteady + ". In the state " + cmp.Or(cut(q.state), "before init") + " it " + text}})
}

// unsteady says what is wrong with a program that depends on more than its state.
const unsteady = "is not deterministic: a handler may depend on the object of the process and on the event, and not on a global variable, a clock or numbers of its own"

// ask asks the program. It answers questions of the program by the given answers and then by the
// least, so that the program comes to the end of the event.
func (o *oracle) ask(q question, given []string) {
	if o.late != nil {
		panic(&explore.FailedError{Err: o.late})
	}
	var p *process
	err := caught(func() {
		p = o.process(q)
		p.set(q)
		p.react(given, func(r *reaction) { o.keep(q, p.answers, r) })
	})
	if inconclusive(err) {
		o.end()
		o.late = err
		panic(&explore.FailedError{Err: err})
	}
	if err != nil {
		o.end()
		o.keep(q, p.answers, &reaction{failed: err}) // after answers that, maybe, no run gives
	}
}

// inconclusive reports whether an error says nothing about what a process does.
func inconclusive(err error) bool {
	_, late := err.(*trial.LateError)
	_, failed := err.(*explore.FailedError)
	return late || failed
}

// keep keeps a reaction.
func (o *oracle) keep(q question, answers []string, r *reaction) {
	key := q.key(answers)
	if was := o.reactions[key]; was != nil && was.text() != r.text() {
		did, instead := was.unlike(r)
		o.differs(q, did+", and the next time it "+instead)
	} else if was != nil {
		return
	}
	if o.reactions[key] = r; r.state == "" {
		return
	}
	o.asked[key] = asked{q, answers}
	at := question{who: q.who, state: r.state}.key(nil)
	o.ways[at] = append(o.ways[at], key)
}

// process is the process of a question, in the program.
func (o *oracle) process(q question) *process {
	if o.child == nil || q.state == "" && o.begun && !o.child.reusable {
		o.end()
		if err := o.start(); err != nil {
			panic(&explore.FailedError{Err: err})
		}
	}
	p := &process{role: role{id: q.who, setup: func() *setup { return o.setup }}}
	if p.meet(o.child); o.begun {
		o.child.patience(o.nodes.wait())
	}
	o.begun = true
	return p
}

// set tells the program a question.
func (p *process) set(q question) {
	p.child.read = 0 // what a process does depends on no number of a line
	if p.event = q.event; q.state != "" {
		p.request("load", `,"state":`+q.state)
	}
	p.told(q)
}

// told tells the program the event of a question.
func (p *process) told(q question) {
	p.event = q.event
	p.begin()
	p.line = appendLine(p.line, q.src, name(p.id), q.body)
	p.ask()
}

// react calls note with each reaction of the program. The answers to its questions are the given ones,
// and then the least.
func (p *process) react(given []string, note func(*reaction)) {
	p.answers = nil
	r, welcomed := &reaction{}, p.event() != "init"
	for p.due <= p.child.asked {
		s, done := p.next()
		if done {
			continue
		}
		if p.welcomes(s) {
			welcomed = true
			p.child.patience(p.setup().nodes.wait())
			continue
		}
		r.lines = append(r.lines, s)
		if !s.asks() {
			continue
		}
		answer, err := p.act(least{}, s)
		if err != nil {
			p.misbehaves("%v", err)
		}
		if len(p.answers) < len(given) {
			answer = given[len(p.answers)]
		}
		p.reply(s, answer)
		r.asks = true
		note(r)
		p.answers, r = append(slices.Clip(p.answers), answer), &reaction{}
	}
	if !welcomed {
		p.misbehaves(unwelcome)
	}
	r.state = p.state()
	note(r)
}

// least is a node whose answers are the least.
type least struct{ protocols.Node[message] }

// Intn implements [protocols.Node].
func (least) Intn(int) int { return 0 }

// Suspects implements [protocols.Node].
func (least) Suspects(protocols.ID) bool { return false }

// Neighbors implements [protocols.Near].
func (least) Neighbors() []protocols.ID { return nil }

// Now implements [protocols.Node].
func (least) Now() time.Duration { return 0 }

// state asks the program for the state of the process.
func (p *process) state() string {
	var state json.RawMessage
	body := p.request("state", "")
	if err := field(body, "state", &state); err != nil {
		panic(&explore.FailedError{Err: &trial.Misbehaviour{Where: p.where("the request state"), Opaque: true, Text: fmt.Sprintf("answered %s, but %v", cut(string(body)), err)}})
	}
	return compact(state)
}

// request makes a request that an exploration needs, and returns the body of the answer.
func (p *process) request(kind, fields string) []byte {
	event := p.event
	defer func() { p.event = event }()
	p.event = func() string { return "the request " + kind }
	var s said
	err := caught(func() {
		p.begin()
		p.child.asked++
		p.line = appendLine(p.line, driver, name(p.id), fmt.Sprintf(`{"type":%q,"msg_id":%d%s}`, kind, p.child.asked, fields))
		p.ask()
		var answer bool
		if s, answer = p.next(); !answer || s.Type != kind+"_ok" {
			panic(&trial.Misbehaviour{Where: p.where(p.event()), Opaque: true, Text: fmt.Sprintf("answered %s; an exploration needs the answers %s: see docs/nodes.md", cut(string(s.Body)), needed)})
		}
		p.quiet()
	})
	if wrong, is := errors.AsType[*trial.Misbehaviour](err); is {
		wrong.Opaque = true // its runs do without these requests
	}
	if err != nil {
		panic(&explore.FailedError{Err: err})
	}
	return s.Body
}

// needed is what a program must answer that is explored.
const needed = "state_ok, with in_reply_to and the process as JSON in state, and load_ok, after which it is the process that load has in its state"

// end ends the program.
func (o *oracle) end() {
	if o.child != nil {
		o.child.end(0)
		o.child = nil
	}
}

// End implements [trial.Asked].
func (o *oracle) End(sound bool) (count explore.Asked, err error) {
	defer o.end()
	count.Questions = uint64(len(o.asked))
	if sound {
		count.Again, err = o.audit()
	}
	if err == nil && o.child != nil {
		o.nodes.give(o.command, o.child)
		o.child = nil
	}
	return count, err
}
