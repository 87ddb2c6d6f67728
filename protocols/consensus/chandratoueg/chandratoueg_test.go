package chandratoueg_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/consensus/chandratoueg"
)

// run runs the processes of a list of inputs.
func run(t *testing.T, c netem.Config, cfg chandratoueg.Config, inputs []int, prepare func(*netem.Network[chandratoueg.Message[int]], []*chandratoueg.Process[int])) []*chandratoueg.Process[int] {
	t.Helper()
	cfg.Processes, c.Topology = len(inputs), netem.Complete(len(inputs))
	processes := make([]*chandratoueg.Process[int], len(inputs))
	net := netem.New(c, func(p protocols.ID) protocols.Process[chandratoueg.Message[int]] {
		processes[p] = chandratoueg.New(p, inputs[p], cfg)
		return processes[p]
	})
	for p := range protocols.ID(len(inputs)) {
		net.StartAt(p, 0)
	}
	prepare(net, processes)
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	return processes
}

// The coordinator of round 1 crashes when both others have acknowledged its proposal. Process 1, which
// coordinates round 2, proposes the same.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, netem.Config{Delay: des.Constant(time.Millisecond), FIFO: true}, chandratoueg.Config{Wait: 5 * time.Millisecond}, []int{3, 4, 5},
		func(net *netem.Network[chandratoueg.Message[int]], processes []*chandratoueg.Process[int]) {
			net.CrashAt(0, des.Time(2500*time.Microsecond))
			net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
				if d := processes[p].Decision(); d.Made {
					return d.String()
				}
				return ""
			}))
		})
	golden.Check(t, "chandratoueg.txt", trace.Bytes())
}

// A second start changes nothing: not between an estimate and the answer, and not after the decision.
func TestStartsOnce(t *testing.T) {
	for _, again := range []des.Time{1, des.Time(100 * time.Millisecond)} {
		processes := run(t, netem.Config{Delay: des.Constant(time.Millisecond), FIFO: true}, chandratoueg.Config{Wait: 5 * time.Millisecond}, []int{3, 4, 5},
			func(net *netem.Network[chandratoueg.Message[int]], _ []*chandratoueg.Process[int]) {
				net.CrashAt(1, 0)
				net.StartAt(2, again)
			})
		for _, p := range []int{0, 2} {
			if d := processes[p].Decision(); !d.Made || d.Value != 3 {
				t.Errorf("started again after %v: process %d %v", again, p, d)
			}
		}
	}
}

// However impatient processes are, they agree, and in the end decide: the timeouts grow.
func TestTimeoutsThatAreTooShort(t *testing.T) {
	late := 0
	for seed := range uint64(100) {
		inputs := []int{1, 2, 3, 4, 5}
		processes := run(t, netem.Config{Delay: des.Exponential(time.Millisecond), Seed: seed}, chandratoueg.Config{Wait: time.Microsecond, Timeout: true}, inputs,
			func(*netem.Network[chandratoueg.Message[int]], []*chandratoueg.Process[int]) {})
		first := processes[0].Decision()
		late = max(late, first.Round)
		for _, p := range processes {
			if d := p.Decision(); !d.Made || d.Value != first.Value {
				t.Fatalf("seed %d: %v, %v", seed, first, d)
			}
		}
	}
	if late < 10 {
		t.Errorf("all runs decide in %d rounds: their timeouts were not too short", late)
	}
}

func TestMessages(t *testing.T) {
	for want, m := range map[string]chandratoueg.Message[int]{
		"ESTIMATE(7 of round 1, round 2), 200 bits": {Type: chandratoueg.Estimate, Round: 2, Value: 7, Stamp: 1},
		"PROPOSE(7, round 2), 136 bits":             {Type: chandratoueg.Propose, Round: 2, Value: 7},
		"ACK(round 2), 72 bits":                     {Type: chandratoueg.Ack, Round: 2},
		"NACK(round 2), 72 bits":                    {Type: chandratoueg.Nack, Round: 2},
		"DECIDE(7), 72 bits":                        {Type: chandratoueg.Decide, Value: 7},
	} {
		if got := fmt.Sprintf("%v, %d bits", m, m.Bits()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
