package experiments

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/protocols"
)

// rowWriter prints rows of results.csv, without their number.
type rowWriter struct {
	buffer bytes.Buffer
	table  table[*trial]
}

func newRowWriter(l layout) *rowWriter {
	w := &rowWriter{}
	columns := l.trialColumns()
	w.table = table[*trial]{columns: columns, out: csv.NewWriter(&w.buffer), fields: make([]string, len(columns))}
	return w
}

// append appends the row of a trial.
func (w *rowWriter) append(rows []byte, t *trial) []byte {
	w.buffer.Reset()
	if err := errors.Join(w.table.row(t), w.flush()); err != nil {
		panic(err) // a buffer takes everything
	}
	return append(rows, w.buffer.Bytes()...)
}

// appendFields appends the row of these fields.
func (w *rowWriter) appendFields(rows []byte, fields []string) []byte {
	w.buffer.Reset()
	if err := errors.Join(w.table.out.Write(fields), w.flush()); err != nil {
		panic(err) // a buffer takes everything
	}
	return append(rows, w.buffer.Bytes()...)
}

// header is the first line of results.csv.
func (w *rowWriter) header() string {
	w.buffer.Reset()
	w.buffer.WriteString(rowColumn.header() + ",")
	if err := errors.Join(w.table.header(), w.flush()); err != nil {
		panic(err) // a buffer takes everything
	}
	return w.buffer.String()
}

func (w *rowWriter) flush() error {
	w.table.out.Flush()
	return w.table.out.Error()
}

// rowReader takes samples of rows.
type rowReader struct {
	layout                             layout
	algorithm, label, outside, outcome int              // columns
	checks, bounds, boundRatio         []int            // as in the layout
	operands                           []map[string]int // of the metrics, as in the layout
}

// newRowReader reads rows with these columns.
func newRowReader(l layout, columns []string) (*rowReader, error) {
	r := &rowReader{layout: l}
	var missing []string
	find := func(name string) int {
		i := slices.Index(columns, name)
		if i < 0 {
			missing = append(missing, name)
		}
		return i
	}
	r.algorithm, r.label, r.outside, r.outcome = find("algorithm"), find("label"), find("outside"), find("outcome")
	for i := range l.summarised {
		columns := map[string]int{}
		for _, name := range l.summarised[i].operands() {
			columns[name] = find(name)
		}
		r.operands = append(r.operands, columns)
	}
	for _, name := range l.checks {
		r.checks = append(r.checks, find(name))
	}
	for _, name := range l.bounds {
		r.bounds = append(r.bounds, find("bound_"+name))
		r.boundRatio = append(r.boundRatio, find(ratioPrefix+name))
	}
	if missing != nil {
		return nil, fmt.Errorf("the rows have no column %s", strings.Join(missing, ", "))
	}
	return r, nil
}

// sample is what the summary needs of a row, but for the input.
func (r *rowReader) sample(fields []string) (sample, error) {
	s := sample{
		metrics: make([]float64, len(r.operands)),
		bounds:  make([]against, len(r.bounds)),
		outcome: Outcome(fields[r.outcome]),
		outside: fields[r.outside] != "",
	}
	i := slices.IndexFunc(r.layout.algorithms, func(a *Algorithm) bool { return a.Name == fields[r.algorithm] })
	if i < 0 {
		return s, fmt.Errorf("a row is of the algorithm %q, which is none of the sweep's", fields[r.algorithm])
	}
	s.algorithm = r.layout.algorithms[i]
	var wrong error
	value := func(column int) float64 {
		if fields[column] == "" {
			return math.NaN()
		}
		v, err := strconv.ParseFloat(fields[column], 64)
		if err != nil {
			wrong = err
		}
		return v
	}
	for i, columns := range r.operands {
		s.metrics[i] = r.layout.summarised[i].of(func(name string) float64 { return value(columns[name]) })
	}
	for i := range r.bounds {
		s.bounds[i] = against{value(r.bounds[i]), value(r.boundRatio[i])}
	}
	for _, name := range s.algorithm.Checks {
		text := fields[r.checks[slices.Index(r.layout.checks, name)]]
		v, ok := protocols.ParseVerdict(text)
		if !ok {
			return s, fmt.Errorf("the check %s came out as %q, which is no verdict", name, text)
		}
		s.verdicts = append(s.verdicts, v)
	}
	return s, wrong
}

// samples calls f with every row of results.csv and its sample, in order, until it
// returns an error.
func (a *archive) samples(l layout, f func(*record, *sample) error) error {
	var reader *rowReader
	_, err := a.rows(func(r *record) (more bool, err error) {
		if reader == nil { // all rows have the columns of the first
			if reader, err = newRowReader(l, r.columns); err != nil {
				return false, err
			}
		}
		s, err := reader.sample(r.fields)
		if err != nil {
			return false, fmt.Errorf("%s: %w", r.where, err)
		}
		err = f(r, &s)
		return err == nil, err
	})
	return err
}
