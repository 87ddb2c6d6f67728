package netem_test

import (
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// line parses the line of a link.
func line(t *testing.T, text string) *impair.Line {
	t.Helper()
	l, err := impair.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func set(t *testing.T, text string) links.Set {
	t.Helper()
	s, err := links.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Of several lines for a link the last one counts. A line without a delay has the network's.
func TestLinesOfLinks(t *testing.T) {
	d := broadcast(4, func(c *netem.Config) {
		c.Lines = []netem.Line{
			{Line: line(t, "delay 5ms")},
			{Links: set(t, "0->2"), Line: line(t, "loss 100%")},
			{Links: set(t, "0->3"), Line: line(t, "duplicate 100%")},
		}
	})
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "1ms: 3 has NOTE(3)", "1ms: 3 has NOTE(3)", "5ms: 1 has NOTE(1)")
	conserved(t, d.net)
}

// A line that a fault sets holds for messages that are sent from then on. When the fault takes
// it back, the old line holds again.
func TestLineChangesOnTheWay(t *testing.T) {
	d := broadcast(2, nil)
	d.net.Oppose(&foe{due: func(token uint32) {
		if token == 0 {
			d.net.SetLine(set(t, "0->1"), line(t, "delay 10ms"))
		} else {
			d.net.SetLine(links.Set{}, nil)
		}
	}})
	d.net.InterveneAt(at(5), 0)
	d.net.InterveneAt(at(7), 1)
	for _, k := range []int{0, 4, 5, 6, 16} {
		d.net.StartAt(0, at(k))
	}
	finish(t, d.net)
	d.want(t, "1ms: 1 has NOTE(1)", "5ms: 1 has NOTE(1)", "15ms: 1 has NOTE(1)", "16ms: 1 has NOTE(1)", "17ms: 1 has NOTE(1)")
}

// Messages that wait for a slot are not lost when the line changes.
func TestSlotsAndTheirEnd(t *testing.T) {
	d := broadcast(2, func(c *netem.Config) { c.Lines = []netem.Line{{Line: line(t, "slot 20ms")}} })
	d.net.Oppose(&foe{due: func(uint32) { d.net.SetLine(links.Set{}, line(t, "delay 2ms")) }})
	d.net.InterveneAt(at(30), 0)
	for _, k := range []int{0, 3, 12, 25} {
		d.net.StartAt(0, at(k))
	}
	finish(t, d.net)
	if len(d.lines) != 4 {
		t.Errorf("of 4 messages there arrived %q", d.lines)
	}
	conserved(t, d.net)
}

func TestPartialSynchrony(t *testing.T) {
	const gst, delta = 50, 3
	for seed := range uint64(20) {
		var arrivals []des.Time
		sent := map[int]des.Time{}
		var net *netem.Network[note]
		k := 0
		net = netem.New(netem.Config{
			Topology: netem.Ring(2), Delay: des.Exponential(20 * ms), FIFO: true, Seed: seed,
			Lines: []netem.Line{{Line: line(t, "loss 30%")}}, Delta: delta * ms, GST: at(gst),
		}, all(script{
			start: func(n node) { k++; sent[k] = net.Now(); n.Send(1, note{x: k}) },
			receive: func(_ node, _ protocols.ID, m note) {
				arrivals = append(arrivals, net.Now())
				if limit := max(sent[m.x], at(gst)).Add(delta * ms); net.Now() > limit {
					t.Errorf("sent at %v, arrived at %v, after %v", sent[m.x], net.Now(), limit)
				}
				delete(sent, m.x)
			},
		}))
		for i := range 100 {
			net.StartAt(0, at(i))
		}
		finish(t, net)
		for x, when := range sent {
			if when >= at(gst) {
				t.Errorf("message %d, sent at %v, was lost", x, when)
			}
		}
		if c := net.Counters(); c.Lost == 0 || c.Lost > 40 || c.Reordered > 0 {
			t.Errorf("lost %d of 50, reordered %d", c.Lost, c.Reordered)
		}
		conserved(t, net)
	}
}
