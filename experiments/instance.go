package experiments

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/faults"
	"bullring/internal/regular"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/netem/graph"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/conduct"
	"bullring/protocols/detector"
	"bullring/protocols/election"
	"bullring/protocols/reliable"
)

// Instance is a checked [Setting]. A [Worker] runs it, any number of times. Its fields are
// read by declarations and families, for example to compute a bound.
type Instance struct {
	Algorithm  *Algorithm // the declaration for the variant
	Variant    Variant
	Setting    Setting // with all defaults filled in
	N          int
	Ranks      election.Ranks // by address
	Order      election.Order // election.Min if the variant has the word min
	Initiators Addresses
	Dead       []protocols.ID // from the start, ascending
	Topology   netem.Topology
	Delay      des.Distribution
	Late       des.Distribution // of timers: see netem.Config
	Lines      []netem.Line     // of the setting; the command that repeats the run prints them
	LinkMode   impair.Mode
	Delta      time.Duration // 0 is none
	GST        des.Time
	FIFO       bool
	Transport  *reliable.Config // nil is none
	Detector   *detector.Config // nil is the perfect one, or none if Blind
	Blind      bool             // no process is ever suspected
	Plan       faults.Plan      // as given; without Dead
	Drawn      faults.Plan      // Plan with every random fault drawn
	Assumed    time.Duration    // the bound on delay that the algorithm assumes; above 0
	Processing time.Duration
	MaxTime    des.Time
	Until      des.Time
	Tick       time.Duration // the step of time: 1ns, or that of SetTick; 0 if timers are free and there are no clocks
	Outside    []string      // the assumptions of the algorithm that do not hold
	Full       func() bool   // if set, it ends a run out of room, see netem.Config
	Pulse      func(netem.Pulse)

	read    func(name string) ([]byte, error) // reads the files that the setting names
	zeros   []string                          // names of metrics of the registry that are Zero
	params  []string                          // values in the order of Algorithm.Params
	dead    []bool                            // by address; nil if no process is
	graph   *graph.Graph
	script  *script        // nil without a schedule
	conduct *conduct.Watch // nil unless the conduct of the algorithm is checked
}

// Instance checks a setting and returns its instance. The error names what was given and
// what is allowed. It is an [OutsideError] if the setting is outside the algorithm's model,
// unless OutsideModel is set.
func (r *Registry) Instance(s Setting) (*Instance, error) {
	a, err := r.Find(s.Algorithm)
	if err != nil {
		return nil, err
	}
	in := &Instance{Algorithm: a, Tick: 1, zeros: r.zeros, read: r.Read}
	if in.read == nil {
		in.read = regular.ReadInput
	}
	for i, read := range readers {
		if err := read(in, &s); err != nil {
			return nil, err
		}
		if i == 0 { // the declaration of the variant is known
			if err := in.readNode(&s, r.Nodes); err != nil {
				return nil, err
			}
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

// readSetting reads a part of a setting into an instance, and fills in its defaults. It
// accepts the text that it has filled in.
type readSetting = func(*Instance, *Setting) error

// readers read a setting, one part after another. [Replicates] knows which of them depend on
// the seed.
var readers = []readSetting{
	(*Instance).readVariant, (*Instance).readSize, (*Instance).readRanks, (*Instance).readAttributes, (*Instance).readServices,
	(*Instance).readTopology, (*Instance).readDead, (*Instance).readInitiators, (*Instance).readLinks, (*Instance).readTimes,
	(*Instance).readParams, (*Instance).readFaults, (*Instance).readSchedule,
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

// OutsideError says that a setting breaks assumptions of an algorithm.
type OutsideError struct {
	Algorithm *Algorithm
	Broken    []string // the assumptions that do not hold
}

func (e *OutsideError) Error() string {
	return fmt.Sprintf("the guarantees of %s do not apply here: %s; it assumes %s (--outside-model runs it anyway and labels the result)",
		e.Algorithm.Name, strings.Join(e.Broken, "; "), strings.Join(e.Algorithm.Assumes.Words(), ", "))
}

// IsDead reports whether a process is dead from the start.
func (in *Instance) IsDead(p protocols.ID) bool { return in.dead != nil && in.dead[p] }

// Kept is the number of processes, by address, that a judge keeps if it needs them at each
// message: looking a process up in the network takes longer. All of those are kept that
// act behind transformers or follow a schedule.
func (in *Instance) Kept() int {
	if in.Transport != nil || in.Detector != nil || in.conduct != nil || in.script != nil {
		return in.N
	}
	return min(in.N, 1<<16)
}

// AllInitiate reports whether every live process initiates.
func (in *Instance) AllInitiate() bool { return in.Initiators.Len()+len(in.Dead) == in.N }

// ConstantDelay reports whether every message takes the same time, see [Instance.Unit]. Faults
// may lose messages, but change no times.
func (in *Instance) ConstantDelay() bool {
	_, ok := in.Unit()
	does := in.Drawn.Effects()
	return ok && !does.Delays && !does.Pauses && !does.Clocks && !does.Links
}

// Unit is the unit of times. It is the delay of a message if that is constant, and then
// ok is true; else a second, or a step of a schedule without time.
func (in *Instance) Unit() (unit time.Duration, ok bool) {
	if in.script != nil && in.script.timers == FreeTimers {
		return time.Nanosecond, false // instants are numbers of steps
	}
	unit, longest, bounded := in.Delay.Bounds()
	ok = bounded && unit == longest && unit > 0 && in.Delta == 0
	for _, l := range in.Lines {
		least, most, bounded := in.whole(l.Line).Bounds()
		ok = ok && bounded && least == unit && most == unit
	}
	if !ok || in.script != nil {
		return time.Second, false
	}
	return unit, true
}

// Units converts an instant into units of [Instance.Unit].
func (in *Instance) Units(t des.Time) float64 {
	unit, _ := in.Unit()
	return float64(t) / float64(unit)
}

// Timeless reports whether the instance follows a schedule with free timers. Instants are
// then the numbers of its steps.
func (in *Instance) Timeless() bool { return in.script != nil && in.script.timers == FreeTimers }

// ReadsClocks reports whether the instance follows a schedule that says what clocks show. Its
// delays are those of the run that was recorded, whatever the setting says.
func (in *Instance) ReadsClocks() bool { return in.script != nil && in.script.clocks }

// Steps is the length of the instance's schedule, 0 without one.
func (in *Instance) Steps() int {
	if in.script == nil {
		return 0
	}
	return len(in.script.steps)
}

// Calm reports whether nothing fails after the start, and no process starts late.
func (in *Instance) Calm() bool {
	return len(in.Plan) == 0 && (in.script == nil || in.script.budget == explore.Budget{} && !in.script.late)
}

// Seeded names what the seed decides about the instance and no field of the setting
// shows, such as its topology, or "". What processes draw in a run does not count.
func (in *Instance) Seeded() string {
	var what []string
	if f, named := familyOf(in.Setting.Topology); named && f.Random {
		what = append(what, "topology")
	}
	if in.Algorithm.Seeded != nil {
		if own := in.Algorithm.Seeded(in); own != "" {
			what = append(what, own)
		}
	}
	return strings.Join(what, " and the ")
}
