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
	Name    string `json:"name"`
	Unit    string `json:"unit,omitempty"`
	Meaning string `json:"meaning"`
}

// column is a column of a table whose rows are made of Ts.
type column[T any] struct {
	Column
	text func(T) string
}

// col is a short way to write a column.
func col[T any](name, unit, meaning string, text func(T) string) column[T] {
	return column[T]{Column{name, unit, meaning}, text}
}

// table is a CSV table that is being written.
type table[T any] struct {
	columns []column[T]
	out     *csv.Writer
	fields  []string // of the row at hand
}

func (t *table[T]) header() error {
	for i, c := range t.columns {
		t.fields[i] = c.Name
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
	row       int // from 1
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
}

func (r *Registry) layout(s *spec.Spec) (layout, error) {
	var l layout
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
		for _, d := range a.declarations() {
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
	l.summarised = except(l.metrics, func(m Metric) bool { return !m.Summary })
	return l, nil
}

// has reports whether one of the metrics has that name.
func has(metrics []Metric, name string) bool {
	return slices.ContainsFunc(metrics, func(m Metric) bool { return m.Name == name })
}

// except is a list without what is unwanted.
func except[T any](list []T, unwanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), unwanted)
}

// trialColumns are the columns of results.csv.
func (l layout) trialColumns() []column[*trial] {
	columns := []column[*trial]{
		col("row", "", "number of the trial, in the order of the sweep", func(t *trial) string { return strconv.Itoa(t.row) }),
	}
	for _, c := range l.inputColumns() {
		columns = append(columns, col(c.Name, c.Unit, c.Meaning, func(t *trial) string {
			return c.text(input{t.label, t.Instance})
		}))
	}
	columns = append(columns,
		col("replicate", "", "number of the trial within its cell", func(t *trial) string { return strconv.Itoa(t.replicate) }),
		col("seed", "", "decides all chance in the trial", func(t *trial) string { return strconv.FormatUint(t.Instance.Setting.Seed, 10) }),
		col("outside", "", "assumptions of the algorithm that do not hold: it promises nothing here", func(t *trial) string {
			return strings.Join(t.Instance.Outside, "; ")
		}),
		col("end", "", "how the run ended", func(t *trial) string { return t.End.String() }),
		col("outcome", "", "how the run came out", func(t *trial) string { return string(t.Outcome) }),
		col("leader", "identity", "the elected one", func(t *trial) string {
			if t.Outcome != Elected {
				return ""
			}
			return strconv.FormatInt(int64(t.Leader), 10)
		}),
		metricColumn(l.metrics[0]),
	)
	for _, kind := range l.kinds {
		columns = append(columns, col("sent_"+kind, "messages", "messages of kind "+kind+" sent", func(t *trial) string {
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
		col("time_unit", "", "what times are counted in: delay (of a message, which is constant) or s (seconds)", func(t *trial) string {
			return timeUnit(t.Instance)
		}),
		col("events", "", "events that happened", func(t *trial) string { return strconv.FormatUint(t.Counters.Events, 10) }))
	for _, check := range l.checks {
		columns = append(columns, col(check, "", "verdict of the check "+check+": holds, violated or undecided", func(t *trial) string {
			if !slices.Contains(t.Instance.Algorithm.Checks, check) {
				return ""
			}
			return t.Verdict(check).String()
		}))
	}
	for _, bound := range l.bounds {
		columns = append(columns,
			col("bound_"+bound, "", "what theory says: "+l.boundMeaning(bound), func(t *trial) string {
				return number(t.bound(bound).value)
			}),
			col(ratioPrefix+bound, "", "what was measured, divided by bound_"+bound, func(t *trial) string {
				return number(t.bound(bound).ratio)
			}))
	}
	return append(columns,
		col("fingerprint", "hex", "hash of all events of the run: equal runs have equal ones", func(t *trial) string {
			return fmt.Sprintf("%016x", t.Fingerprint)
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
		col("algorithm", "", "the algorithm", func(in input) string { return in.Setting.Algorithm }),
		col("variant", "", "its variant", func(in input) string { return in.Setting.Variant }),
		col("label", "", "its label in the sweep", func(in input) string { return in.label }),
		col("n", "processes", "number of processes, dead ones included", func(in input) string { return strconv.Itoa(in.N) }),
		col("placement", "", "how the identities 1..n are placed on the addresses 0..n-1", func(in input) string { return in.Setting.Placement }),
		col("initiators", "address", "who starts at time 0", func(in input) string { return in.Setting.Initiators }),
		col("dead", "address", "who is dead from the start", func(in input) string { return in.Setting.Dead }),
		col("topology", "", "the network", func(in input) string { return in.Setting.Topology }),
		col("delay", "", "delay of a message on a link: a duration, or a distribution of durations", func(in input) string { return in.Setting.Delay }),
		col("link", "", "what links do to messages beyond that", func(in input) string { return in.Setting.Link }),
		col("link_mode", "", "how link is understood: exact, or compat, as tc netem does", func(in input) string { return in.Setting.LinkMode }),
		col("delta", "", "bound on delay from the global stabilisation time on", func(in input) string { return in.Setting.Delta }),
		col("gst", "", "global stabilisation time", func(in input) string { return in.Setting.GST }),
		col("transport", "", "what carries messages: plain, or a reliable link over the network", func(in input) string { return in.Setting.Transport }),
		col("detector", "", "failure detector", func(in input) string { return in.Setting.Detector }),
		col("assume", "", "bound on delay that the algorithm assumes, if it is not the real one", func(in input) string { return in.Setting.Assume }),
		col("max_time", "", "when the run was to end", func(in input) string { return in.Setting.MaxTime }),
		col("until", "", "how long the run went on at least", func(in input) string { return in.Setting.Until }),
		col("fifo", "", "whether links keep the order of messages", func(in input) string { return strconv.FormatBool(in.FIFO) }),
		col("fault", "", "what fails during the run", func(in input) string { return in.Setting.Fault }),
	}
	if l.params {
		columns = append(columns, col("param", "", "parameters of the algorithm that are not the default", func(in input) string { return in.Setting.Param }))
	}
	return columns
}

func metricColumn(m Metric) column[*trial] {
	return col(m.Name, m.Unit, m.Meaning, func(t *trial) string { return number(t.metric(m.Name)) })
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

// seconds is a time of that unit in seconds.
func seconds(in *Instance, v float64) float64 {
	unit, _ := in.Unit()
	return v * unit.Seconds()
}

// number prints a number in full, and nothing for what is none.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
