package rounds_test

import (
	"context"
	"fmt"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/floodmax"
	"bullring/protocols/rounds"
)

// A synchronous algorithm on a network whose delays have no bound: the synchronizer alpha
// makes rounds of acknowledgements.
func ExampleNewAlpha() {
	ring := netem.Config{Topology: netem.BiRing(4), Delay: des.Exponential(time.Millisecond), Seed: 1}
	processes := make([]*floodmax.Process, 4)
	net := netem.New(ring, func(id protocols.ID) protocols.Process[rounds.AlphaMessage[floodmax.Message]] {
		processes[id] = floodmax.New(election.Rank{ID: election.Identity(id + 1)}, floodmax.Config{Diameter: 2})
		return rounds.NewAlpha(processes[id])
	})
	net.StartAt(0, 0)
	net.Run(context.Background())
	for _, p := range processes {
		fmt.Println(p.Decision().Status, "of", p.Decision().Leader)
	}
	fmt.Println(net.Sample().Kinds(), net.Counters().Sent)
	// Output:
	// follower of 4
	// follower of 4
	// follower of 4
	// leader of 4
	// [MAX ACK SAFE] [16 16 16]
}
