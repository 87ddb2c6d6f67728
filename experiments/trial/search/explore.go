package search

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/combin"

	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/netem"
	"bullring/netem/explore"
)

// Search describes an exploration.
type Search struct {
	// Setting is the system. Its placement and its initiators may be Every.
	Setting trial.Setting
	// Timers are trial.FreeTimers or BoundedTimers. "" is bounded if the algorithm
	// assumes a bound on delay, else free.
	Timers string
	// Grain is the number of steps of time in the bound on delay; 0 is 1.
	Grain int
	// Budget is how often each fault may strike.
	Budget explore.Budget
	// Down are the links that are down at first, and Notice is when processes are told of changes.
	Down   []netem.Link
	Notice explore.Notice
	// Limits are where runs are cut off.
	Limits explore.Limits
	// Liars: up to so many processes are Byzantine, whichever they are and whatever they send.
	Liars int
	// Full switches off the reductions: it explores every order of steps and every rotation
	// of the ring, even where they make no difference.
	Full bool
	// Folder, if not "", keeps the states on disk: see explore.Disk.
	Folder  string          `json:"-"`
	Options explore.Options `json:"-"`
}

// Every stands for all placements of the identities, for all vectors of inputs, or for all
// non-empty sets of initiators.
const Every = "every"

// Exploration is the result of a search.
type Exploration struct {
	Search    Search // with all defaults filled in
	Algorithm *trial.Algorithm
	Instances []*trial.Instance // explored together, by root
	Outside   []string          // the assumptions of the algorithm that do not hold
	*explore.Result
}

// Explore explores all runs of a system, or a sample of them. The error says what is wrong
// with the search itself; ending early is no error.
func Explore(ctx context.Context, r *trial.Registry, s Search) (*Exploration, error) {
	e, err := exploration(r, s)
	if err != nil {
		return nil, err
	}
	e.Search.Options.Disk = nil
	if s.Folder != "" {
		e.Search.Options.Disk = &explore.Disk{Folder: s.Folder, Of: e.identity()}
	}
	e.Result, err = e.Algorithm.Explore(ctx, e.Instances, e.network(), e.Search.Options)
	return e, err
}

// identity says what is explored, and by which version of the program.
func (e *Exploration) identity() string {
	text, err := json.Marshal(e.Search)
	if err != nil {
		panic(err) // it has nothing that JSON has not
	}
	return build.ThisProgram().String() + " " + string(text)
}

// Outside returns the assumptions of the algorithm that do not hold in a search, without exploring anything.
func Outside(r *trial.Registry, s Search) ([]string, error) {
	e, err := exploration(r, s)
	if err != nil {
		return nil, err
	}
	return e.Outside, nil
}

// exploration checks a search and fills in its defaults. Result is nil.
func exploration(r *trial.Registry, s Search) (*Exploration, error) {
	instances, err := instances(r, s.Setting, s.Liars)
	if err != nil {
		return nil, err
	}
	a := instances[0].Algorithm
	switch {
	case s.Timers == "" && a.Assumes.BoundedDelay:
		s.Timers = trial.BoundedTimers
	case s.Timers == "":
		s.Timers = trial.FreeTimers
	case s.Timers != trial.FreeTimers && s.Timers != trial.BoundedTimers:
		return nil, fmt.Errorf("timers %q; allowed are %s, %s", s.Timers, trial.FreeTimers, trial.BoundedTimers)
	}
	if s.Grain < 0 || s.Grain > 1 && s.Timers == trial.FreeTimers {
		return nil, fmt.Errorf("grain %d: it is the number of steps of time in the bound on delay, and goes with %s timers", s.Grain, trial.BoundedTimers)
	}
	s.Grain = max(s.Grain, 1)
	e := &Exploration{Search: s, Algorithm: a, Instances: instances}
	for _, in := range e.Instances {
		in.SetTick(s.Timers, s.Grain)
	}
	return e, e.check()
}

// check refuses a system that cannot be explored, and notes the assumptions that do not
// hold.
func (e *Exploration) check() error {
	in := e.Instances[0]
	if p := in.Own.Measured(); p != nil {
		return fmt.Errorf("%s %q: what is measured of a whole run is no part of a state; run, shrink and rare judge runs by it, and worst looks for the largest cost", p.Kind, p.Says)
	}
	if what := in.Unexplored(); what != "" {
		return fmt.Errorf("what is explored has no %s; faults have a budget each, and strike everywhere", what)
	}
	if e.Search.Limits.Rounds > 0 && !in.NumbersRounds() {
		return fmt.Errorf("up to %d rounds: the processes of %s do not number their rounds; a limit of timeouts keeps any system finite whose timers make it endless", e.Search.Limits.Rounds, in.Algorithm.Name)
	}
	for _, k := range e.Search.Down {
		if !netem.HasLink(in.Topology, k) {
			return fmt.Errorf("the link %v is down at first, and topology %s has no such link", k, in.Topology)
		}
	}
	if e.Search.Timers == trial.BoundedTimers && in.Assumed%time.Duration(e.Search.Grain) != 0 {
		return fmt.Errorf("grain %d does not divide the bound on delay, %v", e.Search.Grain, in.Assumed)
	}
	e.Outside = append(in.Outside, in.OutsideExplored(e.Search.Timers, e.Search.Budget, e.Search.Down)...)
	return nil
}

// network returns the network of the exploration.
func (e *Exploration) network() explore.Network {
	in := e.Instances[0]
	n := in.Network(e.Search.Timers, e.Search.Grain, e.Search.Budget)
	n.Limits, n.Down, n.Notice = e.Search.Limits, e.Search.Down, e.Search.Notice
	n.Rotations = e.Algorithm.Rotations && !e.Search.Full && !in.Own.NamesProcess() && len(e.Instances) > 1 && e.Search.Budget.Restarts == 0 && !n.Moves()
	return n
}

// Scheduled returns a setting with the schedule of a run: it repeats the run.
func (e *Exploration) Scheduled(run *explore.Run) trial.Setting {
	s := e.Instances[run.Root].Setting
	s.Schedule = newSchedule(e.Search, run.Steps)
	return s
}

// instances returns the instances of a setting with up to so many Byzantine processes. It resolves
// Every. The first has as many of them as any other.
func instances(r *trial.Registry, s trial.Setting, liars int) ([]*trial.Instance, error) {
	s.OutsideModel = true
	placed := []trial.Setting{s}
	if s.Placement == Every {
		if s.IDs != "" {
			return nil, fmt.Errorf("identities are given, and every placement of 1..n; give either")
		}
		if s.N > mostPlaced {
			return nil, fmt.Errorf("every placement of %d processes is too many; allowed are up to %d processes", s.N, mostPlaced)
		}
		placed = nil
		for ids := range everyPlacement(s.N) {
			t := s
			t.Placement, t.IDs = "", ids
			placed = append(placed, t)
		}
	}
	if liars > 0 {
		var err error
		if placed, err = withLiars(placed, liars); err != nil {
			return nil, err
		}
	}
	if s.Inputs == Every {
		var err error
		if placed, err = withEveryInput(r, placed); err != nil {
			return nil, err
		}
	}
	var all []*trial.Instance
	for _, t := range placed {
		started := []trial.Setting{t}
		if s.Initiators == Every {
			var err error
			if started, err = startedEveryWay(r, t); err != nil {
				return nil, err
			}
		}
		for _, u := range started {
			in, err := r.Instance(u)
			if err != nil {
				return nil, err
			}
			all = append(all, in)
		}
		if len(placed)*len(started) > mostInstances { // each is started in as many ways
			return nil, fmt.Errorf("%d instances are too many to be explored together; allowed are up to %d (fewer placements, inputs, sets of initiators or processes have fewer)", len(placed)*len(started), mostInstances)
		}
	}
	return all, nil
}

// withLiars returns the settings with every set of up to so many Byzantine processes, the largest sets
// first.
func withLiars(settings []trial.Setting, most int) (all []trial.Setting, err error) {
	s := settings[0]
	if s.Fault != "" {
		return nil, fmt.Errorf("fault %q, and a budget of %d Byzantine processes: give either", s.Fault, most)
	}
	if most > s.N {
		return nil, fmt.Errorf("%d Byzantine processes, and there are %d", most, s.N)
	}
	for _, s := range settings {
		for k := most; k >= 0; k-- {
			if combin.Binomial(s.N, k) > mostInstances {
				return nil, fmt.Errorf("every set of %d Byzantine processes out of %d is too many; allowed are up to %d instances", k, s.N, mostInstances)
			}
			for _, set := range combin.Combinations(s.N, k) {
				s.Fault = ""
				if k > 0 {
					s.Fault = "byzantine " + strings.Trim(fmt.Sprint(set), "[]") + " as " + trial.AnyLie
				}
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// withEveryInput returns the settings with every vector of a few inputs.
func withEveryInput(r *trial.Registry, settings []trial.Setting) (all []trial.Setting, err error) {
	first := settings[0]
	first.Inputs = ""
	if first.Initiators == Every {
		first.Initiators = ""
	}
	in, err := r.Instance(first)
	if err != nil {
		return nil, err
	}
	if in.Algorithm.Inputs == nil {
		return nil, fmt.Errorf("every vector of inputs: the processes of %s begin without inputs", in.Algorithm.Name)
	}
	values := in.Algorithm.Inputs.Few()
	if vectors := math.Pow(float64(len(values)), float64(in.N)); vectors*float64(len(settings)) > mostInstances {
		return nil, fmt.Errorf("every vector of the inputs %s for %d processes is too many; allowed are up to %d instances", trial.InputsText(values), in.N, mostInstances)
	}
	sizes := slices.Repeat([]int{len(values)}, in.N)
	for _, s := range settings {
		for _, indices := range combin.Cartesian(sizes) {
			inputs := make([]int, in.N)
			for p, i := range indices {
				inputs[p] = values[i]
			}
			s.Inputs = trial.InputsText(inputs)
			all = append(all, s)
		}
	}
	return all, nil
}

// everyPlacement yields all placements of the identities 1..n, as lists of identities.
func everyPlacement(n int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range combin.Permutations(n, n) {
			words := make([]string, n)
			for i, k := range p {
				words[i] = strconv.Itoa(k + 1)
			}
			if !yield(strings.Join(words, ",")) {
				return
			}
		}
	}
}

// Limits of what is explored together.
const (
	mostPlaced    = 8       // processes, with every placement; twice as many, with every set of initiators
	mostInstances = 1 << 16 // instances
)

// startedEveryWay returns the setting with every set of initiators: of one process, if the algorithm
// has one initiator.
func startedEveryWay(r *trial.Registry, s trial.Setting) ([]trial.Setting, error) {
	everyone := s
	everyone.Initiators, everyone.OutsideModel = "all", true
	in, err := r.Instance(everyone)
	if err != nil {
		return nil, err
	}
	if in.Initiators.Len() > 2*mostPlaced {
		return nil, fmt.Errorf("every set of initiators of %d processes is too many; allowed are up to %d processes", in.Initiators.Len(), 2*mostPlaced)
	}
	var all []trial.Setting
	for set := uint(1); set < 1<<in.Initiators.Len(); set++ {
		if in.Algorithm.Assumes.OneInitiates && bits.OnesCount(set) > 1 {
			continue
		}
		var words []string
		for left := set; left != 0; left &= left - 1 {
			words = append(words, strconv.Itoa(int(in.Initiators.At(bits.TrailingZeros(left)))))
		}
		s.Initiators = strings.Join(words, ",")
		all = append(all, s)
	}
	return all, nil
}
