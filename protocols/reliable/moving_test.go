package reliable_test

import (
	"slices"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/reliable"
)

// A link that goes down takes with it what is not acknowledged, and what is sent before it is up again.
// After that both ends begin again at 1: what is sent then is delivered once and in order, over a link
// that loses and duplicates, and the run comes to rest.
func TestLinkThatComesAndGoes(t *testing.T) {
	at := func(k int) des.Time { return des.Time(k) * des.Time(ms) }
	bad, err := impair.Parse("loss 25% duplicate 25%", nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(40) {
		var got [2][]note
		sent := [2]note{}
		cfg := netem.Config{Topology: netem.Complete(2), Delay: des.Uniform(ms, 4*ms), Seed: seed, Lines: []netem.Line{{Line: bad}}}
		net := netem.New(cfg, func(id protocols.ID) protocols.Process[envelope] {
			return reliable.Wrap[note](&talker{&sent[id], &got[id]}, reliable.Config{RTO: 10 * ms, Patient: true})
		})
		net.Boot()
		for k := range 100 { // a note in each direction every millisecond
			net.StartAt(0, at(k))
			net.StartAt(1, at(k))
		}
		for k := range 4 { // down from 21 to 24, from 41 to 44...
			net.ChangeAt(netem.Change{At: at(20*k + 21), A: 0, B: 1})
			net.ChangeAt(netem.Change{At: at(20*k + 24), A: 0, B: 1, Up: true})
		}
		if end := net.Run(t.Context()); end != netem.Quiescent {
			t.Fatalf("seed %d: the run ended %v", seed, end)
		}
		for id, notes := range got {
			if !slices.IsSorted(notes) || len(slices.Compact(slices.Clone(notes))) != len(notes) {
				t.Fatalf("seed %d: process %d got %v", seed, id, notes)
			}
			for last := note(86); last <= 100; last++ { // sent from 85 ms on, in the last life
				if !slices.Contains(notes, last) {
					t.Fatalf("seed %d: process %d lacks %d of %v", seed, id, last, notes)
				}
			}
		}
	}
}

// talker numbers its notes.
type talker struct {
	sent *note
	got  *[]note
}

func (p *talker) Start(n node)                           { *p.sent++; n.Send(1-n.ID(), *p.sent) }
func (p *talker) Receive(_ node, _ protocols.ID, m note) { *p.got = append(*p.got, m) }
func (p *talker) Timeout(node, protocols.Timer)          {}
