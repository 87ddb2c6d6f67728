package grade

import (
	"math"
	"strconv"
)

// format marks the files of this package.
const format = "bullring grade 1"

// Grades is the points of all submissions. A field of JSON has the name in its tag.
type Grades struct {
	Format     string   `json:"format"`
	Title      string   `json:"title"`
	Assignment string   `json:"assignment"` // the SHA-256 of its file
	Program    string   `json:"program"`    // the version of bullring
	Sandbox    string   `json:"sandbox"`    // what it did not bound; "" if nothing
	Parts      []Worth  `json:"parts"`
	Graded     []Graded `json:"submissions"`
}

// Worth tells how many points a part has.
type Worth struct {
	Name   string  `json:"name"`
	Kind   string  `json:"kind"`
	Points float64 `json:"points"`
}

// Graded is the points of a submission.
type Graded struct {
	Name         string  `json:"name"`
	Command      string  `json:"command"` // that starts the program
	SHA256       string  `json:"sha256"`  // of its files
	Points       float64 `json:"points"`
	Of           float64 `json:"of"`
	Inconclusive bool    `json:"inconclusive"` // of some part nothing is known: it is to be graded again
	Marks        []Mark  `json:"parts"`
}

// Mark is the points of a part.
type Mark struct {
	Part    string  `json:"part"`
	Verdict Verdict `json:"verdict"`
	Points  float64 `json:"points"`
	Of      float64 `json:"of"`
	Held    int     `json:"held"`  // runs
	Runs    int     `json:"runs"`  // that were made
	Why     string  `json:"why"`   // points are missing; "" if none is
	Again   string  `json:"again"` // the command that repeats a failing run, with a folder the smallest that was found; "" if there is none

	example *example
}

// Verdict is the result of a part in a word.
type Verdict string

// The verdicts.
const (
	Right        Verdict = "right"
	Partly       Verdict = "partly"
	Wrong        Verdict = "wrong"
	Inconclusive Verdict = "inconclusive" // a limit of real time was reached
)

// Verdicts are the verdicts.
var Verdicts = []string{string(Right), string(Partly), string(Wrong), string(Inconclusive)}

// Undecided reports whether a submission is to be graded again.
func (r *Grades) Undecided() bool {
	for _, g := range r.Graded {
		if g.Inconclusive {
			return true
		}
	}
	return false
}

// Most is the points of an assignment.
func (r *Grades) Most() (sum float64) {
	for _, p := range r.Parts {
		sum += p.Points
	}
	return sum
}

// share is a part of points, in hundredths.
func share(points float64, held, all int) float64 {
	return math.Round(points*float64(held)/float64(all)*100) / 100
}

// Text is points as text.
func Text(points float64) string { return strconv.FormatFloat(points, 'f', -1, 64) }

// Cell is the points of a mark in a table.
func (m *Mark) Cell() string {
	if m.Verdict == Inconclusive {
		return string(Inconclusive)
	}
	return Text(m.Points)
}
