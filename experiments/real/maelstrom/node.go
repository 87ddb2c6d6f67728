package maelstrom

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
)

// node is the process and what it sees of the world, as a [protocols.Node]. It has no failure
// detector but the one that may be part of the process.
type node struct {
	in      *trial.Instance
	id      protocols.ID
	names   []string // by address
	process protocols.Process[box.Message]
	stream  des.Stream
	begin   time.Time
	timers  map[protocols.Timer]*time.Timer
	expired func(*time.Timer, protocols.Timer) // is called in a goroutine of its own
	write   func(dest string, body any)
}

func newNode(in *trial.Instance, id protocols.ID, names []string) *node {
	return &node{
		in: in, id: id, names: names, process: trial.Stack(in)(id), begin: time.Now(),
		stream: des.NewStream(in.Setting.Seed, "choice").Sub(uint64(id)), timers: map[protocols.Timer]*time.Timer{},
	}
}

// boot begins the life of the process.
func (n *node) boot() {
	if b, ok := protocols.AsBooter(n.process); ok {
		b.Boot(n)
	}
}

// letter is the body of a message between nodes.
type letter struct {
	Type string          `json:"type"`
	M    json.RawMessage `json:"m"`
}

// typeOf is the type of a message.
func typeOf(m box.Message) string { return strings.ToLower(m.Kinds()[m.Kind()]) }

// open reads a message from another node. The error says why it is none.
func (n *node) open(from protocols.ID, l letter) (m box.Message, err error) {
	if _, linked := n.in.Topology.Port(from, n.id); !linked && from != n.id {
		return m, fmt.Errorf("there is no link from %s to %s on the %v", n.names[from], n.names[n.id], n.in.Topology)
	}
	if m, err = box.Decode(n.process, l.M); err != nil {
		return m, fmt.Errorf("its m is no message of %s: %w", n.in.Algorithm.Name, err)
	}
	if l.Type != typeOf(m) {
		return m, fmt.Errorf("its type is %.40q, and m is a message of type %q", l.Type, typeOf(m))
	}
	return m, nil
}

// expire lets a timer expire, unless it was stopped or set again.
func (n *node) expire(t *time.Timer, label protocols.Timer) {
	if n.timers[label] == t {
		delete(n.timers, label)
		n.process.Timeout(n, label)
	}
}

// answer is the answer to read: the fields of the process and, of an election, its decision.
func (n *node) answer() map[string]any {
	inside := inmost(n.process)
	state := map[string]string{}
	for _, f := range value.Fields(inside) {
		state[f.Name] = f.Value
	}
	body := map[string]any{"type": "read_ok", "state": state}
	if e, ok := inside.(election.Elector); ok {
		d := e.Decision()
		body["status"] = d.Status.String()
		if d.Status != election.Undecided {
			body["leader"] = d.Leader
		}
	}
	return body
}

// inmost is the process of the algorithm, below its boxes and transformers.
func inmost(process any) any {
	for {
		c, covers := process.(protocols.Cover)
		if !covers {
			return process
		}
		process = c.Inside()
	}
}

// ID implements protocols.Node, as the methods below do.
func (n *node) ID() protocols.ID { return n.id }

func (n *node) Degree() int { return n.in.Topology.Degree(n.id) }

func (n *node) Neighbor(port int) protocols.ID { return n.in.Topology.Neighbor(n.id, port) }

func (n *node) Send(to protocols.ID, m box.Message) {
	netem.MustReach(n.in.Topology, n.id, to)
	netem.MustBeKind(n.id, m.Kind(), len(m.Kinds()))
	text, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("message %v has no form in JSON: %v", m, err))
	}
	n.write(n.names[to], letter{typeOf(m), text})
}

func (n *node) SetTimer(label protocols.Timer, after time.Duration) {
	netem.MustBeTimer(n.id, label, after)
	n.StopTimer(label)
	armed := make(chan *time.Timer, 1)
	t := time.AfterFunc(after, func() { n.expired(<-armed, label) })
	n.timers[label] = t
	armed <- t
}

func (n *node) StopTimer(label protocols.Timer) {
	if t := n.timers[label]; t != nil {
		t.Stop()
		delete(n.timers, label)
	}
}

func (n *node) Intn(of int) int { return n.stream.Intn(of) }

func (n *node) Suspects(protocols.ID) bool { return false }

// Now is the time since init.
func (n *node) Now() time.Duration { return time.Since(n.begin) }
