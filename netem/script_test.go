package netem_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// ms is the delay of a message in these tests.
const ms = time.Millisecond

// at is the instant k message times after the beginning.
func at(k int) des.Time { return des.Time(k) * des.Time(ms) }

// note is the message of these tests.
type note struct {
	reply bool
	x     int
}

var noteKinds = []string{"NOTE", "REPLY"}

func (m note) Kind() int {
	if m.reply {
		return 1
	}
	return 0
}
func (m note) Kinds() []string { return noteKinds }
func (m note) Bits() int       { return 8 + 64*(1-m.Kind()) }
func (m note) String() string  { return fmt.Sprintf("%s(%d)", noteKinds[m.Kind()], m.x) }

type node = protocols.Node[note]

// script is a process whose handlers each test writes as needed.
type script struct {
	start   func(n node)
	receive func(n node, from protocols.ID, m note)
	timeout func(n node, t protocols.Timer)
}

func (s *script) Start(n node) {
	if s.start != nil {
		s.start(n)
	}
}

func (s *script) Receive(n node, from protocols.ID, m note) {
	if s.receive != nil {
		s.receive(n, from, m)
	}
}

func (s *script) Timeout(n node, t protocols.Timer) {
	if s.timeout != nil {
		s.timeout(n, t)
	}
}

// recoverer is a script that acts when it restarts.
type recoverer struct {
	script
	recover func(n node)
}

func (r *recoverer) Recover(n node) { r.recover(n) }

// all gives every process the same script.
func all(s script) func(protocols.ID) protocols.Process[note] {
	return func(protocols.ID) protocols.Process[note] { return &s }
}

// lockstep is a network of unit delays.
func lockstep(topology netem.Topology) netem.Config {
	return netem.Config{Topology: topology, Delay: des.Constant(ms), FIFO: true}
}

// diary collects the notes of the handlers of a test.
type diary struct {
	net   *netem.Network[note]
	lines []string
}

func (d *diary) write(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf("%v: ", d.net.Now())+fmt.Sprintf(format, args...))
}

func (d *diary) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(d.lines, want) {
		t.Errorf("it happened\n\t%s\nwant\n\t%s", strings.Join(d.lines, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// finish runs a network until no event is left.
func finish(t *testing.T, net *netem.Network[note]) {
	t.Helper()
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("the run ended %v", end)
	}
}

// panicOf is the text of the value with which f panics.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}
