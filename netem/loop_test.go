package netem_test

import (
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// ticker sets a timer again whenever it expires, and does more.
type ticker struct {
	State int
	Tick  func(n node, t *ticker) `explore:"-"`
}

func (t *ticker) Start(n node) { n.SetTimer(1, ms) }

func (t *ticker) Receive(node, protocols.ID, note) {}

func (t *ticker) Timeout(n node, _ protocols.Timer) { t.Tick(n, t) }

// A run in which timers go round for ever ends by itself, exactly if nothing new can happen.
func TestLoops(t *testing.T) {
	again := func(n node, _ *ticker) { n.SetTimer(1, ms) }
	for name, c := range map[string]struct {
		tick   func(n node, t *ticker)
		more   func(net *netem.Network[note])
		change func(c *netem.Config)
		end    netem.End
		period int // in events; 0 without a loop
	}{
		"the same":  {tick: again, end: netem.Repeating, period: 2},
		"in turn":   {tick: func(n node, t *ticker) { t.State = (t.State + 1) % 5; again(n, t) }, end: netem.Repeating, period: 10},
		"not asked": {tick: again, change: func(c *netem.Config) { c.Loops = false }, end: netem.OutOfEvents},
		"many":      {tick: again, change: func(c *netem.Config) { c.Topology = netem.Ring(5000) }, end: netem.OutOfEvents},
		"late":      {tick: again, change: func(c *netem.Config) { c.Late = c.Delay }, end: netem.OutOfEvents},
		"a crash":   {tick: again, more: func(net *netem.Network[note]) { net.CrashAt(0, at(30_000)); net.CrashAt(1, at(30_000)) }, end: netem.Quiescent},
		"until":     {tick: again, change: func(c *netem.Config) { c.Until = at(1_000_000) }, end: netem.OutOfEvents},
		"opposed":   {tick: again, more: func(net *netem.Network[note]) { net.Oppose(&foe{}) }, end: netem.OutOfEvents},
		"drifting":  {tick: again, more: func(net *netem.Network[note]) { net.AdjustClock(0, ms, 1) }, end: netem.OutOfEvents},
		"draws":     {tick: func(n node, t *ticker) { n.Intn(2); again(n, t) }, end: netem.OutOfEvents},
		"a clock": {tick: func(n node, t *ticker) {
			if n.Now() < 30_000*ms {
				again(n, t)
			}
		}, end: netem.Quiescent},
		"a count": {tick: func(n node, t *ticker) {
			if t.State++; t.State < 30_000 {
				again(n, t)
			}
		}, end: netem.Quiescent},
		"a message": {tick: func(n node, t *ticker) {
			if t.State = (t.State + 1) % 1000; t.State == 0 {
				n.Send(n.Neighbor(0), note{})
			}
			again(n, t)
		}, end: netem.OutOfEvents},
		"for longer": {tick: func(n node, t *ticker) { t.State++; n.SetTimer(1, ms+time.Duration(t.State)) }, end: netem.OutOfEvents},
	} {
		prints := map[uint64]bool{}
		for _, traced := range []bool{false, true} {
			cfg := lockstep(netem.Ring(2))
			cfg.MaxEvents, cfg.Loops = 80_000, true
			if c.change != nil {
				c.change(&cfg)
			}
			net := netem.New(cfg, func(protocols.ID) protocols.Process[note] { return &ticker{Tick: c.tick} })
			if traced {
				net.Trace(&recorder{})
			}
			if c.more != nil {
				c.more(net)
			}
			for p := range cfg.Topology.Len() {
				net.StartAt(protocols.ID(p), 0)
			}
			end, loop := net.Run(t.Context()), net.Loop()
			if end != c.end || loop.Events != uint64(c.period) || loop.Period != time.Duration(c.period/2)*ms || (loop.After > 0) != (c.period > 0) {
				t.Errorf("%s, traced %v: %v after %d events, %+v; want %v, %d", name, traced, end, net.Counters().Events, loop, c.end, c.period)
			}
			prints[net.Fingerprint()] = true
		}
		if len(prints) > 1 {
			t.Errorf("%s: the traced run ends at another event", name)
		}
	}
}
