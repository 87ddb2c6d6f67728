package reliable_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/reliable"
)

// count is a message with a number.
type count int

func (count) Kind() int        { return 0 }
func (count) Kinds() []string  { return []string{"COUNT"} }
func (count) Bits() int        { return 8 + 64 }
func (c count) String() string { return fmt.Sprintf("COUNT(%d)", int(c)) }

// counter sends three numbers, and prints the numbers that it gets.
type counter struct{ protocols.NoTimers[count] }

func (counter) Start(n protocols.Node[count]) {
	for i := range count(3) {
		n.Send(n.Neighbor(0), i)
	}
}

func (counter) Receive(_ protocols.Node[count], _ protocols.ID, c count) { fmt.Println("got", c) }

// Three of ten messages are lost, and the algorithm does not notice.
func ExampleWrap() {
	cfg, _ := reliable.Parse("reliable(5ms,16)")
	lossy, _ := impair.Parse("loss 30%", nil)
	pair := netem.Config{Topology: netem.Complete(2), Delay: des.Constant(time.Millisecond), Seed: 2, Lines: []netem.Line{{Line: lossy}}}
	net := netem.New(pair, func(protocols.ID) protocols.Process[reliable.Message[count]] {
		return reliable.Wrap(counter{}, cfg)
	})
	net.Trace(netem.TextTrace(os.Stdout, nil))
	net.StartAt(0, 0)
	net.Run(context.Background())
	// Output:
	// 0s  start   0  | sends COUNT(0)#1 to 1, COUNT(1)#2 to 1, COUNT(2)#3 to 1
	//           0s  lose    0 -> 1  COUNT(1)#2
	// got COUNT(0)
	//          1ms  deliver 0 -> 1  COUNT(0)#1  | sends ACK #1 to 0
	//          1ms  deliver 0 -> 1  COUNT(2)#3  | sends ACK #1 to 0
	//          2ms  deliver 1 -> 0  ACK #1
	//          2ms  deliver 1 -> 0  ACK #1
	//          7ms  timeout 0  timer -2 (retry to 1)  | sends RETRY COUNT(1)#2 to 1
	// got COUNT(1)
	// got COUNT(2)
	//          8ms  deliver 0 -> 1  RETRY COUNT(1)#2  | sends ACK #3 to 0
	//          9ms  deliver 1 -> 0  ACK #3
}
