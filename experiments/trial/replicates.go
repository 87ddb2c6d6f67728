package trial

import "strings"

// Replicates makes the instances of one setting under many seeds. It reads the setting once,
// and later only the parts that the seed decides. Only one goroutine may use it.
type Replicates struct {
	registry *Registry
	setting  Setting // its seed does not count
	first    *Instance
	drawn    []readSetting // what the seed decides; they read the setting of first
}

// Replicates returns what makes the instances of a setting. The seed of the setting does not
// count.
func (r *Registry) Replicates(s Setting) *Replicates { return &Replicates{registry: r, setting: s} }

// Instance returns the instance of a seed, or the error of [Registry.Instance].
func (r *Replicates) Instance(seed uint64) (*Instance, error) {
	if in, ok := r.redrawn(seed); ok {
		return in, nil
	}
	s := r.setting
	s.Seed = seed
	in, err := r.registry.Instance(s) // the errors are in the words of the setting
	if err == nil && r.first == nil {
		r.first, r.drawn = in, drawnReaders(in)
	}
	return in, err
}

// redrawn returns the first instance with another seed. ok is false if it must be read anew:
// it is the first one, or it is refused.
func (r *Replicates) redrawn(seed uint64) (again *Instance, ok bool) {
	if r.first == nil {
		return nil, false
	}
	in := *r.first
	s := &in.Setting
	s.Seed = seed
	for _, read := range r.drawn {
		if read(&in, s) != nil {
			return nil, false
		}
	}
	if in.graph.Drawn() {
		in.graph = in.graph.WithWeights(seed)
	}
	if len(r.drawn) > 0 {
		in.Outside = in.violatedAssumptions()
	}
	return &in, len(in.Outside) == 0 || s.OutsideModel
}

// drawnReaders returns the readers of what the seed decides, and of what depends on it, in
// the order of [Registry.Instance].
func drawnReaders(in *Instance) []readSetting {
	s := &in.Setting
	random := func(text string) bool { return strings.HasPrefix(text, "random:") }
	f, named := familyOf(s.Topology)
	ranks, dead := s.Placement == "random" || random(s.Attr), random(s.Dead)
	initiators := dead || random(s.Initiators)
	var readers []readSetting
	add := func(drawn bool, read ...readSetting) {
		if drawn {
			readers = append(readers, read...)
		}
	}
	add(ranks, (*Instance).readRanks, (*Instance).readAttributes)
	add(s.Inputs == RandomInputs, readInputs)
	add(named && f.Random, drawTopology)
	add(dead, (*Instance).drawDead)
	add(initiators, readInitiators)
	add(in.sharesLinks(), drawLines)
	add(len(readers) > 0 && len(in.Algorithm.Params) > 0, readParams)
	add(len(in.Plan) > 0, drawFaults)
	return readers
}
