package multicast_test

import (
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/multicast"
)

const ms = time.Millisecond

// member is a process as a checker sees it.
type member struct {
	multicasts int
	delivered  []multicast.Item
}

func (m *member) Multicasts() int             { return m.multicasts }
func (m *member) Delivered() []multicast.Item { return m.delivered }

// group is a checker, and the processes that it is told of.
type group struct {
	*multicast.Checker
	members []member
}

func newGroup(n int, p multicast.Promise) *group {
	return &group{multicast.NewChecker(n, p), make([]member, n)}
}

func (g *group) multicasts(p protocols.ID, now time.Duration) {
	g.members[p].multicasts++
	g.Stepped(p, &g.members[p], now)
}

// delivers has a process deliver an item of a sender.
func (g *group) delivers(p, sender protocols.ID, number int, now time.Duration) {
	m := &g.members[p]
	m.delivered = append(m.delivered, multicast.Item{Sender: sender, Number: number})
	g.Stepped(p, m, now)
}

// all has all deliver an item.
func (g *group) all(sender protocols.ID, number int, now time.Duration) {
	for p := range g.members {
		g.delivers(protocols.ID(p), sender, number, now)
	}
}

func TestVerdicts(t *testing.T) {
	const h, v, u = protocols.Holds, protocols.Violated, protocols.Undecided
	type verdicts [5]protocols.Verdict // integrity, total order, validity, agreement, FIFO order
	for _, c := range []struct {
		name       string
		tolerant   bool
		happens    func(g *group)
		unfinished bool
		want       verdicts
		which      int // a check
		detail     string
		broke      *protocols.Step
	}{
		{name: "nothing happens", happens: func(*group) {}, want: verdicts{h, h, h, h, h}},
		{name: "nothing happened yet", happens: func(*group) {}, unfinished: true, want: verdicts{u, u, u, u, u}},
		{name: "all deliver", happens: func(g *group) { g.multicasts(0, 0); g.multicasts(1, 0); g.all(1, 1, ms); g.all(0, 1, ms) }, want: verdicts{h, h, h, h, h}},
		{name: "an item of nobody", happens: func(g *group) { g.delivers(0, -1, 1, ms) }, want: verdicts{v, h, h, h, h},
			detail: "process 0 delivered -1.1, which was never multicast", broke: &protocols.Step{Process: 0, At: ms, Change: 1}},
		{name: "an item of a process that there is not", happens: func(g *group) { g.delivers(0, 3, 1, ms) }, want: verdicts{v, h, h, h, h},
			detail: "process 0 delivered 3.1, which was never multicast", broke: &protocols.Step{Process: 0, At: ms, Change: 1}},
		{name: "an item before the first", happens: func(g *group) { g.multicasts(0, 0); g.delivers(0, 0, 0, ms) }, want: verdicts{v, h, v, h, h},
			detail: "process 0 delivered 0.0, which was never multicast", broke: &protocols.Step{Process: 0, At: ms, Change: 1}},
		{name: "an item behind the last", happens: func(g *group) { g.multicasts(0, 0); g.all(0, 1, ms); g.delivers(2, 0, 2, 2*ms) }, want: verdicts{v, h, h, h, h},
			detail: "process 2 delivered 0.2, which was never multicast", broke: &protocols.Step{Process: 2, At: 2 * ms, Change: 4}},
		{name: "an item twice, by all", happens: func(g *group) { g.multicasts(0, 0); g.all(0, 1, ms); g.all(0, 1, 2*ms) }, want: verdicts{v, h, h, h, h},
			detail: "process 0 delivered 0.1 twice", broke: &protocols.Step{Process: 0, At: 2 * ms, Change: 4}},
		{name: "two orders", happens: func(g *group) {
			g.multicasts(0, 0)
			g.multicasts(1, 0)
			g.delivers(0, 0, 1, ms)
			g.delivers(1, 1, 1, 2*ms)
			g.delivers(0, 1, 1, 3*ms)
			g.delivers(1, 0, 1, 4*ms)
			g.delivers(2, 0, 1, 5*ms)
			g.delivers(2, 1, 1, 5*ms)
		}, want: verdicts{h, v, h, h, h}, which: 1,
			detail: "process 1 delivered 1.1 in place 1, where others have 0.1", broke: &protocols.Step{Process: 1, At: 2 * ms, Change: 2}},
		{name: "out of the sender's order", happens: func(g *group) { g.multicasts(0, 0); g.multicasts(0, 0); g.all(0, 2, ms); g.all(0, 1, 2*ms) }, want: verdicts{h, h, h, h, v}, which: 4,
			detail: "process 0 delivered 0.2 out of turn", broke: &protocols.Step{Process: 0, At: ms, Change: 1}},
		{name: "one of its own is lacking", happens: func(g *group) {
			g.multicasts(0, 0)
			g.multicasts(1, 0)
			g.multicasts(1, 0)
			g.all(0, 1, ms)
			g.all(1, 1, ms)
		},
			want: verdicts{h, h, v, h, h}, which: 2, detail: "process 1 never delivered its own 1.2"},
		{name: "the first of its own is lacking", happens: func(g *group) { g.multicasts(1, 0); g.multicasts(1, 0); g.all(1, 2, ms) },
			want: verdicts{h, h, v, h, v}, which: 2, detail: "process 1 never delivered its own 1.1"},
		{name: "one is behind", happens: func(g *group) { g.multicasts(0, 0); g.delivers(0, 0, 1, ms); g.delivers(1, 0, 1, ms) },
			want: verdicts{h, h, h, v, h}, which: 3, detail: "process 2 delivered 0 items, and not 0.1"},
		{name: "one is behind after a crash", happens: func(g *group) {
			g.multicasts(0, 0)
			g.delivers(0, 0, 1, ms)
			g.delivers(1, 0, 1, ms)
			g.Crashed(1, 2*ms)
		}, want: verdicts{h, h, h, u, h}, which: 3, detail: "process 2 delivered 0 items, and not 0.1; a process crashed"},
		{name: "one is behind after a crash that should be survived", tolerant: true, happens: func(g *group) {
			g.multicasts(0, 0)
			g.delivers(0, 0, 1, ms)
			g.Crashed(1, 2*ms)
		}, want: verdicts{h, h, h, v, h}, which: 3, detail: "process 2 delivered 0 items, and not 0.1"},
		{name: "the dead need not deliver their own", happens: func(g *group) { g.multicasts(0, 0); g.Crashed(0, ms) }, want: verdicts{h, h, h, h, h}},
		{name: "what the dead alone delivered is forgotten", happens: func(g *group) {
			g.multicasts(0, 0)
			g.multicasts(1, 0)
			g.delivers(0, 0, 1, ms)
			g.Crashed(0, ms)
			g.Crashed(0, ms)
			g.delivers(1, 1, 1, 2*ms)
			g.delivers(2, 1, 1, 2*ms)
		}, want: verdicts{h, h, h, h, h}},
		{name: "what one delivered that lives is not", happens: func(g *group) {
			g.multicasts(0, 0)
			g.multicasts(1, 0)
			g.delivers(0, 0, 1, ms)
			g.delivers(1, 0, 1, ms)
			g.Crashed(0, ms)
			g.delivers(2, 1, 1, 2*ms)
		}, want: verdicts{h, v, u, h, h}, which: 1, detail: "process 2 delivered 1.1 in place 1, where others have 0.1", broke: &protocols.Step{Process: 2, At: 2 * ms, Change: 3}},
		{name: "who is back has delivered nothing", happens: func(g *group) {
			g.multicasts(1, 0)
			g.all(1, 1, ms)
			g.Crashed(0, 2*ms)
			g.Restarted(0)
			g.members[0] = member{}
			g.delivers(0, 1, 1, 3*ms)
		}, want: verdicts{h, h, h, h, h}},
		{name: "who is back and delivers no more", happens: func(g *group) {
			g.multicasts(1, 0)
			g.all(1, 1, ms)
			g.Crashed(0, 2*ms)
			g.Restarted(0)
		}, want: verdicts{h, h, h, u, h}, which: 3, detail: "process 0 delivered 0 items, and not 1.1; a process crashed"},
	} {
		for _, fifo := range []bool{true, false} {
			g := newGroup(3, multicast.Promise{FIFO: fifo, Tolerant: c.tolerant})
			c.happens(g)
			checks := g.Checks(!c.unfinished)
			if count := map[bool]int{true: 5, false: 4}[fifo]; len(checks) != count {
				t.Fatalf("%s: %d checks", c.name, len(checks))
			}
			safe := true
			for i, check := range checks {
				if want := [...]string{"integrity", "total order", "validity", "agreement", "FIFO order"}[i]; check.Name != want || check.Verdict != c.want[i] {
					t.Errorf("%s: %s %v (%s), want %v", c.name, want, check.Verdict, check.Detail, c.want[i])
				}
				if i == c.which && c.detail != "" {
					if check.Detail != c.detail || (check.Broke == nil) != (c.broke == nil) || c.broke != nil && *check.Broke != *c.broke {
						t.Errorf("%s: %q, broken at %+v; want %q, %+v", c.name, check.Detail, check.Broke, c.detail, c.broke)
					}
				}
				safe = safe && (i == 2 || i == 3 || check.Verdict != v)
			}
			if g.Safe() != safe {
				t.Errorf("%s, FIFO %v: safe is %v", c.name, fifo, g.Safe())
			}
			if complete := checks[2].Verdict == h && checks[3].Verdict == h; !c.unfinished && g.Complete() != complete {
				t.Errorf("%s: complete is %v", c.name, g.Complete())
			}
		}
	}
}

func TestDelays(t *testing.T) {
	g := newGroup(2, multicast.Promise{})
	if mean, longest := g.Delay(); mean != 0 || longest != 0 {
		t.Errorf("of nothing: %v, %v", mean, longest)
	}
	g.multicasts(0, 2*ms)
	g.multicasts(0, 3*ms)
	g.delivers(0, 0, 1, 2*ms) // 0
	g.delivers(1, 0, 1, 6*ms) // 4
	g.delivers(1, 0, 2, 8*ms) // 5
	if mean, longest := g.Delay(); mean != 3*ms || longest != 5*ms || g.Deliveries() != 3 || g.Delivered(1) != 2 {
		t.Errorf("%v, %v; %d deliveries, %d of process 1", mean, longest, g.Deliveries(), g.Delivered(1))
	}
}
