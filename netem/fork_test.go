package netem_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// wanderer sends each note that it gets to a neighbour, and sets a timer. Whether it draws coins is
// up to the test.
func wanderer(coins bool) func(protocols.ID) protocols.Process[note] {
	pass := func(n node, x int) {
		if x == 0 {
			return
		}
		port := x % n.Degree()
		if coins {
			port = n.Intn(n.Degree())
		}
		n.Send(n.Neighbor(port), note{x: x - 1})
		n.SetTimer(protocols.Timer(x%3), 3*ms)
	}
	return all(script{
		start:   func(n node) { pass(n, 40) },
		receive: func(n node, _ protocols.ID, m note) { pass(n, m.x) },
	})
}

// chances is an adversary that loses messages by chance.
type chances struct {
	foe
	stream des.Stream
}

func (c *chances) Sent(protocols.ID, protocols.ID, int) (int, time.Duration, func(int64) int64) {
	return 1 - c.stream.Intn(10)/9, 0, nil
}

func (c *chances) Fork(salts []uint64) { c.stream = des.NewStream(1, "chances fork", salts...) }

// forked is a source of randomness, the only one of a run.
type forked struct {
	name    string
	coins   bool
	change  func(t *testing.T, c *netem.Config)
	opposed bool
}

var forkedSources = []forked{
	{name: "coins", coins: true},
	{name: "delays", change: func(_ *testing.T, c *netem.Config) { c.Delay = des.Uniform(ms/2, 2*ms) }},
	{name: "delays of a page", change: func(_ *testing.T, c *netem.Config) {
		c.Topology, c.Delay = netem.Complete(1100), des.Uniform(ms/2, 2*ms)
	}},
	{name: "late timers", change: func(_ *testing.T, c *netem.Config) { c.Late = des.Uniform(0, ms) }},
	{name: "losses", change: lineOf("loss gemodel 2% 50%")},
	{name: "duplicates", change: lineOf("duplicate 5%")},
	{name: "slots", change: lineOf("slot 1ms 9ms")},
	{name: "faults", opposed: true},
}

// lineOf gives all links a line.
func lineOf(text string) func(t *testing.T, c *netem.Config) {
	return func(t *testing.T, c *netem.Config) { c.Lines = []netem.Line{{Line: line(t, text)}} }
}

// run is the trace of a run with these forks, up to so many events; 0 is to its end.
func (f *forked) run(t *testing.T, net *netem.Network[note], events uint64, forks ...netem.Fork) (trace string, print uint64) {
	cfg := netem.Config{Topology: netem.Complete(6), Delay: des.Constant(ms), Seed: 7, MaxEvents: events, Forks: forks}
	if f.change != nil {
		f.change(t, &cfg)
	}
	net.Reset(cfg, wanderer(f.coins))
	var text strings.Builder
	net.Trace(netem.TextTrace(&text, nil))
	if f.opposed {
		net.Oppose(&chances{stream: des.NewStream(1, "chances")})
	}
	for id := range protocols.ID(6) {
		net.StartAt(id, 0)
	}
	net.Run(t.Context())
	return text.String(), net.Fingerprint()
}

// Two runs that differ in a fork are the same before it and others after it, whatever they draw. The
// same fork gives the same run.
func TestForkIsWhereRunsPart(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(2)), wanderer(false))
	for _, f := range forkedSources {
		whole, _ := f.run(t, net, 0)
		for _, after := range []uint64{0, 1, 5, 12, 20} {
			fork := netem.Fork{After: after, Salt: 0xa}
			if after > 0 {
				before, print := f.run(t, net, after)
				again, same := f.run(t, net, after, fork)
				if before != again || print != same || !strings.HasPrefix(whole, before) {
					t.Errorf("%s: a fork after %d events changes what is before it", f.name, after)
				}
			}
			one, _ := f.run(t, net, 0, fork)
			if again, _ := f.run(t, net, 0, fork); one != again {
				t.Errorf("%s: a fork after %d events gives two runs", f.name, after)
			}
			other, _ := f.run(t, net, 0, netem.Fork{After: after, Salt: 0xb})
			twice, _ := f.run(t, net, 0, fork, netem.Fork{After: after + 9, Salt: 0xa})
			if all := []string{whole, one, other, twice}; len(slices.Compact(slices.Sorted(slices.Values(all)))) < 4 {
				t.Errorf("%s: two of four runs that fork after %d events, or later, or not, are the same", f.name, after)
			}
		}
	}
}

// A run that forks is the same with and without a trace, and for messages that take the lane.
func TestForksOfPlainRuns(t *testing.T) {
	forks := []netem.Fork{{After: 0, Salt: 1}, {After: 7, Salt: 2}, {After: 31, Salt: 3}}
	for _, delay := range distributions(t, "1ms", "uniform(0,2ms)") {
		cfg := netem.Config{Topology: netem.Complete(6), Delay: delay, Seed: 5, Forks: forks}
		print := func(traced bool) uint64 {
			net := netem.New(cfg, wanderer(true))
			if traced {
				net.Trace(netem.TextTrace(&strings.Builder{}, nil))
			}
			net.StartAt(0, 0)
			net.StartAt(1, 0)
			finish(t, net)
			return net.Fingerprint()
		}
		if plain, traced := print(false), print(true); plain != traced {
			t.Errorf("delay %v: fingerprint %x without a trace, %x with it", delay, plain, traced)
		}
	}
}

// Over many salts the coins after a fork are those of a fair die.
func TestForksAreIndependent(t *testing.T) {
	const sides, salts = 10, 5000
	var counts [sides][sides]int
	var first, second int
	boot := all(script{start: func(n node) { first, second = second, n.Intn(sides) }})
	net := netem.New(lockstep(netem.Ring(2)), boot)
	for salt := range uint64(salts) {
		cfg := lockstep(netem.Ring(2))
		cfg.Forks = []netem.Fork{{After: 1, Salt: salt}}
		net.Reset(cfg, boot)
		net.StartAt(0, 0)
		net.StartAt(1, 1)
		net.StartAt(1, 2)
		finish(t, net)
		counts[first][second]++
	}
	const expected, spread = salts / sides / sides, 30 // four standard deviations of 50 are 28
	for a, row := range counts {
		for b, count := range row {
			if count < expected-spread || count > expected+spread {
				t.Errorf("%d of %d salts draw %d and %d; some %d would be fair", count, salts, a, b, expected)
			}
		}
	}
}

func TestForksText(t *testing.T) {
	all := []netem.Fork{{0, 0x7f3a}, {340, 0x9b01}}
	text := netem.ForksText(all)
	if again, err := netem.ParseForks(text); err != nil || text != "0:7f3a, 340:9b01" || !reflect.DeepEqual(again, all) {
		t.Errorf("%q is read as %v, %v", text, again, err)
	}
	for text, want := range map[string]string{
		"12": "it is written EVENTS:SALT", "x:1": "it is written EVENTS:SALT", "1:g": "it is written EVENTS:SALT",
		"5:1,5:2": "does not come after the one before it, 5:1", "5:1, 4:2": "does not come after", ",": "EVENTS:SALT",
	} {
		if _, err := netem.ParseForks(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}
