// Package broadcasttest runs broadcasts in layers for the tests of each.
package broadcasttest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/workload"
)

// Unit is the delay of a message.
const Unit = time.Millisecond

// names names more layers than a test has.
type names struct{}

// Names implements [protocols.Namer].
func (names) Names() []string { return []string{"DATA", "SECOND.DATA", "THIRD.DATA", "FOURTH.DATA"} }

// Group is processes and what happens to them. Those below Initiators start at 0.
type Group struct {
	N, Initiators int
	Layers        func() []broadcast.Layer // of a process, the highest first
	Work          workload.Work
	Lost          map[[2]protocols.ID]bool          // links that lose what they carry
	Late          map[[2]protocols.ID]time.Duration // the delay of some links
	Crash         map[protocols.ID]time.Duration    // when a process crashes, and its detector knows
}

// Outcome is what came out.
type Outcome struct {
	Delivered [][]broadcast.Item // by process
	Sent      []int              // by kind
	Trace     []byte             // what arrived and expired, and what was delivered
}

// Run runs the group until it is at rest.
func (g Group) Run(t *testing.T) Outcome {
	t.Helper()
	return Run(t, g, func(protocols.ID) broadcast.Service[broadcast.Message[names]] {
		return broadcast.Over[names](g.Layers()...)
	})
}

// Run runs a group of any services until it is at rest.
func Run[M protocols.Message](t *testing.T, g Group, service func(protocols.ID) broadcast.Service[M]) Outcome {
	t.Helper()
	g.Work.Requests = max(g.Work.Requests, 1)
	net := testnet.New(g.N, g.link, func(p protocols.ID) protocols.Process[M] {
		return broadcast.NewClient(service(p), g.Work)
	})
	var trace bytes.Buffer
	noted := make([]int, g.N)
	member := func(p protocols.ID) broadcast.Member { return net.Process(p).(broadcast.Member) }
	net.Trace, net.Perfect = &trace, true
	net.Observer = func(p protocols.ID) {
		for _, item := range member(p).Delivered()[noted[p]:] {
			fmt.Fprintf(&trace, "          %d delivers %v\n", p, item)
			noted[p]++
		}
	}
	for p, at := range g.Crash {
		net.At(at, func() { net.Crash(p) })
	}
	for p := range protocols.ID(g.Initiators) {
		net.At(0, func() { net.Start(p) })
	}
	if !net.Settle(time.Second) {
		t.Fatalf("no rest:\n%s", trace.Bytes())
	}
	o := Outcome{Sent: net.Sent, Trace: trace.Bytes()}
	for p := range protocols.ID(g.N) {
		o.Delivered = append(o.Delivered, member(p).Delivered())
	}
	return o
}

func (g Group) link(from, to protocols.ID, _ int) []time.Duration {
	link := [2]protocols.ID{from, to}
	if g.Lost[link] {
		return nil
	}
	if late, ok := g.Late[link]; ok {
		return []time.Duration{late}
	}
	return []time.Duration{Unit}
}
