// Package chandylamport is the snapshot of Chandy and Lamport. It wraps an application and
// records a consistent global state of it, without stopping it.
//
// Paper: K. M. Chandy and L. Lamport, "Distributed Snapshots: Determining Global
// States of Distributed Systems", ACM TOCS 3(1), 1985, section 3.
//
// Model: asynchronous, FIFO and reliable links, no crashes; a link back for every
// link, so that a process knows the channels that lead to it; strongly connected.
// Any number of processes begin the same snapshot, at any time.
//
// Cost:
//
//	MARKER   exactly one on every directed channel, on any schedule and with any
//	         initiators: 2E on a graph with E edges, n(n-1) if it is complete
//	time     with unit delays a process records as many time units after the
//	         beginning as it is hops away from the nearest initiator that begins
//	         then; the last marker arrives one after the last has recorded
//
// Invariants: a message that was received before its receiver recorded was sent before
// its sender did. The recorded content of a channel is, in order, the messages sent before
// the sender recorded and not received before the receiver did. So the recorded state could
// have been one of the run, and it holds all that the application conserves.
//
// Deviations from the paper, which leaves these points open: (1) The application acts from
// the beginning of the run: it is booted if it can be, otherwise started.
// A start of the wrapping process begins the snapshot, at once or later. (2) A process that
// has recorded does not begin. (3) The process counts the messages of the application on
// each channel before it recorded. The algorithm does not use the counts; the checks do. (4)
// The parts of the processes are not collected: an observer reads them from the processes.
package chandylamport

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/snapshot"
)

// Config says how a snapshot begins.
type Config struct {
	// After is the time from the start of an initiator to the beginning of the
	// snapshot.
	After time.Duration
}

// begin is the timer of an initiator. Those of the application have smaller labels.
const begin protocols.Timer = 1 << 30

// Process is the process of an application, and its part of the snapshot.
type Process[M protocols.Message, S any] struct {
	app      snapshot.Application[M, S]
	cfg      Config
	recorded bool
	state    S            // the recorded state
	channels []channel[M] // to and from each neighbour, in port order
}

// channel is the two channels between the process and a neighbour.
type channel[M protocols.Message] struct {
	peer           protocols.ID
	sent, received int  // the numbers of messages before the process recorded
	closed         bool // the marker of the neighbour has come
	content        []M  // the messages between the recording and the marker
}

var _ interface {
	protocols.Process[Message[protocols.Message]]
	protocols.Booter[Message[protocols.Message]]
	snapshot.Recorder
} = (*Process[protocols.Message, int])(nil)

// Wrap returns a process that runs the application and takes part in a snapshot. It
// panics if After is negative.
func Wrap[M protocols.Message, S any](app snapshot.Application[M, S], cfg Config) *Process[M, S] {
	if cfg.After < 0 {
		panic(fmt.Sprintf("chandylamport: After is %v, and must not be negative", cfg.After))
	}
	return &Process[M, S]{app: app, cfg: cfg}
}

// Unwrap returns the process of the application.
func (p *Process[M, S]) Unwrap() snapshot.Application[M, S] { return p.app }

// Recorded is the recorded state, if the process has recorded.
func (p *Process[M, S]) Recorded() (state S, ok bool) { return p.state, p.recorded }

// Content is the recorded content of the channel from a neighbour, so far.
func (p *Process[M, S]) Content(from protocols.ID) []M {
	for _, c := range p.channels {
		if c.peer == from {
			return c.content
		}
	}
	return nil
}

// Progress implements [snapshot.Recorder].
func (p *Process[M, S]) Progress() snapshot.Progress {
	closed := 0
	for _, c := range p.channels {
		if c.closed {
			closed++
		}
	}
	return snapshot.Progress{Recorded: p.recorded, Closed: closed, Complete: p.recorded && closed == len(p.channels)}
}

// Part implements [snapshot.Recorder].
func (p *Process[M, S]) Part() snapshot.Part {
	part := snapshot.Part{Progress: p.Progress(), Channels: make([]snapshot.Channel, 0, len(p.channels))}
	if p.recorded {
		part.Value = snapshot.ValueOf(p.state)
	}
	for _, c := range p.channels {
		there := snapshot.Channel{Peer: c.peer, Sent: c.sent, Received: c.received, Closed: c.closed, Recorded: len(c.content)}
		for _, m := range c.content {
			there.Value += snapshot.ValueOf(m)
		}
		part.Channels = append(part.Channels, there)
	}
	return part
}

// Boot begins the application.
func (p *Process[M, S]) Boot(n protocols.Node[Message[M]]) {
	p.learn(n)
	if b, ok := p.app.(protocols.Booter[M]); ok {
		b.Boot(p.view(n))
	} else {
		p.app.Start(p.view(n))
	}
}

// Start makes the process an initiator.
func (p *Process[M, S]) Start(n protocols.Node[Message[M]]) {
	if p.cfg.After > 0 {
		n.SetTimer(begin, p.cfg.After)
	} else {
		p.begin(n)
	}
}

// begin begins the snapshot, unless it has reached the process already. The process may
// not be booted yet.
func (p *Process[M, S]) begin(n protocols.Node[Message[M]]) {
	p.learn(n)
	if !p.recorded {
		p.record(n)
	}
}

// Receive handles a marker, or hands a message to the application.
func (p *Process[M, S]) Receive(n protocols.Node[Message[M]], from protocols.ID, m Message[M]) {
	c := p.channel(from)
	switch {
	case m.Marker && !p.recorded:
		p.record(n)
		c.closed = true
	case m.Marker:
		c.closed = true
	case !p.recorded:
		c.received++
	case !c.closed:
		c.content = append(c.content, m.Inner)
	}
	if !m.Marker {
		p.app.Receive(p.view(n), from, m.Inner)
	}
}

// Timeout begins the snapshot. Other timers go to the application.
func (p *Process[M, S]) Timeout(n protocols.Node[Message[M]], t protocols.Timer) {
	if t == begin {
		p.begin(n)
	} else {
		p.app.Timeout(p.view(n), t)
	}
}

// TimerName implements [protocols.TimerNamer].
func (p *Process[M, S]) TimerName(t protocols.Timer) string {
	if t == begin {
		return "begin"
	}
	return protocols.TimerName(p.app, t)
}

// record records the state of the process. The markers leave before all later messages
// of the application.
func (p *Process[M, S]) record(n protocols.Node[Message[M]]) {
	p.recorded, p.state = true, p.app.State()
	for _, c := range p.channels {
		n.Send(c.peer, Message[M]{Marker: true})
	}
}

// learn makes a channel for each neighbour. Two links between two processes are one
// channel.
func (p *Process[M, S]) learn(n protocols.Node[Message[M]]) {
	for port := range n.Degree() {
		if q := n.Neighbor(port); p.find(q) == nil {
			p.channels = append(p.channels, channel[M]{peer: q})
		}
	}
}

// channel is the channel to and from a neighbour.
func (p *Process[M, S]) channel(q protocols.ID) *channel[M] {
	c := p.find(q)
	if c == nil {
		panic(fmt.Sprintf("chandylamport: a message from or to process %d, to which there is no link", q))
	}
	return c
}

func (p *Process[M, S]) find(q protocols.ID) *channel[M] {
	for i := range p.channels {
		if p.channels[i].peer == q {
			return &p.channels[i]
		}
	}
	return nil
}

// send sends a message of the application.
func (p *Process[M, S]) send(n protocols.Node[Message[M]], to protocols.ID, m M) {
	if c := p.channel(to); !p.recorded {
		c.sent++
	}
	n.Send(to, Message[M]{Inner: m})
}

// node is the node of the application: the node below, which counts and wraps its messages.
type node[M protocols.Message, S any] struct {
	protocols.Node[Message[M]]
	process *Process[M, S]
}

func (nd node[M, S]) Send(to protocols.ID, m M) { nd.process.send(nd.Node, to, m) }

// view is the node below for the application.
func (p *Process[M, S]) view(n protocols.Node[Message[M]]) protocols.Node[M] { return node[M, S]{n, p} }
