package des

import (
	"container/heap"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bullring/des/yardstick"
)

// closures is an event set as people write it by hand: a container/heap of closures.
type closures struct {
	events []closure
	seq    uint64
}

type closure struct {
	at  Time
	seq uint64
	run func() hop
}

func (c *closures) Len() int { return len(c.events) }
func (c *closures) Less(i, j int) bool {
	a, b := &c.events[i], &c.events[j]
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}
func (c *closures) Swap(i, j int) { c.events[i], c.events[j] = c.events[j], c.events[i] }
func (c *closures) Push(x any)    { c.events = append(c.events, x.(closure)) }
func (c *closures) Pop() any {
	last := len(c.events) - 1
	x := c.events[last]
	c.events = c.events[:last]
	return x
}

func (c *closures) at(t Time, item hop) {
	c.seq++
	heap.Push(c, closure{t, c.seq, func() hop { return item }})
}

func (c *closures) next() (Event[hop], bool) {
	if len(c.events) == 0 {
		return Event[hop]{}, false
	}
	e := heap.Pop(c).(closure)
	return Event[hop]{At: e.at, Item: e.run()}, true
}

// peer is an event set, perhaps of somebody else.
type peer struct {
	name string
	// run runs a workload and returns the cost of a delivery in ns, and the digest.
	run func(workload string, size int) (ns float64, d digest, err error)
	can string // the workloads, separated by spaces
}

// TestPeers compares event sets with heap4, on the same workloads and in the same minutes.
// All have to print the same digest.
func TestPeers(t *testing.T) {
	yardstick.SkipUnlessAsked(t)
	const all = "W1 W2 W3 W4 W5 W6"
	peers := []peer{
		{"heap4", inGo(onHeap), all},
		{"the queue", inGo(func() scheduler { return onQueue(NewQueue[hop]()) }), all},
		{"container/heap, closures", inGo(onClosures), "W1 W2 W3 W4 W5"},
	}
	ns3 := filepath.Join(t.TempDir(), "ns3")
	if out, err := exec.Command("g++", "-O3", "-o", ns3, "peers/ns3.cc", "-lns3-core").CombinedOutput(); err != nil {
		t.Errorf("ns-3 is left out: it needs Debian's g++ and libns3-dev: %v\n%s", err, out)
	} else {
		peers = append(peers, peer{"ns-3, PriorityQueueScheduler", program(ns3, "ns3::PriorityQueueScheduler"), all},
			peer{"ns-3, MapScheduler (its default)", program(ns3, "ns3::MapScheduler"), all})
	}
	if python, err := pythonWith("simpy"); err != nil {
		t.Errorf("SimPy is left out: it needs Debian's python3-simpy3: %v", err)
	} else {
		peers = append(peers, peer{"SimPy, callbacks", program(python, "peers/simpy_peer.py", "callbacks"), all},
			peer{"SimPy, processes", program(python, "peers/simpy_peer.py", "processes"), "W2 W3"})
	}
	table := make([]string, len(peers)+2)
	table[0], table[1] = "| |", "|---|"
	for i := range peers {
		table[i+2] = "| " + peers[i].name + " |"
	}
	for _, w := range []struct {
		workload, size string
		number         int
	}{
		{"W1", "P=100", 100}, {"W1", "P=10000", 10_000}, {"W2", "n=1000", 1000}, {"W3", "n=1000", 1000},
		{"W4", "n=500", 500}, {"W5", "N=10^6", 1_000_000}, {"W6", "N=3*10^5", 300_000},
	} {
		table[0] += fmt.Sprintf(" %s %s |", w.workload, w.size)
		table[1] += "---|"
		for i, cell := range compare(t, peers, w.workload, w.number) {
			table[i+2] += " " + cell + " |"
		}
	}
	fmt.Println(strings.Join(table, "\n"))
}

// compare returns the ratio of the cost of each peer to that of the first one; of the first
// one, the cost.
func compare(t *testing.T, peers []peer, workload string, size int) []string {
	var contenders []yardstick.Contender
	var want digest
	for _, p := range peers {
		contenders = append(contenders, yardstick.Contender{Name: p.name, Run: func() float64 {
			if !strings.Contains(p.can, workload) {
				return 0
			}
			ns, d, err := p.run(workload, size)
			if want == 0 {
				want = d
			}
			if err != nil || d != want {
				t.Errorf("%s, %s %d: digest %016x, error %v; want %016x", p.name, workload, size, uint64(d), err, uint64(want))
			}
			return ns
		}})
	}
	costs := yardstick.Costs(5, contenders)
	cells := []string{yardstick.SpreadOf(costs[0]).String() + " ns"}
	for _, c := range costs[1:] {
		cell := ""
		if c[0] > 0 {
			cell = yardstick.SpreadOf(yardstick.Ratios(c, costs[0])).String()
		}
		cells = append(cells, cell)
	}
	return cells
}

// inGo runs workloads on an event set of these tests.
func inGo(on func() scheduler) func(string, int) (float64, digest, error) {
	return func(workload string, size int) (ns float64, d digest, err error) {
		ns = yardstick.PerOperation(func() (deliveries int) {
			deliveries, d = on().run(workload, size)
			return deliveries
		})()
		return ns, d, nil
	}
}

// run runs a workload.
func (s scheduler) run(workload string, size int) (deliveries int, d digest) {
	switch workload {
	case "W1":
		const holds = 1_000_000
		first, increment := increments(size, "exp")
		for i := range size {
			s.at(first(i), hop{node: uint64(i)})
		}
		for i := range size + holds {
			if i == size {
				d = 0
			}
			e, _ := s.pop()
			d.add(e.Item.node)
			s.at(e.At+increment(), e.Item)
		}
		return holds, d
	case "W2", "W3":
		return ring(s, uint64(size), workload == "W3")
	case "W4":
		return complete(s, uint64(size))
	case "W5":
		return size, phold(s, size)
	}
	if s.q != nil {
		return size, reset(s.q, size)
	}
	return size, resetHeap(s.h, size)
}

// program runs workloads with a program, which prints the digest and the cost.
func program(command ...string) func(string, int) (float64, digest, error) {
	return func(workload string, size int) (ns float64, d digest, err error) {
		args := append(command[1:len(command):len(command)], workload, strconv.Itoa(size))
		out, err := exec.Command(command[0], args...).Output()
		if err != nil {
			return 0, 0, err
		}
		_, err = fmt.Sscanf(string(out), "%x %f", &d, &ns)
		return ns, d, err
	}
}

// pythonWith returns a Python that has a module.
func pythonWith(module string) (python string, err error) {
	for _, python = range []string{"python3", "/usr/bin/python3"} {
		if err = exec.Command(python, "-c", "import "+module).Run(); err == nil {
			return python, nil
		}
	}
	return "", err
}
