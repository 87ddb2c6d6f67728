package election_test

import (
	"context"
	"fmt"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// An election on a ring: every process can be asked what it has decided.
func Example() {
	identities := []election.Identity{3, 1, 2}
	ring := netem.Config{Topology: netem.Ring(3), Delay: des.Constant(time.Millisecond), FIFO: true}
	net := netem.New(ring, func(id protocols.ID) protocols.Process[lcr.Message] {
		return lcr.New(election.Rank{ID: identities[id]}, lcr.Config{Announce: true})
	})
	for id := range protocols.ID(3) {
		net.StartAt(id, 0)
	}
	net.Run(context.Background())
	for id := range protocols.ID(3) {
		d := net.Process(id).(election.Elector).Decision()
		fmt.Println(identities[id], d.Status, "of", d.Leader)
	}
	// Output:
	// 3 leader of 3
	// 1 follower of 3
	// 2 follower of 3
}

// A checker is told of every change, and judges the run.
func ExampleChecker() {
	ranks := []election.Rank{{ID: 3}, {ID: 1}, {ID: 2}}
	c := election.NewChecker(election.Listed(ranks), election.Max, election.Promise{})
	c.Started(1, 0)
	c.Decided(1, election.Decide(1, 2), 5*time.Millisecond) // 1 follows 2
	for _, check := range c.Checks(true) {
		fmt.Printf("%s %v: %s\n", check.Name, check.Verdict, check.Detail)
	}
	// Output:
	// E1 violated: process 1 elected 2 while the better 3 was alive, at 5ms
	// E2 violated: process 0 has not decided
}
