package page

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// points prints a length in points, to a hundredth: 4 µm.
func points(v vg.Length) string { return decimal(float64(v), 2) }

// decimal prints a number with so many digits after its point, at most.
func decimal(v float64, digits int) string {
	scale := math.Pow10(digits)
	return strconv.FormatFloat(math.Round(v*scale)/scale+0, 'f', -1, 64) // +0: no negative zero
}
