package experiments

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Setting is everything that decides one trial, as text and numbers: what the
// command line, a sweep's cell and a row of results have in common. The zero
// value of a field is its default.
type Setting struct {
	Algorithm  string
	Variant    string
	N          int    // processes; 0 with IDs given means their number
	IDs        string // identities by address, comma-separated; "" for 1..n placed by Placement
	Placement  string // one of Placements; "" is increasing
	Attr       string // attributes by address, comma-separated, or random:K; "" for none
	Initiators string // all, random:K, or addresses; "" is all
	Dead       string // none, random:K, or addresses; "" is none
	Topology   string // one of netem.Topologies; "" is the algorithm's first
	Delay      string // see des.ParseDistribution; "" is 1ms
	Unordered  bool   // links may reorder messages
	Fault      string // see faults.Parse
	Assume     string // the bound on delay that the algorithm assumes; "" is the real one, or 5 means if there is none
	Processing string // time to react to a message, where an algorithm has such a thing; "" is 0
	Seed       uint64

	MaxEvents    uint64 // 0 is DefaultMaxEvents
	MaxTime      string // "" is LastInstant
	OutsideModel bool   // run even if the algorithm's assumptions do not hold
}

// DefaultMaxEvents ends a trial that would go on for ever.
const DefaultMaxEvents = 1_000_000_000

// DefaultDelay is the delay of a link unless a setting says otherwise.
const DefaultDelay = "1ms"

// MaxN is the largest number of processes of a trial.
const MaxN = 1_000_000

// DefaultMaxPending ends a trial before the messages under way fill the
// memory: at some 60 bytes each, about 3 GB.
const DefaultMaxPending = 50_000_000

// unboundedAssumed is the bound on delay that an algorithm assumes outside its
// model, where there is none, in means: an exponential delay exceeds it once
// in 150 messages.
const unboundedAssumed = 5

// LastInstant, 73 years, ends a trial that has no limit of its own. No single
// delay or timer leads from before it beyond the last instant that can be
// scheduled, where without it a million processes would get that pass a message
// on after twelve hours each.
const LastInstant = des.Time(640_000 * time.Hour)

// Instance is a setting that was understood: what a trial runs.
type Instance struct {
	Algorithm  *Algorithm
	Variant    Variant
	Setting    Setting // normalised: no default left out
	N          int
	Ranks      []election.Rank // by address
	Order      election.Order  // min if the variant says so
	Initiators []protocols.ID  // ascending
	Dead       []protocols.ID  // from the start, ascending
	Topology   netem.Topology
	Delay      des.Distribution
	FIFO       bool
	Plan       faults.Plan // without Dead
	Assumed    time.Duration
	Processing time.Duration
	MaxTime    des.Time
	Outside    []string // the assumptions of the algorithm that do not hold

	dead []bool // by address
}

// IsDead reports whether a process is dead from the start.
func (in *Instance) IsDead(p protocols.ID) bool { return in.dead[p] }

// Instance reads a setting. The error names what was given and what is
// allowed.
func (r *Registry) Instance(s Setting) (*Instance, error) {
	a, err := r.Find(s.Algorithm)
	if err != nil {
		return nil, err
	}
	in := &Instance{Algorithm: a}
	for _, read := range []func(*Setting) error{
		in.readVariant, in.readRanks, in.readAttributes, in.readTopology,
		in.readDead, in.readInitiators, in.readTimes, in.readFaults,
	} {
		if err := read(&s); err != nil {
			return nil, err
		}
	}
	in.Setting = s
	in.Outside = in.violatedAssumptions()
	if len(in.Outside) > 0 && !s.OutsideModel {
		return nil, &OutsideError{a, in.Outside}
	}
	return in, nil
}

// OutsideError says that a setting breaks the assumptions of an algorithm.
type OutsideError struct {
	Algorithm *Algorithm
	Broken    []string
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s does not promise anything here: %s; it assumes %s (to run it all the same, labelled so: --outside-model)",
		e.Algorithm.Name, strings.Join(e.Broken, "; "), strings.Join(e.Algorithm.Assumes.Words(), ", "))
}

func (in *Instance) readVariant(s *Setting) (err error) {
	in.Variant, err = in.Algorithm.Variant(s.Variant)
	if in.Variant.Has("min") {
		in.Order = election.Min
	}
	s.Variant = in.Variant.text(in.Algorithm.Variants)
	return err
}

func (in *Instance) readTopology(s *Setting) (err error) {
	accepted := in.Algorithm.Assumes.Topologies
	if s.Topology == "" {
		s.Topology = accepted[0]
	}
	in.Topology, err = netem.ParseTopology(s.Topology, in.N)
	if err == nil && !slices.Contains(accepted, s.Topology) {
		err = fmt.Errorf("topology %q: %s runs on %s", s.Topology, in.Algorithm.Name, strings.Join(accepted, ", "))
	}
	return err
}

func (in *Instance) readDead(s *Setting) (err error) {
	in.dead = make([]bool, in.N)
	if s.Dead == "" {
		s.Dead = "none"
	}
	if s.Dead == "none" {
		return nil
	}
	in.Dead, err = in.addresses("dead", s.Dead, s.Seed)
	for _, p := range in.Dead {
		in.dead[p] = true
	}
	if err == nil && len(in.Dead) == in.N {
		err = fmt.Errorf("dead %q: all %d processes are dead; at least one must live", s.Dead, in.N)
	}
	return err
}

func (in *Instance) readInitiators(s *Setting) (err error) {
	if s.Initiators == "" {
		s.Initiators = "all"
	}
	if s.Initiators == "all" {
		in.Initiators = make([]protocols.ID, 0, in.N-len(in.Dead))
		for p := range protocols.ID(in.N) {
			if !in.dead[p] {
				in.Initiators = append(in.Initiators, p)
			}
		}
		return nil
	}
	in.Initiators, err = in.addresses("initiators", s.Initiators, s.Seed)
	for _, p := range in.Initiators {
		if in.dead[p] && err == nil {
			err = fmt.Errorf("initiators %q: process %d is dead from the start and cannot initiate", s.Initiators, p)
		}
	}
	return err
}

func (in *Instance) readTimes(s *Setting) (err error) {
	if s.Delay == "" {
		s.Delay = DefaultDelay
	}
	if in.Delay, err = des.ParseDistribution(s.Delay); err != nil {
		return err
	}
	s.Delay = in.Delay.String()
	in.FIFO = !s.Unordered
	var bounded bool
	if _, in.Assumed, bounded = in.Delay.Bounds(); !bounded {
		in.Assumed = unboundedAssumed * in.Delay.Mean()
	}
	for _, d := range []struct {
		name, text string
		value      *time.Duration
	}{{"assumed bound on delay", s.Assume, &in.Assumed}, {"processing time", s.Processing, &in.Processing}} {
		if d.text == "" {
			continue
		}
		if *d.value, err = time.ParseDuration(d.text); err != nil || *d.value < 0 || *d.value > des.MaxDuration {
			return fmt.Errorf("%s %q is not a duration from 0s to %v", d.name, d.text, des.MaxDuration)
		}
	}
	// Timeouts are multiples of the bound, and a wait of no time at all is no
	// timeout: where messages take none, a nanosecond bounds them as well.
	in.Assumed = max(in.Assumed, 1)
	if s.MaxEvents == 0 {
		s.MaxEvents = DefaultMaxEvents
	}
	in.MaxTime = LastInstant
	if s.MaxTime != "" {
		d, err := time.ParseDuration(s.MaxTime)
		if err != nil || d <= 0 || d > time.Duration(LastInstant) {
			return fmt.Errorf("time limit %q is not a positive duration up to %v", s.MaxTime, LastInstant)
		}
		in.MaxTime = des.Time(d)
	}
	return nil
}

func (in *Instance) readFaults(s *Setting) (err error) {
	if in.Plan, err = faults.Parse(s.Fault); err != nil {
		return err
	}
	s.Fault = in.Plan.String()
	return in.Plan.Check(in.N)
}

// violatedAssumptions says in which respects the instance lies outside the
// algorithm's model.
func (in *Instance) violatedAssumptions() []string {
	a := in.Algorithm.Assumes
	crash, restart := len(in.Dead) > 0, false
	for _, f := range in.Plan {
		crash = crash || f.Kind == faults.Crash
		restart = restart || f.Kind == faults.Restart
	}
	_, hi, bounded := in.Delay.Bounds()
	var broken []string
	for _, c := range []struct {
		broken bool
		what   string
	}{
		{a.AllInitiate && len(in.Initiators) < in.N-len(in.Dead), "not every process initiates"},
		{a.FIFO && !in.FIFO, "links are not FIFO"},
		{a.NoCrash && crash, "a process crashes"},
		{a.NoRestart && restart, "a process restarts"},
	} {
		if c.broken {
			broken = append(broken, c.what)
		}
	}
	switch {
	case a.BoundedDelay && !bounded:
		broken = append(broken, fmt.Sprintf("delay %v has no bound", in.Delay))
	case a.BoundedDelay && hi > in.Assumed:
		broken = append(broken, fmt.Sprintf("delay %v exceeds the assumed bound %v", in.Delay, in.Assumed))
	}
	return broken
}
