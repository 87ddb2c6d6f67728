package report

import (
	"cmp"

	"bullring/plots"
)

// Progress is how far a sweep is.
type Progress struct {
	Name, Title  string
	State        string // in words: what is done, what is missing
	Done, Trials int    // Trials: at most
	Facts        []Fact
	Damage       []string
	Tables       []Table
}

// section is the section of a sweep whose tables are not written.
func (p *Progress) section(id string) *section {
	s := &section{id: id, name: p.Name, title: cmp.Or(p.Title, plots.Escape("A sweep of unknown name"))}
	s.addProgress(p)
	return s
}

// addProgress adds how far the sweep is.
func (s *section) addProgress(p *Progress) {
	s.state, s.done, s.trials, s.damage = p.State, p.Done, p.Trials, p.Damage
	s.progress = p.Facts
	for _, t := range p.Tables {
		s.addTable(t, false)
	}
}
