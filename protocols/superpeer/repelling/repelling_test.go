package repelling_test

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
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/superpeer"
	"bullring/protocols/superpeer/repelling"
)

type message = repelling.Message

const unit = time.Millisecond

func space(t testing.TB, points [][]int64) *repelling.Space {
	t.Helper()
	s, err := repelling.NewSpace(points)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// random are n points in so many dimensions.
func random(n, dimensions int, seed uint64) [][]int64 {
	stream := des.NewStream(seed, "points")
	points := make([][]int64, n)
	for p := range points {
		for range dimensions {
			points[p] = append(points[p], int64(stream.Intn(repelling.Side)))
		}
	}
	return points
}

// line are points on a line.
func line(xs ...int64) [][]int64 {
	var points [][]int64
	for _, x := range xs {
		points = append(points, []int64{x})
	}
	return points
}

// outcome is the outcome of a run.
type outcome struct {
	*superpeer.Tokens
	sent   []int
	checks []protocols.Check
	quiet  time.Duration
}

func (o outcome) allHold() bool {
	return !slices.ContainsFunc(o.checks, func(c protocols.Check) bool { return c.Verdict != protocols.Holds })
}

func run(t testing.TB, points [][]int64, cfg repelling.Config, delay des.Distribution, seed uint64, trace io.Writer) outcome {
	t.Helper()
	s, n := space(t, points), len(points)
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: delay, Seed: seed, MaxEvents: 1 << 24},
		func(p protocols.ID) protocols.Process[message] { return repelling.New(p, s, cfg) })
	w := &watch{net, superpeer.NewTokens(n, cfg.Holders, cfg.Hold)}
	net.Observe(w)
	if trace != nil {
		net.Trace(netem.TextTrace(trace, func(p protocols.ID) string {
			token, holds := w.keeper(p).Token()
			switch {
			case w.keeper(p).Serves():
				return fmt.Sprintf("superpeer with token %d", token)
			case holds:
				return fmt.Sprintf("holds token %d", token)
			}
			return ""
		}))
	}
	for p := range n {
		net.StartAt(protocols.ID(p), 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	c := net.Counters()
	o := outcome{Tokens: w.checker, checks: w.checker.Checks(true), quiet: time.Duration(c.LastMessage)}
	for _, k := range c.Sent {
		o.sent = append(o.sent, int(k))
	}
	return o
}

// watch tells the checker of every step.
type watch struct {
	net     *netem.Network[message]
	checker *superpeer.Tokens
}

func (w *watch) keeper(p protocols.ID) superpeer.Keeper { return w.net.Process(p).(superpeer.Keeper) }

func (w *watch) Stepped(p protocols.ID) {
	w.checker.Stepped(p, w.keeper(p), time.Duration(w.net.Now()))
}
func (w *watch) Started(p protocols.ID)   { w.Stepped(p) }
func (w *watch) Crashed(p protocols.ID)   { w.checker.Crashed(p) }
func (w *watch) Restarted(p protocols.ID) { w.Stepped(p) }

func holders(k int) []protocols.ID {
	var at []protocols.ID
	for p := range k {
		at = append(at, protocols.ID(p))
	}
	return at
}

func evenness(points [][]int64, at []protocols.ID) float64 {
	var where [][2]float64
	for _, p := range at {
		where = append(where, [2]float64{float64(points[p][0]), float64(points[p][1])})
	}
	return superpeer.Evenness(where, repelling.Side*repelling.Side)
}

// Tokens that begin at random places end evenly spread, on any schedule; there are as
// many at any time; each makes a superpeer.
func TestSpread(t *testing.T) {
	refused := 0
	for _, c := range []struct{ n, tokens int }{{100, 9}, {300, 16}, {400, 25}} {
		before, after, moves := 0.0, 0.0, 0
		const runs = 8
		for seed := range uint64(runs) {
			points := random(c.n, 2, seed)
			cfg := repelling.Config{
				Holders: holders(c.tokens), Period: 10 * unit, Rounds: 60, Fanout: 3, Hold: 200 * unit,
				Reach: repelling.Reach(c.tokens, 2), Threshold: repelling.Side / 100,
			}
			o := run(t, points, cfg, des.Exponential(unit), seed, nil)
			if !o.allHold() || o.Superpeers() != c.tokens {
				t.Fatalf("n=%d, %d tokens, seed %d: %d superpeers, %+v", c.n, c.tokens, seed, o.Superpeers(), o.checks)
			}
			if o.sent[repelling.Offer] != o.sent[repelling.Accept]+o.sent[repelling.Refuse] || o.sent[repelling.Accept] != o.sent[repelling.Token] || o.sent[repelling.Token] != o.Moves() {
				t.Fatalf("n=%d, seed %d: %d moves, sent %v", c.n, seed, o.Moves(), o.sent)
			}
			if o.sent[repelling.Gossip] > c.n*cfg.Fanout*cfg.Rounds {
				t.Fatalf("n=%d, seed %d: %d GOSSIP", c.n, seed, o.sent[repelling.Gossip])
			}
			before += evenness(points, o.First()) / runs
			after += evenness(points, o.At()) / runs
			moves += o.Moves()
			refused += o.sent[repelling.Refuse]
		}
		t.Logf("n=%d, %d tokens: evenness %.3f before, %.3f after, %d moves", c.n, c.tokens, before, after, moves/runs)
		if before > 1.35 || after < 1.7 {
			t.Errorf("n=%d, %d tokens: evenness %v before, %v after", c.n, c.tokens, before, after)
		}
	}
	if refused == 0 {
		t.Error("no offer was refused")
	}
}

// Two tokens side by side: when the second hears of the first it moves on, as far as
// the force reaches, and not to the nearest.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	o := run(t, line(0, 100, 3000, 5000, 20000), repelling.Config{
		Holders: holders(2), Period: 10 * unit, Rounds: 2, Fanout: 2, Hold: 30 * unit, Reach: 10000, Threshold: 100,
	}, des.Constant(unit), 4, &trace)
	golden.Check(t, "two-tokens.txt", trace.Bytes())
	if want := []protocols.ID{0, 3}; !slices.Equal(o.At(), want) || !o.allHold() || o.Moves() != 1 {
		t.Errorf("tokens at %v, want %v; %+v", o.At(), want, o.checks)
	}
}

// A token stays if the force is at most the threshold, if no process lies ahead, and if it
// is no better there.
func TestStays(t *testing.T) {
	cfg := repelling.Config{Holders: holders(2), Period: 10 * unit, Rounds: 4, Fanout: 3, Hold: 100 * unit, Reach: 1000}
	for name, c := range map[string]struct {
		points    [][]int64
		threshold int64
	}{
		"weak force":  {line(0, 400, 700), 600},
		"nobody":      {line(0, 400), 0},
		"out of both": {line(0, 1000, 1500), 0},
		"too far":     {line(0, 400, 701), 0},
	} {
		cfg.Threshold = c.threshold
		if o := run(t, c.points, cfg, des.Constant(unit), 1, nil); o.Moves() != 0 || !o.allHold() {
			t.Errorf("%s: %d moves, %+v", name, o.Moves(), o.checks)
		}
	}
	cfg.Threshold = 599
	if o := run(t, line(0, 400, 700), cfg, des.Constant(unit), 1, nil); o.Moves() != 1 || o.sent[repelling.Token] != 1 {
		t.Errorf("%d moves of a force above the threshold", o.Moves())
	}
}

// Every process tells Fanout others in each round, fewer where one is drawn twice; the last
// superpeer is made Hold after the last move.
func TestCost(t *testing.T) {
	o := run(t, line(0, 9), repelling.Config{Holders: holders(1), Period: 10 * unit, Rounds: 7, Fanout: 3, Hold: 5 * unit}, des.Constant(unit), 1, nil)
	if want := []int{14, 0, 0, 0, 0}; !slices.Equal(o.sent, want) || o.quiet != 71*unit {
		t.Errorf("sent %v until %v, want %v until 71ms", o.sent, o.quiet, want)
	}
	o = run(t, line(7), repelling.Config{Holders: holders(1), Period: unit, Rounds: 3, Fanout: 1, Hold: 5 * unit}, des.Constant(unit), 1, nil)
	if o.Superpeers() != 1 || !o.allHold() {
		t.Errorf("a process alone: %+v", o.checks)
	}
}

// In three dimensions tokens spread, too.
func TestThreeDimensions(t *testing.T) {
	const n, tokens = 200, 8
	points := random(n, 3, 1)
	s := space(t, points)
	closest := func(at []protocols.ID) int64 {
		least := int64(repelling.Side)
		for i, p := range at {
			for _, q := range at[:i] {
				sum := int64(0)
				for k, x := range s.At(p) {
					sum += (x - s.At(q)[k]) * (x - s.At(q)[k])
				}
				least = min(least, repelling.Root(sum))
			}
		}
		return least
	}
	o := run(t, points, repelling.Config{
		Holders: holders(tokens), Period: 10 * unit, Rounds: 60, Fanout: 3, Hold: 200 * unit, Reach: repelling.Reach(tokens, 3), Threshold: repelling.Side / 100,
	}, des.Exponential(unit), 1, nil)
	if before, after := closest(o.First()), closest(o.At()); !o.allHold() || after < 2*before {
		t.Errorf("the closest tokens are %d apart, and were %d; %+v", after, before, o.checks)
	}
}

func TestRoot(t *testing.T) {
	for x := range int64(5000) {
		if r := repelling.Root(x); r*r > x || (r+1)*(r+1) <= x {
			t.Fatalf("the root of %d is %d", x, r)
		}
	}
	if r := repelling.Root(1<<62 - 1); r != 1<<31-1 {
		t.Errorf("the root of 2^62-1 is %d", r)
	}
}

func TestSpace(t *testing.T) {
	for _, points := range [][][]int64{nil, {{}}, {{1}, {1, 2}}, {{-1}}, {{repelling.Side}}} {
		if _, err := repelling.NewSpace(points); err == nil {
			t.Errorf("%v is accepted", points)
		}
	}
	for _, c := range []struct {
		tokens, dimensions int
		want               int64
	}{{1, 2, 49152}, {4, 2, 24576}, {9, 2, 16384}, {15, 2, 16384}, {16, 2, 12288}, {8, 3, 24576}} {
		if got := repelling.Reach(c.tokens, c.dimensions); got != c.want {
			t.Errorf("%d tokens in %d dimensions reach %d, want %d", c.tokens, c.dimensions, got, c.want)
		}
	}
}

func TestPanics(t *testing.T) {
	s := space(t, line(1, 2))
	good := repelling.Config{Holders: holders(1), Period: unit, Rounds: 1, Fanout: 1, Hold: unit}
	for name, change := range map[string]func(*repelling.Config){
		"period":      func(c *repelling.Config) { c.Period = 0 },
		"rounds":      func(c *repelling.Config) { c.Rounds = 0 },
		"fanout":      func(c *repelling.Config) { c.Fanout = -1 },
		"hold":        func(c *repelling.Config) { c.Hold = 0 },
		"reach":       func(c *repelling.Config) { c.Reach = -1 },
		"threshold":   func(c *repelling.Config) { c.Threshold = -1 },
		"holder":      func(c *repelling.Config) { c.Holders = []protocols.ID{2} },
		"two tokens":  func(c *repelling.Config) { c.Holders = []protocols.ID{1, 1} },
		"no process":  func(c *repelling.Config) { c.Holders = []protocols.ID{-1} },
		"far too far": func(c *repelling.Config) { c.Reach = 2*repelling.Side + 1 },
	} {
		cfg := good
		change(&cfg)
		mustPanic(t, name, func() { repelling.New(0, s, cfg) })
	}
	mustPanic(t, "unknown type", func() { repelling.New(0, s, good).Receive(nil, 1, message{Type: 5}) })
	mustPanic(t, "timer", func() { repelling.New(0, s, good).Timeout(nil, 5) })
	// Answers to no question are ignored.
	p := repelling.New(0, s, good)
	p.Receive(nil, 1, message{Type: repelling.Accept})
	p.Receive(nil, 1, message{Type: repelling.Refuse})
	if _, holds := p.Token(); !holds || p.Serves() {
		t.Error("an answer that nobody asked for has an effect")
	}
}

func mustPanic(t *testing.T, name string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	f()
}

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		m    message
		bits int
		text string
	}{
		{message{Type: repelling.Gossip, Seen: []repelling.Sighting{{At: 3}, {At: -1, Moves: -1}, {At: 0, Moves: 4}}}, 8 + 384, "GOSSIP(0@3 1@? 2@0:4)"},
		{message{Type: repelling.Offer, Token: 1}, 72, "OFFER(1)"},
		{message{Type: repelling.Accept}, 8, "ACCEPT"},
		{message{Type: repelling.Refuse}, 8, "REFUSE"},
		{message{Type: repelling.Token, Token: 1, Moves: 2}, 136, "TOKEN(1:2)"},
	} {
		if c.m.Bits() != c.bits || c.m.String() != c.text || c.m.Kinds()[c.m.Kind()] != c.text[:len(c.m.Kinds()[c.m.Kind()])] {
			t.Errorf("%v has %d bits, want %s with %d", c.m, c.m.Bits(), c.text, c.bits)
		}
	}
}

// explored watches tokens for the explorer.
type explored struct{ checker *superpeer.Tokens }

func (w *explored) note(p protocols.ID, process any, now time.Duration) {
	w.checker.Stepped(p, process.(superpeer.Keeper), now)
}

func (w *explored) Started(p protocols.ID, process any, now time.Duration)   { w.note(p, process, now) }
func (w *explored) Received(p protocols.ID, process any, now time.Duration)  { w.note(p, process, now) }
func (w *explored) Expired(p protocols.ID, process any, now time.Duration)   { w.note(p, process, now) }
func (w *explored) Restarted(p protocols.ID, process any, now time.Duration) { w.note(p, process, now) }
func (w *explored) Crashed(p protocols.ID, _ time.Duration)                  { w.checker.Crashed(p) }

func (w *explored) Verdicts(rest bool) []protocols.Verdict {
	checks, moved := w.checker.Checks(rest), protocols.Undecided
	if w.checker.Settled() && w.checker.At()[1] == 2 {
		moved = protocols.Holds
	}
	return []protocols.Verdict{checks[0].Verdict, checks[1].Verdict, checks[2].Verdict, moved}
}

// Every run of two tokens among three processes, with timers that expire at any time.
func TestExplore(t *testing.T) {
	s := space(t, line(0, 100, 1000))
	r, err := explore.Explore(t.Context(), &explore.System[message]{
		Topology: netem.Complete(3), Network: explore.Network{FIFO: true},
		Properties: []explore.Property{
			{Name: "tokens", Kind: explore.Always}, {Name: "held", Kind: explore.Always}, {Name: "promoted", Kind: explore.Eventually},
			{Name: "moved", Kind: explore.Sometimes},
		},
		Roots: []explore.Root[message]{{
			Boot: func(p protocols.ID) protocols.Process[message] {
				return repelling.New(p, s, repelling.Config{Holders: holders(2), Period: unit, Rounds: 1, Fanout: 1, Hold: 3 * unit, Reach: 2000, Threshold: 10})
			},
			Initiators: []protocols.ID{0, 1, 2},
			Watch:      &explored{superpeer.NewTokens(3, holders(2), -1)},
		}},
	}, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Properties {
		if p.Verdict != protocols.Holds {
			t.Errorf("%s %v, %v", p.Name, p.Verdict, r.Counterexample)
		}
	}
	if !r.Complete || r.States != 937 || r.Transitions != 2807 {
		t.Errorf("complete %v, %d states and %d transitions, want 937 and 2807", r.Complete, r.States, r.Transitions)
	}
}
