package netem

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem/medium"
	"bullring/protocols"
)

// packet is a message of any size.
type packet struct{ Nr, Size int }

func (packet) Kind() int        { return 0 }
func (packet) Kinds() []string  { return []string{"PACKET"} }
func (p packet) Bits() int      { return p.Size }
func (p packet) String() string { return fmt.Sprintf("PACKET(%d)", p.Nr) }

// station sends what a script says at each of its starts.
type station struct {
	protocols.NoTimers[packet]
	starts func(n protocols.Node[packet])
}

func (s station) Start(n protocols.Node[packet])                       { s.starts(n) }
func (s station) Receive(protocols.Node[packet], protocols.ID, packet) {}

func mustTopology(t *testing.T, text string, n int) Topology {
	t.Helper()
	topology, err := ParseTopology(text, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	return topology
}

// toAll is the receiver of a broadcast in a script.
const toAll = protocols.ID(-1)

// script is what stations send: at an instant, from a process to another one or all its neighbours, so many bits.
type script []struct {
	at       time.Duration
	from, to protocols.ID
	size     int
}

// traceOf is the trace of a script on a medium of 1 Mbit/s, on which 1,000 bits last 1 ms.
func traceOf(t *testing.T, topology string, n int, delay time.Duration, s script, plan func(*Network[packet])) (string, Counters) {
	t.Helper()
	cfg := Config{Topology: mustTopology(t, topology, n), Delay: des.Constant(delay), FIFO: true, Medium: mustRadio("radio(1mbit)")}
	nr := 0
	net := New(cfg, func(protocols.ID) protocols.Process[packet] {
		return station{starts: func(n protocols.Node[packet]) {
			one := s[nr]
			nr++
			if one.to == toAll {
				protocols.Broadcast(n, packet{nr, one.size})
			} else {
				n.Send(one.to, packet{nr, one.size})
			}
		}}
	})
	var text strings.Builder
	net.Trace(TextTrace(&text, nil))
	for _, one := range s {
		net.StartAt(one.from, des.Time(one.at))
	}
	if plan != nil {
		plan(net)
	}
	if end := net.Run(context.Background()); end != Quiescent {
		t.Fatalf("the run ends %v", end)
	}
	return text.String(), net.Counters()
}

// What two transmissions do to each other where both are heard, in the words of the trace.
func TestCollisions(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name, topology string
		n              int
		script         script
		want           string
	}{
		{"two at one receiver", "star", 3, script{{0, 1, 0, 1000}, {999 * us, 2, 0, 1000}}, `
          0s  start   1  | sends PACKET(1) to 0
       999µs  start   2  | sends PACKET(2) to 0
       1.1ms  collide 1 -> 0  PACKET(1)  | with a message of 2 at 1.099ms
     2.099ms  collide 2 -> 0  PACKET(2)  | with a message of 1 at 1.099ms
`},
		{"the first of two others", "star", 4, script{{0, 1, 0, 1000}, {200 * us, 2, 0, 100}, {500 * us, 3, 0, 100}}, `
          0s  start   1  | sends PACKET(1) to 0
       200µs  start   2  | sends PACKET(2) to 0
       400µs  collide 2 -> 0  PACKET(2)  | with a message of 1 at 300µs
       500µs  start   3  | sends PACKET(3) to 0
       700µs  collide 3 -> 0  PACKET(3)  | with a message of 1 at 600µs
       1.1ms  collide 1 -> 0  PACKET(1)  | with a message of 2 at 300µs
`},
		{"end to start", "star", 3, script{{0, 1, 0, 1000}, {1000 * us, 2, 0, 1000}}, `
          0s  start   1  | sends PACKET(1) to 0
         1ms  start   2  | sends PACKET(2) to 0
       1.1ms  deliver 1 -> 0  PACKET(1)
       2.1ms  deliver 2 -> 0  PACKET(2)
`},
		{"a message to another process is heard, too", "star", 4, script{{0, 1, 0, 1000}, {500 * us, 0, 2, 100}}, `
          0s  start   1  | sends PACKET(1) to 0
       500µs  start   0  | sends PACKET(2) to 2
       700µs  deliver 0 -> 2  PACKET(2)
       1.1ms  collide 1 -> 0  PACKET(1)  | with a message of its receiver at 500µs
`},
		{"overheard", "complete", 4, script{{0, 1, 0, 1000}, {500 * us, 2, 3, 1000}}, `
          0s  start   1  | sends PACKET(1) to 0
       500µs  start   2  | sends PACKET(2) to 3
       1.1ms  collide 1 -> 0  PACKET(1)  | with a message of 2 at 600µs
       1.6ms  collide 2 -> 3  PACKET(2)  | with a message of 1 at 600µs
`},
		{"who sends hears nothing", "complete", 2, script{{0, 0, 1, 1000}, {0, 1, 0, 1000}}, `
          0s  start   0  | sends PACKET(1) to 1
          0s  start   1  | sends PACKET(2) to 0
       1.1ms  collide 0 -> 1  PACKET(1)  | with a message of its receiver at 100µs
       1.1ms  collide 1 -> 0  PACKET(2)  | with a message of its receiver at 100µs
`},
		{"one transmitter", "complete", 2, script{{0, 0, 1, 1000}, {0, 0, 1, 500}, {0, 0, 1, 0}}, `
          0s  start   0  | sends PACKET(1) to 1
          0s  start   0  | sends PACKET(2) to 1
          0s  start   0  | sends PACKET(3) to 1
       1.1ms  deliver 0 -> 1  PACKET(1)
       1.6ms  deliver 0 -> 1  PACKET(2)
  1.600001ms  deliver 0 -> 1  PACKET(3)
`},
		{"a broadcast is one transmission", "star", 3, script{{0, 0, toAll, 1000}, {900 * us, 1, 0, 100}, {900 * us, 0, toAll, 1000}}, `
          0s  start   0  | sends PACKET(1) to 1, PACKET(1) to 2
       900µs  start   1  | sends PACKET(2) to 0
       900µs  start   0  | sends PACKET(3) to 1, PACKET(3) to 2
       1.1ms  collide 0 -> 1  PACKET(1)  | with a message of its receiver at 900µs
       1.1ms  deliver 0 -> 2  PACKET(1)
       1.1ms  collide 1 -> 0  PACKET(2)  | with a message of its receiver at 1ms
       2.1ms  deliver 0 -> 1  PACKET(3)
       2.1ms  deliver 0 -> 2  PACKET(3)
`},
		{"to itself", "complete", 2, script{{0, 0, 0, 1000}, {0, 1, 0, 1000}}, `
          0s  start   0  | sends PACKET(1) to 0
          0s  start   1  | sends PACKET(2) to 0
       100µs  deliver 0 -> 0  PACKET(1)
       1.1ms  deliver 1 -> 0  PACKET(2)
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := traceOf(t, c.topology, c.n, 100*us, c.script, nil)
			if want := c.want[1:]; got != want {
				t.Errorf("\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A link that goes down takes signals with it, what a crashed process has sent is transmitted, and what faults lose is
// heard all the same.
func TestCollisionsUnderFaults(t *testing.T) {
	const us = time.Microsecond
	both := script{{0, 1, 0, 1000}, {600 * us, 2, 0, 1000}}
	for _, c := range []struct {
		name   string
		script script
		plan   func(*Network[packet])
		want   string
	}{
		{"the link goes down before the other signal comes", both, func(net *Network[packet]) {
			net.ChangeAt(Change{des.Time(700 * us), 0, 1, false})
		}, `
          0s  start   1  | sends PACKET(1) to 0
       600µs  start   2  | sends PACKET(2) to 0
       700µs  fault   down 0-1
       1.1ms  cut     1 -> 0  PACKET(1)
       1.7ms  deliver 2 -> 0  PACKET(2)
`},
		{"and after that", both, func(net *Network[packet]) {
			net.ChangeAt(Change{des.Time(701 * us), 0, 1, false})
		}, `
          0s  start   1  | sends PACKET(1) to 0
       600µs  start   2  | sends PACKET(2) to 0
       701µs  fault   down 0-1
       1.1ms  cut     1 -> 0  PACKET(1)
       1.7ms  collide 2 -> 0  PACKET(2)  | with a message of 1 at 700µs
`},
		{"it comes up again", both, func(net *Network[packet]) {
			net.ChangeAt(Change{des.Time(50 * us), 0, 1, false})
			net.ChangeAt(Change{des.Time(60 * us), 0, 1, true})
		}, `
          0s  start   1  | sends PACKET(1) to 0
        50µs  fault   down 0-1
        60µs  fault   up 0-1
       600µs  start   2  | sends PACKET(2) to 0
       1.1ms  cut     1 -> 0  PACKET(1)
       1.7ms  deliver 2 -> 0  PACKET(2)
`},
		{"a broadcast that nobody hears is transmitted, too", script{{100 * us, 1, toAll, 1000}, {300 * us, 1, 0, 1000}}, func(net *Network[packet]) {
			net.ChangeAt(Change{des.Time(50 * us), 0, 1, false})
			net.ChangeAt(Change{des.Time(200 * us), 0, 1, true})
		}, `
        50µs  fault   down 0-1
       100µs  start   1
       200µs  fault   up 0-1
       300µs  start   1  | sends PACKET(2) to 0
       2.2ms  deliver 1 -> 0  PACKET(2)
`},
		{"the sender crashes", script{{0, 1, 0, 1000}, {0, 1, 0, 1000}}, func(net *Network[packet]) {
			net.CrashAt(1, des.Time(500*us))
		}, `
          0s  start   1  | sends PACKET(1) to 0
          0s  start   1  | sends PACKET(2) to 0
       500µs  crash   1
       1.1ms  deliver 1 -> 0  PACKET(1)
       2.1ms  deliver 1 -> 0  PACKET(2)
`},
		{"the receiver crashes", both, func(net *Network[packet]) { net.CrashAt(0, des.Time(500*us)) }, `
          0s  start   1  | sends PACKET(1) to 0
       500µs  crash   0
       600µs  start   2  | sends PACKET(2) to 0
       1.1ms  lost    1 -> 0  PACKET(1)
       1.7ms  lost    2 -> 0  PACKET(2)
`},
		{"a fault loses it", both, func(net *Network[packet]) {
			net.Oppose(forbidding{from: 1})
		}, `
          0s  start   1  | sends PACKET(1) to 0
          0s  cut     1 -> 0  PACKET(1)
       600µs  start   2  | sends PACKET(2) to 0
       1.7ms  collide 2 -> 0  PACKET(2)  | with a message of 1 at 700µs
`},
		{"a fault doubles and delays it", both, func(net *Network[packet]) {
			net.Oppose(forbidding{from: 1, copies: 2, delay: 1600 * us})
		}, `
          0s  start   1  | sends PACKET(1) to 0
       600µs  start   2  | sends PACKET(2) to 0
       1.7ms  deliver 2 -> 0  PACKET(2)
       2.7ms  deliver 1 -> 0  PACKET(1)
       2.7ms  deliver 1 -> 0  PACKET(1)
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := traceOf(t, "star", 3, 100*us, c.script, c.plan)
			if want := c.want[1:]; got != want {
				t.Errorf("\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// forbidding decides about the messages of one process.
type forbidding struct {
	from   protocols.ID
	copies int
	delay  time.Duration
}

func (forbidding) Due(uint32)                                           {}
func (forbidding) Steps(protocols.ID, int)                              {}
func (forbidding) Leaves(_, _ protocols.ID, _ int) (leaves, crash bool) { return true, false }
func (f forbidding) Sent(from, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
	if from == f.from {
		return f.copies, f.delay, nil
	}
	return 1, 0, nil
}
func (forbidding) Arrives(_, _ protocols.ID, _ int) (time.Duration, bool) { return 0, false }
func (forbidding) Expires(protocols.ID) time.Duration                     { return 0 }

// Bits are sent once, and heard by each neighbour that lives.
func TestBitsHeard(t *testing.T) {
	s := script{{0, 0, toAll, 700}, {0, 1, 0, 50}, {0, 2, 2, 9000}, {time.Second, 0, 1, 80}}
	_, c := traceOf(t, "star", 5, time.Millisecond, s, func(net *Network[packet]) { net.CrashAt(4, des.Time(time.Millisecond)) })
	if c.Bits != 9830 || c.BitsAired != 830 || c.BitsHeard != 700*4+50+80*3 {
		t.Errorf("%d bits, %d transmitted, %d heard", c.Bits, c.BitsAired, c.BitsHeard)
	}
	if joules := mustRadio("radio(1mbit, 50nJ/bit, 40nJ/bit)").Energy(c.BitsAired, c.BitsHeard); joules != (830*50_000+3090*40_000)/1e12 {
		t.Errorf("%v J", joules)
	}
}

// ALOHA: senders begin at the instants of a Poisson process and hear nobody. Of G messages that begin in the time of
// one, G e^(-2G) arrive (Abramson, AFIPS 1970); if all begin at multiples of that time, G e^(-G) (Roberts, CCR 5(2) 1975).
// The mean of the runs is within 4 of its standard errors.
func TestAloha(t *testing.T) {
	const runs, messages, senders, airtime = 30, 4000, 64, des.Time(time.Millisecond)
	for _, slotted := range []bool{false, true} {
		for _, g := range []float64{0.1, 0.25, 0.5, 1, 2} {
			theory := g * math.Exp(-2*g)
			if slotted {
				theory = g * math.Exp(-g)
			}
			var sum, squares float64
			for seed := range uint64(runs) {
				s := throughput(t, seed, g, messages, senders, airtime, slotted)
				sum, squares = sum+s, squares+s*s
			}
			mean := sum / runs
			half := 4 * math.Sqrt((squares/runs-mean*mean)/(runs-1))
			if math.Abs(mean-theory) > half || half > theory/10 {
				t.Errorf("slotted %v, G = %v: throughput %.4f ± %.4f, theory %.4f", slotted, g, mean, half, theory)
			}
		}
	}
}

// throughput is the number of messages that arrive at the centre of a star in the time of one.
func throughput(t *testing.T, seed uint64, g float64, messages, senders int, airtime des.Time, slotted bool) float64 {
	radio := mustRadio("radio(1mbit)")
	cfg := Config{Topology: mustTopology(t, "star", senders+1), Delay: des.Constant(time.Millisecond), FIFO: true, Seed: seed, Medium: radio}
	net := New(cfg, func(protocols.ID) protocols.Process[packet] {
		return station{starts: func(n protocols.Node[packet]) { n.Send(0, packet{Size: 1000}) }}
	})
	gap := des.Exponential(time.Duration(float64(airtime) / g))
	stream, at := des.NewStream(seed, "aloha"), des.Time(0)
	for i := range messages { // a sender has the next turn after 64 others, so its transmitter is free
		at = at.Add(gap.Sample(stream.Uint64()))
		begin := at
		if slotted {
			begin = (at + airtime - 1) / airtime * airtime
		}
		net.StartAt(protocols.ID(1+i%senders), begin)
	}
	net.Run(context.Background())
	c := net.Counters()
	if c.Delivered+c.Collided != uint64(messages) {
		t.Fatalf("of %d messages %d arrive and %d collide", messages, c.Delivered, c.Collided)
	}
	return float64(c.Delivered) / float64(messages) * g
}

// gossiper sends at random, when it starts, when its timer expires, and now and then when it hears something. All sizes
// and times are multiples of 100 us, so that many transmissions touch.
type gossiper struct{ left *int }

func (g gossiper) Start(n protocols.Node[packet]) {
	n.SetTimer(0, time.Duration(n.Intn(30))*100*time.Microsecond)
}

func (g gossiper) Timeout(n protocols.Node[packet], _ protocols.Timer) {
	for range n.Intn(3) {
		g.talk(n)
	}
	if *g.left > 0 {
		n.SetTimer(0, time.Duration(n.Intn(60))*100*time.Microsecond)
	}
}

func (g gossiper) Receive(n protocols.Node[packet], _ protocols.ID, _ packet) {
	if n.Intn(4) == 0 {
		g.talk(n)
	}
}

func (g gossiper) talk(n protocols.Node[packet]) {
	if *g.left--; *g.left < 0 {
		return
	}
	m := packet{*g.left, 100 * (1 + n.Intn(9))}
	if n.Intn(2) == 0 && len(protocols.Neighbors(n)) > 0 { // the trace does not show those that nobody hears
		protocols.Broadcast(n, m)
	} else {
		n.Send(n.Neighbor(n.Intn(n.Degree())), m)
	}
}

// records keeps the records of a run.
type records []Record

func (r *records) Record(one Record) { *r = append(*r, one) }

// The fate of each message in random runs, with links that come and go and crashes, is that which a comparison of all
// transmissions with all others says.
func TestCollisionsByComparison(t *testing.T) {
	runs := uint64(2000)
	if testing.Short() {
		runs = 300
	}
	fates := map[string]int{}
	for seed := range runs {
		chance := des.NewStream(seed, "gossip")
		delay := time.Duration(chance.Intn(4)) * 150 * time.Microsecond
		n, left := 2+chance.Intn(6), 60
		cfg := Config{Topology: []Topology{Complete(n), BiRing(n), Ring(n)}[chance.Intn(3)], Delay: des.Constant(delay), FIFO: true, Seed: seed, Medium: mustRadio("radio(1mbit)")}
		net := New(cfg, func(protocols.ID) protocols.Process[packet] { return gossiper{&left} })
		var got records
		net.Trace(&got)
		for p := range protocols.ID(n) {
			net.StartAt(p, 0)
			if chance.Intn(8) == 0 {
				net.CrashAt(p, des.Time(chance.Intn(100))*des.Time(100*time.Microsecond))
			}
		}
		for range chance.Intn(2) * 10 {
			a := protocols.ID(chance.Intn(n))
			net.ChangeAt(Change{des.Time(1+chance.Intn(100)) * des.Time(100*time.Microsecond), a, cfg.Topology.Neighbor(a, 0), chance.Intn(2) == 0})
		}
		net.Run(context.Background())
		want := compared(cfg.Topology, des.Time(delay), got)
		for _, r := range got {
			if r.Number == 0 {
				continue
			}
			fates[r.What]++
			if is := (fate{r.What, r.At}); is != want[r.Number] {
				t.Fatalf("seed %d: message %d from %d to %d: %v, by comparison %v", seed, r.Number, r.From, r.Who, is, want[r.Number])
			}
			delete(want, r.Number)
		}
		if len(want) > 0 {
			t.Fatalf("seed %d: no record of %d messages", seed, len(want))
		}
	}
	for _, what := range []string{"deliver", "collide", "cut", "lost"} {
		if fates[what] < int(runs) {
			t.Errorf("in %d runs the fates are %v", runs, fates)
		}
	}
}

// fate is what becomes of a message, and when.
type fate struct {
	what string
	at   des.Time
}

// span is a transmission at a process.
type span struct {
	at, from   protocols.ID
	begin, end des.Time
}

// compared are the fates of the messages of a run, from the instants of its records at which processes sent, crashed and
// links changed.
func compared(topology Topology, delay des.Time, all records) map[uint64]fate {
	busy := map[protocols.ID]des.Time{}
	var spans []span
	ends, spanOf, cutAt := map[uint64]Sent{}, map[uint64]int{}, map[uint64]des.Time{}
	fates, who := map[uint64]fate{}, map[uint64]protocols.ID{}
	gone, crashed := map[Link]bool{}, map[protocols.ID]des.Time{}
	for _, r := range all {
		switch {
		case r.Change != nil:
			k := LinkBetween(r.Change.A, r.Change.B)
			gone[k] = !r.Change.Up
			if r.Change.Up {
				continue
			}
			for i := range spans {
				if s := &spans[i]; s.at != s.from && LinkBetween(s.at, s.from) == k {
					s.begin, s.end = min(s.begin, r.At), min(s.end, r.At)
				}
			}
			for number, i := range spanOf {
				if LinkBetween(spans[i].at, spans[i].from) == k && cutAt[number] == 0 {
					cutAt[number] = r.At
				}
			}
		case r.What == "crash":
			crashed[r.Who] = r.At
		}
		for i, s := range r.Sent {
			if i == 0 || s.Message != r.Sent[i-1].Message { // it begins a transmission
				begin := max(r.At, busy[r.Who])
				end := begin + des.Time(s.Message.(packet).Size)*des.Time(time.Microsecond)
				busy[r.Who] = end
				spans = append(spans, span{r.Who, r.Who, begin, end})
				for _, q := range NeighborsOf(topology, r.Who) {
					if !gone[LinkBetween(q, r.Who)] {
						spans = append(spans, span{q, r.Who, begin + delay, end + delay})
					}
				}
			}
			ends[s.Number], who[s.Number] = s, r.Who
			mine := slices.IndexFunc(spans, func(x span) bool { return x.at == s.To && x.from == r.Who && x.end == busy[r.Who]+delay })
			if mine < 0 {
				fates[s.Number] = fate{"cut", r.At}
				continue
			}
			spanOf[s.Number] = mine
			fates[s.Number] = fate{"deliver", busy[r.Who] + delay}
		}
	}
	for number, i := range spanOf {
		f, mine := fates[number], spans[i]
		down, isDown := crashed[mine.at]
		switch {
		case cutAt[number] > 0 && cutAt[number] <= f.at:
			f.what = "cut"
		case isDown && down <= f.at:
			f.what = "lost"
		case slices.ContainsFunc(slices.Concat(spans[:i], spans[i+1:]), func(x span) bool {
			return x.at == mine.at && x.begin < x.end && x.begin < mine.end && mine.begin < x.end
		}):
			f.what = "collide"
		}
		fates[number] = f
	}
	return fates
}

// Signals of one sender do not meet each other on links that keep the order, whatever their delays.
func TestSignalsKeepTheirOrder(t *testing.T) {
	for _, fifo := range []bool{true, false} {
		nr := 0
		cfg := Config{Topology: Complete(3), Delay: des.Exponential(time.Millisecond), FIFO: fifo, Medium: mustRadio("radio(1mbit)")}
		net := New(cfg, func(protocols.ID) protocols.Process[packet] {
			return station{starts: func(n protocols.Node[packet]) {
				nr++
				n.Send(1+protocols.ID(nr%2), packet{nr, 100})
			}}
		})
		var all records
		net.Trace(&all)
		for range 500 {
			net.StartAt(0, 0)
		}
		net.Run(context.Background())
		c, last := net.Counters(), map[protocols.ID]uint64{}
		if (c.Collided == 0) != fifo || (c.Reordered == 0) != fifo {
			t.Errorf("in order %v: %d messages collide, and %d overtake another one", fifo, c.Collided, c.Reordered)
		}
		for _, r := range all {
			if r.What == "deliver" && fifo {
				if r.Number < last[r.Who] {
					t.Errorf("message %d arrives at %d after %d", r.Number, r.Who, last[r.Who])
				}
				last[r.Who] = r.Number
			}
		}
	}
}

// A run on a medium has no state of the run before it.
func TestMediumReset(t *testing.T) {
	run := func(net *Network[packet], radio *medium.Radio) Counters {
		left := 200
		cfg := Config{Topology: Complete(5), Delay: des.Exponential(time.Millisecond), FIFO: true, Seed: 4, Medium: radio}
		net.Reset(cfg, func(protocols.ID) protocols.Process[packet] { return gossiper{&left} })
		for p := range protocols.ID(5) {
			net.StartAt(p, 0)
		}
		net.Run(context.Background())
		return net.Counters()
	}
	boot := func(protocols.ID) protocols.Process[packet] { return nil }
	used := New(Config{Topology: Ring(1), Delay: des.Constant(0)}, boot)
	for _, radio := range []*medium.Radio{nil, mustRadio("radio(1mbit)"), mustRadio("radio(10kbit)"), nil} {
		fresh := New(Config{Topology: Ring(1), Delay: des.Constant(0)}, boot)
		want, got := run(fresh, radio), run(used, radio)
		if fmt.Sprint(got) != fmt.Sprint(want) || (radio == nil) != (got.Collided == 0) {
			t.Errorf("%v: %+v, in a new network %+v", radio, got, want)
		}
	}
}
