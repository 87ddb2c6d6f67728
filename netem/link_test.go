package netem_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// With a constant delay a run consists of lock-step rounds: a flood over a bidirectional ring
// reaches each process at its distance, and no event lies between two rounds.
func TestConstantDelayIsLockstep(t *testing.T) {
	const n = 9
	var reached [n]des.Time
	var net *netem.Network[note]
	net = netem.New(lockstep(netem.BiRing(n)), func(protocols.ID) protocols.Process[note] {
		known := false
		flood := func(n node) {
			if known {
				return
			}
			known = true
			reached[n.ID()] = net.Now()
			for port := range n.Degree() {
				n.Send(n.Neighbor(port), note{})
			}
		}
		return &script{
			start: flood,
			receive: func(n node, _ protocols.ID, _ note) {
				if net.Now()%at(1) != 0 {
					t.Errorf("a message arrived at %v, between two rounds", net.Now())
				}
				flood(n)
			},
		}
	})
	net.StartAt(0, 0)
	finish(t, net)
	for id, got := range reached {
		if want := at(min(id, n-id)); got != want {
			t.Errorf("process %d was reached at %v; want %v", id, got, want)
		}
	}
}

// stream sends count messages over the link from 0 to 1, one every tenth of the mean delay, and
// returns the arrivals in order. extra, if not nil, is called with each send.
func stream(t *testing.T, cfg netem.Config, count int, extra func(node)) (order []int, instants []des.Time) {
	t.Helper()
	var net *netem.Network[note]
	net = netem.New(cfg, func(id protocols.ID) protocols.Process[note] {
		sent := 0
		send := func(n node) {
			if sent < count {
				n.Send(1, note{x: sent})
				if extra != nil {
					extra(n)
				}
				sent++
				n.SetTimer(0, ms/10)
			}
		}
		return &script{
			start:   send,
			timeout: func(n node, _ protocols.Timer) { send(n) },
			receive: func(n node, from protocols.ID, m note) {
				if n.ID() == 1 && from == 0 && m.x >= 0 {
					order, instants = append(order, m.x), append(instants, net.Now())
				}
			},
		}
	})
	net.StartAt(0, 0)
	finish(t, net)
	if len(order) != count {
		t.Fatalf("%d of %d messages arrived", len(order), count)
	}
	return order, instants
}

// On a FIFO link no message overtakes. Without FIFO, messages that are sent in a tenth of the
// mean delay do.
func TestFIFO(t *testing.T) {
	for _, delay := range []des.Distribution{des.Exponential(ms), des.Uniform(0, 2*ms)} {
		for _, topology := range []netem.Topology{netem.Ring(2), netem.BiRing(3), netem.Complete(4), netem.Complete(1100)} {
			name := fmt.Sprintf("%v on the %s of %d", delay, topology, topology.Len())
			cfg := netem.Config{Topology: topology, Delay: delay, FIFO: true, Seed: 3}
			fifo, when := stream(t, cfg, 1000, nil)
			if !slices.IsSorted(fifo) || !slices.IsSorted(when) {
				t.Errorf("%s: a FIFO link reordered", name)
			}
			cfg.FIFO = false
			free, freely := stream(t, cfg, 1000, nil)
			if slices.IsSorted(free) {
				t.Errorf("%s: a link without FIFO reordered nothing", name)
			}
			// FIFO holds messages back and does nothing else: a message waits
			// for those before it, and its own delay is the same.
			arrival := make([]des.Time, len(free))
			for i, x := range free {
				arrival[x] = freely[i]
			}
			held := des.Time(0)
			for x, own := range arrival {
				held = max(held, own)
				if when[x] != held {
					t.Fatalf("%s: message %d arrives at %v; want %v", name, x, when[x], held)
				}
			}
		}
	}
}

// With delays of a few nanoseconds most arrivals are ties. FIFO holds, and a tie keeps the order
// of the sends.
func TestFIFOToTheNanosecond(t *testing.T) {
	var order []int
	cfg := netem.Config{Topology: netem.Ring(2), Delay: des.Uniform(0, 3), FIFO: true, Seed: 1}
	net := netem.New(cfg, all(script{
		start: func(n node) {
			for k := range 10 {
				n.Send(1, note{x: len(order) + k})
			}
			n.SetTimer(0, 1)
		},
		timeout: func(n node, _ protocols.Timer) { n.Send(1, note{x: 1 << 20}) },
		receive: func(n node, _ protocols.ID, m note) { order = append(order, m.x) },
	}))
	for k := range 100 {
		net.StartAt(0, at(k))
	}
	finish(t, net)
	for k := range 100 { // ten of a start, then that of the timer
		if batch := order[k*11 : (k+1)*11]; !slices.IsSorted(batch) {
			t.Fatalf("start %d: received %v", k, batch)
		}
	}
}

// 10^5 delays have the mean of the distribution, within four standard errors.
func TestDelaysHaveTheirMean(t *testing.T) {
	const count = 100_000
	cfg := netem.Config{Topology: netem.Ring(2), Delay: des.Exponential(ms), Seed: 1}
	order, instants := stream(t, cfg, count, nil)
	sum := 0.0
	for i, x := range order {
		sum += float64(instants[i].Sub(des.Time(x) * des.Time(ms/10)))
	}
	const stderr = 0.00316 // 1/sqrt(count), the deviation being the mean
	if mean := sum / count / float64(ms); mean < 1-4*stderr || mean > 1+4*stderr {
		t.Errorf("the mean delay is %v ms; want 1, within %v", mean, 4*stderr)
	}
}

// A link has its own stream. Its delays do not depend on the traffic on other links, on the
// topology around it, or on how the states of links are stored (in one array up to 2^20 links,
// in pages above).
func TestDelaysBelongToTheLink(t *testing.T) {
	cfg := netem.Config{Topology: netem.Complete(5), Delay: des.Exponential(ms), Seed: 3}
	_, want := stream(t, cfg, 200, nil)
	elsewhere := func(n node) {
		n.Send(2, note{x: -1})
		n.Send(4, note{x: -1})
		n.Send(n.ID(), note{x: -1})
	}
	if _, got := stream(t, cfg, 200, elsewhere); !slices.Equal(got, want) {
		t.Error("traffic on other links changes the delays of this one")
	}
	for _, topology := range []netem.Topology{netem.Ring(2), netem.BiRing(7), netem.Complete(2), netem.Complete(1024), netem.Complete(1026)} {
		cfg.Topology = topology
		if _, got := stream(t, cfg, 200, nil); !slices.Equal(got, want) {
			t.Errorf("on the %s of %d the same link has other delays", topology, topology.Len())
		}
	}
	cfg.Seed = 4
	if _, got := stream(t, cfg, 200, nil); slices.Equal(got, want) {
		t.Error("another seed gives the same delays")
	}
}

// No two links have the same delays: not the links of one sender, not those to one receiver, not
// the two directions between two processes.
func TestLinksHaveDifferentDelays(t *testing.T) {
	for _, topology := range []netem.Topology{netem.Complete(12), netem.Complete(1100)} {
		links := map[des.Time]string{}
		var net *netem.Network[note]
		cfg := netem.Config{Topology: topology, Delay: des.Uniform(0, 12*time.Hour), Seed: 1} // 4*10^13 values: no two by chance
		net = netem.New(cfg, all(script{
			start: func(n node) {
				for to := range protocols.ID(12) {
					n.Send(to, note{})
				}
			},
			receive: func(n node, from protocols.ID, _ note) {
				link := fmt.Sprintf("%d to %d", from, n.ID())
				if other, ok := links[net.Now()]; ok {
					t.Errorf("%s of %d: the link %s has the delay of %s", topology, topology.Len(), link, other)
				}
				links[net.Now()] = link
			},
		}))
		for id := range protocols.ID(12) {
			net.StartAt(id, 0)
		}
		finish(t, net)
		if len(links) != 12*12 {
			t.Errorf("%d of %d messages arrived", len(links), 12*12)
		}
	}
}

// Each of more than 2^20 links has a state of its own. Each process sends one message over each
// link, so with FIFO no message is held back.
func TestLinksInPagesAreDistinct(t *testing.T) {
	var sums [2]des.Time
	for i, fifo := range []bool{false, true} {
		var net *netem.Network[note]
		cfg := netem.Config{Topology: netem.Complete(1100), Delay: des.Exponential(ms), FIFO: fifo, Seed: 9}
		net = netem.New(cfg, all(script{
			start: func(n node) {
				for port := range n.Degree() {
					n.Send(n.Neighbor(port), note{})
				}
			},
			receive: func(_ node, from protocols.ID, _ note) { sums[i] += net.Now() * des.Time(from+1) },
		}))
		for _, id := range []protocols.ID{0, 1, 500, 1099} {
			net.StartAt(id, 0)
		}
		finish(t, net)
	}
	if sums[0] != sums[1] {
		t.Error("messages on different links hold each other back")
	}
}

// A process may send to itself on each topology. If the topology has no such link, the loopback
// has delays of its own, and is FIFO if links are.
func TestSelfSend(t *testing.T) {
	for _, topology := range []netem.Topology{netem.Ring(1), netem.Ring(3), netem.BiRing(1), netem.Complete(1), netem.Complete(3)} {
		for _, delay := range []des.Distribution{des.Constant(ms), des.Exponential(ms)} {
			var got []int
			cfg := netem.Config{Topology: topology, Delay: delay, FIFO: true, Seed: 1}
			net := netem.New(cfg, all(script{
				start: func(n node) {
					for x := range 20 {
						n.Send(n.ID(), note{x: x})
					}
					if len(got) > 0 {
						t.Error("a message arrived while its sender was sending")
					}
				},
				receive: func(n node, from protocols.ID, m note) {
					if from != n.ID() {
						t.Errorf("a message to oneself comes from %d", from)
					}
					got = append(got, m.x)
				},
			}))
			net.StartAt(protocols.ID(topology.Len()-1), 0)
			finish(t, net)
			if len(got) != 20 || !slices.IsSorted(got) {
				t.Errorf("%s of %d, %v: received %v", topology, topology.Len(), delay, got)
			}
			if c := net.Counters(); c.Messages() != 20 {
				t.Errorf("%s of %d: %d messages counted", topology, topology.Len(), c.Messages())
			}
		}
	}
}

// A message with a delay of 0 arrives at the same instant, after the handler has returned.
func TestNoDelay(t *testing.T) {
	cfg := lockstep(netem.Ring(3))
	cfg.Delay = des.Constant(0)
	d := &diary{}
	d.net = netem.New(cfg, all(script{
		start: func(n node) {
			n.Send(n.Neighbor(0), note{x: 3})
			d.write("%d has sent", n.ID())
		},
		receive: func(n node, _ protocols.ID, m note) {
			d.write("%d receives %v", n.ID(), m)
			if m.x > 1 {
				n.Send(n.Neighbor(0), note{x: m.x - 1})
			}
		},
	}))
	d.net.StartAt(0, des.Time(time.Second))
	finish(t, d.net)
	d.want(t, "1s: 0 has sent", "1s: 1 receives NOTE(3)", "1s: 2 receives NOTE(2)", "1s: 0 receives NOTE(1)")
}
