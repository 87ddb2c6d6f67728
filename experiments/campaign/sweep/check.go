package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/campaign/tables"
	"bullring/experiments/trial"
)

// maxResolveErrors is the largest number of cells that are reported because they cannot
// run.
const maxResolveErrors = 20

func (src *Source) resolveCells(cells []spec.Cell) error {
	var found spec.Errors
	seen := map[spec.Error]bool{}
	for i := range cells {
		err := src.resolveCell(&cells[i])
		if err == nil {
			continue
		}
		e := spec.Error{Pos: src.Spec.Entries[cells[i].Entry].Pos, Message: err.Error()}
		if seen[e] { // usually for another n
			continue
		}
		seen[e] = true
		e.Message, e.Cause = fmt.Sprintf("%s: %v", results.CellName(&cells[i]), err), err
		e.Source = results.SourceLine(src.Spec, src.Text, e.Pos)
		if found = append(found, e); len(found) == maxResolveErrors {
			break
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// resolveCell checks the setting of one trial of a cell. It checks all trials if chance may
// kill an initiator, or may draw faults outside the model.
func (src *Source) resolveCell(c *spec.Cell) error {
	replicates := 1
	if strings.HasPrefix(c.Dead, "random:") || strings.Contains(c.Fault, "random") {
		replicates = src.Spec.Replicates
	}
	key, instances := c.Key(), src.replicates(c)
	for k := 1; k <= replicates; k++ {
		if _, err := instances.Instance(results.TrialSeed(src.Spec.Seed, key, k)); err != nil {
			return err
		}
	}
	return nil
}

// checkFormulas refuses labels that a spreadsheet would compute as formulas when it opens a
// table. Folders with such labels can still be read.
func (src *Source) checkFormulas() error {
	var found spec.Errors
	check := func(at spec.Pos, label string) {
		if text := strings.TrimSpace(label); text != "" && strings.ContainsAny(text[:1], "=+-@") {
			message := fmt.Sprintf("the label %q begins as a formula does, and a spreadsheet that opens the tables would compute it; begin it with a letter", label)
			found = append(found, spec.Error{Pos: at, Message: message, Source: results.SourceLine(src.Spec, src.Text, at)})
		}
	}
	for i := range src.Spec.Entries {
		check(src.Spec.Entries[i].Pos, src.Spec.Entries[i].Label)
	}
	for i := range src.Spec.Figures {
		for _, c := range src.Spec.Figures[i].Curves {
			check(c.Pos, c.Label)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// checkDrawn checks what the tables and figures of a sweep need after the last trial: every
// metric is measured, every text fits, every bound has a value. rehearse checks a figure; it
// may be nil.
func (src *Source) checkDrawn(l results.Layout, cells []spec.Cell, rehearse func(*spec.Figure) error) error {
	if _, err := src.Registry.Papers(l.Algorithms); err != nil {
		return err
	}
	var found spec.Errors
	report := func(at spec.Pos, err error) {
		e, ok := errors.AsType[spec.Error](err)
		if !ok {
			e = spec.Error{Pos: at, Message: err.Error(), Cause: err}
		}
		e.Source = results.SourceLine(src.Spec, src.Text, e.Pos)
		found = append(found, e)
	}
	if u := src.Spec.Until; u != nil {
		for _, name := range u.Metrics {
			if err := src.unmeasured(l.Algorithms, name); err != nil {
				report(u.Pos, err)
			}
		}
	}
	for _, c := range src.Spec.Compare {
		for _, name := range c.Metrics {
			if err := src.unmeasured(l.Algorithms, name); err != nil {
				report(c.Pos, err)
			}
		}
	}
	if rehearse != nil {
		for i := range src.Spec.Figures {
			f := &src.Spec.Figures[i]
			if err := rehearse(f); err != nil {
				report(f.Pos, err)
			}
		}
	}
	for i := range src.Spec.Tables {
		t := &src.Spec.Tables[i]
		if err := tables.Check(&results.Folder{Registry: src.Registry, Spec: src.Spec, Cells: cells}, t); err != nil {
			report(t.Pos, err)
		}
	}
	if found == nil {
		return nil
	}
	return found
}

// unmeasured returns an error if no algorithm of the sweep measures a metric.
func (src *Source) unmeasured(algorithms []*trial.Algorithm, name string) error {
	m, err := results.MetricOf(src.Registry, src.Spec, name)
	if err != nil {
		return err
	}
	return results.Unmeasured(algorithms, m)
}

// checkRare checks that every cell has the level and the check that the sweep estimates a probability of.
func (src *Source) checkRare(ctx context.Context, cells []spec.Cell) error {
	for i := range cells {
		c := &cells[i]
		if !c.Rare.Asked() {
			continue
		}
		in, err := src.replicates(c).Instance(results.TrialSeed(src.Spec.Seed, c.Key(), 1))
		if err != nil {
			return err
		}
		q, err := results.QuestionOf(src.Registry, c, in)
		if err == nil {
			err = q.Sound(context.WithoutCancel(ctx))
		}
		if err != nil {
			at := src.Spec.Rare.Pos
			return spec.Errors{{Pos: at, Message: fmt.Sprintf("rare: %s: %v", results.CellName(c), err), Cause: err, Source: results.SourceLine(src.Spec, src.Text, at)}}
		}
	}
	return nil
}

// Limits of checkConduct. It checks the first events of one trial for each variant of an
// algorithm: the first trial of the cell with the fewest processes, unless these are too
// many. It takes some milliseconds.
const (
	conductEvents    = 1 << 10
	conductRuns      = 3
	conductProcesses = 1 << 10
)

// checkConduct checks that the algorithms of a sweep follow the rules of protocols.Process.
func (src *Source) checkConduct(ctx context.Context, cells []spec.Cell) error {
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
		set := results.SettingOf(cell, results.TrialSeed(src.Spec.Seed, cell.Key(), 1))
		set.OutsideModel, set.MaxEvents = true, conductEvents
		in, err := src.Registry.Instance(set)
		if err != nil {
			return err
		}
		var c trial.Conduct
		// A panic is not reported here: the trial that panics reports it with its row.
		if _ = c.Trial(context.WithoutCancel(ctx), in, conductRuns); len(c.Findings) > 0 {
			return fmt.Errorf("%w; nothing was run; bullring check %s tells more", &c.Findings[0], p.algorithm)
		}
	}
	return nil
}
