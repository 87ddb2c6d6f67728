package figures_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/catalog"
)

// Run a sweep with a figure, draw the figure from its rows, and read its receipt.
func ExampleDraw() {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	text := []byte(`name: lcr
replicates: 20
algorithms: lcr
axes: {n: [4, 8, 16], placement: random}
figures:
  - {name: cost, y: messages, curves: [{algorithm: lcr, bound: worst}]}
`)
	registry := catalog.New()
	s, err := results.ParseSpec(registry, "lcr.yaml", text)
	if err != nil {
		fmt.Println(err)
		return
	}
	run := &sweep.Sweep{Source: sweep.Source{Registry: registry, Spec: s, Text: text, File: "lcr.yaml"}, Dir: dir, Rehearse: figures.Rehearse}
	if _, err := run.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	paths, err := figures.Draw(registry, dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, path := range paths {
		fmt.Println(filepath.Base(path))
	}
	picture, err := figures.ReadReceipt(registry, paths[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s shows %d trials of the sweep %s\n", picture.Figure, picture.Trials, picture.Spec.Name)
	// Output:
	// cost.png
	// cost.svg
	// cost.pdf
	// cost.csv
	// cost.txt
	// cost.tex
	// cost shows 60 trials of the sweep lcr
}
