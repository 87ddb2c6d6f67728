package results

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"

	"bullring/experiments/campaign/stats"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
)

// digestsWriter writes what a sweep with keep: summary has in the place of rows: a line of
// DigestsFile for each cell, and the rows that are kept.
type digestsWriter struct {
	file *wholefile.File // nil if only tables of cells are made
	cell *Digest         // of the current cell, nil before its first trial
}

// AcceptDigest takes the next trials of a cell. in is its input.
func (t *Tables) AcceptDigest(cell int, in Input, d *Digest) error {
	if t.digests.cell == nil {
		t.cell.reset(cell+1, in, t.layout, 0)
		t.digests.cell = NewDigest(&t.layout, in.Algorithm)
	}
	t.digests.cell.Merge(d)
	t.cell.trials = t.digests.cell.Trials
	t.Summarised += d.Trials
	return nil
}

// finishDigest writes the line and the rows of the current cell.
func (t *Tables) finishDigest() error {
	d, cell := t.digests.cell, t.cell.number
	t.digests.cell = nil
	t.cell.takeDigest(t.layout, d)
	key := t.Folder.Cells[cell-1].Key()
	seed := func(place int) uint64 { return TrialSeed(t.layout.seed, key, place+1) }
	for i := range d.metrics {
		t.cell.seeds[i] = [2]uint64{seed(d.metrics[i].Least().Place), seed(d.metrics[i].Largest().Place)}
	}
	if t.digests.file == nil {
		return nil
	}
	if err := t.keptRows(d, cell); err != nil {
		return err
	}
	text := d.text()
	text.Cell = cell
	line, err := json.Marshal(text)
	if err == nil {
		_, err = t.digests.file.Write(append(line, '\n'))
	}
	return err
}

// keptRows writes the rows of a cell that are kept, with the current label. In the digest they
// have none.
func (t *Tables) keptRows(d *Digest, cell int) error {
	rows := NewRowWriter(t.layout)
	label := slices.IndexFunc(rows.columns, func(c TextColumn[*Trial]) bool { return c.Name == "label" })
	for _, place := range d.places() {
		fields, err := FieldsOf([]byte(d.rows[place].Text))
		if err != nil || len(fields) != len(rows.columns) {
			return errors.Join(fmt.Errorf("the row of replicate %d of cell %d is damaged", place+1, cell), err)
		}
		fields[label] = ""
		d.rows[place] = keptRow{string(rows.AppendFields(nil, fields)), d.rows[place].Violated}
		fields[label] = t.cell.Label
		text := string(rows.AppendFields(nil, fields))
		t.Rows++
		number := strconv.Itoa((cell-1)*t.Folder.Spec.Replicates+place+1) + ","
		if _, err := t.results.Write([]byte(number + text)); err != nil {
			return err
		}
	}
	return nil
}

// takeDigest computes the statistics of a cell from its digest.
func (c *cellSummary) takeDigest(l Layout, d *Digest) {
	c.outcomes = d.Outcomes
	for i, check := range c.Algorithm.Checks {
		c.verdicts[i] = d.Verdicts[check]
	}
	c.seeds = make([][2]uint64, len(d.metrics))
	for i := range d.metrics {
		m, s := &l.Summarised[i], &c.metrics[i]
		*s = d.metrics[i].Summary()
		if m.Proportion && s.N > 0 {
			s.Lo, s.Hi = intervalOf(m, d.metrics[i].NonZero(), s.N)
		}
	}
	for i := range d.bounds {
		c.bounds[i], c.ratios[i] = meanIs(&d.bounds[i]), meanIs(&d.ratios[i])
	}
}

func meanIs(m *stats.Mean) mean {
	if m.N() == 0 {
		return mean{}
	}
	return mean{1, m.Value()}
}

// Digests calls visit with the digest of each cell of the folder, in order, until visit returns
// an error.
func (f *Folder) Digests(l Layout, visit func(cell int, d *Digest) error) error {
	path := filepath.Join(cmp.Or(f.RowsIn, f.Dir), DigestsFile)
	file, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<16)
	for cell := 0; ; cell++ {
		line, err := readLine(in)
		if err == io.EOF && line == nil {
			return nil
		}
		if err == nil && cell >= len(f.Cells) {
			err = fmt.Errorf("there are lines of more than the %d cells of the sweep", len(f.Cells))
		}
		var d *Digest
		if err == nil {
			d, err = f.digest(l, cell, line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, cell+1, err)
		}
		if err := visit(cell, d); err != nil {
			return err
		}
	}
}

// maxDigest is the longest line of DigestsFile, in bytes: of a cell of which a million rows are
// kept.
const maxDigest = 1 << 30

// readLine reads a line of DigestsFile.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > maxDigest {
			return nil, fmt.Errorf("a line is longer than %d bytes", maxDigest)
		}
	}
}

func (f *Folder) digest(l Layout, cell int, line []byte) (*Digest, error) {
	var t digestText
	if err := json.Unmarshal(line, &t); err != nil {
		return nil, err
	}
	if t.Cell != cell+1 || t.Trials > f.Spec.Replicates {
		return nil, fmt.Errorf("it has %d trials of cell %d, and the sweep up to %d of cell %d there", t.Trials, t.Cell, f.Spec.Replicates, cell+1)
	}
	a, err := f.Registry.Find(f.Cells[cell].Algorithm)
	if err != nil {
		return nil, err
	}
	return digestOf(&l, a, &t)
}

// input is the input of a cell, from its first trial.
func (f *Folder) input(cell int, outside bool) (Input, error) {
	c := &f.Cells[cell]
	in, err := InstanceOf(f.Registry, c, TrialSeed(f.Spec.Seed, c.Key(), 1), outside)
	return Input{c.Label, c.Rare, in}, err
}

// fromDigests makes tables from the digests of the folder.
func (t *Tables) fromDigests() error {
	return t.Folder.Digests(t.layout, func(cell int, d *Digest) error {
		if err := t.FinishCell(); err != nil {
			return err
		}
		in, err := t.Folder.input(cell, true)
		if err != nil {
			return err
		}
		return t.AcceptDigest(cell, in, d)
	})
}
