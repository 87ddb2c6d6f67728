package live

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/links"
)

// reciter sends a hundred words to each neighbour.
type reciter struct{ talker }

func (reciter) Start(n protocols.Node[word]) {
	for port := range n.Degree() {
		for k := range 100 {
			n.Send(n.Neighbor(port), word(fmt.Sprint("word ", k)))
		}
	}
}

// recital has three processes that recite over links with these lines.
func recital(t *testing.T, lines ...string) Config {
	c := Config{
		Topology: netem.Complete(3), Initiators: []protocols.ID{0, 1, 2}, Limit: time.Minute, Seed: 3, FIFO: true,
		Boot: func(protocols.ID) protocols.Process[box.Message] { return box.Wrap(reciter{}) },
	}
	for _, text := range lines {
		line, err := impair.Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Lines = append(c.Lines, netem.Line{Links: links.Set{}, Line: line})
	}
	return c
}

func mustRun(t *testing.T, c Config) *Recording {
	t.Helper()
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// counted counts what happened to each message.
type counted map[string]int

func (c counted) Record(r netem.Record) {
	if r.Message != nil {
		c[fmt.Sprintf("%s %d->%d %v", r.What, r.From, r.Who, r.Message)]++
	}
}

// Which messages of a link are lost, damaged and duplicated is the same as in the emulator, for
// one seed.
func TestFatesAreThoseOfTheEmulator(t *testing.T) {
	for _, line := range []string{"loss 20%", "loss gemodel 10% 40% duplicate 20%", "corrupt 10% duplicate 50% reorder 20% delay 1ms 1ms"} {
		c := recital(t, line)
		want := counted{}
		net := netem.New(netem.Config{Topology: c.Topology, Delay: des.Constant(0), FIFO: true, Lines: c.Lines, Seed: c.Seed}, c.Boot)
		net.Trace(want)
		for _, p := range c.Initiators {
			net.StartAt(p, 0)
		}
		net.Run(t.Context())
		rec := mustRun(t, c)
		got := counted{}
		for _, s := range rec.Steps {
			got.Record(s.Record)
		}
		if rec.End != Rest || !maps.Equal(got, want) {
			t.Errorf("%s: %v with %d fates, not rest with %d: %v", line, rec.End, len(got), len(want), differences(got, want))
		}
	}
}

func differences(a, b counted) (texts []string) {
	for k := range b {
		if a[k] != b[k] {
			texts = append(texts, fmt.Sprintf("%s %d times, not %d", k, a[k], b[k]))
		}
	}
	slices.Sort(texts)
	return texts[:min(5, len(texts))]
}

// A link that keeps the order keeps it under random delays and in slots, too. The imposed delay is
// no part of the latency.
func TestOrderIsKept(t *testing.T) {
	for line, least := range map[string]time.Duration{"delay 1ms 5ms": 0, "delay 20ms": 20 * time.Millisecond, "slot 100us 300us packets 9": 0, "rate 20mbit": 0} {
		c := recital(t, line)
		rec := mustRun(t, c)
		next := map[[2]protocols.ID]int{}
		for _, s := range rec.Steps {
			if s.What != "deliver" {
				continue
			}
			link := [2]protocols.ID{s.From, s.Who}
			if want := fmt.Sprint("word ", next[link]); fmt.Sprint(s.Message) != want {
				t.Fatalf("%s: on link %v %v arrives, not %s", line, link, s.Message, want)
			}
			next[link]++
			if s.Latency < 0 || s.Latency+least > s.Wall {
				t.Errorf("%s: a latency of %v at %v", line, s.Latency, s.Wall)
			}
		}
		if rec.End != Rest || len(next) != 6 || next[[2]protocols.ID{0, 1}] != 100 {
			t.Errorf("%s: %v after %v", line, rec.End, next)
		}
	}
}

// A loss stands directly after the starts, or after the step that sent the message.
func TestLossesFollowTheirSends(t *testing.T) {
	rec := mustRun(t, recital(t, "loss 50%"))
	sent, starts := map[uint64]bool{}, 0
	for _, s := range rec.Steps {
		if s.What == "start" {
			starts++
		}
		if s.What == "lose" && (starts < 3 || !sent[s.Number]) {
			t.Fatalf("%v %v after %d starts", s.What, s.Message, starts)
		}
		for _, m := range s.Sent {
			sent[m.Number] = true
		}
	}
}

func TestLinksDoNotAlterMessages(t *testing.T) {
	if _, err := Run(t.Context(), recital(t, "corrupt 10% altered")); err == nil {
		t.Error("a link alters messages")
	}
}
