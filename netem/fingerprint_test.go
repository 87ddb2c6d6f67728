package netem_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"

	"pgregory.net/rapid"
)

// gossip uses everything that a fingerprint covers: links, choices, timers that expire, are
// re-armed and are stopped, both kinds of messages, and a process that restarts.
func gossip(protocols.ID) protocols.Process[note] {
	heard := 0
	spread := func(n node, x int) {
		if x == 0 || n.Degree() == 0 {
			return
		}
		n.Send(n.Neighbor(n.Intn(n.Degree())), note{x: x - 1})
		n.SetTimer(1, ms*3/2)
	}
	r := &recoverer{recover: func(n node) { spread(n, 5) }}
	r.start = func(n node) {
		n.SetTimer(-2, 4*ms)
		spread(n, 300)
	}
	r.receive = func(n node, from protocols.ID, m note) {
		heard++
		if heard%3 == 0 {
			n.StopTimer(1)
		}
		spread(n, m.x)
	}
	r.timeout = func(n node, label protocols.Timer) {
		if label == 1 && n.Degree() > 0 {
			n.Send(n.Neighbor(0), note{reply: true})
		}
	}
	return r
}

// gossipOn prepares the run of gossip whose fingerprints are golden.
func gossipOn(net *netem.Network[note]) {
	net.StartAt(0, 0)
	net.StartAt(1, 0)
	net.StartAt(3, at(2))
	net.CrashAt(1, at(3))
	net.CrashAt(4, at(5))
	net.RestartAt(1, at(7))
}

func distributions(t testing.TB, texts ...string) []des.Distribution {
	t.Helper()
	var ds []des.Distribution
	for _, text := range texts {
		d, err := des.ParseDistribution(text)
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, d)
	}
	return ds
}

// TestGoldenFingerprints: the same seed and version have the same fingerprint on every machine,
// GOARCH and GOMAXPROCS. If one of these changes, published seeds no longer mean the same run:
// find out why, or raise netem.Epoch.
func TestGoldenFingerprints(t *testing.T) {
	var got strings.Builder
	fmt.Fprintf(&got, "epoch %d\n", netem.Epoch)
	for _, name := range []string{"ring", "biring", "complete"} {
		topology, err := netem.ParseTopology(name, 6, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, delay := range distributions(t, "1ms", "uniform(0,2ms)", "exp(1ms)") {
			for _, fifo := range []bool{true, false} {
				for seed := range uint64(2) {
					net := netem.New(netem.Config{Topology: topology, Delay: delay, FIFO: fifo, Seed: seed}, gossip)
					gossipOn(net)
					finish(t, net)
					order := "free"
					if fifo {
						order = "fifo"
					}
					fmt.Fprintf(&got, "%-8s %-16v %s seed %d  %4d events  %016x\n",
						name, delay, order, seed, net.Counters().Events, net.Fingerprint())
				}
			}
		}
	}
	golden.Check(t, "fingerprints.txt", []byte(got.String()))
}

// fingerprintOf runs gossip on a fresh network.
func fingerprintOf(t testing.TB, net *netem.Network[note]) uint64 {
	gossipOn(net)
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Errorf("the run ended %v", end)
	}
	return net.Fingerprint()
}

// The same run has the same fingerprint on a new network, on a used one, with a tracer, and with
// an observer.
func TestFingerprintBelongsToTheRun(t *testing.T) {
	used := netem.New(lockstep(netem.Ring(2)), all(script{}))
	rapid.Check(t, func(rt *rapid.T) {
		topology, err := netem.ParseTopology(rapid.SampledFrom([]string{"ring", "biring", "complete", "line", "star", "tree(3)", "er(0.5)"}).Draw(rt, "topology"),
			rapid.IntRange(5, 40).Draw(rt, "n"), rapid.Uint64().Draw(rt, "seed of the topology"))
		if err != nil {
			rt.Fatal(err)
		}
		cfg := netem.Config{
			Topology: topology,
			Delay:    rapid.SampledFrom(distributions(t, "1ms", "0s", "uniform(0,2ms)", "exp(1ms)")).Draw(rt, "delay"),
			FIFO:     rapid.Bool().Draw(rt, "fifo"),
			Seed:     rapid.Uint64().Draw(rt, "seed"),
		}
		want := fingerprintOf(t, netem.New(cfg, gossip))
		check := func(how string, net *netem.Network[note]) {
			if got := fingerprintOf(t, net); got != want {
				rt.Errorf("%s: %016x; want %016x", how, got, want)
			}
		}
		check("another network", netem.New(cfg, gossip))
		used.Reset(cfg, gossip)
		check("a network that was used before", used)
		used.Reset(cfg, gossip)
		used.Trace(netem.TextTrace(io.Discard, nil))
		check("a traced run", used)
		used.Reset(cfg, gossip)
		used.Observe(&witness{net: used})
		check("an observed run", used)
		limited := cfg
		limited.MaxTime, limited.MaxEvents, limited.MaxPending = des.MaxTime, 1<<40, 1<<30
		check("a run with limits that it does not reach", netem.New(limited, gossip))
	})
}

// With random delays another seed is another run. With constant delays and no choices the seed
// does not matter.
func TestFingerprintAndSeed(t *testing.T) {
	prints := func(cfg netem.Config, boot func(protocols.ID) protocols.Process[note]) int {
		distinct := map[uint64]bool{}
		for seed := range uint64(100) {
			cfg.Seed = seed
			distinct[fingerprintOf(t, netem.New(cfg, boot))] = true
		}
		return len(distinct)
	}
	countdown := all(script{
		start: func(n node) { n.Send(n.Neighbor(0), note{x: 30}) },
		receive: func(n node, _ protocols.ID, m note) {
			if m.x > 0 {
				n.Send(n.Neighbor(0), note{x: m.x - 1})
			}
		},
	})
	cfg := lockstep(netem.BiRing(8))
	if got := prints(cfg, countdown); got != 1 {
		t.Errorf("%d fingerprints for 100 seeds that decide nothing", got)
	}
	if got := prints(cfg, gossip); got != 100 {
		t.Errorf("%d fingerprints for 100 seeds that decide choices", got)
	}
	cfg.Delay = des.Exponential(ms)
	if got := prints(cfg, countdown); got != 100 {
		t.Errorf("%d fingerprints for 100 seeds that decide delays", got)
	}
}

// The fingerprint depends on instants, event types, processes, kinds of messages and timers.
func TestFingerprintSeesWhatHappens(t *testing.T) {
	type run struct {
		name  string
		delay des.Distribution
		start func(n node)
		more  func(net *netem.Network[note])
	}
	send := func(to protocols.ID, m note) func(node) { return func(n node) { n.Send(to, m) } }
	timer := func(label protocols.Timer) func(node) { return func(n node) { n.SetTimer(label, ms) } }
	seen := map[uint64]string{}
	for _, r := range []run{
		{"nothing", des.Constant(ms), func(node) {}, nil},
		{"a note", des.Constant(ms), send(1, note{}), nil},
		{"a reply", des.Constant(ms), send(1, note{reply: true}), nil},
		{"a note to another", des.Constant(ms), send(2, note{}), nil},
		{"a note to itself", des.Constant(ms), send(0, note{}), nil},
		{"a later note", des.Constant(ms + 1), send(1, note{}), nil},
		{"a timer", des.Constant(ms), timer(0), nil},
		{"another timer", des.Constant(ms), timer(1), nil},
		{"a timer below 0", des.Constant(ms), timer(-1), nil},
		{"a start", des.Constant(ms), func(node) {}, func(net *netem.Network[note]) { net.StartAt(1, at(1)) }},
		{"a crash", des.Constant(ms), func(node) {}, func(net *netem.Network[note]) { net.CrashAt(1, at(1)) }},
		{"a restart", des.Constant(ms), func(node) {}, func(net *netem.Network[note]) { net.RestartAt(1, at(1)) }},
		{"a crash of another", des.Constant(ms), func(node) {}, func(net *netem.Network[note]) { net.CrashAt(2, at(1)) }},
	} {
		cfg := lockstep(netem.Complete(3))
		cfg.Delay = r.delay
		net := netem.New(cfg, all(script{start: r.start}))
		net.StartAt(0, 0)
		if r.more != nil {
			r.more(net)
		}
		finish(t, net)
		if other, ok := seen[net.Fingerprint()]; ok {
			t.Errorf("%s has the fingerprint of %s", r.name, other)
		}
		seen[net.Fingerprint()] = r.name
	}
	if fresh := netem.New(lockstep(netem.Ring(1)), all(script{})).Fingerprint(); seen[fresh] != "" {
		t.Errorf("%s has the fingerprint of a run that has not begun", seen[fresh])
	}
}
