package explore

import (
	"fmt"
	"math"
	"slices"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// playing is the protocols.Node of a step that is played.
type playing[M protocols.Message] struct {
	player  *Player[M]
	who     protocols.ID
	choices []int // that are left
	drawn   []int
	wrong   error // the reason why the step is not possible after all
	sends   []leaving[M]
}

type leaving[M protocols.Message] struct {
	sent[M]
	to protocols.ID
}

var (
	_ protocols.Node[protocols.Message] = (*playing[protocols.Message])(nil)
	_ protocols.Detector                = (*playing[protocols.Message])(nil)
)

func (n *playing[M]) ID() protocols.ID { return n.who }

func (n *playing[M]) Degree() int { return n.player.system.Topology.Degree(n.who) }

func (n *playing[M]) Neighbor(port int) protocols.ID {
	return n.player.system.Topology.Neighbor(n.who, port)
}

func (n *playing[M]) Send(to protocols.ID, m M) {
	p := n.player
	netem.MustReach(p.system.Topology, n.who, to)
	netem.MustBeKind(n.who, m.Kind(), len(m.Kinds()))
	n.sends = append(n.sends, leaving[M]{sent[M]{content: m, depth: p.seats[n.who].depth + 1, until: p.now + uint32(p.system.Bound)}, to})
}

func (n *playing[M]) SetTimer(t protocols.Timer, after time.Duration) {
	netem.MustBeTimer(n.who, t, after)
	n.StopTimer(t)
	at, step := n.player.now, n.player.system.Step
	if n.player.system.Bound > 0 {
		if after%step != 0 {
			n.wrong = fmt.Errorf("a timer of %v is no multiple of %v, the step of time", after, step)
		}
		at += uint32(min(after/step, math.MaxUint32))
	}
	s := &n.player.seats[n.who]
	s.timers = append(s.timers, setTimer{t, at, n.player.set})
	n.player.set++
}

func (n *playing[M]) StopTimer(t protocols.Timer) {
	s := &n.player.seats[n.who]
	s.timers = slices.DeleteFunc(s.timers, func(u setTimer) bool { return u.label == t })
}

func (n *playing[M]) Intn(of int) int {
	if len(n.choices) == 0 && n.player.intn != nil {
		n.choices = []int{n.player.intn(of)}
	}
	if len(n.choices) == 0 || n.choices[0] >= of {
		n.wrong = fmt.Errorf("the process chooses one of %d, but the step has no such choice; left are %d", of, n.choices)
		return 0
	}
	c := n.choices[0]
	n.choices, n.drawn = n.choices[1:], append(n.drawn, c)
	n.player.counters.Draws++
	return c
}

func (n *playing[M]) Suspects(p protocols.ID) bool {
	mustBeAddress(p, len(n.player.seats))
	return n.player.seats[p].crashed && !n.player.system.Blind
}
