package report

import (
	"cmp"

	"bullring/plots"
)

// Progress is how far a sweep is whose tables are not written.
type Progress struct {
	Name, Title string
	State       string // in words: what is done, what is missing
	Done        int    // trials
	Facts       []Fact
	Damage      []string
	Tables      []Table
}

func (p *Progress) section(id string) *section {
	return &section{
		id: id, name: p.Name, title: cmp.Or(p.Title, plots.Escape("A sweep of unknown name")),
		state: p.State, done: p.Done, facts: p.Facts, damage: p.Damage, tables: p.Tables,
	}
}
