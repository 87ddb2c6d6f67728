package netem_test

import (
	"testing"

	"bullring/des"
	"bullring/des/yardstick"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
)

// everyClause is a line that is impaired in all ways at once.
const everyClause = "delay 1ms 100us 25% distribution pareto loss gemodel 0.01% 50% duplicate 0.001% reorder 1% gap 5 corrupt 0.01% rate 1gbit limit 1000"

// BenchmarkLinks measures a message that is passed round a ring, over several kinds of links.
// Links that only delay take the short way through the runtime. The others take the long way,
// and so do all links of a run with an adversary or a tracer.
func BenchmarkLinks(b *testing.B) {
	for _, c := range []struct {
		name   string
		delay  des.Distribution
		line   string
		oppose bool
	}{
		{"constant", des.Constant(ms), "", false},
		{"uniform", des.Uniform(ms/2, 3*ms/2), "", false},
		{"exponential", des.Exponential(ms), "", false},
		{"uniform opposed", des.Uniform(ms/2, 3*ms/2), "", true},
		{"jitter", nil, "delay 1ms 500us", false},
		{"jitter loss", nil, "delay 1ms 500us loss 0.01%", false},
		{"normal gemodel", nil, "delay 1ms 100us distribution normal loss gemodel 0.01% 50%", false},
		{"correlated", nil, "delay 1ms 100us 25% distribution normal loss 0.01% 25%", false},
		{"everything", nil, everyClause, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			work := aroundARing(b, c.delay, c.line, c.oppose)
			work()
			messages := 0
			b.ReportAllocs()
			for b.Loop() {
				messages += work()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/msg")
		})
	}
}

// aroundARing passes messages round a ring and returns their number. The links have a delay
// or, if it is not "", an impaired line.
func aroundARing(t testing.TB, delay des.Distribution, text string, oppose bool) func() int {
	const n = 1000
	cfg := netem.Config{Topology: netem.Ring(n), Delay: delay, FIFO: true, Seed: 1}
	if text != "" {
		line, err := impair.Parse(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Delay, cfg.Lines = des.Constant(ms), []netem.Line{{Line: line}}
	}
	boot := all(script{
		start: func(nd node) { nd.Send(nd.Neighbor(0), note{x: 1000}) },
		receive: func(nd node, _ protocols.ID, m note) {
			if m.x > 0 {
				nd.Send(nd.Neighbor(0), note{x: m.x - 1})
			}
		},
	})
	net := netem.New(cfg, boot)
	return func() int {
		net.Reset(cfg, boot)
		if oppose {
			net.Oppose(&foe{})
		}
		for id := range protocols.ID(n) {
			net.StartAt(id, 0)
		}
		net.Run(t.Context())
		return int(net.Counters().Messages())
	}
}

// TestBars measures a lossy line with jitter, with the bar of docs/performance.md: a third of
// the rate with constant delays.
func TestBars(t *testing.T) {
	yardstick.SkipUnlessAsked(t)
	over := func(name string, delay des.Distribution, line string) yardstick.Contender {
		return yardstick.Contender{Name: name, Run: yardstick.PerOperation(aroundARing(t, delay, line, false))}
	}
	yardstick.Work{
		Name: "delay 1ms 500us loss 0.01%", Unit: "ns", Rounds: 9,
		Contenders: []yardstick.Contender{
			over("lossy", nil, "delay 1ms 500us loss 0.01%"),
			over("constant delay", des.Constant(ms), ""),
			over("uniform delay", des.Uniform(ms/2, 3*ms/2), ""),
			over("exponential delay", des.Exponential(ms), ""),
			over("all clauses", nil, everyClause),
		},
		Bars: []yardstick.Bar{{Against: "constant delay", AtMost: 3}},
	}.Measure(t)
}
