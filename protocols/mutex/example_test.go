package mutex_test

import (
	"context"
	"fmt"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/ricartagrawala"
)

// Three clients ask at the same time. A lock is an algorithm; the client puts its requests
// to the lock and stays inside for two milliseconds.
func Example() {
	const n = 3
	work := mutex.Workload{Requests: 1, Hold: 2 * time.Millisecond}
	complete := netem.Config{Topology: netem.Complete(n), Delay: des.Constant(time.Millisecond)}
	net := netem.New(complete, func(id protocols.ID) protocols.Process[ricartagrawala.Message] {
		return mutex.NewClient(ricartagrawala.New(id, n, ricartagrawala.Config{}), work)
	})
	checker := mutex.NewChecker(n, mutex.Promise{})
	checker.Measure()
	net.Observe(watch{net, checker})
	for id := range protocols.ID(n) {
		net.StartAt(id, 0)
	}
	net.Run(context.Background())
	for _, e := range checker.Service().Entries {
		fmt.Printf("process %d enters at %v\n", e.Process, e.At)
	}
	for _, check := range checker.Checks(true) {
		fmt.Println(check.Name, check.Verdict)
	}
	// Output:
	// process 0 enters at 2ms
	// process 1 enters at 5ms
	// process 2 enters at 8ms
	// ME1 holds
	// ME2 holds
}

// watch tells a checker of every step of a network.
type watch struct {
	net     *netem.Network[ricartagrawala.Message]
	checker *mutex.Checker
}

func (w watch) Stepped(id protocols.ID) {
	w.checker.Stepped(id, w.net.Process(id).(mutex.User).Usage(), time.Duration(w.net.Now()))
}
func (w watch) Started(id protocols.ID) { w.Stepped(id) }
func (watch) Crashed(protocols.ID)      {}
func (watch) Restarted(protocols.ID)    {}
