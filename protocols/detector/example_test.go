package detector_test

import (
	"context"
	"fmt"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/detector"
)

// look is a process that looks every 20 milliseconds whether its neighbour lives.
type look struct{ left int }

func (l *look) Start(n protocols.Node[note]) { n.SetTimer(0, 20*time.Millisecond) }

func (l *look) Timeout(n protocols.Node[note], _ protocols.Timer) {
	fmt.Println("suspects its neighbour:", n.Suspects(n.Neighbor(0)))
	if l.left--; l.left > 0 {
		n.SetTimer(0, 20*time.Millisecond)
	}
}

func (*look) Receive(protocols.Node[note], protocols.ID, note) {}

// An algorithm gets a failure detector without a change: its node answers Suspects.
func ExampleWrap() {
	cfg, _ := detector.Parse("heartbeat(5ms,15ms)")
	pair := netem.Config{Topology: netem.Complete(2), Delay: des.Constant(time.Millisecond)}
	net := netem.New(pair, func(protocols.ID) protocols.Process[detector.Message[note]] {
		return detector.Wrap(&look{left: 3}, cfg)
	})
	net.Boot()
	net.StartAt(0, 0)
	net.CrashAt(1, des.Time(30*time.Millisecond))
	end := net.Run(context.Background())
	fmt.Println(end, "at", net.Now())
	// Output:
	// suspects its neighbour: false
	// suspects its neighbour: false
	// suspects its neighbour: true
	// quiescent at 60ms
}
