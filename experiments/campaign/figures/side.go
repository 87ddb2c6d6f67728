package figures

import (
	"cmp"
	"slices"
	"strings"

	"bullring/des"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/plots"
)

// side is a scale along which cells stand, with the values of its field in them.
type side struct {
	spec.Scale
	sweep *spec.Spec
	unit  results.TimeScale // of durations
	texts []string          // as cells print them, in order
	at    []float64         // coordinates in the unit of the side, ascending; nil for categories
}

// newSide sorts the values in the cells: numbers by size, categories in order of
// appearance.
func newSide(sweep *spec.Spec, f *spec.Figure, s spec.Scale, cells []spec.Cell) *side {
	texts := spec.Values(cells, s.Name)
	unit := sideUnit(f, s, texts)
	at, _, err := s.Coordinates(texts)
	if err != nil {
		return &side{s, sweep, unit, texts, nil} // the spec was checked: it does not ask for numbers
	}
	order := make(map[string]float64, len(texts))
	for i, text := range texts {
		at[i] = unit.Convert(at[i])
		order[text] = at[i]
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(order[a], order[b]) })
	slices.Sort(at)
	return &side{s, sweep, unit, texts, at}
}

// sideUnit is the unit of durations along a side.
func sideUnit(f *spec.Figure, s spec.Scale, texts []string) results.TimeScale {
	at, unit, err := s.Coordinates(texts)
	usual := "s"
	switch {
	case err == nil && unit == "s":
	case s.Means():
		at, usual = at[:0], "ms"
		for _, text := range texts {
			if mean, err := meanDelay(text); err == nil {
				at = append(at, mean)
			}
		}
	default:
		return results.TimeScale{}
	}
	switch named := s.NamedUnit(); {
	case named != "" && named != spec.Delays:
		return results.ScaleNamed(named)
	case asGiven(f, s):
		return results.ScaleNamed(usual)
	}
	return results.ScaleOfAll(at, s.Log)
}

// meanDelay is the mean of a delay in seconds.
func meanDelay(text string) (float64, error) {
	delay, err := des.ParseDistribution(text)
	if err != nil {
		return 0, err
	}
	return delay.Mean().Seconds(), nil
}

// words are the label of the side.
func (s *side) words() string {
	counts := slices.ContainsFunc(s.texts, func(text string) bool { return strings.HasPrefix(text, "random:") })
	_, unit, err := s.Coordinates(s.texts)
	named := s.Field && err != nil // categories explain themselves
	switch {
	case unit == "s":
		return s.unit.WithUnit(plots.Escape(s.Name))
	case unit != "":
		return plots.Escape(s.Name) + " (" + unit + ")"
	case s.Name == "n":
		return "processes *n*"
	case s.Name == "initiators" && (counts || named):
		return "initiators"
	case s.Name == "initiators":
		return "address of the initiator"
	case s.Name == "dead" && (counts || named):
		return "dead processes"
	case s.Name == "dead":
		return "address of the dead process"
	case s.Means():
		return s.unit.WithUnit("mean delay")
	case s.Name == "label":
		return ""
	}
	return plots.Escape(s.Name)
}

// index is the index of a value, which is its column or row.
func (s *side) index(text string) int { return slices.Index(s.texts, text) }

func (s *side) plot() plots.Side {
	if s.at != nil {
		return plots.Side{Values: s.at, Ordinal: s.Ordinal}
	}
	return plots.Side{Categories: s.names()}
}

// names are the values as labels, in markup.
func (s *side) names() []string {
	var names []string
	for _, text := range s.texts {
		names = append(names, results.CategoryWords(s.sweep, s.Name, text))
	}
	return names
}
