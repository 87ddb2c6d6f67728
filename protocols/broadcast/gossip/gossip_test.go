package gossip_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/gossip"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/workload"
)

const unit = time.Millisecond

// outcome is what came out of a run in which process 0 broadcasts an item.
type outcome struct {
	at    []time.Duration // when a process delivered it; 0 if it did not
	sent  []int           // DATA, NEEDED, REQUEST
	trace []byte
}

// run runs processes of which each chooses its successor in every cycle.
func run(t *testing.T, n int, cfg gossip.Config) outcome {
	t.Helper()
	cfg.Delay = unit
	net := testnet.New(n, testnet.Always(unit), func(protocols.ID) protocols.Process[gossip.Message] {
		return broadcast.NewClient[gossip.Message](gossip.New(cfg), workload.Work{Requests: 1})
	})
	o := outcome{at: make([]time.Duration, n)}
	var trace bytes.Buffer
	net.Trace = &trace
	net.Observer = func(p protocols.ID) {
		if items := net.Process(p).(broadcast.Member).Delivered(); len(items) > 0 && o.at[p] == 0 && p > 0 {
			o.at[p] = net.Now()
			fmt.Fprintf(&trace, "          %d delivers %v\n", p, items)
		}
	}
	net.At(0, func() { net.Start(0) })
	if !net.Settle(time.Second) {
		t.Fatalf("no rest:\n%s", trace.Bytes())
	}
	o.sent, o.trace = net.Sent, trace.Bytes()
	return o
}

func TestTrace(t *testing.T) {
	for name, cfg := range map[string]gossip.Config{
		"push":     {Push: true, K: 1},
		"blind":    {Push: true, Blind: true, K: 1},
		"pull":     {Pull: true, K: 1, Cycles: 3},
		"pushpull": {Push: true, Pull: true, K: 2, Cycles: 2},
	} {
		golden.Check(t, name+".txt", run(t, 3, cfg).trace)
	}
}

// The item goes one process further in each cycle: with push to the successor, with pull to the
// predecessor, of which the first in the ring is the last.
func TestCycles(t *testing.T) {
	const n = 5
	push := gossip.Config{Push: true, K: 1, Delay: unit}
	pull := gossip.Config{Pull: true, K: 1, Cycles: n, Delay: unit}
	if push.Cycle() != 2*unit || pull.Cycle() != 3*unit {
		t.Errorf("cycles of %v and %v", push.Cycle(), pull.Cycle())
	}
	var pushed, pulled []time.Duration
	for k := range time.Duration(n) {
		pushed = append(pushed, k*push.Cycle())
		pulled = append(pulled, (n-k)%n*pull.Cycle())
	}
	if o := run(t, n, push); !slices.Equal(o.at, pushed) {
		t.Errorf("pushed at %v, want %v", o.at, pushed)
	}
	if o := run(t, n, pull); !slices.Equal(o.at, pulled) {
		t.Errorf("pulled at %v, want %v", o.at, pulled)
	}
}

// Messages of n processes, of which each tells its successor. In the first cycle of a process it tells
// one that needs the item; only the last one tells process 0, which has it.
func TestMessages(t *testing.T) {
	const n, k = 5, 3
	for _, c := range []struct {
		cfg  gossip.Config
		want []int
	}{
		{gossip.Config{Push: true, Blind: true, K: k}, []int{k * n, 0, 0}},
		{gossip.Config{Push: true, K: k}, []int{n - 1 + k*n, n - 1, 0}},
		{gossip.Config{Push: true, K: 1, Coin: true}, []int{n - 1 + n, n - 1, 0}},
		{gossip.Config{Pull: true, K: k, Cycles: 4 * n}, []int{n - 1 + k*n, n - 1, 4 * n * n}},
		{gossip.Config{Pull: true, K: 1, Cycles: 0}, []int{0, 0, 0}},
	} {
		if o := run(t, n, c.cfg); !slices.Equal(o.sent, c.want) {
			t.Errorf("%+v: %v, want %v", c.cfg, o.sent, c.want)
		}
	}
}

// A process alone delivers its item, and tells nobody.
func TestAlone(t *testing.T) {
	for _, cfg := range []gossip.Config{{Push: true, K: 1}, {Pull: true, K: 1, Cycles: 5}} {
		if o := run(t, 1, cfg); !slices.Equal(o.sent, []int{0, 0, 0}) {
			t.Errorf("%+v: %v", cfg, o.sent)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, cfg := range []gossip.Config{
		{K: 1, Delay: unit}, {Push: true, Delay: unit}, {Push: true, K: 1}, {Pull: true, K: 1, Cycles: -1, Delay: unit},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v made a process", cfg)
				}
			}()
			gossip.New(cfg)
		}()
	}
}

// teller sends another process an item that it broadcast, at a time.
type teller struct {
	protocols.Process[gossip.Message]
	to    protocols.ID
	after time.Duration
}

func (p *teller) Start(n protocols.Node[gossip.Message]) { n.SetTimer(0, p.after) }

func (p *teller) Timeout(n protocols.Node[gossip.Message], _ protocols.Timer) {
	n.Send(p.to, gossip.Message{Item: broadcast.Item{Origin: 0, Number: 1}})
}

func (*teller) Receive(protocols.Node[gossip.Message], protocols.ID, gossip.Message) {}

// A process says that it needed an item to each that tells it before its next cycle begins, and to none
// that tells it later.
func TestNeeded(t *testing.T) {
	for later, want := range map[time.Duration]int{0: 2, unit / 2: 2, unit: 2, unit + 1: 1, 5 * unit: 1} {
		net := testnet.New(3, testnet.Always(unit), func(p protocols.ID) protocols.Process[gossip.Message] {
			if p == 2 {
				return broadcast.NewClient[gossip.Message](gossip.New(gossip.Config{Push: true, K: 1, Delay: unit}), workload.Work{Requests: 1})
			}
			return &teller{to: 2, after: time.Duration(p) * later}
		})
		for p := range protocols.ID(2) {
			net.At(0, func() { net.Start(p) })
		}
		if !net.Settle(time.Second) || net.Sent[1] != want {
			t.Errorf("told again after %v: %d NEEDED, want %d", later, net.Sent[1], want)
		}
	}
}
