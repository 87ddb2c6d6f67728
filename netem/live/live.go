package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Config says what to run.
type Config struct {
	Topology netem.Topology
	// Boot makes the process of an address, at the beginning and at each restart.
	Boot       func(protocols.ID) protocols.Process[box.Message]
	Initiators []protocols.ID
	Dead       []protocols.ID // from the start
	Seed       uint64         // of the numbers that processes draw: the same streams as in package netem
	Blind      bool           // no process is ever suspected
	// What links do to messages, beside what sockets do to them: see netem.Config.
	Delay des.Distribution // nil is none
	FIFO  bool
	Lines []netem.Line
	Mode  impair.Mode
	Delta time.Duration
	GST   des.Time
	// Oppose installs a plan of faults before the run, and returns the adversary that carries
	// it out: nil if the plan needs none. It is nil if there is no plan. An adversary may not
	// forge messages.
	Oppose func(*Target) netem.Adversary
	Waits  Waits // of the handlers for something outside of the run

	Transport Transport
	Limit     time.Duration // the longest run; 0 is none
	MaxSteps  uint64        // the run ends after so many steps, and those that have begun; 0 is no limit
	// Quiet is for a Transport that may lose messages: a run ends when nothing has happened for
	// so long and no timer is armed. 0 is defaultQuiet.
	Quiet time.Duration
}

// Waits are the waits of handlers for something outside of the run, such as a program that plays a
// process. Its zero value is for handlers that do not wait.
type Waits struct {
	// Crashed is called when a process has crashed.
	Crashed func(protocols.ID)
	// Prepare is called before a process restarts. The run goes on, and the process restarts when
	// Prepare has returned. Nil is no wait.
	Prepare func(protocols.ID)
	// Late tells a panic of a handler that has waited in vain from other panics: it says what did not
	// come, and "" of others. The run ends Late, and is recorded without the step of the handler.
	Late func(panicked any) string
	// Cancel is called at the end of a run if handlers have not returned. Then they wait no longer.
	Cancel func()
}

// End is how a run ended.
type End uint8

// The ends.
const (
	Rest        End = iota // no message is under way, and no timer is armed
	Stalled                // what is left to happen waits for the end of a fault that has no end
	Silence                // nothing has happened for Config.Quiet; messages have been lost, or are late
	OutOfTime              // Config.Limit
	OutOfSteps             // Config.MaxSteps
	Interrupted            // the context
	Panicked               // a handler panicked
	Late                   // a handler has waited in vain: see Waits
)

// String is the end in words.
func (e End) String() string {
	return Ends[e]
}

// Ends are the ends in words.
var Ends = []string{"rest", "stalled", "silence", "out of time", "out of steps", "interrupted", "panicked", "late"}

// Recording is a run that is over.
type Recording struct {
	Steps  []Step   // ordered by Clock, then by process
	Kinds  []string // of messages
	End    End
	Wall   time.Duration // from the first start to the last step
	Failed *PanicError   // nil unless End is Panicked
	Stuck  []string      // the handlers that have not returned, or have waited in vain; they have no Step
}

// Step is one step of a node. Its Record has all inputs and outputs of the handler.
type Step struct {
	netem.Record
	Clock uint64        // Lamport's
	Wall  time.Duration // since the run began
	// Latency of a message is the time from the handler that sent it to this one; that of a
	// timer the time from the instant that it was set for, 0 if faults could have held it.
	Latency time.Duration
}

// PanicError says which process panicked.
type PanicError struct {
	Who   protocols.ID
	Value any
}

func (e *PanicError) Error() string { return fmt.Sprintf("process %d panicked: %v", e.Who, e.Value) }

// run is a run that goes on.
type run struct {
	Config
	nodes   []*node
	net     carrier
	imposed *imposed       // nil if links leave messages alone
	target  *Target        // nil without a plan of faults
	alarms  *agenda[alarm] // the timers that will soon expire; nil leaves all to package time
	begin   time.Time
	kinds   int
	ambient []bool // by kind: messages that do not keep the run alive; nil for none

	// busy counts messages under way, armed timers and initiators that have not started.
	busy    atomic.Int64
	planned atomic.Int64  // of them those with an instant: timers, and messages that links delay
	taken   atomic.Uint64 // steps
	over    chan End      // has room for one
	closed  chan struct{} // is closed when the run is over
	// world is held for reading in each step, and for writing while a process crashes or
	// restarts. So a crash has a place among all steps.
	world  sync.RWMutex
	floor  uint64 // steps from now on have a larger clock
	opened uint64 // the floor when all initiators had started
	down   []bool
	// revivals are the restarts that are being prepared.
	revivals []revival
	blame    sync.Once
	failed   *PanicError // read when all nodes have ended, or End is Panicked
	single   *Single     // nil if this OS process has all nodes

	working sync.WaitGroup // what goes on until the end of the run
}

// Run runs the processes until they rest or a limit is reached. The error says why the run could
// not begin.
func Run(ctx context.Context, c Config) (*Recording, error) {
	r, err := newRun(c)
	if err != nil {
		return nil, err
	}
	for i := range protocols.ID(len(r.down)) {
		r.nodes = append(r.nodes, r.node(i))
	}
	r.learn(r.nodes[0])
	if r.imposed, err = newImposed(r); err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	if r.net, err = newCarrier(c.Transport, r.nodes); err != nil {
		return nil, fmt.Errorf("live: %w", err)
	}
	if r.oppose(); r.target == nil { // which may set clocks, and timers with them
		r.alarms = newAgenda[alarm]()
	}
	r.begin = time.Now()
	end, left := r.drive(ctx)
	rec := r.recording(end)
	rec.Stuck = left
	return rec, nil
}

// newRun returns a run without nodes.
func newRun(c Config) (*run, error) {
	if c.Boot == nil || c.Topology.Len() == 0 {
		return nil, errors.New("live: a run needs a topology with processes, and Boot")
	}
	r := &run{Config: c, over: make(chan End, 1), closed: make(chan struct{}), down: make([]bool, c.Topology.Len()), revivals: make([]revival, c.Topology.Len())}
	for _, p := range c.Dead {
		r.down[p] = true
	}
	return r, nil
}

// learn learns the kinds of messages from a node.
func (r *run) learn(n *node) {
	sample := protocols.Sample(n.process)
	r.kinds, r.ambient = len(sample.Kinds()), protocols.BackgroundKinds(sample)
}

// start lets the services of all processes begin and the initiators start, before any message
// is delivered: players of schedules ask for it.
func (r *run) start() {
	r.busy.Add(1) // until all have started
	r.enter()     // with the faults at 0
	for _, n := range r.nodes {
		n.boot()
	}
	for _, p := range r.Initiators {
		r.target.count()
		r.nodes[p].start()
	}
	r.leave() // with the faults of these steps
	r.opened = r.rise()
	if r.target != nil {
		r.target.starting = false
	}
}

// drive lets the processes begin, and the nodes work until the end of the run. It names the
// handlers that do not return then.
func (r *run) drive(ctx context.Context) (end End, left []string) {
	working := &r.working
	working.Go(func() {
		r.start()
		for _, n := range r.nodes {
			working.Go(n.work)
		}
		if r.imposed != nil {
			working.Go(func() { r.imposed.agenda.keep(r, r.imposed.send) })
		}
		if r.alarms != nil {
			working.Go(func() { r.alarms.keep(r, r.ring) })
		}
		if r.target != nil {
			working.Go(func() { r.target.actions.keep(r, r.target.act) })
		}
		r.done() // with starting
	})
	end = r.wait(ctx)
	close(r.closed)
	for _, n := range r.nodes {
		n.inbox.close()
	}
	r.net.close()
	if !returned(working) {
		left = append(stuck(r.nodes), r.awaited()...)
		if r.Waits.Cancel != nil {
			r.Waits.Cancel()
			returned(working)
		}
		return end, left
	}
	for _, n := range r.nodes { // an armed timer would keep the run in memory
		for _, a := range n.timers {
			a.expiry.Stop()
		}
	}
	if r.failed != nil {
		end = Panicked
	}
	return end, stuck(r.nodes)
}

// defaultQuiet is far above the time that a datagram takes on the loopback interface.
const defaultQuiet = time.Second

// wait waits for the end of the run. A context that was cancelled before the run began has
// interrupted it, however fast the nodes are.
func (r *run) wait(ctx context.Context) End {
	if ctx.Err() != nil {
		return Interrupted
	}
	var limit, quiet <-chan time.Time
	if r.Limit > 0 {
		limit = time.After(r.Limit)
	}
	if r.Transport == UDP {
		ticker := time.NewTicker(cmp.Or(r.Quiet, defaultQuiet))
		defer ticker.Stop()
		quiet = ticker.C
	}
	before := r.taken.Load()
	for {
		select {
		case end := <-r.over:
			return end
		case <-limit:
			return OutOfTime
		case <-ctx.Done():
			return Interrupted
		case <-quiet:
			now := r.taken.Load()
			if now == before && r.planned.Load() == 0 {
				return Silence
			}
			before = now
		}
	}
}

// done counts one thing less that keeps the run alive. A node that is alone in its OS process
// does not know what others have sent to it, so for it the count says nothing.
func (r *run) done() {
	if r.busy.Add(-1) == 0 && r.single == nil {
		r.end(Rest)
	}
}

// end ends the run. The first call counts.
func (r *run) end(e End) {
	select {
	case r.over <- e:
	default:
	}
}

func (r *run) now() time.Duration { return time.Since(r.begin) }
