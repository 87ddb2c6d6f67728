package figures

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// kinds draw the figures, a row for each kind. Each row is in the file of its kind.
var kinds = [spec.Kinds]func(*drawing) kind{
	spec.Line:      newLines,
	spec.Histogram: newHistograms,
	spec.ECDF:      newECDF,
	spec.Box:       newBoxes,
	spec.Heatmap:   newHeatmap,
	spec.Diagram:   newDiagram,
	spec.Grid:      newGrid,
}

// kind draws the figures of a kind.
type kind interface {
	// add notes a row of a cell in the figure. text is the value of the metric, or "".
	add(r *results.Record, text string) error
	// picture returns what is drawn. count is the number of rows of the sweep.
	picture(count int, rows *results.Folder) (picture, error)
	// words say in the caption how to read the figure, and count how many values it shows.
	words() string
	count() string
}

// picture is a figure or a diagram.
type picture interface {
	Save(dir string, more ...string) ([]string, error)
	Validate() error
	TikZ(w io.Writer) error
}

// chart is a kind that draws the values of all rows.
type chart struct {
	*drawing
	one  string // what the values of one place are drawn as
	fill func(*plots.Figure) error
}

func (c chart) add(r *results.Record, text string) error { return c.addValue(r, text) }

// picture is the figure, which fill fills.
func (c chart) picture(count int, _ *results.Folder) (picture, error) {
	if err := c.convertTimes(); err != nil {
		return nil, err
	}
	f := &plots.Figure{Name: c.Name, Title: c.Title, Width: c.width(), Looks: fixedLooks(c.Registry), Meta: c.meta(count)}
	if len(c.lines) == 0 {
		return f, fmt.Errorf("no trial has a value of %s", c.Metric().Name)
	}
	c.drawing.chart = f
	return f, c.fill(f)
}

// count says how many values are behind a point, a box, a field or a series. Trials may lack
// a value, and a stopping rule runs more trials in some cells.
func (c chart) count() string {
	least, most := math.MaxInt, 0
	for _, l := range c.lines {
		for _, values := range l.values {
			least, most = min(least, len(values)), max(most, len(values))
		}
	}
	counted := strconv.Itoa(most)
	if least < most {
		counted = fmt.Sprintf("%d to %d", least, most)
	}
	if c.Spec.Until == nil && least < c.Spec.Replicates {
		return fmt.Sprintf("Of %d trials %s, %s have such a value; seed %d.", c.Spec.Replicates, c.one, counted, c.Spec.Seed)
	}
	return fmt.Sprintf("%s %s %s; seed %d.", counted, paper.Plural(most, "trial"), c.one, c.Spec.Seed)
}
