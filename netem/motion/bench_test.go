package motion

import (
	"fmt"
	"testing"

	"bullring/netem"
	"bullring/protocols"
)

// The work of a source at 50 processes a square kilometre that reach 200 m: time for each change, and
// virtual time for each minute, with what it takes to begin.
func BenchmarkSource(b *testing.B) {
	for _, c := range []struct {
		n    int
		side int // metres
	}{{50, 1000}, {1000, 4472}, {10_000, 14_142}} {
		for _, kind := range []string{"waypoint(%dmx%[1]dm, 200m, 1..20m/s, 10s)", "walk(%dmx%[1]dm, 200m, 10m/s, 20s)"} {
			text := fmt.Sprintf(kind, c.side)
			b.Run(fmt.Sprintf("n=%d/%.4s", c.n, text), func(b *testing.B) {
				s := mustParse(b, text).Source(netem.Complete(c.n), 1)
				s.Begin(func(a, b protocols.ID) {})
				var last netem.Change
				for b.Loop() {
					last, _ = s.Next()
				}
				virtual := float64(last.At) / 1e9
				b.ReportMetric(virtual/b.Elapsed().Seconds(), "virtual-min/min")
				b.ReportMetric(float64(b.N)/virtual, "changes/virtual-s")
			})
		}
	}
}

// BenchmarkBegin is the work of the links of the beginning, and of the first legs.
func BenchmarkBegin(b *testing.B) {
	m := mustParse(b, "waypoint(14142mx14142m, 200m, 1..20m/s, 10s)")
	for b.Loop() {
		m.Source(netem.Complete(10_000), 1).Begin(func(a, b protocols.ID) {})
	}
}
