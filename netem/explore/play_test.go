package explore

import (
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// curious looks at its clock, asks its failure detector about process 0 and sends what it saw.
type curious struct {
	protocols.NoTimers[count]
}

func (c curious) Start(n protocols.Node[count]) {
	first := n.Now()
	if n.Suspects(0) {
		n.Send(1-n.ID(), count(n.Now()-first))
	}
}

func (c curious) Receive(protocols.Node[count], protocols.ID, count) {}

func askers() *System[count] {
	return &System[count]{
		Topology: netem.BiRing(2),
		Roots:    []Root[count]{{Boot: func(protocols.ID) protocols.Process[count] { return curious{} }, Initiators: []protocols.ID{1}}},
	}
}

// A process gets the answers that the step has, and no others.
func TestPlayedAnswers(t *testing.T) {
	for _, c := range []struct {
		clocks     bool
		step, want string
	}{
		{false, "start 1", ""},
		{false, "start 1, suspects 0:yes", "0"},
		{true, "start 1, reads 5ns 7ns, suspects 0:yes", "2"},
		{true, "start 1, reads 5ns, suspects 0:no", ""},
		{true, "start 1, reads 5ns", ""},
		{false, "start 1, reads 5ns", "looks at its clock less often than the step says; left are [5ns]"},
		{false, "start 1, suspects 0:no 0:no", "asks its failure detector less often than the step says; left are [0:no]"},
		{true, "start 1", "does not say what it shows then (look 1)"},
		{true, "start 1, reads 5ns, suspects 0:yes", "(look 2)"},
		{true, "start 1, reads 5ns 6ns, suspects 0:no", "left are [6ns]"},
		{true, "start 1, reads 5ns, suspects 1:no", "about 0, and the step says that it asks about 1"},
	} {
		p := NewPlayer(askers(), 0)
		if c.clocks {
			p.ReadClocks()
		}
		var got records
		p.Trace(&got)
		s, err := ParseStep(c.step)
		if err != nil {
			t.Fatal(err)
		}
		switch err := p.Step(s); {
		case err != nil:
			if !strings.Contains(err.Error(), c.want) || c.want == "" {
				t.Errorf("%q: %v; want %q", c.step, err, c.want)
			}
		case len(got) != 1 || (c.want == "") != (len(got[0].Sent) == 0) || c.want != "" && got[0].Text("") != "      step 1  start   1  | sends "+c.want+" to 0":
			t.Errorf("%q: %+v; want %q", c.step, got, c.want)
		case len(got[0].Reads) != len(s.Reads) || c.clocks && len(got[0].Suspected) != 1:
			t.Errorf("%q is recorded as %+v", c.step, got[0])
		}
	}
}

// The player knows what clocks showed last. After the schedule no time passes.
func TestPlayedReadings(t *testing.T) {
	p := NewPlayer(askers(), 0)
	p.ReadClocks()
	p.DrawBy(func(int) int { return 0 })
	for _, s := range []Step{
		{What: Start, Who: 1, Reads: []time.Duration{5}, Sends: -1},
		{What: Start, Who: 0, Sends: -1}, // no initiator
	} {
		if err := p.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	if p.Reading(0) != 5 || p.Reading(1) != 5 || p.Latest() != 5 {
		t.Errorf("clocks showed %v and %v, the latest %v", p.Reading(0), p.Reading(1), p.Latest())
	}
	if err := p.Step(Step{What: Start, Sends: -1}); err != nil { // as a fault may start it
		t.Errorf("a second start: %v", err)
	}
}
