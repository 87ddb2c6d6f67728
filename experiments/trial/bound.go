package trial

import (
	"fmt"
	"slices"
	"strings"

	"bullring/faults"
	"bullring/netem"
)

// Bound is a value that theory gives for a metric.
type Bound struct {
	Name       string   `json:"name"`   // unique within the algorithm: exact, best, worst, mean...
	Metric     string   `json:"metric"` // its name
	Relation   Relation `json:"relation"`
	Formula    string   `json:"formula"`
	Convention string   `json:"convention"` // what counts, who starts
	// Again: the bound also holds in runs in which a process starts later than the others.
	Again bool `json:"-"`
	// Value is the bound for an instance; ok is false where it does not apply.
	Value func(*Instance) (v float64, ok bool) `json:"-"`
	// Of, in place of Value, is a bound that another measure of the same run gives, such as the number
	// of messages of a kind: see [Measured]. Without a Curve no figure draws it.
	Of Measure `json:"-"`
	// Curve, if not nil, is drawn in figures in place of Value. It has the same values
	// where Value applies, and may have values for other instances.
	Curve func(*Instance) (v float64, ok bool) `json:"-"`
	// Note, if not nil, says what stands in the formula for an instance if that is not what
	// its reader expects, such as the upper end of an interval; it is empty if it is.
	Note func(*Instance) string `json:"-"`
}

// At is the bound for an instance whose run is not known; ok is false where it does not apply, and
// where the run decides.
func (b *Bound) At(in *Instance) (v float64, ok bool) {
	if b.Value == nil {
		return 0, false
	}
	return b.Value(in)
}

// of is the bound for a run; ok is false where it does not apply.
func (b *Bound) of(r *Result) (v float64, ok bool) {
	if b.Of != nil {
		return b.Of(r)
	}
	return b.Value(r.Instance)
}

// Relation is the relation of a measured value to a bound.
type Relation uint8

// The relations. If one of the first three does not hold in a run, theory or code is
// wrong. A Mean says nothing about a single run.
const (
	Exactly Relation = iota
	AtMost
	AtLeast
	Mean
)

// Relations are the signs of the relations.
var Relations = []string{"=", "<=", ">=", "mean"}

// String returns the sign of the relation, or "mean".
func (r Relation) String() string { return Relations[r] }

// MarshalText implements encoding.TextMarshaler.
func (r Relation) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// BoundResult compares a bound with what a run measured.
type BoundResult struct {
	*Bound
	Value    float64
	Measured float64
	Ratio    float64 // Measured / Value; 1 if both are 0
	Broken   bool    // the relation does not hold, and is no Mean
	Note     string  // that of the bound
}

// Reads is the formula with the note.
func (b *BoundResult) Reads() string {
	if b.Note == "" {
		return b.Formula
	}
	return b.Formula + "; " + b.Note
}

// BrokenBoundError says that a run broke a proven bound.
type BrokenBoundError struct {
	Algorithm string
	Bound     BoundResult
}

func (e *BrokenBoundError) Error() string {
	return fmt.Sprintf("%s breaks a proven bound: %s are %v, but %s says %s %v (%s; %s)", e.Algorithm, e.Bound.Metric,
		e.Bound.Measured, e.Bound.Name, e.Bound.Relation, e.Bound.Value, e.Bound.Reads(), e.Bound.Convention)
}

// compare compares the run with the bounds of its algorithm. Bounds hold inside the
// model, in runs that came to rest or that their judge ended.
func (r *Result) compare() {
	in := r.Instance
	if len(in.Outside) > 0 || r.End != netem.Quiescent && r.End != netem.Stopped {
		return
	}
	r.Bounds = make([]BoundResult, 0, len(in.Algorithm.Bounds))
	late := slices.ContainsFunc(in.Drawn, func(f faults.Fault) bool { return f.Kind == faults.Start })
	for i := range in.Algorithm.Bounds {
		b := &in.Algorithm.Bounds[i]
		if late && !b.Again {
			continue
		}
		value, applies := b.of(r)
		if !applies || !bounds(in, b.Metric) {
			continue
		}
		measured, ok := r.Metric(b.Metric)
		if !ok {
			continue
		}
		result := BoundResult{Bound: b, Value: value, Measured: measured, Ratio: 1}
		if value != measured {
			result.Ratio = measured / value
		}
		if b.Note != nil {
			result.Note = b.Note(in)
		}
		switch b.Relation {
		case Exactly:
			result.Broken = measured != value
		case AtMost:
			result.Broken = measured > value
		case AtLeast:
			result.Broken = measured < value
		}
		r.Bounds = append(r.Bounds, result)
	}
}

// bounds reports whether bounds on a metric hold in the instance. Theory has links that
// only delay messages. A transformer below the algorithm adds to all counters but those of the
// messages of the algorithm. A reliable link or an impairment changes times.
func bounds(in *Instance, metric string) bool {
	switch {
	case metric == "messages", strings.HasPrefix(metric, SentPrefix):
		return true
	case in.Algorithm.IsTime(metric):
		return in.Transport == nil && len(in.Lines) == 0
	}
	return in.Transport == nil && in.Detector == nil
}
