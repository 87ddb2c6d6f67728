package explore

import (
	"fmt"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// parcel is a message of two kinds; heavy ones are counted.
type parcel int

func (p parcel) Kind() int      { return int(p) }
func (parcel) Kinds() []string  { return []string{"LIGHT", "HEAVY"} }
func (parcel) Bits() int        { return 8 }
func (p parcel) String() string { return p.Kinds()[p] }

// carrier sends three heavy parcels and a light one to the next process, which sends one on.
type carrier struct{ got int }

func (*carrier) Start(n protocols.Node[parcel]) {
	for _, p := range []parcel{1, 0, 1, 1} {
		n.Send(n.Neighbor(0), p)
	}
}

func (c *carrier) Receive(n protocols.Node[parcel], _ protocols.ID, m parcel) {
	if c.got++; c.got == 1 {
		n.Send(n.Neighbor(0), m)
	}
}

func (*carrier) Timeout(protocols.Node[parcel], protocols.Timer) {}

// scales are a watch that knows how many heavy parcels are under way. There may be no more than most,
// and in the end none is left.
type scales struct{ most, now, heaviest int }

func (*scales) Tallies() []string                            { return []string{"HEAVY"} }
func (s *scales) UnderWay(counts []int)                      { s.now = counts[0] }
func (s *scales) look()                                      { s.heaviest = max(s.heaviest, s.now) }
func (s *scales) Crashed(protocols.ID, time.Duration)        { s.look() }
func (s *scales) Started(protocols.ID, any, time.Duration)   { s.look() }
func (s *scales) Received(protocols.ID, any, time.Duration)  { s.look() }
func (s *scales) Expired(protocols.ID, any, time.Duration)   { s.look() }
func (s *scales) Restarted(protocols.ID, any, time.Duration) { s.look() }

func (s *scales) Verdicts(bool) []protocols.Verdict {
	few, none := protocols.Holds, protocols.Holds
	if s.heaviest > s.most {
		few = protocols.Violated
	}
	if s.now > 0 {
		none = protocols.Violated
	}
	return []protocols.Verdict{few, none}
}

// A watch is told how many messages of a kind are under way: those lost or on the way to a crashed
// process are not, copies are.
func TestTally(t *testing.T) {
	for _, c := range []struct {
		budget     Budget
		initiators int
		most       int // heavy parcels at once
	}{
		{Budget{}, 1, 3},
		{Budget{}, 2, 6},
		{Budget{Losses: 1}, 1, 3},
		{Budget{Duplicates: 1}, 1, 4},
		{Budget{Crashes: 1}, 1, 3},
		{Budget{Crashes: 1, Restarts: 1}, 1, 3},
		{Budget{Losses: 1, Duplicates: 1, Crashes: 1}, 1, 4},
	} {
		for _, fifo := range []bool{true, false} {
			for _, most := range []int{c.most - 1, c.most} {
				s := &System[parcel]{
					Topology: netem.Complete(2), Network: Network{FIFO: fifo, Budget: c.budget},
					Properties: []Property{{Name: "few", Kind: Always}, {Name: "none left", Kind: Eventually}},
					Roots: []Root[parcel]{{
						Boot:       func(protocols.ID) protocols.Process[parcel] { return &carrier{} },
						Initiators: []protocols.ID{0, 1}[:c.initiators], Watch: &scales{most: most},
					}},
				}
				r := mustExplore(t, s, Options{Reduce: true})
				want := protocols.Holds
				if most < c.most {
					want = protocols.Violated
				}
				if few := r.Properties[1].Verdict; few != want {
					t.Errorf("%+v, fifo %v, %d initiators: at most %d: %v; want %v", c.budget, fifo, c.initiators, most, few, want)
				}
				if most == c.most && r.Properties[2].Verdict != protocols.Holds {
					t.Errorf("%+v, fifo %v: some are left: %v", c.budget, fifo, r.Properties[2])
				}
			}
		}
	}
}

// The player counts the same messages.
func TestPlayerUnderWay(t *testing.T) {
	s := &System[parcel]{Topology: netem.Complete(2), Network: Network{FIFO: true, Budget: Budget{Losses: 1, Duplicates: 1, Crashes: 1, Restarts: 1}},
		Roots: []Root[parcel]{{Boot: func(protocols.ID) protocols.Process[parcel] { return &carrier{} }, Initiators: []protocols.ID{0}}}}
	p := NewPlayer(s, 0)
	for i, step := range []struct {
		line         string
		light, heavy int
	}{
		{"start 0", 1, 3}, {"duplicate 0->1 HEAVY", 1, 4}, {"deliver 0->1 HEAVY", 1, 4}, {"deliver 0->1 HEAVY", 1, 3},
		{"deliver 0->1 LIGHT", 0, 3}, {"lose 0->1 HEAVY", 0, 2}, {"crash 1", 0, 1}, {"restart 1", 0, 2}, {"deliver 1->0 HEAVY", 0, 2},
	} {
		parsed, err := ParseStep(step.line)
		if err == nil {
			err = p.Step(parsed)
		}
		if got := fmt.Sprint(p.UnderWay(0), p.UnderWay(1)); err != nil || got != fmt.Sprint(step.light, step.heavy) {
			t.Errorf("step %d, %s: %s light and heavy, %v; want %d %d", i+1, step.line, got, err, step.light, step.heavy)
		}
	}
}
