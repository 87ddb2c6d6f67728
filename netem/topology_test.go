package netem_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// Port is the inverse of Neighbor, for every pair of addresses: there is a
// port exactly if some port leads there, and it is the first that does. (In a
// bidirectional ring of one or two both ports lead to the same process.)
func TestPortIsTheInverseOfNeighbor(t *testing.T) {
	for _, name := range netem.Topologies {
		for n := 1; n <= 9; n++ {
			topology, err := netem.ParseTopology(name, n)
			if err != nil {
				t.Fatal(err)
			}
			if topology.Len() != n || topology.String() != name {
				t.Errorf("ParseTopology(%q, %d) is a %s of %d", name, n, topology, topology.Len())
			}
			for from := range protocols.ID(n) {
				for to := range protocols.ID(n) {
					want, linked := 0, false
					for port := topology.Degree(from) - 1; port >= 0; port-- {
						if topology.Neighbor(from, port) == to {
							want, linked = port, true
						}
					}
					port, ok := topology.Port(from, to)
					if ok != linked || ok && port != want {
						t.Errorf("%s of %d: Port(%d, %d) = %d, %v; want %d, %v", name, n, from, to, port, ok, want, linked)
					}
				}
				for _, to := range []protocols.ID{-1, protocols.ID(n), -protocols.ID(n)} {
					if _, ok := topology.Port(from, to); ok {
						t.Errorf("%s of %d: there is a link from %d to %d", name, n, from, to)
					}
				}
			}
		}
	}
}

// The neighbours in port order, which algorithms rely on: port 0 leads to the
// successor on the ring.
func TestNeighborsInPortOrder(t *testing.T) {
	for want, topology := range map[string]netem.Topology{
		"ring of 1: 0>0":                   netem.Ring(1),
		"ring of 2: 0>1 1>0":               netem.Ring(2),
		"ring of 4: 0>1 1>2 2>3 3>0":       netem.Ring(4),
		"biring of 1: 0>0,0":               netem.BiRing(1),
		"biring of 2: 0>1,1 1>0,0":         netem.BiRing(2),
		"biring of 3: 0>1,2 1>2,0 2>0,1":   netem.BiRing(3),
		"complete of 1: 0>":                netem.Complete(1),
		"complete of 2: 0>1 1>0":           netem.Complete(2),
		"complete of 3: 0>1,2 1>2,0 2>0,1": netem.Complete(3),
	} {
		got := fmt.Sprintf("%s of %d:", topology, topology.Len())
		for id := range protocols.ID(topology.Len()) {
			got += fmt.Sprintf(" %d>", id)
			for port := range topology.Degree(id) {
				if port > 0 {
					got += ","
				}
				got += fmt.Sprint(topology.Neighbor(id, port))
			}
		}
		if got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

func TestParseTopologyErrors(t *testing.T) {
	for _, tc := range []struct {
		name string
		n    int
		want string
	}{
		{"ring", 0, "a topology of 0 processes: at least 1 is needed"},
		{"ring", -3, "a topology of -3 processes: at least 1 is needed"},
		{"star", 3, `unknown topology "star"; allowed are ring, biring, complete`},
		{"", 3, `unknown topology ""; allowed are ring, biring, complete`},
		{"Ring", 3, `unknown topology "Ring"`},
	} {
		if _, err := netem.ParseTopology(tc.name, tc.n); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("ParseTopology(%q, %d): error %v; want %q", tc.name, tc.n, err, tc.want)
		}
	}
	for _, f := range []func(int) netem.Topology{netem.Ring, netem.BiRing, netem.Complete} {
		if got := panicOf(func() { f(0) }); !strings.Contains(got, "0 processes") {
			t.Errorf("a topology of none panics with %q", got)
		}
	}
}

// A complete graph of 10,000 has 10^8 links and stores none: the topology
// itself is a number, and a network on it takes memory for its processes and
// for the links that were used.
func TestCompleteStoresNoAdjacency(t *testing.T) {
	const n = 10_000
	var topology netem.Topology
	if allocs := testing.AllocsPerRun(10, func() { topology = netem.Complete(n) }); allocs > 1 {
		t.Errorf("%v allocations for a complete graph", allocs)
	}
	for _, delay := range []string{"1ms", "exp(1ms)"} {
		d, err := des.ParseDistribution(delay)
		if err != nil {
			t.Fatal(err)
		}
		cfg := lockstep(topology)
		cfg.Delay = d
		process := &script{start: func(n node) { n.Send(n.Neighbor(n.Degree()-1), note{}) }}
		used := allocated(func() {
			net := netem.New(cfg, func(protocols.ID) protocols.Process[note] { return process })
			net.StartAt(0, 0)
			finish(t, net)
		})
		if used > 1000*n {
			t.Errorf("delay %s: %d bytes for a network of %d; one byte a link would be %d", delay, used, n, n*(n-1))
		}
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
