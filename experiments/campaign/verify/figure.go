package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
)

// picture verifies the trials behind a figure, from its receipt.
func (v *Verifier) picture(ctx context.Context) (*Report, error) {
	p, err := figures.ReadReceipt(v.Registry, v.Path)
	if err != nil {
		return nil, err
	}
	blocks, err := p.Blocks()
	if err != nil {
		return nil, err
	}
	report := &Report{Figure: p.Figure, Trials: p.Trials}
	if p.Version != build.ThisProgram().String() {
		report.Made = p.Version
	}
	report.checkKeys("its receipt", p.Keys, p.Version == build.ThisProgram().String())
	for _, key := range p.Others {
		report.Unmade = append(report.Unmade, fmt.Sprintf("%q in its metadata", key))
	}
	if !p.Complete {
		report.Partial = fmt.Sprintf("%d of at most %d trials that the figure draws", p.Trials, len(p.Drawn.Select(p.AllCells))*p.Spec.Replicates)
	}
	differing, err := v.runBlocks(ctx, p, blocks, report)
	if err != nil {
		return nil, err
	}
	report.Stopped = ctx.Err() != nil
	if folder := folderOf(p, v.Registry); folder != nil && !report.Stopped {
		report.Beside = folder.Dir
		return report, explain(ctx, folder, p, differing, report)
	}
	return report, nil
}

// runBlocks runs blocks of the figure again, and returns the first that differ.
func (v *Verifier) runBlocks(ctx context.Context, p *figures.Picture, blocks []figures.Block, out *Report) ([]figures.Block, error) {
	take, _ := v.choose(len(blocks), p.Block)
	blocks = slices.DeleteFunc(blocks, func(figures.Block) bool { return !take() })
	all := 0
	for _, b := range blocks {
		all += b.End - b.First
	}
	g := v.gather(out, all)
	l, err := results.LayoutOf(v.Registry, p.Spec)
	if err != nil {
		return nil, err
	}
	drawn, err := p.Column(v.Registry, l)
	if err != nil {
		return nil, err
	}
	rule := newStopping(p, v.All, l)
	err = handOut(ctx, v.workers(), func(hand func(int) bool) error {
		for i := range blocks {
			if !hand(i) {
				return nil
			}
		}
		return nil
	}, func() (func(int), error) {
		var w trial.Worker
		return func(i int) {
			b := &blocks[i]
			now, err := runBlock(ctx, p, v.Registry, &w, b, drawn, rule)
			if ctx.Err() != nil {
				return
			}
			var d *Difference
			if err != nil || now != b.Digest {
				d = &Difference{Cell: results.CellName(&p.AllCells[b.Cell]), First: b.First, Last: b.End - 1, order: i}
				d.What = fmt.Sprintf("the digest of seed, fingerprint and %s is %08x in the figure, but %08x now", drawn.Name, b.Digest, now)
				if err != nil {
					d.What = err.Error()
					_, d.notRun = errors.AsType[notRunError](err)
				}
			}
			g.enter(b.End-b.First, d)
		}, nil
	})
	var differing []figures.Block
	for _, d := range out.First {
		differing = append(differing, blocks[d.order])
	}
	if differing == nil && out.NotRun == 0 && ctx.Err() == nil {
		rule.check(out)
	}
	return differing, err
}

// stopping is the stopping rule of a figure's sweep, and the samples to check it with.
type stopping struct {
	*figures.Picture
	layout results.Layout
	kept   [][]results.Sample // by cell; nil if there is nothing to check
}

// newStopping prepares the check. It needs all trials.
func newStopping(p *figures.Picture, all bool, l results.Layout) *stopping {
	s := &stopping{Picture: p, layout: l}
	if p.Spec.Until == nil || !all {
		return s
	}
	s.kept = make([][]results.Sample, len(p.AllCells))
	for _, c := range p.Cells {
		s.kept[c.Cell-1] = make([]results.Sample, c.Trials)
	}
	return s
}

// add adds a trial. Workers may call it concurrently.
func (s *stopping) add(cell int, t *results.Trial) {
	if s.kept != nil {
		s.kept[cell][t.Replicate-1] = s.layout.Sampler(1).Sample(t)
	}
}

// check reports cells that the rule ends after another number of trials. It skips the last
// cell of a sweep that was stopped.
func (s *stopping) check(out *Report) {
	cells := s.Cells
	if !s.Complete {
		cells = cells[:len(cells)-1]
	}
	for _, c := range cells {
		if s.kept != nil && !s.layout.Enough(s.Spec, s.kept[c.Cell-1]) {
			out.damagef("the receipt has %d trials of cell %d (%s), and the stopping rule of the sweep asks for another number", c.Trials, c.Cell, results.CellName(&s.AllCells[c.Cell-1]))
		}
	}
}

// runBlock runs the trials of a block, and returns their digest.
func runBlock(ctx context.Context, p *figures.Picture, r *trial.Registry, w *trial.Worker, b *figures.Block, drawn results.TextColumn[*results.Trial], rule *stopping) (uint32, error) {
	cell := &p.AllCells[b.Cell]
	key, instances := cell.Key(), results.ReplicatesOf(r, cell, p.Outside)
	var trials []uint32
	for replicate := b.First; replicate < b.End; replicate++ {
		in, err := instances.Instance(results.TrialSeed(p.Spec.Seed, key, replicate))
		if err != nil {
			return 0, notRunError{err}
		}
		t, err := results.RunTrial(ctx, r, w, cell, in, replicate, nil)
		if err != nil {
			return 0, notRunError{err}
		}
		if t.End == netem.Interrupted {
			return 0, context.Cause(ctx)
		}
		if err := Ran(t.Result); err != nil {
			return 0, err
		}
		rule.add(b.Cell, t)
		trials = append(trials, figures.Digest(t, drawn))
	}
	return figures.BlockDigest(trials), nil
}

// folderOf finds a folder near the figure that has its results; nil if there is none.
func folderOf(p *figures.Picture, r *trial.Registry) *results.Folder {
	dir := filepath.Dir(p.Path)
	for _, dir := range []string{dir, filepath.Dir(dir)} {
		m, err := results.ReadManifest(dir)
		if err != nil || !slices.ContainsFunc(m.Files, func(f results.FileInfo) bool { return f.Name == results.ResultsFile && f.SHA256 == p.Results }) {
			continue
		}
		if folder, err := results.Open(r, dir); err == nil {
			return folder
		}
	}
	return nil
}

// explain replaces the description of differing blocks by that of differing rows in the
// folder.
func explain(ctx context.Context, folder *results.Folder, p *figures.Picture, differing []figures.Block, report *Report) error {
	c, err := newChecker(folder)
	if err != nil || len(differing) == 0 {
		return err
	}
	var found []Difference
	explained := make([]bool, len(differing))
	_, err = folder.Rows(func(r *results.Record) (bool, error) {
		i := slices.IndexFunc(differing, func(b figures.Block) bool {
			return b.Cell == r.Cell && b.First <= r.Replicate && r.Replicate < b.End
		})
		if i < 0 {
			return true, nil
		}
		_, err := c.replay(ctx, r, nil)
		if d := differenceOf(folder, r, err); d != nil && ctx.Err() == nil {
			found, explained[i] = append(found, *d), true
		}
		return ctx.Err() == nil, nil
	})
	if err != nil {
		report.Damage = append(report.Damage, err.Error())
	}
	for i, d := range report.First {
		if !explained[i] {
			d.What += "; the row in " + filepath.Join(folder.Dir, results.ResultsFile) + " agrees with the run now"
			found = append(found, d)
		}
	}
	report.First = found[:min(len(found), mostDifferences)]
	return nil
}
