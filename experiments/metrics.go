package experiments

import (
	"fmt"
	"slices"
	"strings"

	"bullring/internal/suggest"
)

// Metric is something that a trial measures.
type Metric struct {
	Name    string // as a column is called
	Unit    string // "" for none; Units for a time in units of Instance.Unit
	Meaning string
	Axis    string // words for the axis of a figure, in which the unit of a time is added
	// Proportion: it is 1 or 0 in each trial, so that its mean is the share of trials
	// in which something was so.
	Proportion bool
	// Of and Per, if given: it is another metric divided by something that is known
	// of an instance that comes out right, and so are its bounds.
	Of      string
	Per     func(*Instance) float64
	Formula Formula // of a sweep's own; nil of what trials measure
	// Summary: tables of cells describe it.
	Summary bool
	// Zero: of a run that does not measure it, because its family does not or a handler
	// panicked, it is 0; other metrics are none.
	Zero bool
	// Aside is how the report of a run tells it, beside the time. Reports have no line for
	// it, nor for one that is Unlisted.
	Aside    string
	Unlisted bool
	// Named: tables have it only where the sweep names it. It is for a metric that an
	// algorithm was given later, so that the tables of earlier sweeps stay the same.
	Named bool
}

// Formula computes a metric from others.
type Formula interface {
	// Names are those of the metrics that it takes.
	Names() []string
	Value(of func(name string) float64) float64
	String() string
}

// Units is the unit of a time column, which the column time_unit tells row by row.
const Units = "time_unit"

// IsTime reports whether the metric is counted in the unit of times.
func (m *Metric) IsTime() bool { return m.Unit == Units }

// InTime reports whether the metric is a time, be it counted in the unit of times or in
// seconds always.
func (m *Metric) InTime() bool { return m.IsTime() || m.Unit == "s" }

// The metrics of every family, by where they stand among those of a family.
var (
	messageMetrics = []Metric{
		{Name: "messages", Unit: "messages", Meaning: "messages sent", Axis: "messages", Summary: true},
		{Name: "overhead", Unit: "messages", Meaning: "messages of the reliable link and of the failure detector", Axis: "messages of overhead", Summary: true},
		{Name: "delivered", Unit: "messages", Meaning: "messages handled by a live process", Axis: "messages delivered"},
		{Name: "to_dead", Unit: "messages", Meaning: "messages that reached a dead process", Axis: "messages to dead processes"},
		{Name: "bits", Unit: "bits", Meaning: "size of the messages sent", Axis: "bits sent"},
		{Name: "max_sent", Unit: "messages", Meaning: "messages sent by the process that sent most", Axis: "messages of the busiest process"},
		{Name: "causal_depth", Unit: "messages", Meaning: "longest chain of handled messages, each sent after the one before was handled", Axis: "longest causal chain"},
		{Name: "rounds", Unit: "rounds", Meaning: "lock-step rounds until the run came to rest; none unless the delay is constant", Axis: "rounds"},
		{Name: "time", Unit: Units, Meaning: "when the last message arrived or the last decision changed", Axis: "time to rest", Summary: true},
	}
	faultMetrics = []Metric{
		{Name: "lost", Unit: "messages", Meaning: "messages that links lost", Axis: "messages lost"},
		{Name: "cut", Unit: "messages", Meaning: "messages that faults had lost", Axis: "messages lost by faults"},
		{Name: "corrupted", Unit: "messages", Meaning: "messages that arrived damaged, dropped or not", Axis: "messages damaged"},
		{Name: "duplicated", Unit: "messages", Meaning: "copies of messages that nobody sent", Axis: "messages duplicated"},
		{Name: "reordered", Unit: "messages", Meaning: "messages that overtook another on their link", Axis: "messages that overtook another"},
		{Name: "detection_time", Unit: "s", Meaning: "mean time from a crash to its being suspected, over the processes that did", Axis: "time to detect a crash"},
		{Name: "mistake_rate", Unit: "1/s", Meaning: "wrong suspicions a pair of an observer and an observed process, and second", Axis: "wrong suspicions per pair and second"},
		{Name: "mistake_time", Unit: "s", Meaning: "mean duration of a wrong suspicion", Axis: "duration of a wrong suspicion"},
	}
)

// RatioPrefix begins the names of columns of what was measured, divided by a bound.
const RatioPrefix = "ratio_"

// familyMetrics are what runs of a family measure, with what is its own.
func familyMetrics(own []Metric) []Metric {
	correct := []Metric{
		{Name: "correct", Meaning: "1 if the run came out as it should; 0 if not, or if it ended at a limit", Axis: "probability of a correct run", Proportion: true, Summary: true},
	}
	if HasMetric(own, "correct") {
		correct = nil
	}
	return slices.Concat(messageMetrics, own, correct, faultMetrics)
}

// OwnMetrics are the metrics that not every algorithm of every family has, and that
// reports of runs list.
func (a *Algorithm) OwnMetrics() []Metric {
	usual := familyMetrics(nil)
	return Except(a.Metrics, func(m Metric) bool { return m.Unlisted || m.Aside != "" || HasMetric(usual, m.Name) })
}

// Metric returns the metric of that name.
func (a *Algorithm) Metric(name string) (*Metric, bool) { return metricIn(a.Metrics, name) }

func metricIn(metrics []Metric, name string) (*Metric, bool) {
	for i := range metrics {
		if metrics[i].Name == name {
			return &metrics[i], true
		}
	}
	return nil, false
}

// IsTime reports whether a metric is counted in the unit of times.
func (a *Algorithm) IsTime(metric string) bool {
	m, ok := a.Metric(metric)
	if !ok {
		m, ok = metricIn(a.family.Optional, metric)
	}
	return ok && m.IsTime()
}

// Metric returns the metric of that name, which some algorithm of the registry
// measures, or what is measured divided by a bound that one declares.
func (r *Registry) Metric(name string) (*Metric, error) {
	bound, ratio := strings.CutPrefix(name, RatioPrefix)
	for _, a := range r.Algorithms {
		if m, ok := a.Metric(name); ok {
			return m, nil
		}
		if b, err := a.Bound(bound); ratio && err == nil {
			return &Metric{Name: name, Meaning: "measured, divided by " + b.Name, Axis: "measured / " + b.Name}, nil
		}
	}
	return nil, fmt.Errorf("unknown metric %q%s; %sNAME is the measured value divided by the bound NAME", name, suggest.Among(name, r.Metrics()), RatioPrefix)
}

// Metrics are the names of all that the algorithms of the registry measure.
func (r *Registry) Metrics() []string {
	var names []string
	for _, a := range r.Algorithms {
		for i := range a.Metrics {
			if name := a.Metrics[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Bound returns the bound of that name.
func (a *Algorithm) Bound(name string) (*Bound, error) {
	var names []string
	for _, d := range a.Declarations() {
		for i := range d.Bounds {
			if d.Bounds[i].Name == name {
				return &d.Bounds[i], nil
			}
			if !slices.Contains(names, d.Bounds[i].Name) {
				names = append(names, d.Bounds[i].Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s declares no bounds", a.Name)
	}
	return nil, fmt.Errorf("%s has no bound %q%s; it has %s", a.Name, name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
}

// HasMetric reports whether one of the metrics has that name.
func HasMetric(metrics []Metric, name string) bool {
	return slices.ContainsFunc(metrics, func(m Metric) bool { return m.Name == name })
}

// Except is a list without what is unwanted.
func Except[T any](list []T, unwanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), unwanted)
}
