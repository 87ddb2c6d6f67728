package sweep

import (
	"fmt"
	"strings"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
)

// maxResolveErrors is how many cells are reported that cannot run.
const maxResolveErrors = 20

// resolve returns the cells, and what their tables have. The error tells what keeps
// cells from running, or their results from being written and drawn, at its place in
// the file.
func (s *Sweep) resolve() ([]spec.Cell, results.Layout, error) {
	if s.join == nil { // else it has run
		if err := s.checkFormulas(); err != nil {
			return nil, results.Layout{}, err
		}
	}
	cells := s.Spec.Cells()
	if err := s.resolveCells(cells); err != nil {
		return nil, results.Layout{}, err
	}
	l, err := results.LayoutOf(s.Registry, s.Spec)
	if err == nil && s.join == nil { // of a join the trials have run: its figures can be mended
		err = s.checkDrawn(cells, l)
	}
	return cells, l, err
}

func (s *Sweep) resolveCells(cells []spec.Cell) error {
	var found spec.Errors
	seen := map[spec.Error]bool{}
	for i := range cells {
		err := s.resolveCell(&cells[i])
		if err == nil {
			continue
		}
		e := spec.Error{Pos: s.Spec.Entries[cells[i].Entry].Pos, Message: err.Error()}
		if seen[e] { // for another n, most often
			continue
		}
		seen[e] = true
		e.Message, e.Cause = fmt.Sprintf("%s: %v", results.CellName(&cells[i]), err), err
		e.Source = results.SourceLine(s.Spec, s.Text, e.Pos)
		if found = append(found, e); len(found) == maxResolveErrors {
			break
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// resolveCell reads the settings of a cell: of one trial, unless chance could
// let an initiator be dead in another, or draw faults outside the model.
func (s *Sweep) resolveCell(c *spec.Cell) error {
	replicates := 1
	if strings.HasPrefix(c.Dead, "random:") || strings.Contains(c.Fault, "random") {
		replicates = s.Spec.Replicates
	}
	key := c.Key()
	for k := 1; k <= replicates; k++ {
		if _, err := s.instance(c, results.TrialSeed(s.Spec.Seed, key, k)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweep) instance(c *spec.Cell, seed uint64) (*experiments.Instance, error) {
	return results.InstanceOf(s.Registry, c, seed, s.outsideModel())
}
