package vkt_test

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/vkt"
	"bullring/protocols/internal/testnet"
)

const unit = electiontest.Unit

// cfg is the configuration of the tests, in the proportions of the catalogue: a beacon in ten delays.
var cfg = vkt.Config{Beacon: 10 * unit, Misses: 2, Heartbeat: 10 * unit, LeaderMisses: 6}

// world is a run, and what happens to it from outside.
type world struct {
	graph   testnet.Graph     // the links that may ever be
	down    [][2]protocols.ID // those that are not there at the beginning, the lower address first
	ranks   []election.Rank
	order   election.Order
	beacons bool
	rare    bool             // no heartbeat is due during the run
	delay   des.Distribution // nil: always unit
	lines   []netem.Line
	seed    uint64
	start   []protocols.ID
	again   []electiontest.At // later starts
	changes []netem.Change
	crash   []electiontest.At
	recover []electiontest.At
	until   time.Duration
	trace   io.Writer // gets a line an event, unless nil
}

// Begin implements [netem.Source]: a world has the links of the beginning.
func (w *world) Begin(link func(a, b protocols.ID)) {
	for _, e := range w.graph.Edges() {
		if !slices.Contains(w.down, e) {
			link(e[0], e[1])
		}
	}
}

// Next implements [netem.Source]. The changes are planned one by one.
func (*world) Next() (c netem.Change, more bool) { return c, false }

// ended is a run that has come to rest.
type ended interface {
	Counters() netem.Counters
	Neighbors(protocols.ID) []protocols.ID
	Alive(protocols.ID) bool
}

// result is a run and what its processes have decided.
type result struct {
	ended
	decisions []election.Decision
}

// run runs the world until it is at rest, and not before its end of observation.
func (w *world) run(t *testing.T) result {
	t.Helper()
	if !w.beacons {
		return runOf(t, w, func(id protocols.ID) protocols.Process[vkt.Told] { return vkt.NewLinks(w.ranks[id], w.order) })
	}
	c := cfg
	if c.Order = w.order; w.rare {
		c.Heartbeat = time.Hour
	}
	return runOf(t, w, func(id protocols.ID) protocols.Process[vkt.Beaconed] { return vkt.NewBeacons(w.ranks[id], c) })
}

func runOf[M protocols.Message](t *testing.T, w *world, boot func(protocols.ID) protocols.Process[M]) result {
	t.Helper()
	if w.delay == nil {
		w.delay = des.Constant(unit)
	}
	net := netem.New(netem.Config{
		Topology: w.graph, Delay: w.delay, FIFO: true, Lines: w.lines, Seed: w.seed, MaxEvents: 1 << 20,
		Changes: w, Until: des.Time(w.until),
	}, boot)
	net.Boot()
	for _, id := range w.start {
		net.StartAt(id, 0)
	}
	for _, at := range w.again {
		net.StartAt(at.ID, des.Time(at.Time))
	}
	for _, c := range w.changes {
		net.ChangeAt(c)
	}
	for _, c := range w.crash {
		net.CrashAt(c.ID, des.Time(c.Time))
	}
	for _, c := range w.recover {
		net.RestartAt(c.ID, des.Time(c.Time))
	}
	if w.trace != nil {
		net.Trace(netem.TextTrace(w.trace, func(id protocols.ID) string {
			if d := net.Process(id).(election.Elector).Decision(); d.Status != election.Undecided {
				return d.String()
			}
			return ""
		}))
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatalf("%v: the run does not end: %v", w, end)
	}
	r := result{ended: net}
	for id := range w.graph {
		r.decisions = append(r.decisions, net.Process(protocols.ID(id)).(election.Elector).Decision())
	}
	return r
}

// String is what sets a world apart.
func (w *world) String() string {
	return fmt.Sprintf("seed %d, %v without %v, ranks %v, changes %v, crashes %v, recoveries %v", w.seed, w.graph, w.down, w.ranks, w.changes, w.crash, w.recover)
}

// up and down are changes at an instant, in units.
func up(at float64, a, b protocols.ID) netem.Change {
	return netem.Change{At: instant(at), A: a, B: b, Up: true}
}
func down(at float64, a, b protocols.ID) netem.Change {
	return netem.Change{At: instant(at), A: a, B: b}
}

func instant(units float64) des.Time { return des.Time(units * float64(unit)) }

// components are the live processes of each component of the present graph.
func components(net result) (all [][]protocols.ID) {
	seen := make([]bool, len(net.decisions))
	for p := range net.decisions {
		first := protocols.ID(p)
		if seen[first] || !net.Alive(first) {
			continue
		}
		seen[first] = true
		one := []protocols.ID{first}
		for i := 0; i < len(one); i++ {
			for _, q := range net.Neighbors(one[i]) {
				if !seen[q] && net.Alive(q) {
					seen[q] = true
					one = append(one, q)
				}
			}
		}
		all = append(all, one)
	}
	return all
}

// wantLeaders fails the test unless each component has one leader, who is in it and alive.
func (w *world) wantLeaders(t *testing.T, net result) {
	t.Helper()
	for _, c := range components(net) {
		first, there := net.decisions[c[0]], false
		for _, p := range c {
			d := net.decisions[p]
			if d.Status == election.Undecided || d.Leader != first.Leader {
				t.Fatalf("%v: process %d is %v, and process %d %v", w, c[0], first, p, d)
			}
			there = there || d.Status == election.Leader
		}
		if !there {
			t.Fatalf("%v: the leader %d of %v is not there", w, first.Leader, c)
		}
	}
}

// wantLeader fails the test unless these processes have this leader.
func (w *world) wantLeader(t *testing.T, net result, leader protocols.ID, of ...protocols.ID) {
	t.Helper()
	for _, p := range of {
		if d := net.decisions[p]; d != election.Decide(w.ranks[p].ID, w.ranks[leader].ID) {
			t.Fatalf("%v: process %d is %v, want the leader %v", w, p, d, w.ranks[leader])
		}
	}
}

// sent are the messages of each kind that belongs to an election, with or without beacons.
func sent(net result) []int {
	counts := make([]int, vkt.Heartbeat)
	for kind, s := range net.Counters().Sent {
		if kind < len(counts) {
			counts[kind] = int(s)
		}
	}
	return counts
}

// random draws a world of two to six processes: the links of a random graph come and go for a while.
func random(seed uint64) *world {
	draw := des.NewStream(seed, "world")
	n := 2 + draw.Intn(5)
	w := &world{
		graph: electiontest.RandomGraph(n, n, seed), seed: seed, start: electiontest.All(n), delay: des.Uniform(0, 2*unit),
		ranks: shuffled(n, draw), order: election.Order(draw.Intn(2)),
	}
	edges := w.graph.Edges()
	there := make([]bool, len(edges))
	for i, e := range edges {
		if there[i] = draw.Intn(4) > 0; !there[i] {
			w.down = append(w.down, e)
		}
	}
	span := []float64{2.5, 10, 50}[draw.Intn(3)] // between two changes, in units
	at := 0.01
	for range draw.Intn(12) {
		i := draw.Intn(len(edges))
		at += span * float64(draw.Intn(100)) / 100
		there[i] = !there[i]
		w.changes = append(w.changes, netem.Change{At: instant(at), A: edges[i][0], B: edges[i][1], Up: there[i]})
	}
	return w
}

func shuffled(n int, draw des.Stream) []election.Rank {
	ids := electiontest.Increasing(n)
	for i := range ids {
		j := i + draw.Intn(n-i)
		ids[i], ids[j] = ids[j], ids[i]
	}
	return electiontest.Ranks(ids...)
}

// crashes adds some crashes to a random world. Half of the processes recover.
func (w *world) crashes() {
	draw := des.NewStream(w.seed, "crashes")
	for range draw.Intn(3) {
		at := electiontest.At{ID: protocols.ID(draw.Intn(len(w.graph))), Time: time.Duration(1+draw.Intn(200)) * unit}
		w.crash = append(w.crash, at)
		if draw.Intn(2) == 0 {
			at.Time += time.Duration(1+draw.Intn(200)) * unit
			w.recover = append(w.recover, at)
		}
	}
}

// last is the instant of the last change, crash or recovery.
func (w *world) last() (at time.Duration) {
	for _, c := range w.changes {
		at = max(at, time.Duration(c.At))
	}
	for _, c := range slices.Concat(w.crash, w.recover) {
		at = max(at, c.Time)
	}
	return at
}
