package netem_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// telltale is a process that, when it starts, sends a note and sets a timer to the instant of its
// arrival. It writes down all events.
func telltale(d *diary, id protocols.ID) *script {
	return &script{
		start: func(n node) {
			d.write("%d starts", id)
			n.SetTimer(0, ms)
			n.Send(n.Neighbor(0), note{})
		},
		receive: func(n node, from protocols.ID, m note) { d.write("%d receives", id) },
		timeout: func(n node, _ protocols.Timer) { d.write("%d times out", id) },
	}
}

// The order of one instant is faults and starts, deliveries, timeouts, probes, in any order of
// planning.
func TestTieOrder(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(3)), func(id protocols.ID) protocols.Process[note] {
		return telltale(d, id)
	})
	d.net.Clock().AfterFunc(ms, func() { d.write("a probe looks") })
	d.net.StartAt(0, 0)
	d.net.StartAt(2, at(1))
	finish(t, d.net)
	d.want(t,
		"0s: 0 starts",
		"1ms: 2 starts", "1ms: 1 receives", "1ms: 0 times out", "1ms: a probe looks",
		"2ms: 0 receives", "2ms: 2 times out")
}

// A crash comes before everything else at its instant: a message that arrives then is lost, a
// timer does not expire, and a process that crashes at 0 does not start. So does a restart: a
// message of its instant is delivered.
func TestCrashAndRestartComeFirst(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(4)), func(id protocols.ID) protocols.Process[note] {
		return telltale(d, id)
	})
	for id := range protocols.ID(3) {
		d.net.StartAt(id, 0)
	}
	d.net.CrashAt(1, at(1))
	d.net.CrashAt(2, 0) // after its start in the plan: the plan's order holds within a class
	d.net.CrashAt(3, 0)
	d.net.RestartAt(3, at(1))
	finish(t, d.net)
	d.want(t,
		"0s: 0 starts", "0s: 1 starts", "0s: 2 starts",
		"1ms: 3 receives",
		"1ms: 0 times out")
	if c := d.net.Counters(); c.ToDead != 2 || c.Delivered != 1 {
		t.Errorf("%d delivered, %d to the dead; want 1 and 2", c.Delivered, c.ToDead)
	}
}

func TestDeadFromTheStart(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(2)), all(script{start: func(n node) { d.write("%d starts", n.ID()) }}))
	d.net.CrashAt(0, 0)
	d.net.StartAt(0, 0)
	d.net.StartAt(1, 0)
	finish(t, d.net)
	d.want(t, "0s: 1 starts")
	if d.net.Alive(0) || !d.net.Alive(1) {
		t.Errorf("alive: %v, %v; want false, true", d.net.Alive(0), d.net.Alive(1))
	}
}

// A restart makes a new process and calls Recover in place of Start. Messages under way
// meanwhile are delivered to the new process.
func TestRestart(t *testing.T) {
	d := &diary{}
	boots := 0
	d.net = netem.New(lockstep(netem.Ring(2)), func(id protocols.ID) protocols.Process[note] {
		boots++
		name := boots // 1 and 2 are the first two, 3 the one that comes back
		r := &recoverer{recover: func(n node) {
			d.write("process %d recovers at %d", name, n.ID())
			n.Send(n.Neighbor(0), note{reply: true})
			n.SetTimer(0, 5*ms)
		}}
		r.start = func(n node) {
			d.write("process %d starts", name)
			n.Send(n.Neighbor(0), note{x: 1})
			n.SetTimer(1, 2*ms)
		}
		r.receive = func(n node, from protocols.ID, m note) { d.write("process %d receives %v", name, m) }
		r.timeout = func(n node, t protocols.Timer) {
			d.write("process %d times out: %d", name, t)
			if t == 1 {
				n.Send(n.Neighbor(0), note{x: 2})
			}
		}
		return r
	})
	first := d.net.Process(1)
	d.net.StartAt(0, 0)
	d.net.CrashAt(1, des.Time(ms/2)) // misses the first message,
	d.net.RestartAt(1, des.Time(5*ms/2))
	d.net.RestartAt(1, at(4)) // is alive: left alone
	finish(t, d.net)
	d.want(t,
		"0s: process 1 starts",
		"2ms: process 1 times out: 1", // sends while 1 is dead
		"2.5ms: process 3 recovers at 1",
		"3ms: process 3 receives NOTE(2)",
		"3.5ms: process 1 receives REPLY(0)",
		"7.5ms: process 3 times out: 0")
	if d.net.Process(1) == first || boots != 3 {
		t.Errorf("%d boots; want the third to be in place of the second", boots)
	}
	if c := d.net.Counters(); c.ToDead != 1 {
		t.Errorf("%d messages to the dead; want 1", c.ToDead)
	}
	if zero, one := d.net.Incarnation(0), d.net.Incarnation(1); zero != 0 || one != 1 {
		t.Errorf("the processes restarted %d and %d times; want 0 and 1", zero, one)
	}
}

// A process without Recover is silent when it restarts.
func TestRestartWithoutRecover(t *testing.T) {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(1)), all(script{start: func(node) { d.write("start") }}))
	d.net.CrashAt(0, 0)
	d.net.RestartAt(0, at(1))
	finish(t, d.net)
	d.want(t)
	if !d.net.Alive(0) {
		t.Error("the process is not back")
	}
}

// The detector of a network is perfect.
func TestSuspects(t *testing.T) {
	d := &diary{}
	look := func(n node) {
		d.write("suspects %v", []bool{n.Suspects(0), n.Suspects(1)})
	}
	d.net = netem.New(lockstep(netem.Ring(2)), all(script{start: look}))
	for k := range 3 {
		d.net.StartAt(0, at(k))
	}
	d.net.CrashAt(1, at(1))
	d.net.RestartAt(1, at(2))
	finish(t, d.net)
	d.want(t, "0s: suspects [false false]", "1ms: suspects [false false]", "2ms: suspects [false true]")
}

// In a blind network no process is suspected, even if it has crashed.
func TestBlindSuspectsNobody(t *testing.T) {
	d := &diary{}
	cfg := lockstep(netem.Ring(2))
	cfg.Blind = true
	d.net = netem.New(cfg, all(script{start: func(n node) { d.write("suspects 1: %v", n.Suspects(1)) }}))
	d.net.CrashAt(1, at(1))
	d.net.StartAt(0, at(2))
	finish(t, d.net)
	d.want(t, "2ms: suspects 1: false")
}

// Messages leave when the handler returns, in the order of the sends, also if timers are set in
// between and messages go to several processes.
func TestSendsLeaveInOrder(t *testing.T) {
	d := &diary{}
	cfg := lockstep(netem.Complete(3))
	cfg.Delay = des.Constant(0)
	d.net = netem.New(cfg, all(script{
		start: func(n node) {
			for x := range 3 {
				n.Send(1, note{x: x})
				n.SetTimer(0, 0)
				n.Send(2, note{x: x})
			}
			d.write("the handler returns")
		},
		receive: func(n node, _ protocols.ID, m note) { d.write("%d receives %d", n.ID(), m.x) },
		timeout: func(n node, _ protocols.Timer) { d.write("%d times out", n.ID()) },
	}))
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "0s: the handler returns",
		"0s: 1 receives 0", "0s: 2 receives 0", "0s: 1 receives 1", "0s: 2 receives 1", "0s: 1 receives 2", "0s: 2 receives 2",
		"0s: 0 times out")
}

func TestSendNeedsALink(t *testing.T) {
	for _, tc := range []struct {
		topology netem.Topology
		to       protocols.ID
		want     string
	}{
		{netem.Ring(4), 2, "process 0 has no link to 2 on the ring"},
		{netem.Ring(4), 3, "process 0 has no link to 3 on the ring"},
		{netem.BiRing(4), 2, "process 0 has no link to 2 on the biring"},
		{netem.Complete(4), 4, "process 0 has no link to 4 on the complete"},
		{netem.Complete(4), -1, "process 0 has no link to -1 on the complete"},
	} {
		net := netem.New(lockstep(tc.topology), all(script{start: func(n node) { n.Send(tc.to, note{}) }}))
		net.StartAt(0, 0)
		if got := panicOf(func() { net.Run(t.Context()) }); !strings.Contains(got, tc.want) {
			t.Errorf("panics with %q; want %q", got, tc.want)
		}
	}
}

func TestPlanNeedsAnAddress(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(4)), all(script{}))
	for _, id := range []protocols.ID{-1, 4} {
		for _, f := range []func(protocols.ID, des.Time){net.StartAt, net.CrashAt, net.RestartAt} {
			if got := panicOf(func() { f(id, 0) }); !strings.Contains(got, "outside 0..3") {
				t.Errorf("address %d: panics with %q", id, got)
			}
		}
	}
}

// A process draws choices from its own stream. They do not depend on other processes or links.
func TestChoicesBelongToTheProcess(t *testing.T) {
	choices := func(starts ...protocols.ID) [3][]int {
		var of [3][]int
		cfg := netem.Config{Topology: netem.Ring(3), Delay: des.Exponential(ms), Seed: 1}
		net := netem.New(cfg, all(script{
			start: func(n node) {
				n.SetTimer(0, ms)
				n.Send(n.Neighbor(0), note{})
			},
			timeout: func(n node, _ protocols.Timer) {
				mine := &of[n.ID()]
				*mine = append(*mine, n.Intn(1000))
				if len(*mine) < 50 {
					n.SetTimer(0, ms)
				}
			},
		}))
		for _, id := range starts {
			net.StartAt(id, 0)
		}
		finish(t, net)
		return of
	}
	alone, among := choices(0), choices(2, 1, 0)
	if !slices.Equal(alone[0], among[0]) {
		t.Errorf("alone process 0 chooses %v, among others %v", alone[0], among[0])
	}
	if slices.Equal(among[0], among[1]) || slices.Equal(among[1], among[2]) || slices.Equal(among[2], among[0]) {
		t.Errorf("two processes choose the same: %v", among)
	}
}

// The counters of a case that can be counted by hand: 0 sends two notes to 1 and one to 2; each
// note is answered; 2 is dead.
func TestCounters(t *testing.T) {
	net := netem.New(lockstep(netem.Complete(3)), all(script{
		start: func(n node) {
			n.Send(1, note{})
			n.Send(2, note{})
			n.Send(1, note{})
		},
		receive: func(n node, from protocols.ID, m note) {
			if !m.reply {
				n.Send(from, note{reply: true})
			}
		},
	}))
	net.CrashAt(2, 0)
	net.StartAt(0, 0)
	finish(t, net)
	c := net.Counters()
	if want := []uint64{3, 2}; !slices.Equal(c.Sent, want) {
		t.Errorf("sent by kind %v; want %v", c.Sent, want)
	}
	for _, tc := range []struct {
		name      string
		got, want uint64
	}{
		{"messages", c.Messages(), 5},
		{"largest of a process", c.MaxSent, 3},
		{"delivered", c.Delivered, 4},
		{"to the dead", c.ToDead, 1},
		{"bits", c.Bits, 3*(8+64) + 2*8},
		{"causal depth", uint64(c.CausalDepth), 2},
		{"last message", uint64(c.LastMessage), uint64(at(2))},
		{"events", c.Events, 1 + 1 + 5},
	} {
		if tc.got != tc.want {
			t.Errorf("%s: %d; want %d", tc.name, tc.got, tc.want)
		}
	}
	c.Sent[0] = 99
	if again := net.Counters(); again.Sent[0] != 3 {
		t.Error("the counters share memory with the run")
	}
}

// A message to a dead process can be the last one to arrive.
func TestLastMessageMayBeLost(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(2)), all(script{start: func(n node) { n.Send(1, note{}) }}))
	net.CrashAt(1, 0)
	net.StartAt(0, at(2))
	finish(t, net)
	if c := net.Counters(); c.LastMessage != at(3) || c.CausalDepth != 0 {
		t.Errorf("last message at %v, depth %d; want 3ms and, since nobody handled it, 0", c.LastMessage, c.CausalDepth)
	}
}

// The causal depth is the length of the longest chain of messages, for any delays: k for a token
// with k hops, the height for a broadcast down a binary tree, 1 for a star, the longer of two
// chains.
func TestCausalDepth(t *testing.T) {
	const n = 15
	for _, delay := range []des.Distribution{des.Constant(ms), des.Exponential(ms), des.Constant(0)} {
		for _, tc := range []struct {
			name    string
			want    uint32
			start   func(n node)
			receive func(n node, from protocols.ID, m note)
		}{
			{"chain", 40, func(n node) { n.Send(n.Neighbor(0), note{x: 39}) },
				func(n node, _ protocols.ID, m note) {
					if m.x > 0 {
						n.Send(n.Neighbor(0), note{x: m.x - 1})
					}
				}},
			{"tree", 3, children, func(n node, _ protocols.ID, m note) { children(n) }},
			{"star", 1, func(n node) {
				for port := range n.Degree() {
					n.Send(n.Neighbor(port), note{})
				}
			}, nil},
			{"two chains", 7, func(n node) {
				n.Send(1, note{x: 6})
				n.Send(2, note{x: 3})
			}, func(n node, _ protocols.ID, m note) {
				if m.x > 0 {
					n.Send((n.ID()+2)%protocols.ID(n.Degree()+1), note{x: m.x - 1})
				}
			}},
		} {
			cfg := netem.Config{Topology: netem.Complete(n), Delay: delay, Seed: 1}
			net := netem.New(cfg, all(script{start: tc.start, receive: tc.receive}))
			net.StartAt(0, 0)
			finish(t, net)
			if got := net.Counters().CausalDepth; got != tc.want {
				t.Errorf("%s, delay %v: depth %d; want %d", tc.name, delay, got, tc.want)
			}
		}
	}
}

// A short chain that arrives late does not shorten the longest: a chain of three ends at 3, later
// 5 sends a message to 3, and the next message of 3 is the fourth of its chain.
func TestCausalDepthStays(t *testing.T) {
	for _, careful := range []bool{false, true} {
		net := netem.New(lockstep(netem.Complete(6)), all(script{
			start: func(n node) {
				if n.ID() == 5 {
					n.Send(3, note{x: 1})
					return
				}
				n.Send(1, note{x: 2})
			},
			receive: func(n node, _ protocols.ID, m note) {
				if m.x > 0 {
					n.Send(n.ID()+1, note{x: m.x - 1})
				}
			},
		}))
		if careful {
			net.Oppose(&foe{})
		}
		net.StartAt(0, 0)
		net.StartAt(5, at(10))
		finish(t, net)
		if got := net.Counters().CausalDepth; got != 4 {
			t.Errorf("careful %v: depth %d; want 4", careful, got)
		}
	}
}
