package sweep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/catalog"
)

// readSweep returns a sweep of twelve trials into a directory.
func readSweep(dir string) (*sweep.Sweep, error) {
	text := []byte(`name: lcr
replicates: 4
algorithms: lcr
axes: {n: [2, 4, 8], placement: random}
`)
	registry := catalog.New()
	s, err := results.ParseSpec(registry, "lcr.yaml", text)
	return &sweep.Sweep{Source: sweep.Source{Registry: registry, Spec: s, Text: text, File: "lcr.yaml"}, Dir: dir}, err
}

// Run a sweep. A second Run finds it complete.
func ExampleSweep() {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := readSweep(filepath.Join(dir, "lcr"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		report, err := s.Run(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.Done, "trials,", report.Failed, "failed; complete before:", report.Already)
	}
	// Output:
	// 12 trials, 0 failed; complete before: false
	// 12 trials, 0 failed; complete before: true
}

// Run the two halves of a sweep, as two machines would, and join them.
func ExampleJoin() {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	join := &sweep.Join{Registry: catalog.New(), Paths: []string{dir}}
	for i := range 2 {
		s, err := readSweep(dir)
		if err != nil {
			fmt.Println(err)
			return
		}
		if s.Shard, err = sweep.ParseShard(fmt.Sprintf("%d/2", i)); err != nil {
			fmt.Println(err)
			return
		}
		report, err := s.Run(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("shard", s.Shard, "ran", report.Done, "trials")
		if _, err := join.Sweep(); err != nil {
			fmt.Println(err)
		}
	}
	s, err := join.Sweep()
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := s.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("joined", report.Done, "trials into", report.Files)
	// Output:
	// shard 0/2 ran 6 trials
	// 1 of 2 shards are missing: --array=1
	// shard 1/2 ran 6 trials
	// joined 12 trials into [spec.yaml results.csv summary.csv growth.csv manifest.json]
}
