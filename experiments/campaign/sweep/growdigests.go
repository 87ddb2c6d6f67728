package sweep

import (
	"fmt"
	"slices"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/internal/counts"
)

// eachDigest calls visit with the digests of an earlier version that keeps a summary, cell by
// cell. first is the place of the first of its trials, which have no gap.
func (e *earlier) eachDigest(l results.Layout, visit func(cell, first int, d *results.Digest) error) error {
	if e.held == nil {
		if err := e.manifest.UnchangedRows(e.folder.Dir); err != nil {
			return err
		}
		return e.folder.Digests(l, func(cell int, d *results.Digest) error { return visit(cell, 0, d) })
	}
	reader, err := journal.NewReader(e.path)
	if err != nil {
		return err
	}
	defer reader.Close()
	part := &sourcePart{contents: e.held, reader: reader}
	for _, r := range e.held.records {
		body, err := reader.Read(r.at, nil)
		if err != nil {
			return err
		}
		d, err := parseDigest(part, r, body, l, e.cells[r.cell].Algorithm)
		if err == nil {
			err = visit(int(r.cell), int(r.first), d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fitsKept returns an error if the two versions do not keep the same of their trials, or if
// digests would have to be cut.
func (g *growth) fitsKept() error {
	was, is := g.from.spec.Keep, g.sweep.Spec.Keep
	switch {
	case was != is:
		return fmt.Errorf("%s is of a version of this sweep that keeps %v, and this one keeps %v: trials cannot be taken over; %s", g.from.path, was, is, g.from.advice())
	case is.Summary && g.sweep.Shard.partial():
		return fmt.Errorf("%s is of an earlier version of this sweep, which keeps a summary: a digest cannot be dealt to shards; run the sweep without --shard, or give another directory", g.from.path)
	}
	return nil
}

// countDigests counts the trials that are kept, and all others.
func (g *growth) countDigests() error {
	return g.from.eachDigest(g.before, func(cell, first int, d *results.Digest) error {
		now := g.place[cell]
		switch {
		case now < 0:
			g.drop(cell, d.Trials)
			return nil
		case first+d.Trials > g.limit[now]:
			return fmt.Errorf("%s has a digest of %s of %s, and this version has %d: trials cannot be taken out of a digest; %s",
				g.from.path, counts.Several(first+d.Trials, "trial"), g.cells[now].Canonical(), g.limit[now], g.from.advice())
		}
		if _, lacking := d.In(&g.layout, first); lacking != "" {
			g.Again += d.Trials
			if !slices.Contains(g.Lacking, lacking) {
				g.Lacking = append(g.Lacking, lacking)
			}
			return nil
		}
		g.Kept += d.Trials
		return nil
	})
}

// eachKeptDigest calls visit with the digests that are kept, in the columns of this version.
func (g *growth) eachKeptDigest(visit func(cell, first int, d *results.Digest) error) error {
	adapter := results.NewRowAdapter(g.before, g.layout)
	rows := results.NewRowWriter(g.layout)
	return g.from.eachDigest(g.before, func(cell, first int, before *results.Digest) error {
		now := g.place[cell]
		if now < 0 {
			return nil
		}
		d, lacking := before.In(&g.layout, first)
		if lacking != "" {
			return nil
		}
		c := &g.cells[now]
		key := c.Key()
		in, err := g.sweep.replicates(c).Instance(results.TrialSeed(g.sweep.Spec.Seed, key, 1))
		if err != nil {
			return err
		}
		adapter.Cell(results.Input{Label: c.Label, Rare: c.Rare, Instance: in})
		err = d.TakeRows(before, func(place int, row string) (string, error) {
			fields, err := results.FieldsOf([]byte(row))
			if err == nil {
				fields, _, err = adapter.Row(fields)
			}
			if err == nil && !adapter.IsTrial(fields, place+1, results.TrialSeed(g.sweep.Spec.Seed, key, place+1)) {
				err = fmt.Errorf("it has another seed than the sweep gives it")
			}
			if err != nil {
				return "", fmt.Errorf("%s: trial %d of %s: %w; %s", g.from.path, place+1, c.Canonical(), err, g.from.advice())
			}
			return string(rows.AppendFields(nil, fields)), nil
		})
		if err != nil {
			return err
		}
		return visit(now, first, d)
	})
}

// fillDigests appends to a journal the digests that are kept.
func (g *growth) fillDigests(j *journal.Journal, id identity) error {
	return g.eachKeptDigest(func(cell, first int, d *results.Digest) error {
		record, err := digestBody(id, cell, first, d)
		if err == nil {
			_, err = j.Append(record)
		}
		return err
	})
}
