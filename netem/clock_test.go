package netem_test

import (
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

func TestClocks(t *testing.T) {
	for _, c := range []struct {
		name   string
		adjust func(net *netem.Network[note])
		want   []string
	}{
		{"right", func(net *netem.Network[note]) {}, []string{"1s: shows 1s", "2s: shows 2s"}},
		{"ahead from the start", func(net *netem.Network[note]) { net.AdjustClock(0, time.Minute, 0) },
			[]string{"1s: shows 1m1s", "2s: shows 1m2s"}},
		{"twice as fast", func(net *netem.Network[note]) { net.AdjustClock(0, 0, 1e9) }, []string{"500ms: shows 1s", "1s: shows 2s"}},
		{"100 ppm slow", func(net *netem.Network[note]) { net.AdjustClock(0, 0, -100_000) },
			[]string{"1.00010001s: shows 1s", "2.00020002s: shows 2s"}},
		{"of somebody else", func(net *netem.Network[note]) { net.AdjustClock(1, time.Hour, 5e8) }, []string{"1s: shows 1s", "2s: shows 2s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := clocked()
			c.adjust(d.net)
			d.net.StartAt(0, 0)
			finish(t, d.net)
			d.want(t, c.want...)
		})
	}
}

// clocked is a process that sets a timer to a second of its clock, twice.
func clocked() *diary {
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(2)), all(script{
		start: func(n node) { n.SetTimer(0, time.Second) },
		timeout: func(n node, label protocols.Timer) {
			d.write("shows %v", n.Now())
			if label == 0 {
				n.SetTimer(1, time.Second)
			}
		},
	}))
	return d
}

// A step of the clock brings armed timers forward. A timer whose time has passed expires at
// once.
func TestClockStep(t *testing.T) {
	d := clocked()
	d.net.Oppose(&foe{due: func(token uint32) {
		switch token {
		case 0:
			d.net.AdjustClock(0, 300*ms, 0)
		case 1:
			d.net.AdjustClock(0, -500*ms, 0)
		}
	}})
	d.net.InterveneAt(at(100), 0)  // the first timer comes at 0.7 s
	d.net.InterveneAt(at(1000), 1) // the second at 2.2 s
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "700ms: shows 1s", "2.2s: shows 2s")
	d = clocked()
	d.net.Oppose(&foe{due: func(uint32) { d.net.AdjustClock(0, time.Hour, 0) }})
	d.net.InterveneAt(at(100), 0)
	d.net.StartAt(0, 0)
	finish(t, d.net)
	d.want(t, "100ms: shows 1h0m0.1s", "1.1s: shows 1h0m1.1s")
}
