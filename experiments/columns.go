package experiments

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/spec"
)

// Column describes a column of a table of results.
type Column struct {
	Name    string     `json:"name"`
	Type    ColumnType `json:"type"`
	Unit    string     `json:"unit,omitempty"`
	Meaning string     `json:"meaning"`
}

// ColumnType is what the values of a column are. Any of them may be lacking, and
// then the field is empty.
type ColumnType string

// The types of columns.
const (
	Text    ColumnType = "text"
	Integer ColumnType = "integer" // from 0 to 2^64-1
	Number  ColumnType = "number"
	Boolean ColumnType = "boolean" // true or false
)

// counted are the units of what is counted, which the name of a column tells.
var counted = []string{"", "messages", "processes", "address", "identity", "rounds", "bits", "hex", "trials", "entries", "hops", "items", "moves"}

// header is what stands above the column: its name and, in brackets, its unit,
// unless it is a count.
func (c Column) header() string {
	if slices.Contains(counted, c.Unit) {
		return c.Name
	}
	return c.Name + "[" + c.Unit + "]"
}

// columnName is the name in a header.
func columnName(header string) string {
	name, _, _ := strings.Cut(header, "[")
	return name
}

// column is a column of a table whose rows are made of Ts.
type column[T any] struct {
	Column
	text func(T) string
}

// words, count, real and flag are columns of the four types.
func words[T any](name, unit, meaning string, text func(T) string) column[T] {
	return column[T]{Column{name, Text, unit, meaning}, text}
}

func count[T any](name, unit, meaning string, text func(T) string) column[T] {
	return column[T]{Column{name, Integer, unit, meaning}, text}
}

func real[T any](name, unit, meaning string, text func(T) string) column[T] {
	return column[T]{Column{name, Number, unit, meaning}, text}
}

func flag[T any](name, unit, meaning string, text func(T) string) column[T] {
	return column[T]{Column{name, Boolean, unit, meaning}, text}
}

// table is a CSV table that is being written.
type table[T any] struct {
	columns []column[T]
	plain   bool // the header has names alone
	out     *csv.Writer
	fields  []string // of the row at hand
}

func (t *table[T]) header() error {
	for i, c := range t.columns {
		t.fields[i] = c.header()
		if t.plain {
			t.fields[i] = c.Name
		}
	}
	return t.out.Write(t.fields)
}

func (t *table[T]) row(x T) error {
	for i, c := range t.columns {
		t.fields[i] = c.text(x)
	}
	return t.out.Write(t.fields)
}

// describe is the columns without what fills them.
func describe[T any](columns []column[T]) []Column {
	all := make([]Column, len(columns))
	for i, c := range columns {
		all[i] = c.Column
	}
	return all
}

// trial is a run with its place in a sweep.
type trial struct {
	label     string
	replicate int // from 1
	*Result
}

// layout is what the algorithms of a sweep have, each name once, in the order of the
// sweep's entries.
type layout struct {
	algorithms            []*Algorithm
	kinds, checks, bounds []string
	outcomes              []Outcome
	metrics               []Metric
	summarised            []Metric // those that tables of cells describe
	params                bool     // some algorithm has parameters
	bootstrap             int      // resamples for an interval, 0 for none
	seed                  uint64   // of the sweep
}

func (r *Registry) layout(s *spec.Spec) (layout, error) {
	l := layout{bootstrap: s.Bootstrap, seed: s.Seed}
	add := func(to *[]string, names ...string) {
		for _, name := range names {
			if !slices.Contains(*to, name) {
				*to = append(*to, name)
			}
		}
	}
	for i := range s.Entries {
		a, err := r.Find(s.Entries[i].Algorithm)
		if err != nil {
			return l, err
		}
		if slices.Contains(l.algorithms, a) {
			continue
		}
		l.algorithms = append(l.algorithms, a)
		for _, d := range a.Declarations() {
			add(&l.kinds, d.Kinds...)
			add(&l.checks, d.Checks...)
			for _, b := range d.Bounds {
				add(&l.bounds, b.Name)
			}
		}
		l.outcomes = append(l.outcomes, except(a.Outcomes, func(o Outcome) bool { return slices.Contains(l.outcomes, o) })...)
		l.metrics = append(l.metrics, except(a.Metrics, func(m Metric) bool { return has(l.metrics, m.Name) })...)
		l.params = l.params || len(a.Params) > 0
	}
	wanted := wantedMetrics(s)
	l.metrics = except(l.metrics, func(m Metric) bool { return m.Named && !slices.Contains(wanted, m.Name) })
	l.summarised = except(l.metrics, func(m Metric) bool { return !m.Summary && !slices.Contains(wanted, m.Name) })
	err := l.addOwn(r, s)
	return l, err
}

// wantedMetrics are those that the sweep names.
func wantedMetrics(s *spec.Spec) []string {
	var names []string
	if s.Until != nil {
		names = append(names, s.Until.Metrics...)
	}
	for _, c := range s.Compare {
		names = append(names, c.Metrics...)
	}
	for i := range s.Figures {
		names = append(names, s.Figures[i].Metric().Name)
	}
	return names
}

// metric is the metric of that name that some algorithm of the sweep measures, nil if
// none does.
func (l layout) metric(name string) *Metric {
	for i := range l.metrics {
		if l.metrics[i].Name == name {
			return &l.metrics[i]
		}
	}
	return nil
}

// has reports whether one of the metrics has that name.
func has(metrics []Metric, name string) bool {
	return slices.ContainsFunc(metrics, func(m Metric) bool { return m.Name == name })
}

// except is a list without what is unwanted.
func except[T any](list []T, unwanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), unwanted)
}

// rowColumn is the first of results.csv. It is not among those of a trial: which
// row that is nobody knows before the trials of all cells before are counted.
var rowColumn = Column{"row", Integer, "", "number of the trial, in the order of the sweep"}

// trialColumns are the others.
func (l layout) trialColumns() []column[*trial] {
	var columns []column[*trial]
	for _, c := range l.inputColumns() {
		columns = append(columns, column[*trial]{c.Column, func(t *trial) string {
			return c.text(input{t.label, t.Instance})
		}})
	}
	columns = append(columns,
		count("replicate", "", "number of the trial within its cell", func(t *trial) string { return strconv.Itoa(t.replicate) }),
		count("seed", "", "decides all chance in the trial", func(t *trial) string { return strconv.FormatUint(t.Instance.Setting.Seed, 10) }),
		words("outside", "", "assumptions of the algorithm that do not hold: it promises nothing here", func(t *trial) string {
			return strings.Join(t.Instance.Outside, "; ")
		}),
		words("end", "", "how the run ended", func(t *trial) string { return t.End.String() }),
		words("outcome", "", "how the run came out", func(t *trial) string { return string(t.Outcome) }),
		count("leader", "identity", "the elected one", func(t *trial) string {
			id, ok := t.Leader()
			if !ok {
				return ""
			}
			return strconv.FormatInt(int64(id), 10)
		}),
		metricColumn(l.metrics[0]),
	)
	for _, kind := range l.kinds {
		columns = append(columns, count("sent_"+kind, "messages", "messages of kind "+kind+" sent", func(t *trial) string {
			k := slices.Index(t.Instance.Algorithm.Kinds, kind)
			if k < 0 {
				return ""
			}
			return strconv.FormatUint(t.Counters.Sent[k], 10)
		}))
	}
	for _, m := range l.metrics[1:] {
		columns = append(columns, metricColumn(m))
	}
	columns = append(columns,
		words("time_unit", "", "what times are counted in: delay (of a message, which is constant) or s (seconds)", func(t *trial) string {
			return timeUnit(t.Instance)
		}),
		count("events", "", "events that happened", func(t *trial) string { return strconv.FormatUint(t.Counters.Events, 10) }))
	for _, check := range l.checks {
		columns = append(columns, words(check, "", "verdict of the check "+check+": holds, violated or undecided", func(t *trial) string {
			if !slices.Contains(t.Instance.Algorithm.Checks, check) {
				return ""
			}
			return t.Verdict(check).String()
		}))
	}
	for _, bound := range l.bounds {
		columns = append(columns,
			real("bound_"+bound, "", "what theory says: "+l.boundMeaning(bound), func(t *trial) string {
				return number(t.bound(bound).value)
			}),
			real(ratioPrefix+bound, "", "what was measured, divided by bound_"+bound, func(t *trial) string {
				return number(t.bound(bound).ratio)
			}))
	}
	return append(columns,
		words("fingerprint", "hex", "hash of all events of the run: equal runs have equal ones", func(t *trial) string {
			return fmt.Sprintf("%016x", t.Fingerprint)
		}),
		words("trail", "hex", "first byte of the fingerprint after 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on events: where two of them part, the runs do", func(t *trial) string {
			return t.Trail
		}))
}

// boundMeaning tells what a bound is for each algorithm that has it.
func (l layout) boundMeaning(name string) string {
	var parts []string
	for _, a := range l.algorithms {
		if b, err := a.bound(name); err == nil {
			parts = append(parts, fmt.Sprintf("%s: %s %v %s (%s)", a.Name, b.Metric, b.Relation, b.Formula, b.Convention))
		}
	}
	return strings.Join(parts, "; ")
}

// input is what the trials of a cell have in common.
type input struct {
	label string
	*Instance
}

// inputColumns tell the cell, no default left out.
func (l layout) inputColumns() []column[input] {
	columns := []column[input]{
		words("algorithm", "", "the algorithm", func(in input) string { return in.Setting.Algorithm }),
		words("variant", "", "its variant", func(in input) string { return in.Setting.Variant }),
		words("label", "", "its label in the sweep", func(in input) string { return in.label }),
		count("n", "processes", "number of processes, dead ones included", func(in input) string { return strconv.Itoa(in.N) }),
		words("placement", "", "how the identities 1..n are placed on the addresses 0..n-1", func(in input) string { return in.Setting.Placement }),
		words("initiators", "address", "who starts at time 0", func(in input) string { return in.Setting.Initiators }),
		words("dead", "address", "who is dead from the start", func(in input) string { return in.Setting.Dead }),
		words("topology", "", "the network", func(in input) string { return in.Setting.Topology }),
		words("delay", "", "delay of a message on a link: a duration, or a distribution of durations", func(in input) string { return in.Setting.Delay }),
		words("link", "", "what links do to messages beyond that", func(in input) string { return in.Setting.Link }),
		words("link_mode", "", "how link is understood: exact, or compat, as tc netem does", func(in input) string { return in.Setting.LinkMode }),
		words("delta", "", "bound on delay from the global stabilisation time on", func(in input) string { return in.Setting.Delta }),
		words("gst", "", "global stabilisation time", func(in input) string { return in.Setting.GST }),
		words("transport", "", "what carries messages: plain, or a reliable link over the network", func(in input) string { return in.Setting.Transport }),
		words("detector", "", "failure detector", func(in input) string { return in.Setting.Detector }),
		words("assume", "", "bound on delay that the algorithm assumes, if it is not the real one", func(in input) string { return in.Setting.Assume }),
		words("max_time", "", "when the run was to end", func(in input) string { return in.Setting.MaxTime }),
		words("until", "", "how long the run went on at least", func(in input) string { return in.Setting.Until }),
		flag("fifo", "", "whether links keep the order of messages", func(in input) string { return strconv.FormatBool(in.FIFO) }),
		words("fault", "", "what fails during the run", func(in input) string { return in.Setting.Fault }),
	}
	if l.params {
		columns = append(columns, words("param", "", "parameters of the algorithm that are not the default", func(in input) string { return in.Setting.Param }))
	}
	return columns
}

func metricColumn(m Metric) column[*trial] {
	return real(m.Name, m.Unit, m.Meaning, func(t *trial) string { return number(t.metric(m.Name)) })
}

// metric is a metric, or NaN where the run has none.
func (t *trial) metric(name string) float64 {
	if v, ok := t.Metric(name); ok {
		return v
	}
	return math.NaN()
}

// against is a bound and the ratio to it; NaN where there is none.
type against struct{ value, ratio float64 }

// bound is the bound of that name.
func (t *trial) bound(name string) against {
	for _, b := range t.Bounds {
		if b.Name == name {
			return against{b.Value, b.Ratio}
		}
	}
	return against{math.NaN(), math.NaN()}
}

// timeUnit names the unit of an instance's times.
func timeUnit(in *Instance) string {
	if _, ok := in.Unit(); ok {
		return "delay"
	}
	return "s"
}

// number prints a number in full, and nothing for what is none.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
