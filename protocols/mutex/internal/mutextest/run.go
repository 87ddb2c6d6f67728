// Package mutextest is shared by the tests of mutual exclusion: one call that runs an
// algorithm with a workload on the emulator, counts and judges.
package mutextest

import (
	"io"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
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

// Network is the network of one run, its clients, and what happens to it from outside.
type Network struct {
	Topology   netem.Topology
	Delay      des.Distribution // nil: always Unit
	Unordered  bool             // links may reorder messages
	Seed       uint64
	Requesters []protocols.ID // clients that start at 0
	Later      []At           // clients that start later
	Work       mutex.Workload // the zero value: one request that holds for no time
	Crash      []At
	Restart    []At
	Change     []netem.Change // of links
	Promise    mutex.Promise
	// Endless: the algorithm is never at rest. The run ends when all have left.
	Endless bool
	Trace   io.Writer // gets a line an event, unless nil
}

// Result is the outcome of a run.
type Result struct {
	Sent   []int // by kind
	Total  int   // the sum of Sent
	ToDead int
	Quiet  time.Duration // the last delivery
	End    netem.End
	mutex.Service
	Checks     []protocols.Check // ME1 and ME2
	MostInside int
}

// maxEvents is far above the need of any run here: more is a livelock.
const maxEvents = 1 << 22

// Run runs an algorithm until it is at rest.
func Run[M protocols.Message](t testing.TB, nw Network, boot func(protocols.ID) mutex.Lock[M]) Result {
	t.Helper()
	if nw.Delay == nil {
		nw.Delay = des.Constant(Unit)
	}
	if nw.Work.Requests == 0 {
		nw.Work.Requests = 1
	}
	cfg := netem.Config{Topology: nw.Topology, Delay: nw.Delay, FIFO: !nw.Unordered, Seed: nw.Seed, MaxEvents: maxEvents}
	net := netem.New(cfg, func(id protocols.ID) protocols.Process[M] { return mutex.NewClient(boot(id), nw.Work) })
	w := &watch[M]{net: net, checker: mutex.NewChecker(nw.Topology.Len(), nw.Promise), work: nw.Work, endless: nw.Endless, open: len(nw.Requesters) + len(nw.Later)}
	w.checker.Measure()
	net.Observe(w)
	if nw.Trace != nil {
		net.Trace(netem.TextTrace(nw.Trace, w.note))
	}
	for _, at := range nw.Crash {
		net.CrashAt(at.ID, des.Time(at.Time))
	}
	for _, at := range nw.Restart {
		net.RestartAt(at.ID, des.Time(at.Time))
	}
	for _, c := range nw.Change {
		net.ChangeAt(c)
	}
	net.Boot()
	for _, id := range nw.Requesters {
		net.StartAt(id, 0)
	}
	for _, at := range nw.Later {
		net.StartAt(at.ID, des.Time(at.Time))
	}
	end := net.Run(t.Context())
	rest := end == netem.Quiescent || end == netem.Stopped
	if !rest {
		t.Fatalf("the run does not end: %v", end)
	}
	counters := net.Counters()
	r := Result{
		Total: int(counters.Messages()), ToDead: int(counters.ToDead), Quiet: time.Duration(counters.LastMessage), End: end,
		Service: w.checker.Service(), Checks: w.checker.Checks(rest), MostInside: w.checker.MostInside(),
	}
	for _, sent := range counters.Sent {
		r.Sent = append(r.Sent, int(sent))
	}
	return r
}

// Want fails the test unless all checks hold and the number of entries is as wanted.
func Want(t testing.TB, r Result, entries int) {
	t.Helper()
	for _, c := range r.Checks {
		if c.Verdict != protocols.Holds {
			t.Fatalf("%s %v: %s", c.Name, c.Verdict, c.Detail)
		}
	}
	if r.Count != entries {
		t.Fatalf("%d entries, want %d", r.Count, entries)
	}
}

// watch tells the checker of every step.
type watch[M protocols.Message] struct {
	net     *netem.Network[M]
	checker *mutex.Checker
	work    mutex.Workload
	endless bool
	open    int // the number of clients that are not done
}

func (w *watch[M]) usage(id protocols.ID) mutex.Usage {
	return w.net.Process(id).(mutex.User).Usage()
}

func (w *watch[M]) Stepped(id protocols.ID) {
	before := w.checker.Usage(id)
	u := w.usage(id)
	w.checker.Stepped(id, u, time.Duration(w.net.Now()))
	if before.Left < u.Left && u.Left == w.work.Requests {
		w.done()
	}
}

func (w *watch[M]) done() {
	if w.open--; w.open == 0 && w.endless {
		w.net.Stop()
	}
}

func (w *watch[M]) Started(id protocols.ID) { w.Stepped(id) }

func (w *watch[M]) Crashed(id protocols.ID) {
	if u := w.checker.Usage(id); u.Arrived > 0 && u.Left < w.work.Requests {
		defer w.done()
	}
	w.checker.Crashed(id, time.Duration(w.net.Now()))
}

func (w *watch[M]) Restarted(id protocols.ID) { w.checker.Restarted(id, w.usage(id)) }

// note is what the client of a process did, as a trace shows it.
func (w *watch[M]) note(id protocols.ID) string {
	return mutex.News(w.checker.Usage(id), w.usage(id))
}
