package bracha_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/bracha"
	"bullring/protocols/workload"
)

// system is a network of processes of which some are Byzantine.
type system struct {
	members []broadcast.Member // nil if Byzantine
	net     *netem.Network[bracha.Message]
}

// newSystem makes n processes. Each of the origins broadcasts so many items.
func newSystem(c netem.Config, cfg bracha.Config, n, items int, origins []protocols.ID, strategies map[protocols.ID]string) *system {
	s := &system{members: make([]broadcast.Member, n)}
	c.Topology = netem.Complete(n)
	client := func() *broadcast.Client[bracha.Message] {
		return broadcast.NewClient(bracha.New(cfg), workload.Work{Requests: items})
	}
	s.net = netem.New(c, func(p protocols.ID) protocols.Process[bracha.Message] {
		strategy, lies := strategies[p]
		if !lies {
			honest := client()
			s.members[p] = honest
			return honest
		}
		return adversary.Asynchronous[bracha.Message]{
			Honest:   func() protocols.Process[bracha.Message] { return client() },
			Second:   func() protocols.Process[bracha.Message] { return adversary.Opposed(client(), bracha.Opposite) },
			First:    func(q protocols.ID) bool { return int(q) < n/2 },
			Versions: bracha.Versions, Told: bracha.Told,
		}.Lying(strategy)
	})
	for _, p := range origins {
		s.net.StartAt(p, 0)
	}
	return s
}

// delivered is what each process has delivered, sorted; of a Byzantine one -.
func (s *system) delivered() (all []string) {
	for _, m := range s.members {
		if m == nil {
			all = append(all, "-")
			continue
		}
		items := slices.Clone(m.Delivered())
		slices.SortFunc(items, func(i, j broadcast.Item) int { return 1000*int(i.Origin-j.Origin) + i.Number - j.Number })
		all = append(all, fmt.Sprint(items))
	}
	return all
}

// Bracha 1987: with n > 3f all correct processes deliver the same, once, and what correct ones
// broadcast. Links have any order. Without a failure it takes (n-1)(2n+1) messages an item, whatever the delays are.
func TestDelivers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		cfg, items := bracha.Config{Faulty: (n - 1) / 3}, rapid.IntRange(1, 3).Draw(t, "items")
		some := func(least, most int, name string) []protocols.ID {
			return rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(0, n-1), func(p int) protocols.ID { return protocols.ID(p) }), least, most, rapid.ID).Draw(t, name)
		}
		origins, strategies := some(1, n, "origins"), map[protocols.ID]string{}
		for _, p := range some(0, cfg.Faulty, "liars") {
			strategies[p] = rapid.SampledFrom(adversary.Asynchronously).Draw(t, "strategy").Name
		}
		s := newSystem(netem.Config{Delay: des.Exponential(time.Millisecond), FIFO: rapid.Bool().Draw(t, "fifo"), Seed: rapid.Uint64().Draw(t, "seed")}, cfg, n, items, origins, strategies)
		if end := s.net.Run(t.Context()); end != netem.Quiescent {
			t.Fatal(end)
		}
		if cost := items * len(origins) * (n - 1) * (2*n + 1); len(strategies) == 0 && s.net.Counters().Messages() != uint64(cost) {
			t.Fatalf("%d messages, want %d", s.net.Counters().Messages(), cost)
		}
		all := slices.Compact(slices.DeleteFunc(s.delivered(), func(text string) bool { return text == "-" }))
		if len(all) != 1 {
			t.Fatalf("delivered %v", s.delivered())
		}
		for p, m := range s.members {
			if m == nil {
				continue
			}
			of, seen := map[protocols.ID]int{}, map[string]bool{}
			for _, i := range m.Delivered() {
				if of[i.Origin]++; s.members[i.Origin] != nil && i.Value != 0 || seen[fmt.Sprint(i.Origin, i.Number)] {
					t.Fatalf("process %d delivered %v", p, m.Delivered())
				}
				seen[fmt.Sprint(i.Origin, i.Number)] = true
			}
			for _, q := range origins {
				if s.members[q] != nil && of[q] != items {
					t.Fatalf("process %d delivered %d items of %d", p, of[q], q)
				}
			}
		}
	})
}

// The origin, process 0, tells 1 one value, and 2 and 3 another. Process 1 delivers what the others echo.
func TestTrace(t *testing.T) {
	s := newSystem(netem.Config{Delay: des.Constant(time.Millisecond), FIFO: true}, bracha.Config{Faulty: 1}, 4, 1, []protocols.ID{0}, map[protocols.ID]string{0: "split"})
	var trace bytes.Buffer
	s.net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if m := s.members[p]; m != nil && len(m.Delivered()) > 0 {
			return fmt.Sprint("delivered ", m.Delivered())
		}
		return ""
	}))
	if end := s.net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "split.txt", trace.Bytes())
}

// Without READY a lying origin has some processes deliver, and others wait.
func TestUnready(t *testing.T) {
	for unready, want := range map[bool]string{false: "[- [0.1=1] [0.1=1] [0.1=1]]", true: "[- [] [0.1=1] [0.1=1]]"} {
		cfg := bracha.Config{Faulty: 1, Unready: unready}
		s := newSystem(netem.Config{Delay: des.Constant(time.Millisecond), FIFO: true}, cfg, 4, 1, []protocols.ID{0}, map[protocols.ID]string{0: "split"})
		s.net.Run(t.Context())
		if got := fmt.Sprint(s.delivered()); got != want {
			t.Errorf("unready %v: %s, want %s", unready, got, want)
		}
	}
}

// But no two deliver different values, however many are Byzantine up to f.
func TestUnreadyIsConsistent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 8).Draw(t, "n")
		cfg, strategies := bracha.Config{Faulty: (n - 1) / 3, Unready: true}, map[protocols.ID]string{}
		for p := range protocols.ID(cfg.Faulty) {
			strategies[p] = rapid.SampledFrom(adversary.Asynchronously).Draw(t, "strategy").Name
		}
		s := newSystem(netem.Config{Delay: des.Exponential(time.Millisecond), Seed: rapid.Uint64().Draw(t, "seed")}, cfg, n, 1, []protocols.ID{0}, strategies)
		s.net.Run(t.Context())
		said := slices.DeleteFunc(s.delivered(), func(text string) bool { return text == "-" || text == "[]" })
		slices.Sort(said)
		if values := slices.Compact(said); len(values) > 1 {
			t.Fatalf("delivered %v", s.delivered())
		}
	})
}

// alone is the node of process 1 of four. It notes what the process sends.
type alone struct {
	protocols.Node[bracha.Message]
	sent []string
}

func (*alone) ID() protocols.ID               { return 1 }
func (*alone) Degree() int                    { return 3 }
func (*alone) Neighbor(port int) protocols.ID { return protocols.ID(port+2) % 4 }
func (a *alone) Send(to protocols.ID, m bracha.Message) {
	if to == 0 {
		a.sent = append(a.sent, m.String())
	}
}

// How much a process needs, and what it does not count: a SEND of another than the origin, a second
// SEND, and a second ECHO or READY of one sender. f is 1 of 4.
func TestThresholds(t *testing.T) {
	send, echo, ready := bracha.Send, bracha.Echo, bracha.Ready
	type heard struct {
		from  protocols.ID
		kind  protocols.Type
		value int
	}
	for _, c := range []struct {
		name            string
		heard           []heard
		sent, delivered string
	}{
		{"SEND of the origin", []heard{{0, send, 7}}, "[ECHO(0.1=7)]", "[]"},
		{"SEND of another", []heard{{2, send, 7}}, "[]", "[]"},
		{"SEND twice", []heard{{0, send, 7}, {0, send, 8}}, "[ECHO(0.1=7)]", "[]"},
		{"two ECHOes and its own", []heard{{0, send, 7}, {2, echo, 7}, {3, echo, 7}}, "[ECHO(0.1=7) READY(0.1=7)]", "[]"},
		{"two ECHOes", []heard{{2, echo, 7}, {3, echo, 7}}, "[]", "[]"},
		{"three ECHOes", []heard{{2, echo, 7}, {3, echo, 7}, {0, echo, 7}}, "[READY(0.1=7)]", "[]"},
		{"three ECHOes of two values", []heard{{2, echo, 7}, {3, echo, 7}, {0, echo, 8}}, "[]", "[]"},
		{"three ECHOes of two senders", []heard{{2, echo, 7}, {3, echo, 7}, {2, echo, 7}}, "[]", "[]"},
		{"an ECHO taken back", []heard{{2, echo, 8}, {3, echo, 7}, {2, echo, 7}, {0, echo, 7}}, "[]", "[]"},
		{"one READY", []heard{{2, ready, 7}}, "[]", "[]"},
		{"two READYs and its own", []heard{{2, ready, 7}, {3, ready, 7}}, "[READY(0.1=7)]", "[0.1=7]"},
		{"two READYs of one sender", []heard{{2, ready, 7}, {2, ready, 7}}, "[]", "[]"},
		{"READYs of two values", []heard{{2, ready, 7}, {3, ready, 8}}, "[]", "[]"},
		{"ready for another value", []heard{{2, echo, 8}, {3, echo, 8}, {0, echo, 8}, {2, ready, 7}, {3, ready, 7}}, "[READY(0.1=8)]", "[]"},
		{"three READYs for another value", []heard{{2, echo, 8}, {3, echo, 8}, {0, echo, 8}, {2, ready, 7}, {3, ready, 7}, {0, ready, 7}}, "[READY(0.1=8)]", "[0.1=7]"},
		{"a late SEND", []heard{{2, ready, 7}, {3, ready, 7}, {0, send, 7}}, "[READY(0.1=7) ECHO(0.1=7)]", "[0.1=7]"},
		{"late ECHOes and READYs", []heard{{2, ready, 7}, {3, ready, 7}, {0, ready, 7}, {2, echo, 7}, {3, echo, 7}, {0, echo, 7}}, "[READY(0.1=7)]", "[0.1=7]"},
	} {
		n, p := &alone{}, bracha.New(bracha.Config{Faulty: 1})
		for _, h := range c.heard {
			p.Receive(n, h.from, bracha.Message{Type: h.kind, Item: broadcast.Item{Number: 1, Value: h.value}})
		}
		if sent, delivered := fmt.Sprint(n.sent), fmt.Sprint(p.Delivered()); sent != c.sent || delivered != c.delivered {
			t.Errorf("%s: sends %s and delivers %s, want %s and %s", c.name, sent, delivered, c.sent, c.delivered)
		}
	}
}

func TestMessage(t *testing.T) {
	m := bracha.Message{Type: bracha.Echo, Item: broadcast.Item{Origin: 2, Number: 1}}
	if m.String() != "ECHO(2.1)" || m.Bits() != 200 || m.Kinds()[m.Kind()] != "ECHO" {
		t.Errorf("%v, %d bits", m, m.Bits())
	}
	if got := fmt.Sprint(bracha.Versions(m), bracha.Opposite(m), bracha.Opposite(bracha.Opposite(m))); got != "[ECHO(2.1) ECHO(2.1=1)] ECHO(2.1=1) ECHO(2.1)" {
		t.Error(got)
	}
}
