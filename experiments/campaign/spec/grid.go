package spec

import (
	"fmt"
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
	lacks:    append([]string{"answers", "where"}, lineKeys...),
	width:    Wide,
	own:      gridFields,
	needs:    "panels",
	alone:    true,
	complete: func(_ *report, f *Figure, _ []Cell) { f.Series = []string{} },
}

const panelsHave = "its panels have theirs"

// mostPanels is the largest number of panels: there are no more letters.
const mostPanels = 26

// panel names a figure, or is one that is drawn in its grid alone.
type panel struct {
	name string
	own  *Figure
	pos  Pos
}

func gridFields(r words, f *Figure) []field {
	sides := []string{"x", "y"}
	return []field{
		{"panels", false, oneOrMore(anyOf(like(stemPattern()), ref("figure"))).About("figures of the sweep by name, or figures that are drawn here alone, which a grid shows as (a), (b) and so on"), nil},
		{"columns", false, integers(1, mostPanels).About("panels in a row of a grid; default: all"), func(n *node) { f.Columns = int(r.integer(n, "columns", 1, mostPanels)) }},
		{"share", false, oneOrMore(word(sides)).About("sides with the same limits in all panels of a grid; default: none"), func(n *node) {
			r.each(n, "share", func(item *node) {
				side := r.word(item, "share", sides)
				f.ShareX, f.ShareY = f.ShareX || side == "x", f.ShareY || side == "y"
			})
		}},
	}
}

// panels reads the panels of a grid.
func (r figureReader) panels(n *node, f *Figure, cells []Cell) {
	r.each(n, "panels", func(item *node) {
		if item.kind != mapping {
			f.named = append(f.named, panel{name: r.stem(item, "panels"), pos: item.pos})
			return
		}
		own := r.figure(item, fmt.Sprintf("%s-%c", f.Name, 'a'+len(f.named)), cells)
		for _, p := range item.pairs {
			if slices.Contains([]string{"name", "asks", "width"}, p.key.text) {
				r.errorf(p.key.pos, "a panel that stands in its grid takes no %s: the grid has it", p.key.text)
			}
		}
		f.named = append(f.named, panel{name: own.Name, own: &own, pos: item.pos})
	})
}

// drawPanels completes the panels that a grid has to itself.
func (r figureReader) drawPanels(f *Figure, cells []Cell) {
	for _, p := range f.named {
		if p.own != nil {
			r.draw(p.own, cells)
		}
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
			case p.own != nil && p.own.Kind.row().alone:
				r.errorf(p.pos, "a panel is %s, which stands alone", p.own.Kind.article())
			case p.own != nil:
				f.Panels = append(f.Panels, *p.own)
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
