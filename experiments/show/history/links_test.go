package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/netem"
)

// moving are runs whose links come and go: without notices, with notices of reliable links, and with
// messages that wait for a slot when their link goes down.
var moving = []trial.Setting{
	{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1; at 3ms up 0<->1; at 4ms down 2<->3"},
	{Algorithm: "electiontree", N: 5, Topology: "er(60%)", Delay: "uniform(0,3ms)", Fault: "at 1ms down 10% of *<->* for 1ms; at 1ms down 40% of *<->* for 2ms; at 4ms down 60% of *<->*", MaxTime: "30ms"},
	{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1 for 4ms", Transport: "reliable(2ms,3)", MaxTime: "30ms"},
	{Algorithm: "floodmax", N: 4, Topology: "complete", Link: "rate 100kbit", Fault: "at 1ms down 0<->1 for 100us; at 1200us down 2<->*"},
}

// A notice follows from its change. A message is lost with the link that was down when it was sent, or
// went down while it was under way, and follows from that change.
func TestLinksAreCauses(t *testing.T) {
	notices, flights, late := 0, 0, 0
	for _, s := range moving {
		for s.Seed = range uint64(20) {
			h := of(t, s)
			down := map[netem.Link]bool{}
			var changes []int // so far
			sent := map[uint64]int{}
			for i := range h.Events {
				e := &h.Events[i]
				link := netem.LinkBetween(e.From, e.Who)
				about := slices.IndexFunc(e.After, func(k int) bool { return k > 0 && h.Events[k-1].Change != nil })
				switch {
				case e.Change != nil:
					down[netem.LinkBetween(e.Change.A, e.Change.B)] = !e.Change.Up
					changes = append(changes, e.Order)
				case e.What == "linkup" || e.What == "linkdown":
					notices++
					c := h.Events[e.After[about]-1].Change
					if c.Up != (e.What == "linkup") || netem.LinkBetween(c.A, c.B) != link || h.Events[e.After[about]-1].At != e.At {
						t.Errorf("%s, seed %d: %s follows from %+v", s.Algorithm, s.Seed, e.Text(""), c)
					}
				case e.What == "cut":
					if e.Took == 0 || about < 0 || e.After[about] != e.Took || !strings.HasPrefix(h.WithLink(e), "with the link ") {
						t.Fatalf("%s, seed %d: %s follows from no change", s.Algorithm, s.Seed, e.Text(""))
					}
					c := h.Events[e.Took-1].Change
					if c.Up || netem.LinkBetween(c.A, c.B) != link {
						t.Errorf("%s, seed %d: %s is lost with the change %+v", s.Algorithm, s.Seed, e.Text(""), c)
					}
					if e.Took > sent[e.Number] {
						flights++
					} else if late++; !down[link] {
						t.Errorf("%s, seed %d: %s is lost with a link that was up", s.Algorithm, s.Seed, e.Text(""))
					}
				case e.Took > 0 || about >= 0:
					t.Errorf("%s, seed %d: %s follows from a change", s.Algorithm, s.Seed, e.Text(""))
				}
				for _, m := range e.Sent {
					sent[m.Number] = e.Order
				}
			}
			if len(changes) == 0 || h.Gone != nil {
				t.Errorf("%s, seed %d: %d changes, and %v are not there at the beginning", s.Algorithm, s.Seed, len(changes), h.Gone)
			}
		}
	}
	if t.Logf("%d notices, %d messages lost under way, %d on links that were down", notices, flights, late); min(notices, flights, late) < 20 {
		t.Error("too few to say anything")
	}
}

// The links that are there follow from the changes.
func TestLinksAt(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1; at 3ms up 0<->1; at 4ms down 2<->3"})
	var got []string
	for i := range h.Events {
		if h.Events[i].Change != nil {
			got = append(got, fmt.Sprint(h.LinksAt(i)), fmt.Sprint(h.LinksAt(i+1)))
		}
	}
	whole, first, second := "[0-1 0-3 1-2 2-3]", "[0-3 1-2 2-3]", "[0-1 0-3 1-2]"
	if want := []string{whole, first, first, whole, whole, second}; !slices.Equal(got, want) || !h.Moves() {
		t.Errorf("the links around the changes are %v, want %v", got, want)
	}
	if of(t, trial.Setting{Algorithm: "echo", N: 4, Topology: "biring"}).Moves() {
		t.Error("links move without a change")
	}
}

// A fault that cuts a link is no link that goes down.
func TestCutLinksAreNoChanges(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us cut 0<->1; at 2ms down 2<->3"})
	lost := 0
	for i := range h.Events {
		e := &h.Events[i]
		if e.What != "cut" {
			continue
		}
		if lost++; (e.Took > 0) != (min(e.From, e.Who) == 2) {
			t.Errorf("%s is lost %q", e.Text(""), h.WithLink(e))
		}
	}
	if lost < 2 {
		t.Errorf("%d messages were lost", lost)
	}
}

// The past of a verdict has the changes from which something follows, and no others.
func TestPastHasChanges(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1; at 50ms down 2<->3"})
	var past strings.Builder
	if err := h.WritePast(&past); err != nil {
		t.Fatal(err)
	}
	if text := past.String(); !strings.Contains(text, "fault   down 0-1\n") || strings.Contains(text, "down 2-3") ||
		!strings.Contains(text, "cut     0 -> 1  TOKEN(1)  | lost with the link 0-1, which went down at 500µs  <- #1 #5\n") {
		t.Errorf("the past is\n%s", text)
	}
}
