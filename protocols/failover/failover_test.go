package failover_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
	"bullring/protocols/failover"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/centralized"
)

type (
	message = failover.Message[centralized.Message]
	process = failover.Process[centralized.Message]
)

// ring is LCR on the ring of the members, in which the largest address wins.
func ring(self int, members []protocols.ID) failover.Contest {
	return failover.Contest{
		Process:   box.Wrap(protocols.Process[lcr.Message](lcr.New(election.Rank{ID: election.Identity(members[self] + 1)}, lcr.Config{}))),
		Neighbors: []protocols.ID{protocols.ID((self + 1) % len(members))},
	}
}

// group runs n clients that ask once and stay inside for 2, the first coordinator being
// the last of them.
func group(t *testing.T, n int, crash map[protocols.ID]des.Time, trace *bytes.Buffer) (clients []*mutex.CoordinatedClient[centralized.Message], processes []*process) {
	t.Helper()
	clients, processes = make([]*mutex.CoordinatedClient[centralized.Message], n), make([]*process, n)
	cfg := failover.Config{Coordinator: protocols.ID(n - 1), Period: 2 * time.Millisecond, Elect: ring}
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: des.Constant(time.Millisecond), FIFO: true, MaxEvents: 1 << 16},
		func(id protocols.ID) protocols.Process[message] {
			clients[id] = mutex.NewCoordinatedClient(centralized.New(id, cfg.Coordinator), mutex.Workload{Requests: 1, Hold: 2 * time.Millisecond})
			processes[id] = failover.New(clients[id], cfg)
			return processes[id]
		})
	if trace != nil {
		net.Trace(netem.TextTrace(trace, func(protocols.ID) string { return "" }))
	}
	for _, p := range []protocols.ID{0, 1, 2, 3, 4, 5, 6, 7} {
		if at, dies := crash[p]; dies {
			net.CrashAt(p, at)
		}
	}
	net.Boot()
	for p := range protocols.ID(n) {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("the run does not end: %v", end)
	}
	return clients, processes
}

// The coordinator dies while process 0 is inside: 1 finds that, both elect, and the new
// coordinator waits until 0 has left.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	clients, _ := group(t, 3, map[protocols.ID]des.Time{2: 3_500_000}, &trace)
	for p := range 2 {
		if u := clients[p].Usage(); u.Left != 1 {
			t.Errorf("process %d: %+v", p, u)
		}
	}
	golden.Check(t, "coordinator-dies.txt", trace.Bytes())
}

// One after the other all coordinators die. In the end the last one is alone, and its
// own.
func TestOneIsLeft(t *testing.T) {
	clients, processes := group(t, 5, map[protocols.ID]des.Time{4: 500_000, 3: 7_500_000, 2: 12_500_000, 1: 16_500_000}, nil)
	if who, epoch, ok := processes[0].Coordinator(); who != 0 || epoch>>10 != 4 || !ok {
		t.Errorf("process 0 follows %d in epoch %d, %v", who, epoch, ok)
	}
	if u := clients[0].Usage(); u.Left != 1 {
		t.Errorf("process 0: %+v", u)
	}
}

func TestMessages(t *testing.T) {
	kinds := []string{"REQUEST", "GRANT", "RELEASE", "ELECT", "COORDINATOR"}
	if got := (message{}).Kinds(); !slices.Equal(got, kinds) {
		t.Errorf("kinds %v, want %v", got, kinds)
	}
	probe := lcr.Message{Type: lcr.Probe, Rank: election.Rank{ID: 5}}
	client := mutex.NewCoordinatedClient(centralized.New(0, 1), mutex.Workload{Requests: 1})
	receiver := failover.New(client, failover.Config{Period: 1, Elect: ring})
	for _, c := range []struct {
		m    message
		kind int
		bits int
		text string
	}{
		{message{Service: centralized.Grant}, 1, 8 + 64, "GRANT"},
		{message{Service: centralized.Release, Epoch: 2 << 10}, 2, 8 + 64, "RELEASE@2"},
		{message{Type: failover.Elect, Epoch: 1 << 10, Members: 0xabcdef, Ballot: box.Message{Inside: probe}}, 3, 8 + 128 + probe.Bits(), "ELECT PROBE(5)@1:cdef"},
		{message{Type: failover.Coordinator, Epoch: 3<<10 + 1}, 4, 8 + 64, "COORDINATOR@3.1"},
	} {
		if c.m.Kind() != c.kind || c.m.Bits() != c.bits || c.m.String() != c.text || c.m.Overhead(c.m.Kind()) != (c.kind > 2) {
			t.Errorf("%v: kind %d, %d bits; want %s, %d, %d", c.m, c.m.Kind(), c.m.Bits(), c.text, c.kind, c.bits)
		}
		text, err := json.Marshal(c.m)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := receiver.Decode(text); err != nil || got.String() != c.text || got.Kind() != c.kind || got.Bits() != c.bits {
			t.Errorf("%s: %v, %v; want %s", text, got, err, c.text)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	client := mutex.NewCoordinatedClient(centralized.New(0, 1), mutex.Workload{Requests: 1})
	receiver := failover.New(client, failover.Config{Period: 1, Elect: ring})
	for text, says := range map[string]string{
		`{"Type": 0}`:                          "no message",
		`{"Type": 1, "Ballot": null}`:          "no message",
		`{"Type": 1, "Ballot": {"Type": 9}}`:   "kind 9",
		`{"Type": 0, "Service": 9}`:            "kind 9",
		`{"Type": 3}`:                          "type 3",
		`{"Type": 2, "Epoch": 1, "Ballots":2}`: "unknown field",
	} {
		if m, err := receiver.Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, %v; want an error that says %q", text, m, err, says)
		}
	}
}

func TestPanics(t *testing.T) {
	client := func() *mutex.CoordinatedClient[centralized.Message] {
		return mutex.NewCoordinatedClient(centralized.New(0, 1), mutex.Workload{Requests: 1})
	}
	for says, f := range map[string]func(){
		"a period of 0s": func() { failover.New(client(), failover.Config{Elect: ring}) },
		"an election false": func() {
			failover.New(client(), failover.Config{Period: 1})
		},
	} {
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, says) {
					t.Errorf("the panic says %q, want %q", text, says)
				}
			}()
			f()
		}()
	}
}
