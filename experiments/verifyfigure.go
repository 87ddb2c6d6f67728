package experiments

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"bullring/netem"
)

// picture verifies the trials behind a figure, from its receipt alone.
func (v *Verify) picture(ctx context.Context) (*Verification, error) {
	p, err := readReceipt(v.Registry, v.Path)
	if err != nil {
		return nil, err
	}
	blocks, err := p.blocks()
	if err != nil {
		return nil, err
	}
	out := &Verification{Figure: p.Figure, Trials: p.Trials}
	if p.Version != ThisProgram().String() {
		out.Made = p.Version
	}
	if !p.Complete {
		out.Partial = fmt.Sprintf("%d of at most %d trials that the figure draws", p.Trials, len(p.figure.Select(p.cells))*p.spec.Replicates)
	}
	differing, err := v.runBlocks(ctx, p, blocks, out)
	if err != nil {
		return nil, err
	}
	out.Stopped = ctx.Err() != nil
	if a := p.folder(v.Registry); a != nil && !out.Stopped {
		out.Beside = a.dir
		return out, a.explain(ctx, p, differing, out)
	}
	return out, nil
}

// runBlocks runs blocks of the figure again and returns the first that differ.
func (v *Verify) runBlocks(ctx context.Context, p *pictured, blocks []block, out *Verification) ([]block, error) {
	take, _ := v.choose(len(blocks), p.Block)
	blocks = slices.DeleteFunc(blocks, func(block) bool { return !take() })
	all := 0
	for _, b := range blocks {
		all += b.end - b.first
	}
	g := v.gather(out, all)
	l, err := v.Registry.layout(p.spec)
	if err != nil {
		return nil, err
	}
	drawn, err := p.column(v.Registry, l.trialColumns())
	if err != nil {
		return nil, err
	}
	rule := p.stopping(v.All, l)
	err = handOut(ctx, v.workers(), func(hand func(int) bool) error {
		for i := range blocks {
			if !hand(i) {
				return nil
			}
		}
		return nil
	}, func() (func(int), error) {
		var w Worker
		return func(i int) {
			b := &blocks[i]
			now, err := p.run(ctx, v.Registry, &w, b, drawn, rule)
			if ctx.Err() != nil {
				return
			}
			var d *Difference
			if err != nil || now != b.digest {
				d = &Difference{Cell: cellName(&p.cells[b.cell]), First: b.first, Last: b.end - 1, order: i}
				d.What = fmt.Sprintf("the digest of seed, fingerprint and %s is %08x in the figure, but %08x now", drawn.Name, b.digest, now)
				if err != nil {
					d.What = err.Error()
				}
			}
			g.enter(b.end-b.first, d)
		}, nil
	})
	var differing []block
	for _, d := range out.First {
		differing = append(differing, blocks[d.order])
	}
	if differing == nil && ctx.Err() == nil {
		rule.check(out)
	}
	return differing, err
}

// stopping is the stopping rule of a figure's sweep, and the trials that decide how
// many there are.
type stopping struct {
	*pictured
	layout layout
	kept   [][]sample // by cell; nil if there is nothing to check
}

// stopping is that rule, if all trials run.
func (p *pictured) stopping(all bool, l layout) *stopping {
	s := &stopping{pictured: p, layout: l}
	if p.spec.Until == nil || !all {
		return s
	}
	s.kept = make([][]sample, len(p.cells))
	for _, c := range p.Cells {
		s.kept[c.Cell-1] = make([]sample, c.Trials)
	}
	return s
}

// add takes a trial. Workers may add at the same time.
func (s *stopping) add(cell int, t *trial) {
	if s.kept != nil {
		s.kept[cell][t.replicate-1] = s.layout.sampleOf(t)
	}
}

// check tells of cells that the rule ends elsewhere. The last of a sweep that was
// stopped is not at its end.
func (s *stopping) check(out *Verification) {
	cells := s.Cells
	if !s.Complete {
		cells = cells[:len(cells)-1]
	}
	for _, c := range cells {
		if s.kept != nil && !s.layout.enough(s.spec, s.kept[c.Cell-1]) {
			out.damagef("the receipt has %d trials of cell %d (%s), and the stopping rule of the sweep asks for another number", c.Trials, c.Cell, cellName(&s.cells[c.Cell-1]))
		}
	}
}

// run runs the trials of a block and returns their digest.
func (p *pictured) run(ctx context.Context, r *Registry, w *Worker, b *block, drawn column[*trial], rule *stopping) (uint32, error) {
	cell := &p.cells[b.cell]
	key := cell.Key()
	var trials []uint32
	for replicate := b.first; replicate < b.end; replicate++ {
		in, err := r.instance(cell, trialSeed(p.spec.Seed, key, replicate), p.Outside)
		if err != nil {
			return 0, err
		}
		result := w.Run(ctx, in, nil)
		if result.End == netem.Interrupted {
			return 0, context.Cause(ctx)
		}
		t := &trial{cell.Label, replicate, result}
		rule.add(b.cell, t)
		trials = append(trials, t.digest(drawn))
	}
	return blockDigest(trials), nil
}

// folder is the folder that the figure came from, if it is beside it; else nil.
func (p *pictured) folder(r *Registry) *archive {
	dir := filepath.Dir(p.path)
	for _, dir := range []string{dir, filepath.Dir(dir)} {
		m, err := ReadManifest(dir)
		if err != nil || !slices.ContainsFunc(m.Files, func(f FileInfo) bool { return f.Name == ResultsFile && f.SHA256 == p.Results }) {
			continue
		}
		if a, err := openArchive(r, dir); err == nil {
			return a
		}
	}
	return nil
}

// explain replaces what is known of differing blocks by what the rows of the folder
// tell.
func (a *archive) explain(ctx context.Context, p *pictured, differing []block, out *Verification) error {
	c, err := a.newChecker()
	if err != nil || len(differing) == 0 {
		return err
	}
	var found []Difference
	explained := make([]bool, len(differing))
	_, err = a.rows(func(r *record) (bool, error) {
		i := slices.IndexFunc(differing, func(b block) bool {
			return b.cell == r.cell && b.first <= r.replicate && r.replicate < b.end
		})
		if i < 0 {
			return true, nil
		}
		_, err := c.replay(ctx, r, nil)
		if d := a.differenceOf(r, err); d != nil && ctx.Err() == nil {
			found, explained[i] = append(found, *d), true
		}
		return ctx.Err() == nil, nil
	})
	if err != nil {
		out.Damage = append(out.Damage, err.Error())
	}
	for i, d := range out.First {
		if !explained[i] {
			d.What += "; in " + filepath.Join(a.dir, ResultsFile) + " it is as it is now"
			found = append(found, d)
		}
	}
	out.First = found[:min(len(found), mostDifferences)]
	return nil
}
