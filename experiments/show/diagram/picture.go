package diagram

import (
	"fmt"
	"strconv"

	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
	"bullring/plots"
)

// squareHeight is the height in centimetres of a figure of one column in which two labelled
// axes from 0 to 1 are a square.
const squareHeight = 8.14

// Picture draws the places of a run. ok is false if it has none, see
// [trial.Registry.Pictured].
func Picture(r *trial.Result) (f *plots.Figure, ok bool) {
	j, ok := r.Judge.(trial.Picturer)
	if !ok || r.Instance.Algorithm.Pictured(r.Instance) != nil {
		return nil, false
	}
	p := j.Picture()
	f = &plots.Figure{
		Name: r.Instance.Algorithm.Name, Title: p.Title, Height: squareHeight, Meta: Receipt(r),
		X: plots.Axis{Label: p.X, Min: new(0.0), Max: new(1.0)},
		Y: plots.Axis{Label: p.Y, Min: new(0.0), Max: new(1.0)},
	}
	for i, places := range []trial.Places{p.All, p.First, p.Last} {
		if len(places.At) == 0 {
			continue
		}
		s := &plots.Scatter{Label: places.Label, Key: places.Key, Symbol: []plots.Symbol{plots.Dot, plots.Open, plots.Filled}[i]}
		for _, at := range places.At {
			s.Points = append(s.Points, plots.XY{X: at[0], Y: at[1]})
		}
		f.Marks = append(f.Marks, s)
	}
	return f, true
}

// Receipt is the metadata of a picture or diagram of the run.
func Receipt(r *trial.Result) []plots.Meta {
	s := &r.Instance.Setting
	return []plots.Meta{
		{Key: "Software", Value: "bullring " + build.ThisProgram().String()},
		{Key: "Epoch", Value: strconv.Itoa(netem.Epoch)},
		{Key: "Algorithm", Value: s.Algorithm},
		{Key: "Processes", Value: strconv.Itoa(s.N)},
		{Key: "Seed", Value: strconv.FormatUint(s.Seed, 10)},
		{Key: "Fingerprint", Value: fmt.Sprintf("%016x", r.Fingerprint)},
	}
}
