package plots_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"bullring/plots"
	"bullring/plots/looks"
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
	var fixed plots.Looks
	fixed.Fix("lcr", looks.Look{Colour: looks.Blue, Marker: looks.Circle})
	figure := plots.Figure{
		Name:   "lcr-worst",
		Width:  plots.ColumnWidth,
		Height: 1.2 * plots.DefaultHeight,
		Looks:  fixed,
		X:      plots.Axis{Label: "ring size *n*", Log: true},
		Y:      plots.Axis{Label: "messages", Log: true},
		Marks: []plots.Mark{
			&plots.Series{Label: "LCR, identities descending", Key: "lcr", Points: measured},
			&plots.Curve{Label: "*n*(*n* + 1)/2", Key: "lcr", Points: theory},
		},
		Meta: []plots.Meta{{Key: "Seed", Value: "42"}},
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

// Two figures side by side, with one vertical axis and one legend.
func ExamplePanels() {
	figure := func(title string, factor float64) *plots.Figure {
		return &plots.Figure{
			Title: title,
			X:     plots.Axis{Label: "ring size *n*"},
			Y:     plots.Axis{Label: "messages"},
			Marks: []plots.Mark{&plots.Series{Label: "LCR", Points: []plots.Point{{X: 4, Y: 4 * factor}, {X: 8, Y: 8 * factor}}}},
		}
	}
	panels := plots.Panels{Name: "cost", ShareY: true, Figures: []*plots.Figure{figure("no fault", 2), figure("loss 5 %", 3)}}
	if err := panels.CSV(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// panel,kind,label,key,x,x_high,y,y_low,y_high
	// a,series,LCR,,4,,8,,
	// a,series,LCR,,8,,16,,
	// b,series,LCR,,4,,12,,
	// b,series,LCR,,8,,24,,
}

func ExampleEscape() {
	fmt.Println(plots.Escape("ring_n*2"))
	// Output: ring\_n\*2
}

// The metadata of a picture says how to make it again.
func ExampleReadMeta() {
	figure := plots.Figure{
		Name:  "line",
		Title: "A line",
		Marks: []plots.Mark{&plots.Curve{Points: []plots.XY{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		Meta:  []plots.Meta{{Key: "Seed", Value: "42"}},
	}
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "line.svg")
	if err := figure.SaveAs(path); err != nil {
		log.Fatal(err)
	}
	entries, err := plots.ReadMeta(path)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range entries {
		fmt.Printf("%s: %s\n", m.Key, m.Value)
	}
	// Output:
	// Title: A line
	// Seed: 42
}

// Validate finds the mistakes before anything is drawn.
func ExampleFigure_Validate() {
	figure := plots.Figure{
		Name:  "cost",
		Y:     plots.Axis{Log: true},
		Marks: []plots.Mark{&plots.Series{Label: "LCR", Points: []plots.Point{{X: 1, Y: 0}}}},
	}
	fmt.Println(figure.Validate())
	// Output: plots: figure "cost": series 1 (LCR): point 0: y is 0 on a logarithmic axis
}

// One markup serves figures, plain text and LaTeX.
func ExampleLaTeX() {
	const bound = "2*n*(⌊lg *n*⌋ + 1)"
	fmt.Println(plots.Plain(bound))
	fmt.Println(plots.LaTeX(bound))
	// Output:
	// 2n(⌊lg n⌋ + 1)
	// 2$n$($\lfloor$lg $n$$\rfloor$ + 1)
}

// Pictures of other programs have no receipt.
func ExampleReadMeta_foreign() {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "logo.svg")
	if err := os.WriteFile(path, []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), 0o644); err != nil {
		log.Fatal(err)
	}
	_, err = plots.ReadMeta(path)
	fmt.Println(errors.Is(err, plots.ErrNoReceipt))
	// Output: true
}
