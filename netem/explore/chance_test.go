package explore

import (
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// gambler draws each time its token comes round: the draw decides on its next state and
// whether it draws again.
type gambler struct {
	table [][]int // by state, what its draws lead to; a state without is the end
	state int
}

func (p *gambler) Start(n protocols.Node[toyMessage]) { n.Send(n.Neighbor(0), toyMessage{}) }

func (p *gambler) Receive(n protocols.Node[toyMessage], _ protocols.ID, m toyMessage) {
	if draws := p.table[p.state]; len(draws) == 1 {
		p.state = draws[0]
	} else {
		p.state = draws[n.Intn(len(draws))]
	}
	if len(p.table[p.state]) > 0 {
		n.Send(n.Neighbor(0), m)
	}
}

func (p *gambler) Timeout(protocols.Node[toyMessage], protocols.Timer) {}

// quiet is a watch that notes nothing.
type quiet struct{}

func (quiet) Started(protocols.ID, any, time.Duration)   {}
func (quiet) Received(protocols.ID, any, time.Duration)  {}
func (quiet) Expired(protocols.ID, any, time.Duration)   {}
func (quiet) Crashed(protocols.ID, time.Duration)        {}
func (quiet) Restarted(protocols.ID, any, time.Duration) {}
func (quiet) Verdicts(bool) []protocols.Verdict {
	return []protocols.Verdict{protocols.Undecided}
}

// A gambler comes to rest with probability 1 if and only if from each state that it can
// reach some draws lead to the end: there is no region that no draw leaves.
func TestChanceIsFair(t *testing.T) {
	for _, c := range []struct {
		says   string
		table  [][]int
		rests  bool
		chance bool // some runs go on for ever, with probability 0
	}{
		{"it ends at once", [][]int{{1}, {}}, true, false},
		{"one of two draws ends", [][]int{{0, 1}, {}}, true, true},
		{"every draw ends", [][]int{{1, 1}, {}}, true, false},
		{"no draw ends", [][]int{{0, 0}, {}}, false, false},
		{"one draw of three ends, from one state of three", [][]int{{1}, {2, 0}, {0, 1, 3}, {}}, true, true},
		{"a draw leads where nothing is drawn any more", [][]int{{0, 1, 2}, {}, {2}}, false, false},
		{"a draw leads where no draw matters", [][]int{{0, 1, 2}, {}, {3, 2}, {2}}, false, false},
		{"a cycle inside which only chance stays", [][]int{{1}, {0, 2}, {1, 3}, {}}, true, true},
	} {
		s := &System[toyMessage]{
			Topology: netem.Ring(1),
			Roots: []Root[toyMessage]{{
				Boot:       func(protocols.ID) protocols.Process[toyMessage] { return &gambler{table: c.table} },
				Initiators: []protocols.ID{0}, Watch: quiet{},
			}},
			Properties: []Property{{Name: "rest", Kind: Finally, Says: "it comes to rest"}},
			Network:    Network{FIFO: true},
		}
		for _, strategy := range []Strategy{BreadthFirst, DepthFirst} {
			r := mustExplore(t, s, Options{Strategy: strategy})
			want := protocols.Violated
			if c.rests {
				want = protocols.Holds
			}
			rest := r.Properties[len(r.Properties)-1]
			if rest.Verdict != want || !r.Complete {
				t.Errorf("%s, %v: %v, want %v", c.says, strategy, rest.Verdict, want)
			}
			if c.rests && r.Chance != c.chance || r.Fair {
				t.Errorf("%s, %v: chance %v, fair %v", c.says, strategy, r.Chance, r.Fair)
			}
			if run := r.Counterexample; !c.rests && (run == nil || run.Cycle == 0) {
				t.Errorf("%s, %v: the run is %+v", c.says, strategy, run)
			}
		}
	}
}
