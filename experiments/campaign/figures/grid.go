package figures

import (
	"fmt"
	"strings"

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

// words are the captions of the panels.
func (g *grid) words() string {
	words := make([]string, len(g.panels))
	for i, panel := range g.panels {
		words[i] = fmt.Sprintf("(%c) ", 'a'+i)
		if panel.Title != "" {
			words[i] += sentence(panel.Title) + " "
		}
		words[i] += caption{panel}.body()
	}
	return strings.Join(words, " ")
}

// count is told of each panel.
func (g *grid) count() string { return "" }
