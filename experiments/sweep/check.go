package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/experiments/spec"
)

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

// maxResolveErrors is how many cells are reported that cannot run.
const maxResolveErrors = 20

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

// checkFormulas refuses labels that a spreadsheet takes for formulas, which may do
// anything when somebody opens a table: a label stands there as it is. A folder that has
// such labels is still read.
func (s *Sweep) checkFormulas() error {
	var found spec.Errors
	check := func(at spec.Pos, label string) {
		if text := strings.TrimSpace(label); text != "" && strings.ContainsAny(text[:1], "=+-@") {
			message := fmt.Sprintf("the label %q begins as a formula does, and a spreadsheet that opens the tables would compute it; begin it with a letter", label)
			found = append(found, spec.Error{Pos: at, Message: message, Source: results.SourceLine(s.Spec, s.Text, at)})
		}
	}
	for i := range s.Spec.Entries {
		check(s.Spec.Entries[i].Pos, s.Spec.Entries[i].Label)
	}
	for i := range s.Spec.Figures {
		for _, c := range s.Spec.Figures[i].Curves {
			check(c.Pos, c.Label)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// checkDrawn reports what would keep the tables and figures of a sweep from being
// written when all its trials have run: a metric that no algorithm measures, a text that
// does not fit, a bound without a value.
func (s *Sweep) checkDrawn(cells []spec.Cell, l results.Layout) error {
	if _, err := s.Registry.Papers(l.Algorithms); err != nil {
		return err
	}
	var found spec.Errors
	report := func(at spec.Pos, err error) {
		e, ok := errors.AsType[spec.Error](err)
		if !ok {
			e = spec.Error{Pos: at, Message: err.Error(), Cause: err}
		}
		e.Source = results.SourceLine(s.Spec, s.Text, e.Pos)
		found = append(found, e)
	}
	if u := s.Spec.Until; u != nil {
		for _, name := range u.Metrics {
			if err := s.unmeasured(l.Algorithms, name); err != nil {
				report(u.Pos, err)
			}
		}
	}
	for _, c := range s.Spec.Compare {
		for _, name := range c.Metrics {
			if err := s.unmeasured(l.Algorithms, name); err != nil {
				report(c.Pos, err)
			}
		}
	}
	if s.Rehearse != nil {
		rehearse := s.Rehearse(s.folder(cells), s.outsideModel())
		for i := range s.Spec.Figures {
			f := &s.Spec.Figures[i]
			if err := rehearse(f); err != nil {
				report(f.Pos, err)
			}
		}
	}
	if found == nil {
		return nil
	}
	return found
}

// unmeasured reports why the sweep has no value of the metric of a name.
func (s *Sweep) unmeasured(algorithms []*experiments.Algorithm, name string) error {
	m, err := results.MetricOf(s.Registry, s.Spec, name)
	if err != nil {
		return err
	}
	return results.Unmeasured(algorithms, m)
}

// What is checked of each variant of an algorithm before a sweep runs: so many events of the
// first trial of the cell with the fewest processes, if they are not too many. It takes some
// milliseconds.
const (
	conductEvents    = 1 << 10
	conductRuns      = 3
	conductProcesses = 1 << 10
)

// checkConduct checks the algorithms of a sweep.
func (s *Sweep) checkConduct(ctx context.Context, cells []spec.Cell) error {
	type program struct{ algorithm, variant string }
	smallest := map[program]*spec.Cell{}
	var programs []program
	for i := range cells {
		p := program{algorithm: cells[i].Algorithm, variant: cells[i].Variant}
		if smallest[p] == nil {
			programs = append(programs, p)
		}
		if smallest[p] == nil || cells[i].N < smallest[p].N {
			smallest[p] = &cells[i]
		}
	}
	for _, p := range programs {
		cell := smallest[p]
		if cell.N > conductProcesses {
			continue
		}
		set := results.SettingOf(cell, results.TrialSeed(s.Spec.Seed, cell.Key(), 1))
		set.OutsideModel, set.MaxEvents = true, conductEvents
		in, err := s.Registry.Instance(set)
		if err != nil {
			return err
		}
		var c experiments.Conduct
		// A panic is that of a trial, which tells of it with its row.
		if _ = c.Trial(context.WithoutCancel(ctx), in, conductRuns); len(c.Findings) > 0 {
			return fmt.Errorf("%w; nothing was run; bullring check %s tells more", &c.Findings[0], p.algorithm)
		}
	}
	return nil
}
