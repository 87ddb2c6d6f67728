package benor_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/consensus/benor"
)

// system is a network of processes of which some are Byzantine.
type system struct {
	processes []*benor.Process // nil if Byzantine
	net       *netem.Network[benor.Message]
}

func newSystem(c netem.Config, cfg benor.Config, inputs []int, strategies map[protocols.ID]string) *system {
	s := &system{processes: make([]*benor.Process, len(inputs))}
	c.Topology = netem.Complete(len(inputs))
	s.net = netem.New(c, func(p protocols.ID) protocols.Process[benor.Message] {
		strategy, lies := strategies[p]
		if !lies {
			s.processes[p] = benor.New(inputs[p], cfg)
			return s.processes[p]
		}
		return adversary.Asynchronous[benor.Message]{
			Honest:   func() protocols.Process[benor.Message] { return benor.New(inputs[p], cfg) },
			Second:   func() protocols.Process[benor.Message] { return benor.New(1-inputs[p], cfg) },
			First:    func(q protocols.ID) bool { return int(q) < len(inputs)/2 },
			Versions: benor.Versions, Told: benor.Told,
		}.Lying(strategy)
	})
	for p := range protocols.ID(len(inputs)) {
		s.net.StartAt(p, 0)
	}
	return s
}

// Inside the model all processes that live and do not lie decide for one value, and for the input of all
// if they have one. No message is in an order that matters.
func TestDecides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := benor.Config{Liars: rapid.Bool().Draw(t, "liars"), Processes: rapid.IntRange(1, 8).Draw(t, "n")}
		most := (cfg.Processes - 1) / 2
		if cfg.Liars {
			most = (cfg.Processes - 1) / 5
		}
		cfg.Faulty = rapid.IntRange(0, most).Draw(t, "f")
		inputs := rapid.SliceOfN(rapid.IntRange(0, 1), cfg.Processes, cfg.Processes).Draw(t, "inputs")
		faulty := rapid.SliceOfNDistinct(rapid.IntRange(0, cfg.Processes-1), cfg.Faulty, cfg.Faulty, rapid.ID).Draw(t, "faulty")
		strategies := map[protocols.ID]string{}
		for _, p := range faulty {
			if cfg.Liars {
				strategies[protocols.ID(p)] = rapid.SampledFrom(adversary.Asynchronously).Draw(t, "strategy").Name
			}
		}
		s := newSystem(netem.Config{Delay: des.Exponential(time.Millisecond), FIFO: rapid.Bool().Draw(t, "fifo"), Seed: rapid.Uint64().Draw(t, "seed")}, cfg, inputs, strategies)
		if !cfg.Liars {
			for _, p := range faulty {
				s.net.CrashAt(protocols.ID(p), des.Time(rapid.Int64Range(0, 5_000_000).Draw(t, "crash")))
			}
		}
		if end := s.net.Run(t.Context()); end != netem.Quiescent {
			t.Fatal(end)
		}
		began, decided := map[int]bool{}, map[int]bool{}
		for p, process := range s.processes {
			if process == nil {
				continue
			}
			began[inputs[p]] = true
			switch d := process.Decision(); {
			case d.Made:
				decided[d.Value] = true
			case !slices.Contains(faulty, p):
				t.Fatalf("process %d has not decided", p)
			}
		}
		if len(decided) > 1 || len(began) == 1 && decided[0] && !began[0] || len(began) == 1 && decided[1] && !began[1] {
			t.Fatalf("began %v, decided %v", began, decided)
		}
	})
}

// Ben-Or, section 2: if all begin with one value, all decide within one round, whatever the delays are.
func TestOneRoundIfEqual(t *testing.T) {
	for _, cfg := range []benor.Config{{Processes: 5, Faulty: 2}, {Processes: 6, Faulty: 1, Liars: true}} {
		for seed := range uint64(50) {
			inputs := slices.Repeat([]int{int(seed % 2)}, cfg.Processes)
			s := newSystem(netem.Config{Delay: des.Exponential(time.Millisecond), Seed: seed}, cfg, inputs, nil)
			s.net.Run(t.Context())
			for _, p := range s.processes {
				if d := p.Decision(); d.Value != inputs[0] || d.Round != 1 {
					t.Fatalf("%+v: %+v", cfg, d)
				}
			}
			if sent := s.net.Counters().Messages(); sent != uint64(3*cfg.Processes*(cfg.Processes-1)) {
				t.Fatalf("%+v: %d messages", cfg, sent)
			}
		}
	}
}

// Three processes of which one is slow to hear: a tie, a coin, and a decision in round 2.
func TestTrace(t *testing.T) {
	s := newSystem(netem.Config{Delay: des.Constant(time.Millisecond), FIFO: true, Seed: 4}, benor.Config{Processes: 3, Faulty: 1}, []int{0, 1, 1}, nil)
	var trace bytes.Buffer
	s.net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string {
		if d := s.processes[p].Decision(); d.Made {
			return d.String()
		}
		return ""
	}))
	if end := s.net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, "benor.txt", trace.Bytes())
}

func TestMessage(t *testing.T) {
	m := benor.Message{Type: benor.Propose, Round: 2, Value: benor.None}
	if m.String() != "PROPOSE(?, round 2)" || m.Bits() != 80 || m.Kinds()[m.Kind()] != "PROPOSE" {
		t.Errorf("%v, %d bits", m, m.Bits())
	}
	if v := benor.Versions(m); len(v) != 3 || v[1].Value != 1 {
		t.Errorf("versions %v", v)
	}
	for _, kind := range []protocols.Type{benor.Report, benor.Decide} {
		if v := benor.Versions(benor.Message{Type: kind, Round: 1}); len(v) != 2 {
			t.Errorf("versions %v", v)
		}
	}
}

func TestNoSuchProcess(t *testing.T) {
	for _, c := range []struct {
		input int
		cfg   benor.Config
	}{{2, benor.Config{Processes: 3}}, {-1, benor.Config{Processes: 3}}, {0, benor.Config{Processes: 3, Faulty: 2}}, {0, benor.Config{Processes: 4, Faulty: 1, Liars: true}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a process of %+v was made", c)
				}
			}()
			benor.New(c.input, c.cfg)
		}()
	}
}
