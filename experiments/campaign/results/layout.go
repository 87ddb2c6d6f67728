package results

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"bullring/experiments/campaign/rare"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
)

// Layout describes the tables of a sweep: what its algorithms declare, each name once, in
// the order of the sweep's entries.
type Layout struct {
	Algorithms            []*trial.Algorithm
	kinds, Checks, bounds []string
	Outcomes              []trial.Outcome
	metrics               []trial.Metric
	Summarised            []trial.Metric       // in tables of cells
	conditions            []*setting.Condition // those that have a column
	bootstrap             int                  // resamples for an interval, 0 for none
	seed                  uint64               // of the sweep
	keep                  spec.Keep            // what the sweep keeps of trials
	estimated             bool                 // trials estimate a probability
}

// LayoutOf returns the layout of the tables of a sweep.
func LayoutOf(r *trial.Registry, s *spec.Spec) (Layout, error) {
	l := Layout{bootstrap: s.Bootstrap, seed: s.Seed, keep: s.Keep}
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
		if slices.Contains(l.Algorithms, a) {
			continue
		}
		l.Algorithms = append(l.Algorithms, a)
		for _, d := range a.Declarations() {
			add(&l.kinds, d.Kinds...)
			add(&l.Checks, d.Checks...)
			for _, b := range d.Bounds {
				add(&l.bounds, b.Name)
			}
		}
		l.Outcomes = append(l.Outcomes, slices.DeleteFunc(slices.Clone(a.Outcomes), func(o trial.Outcome) bool { return slices.Contains(l.Outcomes, o) })...)
		l.metrics = append(l.metrics, slices.DeleteFunc(slices.Clone(a.Metrics), func(m trial.Metric) bool { return l.metric(m.Name) != nil })...)
	}
	if l.estimated = s.Rare != nil; l.estimated {
		for i := range estimates {
			l.metrics = append(l.metrics, estimates[i].metric)
		}
	}
	if s.Gives("node") {
		l.Outcomes = append(l.Outcomes, trial.Inconclusive)
	}
	l.addConditions(s)
	wanted := wantedMetrics(s)
	computed := computedFrom(s)
	l.metrics = slices.DeleteFunc(l.metrics, func(m trial.Metric) bool {
		return m.Named && !slices.Contains(wanted, m.Name) && !slices.Contains(computed, m.Name)
	})
	l.Summarised = slices.DeleteFunc(slices.Clone(l.metrics), func(m trial.Metric) bool { return !m.Summary && !slices.Contains(wanted, m.Name) })
	if err := l.addSent(r, wanted); err != nil {
		return l, err
	}
	err := l.addOwn(r, s)
	return l, err
}

// addSent adds the wanted numbers of messages of a kind to the metrics that tables of cells summarise.
func (l *Layout) addSent(r *trial.Registry, wanted []string) error {
	for i, name := range wanted {
		kind, sent := strings.CutPrefix(name, trial.SentPrefix)
		if !sent || l.metric(name) != nil || !slices.Contains(l.kinds, kind) || slices.Contains(wanted[:i], name) {
			continue
		}
		m, err := r.Metric(name)
		if err != nil {
			return err
		}
		l.Summarised = append(l.Summarised, *m)
	}
	return nil
}

// addConditions adds the conditions of the sweep's cells. An optional one has a column if
// the sweep gives it a value, so the tables of sweeps that are older than it do not change;
// param also has one if some algorithm has parameters.
func (l *Layout) addConditions(s *spec.Spec) {
	params := slices.ContainsFunc(l.Algorithms, func(a *trial.Algorithm) bool { return len(a.Params) > 0 })
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		if !c.Column.Optional || s.Gives(c.Name) || c.Name == "param" && params {
			l.conditions = append(l.conditions, c)
		}
	}
}

// addOwn adds the sweep's own metrics to those that tables of cells summarise.
func (l *Layout) addOwn(r *trial.Registry, s *spec.Spec) error {
	for i := range s.Metrics {
		own := &s.Metrics[i]
		m, err := ownMetric(r, own)
		if err == nil {
			err = Unmeasured(l.Algorithms, m)
		}
		if err != nil {
			return spec.Error{Pos: own.Pos, Message: fmt.Sprintf("the metric %s: %v", own.Name, err), Cause: err}
		}
		l.Summarised = append(l.Summarised, *m)
		names := map[string]bool{}
		for _, c := range l.summaryColumns() {
			if names[c.Name] {
				return spec.Error{Pos: own.Pos, Message: fmt.Sprintf("the metric %s: %s has a column %s already; give it another name", own.Name, SummaryFile, c.Name)}
			}
			names[c.Name] = true
		}
	}
	return nil
}

// wantedMetrics are the metrics that the sweep names.
func wantedMetrics(s *spec.Spec) []string {
	var names []string
	if s.Until != nil {
		names = append(names, s.Until.Metrics...)
	}
	for _, c := range s.Compare {
		names = append(names, c.Metrics...)
	}
	for i := range s.Figures {
		names = append(names, s.Figures[i].Metrics()...)
	}
	for i := range s.Tables {
		for _, m := range s.Tables[i].Metrics {
			if m.Kind == spec.OfMetric {
				names = append(names, m.Name)
			}
		}
	}
	return names
}

// computedFrom are the metrics from which those of the sweep's formulas are computed.
func computedFrom(s *spec.Spec) (names []string) {
	for i := range s.Metrics {
		names = append(names, s.Metrics[i].Formula.Names()...)
	}
	return names
}

// metric finds a metric that an algorithm of the sweep measures; nil if none does.
func (l Layout) metric(name string) *trial.Metric {
	for i := range l.metrics {
		if l.metrics[i].Name == name {
			return &l.metrics[i]
		}
	}
	return nil
}

// Trial is a run and its place in a sweep.
type Trial struct {
	Label     string
	Rare      spec.Rare // what it estimates
	Replicate int       // from 1
	*trial.Result
	Estimate *rare.Report // nil for none
}

// Cost is the number of events that the trial took.
func (t *Trial) Cost() int {
	cost := int(t.Counters.Events)
	if t.Estimate != nil {
		cost += int(t.Estimate.Cost.Events)
	}
	return cost
}

// Input is common to the trials of a cell.
type Input struct {
	Label string
	Rare  spec.Rare
	*trial.Instance
}

// RowColumn is the first column of results.csv. trialColumns lacks it: the number of a row
// is known only when all cells before it are complete.
var RowColumn = Column{"row", Integer, "", "number of the trial, in the order of the sweep"}

// RowColumns describe the columns of results.csv.
func (l Layout) RowColumns() []Column {
	return append([]Column{RowColumn}, describe(l.trialColumns())...)
}

// Columns are the names of the columns of a row, without the row's number.
func (l Layout) Columns() []string {
	var names []string
	for _, c := range l.trialColumns() {
		names = append(names, c.Name)
	}
	return names
}

// trialColumns are the other columns of results.csv.
func (l Layout) trialColumns() []TextColumn[*Trial] {
	var columns []TextColumn[*Trial]
	for _, c := range l.inputColumns() {
		columns = append(columns, TextColumn[*Trial]{c.Column, func(field []byte, t *Trial) []byte {
			return c.print(field, Input{t.Label, t.Rare, t.Instance})
		}})
	}
	columns = append(columns,
		countColumn("replicate", "", "number of the trial within its cell", func(t *Trial) (uint64, bool) { return uint64(t.Replicate), true }),
		countColumn("seed", "", "decides all chance in the trial", func(t *Trial) (uint64, bool) { return t.Instance.Setting.Seed, true }),
		wordsColumn("outside", "", "assumptions of the algorithm that do not hold: it promises nothing here", func(t *Trial) string {
			return strings.Join(t.Instance.Outside, "; ")
		}),
		wordsColumn("end", "", "how the run ended", func(t *Trial) string { return t.End.String() }),
		wordsColumn("outcome", "", "how the run came out", func(t *Trial) string { return string(t.Outcome) }),
		countColumn("leader", "identity", "the elected one", func(t *Trial) (uint64, bool) {
			id, ok := t.Leader() // from 1 on: a sweep places the identities
			return uint64(id), ok
		}),
		MetricColumn(&l.metrics[0]),
	)
	for _, kind := range l.kinds {
		columns = append(columns, sentColumn(kind))
	}
	for i := range l.metrics[1:] {
		columns = append(columns, MetricColumn(&l.metrics[1+i]))
	}
	if l.estimated {
		columns = append(columns, estimateColumns()...)
	}
	columns = append(columns,
		wordsColumn("time_unit", "", "what times are counted in: delay (of a message, which is constant) or s (seconds)", func(t *Trial) string {
			return timeUnit(t.Instance)
		}),
		countColumn("events", "", "events that happened", func(t *Trial) (uint64, bool) { return t.Counters.Events, true }))
	for _, check := range l.Checks {
		columns = append(columns, checkColumn(check))
	}
	for _, bound := range l.bounds {
		columns = append(columns,
			realColumn("bound_"+bound, "", "what theory says: "+l.boundMeaning(bound), func(t *Trial) float64 { return t.bound(bound).value }),
			realColumn(trial.RatioPrefix+bound, "", "what was measured, divided by bound_"+bound, func(t *Trial) float64 { return t.bound(bound).ratio }))
	}
	return append(columns,
		TextColumn[*Trial]{Column{"fingerprint", Text, "hex", "hash of all events of the run: equal runs have equal ones"}, func(field []byte, t *Trial) []byte {
			return hex.AppendEncode(field, binary.BigEndian.AppendUint64(nil, t.Fingerprint))
		}},
		wordsColumn("trail", "hex", "first byte of the fingerprint after 1, 2, 3, 4, 6, 8, 12, 16, 24 and so on events: where two of them part, the runs do", func(t *Trial) string {
			return t.Trail
		}))
}

// sentColumn counts the messages of a kind; empty if the algorithm has no such messages.
func sentColumn(kind string) TextColumn[*Trial] {
	return countColumn(trial.SentPrefix+kind, "messages", "messages of kind "+kind+" sent", func(t *Trial) (uint64, bool) {
		k := slices.Index(t.Instance.Algorithm.Kinds, kind)
		if k < 0 {
			return 0, false
		}
		return t.Counters.Sent[k], true
	})
}

// checkColumn has the verdict of a check; empty if the algorithm has no such check.
func checkColumn(check string) TextColumn[*Trial] {
	return wordsColumn(check, "", "verdict of the check "+check+": holds, violated or undecided", func(t *Trial) string {
		if !slices.Contains(t.Instance.Algorithm.Checks, check) {
			return ""
		}
		return t.Verdict(check).String()
	})
}

// boundMeaning says what a bound means for each algorithm that has it.
func (l Layout) boundMeaning(name string) string {
	var parts []string
	for _, a := range l.Algorithms {
		if b, err := a.Bound(name); err == nil {
			parts = append(parts, fmt.Sprintf("%s: %s %v %s (%s)", a.Name, b.Metric, b.Relation, b.Formula, b.Convention))
		}
	}
	return strings.Join(parts, "; ")
}

// inputColumns describe the cell, with all defaults.
func (l Layout) inputColumns() []TextColumn[Input] {
	columns := []TextColumn[Input]{
		wordsColumn("algorithm", "", "the algorithm", func(in Input) string { return in.Setting.Algorithm }),
	}
	for _, c := range l.conditions {
		columns = append(columns, TextColumn[Input]{
			Column{c.Name, columnType(c.Kind), c.Column.Unit, c.Column.Meaning},
			func(field []byte, in Input) []byte { return append(field, c.Get(&in.Setting)...) },
		})
		if c.Name == "variant" {
			columns = append(columns, wordsColumn("label", "", "its label in the sweep", func(in Input) string { return in.Label }))
		}
	}
	if l.estimated {
		columns = append(columns, reachColumn())
	}
	return columns
}

// MetricColumn is the column of a metric, which may be one of the sweep's own.
func MetricColumn(m *trial.Metric) TextColumn[*Trial] {
	return realColumn(m.Name, m.Unit, m.Meaning, func(t *Trial) float64 { return t.value(m) })
}

// value returns the value of a metric, which may be one of the sweep's own; NaN if the trial
// has none.
func (t *Trial) value(m *trial.Metric) float64 {
	switch {
	case m.Formula != nil:
		return evaluate(m, t.operand)
	case strings.HasPrefix(m.Name, trial.RatioPrefix), t.Estimate != nil && IsEstimate(m.Name):
		return t.operand(m.Name)
	}
	return orNaN(t.Value(m))
}

func orNaN(v float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return v
}

// boundValue is a bound, and the ratio of the measured value to it; NaN if there is none.
type boundValue struct{ value, ratio float64 }

// bound finds a bound by its name.
func (t *Trial) bound(name string) boundValue {
	for _, b := range t.Bounds {
		if b.Name == name {
			return boundValue{b.Value, b.Ratio}
		}
	}
	return boundValue{math.NaN(), math.NaN()}
}

// timeUnit names the unit of an instance's times.
func timeUnit(in *trial.Instance) string {
	if _, ok := in.Unit(); ok {
		return "delay"
	}
	return "s"
}
