package netem_test

import (
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
)

// BenchmarkLinks measures a message that is passed round a ring, over several kinds of links.
// Links that only delay take the short way through the runtime. The others take the long way,
// and so do all links of a run with an adversary or a tracer.
func BenchmarkLinks(b *testing.B) {
	const n = 1000
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
		{"everything", nil, "delay 1ms 100us 25% distribution pareto loss gemodel 0.01% 50% duplicate 0.001% reorder 1% gap 5 corrupt 0.01% rate 1gbit limit 1000", false},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := netem.Config{Topology: netem.Ring(n), Delay: c.delay, FIFO: true, Seed: 1}
			if c.line != "" {
				line, err := impair.Parse(c.line, nil)
				if err != nil {
					b.Fatal(err)
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
			messages := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				net.Reset(cfg, boot)
				if c.oppose {
					net.Oppose(&foe{})
				}
				for id := range protocols.ID(n) {
					net.StartAt(id, 0)
				}
				net.Run(b.Context())
				messages += net.Counters().Messages()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/msg")
		})
	}
}
