package reliable_test

import (
	"slices"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/bully"
	"bullring/protocols/election/changroberts"
	"bullring/protocols/election/lcr"
	"bullring/protocols/election/ringlist"
	"bullring/protocols/reliable"
)

// elect runs an election to its end and returns what it sent, by kind, and what
// every process decided.
func elect[M protocols.Message](t *testing.T, topology netem.Topology, delay des.Distribution, dead []protocols.ID,
	boot func(protocols.ID) protocols.Process[M], decision func(protocols.Process[M]) election.Decision,
) (sent []uint64, decisions []election.Decision) {
	t.Helper()
	net := netem.New(netem.Config{Topology: topology, Delay: delay, FIFO: true, Seed: 5}, boot)
	for _, p := range dead {
		net.CrashAt(p, 0)
	}
	for p := range topology.Len() {
		net.StartAt(protocols.ID(p), 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("ended %v", end)
	}
	for p := range topology.Len() {
		decisions = append(decisions, decision(net.Process(protocols.ID(p))))
	}
	return net.Counters().Sent, decisions
}

// same compares an election over the bare network with the same over reliable
// links: the algorithm sends what it sent, and the link adds an ACK for every
// message that arrives, and no RETRY.
func same[M protocols.Message](t *testing.T, name string, topology netem.Topology, delay des.Distribution, dead []protocols.ID,
	boot func(protocols.ID) election.Process[M],
) {
	t.Helper()
	bare, want := elect(t, topology, delay, dead, func(id protocols.ID) protocols.Process[M] { return boot(id) },
		func(p protocols.Process[M]) election.Decision { return p.(election.Elector).Decision() })
	sent, got := elect(t, topology, delay, dead, func(id protocols.ID) protocols.Process[reliable.Message[M]] {
		return reliable.Wrap(protocols.Process[M](boot(id)), stubborn)
	}, func(p protocols.Process[reliable.Message[M]]) election.Decision {
		return p.(*reliable.Process[M]).Inner.(election.Elector).Decision()
	})
	var total uint64
	for _, s := range bare {
		total += s
	}
	kinds := len(bare)
	if !slices.Equal(sent[:kinds], bare) || !slices.Equal(got, want) {
		t.Errorf("%s: sent %v, decided %v; without the link %v, %v", name, sent, got, bare, want)
	}
	if len(dead) == 0 && sent[kinds] != total || sent[kinds+1] != 0 {
		t.Errorf("%s: sent %v; want %d ACK and no RETRY", name, sent, total)
	}
}

// Every election costs the same by kind over reliable links, and ends the same.
func TestElections(t *testing.T) {
	const n = 9
	ranks := make([]election.Rank, n)
	for i := range ranks {
		ranks[i].ID = election.Identity(1 + (i*5+3)%n)
	}
	ring, complete, delay := netem.BiRing(n), netem.Complete(n), des.Constant(ms)
	same(t, "lcr", ring, des.Uniform(0, 2*ms), nil, func(id protocols.ID) election.Process[lcr.Message] {
		return lcr.New(ranks[id], lcr.Config{Announce: true})
	})
	same(t, "changroberts", ring, delay, nil, func(id protocols.ID) election.Process[changroberts.Message] {
		return changroberts.New(ranks[id], changroberts.Config{})
	})
	for _, dead := range [][]protocols.ID{nil, {2}, {1, 6}} {
		same(t, "bully", complete, delay, dead, func(id protocols.ID) election.Process[bully.Message] {
			return bully.New(id, ranks, bully.Config{Convention: bully.All, Transmission: ms})
		})
		same(t, "ringlist", complete, delay, dead, func(id protocols.ID) election.Process[ringlist.Message] {
			return ringlist.New(ranks[id], ringlist.Config{Timeout: 2 * ms})
		})
	}
}
