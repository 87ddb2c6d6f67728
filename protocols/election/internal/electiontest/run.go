package electiontest

import (
	"io"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Unit is the delay of a message unless a test says otherwise: one message time.
const Unit = time.Millisecond

// Hops is the time of n messages one after the other.
func Hops(n int) time.Duration { return time.Duration(n) * Unit }

// At is a process and an instant, counted from the beginning of the run.
type At struct {
	ID   protocols.ID
	Time time.Duration
}

// Network is the network of one run, and what happens to it from outside.
type Network struct {
	Topology netem.Topology
	Delay    des.Distribution // nil: always Unit
	Seed     uint64
	Dead     []protocols.ID // dead from the start
	Start    []protocols.ID // initiators at time 0
	Again    []At           // later initiators
	Crash    []At
	Recover  []At
	Change   []netem.Change // of links
	Trace    io.Writer      // gets a line an event, unless nil
}

// Result is the outcome of a run.
type Result struct {
	Sent      []int // by kind
	Total     int   // the sum of Sent
	Delivered int
	ToDead    int
	Learnt    time.Duration // the last change of a decision
	Quiet     time.Duration // the last delivery
	Leaders   int           // the largest number of leaders at one time
	Decisions []election.Decision
}

// maxEvents is far above the need of any election here: more is a livelock.
const maxEvents = 1 << 20

// Run runs an election until it is at rest.
func Run[M protocols.Message](t testing.TB, nw Network, boot func(protocols.ID) election.Process[M]) Result {
	t.Helper()
	if nw.Delay == nil {
		nw.Delay = des.Constant(Unit)
	}
	cfg := netem.Config{Topology: nw.Topology, Delay: nw.Delay, FIFO: true, Seed: nw.Seed, MaxEvents: maxEvents}
	net := netem.New(cfg, func(id protocols.ID) protocols.Process[M] { return boot(id) })
	plan(net, nw)
	w := &watch[M]{net: net}
	w.Decisions = make([]election.Decision, nw.Topology.Len())
	net.Observe(w)
	if nw.Trace != nil {
		net.Trace(netem.TextTrace(nw.Trace, func(id protocols.ID) string { return describe(w.decision(id)) }))
	}
	net.Boot()
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("the election does not end: %v", end)
	}
	counters := net.Counters()
	for _, sent := range counters.Sent {
		w.Sent = append(w.Sent, int(sent))
	}
	w.Total = int(counters.Messages())
	w.Delivered = int(counters.Delivered)
	w.ToDead = int(counters.ToDead)
	return w.Result
}

func plan[M protocols.Message](net *netem.Network[M], nw Network) {
	for _, id := range nw.Dead {
		net.CrashAt(id, 0)
	}
	for _, at := range nw.Crash {
		net.CrashAt(at.ID, des.Time(at.Time))
	}
	for _, at := range nw.Recover {
		net.RestartAt(at.ID, des.Time(at.Time))
	}
	for _, c := range nw.Change {
		net.ChangeAt(c)
	}
	for _, id := range nw.Start {
		net.StartAt(id, 0)
	}
	for _, at := range nw.Again {
		net.StartAt(at.ID, des.Time(at.Time))
	}
}

// watch keeps the result up to date after every step.
type watch[M protocols.Message] struct {
	net       *netem.Network[M]
	delivered uint64
	Result
}

func (w *watch[M]) Stepped(id protocols.ID) {
	now := time.Duration(w.net.Now())
	if delivered := w.net.Counters().Delivered; delivered > w.delivered {
		w.delivered, w.Quiet = delivered, now
	}
	d := w.decision(id)
	if d == w.Decisions[id] {
		return
	}
	w.Decisions[id], w.Learnt = d, now
	leaders := 0
	for i, d := range w.Decisions {
		if d.Status == election.Leader && w.net.Alive(protocols.ID(i)) {
			leaders++
		}
	}
	w.Leaders = max(w.Leaders, leaders)
}

func (w *watch[M]) Started(id protocols.ID)   { w.Stepped(id) }
func (w *watch[M]) Crashed(protocols.ID)      {}
func (w *watch[M]) Restarted(id protocols.ID) { w.Stepped(id) }

func (w *watch[M]) decision(id protocols.ID) election.Decision {
	return w.net.Process(id).(election.Elector).Decision()
}

// describe is a decision as a trace shows it, empty before there is one.
func describe(d election.Decision) string {
	switch d.Status {
	case election.Leader:
		return "leader"
	case election.Follower:
		return "follows " + election.Rank{ID: d.Leader}.String()
	}
	return ""
}
