package eig_test

import (
	"bytes"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus"
	"bullring/protocols/consensus/eig"
	"bullring/protocols/rounds"
)

// Four processes, of which the last tells the first two something else than the third.
func TestTrace(t *testing.T) {
	processes := make([]*eig.Process, 4)
	cfg := eig.Config{Processes: 4, Faulty: 1}
	net := netem.New(netem.Config{Topology: netem.Complete(4), Delay: des.Constant(time.Millisecond), FIFO: true}, func(p protocols.ID) protocols.Process[rounds.Stamped[eig.Message]] {
		processes[p] = eig.New(p, int(p)%2, cfg)
		var process protocols.Round[eig.Message] = processes[p]
		if p == 3 {
			process = adversary.TwoFaced(process, adversary.Contrary(eig.New(p, 1, cfg), eig.Message.Opposite), func(to protocols.ID) bool { return to < 2 })
		}
		return rounds.NewLockstep(process, time.Millisecond)
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := processes[p].Decision(); d.Made && p != 3 {
			return d.String()
		}
		return ""
	}))
	for p := range protocols.ID(4) {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "two-faced.txt", trace.Bytes())
}

func path(ids ...protocols.ID) (p consensus.Path) {
	for _, id := range ids {
		p = p.With(id)
	}
	return p
}

// What is no value of this round from this sender is ignored: process 3, with the value 1, decides as if
// the others had said nothing.
func TestIgnores(t *testing.T) {
	for name, v := range map[string]eig.Value{
		"by another sender":  {Path: path(1), Value: 1},
		"too long":           {Path: path(1, 0), Value: 1},
		"no value":           {Path: path(0), Value: 2},
		"without a path":     {Value: 1},
		"by the receiver":    {Path: path(3), Value: 1},
		"by no process":      {Path: path(7), Value: 1},
		"that is not told 1": {Path: path(0), Value: 0},
	} {
		p := eig.New(3, 1, eig.Config{Processes: 4})
		p.Transition(nil, []protocols.Arrival[eig.Message]{{From: 0, Message: eig.Message{v}}})
		if d := p.Decision(); d != (consensus.Decision{Made: true}) {
			t.Errorf("%s: %v", name, d)
		}
	}
}

func TestMessage(t *testing.T) {
	m := eig.Message{{Path: path(0, 2), Value: 1}, {Path: path(1)}}
	if m.String() != "VALUES(1 by 0,2; 0 by 1)" || m.Bits() != 8+(8+128)+(8+64) || m.Opposite().String() != "VALUES(0 by 0,2; 1 by 1)" {
		t.Errorf("%v, %d bits, %v", m, m.Bits(), m.Opposite())
	}
}

func TestNoSuchProcess(t *testing.T) {
	for _, cfg := range []eig.Config{{Processes: 256}, {Processes: 25, Faulty: 8}, {Processes: 4, Faulty: -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was made", cfg)
				}
			}()
			eig.New(0, 0, cfg)
		}()
	}
}
