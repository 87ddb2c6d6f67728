package foreign

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// role is a process as its program plays it: what the program says has effects on a node, and the judge
// hears it.
type role struct {
	ear    trial.Ear // what it has said to the judge
	stored string    // what lasts through a crash, JSON; "" for nothing

	id    protocols.ID  `explore:"-"`
	setup func() *setup `explore:"-"` // the explorer does not copy a function
	notes []string      `explore:"-"` // what it said to the driver since the last step
}

// Ear implements [trial.Heard].
func (r *role) Ear() trial.Ear { return r.ear }

// Sample implements [protocols.Sampler].
func (r *role) Sample() message { return message{kinds: r.setup().kinds.itself} }

// begins lets the judge know that the process takes another step.
func (r *role) begins() {
	if e, counts := r.ear.(trial.Stepper); counts {
		e.Begins()
	}
}

// said is what it has said in the last step, and no judge understands.
func (r *role) said() string { return strings.Join(r.notes, ", ") }

// where names the process and an event that it was told.
func (r *role) where(event string) string {
	return fmt.Sprintf("node %s (%s), told %s", name(r.id), r.setup().command.text, cut(event))
}

// act does what the program says in a line. answer is that to a question, "" for other lines: a field of
// the body, as JSON.
func (r *role) act(n protocols.Node[message], s said) (answer string, err error) {
	switch s.Dest {
	case driver:
		err = r.hearNote(s)
	case timers:
		err = r.setTimer(n, s)
	case random:
		answer, err = r.draw(n, s)
	case detector:
		answer, err = r.suspect(n, s)
	case clock:
		answer, err = r.now(n, s)
	case storage:
		err = r.store(s)
	case network:
		answer, err = r.link(n, s)
	default:
		err = r.send(n, s)
	}
	if err != nil {
		err = fmt.Errorf("wrote line %d of its output, %w: %s", s.at, err, cut(string(s.Body)))
	}
	return answer, err
}

func (r *role) send(n protocols.Node[message], s said) error {
	to, err := address(s.Dest, r.setup().in.N)
	if err != nil {
		return fmt.Errorf("whose dest %w, timer, random, detector, clock, storage, links and c0", err)
	}
	if !r.setup().links[r.id][to] {
		return fmt.Errorf("a message to %s, to which %s has no link", s.Dest, name(r.id))
	}
	m, err := r.message(s.Type, s.Body, to)
	if err == nil {
		n.Send(to, m)
	}
	return err
}

// message is a message to some processes.
func (r *role) message(kind string, body []byte, to ...protocols.ID) (m message, err error) {
	m = message{kinds: r.setup().kinds.itself, body: compact(body)}
	if m.kind, err = r.setup().kinds.of(kind); err != nil {
		return m, err
	}
	if c, carries := r.ear.(trial.Carrier); carries {
		for _, q := range to {
			m.carried = c.Carried(q, m.Kinds()[m.kind])
		}
	}
	return m, nil
}

// link answers who is near, or sends a message to all that are.
func (r *role) link(n protocols.Node[message], s said) (answer string, err error) {
	switch s.Type {
	case neighbors:
		near := []string{}
		for _, q := range protocols.Neighbors(n) {
			near = append(near, name(q))
		}
		return fmt.Sprintf(`"neighbors":%s`, text(near)), nil
	case "broadcast":
		var body json.RawMessage
		var typed struct{ Type string }
		if err := field(s.Body, "message", &body); err != nil {
			return "", fmt.Errorf("to the service links, but %w", err)
		}
		if err := json.Unmarshal(body, &typed); err != nil || typed.Type == "" {
			return "", fmt.Errorf("to the service links, whose message is no JSON object with a type that is a text")
		}
		m, err := r.message(typed.Type, body, protocols.Neighbors(n)...)
		if err == nil {
			protocols.Broadcast(n, m)
		}
		return "", err
	}
	return "", fmt.Errorf("to the service links, which knows neighbors and broadcast")
}

// hearNote hears what the program says to the driver.
func (r *role) hearNote(s said) error {
	known, err := r.ear.Hear(s.Type, func(name string, v any) error {
		if id, is := v.(*protocols.ID); is {
			return r.node(s.Body, name, id)
		}
		return field(s.Body, name, v)
	})
	if !known && s.Type != "error" {
		r.notes = append(r.notes, cut(compact(s.Body)))
	}
	return err
}

// node reads a field of a body that has the name of a node.
func (r *role) node(body []byte, key string, id *protocols.ID) (err error) {
	var who string
	if err := field(body, key, &who); err != nil {
		return err
	}
	*id, err = address(who, r.setup().in.N)
	return err
}

// Decode implements [protocols.Decoder]. It reads a message that came over a socket.
func (r *role) Decode(text []byte) (message, error) {
	var body struct{ Type string }
	if err := json.Unmarshal(text, &body); err != nil || body.Type == "" {
		return message{}, fmt.Errorf("%q is no JSON object with a type that is a text", cut(string(text)))
	}
	kind, err := r.setup().kinds.of(body.Type)
	return message{kinds: r.setup().kinds.itself, kind: kind, body: compact(text)}, err
}

// takes lets the judge know on which events of others the process depends from now on.
func (r *role) takes(from protocols.ID, m message) {
	if c, carries := r.ear.(trial.Carrier); carries {
		c.Takes(from, m.Kinds()[m.kind], m.carried)
	}
}

// largestLabel is the largest label of a timer.
const largestLabel = 1 << 30

func (r *role) setTimer(n protocols.Node[message], s said) error {
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

// store keeps what the program is told after a restart.
func (r *role) store(s said) error {
	var value map[string]json.RawMessage
	if err := field(s.Body, "value", &value); s.Type != "write" || err != nil {
		return fmt.Errorf("to the service storage, which knows write with a value that is an object")
	}
	r.stored = text(value)
	return nil
}

// asks reports whether the program waits for an answer to the line.
func (s said) asks() bool {
	switch s.Dest {
	case random, detector, clock:
		return true
	}
	return s.Dest == network && s.Type == neighbors
}

// neighbors is the type of the question who is near.
const neighbors = "neighbors"

func (r *role) draw(n protocols.Node[message], s said) (answer string, err error) {
	var most int64
	if err := field(s.Body, "n", &most); err != nil {
		return "", fmt.Errorf("to the service random, but %w", err)
	}
	if s.Type != "intn" || most < 1 || most > largestDraw {
		return "", fmt.Errorf("to the service random, which knows intn with n from 1 to %d", largestDraw)
	}
	return fmt.Sprintf(`"value":%d`, n.Intn(int(most))), nil
}

func (r *role) suspect(n protocols.Node[message], s said) (answer string, err error) {
	var who string
	if err := field(s.Body, "node", &who); err != nil {
		return "", fmt.Errorf("to the service detector, but %w", err)
	}
	q, err := address(who, r.setup().in.N)
	if s.Type != "suspects" || err != nil {
		return "", fmt.Errorf("to the service detector, which knows suspects with the name of a node")
	}
	return fmt.Sprintf(`"suspects":%v`, n.Suspects(q)), nil
}

func (r *role) now(n protocols.Node[message], s said) (answer string, err error) {
	a := r.setup().in.Algorithm
	switch {
	case s.Type != "now":
		return "", fmt.Errorf("to the service clock, which knows now")
	case !a.Clock:
		return "", fmt.Errorf("to the service clock, but the processes of %s have no clocks", a.Name)
	}
	return fmt.Sprintf(`"now":%d`, n.Now().Nanoseconds()), nil
}
