package explore

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"bullring/internal/value"
	"bullring/protocols"
)

// oracle finds the states of a system in another way: it plays every sequence of steps from
// the beginning, on the processes themselves, and keeps those that lead to a state with a
// new text.
type oracle struct {
	system      *System[toyMessage]
	states      map[string]bool
	transitions int
	rests       int
}

func (o *oracle) play(steps []Step) (*Player[toyMessage], Watch, error) {
	p := NewPlayer(o.system, 0)
	w := value.Clone(o.system.Roots[0].Watch)
	p.Observe(&told{player: p, watch: w})
	for _, s := range steps {
		if err := p.Step(s); err != nil {
			return nil, nil, err
		}
		if t := p.observer.(*told); s.What == Deliver && t.stepped {
			w.Received(s.Who, p.seats[s.Who].process, t.now())
		} else if t.stepped {
			w.Expired(s.Who, p.seats[s.Who].process, t.now())
		}
		p.observer.(*told).stepped = false
	}
	return p, w, nil
}

// told passes the calls of an observer on to a watch. A crash in the middle of a step comes
// after the step.
type told struct {
	player  *Player[toyMessage]
	watch   Watch
	stepped bool
}

func (t *told) now() time.Duration { return t.player.Told() }

func (t *told) Started(id protocols.ID) {
	t.watch.Started(id, t.player.seats[id].process, t.now())
}
func (t *told) Stepped(protocols.ID) { t.stepped = true }
func (t *told) Crashed(id protocols.ID) {
	t.watch.Crashed(id, t.now())
}

func (t *told) Restarted(id protocols.ID) {
	t.watch.Restarted(id, t.player.seats[id].process, t.now())
}

// text identifies a state.
func (o *oracle) text(p *Player[toyMessage], w Watch, steps []Step) string {
	seen := *w.(*toyWatch)
	seen.Steps = 0
	if limit := o.system.Limits.Timeouts; limit > 0 {
		seen.Steps = timeoutsIn(steps)
	}
	text := fmt.Sprintf("%+v left %+v", seen, p.left)
	if o.system.Bound > 0 && o.system.Budget.Restarts > 0 {
		text += fmt.Sprint(" at ", p.now)
	}
	for i := range p.seats {
		s := &p.seats[i]
		process := fmt.Sprintf("%#v", s.process)
		if s.crashed {
			process = "dead"
			if o.system.Budget.Restarts > 0 {
				process = fmt.Sprintf("dead %#v", s.process)
			}
		}
		var timers []string
		for _, t := range s.timers {
			timers = append(timers, fmt.Sprint(t.label, " in ", t.at-p.now))
		}
		slices.Sort(timers)
		text += fmt.Sprintf("\n%d: %s crashed %v waits %v boots %v timers %v", i, process, s.crashed, s.waits && !s.crashed, s.boots, timers)
		for j := range p.seats {
			var under []string
			for _, m := range p.links[channel{protocols.ID(i), protocols.ID(j)}] {
				left := uint32(0)
				if o.system.Bound > 0 {
					left = m.until - p.now
				}
				under = append(under, fmt.Sprint(m.content, " ", left))
			}
			if !o.system.FIFO {
				slices.Sort(under)
			}
			text += fmt.Sprintf(" to %d %v", j, under)
		}
	}
	return text
}

// steps are the candidates for steps in a state.
func (o *oracle) steps(p *Player[toyMessage]) (steps []Step) {
	n := protocols.ID(len(p.seats))
	booting := slices.IndexFunc(p.seats, func(s seat[toyMessage]) bool { return s.boots })
	add := func(s Step) {
		for _, choices := range [][]int{nil, {0}, {1}} {
			if (choices != nil) != (s.What == Start) {
				continue // only a process that starts makes choices
			}
			for sends := -1; sends < 3 && (sends < 0 || p.left.Crashes > 0); sends++ {
				s.Choices, s.Sends = choices, sends
				steps = append(steps, s)
			}
		}
	}
	if booting >= 0 {
		return []Step{{What: Boot, Who: protocols.ID(booting), Sends: -1}}
	}
	for q := range n {
		if p.seats[q].waits { // only initiators start in a run that is explored
			add(Step{What: Start, Who: q})
		}
		add(Step{What: Timeout, Who: q, Timer: 1})
		add(Step{What: Timeout, Who: q, Timer: 7})
		add(Step{What: Restart, Who: q})
		steps = append(steps, Step{What: Crash, Who: q, Sends: -1})
		for from := range n {
			seen := map[string]bool{}
			for i, m := range p.links[channel{from, q}] {
				if i > 0 && p.system.FIFO {
					break // in a run that is explored, the link loses no message before its turn
				}
				if text := fmt.Sprint(m.content); !seen[text] {
					seen[text] = true
					add(Step{What: Deliver, Who: q, From: from, Message: text})
					if !p.seats[q].crashed {
						steps = append(steps, Step{What: Lose, Who: q, From: from, Message: text, Sends: -1},
							Step{What: Duplicate, Who: q, From: from, Message: text, Sends: -1})
					}
				}
			}
		}
	}
	return append(steps, Step{What: Tick, Sends: -1})
}

func (o *oracle) search(t *testing.T) {
	type found struct{ steps []Step }
	p, w, _ := o.play(nil)
	o.states = map[string]bool{o.text(p, w, nil): true}
	open := []found{{nil}}
	for len(open) > 0 {
		at := open[0]
		open = open[1:]
		p, _, err := o.play(at.steps)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rest() {
			o.rests++
		}
		for _, s := range o.steps(p) {
			if s.What == Tick && p.Rest() {
				continue // nothing is left for which time would pass
			}
			longer := append(slices.Clone(at.steps), s)
			p, w, err := o.play(longer)
			if err != nil || !o.sensible(p, s, at.steps) || o.behindLimit(p, longer) {
				continue
			}
			o.transitions++
			if text := o.text(p, w, longer); !o.states[text] {
				o.states[text] = true
				open = append(open, found{longer})
			}
		}
	}
}

// behindLimit reports whether the last step of a run is behind a limit.
func (o *oracle) behindLimit(p *Player[toyMessage], steps []Step) bool {
	limits, last := o.system.Limits, steps[len(steps)-1]
	if limits.Timeouts > 0 && timeoutsIn(steps) > limits.Timeouts {
		return true
	}
	return limits.Rounds > 0 && last.What != Tick && p.seats[last.Who].process.(*toy).Round() > limits.Rounds
}

func timeoutsIn(steps []Step) (count int) {
	for _, s := range steps {
		if s.What == Timeout {
			count++
		}
	}
	return count
}

// sensible leaves out a step that equals another one: with a crash after the last send.
func (o *oracle) sensible(p *Player[toyMessage], s Step, before []Step) bool {
	if s.Sends < 0 {
		return true
	}
	whole := s
	whole.Sends = -1
	q, _, _ := o.play(append(slices.Clone(before), whole))
	return p.Counters().Messages() < q.Counters().Messages()
}

// The explorer finds the same states, steps and ends as the oracle.
func TestFindsTheStatesThatPlayingFinds(t *testing.T) {
	for _, c := range []struct {
		n          int
		network    Network
		initiators []protocols.ID
	}{
		{2, Network{FIFO: true}, []protocols.ID{0}},
		{2, Network{}, []protocols.ID{0}},
		{2, Network{FIFO: true, Budget: Budget{Losses: 1}}, []protocols.ID{0}},
		{2, Network{Budget: Budget{Duplicates: 1}}, []protocols.ID{0}},
		{2, Network{FIFO: true, Budget: Budget{Crashes: 1}}, []protocols.ID{1}},
		{2, Network{FIFO: true, Blind: true, Budget: Budget{Crashes: 1, Restarts: 1}}, []protocols.ID{0}},
		{2, Network{FIFO: true, Bound: 1, Step: time.Millisecond}, []protocols.ID{0, 1}},
		{2, Network{FIFO: true, Bound: 2, Step: time.Millisecond / 2, Budget: Budget{Crashes: 1}}, []protocols.ID{0}},
		{2, Network{FIFO: true, Bound: 1, Step: time.Millisecond, Budget: Budget{Crashes: 1, Restarts: 1}}, []protocols.ID{1}},
		{2, Network{FIFO: true, Limits: Limits{Timeouts: 2}}, []protocols.ID{0}},
		{2, Network{FIFO: true, Bound: 1, Step: time.Millisecond, Limits: Limits{Timeouts: 2}}, []protocols.ID{0}},
		{2, Network{FIFO: true, Limits: Limits{Rounds: 1}}, []protocols.ID{0}},
		{2, Network{FIFO: true, Limits: Limits{Timeouts: 1, Rounds: 1}, Budget: Budget{Losses: 1}}, []protocols.ID{0}},
	} {
		o := &oracle{system: toySystem(c.n, c.network, c.initiators...)}
		o.search(t)
		for _, strategy := range []Strategy{BreadthFirst, DepthFirst} {
			r, err := Explore(context.Background(), toySystem(c.n, c.network, c.initiators...), Options{Strategy: strategy})
			if err != nil {
				t.Fatal(err)
			}
			if r.States != uint64(len(o.states)) || r.Transitions != uint64(o.transitions) || r.Rests != uint64(o.rests) || !r.Complete {
				t.Errorf("%+v %v: %d states, %d transitions, %d rests; playing finds %d, %d, %d", c, strategy,
					r.States, r.Transitions, r.Rests, len(o.states), o.transitions, o.rests)
			}
		}
	}
}

// The hash that is updated at each step equals the hash of all parts.
func TestHashFollowsTheState(t *testing.T) {
	s := toySystem(3, Network{Budget: Budget{Losses: 1, Duplicates: 1, Crashes: 1, Restarts: 1}, Bound: 1, Step: time.Millisecond}, 0, 1)
	sp := newSpace(s)
	x := newExpander(sp)
	open, seen := []state{sp.begin(0)}, map[hash]bool{}
	for len(open) > 0 && len(seen) < 5000 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		x.expand(&at, everyone, func(m move) {
			if fresh := sp.print(x.next.words, 0); fresh != x.next.print {
				t.Fatalf("after %v the hash is %x, and %x worked out anew", x.stepOf(m), x.next.print, fresh)
			}
			if !seen[x.next.print] {
				seen[x.next.print] = true
				open = append(open, state{slices.Clone(x.next.words), x.next.print})
			}
		})
		if !reflect.DeepEqual(sp.print(at.words, 0), at.print) {
			t.Fatal("expanding a state changed it")
		}
	}
	if len(seen) < 5000 {
		t.Fatalf("%d states only", len(seen))
	}
}
