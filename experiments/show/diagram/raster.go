package diagram

import (
	"bullring/experiments/show/history"
	"bullring/plots"
	"bullring/plots/spacetime"
)

// The largest numbers of columns and rows of a raster.
const (
	rasterColumns = 120
	rasterRows    = 400
)

// Raster counts the events of a run by process and time. Of many processes, neighbours share
// a row.
func Raster(h *history.History, o Options) (*plots.Figure, error) {
	v, err := newView(h, o)
	if err != nil {
		return nil, err
	}
	a := newAxis(v)
	a.extend(nil, -1)
	share := (len(v.lanes) + rasterRows - 1) / rasterRows // processes of a row
	var labels spacetime.Diagram
	a.label(&labels, v)
	m := &plots.HeatMap{Z: plots.Axis{Label: "events", Whole: true}}
	f := &plots.Figure{
		Name: h.Result.Instance.Algorithm.Name, Title: v.Title, Width: v.Width, Height: 9, Meta: v.Meta,
		X:     plots.Axis{Label: labels.Axis},
		Y:     plots.Axis{Label: "process"},
		Marks: []plots.Mark{m},
	}
	if f.Width == 0 {
		f.Width = plots.PageWidth
	}
	columns := min(rasterColumns, len(a.at))
	wide := 0.0 // the room of an event among the steps, half of it on either side
	if v.Axis == Steps {
		wide = 1
	}
	for i := range columns {
		m.X.Values = append(m.X.Values, labels.Begin-wide/2+(labels.End-labels.Begin+wide)*(float64(i)+0.5)/float64(columns))
	}
	for i := 0; i < len(v.lanes); i += share {
		m.Y.Values = append(m.Y.Values, float64(v.lanes[i]))
		m.Values = append(m.Values, make([]float64, columns))
	}
	for i, e := range v.events() {
		if e.What == "fault" || !v.shows(e.Who) || e.Message != nil && !v.shownKind(e.Message) {
			continue
		}
		column := min(columns-1, int((a.at[i]+wide/2)/(a.length+wide)*float64(columns)))
		m.Values[v.lane[e.Who]/share][column]++
	}
	return f, f.Validate()
}
