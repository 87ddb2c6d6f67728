package view

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/internal/jsonschema"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/election"
)

// jsonFormat is the format of the JSON of runs and of explorations. In format 1, which had no
// number, runs of every family had the fields of elections.
const jsonFormat format = 2

type format int

// runReport is a Run as JSON.
type runReport struct {
	Format    format `json:"format"`
	Algorithm string `json:"algorithm"`
	Family    string `json:"family"`
	Variant   string `json:"variant"`
	N         int    `json:"n"`
	Seed      uint64 `json:"seed"`

	Outcome trial.Outcome   `json:"outcome"`
	End     word[netem.End] `json:"end"`
	Correct bool            `json:"correct"`

	Messages    uint64        `json:"messages"`
	OfLiars     *uint64       `json:"messages_of_liars,omitempty"` // Byzantine processes, counted apart
	Overhead    uint64        `json:"overhead"`
	ByKind      named[uint64] `json:"by_kind"`
	Delivered   uint64        `json:"delivered"`
	Service     uint64        `json:"overhead_delivered"`
	ToDead      uint64        `json:"to_dead"`
	Lost        uint64        `json:"lost"`
	Cut         uint64        `json:"cut"`
	Corrupted   uint64        `json:"corrupted"`
	Altered     uint64        `json:"altered"`
	Duplicated  uint64        `json:"duplicated"`
	Fanned      uint64        `json:"fanned,omitempty"`
	Unheard     uint64        `json:"unheard,omitempty"`
	Collided    uint64        `json:"collided,omitempty"`
	Reordered   uint64        `json:"reordered"`
	Bits        uint64        `json:"bits"`
	BitsHeard   *uint64       `json:"bits_heard,omitempty"` // of a run on a medium
	Energy      *float64      `json:"energy,omitempty"`     // of a run on a medium, in J
	MaxSent     uint64        `json:"max_sent"`
	CausalDepth uint32        `json:"causal_depth"`
	Events      uint64        `json:"events"`

	Rounds   *int64  `json:"rounds"`
	Time     float64 `json:"time"`
	TimeUnit unit    `json:"time_unit"`

	Detection *detectionReport `json:"detection"`

	Checks list[protocols.Check] `json:"checks"`
	Bounds list[boundReport]     `json:"bounds"`

	Fingerprint hash `json:"fingerprint"`
	Epoch       int  `json:"epoch"`

	Loop *loopReport `json:"loop,omitempty"` // where the run repeats, if end is repeating

	Like *likeReport `json:"like,omitempty"` // of a program that is compared

	Own   named[any] `json:"-"` // the fields of the family, after all of the above
	Asked asked      `json:"-"` // what the run was asked for, last
}

// MarshalJSON implements json.Marshaler.
func (r runReport) MarshalJSON() ([]byte, error) {
	type fields runReport // which has no method
	counted, err := marshal(fields(r))
	if err != nil {
		return nil, err
	}
	rest, err := marshal(slices.Concat(r.Own, named[any](r.Asked)))
	return slices.Concat(counted[:len(counted)-1], []byte{','}, rest[1:]), err
}

// Shape implements jsonschema.Shaper: only elections have the fields of elections, and other fields
// are lists of moments.
func (runReport) Shape(r *jsonschema.Reflector) *jsonschema.Schema {
	type fields runReport
	s := r.Object(reflect.TypeFor[fields]())
	s.Additional = r.List(reflect.TypeFor[momentReport]())
	s.Add("measured", r.Of(reflect.TypeFor[named[number]]()), true)
	other := &jsonschema.Schema{}
	elections := r.Object(reflect.TypeFor[electionReport]())
	for _, p := range elections.Properties {
		s.Add(p.Name, p.Schema, false)
		other.Add(p.Name, jsonschema.Never(), false)
	}
	s.If = &jsonschema.Schema{Properties: jsonschema.Properties{{Name: "family", Schema: &jsonschema.Schema{Const: electionFamily}}}}
	s.Then, s.Else = &jsonschema.Schema{Required: elections.Required}, other
	what := asked{}.Shape(r)
	s.Properties, s.Required = append(s.Properties, what.Properties...), append(s.Required, what.Required...)
	return s
}

// electionReport has the fields that only runs of elections have.
type electionReport struct {
	Leader      *election.Identity `json:"leader"`
	Address     *protocols.ID      `json:"leader_address"`
	Leaders     int                `json:"leaders"`
	ElectedTime *float64           `json:"elected_time"`
	DecidedTime *float64           `json:"decided_time"`
}

// ownOf is what the family of a run says of it, by the names of the family.
func ownOf(r *trial.Result) (all named[any]) {
	if isElection(r) {
		e := electionReport{Leaders: leadersOf(r), ElectedTime: metricOf(r, "elected_time"), DecidedTime: metricOf(r, "decided_time")}
		if id, ok := r.Leader(); ok {
			e.Leader, e.Address = &id, new(r.Instance.Ranks.Address(id))
		}
		all = fieldsOf(e)
	}
	all.add("measured", measuredOf(r, r.Instance.Algorithm.DeclaredMetrics()))
	if title, moments := momentsOf(r); moments != nil {
		all.add(strings.ReplaceAll(title, " ", "_"), moments)
	}
	return all
}

// fieldsOf are the fields of a struct by their names in JSON.
func fieldsOf(s any) (all named[any]) {
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		all.add(v.Type().Field(i).Tag.Get("json"), v.Field(i).Interface())
	}
	return all
}

// isElection reports whether a run is of an election.
func isElection(r *trial.Result) bool { return r.Instance.Algorithm.Family == electionFamily }

const electionFamily = "election"

// momentReport is a moment that a family lists, such as an entry into the critical section.
type momentReport struct {
	Address protocols.ID `json:"address"`
	Time    float64      `json:"time"`
}

// measuredOf are those of the metrics that a run has.
func measuredOf(r *trial.Result, metrics []trial.Metric) (all named[number]) {
	for _, m := range metrics {
		if v, ok := r.Metric(m.Name); ok {
			all.add(m.Name, number(v))
		}
	}
	return all
}

// momentsOf are the moments that a run lists.
func momentsOf(r *trial.Result) (title string, moments []momentReport) {
	title, listed := r.Moments()
	for _, m := range listed {
		moments = append(moments, momentReport{m.Process, r.Instance.Units(des.Time(m.At))})
	}
	return title, moments
}

// sentByKind are the numbers of messages by kind.
func sentByKind(r *trial.Result) (all named[uint64]) {
	for kind, name := range r.Kinds {
		all.add(name, r.Counters.Sent[kind])
	}
	return all
}

// leadersOf is the largest number of processes that were leader at the same time.
func leadersOf(r *trial.Result) int {
	leaders, _ := r.Metric("leaders")
	return int(leaders)
}

// metricOf is a metric of a run, nil if it has none of that name.
func metricOf(r *trial.Result, name string) *float64 {
	if v, ok := r.Metric(name); ok {
		return &v
	}
	return nil
}

// detectionReport is the quality of the failure detector; times are in seconds.
type detectionReport struct {
	Detected      int      `json:"detected"`
	Undetected    int      `json:"undetected"`
	Time          *float64 `json:"time"`
	TimeMax       *float64 `json:"time_max"`
	Mistakes      int      `json:"mistakes"`
	MistakeRate   number   `json:"mistake_rate"`
	MistakeTime   *float64 `json:"mistake_time"`
	QueryAccuracy number   `json:"query_accuracy"`
}

func newDetectionReport(q *detector.Quality) *detectionReport {
	if q == nil {
		return nil
	}
	d := &detectionReport{
		Detected: q.Detected, Undetected: q.Undetected, Mistakes: q.Mistakes,
		MistakeRate: number(q.MistakeRate), QueryAccuracy: number(q.Accuracy),
	}
	if q.Detected > 0 {
		mean, most := q.DetectionMean.Seconds(), q.DetectionMax.Seconds()
		d.Time, d.TimeMax = &mean, &most
	}
	if q.Mistakes > 0 {
		mean := q.MistakeMean.Seconds()
		d.MistakeTime = &mean
	}
	return d
}

type boundReport struct {
	Name       string         `json:"name"`
	Metric     string         `json:"metric"`
	Formula    string         `json:"formula"`
	Convention string         `json:"convention"`
	Relation   trial.Relation `json:"relation"`
	Value      number         `json:"value"`
	Measured   number         `json:"measured"`
	Ratio      number         `json:"ratio"` // null if the bound is 0 and the value is not
	Broken     bool           `json:"broken"`
}

// loopReport is a netem.Loop.
type loopReport struct {
	After  uint64  `json:"after"`  // events before it
	Events uint64  `json:"events"` // in a round
	Period float64 `json:"period"` // of a round, in s
}

func newLoopReport(l netem.Loop) *loopReport {
	if l.Events == 0 {
		return nil
	}
	return &loopReport{l.After, l.Events, l.Period.Seconds()}
}

func newReport(r *trial.Result) runReport {
	in, c := r.Instance, &r.Counters
	s := &in.Setting
	p := runReport{
		Format: jsonFormat, Algorithm: s.Algorithm, Family: in.Algorithm.Family, Variant: s.Variant, N: in.N, Seed: s.Seed,
		Outcome: r.Outcome, End: wordOf(r.End),
		Correct:  r.Correct,
		Messages: c.Messages() - r.Overhead, Overhead: r.Overhead, ByKind: sentByKind(r), Delivered: c.Delivered - c.Service, Service: c.Service, ToDead: c.ToDead,
		Lost: c.Lost, Cut: c.Cut, Corrupted: c.Corrupted, Altered: c.Altered, Duplicated: c.Duplicated, Fanned: c.Fanned, Unheard: c.Unheard, Collided: c.Collided, Reordered: c.Reordered,
		Detection: newDetectionReport(r.Detection),
		Bits:      c.Bits, MaxSent: c.MaxSent, CausalDepth: c.CausalDepth, Events: c.Events,
		Time: in.Units(r.Time), TimeUnit: timeUnit(in),
		Checks:      r.Checks,
		Fingerprint: fingerprint(r), Epoch: netem.Epoch, Loop: newLoopReport(r.Loop),
		Own: ownOf(r), Asked: askedOf(in),
	}
	if rounds, ok := r.Rounds(); ok {
		p.Rounds = &rounds
	}
	if joules, aired := r.Energy(); aired {
		p.BitsHeard, p.Energy = &c.BitsHeard, &joules
	}
	if r.Lied.Sent != nil {
		lied := r.Lied.Messages()
		p.OfLiars = &lied
	}
	for _, b := range r.Bounds {
		p.Bounds = append(p.Bounds, boundReport{
			b.Name, b.Metric, b.Reads(), b.Convention, b.Relation,
			number(b.Value), number(b.Measured), number(b.Ratio), b.Broken,
		})
	}
	return p
}

// unit is the unit of times.
type unit string

// units are all units.
var units = []string{"message delay", "steps", "s"}

func timeUnit(in *trial.Instance) unit {
	if _, ok := in.Unit(); ok {
		return "message delay"
	}
	if in.Timeless() {
		return "steps"
	}
	return "s"
}

// hash is a fingerprint in sixteen hexadecimal digits.
type hash string

func fingerprint(r *trial.Result) hash { return hash(fmt.Sprintf("%016x", r.Fingerprint)) }
