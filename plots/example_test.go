package plots_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bullring/plots"
)

// Measured costs of LCR on the ring that is worst for it, on the theory.
func ExampleFigure() {
	var measured []plots.Point
	var theory []plots.XY
	for n := 2.0; n <= 256; n *= 2 {
		messages := n * (n + 1) / 2
		measured = append(measured, plots.Point{X: n, Y: messages})
		theory = append(theory, plots.XY{X: n, Y: messages})
	}
	var looks plots.Looks
	looks.Fix("lcr", plots.Look{Colour: plots.Blue, Marker: plots.Circle})
	figure := plots.Figure{
		Name:   "lcr-worst",
		Looks:  looks,
		X:      plots.Axis{Label: "ring size *n*", Log: true},
		Y:      plots.Axis{Label: "messages", Log: true},
		Series: []plots.Series{{Label: "LCR, identities descending", Key: "lcr", Points: measured}},
		Curves: []plots.Curve{{Label: "*n*(*n* + 1)/2", Key: "lcr", Points: theory}},
		Meta:   []plots.Meta{{Key: "Seed", Value: "42"}},
	}

	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	paths, err := figure.Save(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range paths {
		fmt.Println(filepath.Base(path))
	}
	// Output:
	// lcr-worst.png
	// lcr-worst.svg
	// lcr-worst.pdf
	// lcr-worst.csv
}

func ExampleEscape() {
	fmt.Println(plots.Escape("ring_n*2"))
	// Output: ring\_n\*2
}
