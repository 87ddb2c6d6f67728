package netem_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Two bursts of messages on each link, and between them a fault that changes links: the driver of
// Links sees the same fates, at the same instants, as the messages of a Network do.
func TestLinksDecideAsANetworkDoes(t *testing.T) {
	for _, c := range []struct {
		name, line, then string
		change           func(*netem.Config)
	}{
		{name: "delays only", line: ""},
		{name: "all clauses", line: "loss 20% duplicate 30% 10% corrupt 10% reorder 20% gap 3 delay 1ms 300us distribution normal"},
		{name: "bursts and a queue", line: "loss gemodel 10% 40% limit 20 rate 1mbit"},
		{name: "slots", line: "slot 200us 600us packets 7 loss 5% duplicate 20%"},
		{name: "a fault on slots", line: "slot 200us 600us packets 7", then: "loss 30%"},
		{name: "a fault", line: "", then: "loss 30% duplicate 10%"},
		{name: "unordered", line: "loss 5%", change: func(c *netem.Config) { c.FIFO = false }},
		{name: "as tc", line: "loss 5% 25% duplicate 10% 25%", change: func(c *netem.Config) { c.Mode = impair.Compat }},
		{name: "stable from 2ms on", line: "loss 50%", change: func(c *netem.Config) { c.Delta, c.GST = ms/2, at(2) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := netem.Config{Topology: netem.Complete(3), Delay: des.Uniform(0, ms), FIFO: true, Seed: 7}
			if c.line != "" {
				cfg.Lines = []netem.Line{{Links: links.Set{}, Line: mustParse(t, c.line)}}
			}
			if c.change != nil {
				c.change(&cfg)
			}
			var fault *impair.Line
			if c.then != "" {
				fault = mustParse(t, c.then)
			}
			want, got := ofNetwork(t, cfg, fault), ofLinks(cfg, fault)
			if !reflect.DeepEqual(got, want) {
				for _, k := range slices.Sorted(maps.Keys(want)) {
					if !slices.Equal(got[k], want[k]) {
						t.Fatalf("message %s: %v; want %v", k, got[k], want[k])
					}
				}
				t.Fatalf("%d fates; want %d", len(got), len(want))
			}
		})
	}
}

func mustParse(t *testing.T, line string) *impair.Line {
	t.Helper()
	l, err := impair.Parse(line, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// burst is the number of messages of a burst on each link.
const burst = 100

// fates has what happened to each message, sorted.
type fates map[string][]string

func (f fates) add(from, to protocols.ID, x int, what string, at des.Time) {
	k := fmt.Sprintf("%d->%d #%03d", from, to, x)
	if what == "lose" { // at the instant at which it was sent
		at = 0
	}
	f[k] = append(f[k], fmt.Sprintf("%s %v", what, at))
	slices.Sort(f[k])
}

func (f fates) Record(r netem.Record) {
	if m, ok := r.Message.(note); ok {
		f.add(r.From, r.Who, m.x, r.What, r.At)
	}
}

// ofNetwork sends the bursts on a network, at 0 and at 4 ms. The fault begins at 3 ms.
func ofNetwork(t *testing.T, cfg netem.Config, fault *impair.Line) fates {
	send := func(n node, first int) {
		for port := range n.Degree() {
			for x := range burst {
				n.Send(n.Neighbor(port), note{x: first + x})
			}
		}
	}
	net := netem.New(cfg, all(script{
		start:   func(n node) { send(n, 0); n.SetTimer(0, 4*ms) },
		timeout: func(n node, _ protocols.Timer) { send(n, burst) },
	}))
	f := fates{}
	net.Trace(f)
	if fault != nil {
		net.Oppose(&foe{due: func(uint32) { net.SetLine(links.Set{}, fault) }})
		net.InterveneAt(at(3), 0)
	}
	for p := range protocols.ID(3) {
		net.StartAt(p, 0)
	}
	finish(t, net)
	return f
}

// sending is a message that ofLinks hands to a link, or the service of a link.
type sending struct {
	from, to protocols.ID
	x        int // negative for a service
}

// ofLinks does the same with Links.
func ofLinks(cfg netem.Config, fault *impair.Line) fates {
	f, l := fates{}, netem.NewLinks(&cfg)
	queue := des.NewQueue[sending]()
	for p := range protocols.ID(3) {
		for port := range 2 {
			for x := range 2 * burst {
				queue.At(des.Time(x/burst)*at(4), des.Delivery, sending{p, cfg.Topology.Neighbor(p, port), x})
			}
		}
	}
	waiting := map[uint32]int{} // copies by token, which is the number of the message and once more
	arrive := func(s sending, x int, c impair.Copy) {
		what := "deliver"
		if c.Corrupt != 0 {
			what = "damaged"
		}
		f.add(s.from, s.to, x, what, c.At)
	}
	offer := func(now des.Time, s sending, token uint32) {
		fate := l.Offer(now, s.from, s.to, 0, note{x: s.x}.Bits(), token)
		for _, c := range fate.Copies[:fate.N] {
			arrive(s, s.x, c)
		}
		if fate.N+fate.Queued == 0 {
			f.add(s.from, s.to, s.x, "lose", now)
		}
		waiting[token] = fate.Queued
	}
	tokens := map[uint32]int{}
	changed := fault == nil
	for {
		e, ok := queue.Next()
		if !ok {
			return f
		}
		if !changed && e.At >= at(3) {
			l.SetLine(links.Set{}, fault)
			changed = true
		}
		s := e.Item
		if s.x < 0 {
			for {
				token, c, ok := l.Serve(e.At, s.from, s.to)
				if !ok {
					break
				}
				arrive(s, tokens[token], c)
				waiting[token]--
			}
		} else {
			for _, token := range l.Refresh(e.At, s.from, s.to) {
				for range waiting[token] {
					offer(e.At, sending{s.from, s.to, tokens[token]}, token)
				}
			}
			token := uint32(len(tokens) + 1)
			tokens[token] = s.x
			offer(e.At, s, token)
		}
		if next, ok := l.NextService(e.At, s.from, s.to); ok {
			queue.At(next, des.Delivery, sending{s.from, s.to, -1})
		}
	}
}
