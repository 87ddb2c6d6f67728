package sequencer_test

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
	"bullring/protocols/multicast"
	"bullring/protocols/multicast/sequencer"
)

type message = sequencer.Message

const unit = time.Millisecond

// group is what runs: a group, what it multicasts and what happens to it.
type group struct {
	n         int
	senders   []protocols.ID
	work      multicast.Workload
	cfg       sequencer.Config
	delay     des.Distribution // nil: always unit
	unordered bool
	seed      uint64
	// If positive, the interval at which the live processes are looked for. The one with
	// the smallest address takes over.
	watched   time.Duration
	looks     int
	adversary *murder
	trace     io.Writer
}

// outcome is the outcome of a run.
type outcome struct {
	*multicast.Checker
	sent   []int
	checks []protocols.Check
	orders [][]multicast.Item
	quiet  time.Duration
}

func (o outcome) allHold() bool {
	return !slices.ContainsFunc(o.checks, func(c protocols.Check) bool { return c.Verdict != protocols.Holds })
}

func run(t testing.TB, g group) outcome {
	t.Helper()
	if g.delay == nil {
		g.delay = des.Constant(unit)
	}
	if g.work.Items == 0 {
		g.work.Items = 1
	}
	net := netem.New(netem.Config{Topology: netem.Complete(g.n), Delay: g.delay, FIFO: !g.unordered, Seed: g.seed, MaxEvents: 1 << 20},
		func(p protocols.ID) protocols.Process[message] {
			service := sequencer.New(p, g.cfg)
			return &guarded{multicast.NewClient(service, g.work), service, g.watched, g.looks}
		})
	w := &watch{net, multicast.NewChecker(g.n, multicast.Promise{FIFO: g.cfg.FIFO, Tolerant: g.watched > 0}), nil, make([]int, g.n)}
	net.Observe(w)
	if g.trace != nil {
		net.Trace(netem.TextTrace(g.trace, w.note))
	}
	if g.adversary != nil {
		g.adversary.crash = func(p protocols.ID) { net.CrashAt(p, net.Now()) }
		net.Oppose(g.adversary)
	}
	net.Boot()
	for _, p := range g.senders {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("the run does not end: %v", end)
	}
	c := net.Counters()
	o := outcome{Checker: w.checker, checks: w.checker.Checks(true), quiet: time.Duration(c.LastMessage)}
	for _, k := range c.Sent {
		o.sent = append(o.sent, int(k))
	}
	for p := range protocols.ID(g.n) {
		o.orders = append(o.orders, w.member(p).Delivered())
	}
	return o
}

// watch tells the checker of every step.
type watch struct {
	net     *netem.Network[message]
	checker *multicast.Checker
	crashed []protocols.ID
	noted   []int
}

func (w *watch) member(p protocols.ID) multicast.Member {
	return w.net.Process(p).(multicast.Member)
}

func (w *watch) Stepped(p protocols.ID) {
	w.checker.Stepped(p, w.member(p), time.Duration(w.net.Now()))
}
func (w *watch) Started(p protocols.ID)   { w.Stepped(p) }
func (w *watch) Restarted(p protocols.ID) { w.Stepped(p) }
func (w *watch) Crashed(p protocols.ID) {
	w.crashed = append(w.crashed, p)
	w.checker.Crashed(p, time.Duration(w.net.Now()))
}

// note says what was delivered.
func (w *watch) note(p protocols.ID) string {
	all := w.member(p).Delivered()
	fresh := all[w.noted[p]:]
	w.noted[p] = len(all)
	if len(fresh) == 0 {
		return ""
	}
	text := fmt.Sprint(fresh)
	return "delivers " + text[1:len(text)-1]
}

// guarded is a process that looks a few times whether the sequencer lives, as an
// election would do it.
type guarded struct {
	*multicast.Client[message]
	service *sequencer.Process
	watched time.Duration
	looks   int
}

const look protocols.Timer = 1<<30 - 1

func (g *guarded) Boot(n protocols.Node[message]) {
	if g.looks > 0 {
		g.looks--
		n.SetTimer(look, g.watched)
	}
}

func (g *guarded) Timeout(n protocols.Node[message], t protocols.Timer) {
	if t != look {
		g.Client.Timeout(n, t)
		return
	}
	now, term := g.service.Sequencer()
	leader := n.ID()
	for p := range n.ID() {
		if !n.Suspects(p) {
			leader = p
			break
		}
	}
	switch {
	case n.Suspects(now):
		g.service.Coordinator(n, leader, int(leader))
	case now == n.ID():
		g.service.Coordinator(n, now, term) // again: some who were asked may have crashed
	}
	g.Boot(n)
}

// murder crashes processes in the middle of what they send: each after that many
// messages.
type murder struct {
	netem.Adversary
	after map[protocols.ID]int
	crash func(protocols.ID)
}

func (m *murder) Due(uint32)              {}
func (m *murder) Steps(protocols.ID, int) {}

func (m *murder) Leaves(from, _ protocols.ID, _ int) (leaves, crash bool) {
	left, doomed := m.after[from]
	if !doomed {
		return true, false
	}
	m.after[from] = left - 1
	return left > 0, left <= 0
}

func (m *murder) Sent(protocols.ID, protocols.ID, int) (int, time.Duration, func(int64) int64) {
	return 1, 0, nil
}
func (m *murder) Arrives(protocols.ID, protocols.ID, int) (time.Duration, bool) { return 0, false }
func (m *murder) Expires(protocols.ID) time.Duration                            { return 0 }

func all(n int) []protocols.ID {
	var ids []protocols.ID
	for p := range n {
		ids = append(ids, protocols.ID(p))
	}
	return ids
}

// Method PB: one message to the sequencer and n-1 from it; only the latter if the
// sequencer multicasts itself. With unit delays the sender has its item after 2.
func TestOneItem(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for _, sender := range all(n) {
			for _, coordinator := range all(n) {
				o := run(t, group{n: n, senders: []protocols.ID{sender}, cfg: sequencer.Config{Sequencer: coordinator}})
				want, time := []int{1, n - 1, 0, 0}, 2*unit
				if sender == coordinator {
					want[0], time = 0, unit
				}
				if n == 1 {
					time = 0
				}
				if !slices.Equal(o.sent, want) || o.quiet != time || !o.allHold() {
					t.Fatalf("n=%d, %d sends, %d orders: sent %v, want %v; quiet at %v, want %v; %+v", n, sender, coordinator, o.sent, want, o.quiet, time, o.checks)
				}
				if o.Deliveries() != n {
					t.Fatalf("n=%d: %d deliveries", n, o.Deliveries())
				}
				if _, longest := o.Delay(); longest != time {
					t.Fatalf("n=%d, %d sends, %d orders: delivered within %v, want %v", n, sender, coordinator, longest, time)
				}
			}
		}
	}
}

// The count is the same on any schedule, FIFO or not, and so is what is required.
func TestAnySchedule(t *testing.T) {
	outOfTurn, differ := 0, 0
	for _, n := range []int{2, 3, 5, 8} {
		for seed := range uint64(25) {
			for _, fifo := range []bool{false, true} {
				for _, unordered := range []bool{false, true} {
					o := run(t, group{
						n: n, senders: all(n), work: multicast.Workload{Items: 4, Pause: time.Duration(seed%2) * unit}, seed: seed, unordered: unordered,
						delay: des.Uniform(0, 10*unit), cfg: sequencer.Config{Sequencer: protocols.ID(seed) % protocols.ID(n), FIFO: fifo},
					})
					if want := []int{4 * (n - 1), 4 * n * (n - 1), 0, 0}; !slices.Equal(o.sent, want) {
						t.Fatalf("n=%d, seed %d: sent %v, want %v", n, seed, o.sent, want)
					}
					if !o.allHold() {
						t.Fatalf("n=%d, seed %d: %+v", n, seed, o.checks)
					}
					if o.Deliveries() != 4*n*n {
						t.Fatalf("n=%d, seed %d: %d deliveries", n, seed, o.Deliveries())
					}
					if !inTurn(o.orders[0]) {
						outOfTurn++
					}
					if o.orders[0][0].Sender != 0 {
						differ++
					}
				}
			}
		}
	}
	if outOfTurn < 40 || differ < 100 {
		t.Errorf("%d runs are not in the order of the senders, %d begin with another than 0: too few to say anything", outOfTurn, differ)
	}
}

// inTurn reports whether items of one sender are in its order.
func inTurn(items []multicast.Item) bool {
	last := map[protocols.ID]int{}
	for _, i := range items {
		if i.Number != last[i.Sender]+1 {
			return false
		}
		last[i.Sender] = i.Number
	}
	return true
}

// The sequencer dies after each number of messages that it can have sent, and, in
// the second half, its successor after each that it can have sent then. Those who
// live agree, and what they have multicast is delivered.
func TestTakeOver(t *testing.T) {
	const n = 4
	changes, states := 0, 0
	for k := range 2*n*(n-1) + 1 {
		for second := range 12 {
			for seed := range uint64(4) {
				deaths := map[protocols.ID]int{0: k}
				if second > 0 {
					deaths[1] = second - 1 + 2 // after its own requests
				}
				o := run(t, group{
					n: n, senders: all(n), work: multicast.Workload{Items: 2, Pause: unit}, seed: seed, unordered: seed%2 == 1,
					delay: des.Uniform(0, 4*unit), cfg: sequencer.Config{FIFO: seed/2 == 1},
					watched: 100 * unit, looks: 4, adversary: &murder{after: deaths},
				})
				if !o.allHold() {
					t.Fatalf("dead after %v sends, seed %d: %+v", deaths, seed, o.checks)
				}
				if o.sent[sequencer.Sync] > 0 {
					changes++
				}
				states += o.sent[sequencer.State]
			}
		}
	}
	if changes < 500 || states < 1000 {
		t.Errorf("%d changes of sequencers and %d answers: too few to say anything", changes, states)
	}
}

// A change of sequencers among s who live costs s-1 SYNC and 2(s-1) STATE, and a REQUEST
// for each item that is not ordered and not its own.
func TestTakeOverCosts(t *testing.T) {
	for n := 2; n <= 6; n++ {
		o := run(t, group{
			n: n, senders: all(n), watched: 100 * unit, looks: 1, adversary: &murder{after: map[protocols.ID]int{0: n * (n - 1)}},
			work: multicast.Workload{Items: 2, Pause: 50 * unit},
		})
		// The first items are delivered. The sequencer dies before it sends its second,
		// and those of all the others are requested again, or ordered by the one that
		// takes over. DATA goes to the dead as well.
		s := n - 1
		if want := []int{s + s + s - 1, (n + s) * (n - 1), s - 1, 2 * (s - 1)}; !slices.Equal(o.sent, want) || !o.allHold() {
			t.Errorf("n=%d: sent %v, want %v; %+v", n, o.sent, want, o.checks)
		}
	}
}

// Process 0 dies with its second item sent to 1 alone. 1 takes over, and the others
// get from it what they lack.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	o := run(t, group{
		n: 3, senders: []protocols.ID{0, 2}, work: multicast.Workload{Items: 2, Pause: 3 * unit}, watched: 10 * unit, looks: 1,
		adversary: &murder{after: map[protocols.ID]int{0: 5}}, trace: &trace,
	})
	golden.Check(t, "sequencer-dies.txt", trace.Bytes())
	if !o.allHold() {
		t.Errorf("%+v", o.checks)
	}
}

// No process takes over: what was not ordered never is, and the live processes agree on the
// rest or not; nothing is promised.
func TestSequencerDies(t *testing.T) {
	o := run(t, group{n: 3, senders: all(3), adversary: &murder{after: map[protocols.ID]int{0: 1}}})
	for i, want := range []protocols.Verdict{protocols.Holds, protocols.Holds, protocols.Undecided, protocols.Undecided} {
		if o.checks[i].Verdict != want {
			t.Errorf("%s %v, want %v", o.checks[i].Name, o.checks[i].Verdict, want)
		}
	}
}

// What comes from a former term, twice, or unasked is ignored.
func TestIgnored(t *testing.T) {
	p := sequencer.New(2, sequencer.Config{Sequencer: 0})
	item := multicast.Item{Sender: 1, Number: 1, Payload: 1}
	p.Receive(nil, 1, message{Type: sequencer.Request, Item: item})
	p.Receive(nil, 1, message{Type: sequencer.State})
	p.Receive(nil, 0, message{Type: sequencer.Data, Number: 1, Item: item})
	p.Receive(nil, 0, message{Type: sequencer.Data, Number: 1, Item: item})
	p.Coordinator(nil, 1, 3)
	p.Coordinator(nil, 0, 2)
	p.Receive(nil, 0, message{Type: sequencer.Data, Number: 2, Item: item})
	p.Receive(nil, 0, message{Type: sequencer.Sync, Term: 2})
	if got := p.Delivered(); !slices.Equal(got, []multicast.Item{item}) {
		t.Errorf("delivered %v", got)
	}
	if s, term := p.Sequencer(); s != 1 || term != 3 {
		t.Errorf("the sequencer is %d in term %d", s, term)
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"unknown type": func() { sequencer.New(0, sequencer.Config{}).Receive(nil, 1, message{Type: 9}) },
		"timer":        func() { sequencer.New(0, sequencer.Config{}).Timeout(nil, 1) },
		"no items": func() {
			multicast.NewClient(sequencer.New(0, sequencer.Config{}), multicast.Workload{})
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestMessage(t *testing.T) {
	item := multicast.Item{Sender: 2, Number: 1, Payload: 7}
	for _, c := range []struct {
		m    message
		bits int
		text string
	}{
		{message{Type: sequencer.Request, Item: item}, 8 + 128, "REQUEST(2.1)"},
		{message{Type: sequencer.Data, Number: 5, Item: item}, 8 + 320, "DATA(5: 2.1)"},
		{message{Type: sequencer.Sync, Number: 4, Term: 1}, 8 + 128, "SYNC(4)@1"},
		{message{Type: sequencer.State, Number: 6, Term: 1, Items: []multicast.Item{item, item}}, 8 + 128 + 384, "STATE(6: 2.1 2.1)@1"},
	} {
		if c.m.Bits() != c.bits || c.m.String() != c.text || c.m.Kinds()[c.m.Kind()] != c.text[:len(c.m.Kinds()[c.m.Kind()])] {
			t.Errorf("%v has %d bits, want %s with %d", c.m, c.m.Bits(), c.text, c.bits)
		}
	}
}
