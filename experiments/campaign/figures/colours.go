package figures

import (
	"bullring/experiments/trial"
	"bullring/plots"
	"bullring/plots/looks"
)

// fixedLooks are the colours and markers that declarations give to algorithms and labels.
func fixedLooks(r *trial.Registry) (fixed plots.Looks) {
	for _, a := range r.All() {
		for label, look := range a.LabelLooks {
			fixed.Fix(label, look)
		}
	}
	for _, a := range r.All() { // the name of an algorithm overrides the label of another
		if a.Look != (looks.Look{}) {
			fixed.Fix(a.Name, a.Look)
		}
	}
	return fixed
}

// colourApart gives each line of an algorithm a colour of its own. A line of several
// algorithms has the colour of none of them. If an algorithm has a fixed colour, one of its
// lines keeps it: the line that is named like it, or the first.
func (d *drawing) colourApart() {
	owners := map[string][]*line{}       // lines by algorithm
	parts := map[*line]map[string]bool{} // algorithms by line
	for _, cell := range d.drawn() {
		l, name := d.places[cell].line, d.Cells[cell].Algorithm
		if parts[l] == nil {
			parts[l] = map[string]bool{}
		}
		if !parts[l][name] {
			owners[name], parts[l][name] = append(owners[name], l), true
		}
	}
	d.shared = map[string]bool{}
	fixed := fixedLooks(d.Registry)
	for name, lines := range owners {
		kept := fixedColour(fixed, name, lines)
		for _, l := range lines {
			if len(lines) == 1 && len(parts[l]) == 1 {
				continue
			}
			d.shared[name] = true
			if l.key = l.fields; l == kept && len(parts[l]) == 1 {
				l.key = name
			}
		}
	}
}

// fixedColour returns the line that keeps the colour of the algorithm; nil if none does.
func fixedColour(fixed plots.Looks, algorithm string, lines []*line) *line {
	if !fixed.Fixed(algorithm) {
		return nil
	}
	for _, l := range lines {
		if plots.SameKey(l.fields, algorithm) {
			return l
		}
	}
	for _, l := range lines {
		if !fixed.Fixed(l.fields) {
			return l
		}
	}
	return nil
}
