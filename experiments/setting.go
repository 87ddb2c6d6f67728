package experiments

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments/setting"
	"bullring/faults"
	"bullring/netem"
	"bullring/netem/graph"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/conduct"
	"bullring/protocols/detector"
	"bullring/protocols/election"
	"bullring/protocols/reliable"
)

// Setting is everything that decides one trial, as text and numbers. Its conditions are
// listed in [setting.Conditions].
type Setting = setting.Setting

// DefaultMaxEvents ends a trial that would go on for ever.
const DefaultMaxEvents = 1_000_000_000

// DefaultDelay is the delay of a link unless a setting says otherwise.
const DefaultDelay = setting.DefaultDelay

// MaxN is the largest number of processes of a trial.
const MaxN = 1_000_000

// DefaultMaxPending ends a trial before the messages under way fill the
// memory: at some 60 bytes each, about 3 GB.
const DefaultMaxPending = 50_000_000

// unboundedAssumed is the bound on delay that an algorithm assumes outside its
// model, where there is none, in means: an exponential delay exceeds it once
// in 150 messages.
const unboundedAssumed = 5

// lastInstant, 73 years, ends a trial that has no limit of its own. No single
// delay or timer leads from before it beyond the last instant that can be
// scheduled, where without it a million processes would get that pass a message
// on after twelve hours each.
const lastInstant = des.Time(640_000 * time.Hour)

// Instance is a setting that was understood: what a trial runs.
type Instance struct {
	zeros []string // metrics of the registry that are Zero

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
	Lines      []netem.Line
	LinkMode   impair.Mode
	Delta      time.Duration // 0 is none
	GST        des.Time
	FIFO       bool
	Transport  *reliable.Config // nil is none
	Detector   *detector.Config // nil is the perfect one, or none if Blind
	Blind      bool             // nobody is ever suspected
	Plan       faults.Plan      // without Dead, as it was given
	Drawn      faults.Plan      // the same with every random fault drawn
	Assumed    time.Duration
	Processing time.Duration
	MaxTime    des.Time
	Until      des.Time
	Tick       time.Duration // in which time passes: 1ns, or what a search or schedule says; 0 if timers expire at any time
	Outside    []string      // the assumptions of the algorithm that do not hold

	params []string // as the algorithm's, no default left out
	dead   []bool   // by address
	graph  *graph.Graph
	Script *script // nil without a schedule

	conduct *conduct.Watch // nil unless the conduct of the algorithm is checked
}

// IsDead reports whether a process is dead from the start.
func (in *Instance) IsDead(p protocols.ID) bool { return in.dead[p] }

// AllInitiate reports whether every process that lives initiates.
func (in *Instance) AllInitiate() bool { return len(in.Initiators)+len(in.Dead) == in.N }

// ConstantDelay reports whether every message takes the same time, see Unit, whatever else
// fails: then all times are multiples of it.
func (in *Instance) ConstantDelay() bool {
	_, ok := in.Unit()
	does := in.Drawn.Effects()
	return ok && !does.Delays && !does.Pauses && !does.Clocks && !does.Links
}

// Instance reads a setting. The error names what was given and what is
// allowed.
func (r *Registry) Instance(s Setting) (*Instance, error) {
	a, err := r.Find(s.Algorithm)
	if err != nil {
		return nil, err
	}
	in := &Instance{Algorithm: a, Tick: 1, zeros: r.zeros}
	for _, read := range []func(*Setting) error{
		in.readVariant, in.readSize, in.readRanks, in.readAttributes, in.readServices, in.readTopology,
		in.readDead, in.readInitiators, in.readLinks, in.readTimes, in.readParams, in.readFaults, in.readSchedule,
	} {
		if err := read(&s); err != nil {
			return nil, err
		}
	}
	in.Setting = s
	if in.linksDo((*impair.Line).Alters) && !in.Algorithm.forgeable {
		return nil, fmt.Errorf("link %q: the messages of %s cannot be altered; without the word altered they are dropped", s.Link, a.Name)
	}
	in.Outside = in.violatedAssumptions()
	if len(in.Outside) > 0 && !s.OutsideModel {
		return nil, &OutsideError{in.Algorithm, in.Outside}
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
	in.Algorithm = in.Algorithm.of(in.Variant)
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

func (in *Instance) readTimes(s *Setting) error {
	in.FIFO = !s.Unordered
	if err := in.readAssumed(s.Assume); err != nil {
		return err
	}
	if err := ReadDuration("processing time", s.Processing, &in.Processing); err != nil {
		return err
	}
	// Timeouts are multiples of the bound, and a wait of no time at all is no
	// timeout: where messages take none, a nanosecond bounds them as well.
	in.Assumed = max(in.Assumed, 1)
	if s.MaxEvents == 0 {
		s.MaxEvents = DefaultMaxEvents
	}
	in.MaxTime = lastInstant
	if s.MaxTime != "" {
		d, err := time.ParseDuration(s.MaxTime)
		if err != nil || d <= 0 || d > time.Duration(lastInstant) {
			return fmt.Errorf("time limit %q is not a positive duration up to %v", s.MaxTime, lastInstant)
		}
		in.MaxTime = des.Time(d)
	}
	return ReadDuration("end of observation", s.Until, (*time.Duration)(&in.Until))
}

// readAssumed reads the bound on delay that the algorithm assumes: a duration, or a
// quantile of the delays, on the slowest of the links.
func (in *Instance) readAssumed(text string) error {
	u, quantile, err := parseQuantile(text)
	if err != nil {
		return err
	}
	if !quantile {
		in.Assumed = in.longestDelay()
		return ReadDuration("assumed bound on delay", text, &in.Assumed)
	}
	in.Assumed = in.Delay.Quantile(u)
	for _, l := range in.Lines {
		in.Assumed = max(in.Assumed, in.whole(l.Line).Quantile(u))
	}
	return nil
}

// parseQuantile reads pP, which stands for the delay that P percent of the messages do
// not exceed, as a fraction of 2^64. ok is false for a text that begins otherwise.
func parseQuantile(text string) (u uint64, ok bool, err error) {
	percent, ok := strings.CutPrefix(text, "p")
	if !ok {
		return 0, false, nil
	}
	p, err := des.ParseProbability(percent + "%")
	if err != nil || p == des.Never || p == des.Always {
		return 0, true, fmt.Errorf("assumed bound on delay %q: a quantile takes a percentage between 0 and 100, such as p50 or p99.9", text)
	}
	return uint64(p) << 1, true, nil
}

// checkAssumed checks a bound on delay without its trial.
func checkAssumed(text string) error {
	if _, quantile, err := parseQuantile(text); quantile {
		return err
	}
	var d time.Duration
	return ReadDuration("assumed bound on delay", text, &d)
}

// ReadDuration reads a duration into value, which stays if the text is empty.
func ReadDuration(name, text string, value *time.Duration) error {
	if text == "" {
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > des.MaxDuration {
		return fmt.Errorf("%s %q is not a duration from 0s to %v", name, text, des.MaxDuration)
	}
	*value = d
	return nil
}

func (in *Instance) readFaults(s *Setting) (err error) {
	if in.Plan, err = faults.Parse(s.Fault); err != nil {
		return err
	}
	s.Fault = in.Plan.String()
	words := faults.Words{Kinds: in.Algorithm.Kinds, Line: func(text string) error { _, err := in.parseLine(text); return err }, Byzantine: in.Algorithm.forgeable}
	if err := in.Plan.Check(in.N, words); err != nil {
		return err
	}
	in.Drawn = in.Plan.Expand(in.N, in.Algorithm.Kinds, in.Initiators, s.Seed)
	return nil
}
