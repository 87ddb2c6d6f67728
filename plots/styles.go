package plots

import (
	"image/color"

	"bullring/plots/looks"

	"gonum.org/v1/plot/vg/draw"
)

// styles holds the colours and shapes of the figure's parts, by index.
type styles struct {
	series     []seriesStyle
	curves     []draw.LineStyle
	histograms []color.NRGBA
	boxes      []color.NRGBA
	references []draw.LineStyle
	scatters   []color.NRGBA
}

type seriesStyle struct {
	color  color.NRGBA
	marker looks.Marker
}

// keyOf is the key of a measurement: its label if it has none.
func keyOf(key, label string) string {
	if normalKey(key) == "" {
		return Plain(label)
	}
	return key
}

// keys returns the keys of the figure's parts in the order in which they choose colours.
func (f *Figure) keys() (keys []string) {
	for _, s := range f.Series {
		keys = append(keys, keyOf(s.Key, s.Label))
	}
	for _, h := range f.Histograms {
		keys = append(keys, keyOf(h.Key, h.Label))
	}
	for _, b := range f.Boxes {
		keys = append(keys, keyOf(b.Key, b.Label))
	}
	for _, c := range f.Curves {
		keys = append(keys, c.Key)
	}
	for _, r := range f.References {
		keys = append(keys, r.Key)
	}
	for _, s := range f.Scatters {
		keys = append(keys, s.Key)
	}
	return keys
}

// styles chooses colours, markers and dashes.
func (f *Figure) styles() styles {
	looks := newLooker(f.Looks, f.keys())
	var st styles
	for _, s := range f.Series {
		k := looks.next(keyOf(s.Key, s.Label))
		st.series = append(st.series, seriesStyle{palette[k.Colour], k.Marker})
	}
	for _, h := range f.Histograms {
		st.histograms = append(st.histograms, looks.color(keyOf(h.Key, h.Label)))
	}
	for _, b := range f.Boxes {
		st.boxes = append(st.boxes, looks.color(keyOf(b.Key, b.Label)))
	}
	theory := func(key string) draw.LineStyle {
		n := len(st.curves) + len(st.references)
		return draw.LineStyle{
			Color:  looks.theoryColor(key),
			Width:  curveWidth,
			Dashes: dashes[n%len(dashes)],
		}
	}
	for _, c := range f.Curves {
		st.curves = append(st.curves, theory(c.Key))
	}
	for _, r := range f.References {
		st.references = append(st.references, theory(r.Key))
	}
	for _, s := range f.Scatters {
		switch {
		case s.Mark == Dot:
			st.scatters = append(st.scatters, dotGrey)
		case normalKey(s.Key) == "":
			st.scatters = append(st.scatters, ink)
		default:
			st.scatters = append(st.scatters, looks.color(s.Key))
		}
	}
	return st
}
