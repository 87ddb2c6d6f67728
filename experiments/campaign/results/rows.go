package results

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/protocols"
)

// RowWriter prints rows of results.csv without the row's number.
type RowWriter struct {
	columns []TextColumn[*Trial]
	inputs  int // the first columns, which depend on label and setting only

	label   string
	rare    spec.Rare
	setting trial.Setting // without seed
	input   []byte        // the fields of label and setting; nil before the first row
}

// NewRowWriter writes rows of this layout.
func NewRowWriter(l Layout) *RowWriter {
	return &RowWriter{columns: l.trialColumns(), inputs: len(l.inputColumns())}
}

// Columns are the columns of a row, without the row's number.
func (w *RowWriter) Columns() []TextColumn[*Trial] { return w.columns }

// Append appends the row of a trial.
func (w *RowWriter) Append(rows []byte, t *Trial) []byte {
	set := t.Instance.Setting
	set.Seed = 0
	if w.input == nil || w.label != t.Label || w.rare != t.Rare || w.setting != set {
		w.label, w.rare, w.setting = t.Label, t.Rare, set
		w.input = appendFields(w.input[:0], w.columns[:w.inputs], t)
	}
	return endLine(appendFields(append(rows, w.input...), w.columns[w.inputs:], t))
}

// AppendFields appends the row with these fields.
func (w *RowWriter) AppendFields(rows []byte, fields []string) []byte {
	for _, text := range fields {
		rows = appendField(rows, text)
	}
	return endLine(rows)
}

// FieldsOf returns the fields of a row.
func FieldsOf(row []byte) ([]string, error) { return csv.NewReader(bytes.NewReader(row)).Read() }

// Header is the first line of results.csv.
func (w *RowWriter) Header() string {
	return string(appendHeader(appendField(nil, RowColumn.Header()), w.columns, false))
}

// RowReader turns rows into samples.
type RowReader struct {
	columns                            int // of a row
	layout                             Layout
	Algorithm, Label, outside, outcome int              // indices of columns
	checks, bounds, boundRatio         []int            // indices of columns, in the order of the layout
	operands                           []map[string]int // indices of columns by name, for each metric in the order of the layout
}

// NewRowReader reads rows that have these columns.
func NewRowReader(l Layout, columns []string) (*RowReader, error) {
	r := &RowReader{layout: l, columns: len(columns)}
	var missing []string
	find := func(name string) int {
		i := slices.Index(columns, name)
		if i < 0 {
			missing = append(missing, name)
		}
		return i
	}
	r.Algorithm, r.Label, r.outside, r.outcome = find("algorithm"), find("label"), find("outside"), find("outcome")
	for i := range l.Summarised {
		columns := map[string]int{}
		for _, name := range operands(&l.Summarised[i]) {
			columns[name] = find(name)
		}
		r.operands = append(r.operands, columns)
	}
	for _, name := range l.Checks {
		r.checks = append(r.checks, find(name))
	}
	for _, name := range l.bounds {
		r.bounds = append(r.bounds, find("bound_"+name))
		r.boundRatio = append(r.boundRatio, find(trial.RatioPrefix+name))
	}
	if missing != nil {
		return nil, fmt.Errorf("the rows have no column %s", strings.Join(missing, ", "))
	}
	return r, nil
}

// Read reads so many rows of an algorithm, one behind the other, and calls visit with the
// text, the fields and the sample of each. The fields are valid during the call. A row with
// other columns, or of another algorithm, is an error.
func (r *RowReader) Read(rows []byte, count int, algorithm string, visit func(text []byte, fields []string, s Sample) error) error {
	in := csv.NewReader(bytes.NewReader(rows))
	in.ReuseRecord, in.FieldsPerRecord = true, -1 // Sample counts them
	for range count {
		from := in.InputOffset()
		fields, err := in.Read()
		if err != nil {
			return err
		}
		s, err := r.Sample(fields)
		if err != nil {
			return err
		}
		if s.Algorithm.Name != algorithm {
			return fmt.Errorf("a row is of the algorithm %q, and its cell of %q", s.Algorithm.Name, algorithm)
		}
		if err := visit(rows[from:in.InputOffset()], fields, s); err != nil {
			return err
		}
	}
	if _, err := in.Read(); err != io.EOF {
		return errors.New("a row has more than one line")
	}
	return nil
}

// Sample returns the sample of a row, without its input.
func (r *RowReader) Sample(fields []string) (Sample, error) {
	if len(fields) != r.columns {
		return Sample{}, fmt.Errorf("a row has %s; the sweep has %d columns", counts.Several(len(fields), "field"), r.columns)
	}
	s := Sample{
		metrics: make([]float64, len(r.operands)),
		bounds:  make([]boundValue, len(r.bounds)),
		Outcome: trial.Outcome(fields[r.outcome]),
		Outside: fields[r.outside] != "",
	}
	i := slices.IndexFunc(r.layout.Algorithms, func(a *trial.Algorithm) bool { return a.Name == fields[r.Algorithm] })
	if i < 0 {
		return s, fmt.Errorf("a row is of the algorithm %q, which the sweep does not have", fields[r.Algorithm])
	}
	s.Algorithm = r.layout.Algorithms[i]
	if !slices.Contains(r.layout.Outcomes, s.Outcome) {
		return s, fmt.Errorf("a row has the outcome %q, which the sweep does not have", s.Outcome)
	}
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
		s.metrics[i] = evaluate(&r.layout.Summarised[i], func(name string) float64 { return value(columns[name]) })
	}
	for i := range r.bounds {
		s.bounds[i] = boundValue{value(r.bounds[i]), value(r.boundRatio[i])}
	}
	for _, name := range s.Algorithm.Checks {
		text := fields[r.checks[slices.Index(r.layout.Checks, name)]]
		v, ok := protocols.ParseVerdict(text)
		if !ok {
			return s, fmt.Errorf("the check %s came out as %q, which is no verdict", name, text)
		}
		s.Verdicts = append(s.Verdicts, v)
	}
	return s, wrong
}
