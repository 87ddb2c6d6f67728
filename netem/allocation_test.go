package netem_test

import (
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// A run in the memory of the run before allocates nothing for an event: a message under constant
// or random delays, or a timer. A few allocations a run are left.
func TestEventsDoNotAllocate(t *testing.T) {
	const n, hops = 100, 200
	pass := func(n node, x int) {
		if x > 0 {
			n.Send(n.Neighbor(0), note{x: x - 1})
		}
	}
	processes := make([]script, n)
	for id := range processes {
		processes[id] = script{
			start: func(n node) { pass(n, hops) },
			receive: func(n node, _ protocols.ID, m note) {
				switch m.x % 4 {
				case 0:
					n.SetTimer(protocols.Timer(m.x%8), ms)
				case 1:
					n.StopTimer(4)
				}
				pass(n, m.x)
			},
		}
	}
	boot := func(id protocols.ID) protocols.Process[note] { return &processes[id] }
	for _, delay := range []des.Distribution{des.Constant(ms), des.Uniform(0, 2*ms), des.Exponential(ms)} {
		for _, topology := range []netem.Topology{netem.Ring(n), netem.BiRing(n), netem.Complete(n)} {
			cfg := netem.Config{Topology: topology, Delay: delay, FIFO: true, Seed: 1}
			net := netem.New(cfg, boot)
			events := uint64(0)
			run := func() {
				net.Reset(cfg, boot)
				for id := range protocols.ID(n) {
					net.StartAt(id, 0)
				}
				finish(t, net)
				events = net.Counters().Events
			}
			for range 3 {
				run() // lets the queue find its size
			}
			if allocs := testing.AllocsPerRun(5, run); allocs > float64(events)/100 {
				t.Errorf("%v on the %s: %v allocations in a run of %d events", delay, topology, allocs, events)
			} else if events < n*hops {
				t.Errorf("%v on the %s: only %d events", delay, topology, events)
			}
		}
	}
}
