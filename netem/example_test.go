package netem_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// hot is the message: a potato that is passed on so many times more.
type hot int

var hotKinds = []string{"POTATO"}

func (hot) Kind() int       { return 0 }
func (hot) Kinds() []string { return hotKinds }
func (hot) Bits() int       { return 8 }
func (h hot) String() string {
	return fmt.Sprintf("POTATO(%d)", int(h))
}

// potato passes the potato on until it is cold.
type potato struct{}

func (potato) Start(n protocols.Node[hot]) { n.Send(n.Neighbor(0), 4) }
func (potato) Receive(n protocols.Node[hot], _ protocols.ID, h hot) {
	if h > 0 {
		n.Send(n.Neighbor(0), h-1)
	}
}
func (potato) Timeout(protocols.Node[hot], protocols.Timer) {}

// A run: an algorithm on a topology with delays, a start and a crash from outside, and the cost.
func Example() {
	cfg := netem.Config{Topology: netem.Ring(3), Delay: des.Constant(time.Millisecond), FIFO: true}
	net := netem.New(cfg, func(protocols.ID) protocols.Process[hot] { return potato{} })
	net.Trace(netem.TextTrace(os.Stdout, nil))
	net.StartAt(0, 0)
	net.CrashAt(1, des.Time(4*time.Millisecond))
	end := net.Run(context.Background())
	c := net.Counters()
	fmt.Printf("%v: %d messages sent, %d delivered, depth %d\n", end, c.Messages(), c.Delivered, c.CausalDepth)
	// Output:
	// 0s  start   0  | sends POTATO(4) to 1
	//          1ms  deliver 0 -> 1  POTATO(4)  | sends POTATO(3) to 2
	//          2ms  deliver 1 -> 2  POTATO(3)  | sends POTATO(2) to 0
	//          3ms  deliver 2 -> 0  POTATO(2)  | sends POTATO(1) to 1
	//          4ms  crash   1
	//          4ms  lost    0 -> 1  POTATO(1)
	// quiescent: 4 messages sent, 3 delivered, depth 3
}

// A link that loses messages. The other links only delay them.
func ExampleLine() {
	lossy, err := impair.Parse("loss 100%", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := netem.Config{
		Topology: netem.Ring(3),
		Delay:    des.Constant(time.Millisecond),
		Lines:    []netem.Line{{Links: links.Between(links.Of(1), links.Of(2)), Line: lossy}},
	}
	net := netem.New(cfg, func(protocols.ID) protocols.Process[hot] { return potato{} })
	net.StartAt(0, 0)
	net.Run(context.Background())
	c := net.Counters()
	fmt.Println(c.Messages(), "sent,", c.Delivered, "delivered,", c.Lost, "lost")
	// Output:
	// 2 sent, 1 delivered, 1 lost
}

// A topology by its name. A large one that is a formula takes no memory.
func ExampleParseTopology() {
	complete, err := netem.ParseTopology("complete", 10_000, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(complete.Degree(0), "neighbours, the last of them", complete.Neighbor(0, 9998))
	grid, _ := netem.ParseTopology("grid", 9, 0)
	fmt.Println(grid.Degree(4), "neighbours of the one in the middle of a grid")
	_, err = netem.ParseTopology("hypercube", 9, 0)
	fmt.Println(err)
	// Output:
	// 9999 neighbours, the last of them 9999
	// 4 neighbours of the one in the middle of a grid
	// topology "hypercube": 9 is not a power of two; the nearest are 8 and 16
}
