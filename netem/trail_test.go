package netem_test

import (
	"fmt"
	"io"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

func TestCheckpoints(t *testing.T) {
	for i, want := range []uint64{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96} {
		if got := netem.Checkpoint(i); got != want {
			t.Errorf("checkpoint %d is %d; want %d", i, got, want)
		}
	}
}

// A run that ends after as many events as a checkpoint has a fingerprint that begins with the
// byte of the checkpoint. That holds for careful runs, too.
func TestTrailIsTheFingerprintOnItsWay(t *testing.T) {
	for _, delay := range distributions(t, "1ms", "0s", "uniform(0,2ms)") {
		cfg := netem.Config{Topology: netem.BiRing(6), Delay: delay, Seed: 5}
		want := ""
		for i := 0; ; i++ {
			cfg.MaxEvents = netem.Checkpoint(i)
			net := netem.New(cfg, gossip)
			gossipOn(net)
			net.Run(t.Context())
			if net.Counters().Events < cfg.MaxEvents {
				break
			}
			want += fmt.Sprintf("%016x", net.Fingerprint())[:2]
		}
		cfg.MaxEvents = 0
		used := netem.New(cfg, gossip)
		for name, prepare := range map[string]func(){
			"plain":    func() {},
			"traced":   func() { used.Trace(netem.TextTrace(io.Discard, nil)) },
			"observed": func() { used.Observe(&witness{net: used}) },
			"opposed":  func() { used.Oppose(&foe{}) },
		} {
			used.Reset(cfg, gossip)
			prepare()
			if fingerprintOf(t, used); used.Trail() != want || len(want) < 20 {
				t.Errorf("delay %v, %s: trail %s; want %s", delay, name, used.Trail(), want)
			}
		}
	}
}

// The trails of two runs that differ from an event on first differ at the next checkpoint or,
// once in 256 times, at a later one.
func TestTrailsPartWhereRunsDo(t *testing.T) {
	const events, rings = 100, 16
	run := func(n, other int) string { // the message of that event is another one
		countdown := all(script{
			start: func(n node) { n.Send(n.Neighbor(0), note{x: events - 2, reply: other == 2}) },
			receive: func(n node, _ protocols.ID, m note) {
				if m.x > 0 {
					n.Send(n.Neighbor(0), note{x: m.x - 1, reply: events-m.x+1 == other})
				}
			},
		})
		net := netem.New(lockstep(netem.Ring(n)), countdown)
		net.StartAt(0, 0)
		finish(t, net)
		if got := net.Counters().Events; got != events {
			t.Fatalf("%d events; want %d", got, events)
		}
		return net.Trail()
	}
	late := 0
	for n := 2; n < 2+rings; n++ {
		usual := run(n, 0)
		for other := 2; other <= 96; other++ {
			trail, first := run(n, other), 0
			for first < len(trail)/2 && trail[2*first:2*first+2] == usual[2*first:2*first+2] {
				first++
			}
			want := 0
			for netem.Checkpoint(want) < uint64(other) {
				want++
			}
			switch {
			case first < want:
				t.Errorf("n=%d: the runs part at event %d, their trails at event %d", n, other, netem.Checkpoint(first))
			case first > want:
				late++
			}
		}
	}
	if all := 95 * rings; late > all/128 { // 6 are to be expected
		t.Errorf("%d of %d trails part late", late, all)
	}
}

// printed notes the fingerprint after each step.
type printed struct {
	net    *netem.Network[note]
	prints map[uint64]uint64
}

func (p *printed) note()                  { p.prints[p.net.Counters().Events] = p.net.Fingerprint() }
func (p *printed) Started(protocols.ID)   { p.note() }
func (p *printed) Stepped(protocols.ID)   { p.note() }
func (p *printed) Crashed(protocols.ID)   { p.note() }
func (p *printed) Restarted(protocols.ID) { p.note() }

// A step that ends with a crash is two events. A checkpoint can lie between them.
func TestTrailOfACrashWithinAStep(t *testing.T) {
	for doomed := range 6 {
		countdown := all(script{
			start: func(n node) { n.Send(n.Neighbor(0), note{x: 9}) },
			receive: func(n node, _ protocols.ID, m note) {
				if m.x > 0 {
					n.Send(n.Neighbor(0), note{x: m.x - 1})
				}
			},
		})
		net := netem.New(netem.Config{Topology: netem.Ring(12), Delay: des.Constant(ms)}, countdown)
		net.Oppose(&foe{leaves: func(from, _ protocols.ID, _ int) (leaves, crash bool) { return true, int(from) == doomed }})
		p := &printed{net, map[uint64]uint64{}}
		net.Observe(p)
		net.StartAt(0, 0)
		finish(t, net)
		trail := net.Trail()
		for i := range len(trail) / 2 {
			print, heard := p.prints[netem.Checkpoint(i)]
			if want := fmt.Sprintf("%016x", print)[:2]; heard && trail[2*i:2*i+2] != want {
				t.Errorf("process %d crashes: the trail %s says %s at event %d; want %s", doomed, trail, trail[2*i:2*i+2], netem.Checkpoint(i), want)
			}
		}
		if len(trail) != 2*7 || len(p.prints) != 12 {
			t.Errorf("trail %s, %d events heard of", trail, len(p.prints))
		}
	}
}
