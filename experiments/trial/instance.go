package trial

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/internal/regular"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/conduct"
	"bullring/protocols/election"
)

// Instance is a checked [Setting]. A [Worker] runs it, any number of times. Its fields are
// read by declarations and families, for example to compute a bound.
type Instance struct {
	Algorithm *Algorithm // the declaration for the variant
	Variant   Variant
	Setting   Setting // with all defaults filled in
	System
	Services
	Links
	Times
	Params
	Moving
	Faults
	*Script // nil without a schedule

	Outside []string    // the assumptions of the algorithm that do not hold
	Full    func() bool // if set, it ends a run out of room, see netem.Config
	Pulse   func(netem.Pulse)

	Climb    *Climb            // watches a run on the network for a level; nil for none
	Altered  *netem.Alteration // changes single elements of a run on the network; nil for none
	Tolerant bool              // steps of the schedule that are not possible are left out

	zeros   []string       // names of metrics of the registry that are Zero
	conduct *conduct.Watch // nil unless the conduct of the algorithm is checked
}

// Instance checks a setting and returns its instance. The error names what was given and
// what is allowed. It is an [OutsideError] if the setting is outside the algorithm's model,
// unless OutsideModel is set.
func (r *Registry) Instance(s Setting) (*Instance, error) {
	a, err := r.find(s.Algorithm, s.Node != "" && s.Node != NoNode)
	if err != nil {
		return nil, err
	}
	in := &Instance{Algorithm: a, Times: Times{Tick: 1}, Links: Links{files: r.Read}, zeros: r.zeros}
	if in.files == nil {
		in.files = regular.ReadInput
	}
	for i, read := range readers {
		if err := read(in, &s); err != nil {
			return nil, err
		}
		if i == 0 { // the declaration of the variant is known
			if in.Algorithm, err = r.inPrograms(in.Algorithm, &s); err != nil {
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
	(*Instance).readVariant,
	func(in *Instance, s *Setting) error { return in.readSize(s, in.files) },
	(*Instance).readRanks, (*Instance).readAttributes, readInputs, readResilience, (*Instance).readServices, readTopology,
	(*Instance).readDead, readInitiators,
	func(in *Instance, s *Setting) error { return in.readLinks(s, in.N) },
	drawLines,
	readMotion, readMedium,
	func(in *Instance, s *Setting) error { return in.readTimes(s, &in.Links) },
	readParams, readFaults, (*Instance).readSchedule,
}

// FirstInitiates is the text of Algorithm.Initiators for the first process that lives.
const FirstInitiates = "first"

// readInitiators reads who initiates. If the setting does not say, those do whom the algorithm names, or
// all.
func readInitiators(in *Instance, s *Setting) error {
	usual := cmp.Or(in.Algorithm.Initiators, "all")
	if in.Algorithm.Assumes.OneInitiates || usual == FirstInitiates {
		usual = in.living()[0].String()
	}
	return in.System.readInitiators(s, usual)
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

// Kept is the number of processes, by address, that a judge keeps if it needs them at each
// message: looking a process up in the network takes longer. All of those are kept that
// act behind transformers or follow a schedule.
func (in *Instance) Kept() int {
	if in.Transport != nil || in.Detector != nil || in.conduct != nil || in.Script != nil {
		return in.N
	}
	return min(in.N, 1<<16)
}

// ConstantDelay reports whether every message takes the same time, see [Instance.Unit]. Faults
// may lose messages, but change no times.
func (in *Instance) ConstantDelay() bool {
	_, ok := in.Unit()
	does := in.Drawn.Effects()
	return ok && !does.Delays && !does.Carries && !does.Pauses && !does.Clocks && !does.Links
}

// InStep reports whether every message takes exactly the bound on delay that the algorithm assumes. So
// times are counted in rounds of that length.
func (in *Instance) InStep() bool {
	unit, _ := in.Unit()
	return in.ConstantDelay() && in.Assumed == unit
}

// Unit is the unit of times. It is the delay of a message if that is constant, and then
// ok is true; else a second, or a step of a schedule without time.
func (in *Instance) Unit() (unit time.Duration, ok bool) {
	if in.Timeless() {
		return time.Nanosecond, false // instants are numbers of steps
	}
	if unit, ok = in.constant(); !ok || in.Script != nil {
		return time.Second, false
	}
	return unit, true
}

// Units converts an instant into units of [Instance.Unit].
func (in *Instance) Units(t des.Time) float64 {
	unit, _ := in.Unit()
	return float64(t) / float64(unit)
}

// Calm reports whether nothing fails after the start, and no process starts late.
func (in *Instance) Calm() bool {
	return len(in.Plan) == 0 && in.Motion == nil && in.Script.undisturbed()
}

// Seeded names what the seed decides about the instance and no field of the setting
// shows, such as its topology, or "". What processes draw in a run does not count.
func (in *Instance) Seeded() string {
	var what []string
	if f, named := familyOf(in.Setting.Topology); named && f.Random {
		what = append(what, "topology")
	}
	if in.sharesLinks() {
		what = append(what, "links of a share")
	}
	if in.Motion != nil && in.Motion.Endless() {
		what = append(what, "motion")
	}
	if in.Algorithm.Seeded != nil {
		if own := in.Algorithm.Seeded(in); own != "" {
			what = append(what, own)
		}
	}
	return strings.Join(what, " and the ")
}

// Promised returns the checks of a run of the instance, in the order of [Judge].Checks, with
// their meaning.
func (in *Instance) Promised() []explore.Property {
	f := in.Algorithm.family
	if f.Promised != nil {
		return f.Promised(in)
	}
	return slices.Clone(f.Checks)
}

// Strategies are the strategies of the processes that are Byzantine, by address.
func (in *Instance) Strategies() map[protocols.ID]string { return in.Drawn.Liars(in.N, in.Off) }

// LyingProcesses are the processes that are Byzantine, in order.
func (in *Instance) LyingProcesses() []protocols.ID {
	return slices.Sorted(maps.Keys(in.Strategies()))
}

// Bears reports whether the algorithm tolerates f failures also among n processes. Searches for smaller
// systems keep to these: with fewer processes, any algorithm fails.
func (in *Instance) Bears(n int) bool {
	r := in.Algorithm.Assumes.Resilience
	return r == nil || in.F <= r.Most(n)
}
