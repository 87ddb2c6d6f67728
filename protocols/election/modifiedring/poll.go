package modifiedring

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// poll is a message that the process behind the port may not have received.
type poll struct {
	open bool
	port int
	m    Message
}

// String prints the poll: ELECTION(4)@0 at port 1.
func (q poll) String() string {
	if !q.open {
		return "none"
	}
	return fmt.Sprintf("%v at port %d", q.m, q.port)
}

// pass hands m to the first process from port on that is not remembered as dead, and
// begins a poll. After the last port the ring closes with the process itself, which is
// not polled.
func (p *Process) pass(n protocols.Node[Message], m Message, port int) {
	for port < n.Degree() && slices.Contains(p.dead, n.Neighbor(port)) {
		port++
	}
	if port == n.Degree() {
		n.Send(n.ID(), m)
		return
	}
	n.Send(n.Neighbor(port), m)
	i := slices.IndexFunc(p.polls, func(q poll) bool { return !q.open })
	if i < 0 {
		i = len(p.polls)
		p.polls = append(p.polls, poll{})
	}
	p.polls[i] = poll{open: true, port: port, m: m}
	n.SetTimer(firstPoll+protocols.Timer(i), p.cfg.Timeout)
}

// check ends a poll: if the polled process is dead, the next one is polled.
func (p *Process) check(n protocols.Node[Message], q poll) {
	polled := n.Neighbor(q.port)
	if !n.Suspects(polled) {
		return
	}
	if p.cfg.Memory && !slices.Contains(p.dead, polled) {
		p.dead = append(p.dead, polled)
	}
	p.pass(n, q.m, q.port+1)
}
