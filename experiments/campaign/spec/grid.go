package spec

import (
	"slices"
	"strings"
)

// gridKind draws several figures of the sweep as panels of one.
var gridKind = figureKind{
	name:     "grid",
	x:        without(panelsHave),
	y:        without(panelsHave),
	z:        without(panelsHave),
	because:  panelsHave,
	lacks:    append([]string{"where"}, lineKeys...),
	width:    Wide,
	own:      gridFields,
	needs:    "panels",
	alone:    true,
	complete: func(_ *report, f *Figure, _ []Cell) { f.Series = []string{} },
}

const panelsHave = "its panels have theirs"

// mostPanels is the largest number of panels: there are no more letters.
const mostPanels = 26

// panel names a figure.
type panel struct {
	name string
	pos  Pos
}

func gridFields(r words, f *Figure) []field {
	sides := []string{"x", "y"}
	return []field{
		{"panels", false, oneOrMore(like(stemPattern())).about("names of figures of the sweep, which a grid shows as (a), (b) and so on"), func(n *node) {
			r.each(n, "panels", func(item *node) { f.named = append(f.named, panel{r.stem(item, "panels"), item.pos}) })
		}},
		{"columns", false, integers(1, mostPanels).about("panels in a row of a grid; default: all"), func(n *node) { f.Columns = int(r.integer(n, "columns", 1, mostPanels)) }},
		{"share", false, oneOrMore(word(sides)).about("sides with the same limits in all panels of a grid; default: none"), func(n *node) {
			r.each(n, "share", func(item *node) {
				side := r.word(item, "share", sides)
				f.ShareX, f.ShareY = f.ShareX || side == "x", f.ShareY || side == "y"
			})
		}},
	}
}

// findPanels finds the panels of grids among the figures.
func findPanels(r *report, figures []Figure) {
	names := make([]string, len(figures))
	for i, f := range figures {
		names[i] = f.Name
	}
	for i := range figures {
		f := &figures[i]
		if len(f.named) > mostPanels {
			r.errorf(f.Pos, "the grid has %d panels; there may be %d at most", len(f.named), mostPanels)
		}
		for _, p := range f.named {
			switch at := slices.Index(names, p.name); {
			case p.name == "": // reported already
			case at < 0:
				r.hintf(p.pos, didYouMean(p.name, names), "panels names the figure %s, which this sweep does not have: it has %s", p.name, shorten(strings.Join(names, ", ")))
			case figures[at].Kind.row().alone:
				r.errorf(p.pos, "panels names %s, which is %s: it stands alone", p.name, figures[at].Kind.article())
			default:
				f.Panels = append(f.Panels, figures[at])
			}
		}
	}
}
