package explore

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// The tests here are about bugs of the past. odd is a process that does one odd thing.
type odd struct {
	does  string
	x     int
	list  []int
	phase int
}

func (p *odd) Start(n protocols.Node[toyMessage]) {
	switch p.does {
	case "empties a list":
		n.Send(n.Neighbor(0), toyMessage{1, 0})
		n.Send(n.Neighbor(0), toyMessage{2, 0})
	case "panics once in a hundred":
		if p.x = n.Intn(100); p.x == 0 {
			panic("once")
		}
	case "suspects nobody's address":
		n.Suspects(-1)
	case "chooses among many":
		n.Intn(1 << 20)
	case "is busy at one instant":
		n.SetTimer(1, 2*time.Millisecond)
	case "draws what it sends":
		p.x = n.Intn(1000)
		n.SetTimer(1, time.Millisecond)
	}
}

func (p *odd) Receive(n protocols.Node[toyMessage], _ protocols.ID, m toyMessage) {
	switch {
	case p.does == "empties a list" && m.value == 1 && n.Intn(2) == 1:
		p.list = []int{}
	case p.does == "empties a list" && m.value == 2 && p.list != nil:
		panic("not nil")
	case p.does == "draws what it sends" && p.phase == 0:
		p.phase = 1
		n.Send(n.Neighbor(0), toyMessage{200, 0})
		n.Send(n.Neighbor(0), toyMessage{300, 0})
	case p.does == "draws what it sends":
		n.Send(n.Neighbor(0), m)
	}
}

func (p *odd) Timeout(n protocols.Node[toyMessage], t protocols.Timer) {
	switch {
	case p.does == "draws what it sends":
		n.Send(n.Neighbor(0), toyMessage{p.x, 0})
		p.x = -1
	case p.phase == 0:
		p.phase = 1
		n.SetTimer(2, 0)
		n.SetTimer(3, 0)
	case t == 2:
		p.phase = 3 - p.phase
		n.SetTimer(2, 0)
	case n.Intn(2) == 0:
		n.SetTimer(3, 0)
	default:
		n.StopTimer(2)
		n.SetTimer(1, time.Millisecond)
		p.phase = 0
	}
}

// oddWatch never has what it wants, once a process has been in phase 1.
type oddWatch struct{ lacks bool }

func (w *oddWatch) Started(protocols.ID, any, time.Duration)           {}
func (w *oddWatch) Received(_ protocols.ID, p any, _ time.Duration)    { w.see(p) }
func (w *oddWatch) Expired(_ protocols.ID, p any, _ time.Duration)     { w.see(p) }
func (w *oddWatch) Crashed(protocols.ID, time.Duration)                {}
func (w *oddWatch) Restarted(_ protocols.ID, p any, now time.Duration) { w.see(p) }
func (w *oddWatch) Rotate()                                            {}
func (w *oddWatch) see(p any)                                          { w.lacks = w.lacks || p.(*odd).phase == 1 }

func (w *oddWatch) Verdicts(bool) []protocols.Verdict {
	if w.lacks {
		return []protocols.Verdict{protocols.Violated}
	}
	return []protocols.Verdict{protocols.Holds}
}

func oddly(does string, n int, network Network) *System[toyMessage] {
	return &System[toyMessage]{
		Topology: netem.Ring(n), Network: network, Properties: []Property{{"has it", Eventually, ""}},
		Roots: []Root[toyMessage]{{
			Boot:       func(protocols.ID) protocols.Process[toyMessage] { return &odd{does: does} },
			Initiators: []protocols.ID{0}, Watch: &oddWatch{},
		}},
	}
}

// A handler can tell nil from empty, so they are different states.
func TestNilIsNotEmpty(t *testing.T) {
	r := mustExplore(t, oddly("empties a list", 2, Network{FIFO: true}), Options{})
	if r.Counterexample == nil || r.Counterexample.Panicked != "not nil" {
		t.Errorf("%s: %+v", verdicts(r), r.Counterexample)
	}
}

// A search that is cut off reports what it has found so far.
func TestCutOffSearchesTellWhatTheySaw(t *testing.T) {
	for _, most := range []uint64{1, 2, 50, 99, 100, 1000} {
		for _, strategy := range []Strategy{BreadthFirst, DepthFirst} {
			r := mustExplore(t, oddly("panics once in a hundred", 2, Network{FIFO: true}), Options{MaxStates: most, Strategy: strategy})
			if r.Properties[0].Verdict != protocols.Violated || r.Complete || r.States > most {
				t.Errorf("%v with room for %d: %s, %d states", strategy, most, verdicts(r), r.States)
			}
		}
	}
}

func TestMistakesOfProcessesAreTold(t *testing.T) {
	r := mustExplore(t, oddly("suspects nobody's address", 2, Network{FIFO: true}), Options{})
	if r.Counterexample == nil || r.Counterexample.Panicked != "a process asks about address -1; there are 0..1" {
		t.Errorf("%+v", r.Counterexample)
	}
	_, err := Explore(context.Background(), oddly("chooses among many", 2, Network{FIFO: true}), Options{})
	if err == nil || !strings.Contains(err.Error(), "process 0 chooses one of 1048576; choices of up to 1024 can be explored") {
		t.Error(err)
	}
}

// On a cycle time passes, even if the cycle does not need it.
func TestTimePassesOnACycle(t *testing.T) {
	r := mustExplore(t, oddly("is busy at one instant", 2, Network{FIFO: true, Bound: 1, Step: time.Millisecond}), Options{})
	c := r.Counterexample
	if c == nil || c.Cycle == 0 || !slices.ContainsFunc(c.Steps[len(c.Steps)-c.Cycle:], func(s Step) bool { return s.What == Tick }) {
		t.Errorf("%+v", c)
	}
}

// A cycle does not depend on the worker that first saw a message.
func TestWorkersDoNotShowInACycle(t *testing.T) {
	one := mustExplore(t, oddly("draws what it sends", 1, Network{}), Options{Workers: 1})
	for range 5 {
		if r := mustExplore(t, oddly("draws what it sends", 1, Network{}), Options{Workers: 4}); !reflect.DeepEqual(r.Counterexample, one.Counterexample) {
			t.Fatalf("four workers: %+v\none: %+v", r.Counterexample, one.Counterexample)
		}
	}
}

// With rotations, a message on one channel marks all its rotations as used.
func TestChannelsInUseTurnWithTheRing(t *testing.T) {
	s := oddly("empties a list", 3, Network{FIFO: true, Rotations: true, Commutes: true})
	s.Topology = netem.BiRing(3)
	se := inBreadth(context.Background(), newSpace(s), Options{Reduce: true, MaxMemory: DefaultMemory})
	used := 0
	for _, u := range se.channels.used {
		if u {
			used++
		}
	}
	if used != 3 {
		t.Errorf("%d channels are in use, want one from each process: %v", used, se.channels.used)
	}
}
