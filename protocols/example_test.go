package protocols_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// rumour is a message: what the driver counts.
type rumour string

func (rumour) Kind() int       { return 0 }
func (rumour) Kinds() []string { return []string{"RUMOUR"} }
func (r rumour) Bits() int     { return 8 * (1 + len(r)) }

// gossip is a process that passes a rumour on when it hears it first.
type gossip struct {
	protocols.NoTimers[rumour]
	heard rumour
}

func (g *gossip) Start(n protocols.Node[rumour]) { g.Receive(n, n.ID(), "the king is dead") }

func (g *gossip) Receive(n protocols.Node[rumour], _ protocols.ID, r rumour) {
	if g.heard == "" {
		g.heard = r
		n.Send(n.Neighbor(0), r)
	}
}

// An algorithm is a struct with handlers. Here it runs on a ring of three.
func ExampleProcess() {
	ring := netem.Config{Topology: netem.Ring(3), Delay: des.Constant(time.Millisecond), FIFO: true}
	net := netem.New(ring, func(protocols.ID) protocols.Process[rumour] { return &gossip{} })
	net.Trace(netem.TextTrace(os.Stdout, nil))
	net.StartAt(0, 0)
	end := net.Run(context.Background())
	fmt.Println(end, net.Counters().Messages(), "messages")
	// Output:
	// 0s  start   0  | sends the king is dead to 1
	//          1ms  deliver 0 -> 1  the king is dead  | sends the king is dead to 2
	//          2ms  deliver 1 -> 2  the king is dead  | sends the king is dead to 0
	//          3ms  deliver 2 -> 0  the king is dead
	// quiescent 3 messages
}
