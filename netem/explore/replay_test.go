package explore

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// conductor is an adversary that has a network do what the steps of a run say, a millisecond each.
// Processes are told of their links in the millisecond of the change.
type conductor struct {
	net     *netem.Network[count]
	steps   map[moment]Step
	arrives map[uint64]des.Time // by number of the message
	step    Step
	sends   int // in this step
	sent    uint64
}

// moment is when and where a step happens.
type moment struct {
	at  des.Time
	who protocols.ID
}

func (c *conductor) Due(uint32) {}

func (c *conductor) Steps(who protocols.ID, _ int) {
	c.step, c.sends = c.steps[moment{c.net.Now(), who}], 0
}

func (c *conductor) Leaves(protocols.ID, protocols.ID, int) (leaves, crash bool) {
	c.sends++
	switch c.step.Sends {
	case 0:
		return false, true
	case c.sends:
		return true, true
	}
	return true, false
}

func (c *conductor) Sent(protocols.ID, protocols.ID, int) (int, time.Duration, func(int64) int64) {
	c.sent++
	at, known := c.arrives[c.sent]
	if !known {
		at = des.Time(time.Hour) // its link or its receiver is gone by then
	}
	return 1, time.Duration(at - c.net.Now()), nil
}

func (c *conductor) Arrives(protocols.ID, protocols.ID, int) (time.Duration, bool) { return 0, false }
func (c *conductor) Expires(protocols.ID) time.Duration                            { return 0 }

// conducted runs steps on a network. played are the records of the same steps.
func conducted(t *testing.T, s *System[count], steps []Step, played []netem.Record) ([]netem.Record, netem.Counters) {
	c := &conductor{steps: map[moment]Step{}, arrives: map[uint64]des.Time{}}
	c.net = netem.New(netem.Config{Topology: s.Topology, FIFO: s.FIFO, Delay: des.Constant(0)}, s.Roots[0].Boot)
	times, at := make([]des.Time, len(steps)+1), des.Time(0)
	for i, step := range steps {
		if step.What != LinkUp && step.What != LinkDown {
			at += des.Time(time.Millisecond)
		}
		times[i+1] = at
		switch step.What {
		case Start:
			c.net.StartAt(step.Who, at)
		case Crash:
			c.net.CrashAt(step.Who, at)
		case Up, Down:
			c.net.ChangeAt(netem.Change{At: at, A: step.Who, B: step.From, Up: step.What == Up})
			continue
		}
		c.steps[moment{at, step.Who}] = step
	}
	for _, r := range played {
		if r.What == "deliver" {
			c.arrives[r.Number] = times[r.Step]
		}
	}
	var all records
	c.net.Oppose(c)
	c.net.Trace(&all)
	if end := c.net.Run(context.Background()); end != netem.Quiescent {
		t.Fatal(end)
	}
	return all, c.net.Counters()
}

// happened is a run without its times, and without the messages that are lost: the network notices that
// when they would have arrived.
func happened(all []netem.Record) (texts []string) {
	for _, r := range all {
		if r.What == "cut" || r.What == "lost" {
			continue
		}
		r.At, r.Step, r.Note = 0, 0, fmt.Sprint(r.Note, " left ", r.Left)
		for _, s := range r.Sent {
			r.Note += fmt.Sprint(" number ", s.Number)
		}
		texts = append(texts, r.Text(r.Note))
	}
	return texts
}

// A run of the explorer in which links change is played in the same way by the network, with its own
// moving graph: the same processes are told of the same links, the same messages leave, as one or as
// many, and arrive, and the same are lost.
func TestNetworkPlaysLinkChanges(t *testing.T) {
	amid, changes, cut := 0, 0, uint64(0)
	for _, c := range []struct {
		topology netem.Topology
		budget   Budget
	}{
		{netem.Complete(3), Budget{LinkChanges: 4}},
		{netem.Complete(3), Budget{LinkChanges: 3, Crashes: 1}},
		{netem.Ring(3), Budget{LinkChanges: 3, Crashes: 2}},
		{netem.Complete(4), Budget{LinkChanges: 6, Crashes: 1}},
	} {
		var all []protocols.ID
		for p := range protocols.ID(c.topology.Len()) {
			all = append(all, p)
		}
		s := rumors(c.topology, Network{FIFO: true, Budget: c.budget}, all...)
		o := Options{Strategy: RandomWalk, Sampling: Sampling{Runs: 300, Seed: 1}}
		o.Each = func(_ int, steps []Step, _ []protocols.Verdict) {
			p, played := NewPlayer(s, 0), records(nil)
			p.Trace(&played)
			for _, step := range steps {
				if err := p.Step(step); err != nil {
					t.Fatalf("%v: %v", steps, err)
				}
				if step.Sends >= 0 {
					amid++
				}
			}
			changes += c.budget.LinkChanges - p.left.LinkChanges
			done, counted := conducted(t, s, steps, played)
			if got, want := happened(done), happened(played); !slices.Equal(got, want) {
				t.Fatalf("steps %v:\nthe network does\n%q\nthe player\n%q", steps, got, want)
			}
			mine := p.Counters()
			cut += mine.Cut
			for _, k := range []*netem.Counters{&mine, &counted} {
				if k.Messages()+k.Fanned != k.Delivered+k.ToDead+k.Cut+k.Unheard {
					t.Fatalf("steps %v: not conserved: %+v", steps, *k)
				}
				k.Cut, k.ToDead, k.Events, k.LastMessage = k.Cut+k.ToDead, 0, 0, 0
			}
			if fmt.Sprint(mine) != fmt.Sprint(counted) {
				t.Fatalf("steps %v: the network counts\n%+v\nthe player\n%+v", steps, counted, mine)
			}
		}
		if _, err := Explore(context.Background(), s, o); err != nil {
			t.Fatal(err)
		}
	}
	if amid < 100 || changes < 3_000 || cut < 1_000 {
		t.Errorf("%d crashes in mid-step, %d changes, %d messages cut: too few", amid, changes, cut)
	}
}

// With notices at any time the player takes each step of a walk, and is at rest at its end. No process
// can be told of what it knows, or of what comes later: nothing else is possible there than what the
// explorer has.
func TestLateNoticesArePlayed(t *testing.T) {
	s := rumors(netem.Complete(3), Network{FIFO: true, Budget: Budget{LinkChanges: 4, Crashes: 1, Restarts: 1}, Notice: AnyNotice}, 0, 1, 2)
	late := 0
	o := Options{Strategy: RandomWalk, Sampling: Sampling{Runs: 500, Seed: 2}}
	o.Each = func(_ int, steps []Step, _ []protocols.Verdict) {
		p := NewPlayer(s, 0)
		for i, step := range steps {
			possible := map[string]bool{}
			sp := newSpace(s)
			f := &follower{x: newExpander(sp), at: sp.begin(0), run: &Run{}}
			if i == len(steps)/2 { // following the walk so far is slow
				for _, before := range steps[:i] {
					f.step("on", func(m move) bool { return f.x.stepOf(m).String() == before.String() })
				}
				f.x.expand(&f.at, everyone, func(m move) { possible[f.x.stepOf(m).String()] = true })
				for who := range protocols.ID(3) {
					for other := range protocols.ID(3) {
						for _, what := range []StepKind{LinkUp, LinkDown} {
							told := Step{What: what, Who: who, From: other, Sends: -1}
							if err := p.Possible(told); (err == nil) != possible[told.String()] {
								t.Fatalf("after %v, %v: the player says %v, the explorer has %v", steps[:i], told, err, possible)
							}
						}
					}
				}
			}
			if len(p.notices) > 0 && step.What != LinkUp && step.What != LinkDown {
				late++
			}
			if err := p.Step(step); err != nil {
				t.Fatalf("%v: %v", steps, err)
			}
		}
		if !p.Rest() {
			t.Fatalf("%v: not at rest", steps)
		}
	}
	if _, err := Explore(context.Background(), s, o); err != nil {
		t.Fatal(err)
	}
	if late < 1_000 {
		t.Errorf("%d steps while a process was to be told: too few", late)
	}
}
