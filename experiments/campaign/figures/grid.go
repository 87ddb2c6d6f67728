package figures

import (
	"fmt"
	"slices"

	"bullring/experiments/campaign/results"
	"bullring/plots"
)

// grid draws several figures as panels of one.
type grid struct{ *drawing }

func newGrid(d *drawing) kind { return &grid{d} }

func (g *grid) add(r *results.Record, _ string) error {
	for _, panel := range g.panels {
		if err := panel.add(r); err != nil {
			return err
		}
	}
	return nil
}

func (g *grid) picture(count int, rows *results.Folder) (picture, error) {
	p := &plots.Panels{
		Name: g.Name, Title: g.Title, Width: g.width(), Columns: g.Columns, ShareX: g.ShareX, ShareY: g.ShareY,
		Looks: fixedLooks(g.Registry), Meta: g.meta(count),
	}
	for i, panel := range g.panels {
		drawn, err := panel.kind.picture(count, rows)
		if err != nil {
			return nil, fmt.Errorf("panel (%c): %w", 'a'+i, err)
		}
		p.Figures = append(p.Figures, drawn.(*plots.Figure)) // the spec was checked: it is a chart
	}
	return p, nil
}

// words are the captions of the panels. What all of them say stands once, at the end.
func (g *grid) words() string {
	panels := make([][]string, len(g.panels))
	for i, panel := range g.panels {
		panels[i] = caption{panel}.parts()
	}
	var shared []string
	for k, part := range panels[0] {
		if part == "" || slices.ContainsFunc(panels, func(other []string) bool { return other[k] != part }) {
			continue
		}
		shared = append(shared, part)
		for _, parts := range panels {
			parts[k] = ""
		}
	}
	var words []string
	for i, panel := range g.panels {
		words = append(words, fmt.Sprintf("(%c)", 'a'+i))
		if panel.Title != "" {
			words = append(words, sentence(panel.Title))
		}
		words = append(words, joined(panels[i]))
	}
	if shared != nil {
		words = append(words, "In each panel: "+joined(shared))
	}
	return joined(words)
}

// count is told of each panel.
func (g *grid) count() string { return "" }
