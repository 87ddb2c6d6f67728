package elections_test

import (
	"context"
	"fmt"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial/search"
)

// BenchmarkExplore explores the election of Dolev, Klawe and Rodeh on the ring of
// SPIN's model of it, and the bully with a crash: transitions a second, and bytes a
// state, all told.
func BenchmarkExplore(b *testing.B) {
	for _, c := range []struct {
		name   string
		search catalogtest.Search
	}{{"peterson12", spinRing(12)}, {"bully4", of("bully", 4).Crashing(1).InFull()}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", c.name, workers), func(b *testing.B) {
				var e *search.Exploration
				for b.Loop() {
					c.search.Options.Workers = workers
					var err error
					if e, err = search.Explore(context.Background(), registry, search.Search(c.search)); err != nil {
						b.Fatal(err)
					}
				}
				seconds := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(float64(e.Transitions)/seconds, "transitions/s")
				b.ReportMetric(float64(e.States), "states")
				b.ReportMetric(float64(e.Memory)/float64(e.States), "B/state")
			})
		}
	}
}
