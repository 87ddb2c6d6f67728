package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Single is the one node of a run that lives in this OS process. Its neighbours are in others. What
// it does goes to a Supervisor, and it does not know when the run is over.
type Single struct {
	run        *run
	node       *node
	peers      *peers
	supervisor Supervisor
}

// Supervisor receives what a Single does, from one goroutine at a time.
type Supervisor interface {
	// Strikes reports whether the process crashes amid a step, and cuts off the messages that
	// then do not leave.
	Strikes(s *Step) bool
	// Record keeps a step before its messages leave. armed is the number of timers after the
	// step that keep the run alive.
	Record(s *Step, armed int, crashes bool)
	// Die ends this OS process after the messages of a step in which the process crashes.
	Die()
	// Gone tells that all messages of a peer have been handled, and that its connection ended.
	Gone(peer protocols.ID)
}

// NewSingle returns the node of a process, which takes the connections of its peers at a free port of
// an address of this machine. They know the token.
func NewSingle(c Config, who protocols.ID, host string, t Token, k Supervisor) (*Single, error) {
	c.MaxSteps = 0 // of all nodes together
	r, err := newRun(c)
	if err != nil {
		return nil, err
	}
	s := &Single{run: r, node: r.node(who), supervisor: k}
	r.learn(s.node)
	r.single, r.begin = s, time.Now()
	if s.peers, err = newPeers(s.node, host, t); err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	r.net = s.peers
	return s, nil
}

// Addr is where the node takes connections.
func (s *Single) Addr() string { return s.peers.acceptor.Addr() }

// Connect connects the node to a peer, in place of an earlier life of the peer. then is called
// between two steps: earlier steps have sent to the earlier life, later ones send to this one.
func (s *Single) Connect(peer protocols.ID, addr string, then func()) error {
	k, err := s.peers.acceptor.token.dial(addr, s.node.id)
	if err != nil {
		return err
	}
	s.run.world.Lock()
	defer s.run.world.Unlock()
	if earlier := s.peers.lines[peer]; earlier != nil {
		earlier.conn.Close()
	}
	s.peers.lines[peer] = k
	then()
	return nil
}

// Again takes a step of an earlier life again, as it was recorded: its messages do not leave, and
// its clock and its failure detector show what they showed. So the process becomes the one that
// took it, since it is deterministic. The error says that it is not.
func (s *Single) Again(known *Step) error {
	n := s.node
	n.known, n.at = known, &Step{}
	defer func() { n.known = nil }()
	var handle func()
	switch known.What {
	case "boot":
		b, _ := protocols.AsBooter(n.process)
		handle = func() { b.Boot(n) }
	case "start":
		handle = func() { n.process.Start(n) }
	case "restart":
		handle = n.comeBack
	case "timeout":
		handle = func() { n.process.Timeout(n, known.Timer) }
	case "deliver":
		handle = func() { n.process.Receive(n, known.From, known.Message.(box.Message)) }
	default:
		return fmt.Errorf("live: a step of a process is no %q", known.What)
	}
	if !n.handle(handle) {
		return s.run.failed
	}
	n.clock = known.Clock
	s.supervisor.Strikes(n.at) // it counts messages
	if !slices.EqualFunc(n.at.Sent, known.Sent, isSame) || !slices.Equal(n.at.Choices, known.Choices) || len(n.at.Reads) != len(known.Reads) || !slices.Equal(n.at.Suspected, known.Suspected) {
		return fmt.Errorf("live: process %d does not do the same again in its step %s at clock %d: it is not deterministic", n.id, known.What, known.Clock)
	}
	return nil
}

// isSame reports whether two messages are the same.
func isSame(a, b netem.Sent) bool {
	x, errX := json.Marshal(a.Message)
	y, errY := json.Marshal(b.Message)
	return a.To == b.To && a.Number == b.Number && errX == nil && errY == nil && bytes.Equal(x, y)
}

// Start lets the process boot and, if it is an initiator, start. The run began at begin. down are
// the processes that have crashed.
func (s *Single) Start(begin time.Time, down []protocols.ID, initiator bool) {
	s.begins(begin, down)
	s.run.enter()
	defer s.run.leave()
	s.node.boot()
	if initiator {
		s.node.start()
	}
}

// Restart lets the process come back, after Again of all that it has done. down are the processes
// that have crashed.
func (s *Single) Restart(begin time.Time, floor uint64, down []protocols.ID) {
	s.begins(begin, down)
	s.run.floor = floor
	s.run.down[s.node.id] = false
	s.run.enter()
	defer s.run.leave()
	s.node.step(Step{Record: netem.Record{What: "restart", Who: s.node.id}}, s.node.comeBack)
}

// begins sets the beginning of the run, which another machine may have read on its clock, and who
// has crashed.
func (s *Single) begins(begin time.Time, down []protocols.ID) {
	s.run.begin = time.Now().Add(-time.Since(begin))
	for _, p := range down {
		s.run.down[p] = true
	}
}

// Work handles what has arrived and what will arrive, in steps with a clock above floor. It
// returns when a handler has panicked.
func (s *Single) Work(floor uint64) *PanicError {
	s.run.world.Lock()
	s.run.floor = max(s.run.floor, floor)
	s.run.world.Unlock()
	go s.node.work()
	<-s.run.over
	return s.run.failed
}

// Tell tells the failure detector that a process has crashed or is back. Later steps have a clock
// above floor.
func (s *Single) Tell(p protocols.ID, down bool, floor uint64) {
	s.run.world.Lock()
	defer s.run.world.Unlock()
	s.run.down[p] = down
	s.run.floor = max(s.run.floor, floor)
}

// record hands a step to the supervisor.
func (s *Single) record(step *Step) (crashes bool) {
	crashes = !step.Panics && s.supervisor.Strikes(step)
	step.count()
	armed := 0
	for label := range s.node.timers {
		if label > protocols.Background {
			armed++
		}
	}
	s.supervisor.Record(step, armed, crashes)
	return crashes
}

func (s *Single) gone(peer protocols.ID) { s.supervisor.Gone(peer) }

func (s *Single) die() { s.supervisor.Die() }
