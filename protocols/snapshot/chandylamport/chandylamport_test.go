package chandylamport_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/snapshot"
	"bullring/protocols/snapshot/bank"
	"bullring/protocols/snapshot/chandylamport"
)

type (
	message = chandylamport.Message[bank.Message]
	process = chandylamport.Process[bank.Message, bank.Account]
	network = netem.Network[message]
)

// marker is the kind of markers.
const marker = 1

const unit = time.Millisecond

// scene is a run: accounts on a network, and who begins the snapshot when.
type scene struct {
	topology   netem.Topology
	delay      des.Distribution // nil: always unit
	unordered  bool
	seed       uint64
	initiators []protocols.ID
	begin      time.Duration
	accounts   func(protocols.ID) bank.Config
	adversary  netem.Adversary
	trace      io.Writer
	tracer     netem.Tracer
}

// outcome is the outcome of a run.
type outcome struct {
	*snapshot.Checker
	markers, transfers int
	checks             []protocols.Check
	processes          []*process
	quiet              time.Duration
}

func (o outcome) verdicts() (v [3]protocols.Verdict) {
	for i, c := range o.checks {
		v[i] = c.Verdict
	}
	return v
}

var allHold = [3]protocols.Verdict{protocols.Holds, protocols.Holds, protocols.Holds}

// run plays a scene to its end.
func run(t testing.TB, s scene) outcome {
	t.Helper()
	if s.delay == nil {
		s.delay = des.Constant(unit)
	}
	n, total := s.topology.Len(), int64(0)
	for p := range protocols.ID(n) {
		total += s.accounts(p).Balance
	}
	net := netem.New(netem.Config{Topology: s.topology, Delay: s.delay, FIFO: !s.unordered, Seed: s.seed, MaxEvents: 1 << 20},
		func(p protocols.ID) protocols.Process[message] {
			return chandylamport.Wrap(bank.New(s.accounts(p)), chandylamport.Config{})
		})
	w := &watch{net, snapshot.NewChecker(n, total)}
	net.Observe(w)
	if s.adversary != nil {
		net.Oppose(s.adversary)
	}
	if s.trace != nil {
		net.Trace(netem.TextTrace(s.trace, w.note))
	}
	if s.tracer != nil {
		net.Trace(s.tracer)
	}
	net.Boot()
	for _, p := range s.initiators {
		net.StartAt(p, des.Time(s.begin))
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("the run does not end: %v", end)
	}
	c := net.Counters()
	o := outcome{Checker: w.checker, checks: w.checker.Checks(true), transfers: int(c.Sent[0]), markers: int(c.Sent[marker]), quiet: time.Duration(c.LastMessage)}
	for p := range protocols.ID(n) {
		o.processes = append(o.processes, w.process(p))
	}
	return o
}

// watch tells the checker of every step.
type watch struct {
	net     *network
	checker *snapshot.Checker
}

func (w *watch) process(p protocols.ID) *process { return w.net.Process(p).(*process) }

func (w *watch) Stepped(p protocols.ID) {
	w.checker.Stepped(p, w.process(p), time.Duration(w.net.Now()))
}
func (w *watch) Started(p protocols.ID)   { w.Stepped(p) }
func (w *watch) Crashed(p protocols.ID)   { w.checker.Crashed(p, time.Duration(w.net.Now())) }
func (w *watch) Restarted(p protocols.ID) { w.Stepped(p) }

// note is what a process has, and has recorded.
func (w *watch) note(id protocols.ID) string {
	p := w.process(id)
	text := fmt.Sprintf("has %d", p.Unwrap().State().Balance)
	if s, ok := p.Recorded(); ok {
		text += fmt.Sprintf(", recorded %d", s.Balance)
		for _, c := range p.Part().Channels {
			text += fmt.Sprintf(" and %v", p.Content(c.Peer))
			if !c.Closed {
				text += "..."
			}
			text += fmt.Sprintf(" from %d", c.Peer)
		}
	}
	return text
}

// trading has every account of 100 make so many payments, to neighbours and outside.
func trading(transfers int) func(protocols.ID) bank.Config {
	return func(protocols.ID) bank.Config {
		return bank.Config{Balance: 100, Transfers: transfers, Most: 40, Leaks: true, Pause: unit, Random: true}
	}
}

func idle(protocols.ID) bank.Config { return bank.Config{Balance: 100} }

// slowMoney makes single payments take longer than markers.
type slowMoney struct {
	netem.Adversary // asked of nothing else
	extra           map[protocols.ID]time.Duration
}

func (s slowMoney) Due(uint32)              {}
func (s slowMoney) Steps(protocols.ID, int) {}

func (s slowMoney) Leaves(protocols.ID, protocols.ID, int) (leaves, crash bool) { return true, false }

func (s slowMoney) Sent(from, _ protocols.ID, kind int) (int, time.Duration, func(int64) int64) {
	if kind == marker {
		return 1, 0, nil
	}
	return 1, s.extra[from], nil
}

func (s slowMoney) Arrives(protocols.ID, protocols.ID, int) (time.Duration, bool) { return 0, false }
func (s slowMoney) Expires(protocols.ID) time.Duration                            { return 0 }

// The example of the lecture: three accounts of 100; the first deducts 10, which
// leave the system, the second pays 20 to the first and the third 30 to the second.
// The first begins the snapshot before the payments arrive. It records 90, 80 and 70,
// <20> from the second to the first and <30> from the third to the second.
func TestWorkedExample(t *testing.T) {
	orders := []bank.Order{{To: bank.Outside, Amount: 10}, {To: 0, Amount: 20}, {To: 1, Amount: 30}}
	var trace bytes.Buffer
	o := run(t, scene{
		topology: netem.Complete(3), delay: des.Constant(2 * unit),
		initiators: []protocols.ID{0}, begin: unit,
		accounts: func(p protocols.ID) bank.Config {
			return bank.Config{Balance: 100, Orders: orders[p : p+1]}
		},
		adversary: slowMoney{extra: map[protocols.ID]time.Duration{1: 2 * unit, 2: 3 * unit}},
		trace:     &trace,
	})
	golden.Check(t, "three-accounts.txt", trace.Bytes())
	if o.verdicts() != allHold {
		t.Errorf("%+v", o.checks)
	}
	if o.markers != 6 {
		t.Errorf("%d markers, want 6", o.markers)
	}
	money := int64(0)
	for i, want := range []struct{ recorded, final int64 }{{90, 110}, {80, 110}, {70, 70}} {
		s, _ := o.processes[i].Recorded()
		if final := o.processes[i].Unwrap().State().Balance; s.Balance != want.recorded || final != want.final {
			t.Errorf("account %d recorded %d and has %d in the end, want %+v", i, s.Balance, final, want)
		}
		money += s.Balance
		for from := range protocols.ID(3) {
			want := map[[2]int][]bank.Message{{1, 0}: {{Amount: 20}}, {2, 1}: {{Amount: 30}}}[[2]int{int(from), i}]
			got := o.processes[i].Content(from)
			if !slices.Equal(got, want) {
				t.Errorf("channel from %d to %d: recorded %v, want %v", from, i, got, want)
			}
			for _, m := range got {
				money += m.Amount
			}
		}
	}
	if money != 290 {
		t.Errorf("the snapshot holds %d, want 290: 300 but for the 10 that left", money)
	}
}

func subsets(n int) (sets [][]protocols.ID) {
	for mask := 1; mask < 1<<n; mask++ {
		var set []protocols.ID
		for i := range n {
			if mask>>i&1 == 1 {
				set = append(set, protocols.ID(i))
			}
		}
		sets = append(sets, set)
	}
	return sets
}

// distances are the hops from the nearest of a set to every process.
func distances(topology netem.Topology, set []protocols.ID) []int {
	d := make([]int, topology.Len())
	for i := range d {
		d[i] = -1
	}
	for _, p := range set {
		d[p] = 0
	}
	for queue := slices.Clone(set); len(queue) > 0; queue = queue[1:] {
		for port := range topology.Degree(queue[0]) {
			if q := topology.Neighbor(queue[0], port); d[q] < 0 {
				d[q] = d[queue[0]] + 1
				queue = append(queue, q)
			}
		}
	}
	return d
}

// channels counts the pairs of processes with a link.
func channels(topology netem.Topology) int {
	pairs := map[[2]protocols.ID]bool{}
	for p := range protocols.ID(topology.Len()) {
		for port := range topology.Degree(p) {
			pairs[[2]protocols.ID{p, topology.Neighbor(p, port)}] = true
		}
	}
	return len(pairs)
}

// Chandy and Lamport, section 3: a process sends one marker along each of its
// channels when it records its state. With unit delays markers are a flood: the
// processes record at their distance from the initiators, and the last marker
// arrives one unit after the last has recorded.
func TestUnitDelay(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, topology := range []netem.Topology{netem.BiRing(n), netem.Complete(n)} {
			for _, set := range subsets(n) {
				o := run(t, scene{topology: topology, initiators: set, accounts: idle})
				if o.markers != channels(topology) || o.verdicts() != allHold {
					t.Fatalf("%v of %d, %v begin: %d markers, want %d; %+v", topology, n, set, o.markers, channels(topology), o.checks)
				}
				recorded, complete := o.Times()
				d := distances(topology, set)
				for p, at := range recorded {
					if at != time.Duration(d[p])*unit {
						t.Fatalf("%v of %d, %v begin: process %d recorded at %v, want %d units", topology, n, set, p, at, d[p])
					}
				}
				if want := time.Duration(slices.Max(d)+1) * unit; n > 1 && (complete != want || o.quiet != want) {
					t.Fatalf("%v of %d, %v begin: complete at %v, quiet at %v, want %v", topology, n, set, complete, o.quiet, want)
				}
			}
		}
	}
}

// history is what the application sent on each channel, in order.
type history map[[2]protocols.ID][]bank.Message

func (h history) Record(r netem.Record) {
	for _, s := range r.Sent {
		if m := s.Message.(message); !m.Marker {
			channel := [2]protocols.ID{r.Who, s.To}
			h[channel] = append(h[channel], m.Inner)
		}
	}
}

// Section 4: whatever the delays, the initiators and the application, the recorded
// content of a channel is, message by message, what was sent before the sender
// recorded without what was received before the receiver did; and nothing is lost.
func TestAnySchedule(t *testing.T) {
	under, left := 0, int64(0)
	for _, topology := range []netem.Topology{netem.BiRing(3), netem.BiRing(5), netem.Complete(2), netem.Complete(4), netem.Complete(8)} {
		for _, delay := range []des.Distribution{des.Uniform(0, 10*unit), des.Exponential(2 * unit)} {
			for seed := range uint64(20) {
				set := []protocols.ID{protocols.ID(seed) % protocols.ID(topology.Len())}
				if seed%2 == 1 {
					set = append(set, 0)
				}
				h := history{}
				o := run(t, scene{topology: topology, delay: delay, seed: seed, initiators: set, begin: 10 * unit, accounts: trading(20), tracer: h})
				if o.markers != channels(topology) || o.verdicts() != allHold {
					t.Fatalf("%v of %d, %v, seed %d: %d markers, want %d; %+v", topology, topology.Len(), delay, seed, o.markers, channels(topology), o.checks)
				}
				counts := map[[2]protocols.ID]int{}
				for p, process := range o.processes {
					for _, c := range process.Part().Channels {
						counts[[2]protocols.ID{protocols.ID(p), c.Peer}] = c.Sent
					}
				}
				for p, process := range o.processes {
					s, _ := process.Recorded()
					left += s.Left
					for _, c := range process.Part().Channels {
						channel := [2]protocols.ID{c.Peer, protocols.ID(p)}
						want := h[channel][c.Received:counts[channel]]
						if got := process.Content(c.Peer); !slices.Equal(got, want) {
							t.Fatalf("%v, seed %d: the channel %v was recorded with %v, and held %v", topology, seed, channel, got, want)
						}
						under += len(want)
					}
				}
			}
		}
	}
	if under < 1000 || left < 1000 {
		t.Errorf("%d messages were recorded under way, %d had left: too few to say anything", under, left)
	}
}

// Without FIFO a marker overtakes money or is overtaken: either the cut is
// inconsistent, or a channel is recorded too small.
func TestWithoutFIFO(t *testing.T) {
	broken, lost := 0, 0
	for seed := range uint64(50) {
		o := run(t, scene{
			topology: netem.Complete(3), delay: des.Uniform(0, 10*unit), unordered: true, seed: seed,
			initiators: []protocols.ID{0}, begin: 10 * unit, accounts: trading(20),
		})
		v := o.verdicts()
		if v[0] == protocols.Violated {
			broken++
		}
		if v[1] == protocols.Violated {
			lost++
		}
		if v[2] != protocols.Holds {
			t.Fatalf("seed %d: %+v", seed, o.checks)
		}
	}
	if broken < 25 || lost < 25 {
		t.Errorf("of 50 runs %d have an inconsistent cut and %d do not conserve", broken, lost)
	}
}

// A snapshot needs all processes: one crash, and it is never complete.
func TestCrash(t *testing.T) {
	c := snapshot.NewChecker(2, 0)
	c.Crashed(1, 0)
	if v := c.Checks(true)[2]; v.Verdict != protocols.Undecided || v.Detail != "a process crashed" {
		t.Errorf("%+v", v)
	}
}

// No process begins: there is no snapshot, and no check fails.
func TestNobodyBegins(t *testing.T) {
	o := run(t, scene{topology: netem.Complete(3), accounts: trading(3)})
	if want := [3]protocols.Verdict{protocols.Holds, protocols.Undecided, protocols.Undecided}; o.verdicts() != want || o.markers != 0 {
		t.Errorf("%d markers, %+v", o.markers, o.checks)
	}
}

// counting is an application that does not act by itself: a process that is started sends, and
// one that hears it counts.
type counting struct{ heard int }

func (c *counting) Start(n protocols.Node[bank.Message]) {
	if n.ID() == 0 && n.Suspects(1) {
		panic("nobody has crashed")
	}
	n.SetTimer(3, n.Now()+unit)
	n.SetTimer(4, unit)
	n.StopTimer(4)
}
func (c *counting) Receive(protocols.Node[bank.Message], protocols.ID, bank.Message) { c.heard++ }
func (c *counting) Timeout(n protocols.Node[bank.Message], t protocols.Timer) {
	if t != 3 || n.Intn(1) != 0 {
		panic("not the timer that was set")
	}
	n.Send(n.Neighbor(0), bank.Message{Amount: 1})
}
func (c *counting) State() int { return c.heard }

// The application sees all that the node below offers, and is started if there is
// nothing to boot.
func TestApplicationIsStarted(t *testing.T) {
	net := netem.New(netem.Config{Topology: netem.BiRing(3), Delay: des.Constant(unit), FIFO: true},
		func(protocols.ID) protocols.Process[message] {
			return chandylamport.Wrap(&counting{}, chandylamport.Config{After: 2 * unit})
		})
	net.Boot()
	net.StartAt(1, des.Time(unit))
	net.StartAt(1, des.Time(9*unit)) // again: it has recorded
	net.Run(t.Context())
	for p := range protocols.ID(3) {
		process := net.Process(p).(*chandylamport.Process[bank.Message, int])
		if s, ok := process.Recorded(); s != 1 || !ok || process.Part().Value != 0 || process.Content(7) != nil {
			t.Errorf("process %d recorded %d, %v", p, s, ok)
		}
	}
	if c := net.Counters(); c.Sent[0] != 3 || c.Sent[marker] != 6 {
		t.Errorf("sent %v, want 3 of the application and 6 markers", c.Sent)
	}
}

func TestMessage(t *testing.T) {
	money := message{Inner: bank.Message{Amount: 5}}
	sign := message{Marker: true}
	if money.Kind() != 0 || sign.Kind() != 1 || !slices.Equal(sign.Kinds(), []string{"TRANSFER", "MARKER"}) {
		t.Error("kinds are not those of the application and MARKER")
	}
	if money.Bits() != 72 || sign.Bits() != 8 {
		t.Errorf("%d and %d bits, want 72 and 8", money.Bits(), sign.Bits())
	}
	if !sign.Overhead(0) || sign.Overhead(1) || sign.Background(0) || sign.Background(1) {
		t.Error("the application's messages are not counted with the markers, and nothing is background")
	}
	if money.String() != "TRANSFER(5)" || sign.String() != "MARKER" {
		t.Errorf("%v and %v", money, sign)
	}
}

func TestConfig(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a snapshot begins before its start")
		}
	}()
	chandylamport.Wrap(bank.New(bank.Config{}), chandylamport.Config{After: -1})
}

// A message of a process to which there is no link back cannot be accounted for.
func TestLinkBack(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a message from a stranger is taken")
		}
	}()
	chandylamport.Wrap(bank.New(bank.Config{}), chandylamport.Config{}).Receive(nil, 4, message{})
}
