package live_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// decreasing returns LCR on a ring of n whose identities decrease: it sends n(n+1)/2 messages.
func decreasing(n int) live.Config {
	var initiators []protocols.ID
	for i := range n {
		initiators = append(initiators, protocols.ID(i))
	}
	return live.Config{
		Topology: netem.Ring(n), Initiators: initiators, Limit: time.Minute,
		Boot: func(p protocols.ID) protocols.Process[box.Message] {
			return box.Wrap(lcr.New(election.Rank{ID: election.Identity(n - int(p))}, lcr.Config{}))
		},
	}
}

func TestCountsOfLCR(t *testing.T) {
	for _, n := range []int{1, 2, 5, 64} {
		rec, err := live.Run(t.Context(), decreasing(n))
		if err != nil {
			t.Fatal(err)
		}
		sent := 0
		for _, s := range rec.Steps {
			sent += len(s.Sent)
		}
		if want := n * (n + 1) / 2; rec.End != live.Rest || sent != want {
			t.Errorf("n %d: %v after %d messages, not rest after %d", n, rec.End, sent, want)
		}
		if handled := len(rec.Latencies()); handled != sent {
			t.Errorf("n %d: %d messages were sent and %d handled", n, sent, handled)
		}
	}
}

// TestOrderOfSteps: a recording has a message arrive after the step that sent it, and the steps of a
// process as it took them.
func TestOrderOfSteps(t *testing.T) {
	// Process 3 has the largest identity and starts alone. So a message goes round the ring, from 7 to 0
	// on its way, and the others take their first steps.
	c := decreasing(8)
	c.Initiators = []protocols.ID{3}
	c.Boot = func(p protocols.ID) protocols.Process[box.Message] {
		return box.Wrap(lcr.New(election.Rank{ID: election.Identity((p+4)%8 + 1)}, lcr.Config{}))
	}
	rec, err := live.Run(t.Context(), c)
	if err != nil || len(rec.Steps) != 9 {
		t.Fatal(rec, err)
	}
	sent, wall := map[uint64]bool{}, map[protocols.ID]time.Duration{}
	for i, s := range rec.Steps {
		if s.What == "deliver" && !sent[s.Number] {
			t.Fatalf("step %d: message %d arrives at %d, and no step before has sent it", i, s.Number, s.Who)
		}
		if s.Wall < wall[s.Who] {
			t.Errorf("step %d: process %d takes it at %v, after one at %v", i, s.Who, s.Wall, wall[s.Who])
		}
		wall[s.Who] = s.Wall
		for _, m := range s.Sent {
			sent[m.Number] = true
		}
	}
}

// sleeper sets a timer that outlasts its run.
type sleeper struct{ protocols.Process[lcr.Message] }

func (*sleeper) Start(n protocols.Node[lcr.Message]) { n.SetTimer(1, time.Hour) }

// TestRunIsForgotten: timers that were armed when a run ended do not keep the run in memory.
func TestRunIsForgotten(t *testing.T) {
	c := decreasing(1)
	c.Limit = 10 * time.Millisecond
	var last weak.Pointer[sleeper]
	c.Boot = func(protocols.ID) protocols.Process[box.Message] {
		s := &sleeper{lcr.New(election.Rank{ID: 1}, lcr.Config{})}
		last = weak.Make(s)
		return box.Wrap(s)
	}
	if rec, err := live.Run(t.Context(), c); err != nil || rec.End != live.OutOfTime {
		t.Fatal(rec, err)
	}
	// The runtime drops timers that were stopped when they are many among those that it has.
	for end := time.Now().Add(3 * live.Patience); last.Value() != nil && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		runtime.GC()
	}
	if last.Value() != nil {
		t.Error("a process of the run is still in memory")
	}
}

// TestDatagrams: a message over UDP may be lost, and is not handled twice.
func TestDatagrams(t *testing.T) {
	c := decreasing(5)
	c.Transport, c.Quiet = live.UDP, 100*time.Millisecond
	rec, err := live.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, s := range rec.Steps {
		sent += len(s.Sent)
	}
	handled := len(rec.Latencies())
	if rec.End == live.Rest && (sent != 15 || handled != 15) || handled > sent || rec.End == live.Silence && handled == sent {
		t.Errorf("%v after %d messages, and %d were handled", rec.End, sent, handled)
	}
}

func BenchmarkLCR64(b *testing.B) {
	for name, change := range map[string]func(*live.Config){
		"tcp":     func(*live.Config) {},
		"udp":     func(c *live.Config) { c.Transport = live.UDP },
		"delayed": func(c *live.Config) { c.Delay, c.FIFO = des.Constant(time.Microsecond), true },
	} {
		b.Run(name, func(b *testing.B) {
			c := decreasing(64)
			change(&c)
			for b.Loop() {
				if _, err := live.Run(b.Context(), c); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*64*65/2/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

func TestTransportsPrintAsTheyAreRead(t *testing.T) {
	for _, transport := range []live.Transport{live.TCP, live.UDP} {
		if again, err := live.ParseTransport(transport.String()); again != transport || err != nil {
			t.Errorf("%v is read as %v, %v", transport, again, err)
		}
	}
	if _, err := live.ParseTransport("sctp"); err == nil {
		t.Error("sctp is read as a transport")
	}
}

// TestLimitOfSteps: a run ends after so many steps, and has those of each process from the first.
func TestLimitOfSteps(t *testing.T) {
	c := decreasing(32)
	c.MaxSteps = 100
	rec, err := live.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if rec.End != live.OutOfSteps || len(rec.Steps) < 100 {
		t.Errorf("%v after %d steps; want the end after 100", rec.End, len(rec.Steps))
	}
}
