package trial

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols/detector"
)

// Metric is a value that a trial measures.
type Metric struct {
	Name    string // of its column
	Unit    string // "" for none; Units for a time in units of Instance.Unit
	Meaning string
	Axis    string // label of an axis; figures add the unit of a time
	// Measure returns the value of a run; ok is false if it has none.
	Measure Measure
	// Proportion: the value is 1 or 0, so that its mean is a share of trials.
	Proportion bool
	// Of and Per, if set, define it as the metric Of divided by Per, a number that is
	// known for an instance whose run comes out right. Bounds of Of then give bounds of it.
	Of      string
	Per     func(*Instance) float64
	Formula Formula // of a metric that a sweep defines; else nil
	Summary bool    // summary.csv describes it
	// Zero: where a run does not measure it, because it is of another family or a handler
	// panicked, the value is 0. Other metrics have none then.
	Zero bool
	// Aside is its word in the line of a report that tells times. A metric with Aside, and
	// one that is Unlisted, has no line of its own.
	Aside    string
	Unlisted bool
	// Named: tables have a column for it only if the sweep names it. A metric that an
	// algorithm gets later is Named, so that tables of earlier sweeps stay the same.
	Named bool

	place uint16 // in the Metrics of its algorithm
}

// Measure measures a run.
type Measure func(*Result) (v float64, ok bool)

// counted is the measure of a number that every run has.
func counted(count func(*Result) uint64) Measure {
	return func(r *Result) (float64, bool) { return float64(count(r)), true }
}

// SentPrefix begins the name of the metric of the messages of a kind: sent_WORK. A bound can limit it,
// or be made of it. Its column stands beside that of all messages.
const SentPrefix = "sent_"

// sent is the number of messages of a kind that were sent. ok is false if the run has no such kind.
func (r *Result) sent(kind string) (messages float64, ok bool) {
	i := slices.Index(r.Kinds, kind)
	if i < 0 || r.Outcome == Inconclusive {
		return 0, false
	}
	return float64(r.Counters.Sent[i]), true
}

// Measured is the measure of a metric by its name, for a bound that relates two.
func Measured(metric string) Measure {
	return func(r *Result) (float64, bool) { return r.Metric(metric) }
}

// detected is the measure of the failure detector of a run.
func detected(quality func(*detector.Quality) (float64, bool)) Measure {
	return func(r *Result) (float64, bool) {
		if r.Detection == nil {
			return 0, false
		}
		return quality(r.Detection)
	}
}

// JudgedBy is the measure of a [Judge] of the type, which may be within others.
func JudgedBy[J Judge](measure func(J) (v float64, ok bool)) Measure {
	return func(r *Result) (float64, bool) {
		j, ok := judgeOf[J](r.Judge)
		if !ok {
			return 0, false
		}
		return measure(j)
	}
}

// TimedBy is JudgedBy for a time, which the metric counts in [Units].
func TimedBy[J Judge](measure func(J) (t time.Duration, ok bool)) Measure {
	return func(r *Result) (float64, bool) {
		j, ok := judgeOf[J](r.Judge)
		if !ok {
			return 0, false
		}
		t, ok := measure(j)
		return r.Instance.Units(des.Time(t)), ok
	}
}

// judgeOf finds the judge of a type. There is none if a handler panicked.
func judgeOf[J Judge](judge Judge) (j J, ok bool) {
	for {
		if j, ok = judge.(J); ok {
			return j, true
		}
		outer, wraps := judge.(Wrapper)
		if !wraps {
			return j, false
		}
		judge = outer.Within()
	}
}

// Formula computes a metric from other metrics.
type Formula interface {
	// Names returns the names of those.
	Names() []string
	Value(of func(name string) float64) float64
	String() string
}

// Units is the unit of a column of times. The column time_unit has its length in each row.
const Units = "time_unit"

// IsTime reports whether the metric is counted in the unit of times.
func (m *Metric) IsTime() bool { return m.Unit == Units }

// InTime reports whether the metric is a time, in the unit of times or in seconds.
func (m *Metric) InTime() bool { return m.IsTime() || m.Unit == "s" }

// The metrics of every family. Those of a family stand between the two lists.
var (
	messageMetrics = []Metric{
		{Name: "messages", Unit: "messages", Meaning: "messages sent", Axis: "messages", Summary: true,
			Measure: counted(func(r *Result) uint64 { return r.Counters.Messages() - r.Overhead })},
		{Name: "overhead", Unit: "messages", Meaning: "messages of the reliable link and of the failure detector", Axis: "messages of overhead", Summary: true,
			Measure: counted(func(r *Result) uint64 { return r.Overhead })},
		{Name: "delivered", Unit: "messages", Meaning: "messages handled by a live process", Axis: "messages delivered",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Delivered - r.Counters.Service })},
		{Name: "to_dead", Unit: "messages", Meaning: "messages that reached a dead process", Axis: "messages to dead processes",
			Measure: counted(func(r *Result) uint64 { return r.Counters.ToDead })},
		{Name: "bits", Unit: "bits", Meaning: "size of the messages sent", Axis: "bits sent",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Bits })},
		{Name: "max_sent", Unit: "messages", Meaning: "messages sent by the process that sent most", Axis: "messages of the busiest process",
			Measure: counted(func(r *Result) uint64 { return r.Counters.MaxSent })},
		{Name: "causal_depth", Unit: "messages", Meaning: "longest chain of handled messages, each sent after the one before was handled", Axis: "longest causal chain",
			Measure: counted(func(r *Result) uint64 { return uint64(r.Counters.CausalDepth) })},
		{Name: "rounds", Unit: "rounds", Meaning: "lock-step rounds until the run came to rest; none unless the delay is constant", Axis: "rounds",
			Measure: func(r *Result) (float64, bool) {
				rounds, ok := r.Rounds()
				return float64(rounds), ok
			}},
		{Name: "time", Unit: Units, Meaning: "when the last message arrived or the last decision changed", Axis: "time to rest", Summary: true,
			Measure: func(r *Result) (float64, bool) { return r.Instance.Units(r.Time), true }},
	}
	faultMetrics = []Metric{
		{Name: "lost", Unit: "messages", Meaning: "messages that links lost", Axis: "messages lost",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Lost })},
		{Name: "cut", Unit: "messages", Meaning: "messages that faults had lost", Axis: "messages lost by faults",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Cut })},
		{Name: "corrupted", Unit: "messages", Meaning: "messages that arrived damaged, dropped or not", Axis: "messages damaged",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Corrupted + r.Counters.Altered })},
		{Name: "duplicated", Unit: "messages", Meaning: "copies of messages that nobody sent", Axis: "messages duplicated",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Duplicated })},
		{Name: "reordered", Unit: "messages", Meaning: "messages that overtook another on their link", Axis: "messages that overtook another",
			Measure: counted(func(r *Result) uint64 { return r.Counters.Reordered })},
		{Name: "fanned", Unit: "messages", Meaning: "receivers of broadcasts beyond the first of each", Axis: "further receivers of broadcasts", Named: true,
			Measure: func(r *Result) (float64, bool) { return float64(r.Counters.Fanned), true }},
		{Name: "unheard", Unit: "messages", Meaning: "broadcasts of processes without a neighbour", Axis: "broadcasts without a receiver", Named: true,
			Measure: func(r *Result) (float64, bool) { return float64(r.Counters.Unheard), true }},
		{Name: "collided", Unit: "messages", Meaning: "messages that met another transmission of the medium at their receiver", Axis: "messages that collide", Named: true,
			Measure: func(r *Result) (float64, bool) { return float64(r.Counters.Collided), true }},
		{Name: "bits_heard", Unit: "bits", Meaning: "bits that reached a process over the medium, understood or not", Axis: "bits heard", Named: true,
			Measure: func(r *Result) (float64, bool) { return float64(r.Counters.BitsHeard), r.Instance.Medium != nil }},
		{Name: "energy", Unit: "J", Meaning: "energy of the bits sent and heard over the medium", Axis: "energy", Named: true,
			Measure: func(r *Result) (float64, bool) { return r.Energy() }},
		{Name: "detection_time", Unit: "s", Meaning: "mean time from a crash to its being suspected, over the processes that did", Axis: "time to detect a crash",
			Measure: detected(func(q *detector.Quality) (float64, bool) { return q.DetectionMean.Seconds(), q.Detected > 0 })},
		{Name: "mistake_rate", Unit: "1/s", Meaning: "wrong suspicions a pair of an observer and an observed process, and second", Axis: "wrong suspicions per pair and second",
			Measure: detected(func(q *detector.Quality) (float64, bool) { return q.MistakeRate, true })},
		{Name: "mistake_time", Unit: "s", Meaning: "mean duration of a wrong suspicion", Axis: "duration of a wrong suspicion",
			Measure: detected(func(q *detector.Quality) (float64, bool) { return q.MistakeMean.Seconds(), q.Mistakes > 0 })},
	}
)

// RatioPrefix begins the name of a column of measured values divided by a bound.
const RatioPrefix = "ratio_"

// Correct measures whether a run came out as it should. It is 0 for an unfinished run.
func Correct(r *Result) (float64, bool) {
	if r.Correct {
		return 1, true
	}
	return 0, true
}

// familyMetrics returns the metrics of an algorithm: those of every family, those of its own,
// and those that the algorithm adds.
func familyMetrics(own, added []Metric) []Metric {
	correct := []Metric{
		{Name: "correct", Meaning: "1 if the run came out as it should; 0 if not, or if it ended at a limit", Axis: "probability of a correct run", Proportion: true, Summary: true, Measure: Correct},
	}
	if _, replaced := metricIn(own, "correct"); replaced {
		correct = nil
	}
	metrics := slices.Concat(messageMetrics, own, correct, faultMetrics, added)
	for i := range metrics {
		metrics[i].place = uint16(i)
	}
	return metrics
}
