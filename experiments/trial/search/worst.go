package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/internal/guard"
	"bullring/internal/suggest"
	"bullring/netem"
	"bullring/netem/explore"
)

// Hunt describes the search for the run of an algorithm that costs most. Runs have no
// faults.
type Hunt struct {
	// Setting is the part that does not vary. Its delay is constant, so that runs are in
	// lock-step rounds unless schedules vary. Where initiators vary, random:K fixes their
	// number.
	Setting trial.Setting
	Metric  string // one of Costs
	// Over lists what varies, of Variables. Nil is the identities and the initiators, each
	// unless the setting gives them or the algorithm assumes them. If it is empty and not nil,
	// the setting itself is the only case.
	Over []string
	// Timers and Grain are those of Search. They go with schedules that vary.
	Timers string
	Grain  int
	// Budget is the largest number of cases that are all run. With more cases it is the
	// number of runs of a local search. 0 is DefaultHuntRuns.
	Budget uint64
	// MaxStates is the largest number of states, over all cases, of a search through every
	// schedule. 0 is DefaultHuntStates.
	MaxStates uint64
	// Workers is the number of goroutines; 0 is the number of processors. The result does
	// not depend on it.
	Workers int
	// Progress, if not nil, is called with the number of cases that are done. Several goroutines may call it
	// at once.
	Progress func(done, all int)
}

// The default limits of a hunt.
const (
	DefaultHuntRuns   = 200_000
	DefaultHuntStates = 5_000_000
)

// maxHuntN is the largest number of processes of a hunt.
const maxHuntN = 1000

// Costs are the metrics of a hunt.
var Costs = []string{"messages", "bits", "depth", "time"}

// What can vary in a hunt.
const (
	OverIDs        = "ids"        // the placement of the identities 1..n
	overInitiators = "initiators" // the set of initiators
	OverSchedule   = "schedule"   // the order of events
)

// Variables lists what can vary in a hunt.
var Variables = []string{OverIDs, overInitiators, OverSchedule}

// Worst is the run that costs most of all runs of a hunt.
type Worst struct {
	Hunt   Hunt          // with all defaults filled in
	Result *trial.Result // of the run
	Value  float64       // its cost; time is in units of the delay, or of its bound
	Cases  *big.Int      // number of cases, without the orders of events
	// UpToRotation: of cases that differ by a rotation of the ring, only one is counted.
	UpToRotation bool
	// Proven: no run costs more. Every case was run, and no run drew a random number; or
	// every schedule of every case was explored.
	Proven bool
	// Drew: a run drew random numbers, from one seed. With another seed runs may cost more.
	Drew   bool
	Looked int    // number of cases, or of runs of a local search
	States uint64 // of all cases, if every schedule was explored
	CutOff error  // why not every schedule was explored, if schedules vary
}

// Limits returns the bounds that theory gives for the cost of the run.
func (w *Worst) Limits() (limits []trial.BoundResult) {
	metric := w.Hunt.Metric
	if metric == "depth" {
		metric = "causal_depth"
	}
	for _, b := range w.Result.Bounds {
		if b.Metric == metric && (b.Relation == trial.AtMost || b.Relation == trial.Exactly) {
			limits = append(limits, b)
		}
	}
	return limits
}

// EndlessError says that a run of a hunt did not come to rest. Its cost may have no limit.
type EndlessError struct{ Result *trial.Result }

func (e *EndlessError) Error() string {
	return fmt.Sprintf("a run did not come to rest (%v) after %d events, and may cost any amount", e.Result.End, e.Result.Counters.Events)
}

// FindWorst looks for the run that costs most: among all cases if the budget allows it, else
// by local search. If the context is cancelled, it returns the worst run so far, which may
// be nil, and the cause as error.
func FindWorst(ctx context.Context, r *trial.Registry, h Hunt) (*Worst, error) {
	if !slices.Contains(Costs, h.Metric) {
		return nil, fmt.Errorf("metric %q%s; allowed are %s", h.Metric, suggest.DidYouMean(h.Metric, Costs), strings.Join(Costs, ", "))
	}
	hunter, err := newHunter(r, h)
	if err != nil {
		return nil, err
	}
	return hunter.hunt(ctx)
}

// hunter carries out a hunt.
type hunter struct {
	Hunt
	registry *trial.Registry
	cases    *cases
	done     atomic.Int64  // cases, or runs of a local search
	drew     atomic.Bool   // a run drew random numbers, outside of explorations
	states   atomic.Uint64 // of all explorations
}

// finding is a case with its cost. The zero value is no finding.
type finding struct {
	cost    float64
	setting trial.Setting
	number  int // of the case
	there   bool
}

// beats reports whether a finding costs more than another, or as much with a lower number.
func (f finding) beats(g finding) bool {
	return f.there && (!g.there || f.cost > g.cost || f.cost == g.cost && f.number < g.number)
}

// hunt runs all cases or, if there are too many, a local search.
func (h *hunter) hunt(ctx context.Context) (w *Worst, err error) {
	var found finding
	w = &Worst{Hunt: h.Hunt, Cases: h.cases.count(), UpToRotation: h.cases.pinned}
	w.Proven = w.Cases.IsInt64() && w.Cases.Int64() <= int64(h.Budget)
	if w.Proven {
		found, err = h.exhaust(ctx, int(w.Cases.Int64()))
		if cut, is := errors.AsType[*cutOff](err); is {
			w.CutOff, w.Proven = cut.reason, false
		}
	} else if slices.Contains(h.Over, OverSchedule) {
		w.CutOff = fmt.Errorf("there are more cases than the budget of %d", h.Budget)
	}
	if !w.Proven {
		found, err = h.climbs(ctx)
	}
	if err != nil {
		return nil, err
	}
	w.Looked, w.States = int(h.done.Load()), h.states.Load()
	w.Drew = h.drew.Load()
	if ctx.Err() != nil || w.Drew {
		w.Proven = false
	}
	if !found.there {
		return nil, context.Cause(ctx)
	}
	if w.Result, err = h.witness(found); err != nil {
		return nil, err
	}
	w.Value = found.cost
	return w, context.Cause(ctx)
}

// witness repeats the run of a finding.
func (h *hunter) witness(found finding) (*trial.Result, error) {
	found.setting.MaxEvents = 0
	in, err := h.registry.Instance(found.setting)
	if err != nil {
		return nil, err
	}
	result := new(trial.Worker).Run(context.Background(), in, nil)
	if again := h.cost(result); again != found.cost || result.Failed != nil {
		why := fmt.Sprintf("it cost %v, and costs %v", found.cost, again)
		if result.Failed != nil {
			why = result.Failed.Error()
		}
		return nil, in.Algorithm.NotDeterministic(&explore.NotDeterministicError{Again: why})
	}
	return result, nil
}

// cost returns the cost of a run.
func (h *hunter) cost(r *trial.Result) float64 {
	switch h.Metric {
	case "messages":
		own, _ := r.Metric("messages")
		return own
	case "bits":
		return float64(r.Counters.Bits)
	case "depth":
		return float64(r.Counters.CausalDepth)
	}
	unit, constant := r.Instance.Unit()
	if !constant {
		unit = r.Instance.Assumed
	}
	return float64(r.Time) / float64(unit)
}

// run runs a case.
func (h *hunter) run(ctx context.Context, w *trial.Worker, s trial.Setting) (finding, error) {
	r, err := h.rest(ctx, w, s)
	switch {
	case r == nil:
		return finding{}, err
	case r.End == netem.Stopped:
		return finding{}, &EndlessError{r}
	}
	return finding{cost: h.cost(r), setting: s, there: true}, nil
}

// rest runs a case until it is at rest, or its judge ends it. Without an error the result is nil if the run
// was interrupted.
func (h *hunter) rest(ctx context.Context, w *trial.Worker, s trial.Setting) (*trial.Result, error) {
	in, err := h.registry.Instance(s)
	if err != nil {
		return nil, err
	}
	r := w.Run(ctx, in, nil)
	if r.Counters.Draws > 0 {
		h.drew.Store(true)
	}
	switch r.End {
	case netem.Quiescent, netem.Stopped:
		return r, nil
	case netem.Interrupted:
		return nil, nil
	case netem.Panicked:
		return nil, r.Failed
	}
	if late := r.Late(); late != nil {
		return nil, late
	}
	return nil, &EndlessError{r}
}

// The parts of a hunt that workers share.
const (
	runsAtOnce     = 256 // cases that a worker takes at a time
	exploredAtOnce = 32  // cases that are explored together: they have states in common
	climbs         = 16  // local searches
)

// exhaust runs or explores all cases.
func (h *hunter) exhaust(ctx context.Context, all int) (finding, error) {
	if slices.Contains(h.Over, OverSchedule) {
		return h.exploreAll(ctx, all)
	}
	return h.share(ctx, parts(all, runsAtOnce), func(ctx context.Context, w *trial.Worker, part int) (best finding, err error) {
		for i := part * runsAtOnce; i < min((part+1)*runsAtOnce, all) && ctx.Err() == nil; i++ {
			found, err := h.run(ctx, w, h.cases.setting(h.cases.at(i)))
			if err != nil {
				return finding{}, err
			}
			if found.number = i; found.beats(best) {
				best = found
			}
			h.count(1, all)
		}
		return best, nil
	})
}

// parts returns the number of parts of a given size.
func parts(all, size int) int { return (all + size - 1) / size }

// climbs makes the local searches. Each has its part of the budget, so that the result does
// not depend on the workers.
func (h *hunter) climbs(ctx context.Context) (finding, error) {
	h.done.Store(0)
	h.states.Store(0)
	if slices.Contains(h.Over, OverSchedule) {
		h.cases.delays(h.Timers)
	}
	each := int(max(h.Budget/climbs, 1))
	places := min(climbs, int(h.Budget))
	return h.share(ctx, places, func(ctx context.Context, w *trial.Worker, place int) (finding, error) {
		return h.climb(ctx, w, place, each, each*places)
	})
}

// climb makes one local search. It begins with a random case and moves to a neighbour that
// costs no less. After twice as many vain steps as there are neighbours it starts anew.
func (h *hunter) climb(ctx context.Context, w *trial.Worker, place, runs, all int) (best finding, err error) {
	stream := des.NewStream(h.Setting.Seed, "worst", uint64(place))
	at, cost, inVain, patience := huntCase{}, -1.0, 0, 2*h.cases.neighbours()
	for i := 0; i < runs && ctx.Err() == nil; i++ {
		anew := cost < 0 || inVain > patience
		next := h.cases.random(&stream)
		if !anew {
			next = h.cases.neighbour(&stream, at)
		}
		found, err := h.run(ctx, w, h.cases.setting(next))
		if err != nil || !found.there {
			return best, err
		}
		inVain++
		if anew || found.cost > cost {
			inVain = 0
		}
		if anew || found.cost >= cost {
			at, cost = next, found.cost
		}
		if found.number = place; !best.there || found.cost > best.cost {
			best = found
		}
		h.count(1, all)
	}
	return best, nil
}

// count notes that more cases are done.
func (h *hunter) count(more, all int) {
	done := h.done.Add(int64(more))
	if h.Progress != nil {
		h.Progress(int(done), all)
	}
}

// share divides jobs among the workers and returns the best finding.
func (h *hunter) share(ctx context.Context, jobs int, do func(ctx context.Context, w *trial.Worker, job int) (finding, error)) (best finding, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var next atomic.Int64
	var mu sync.Mutex
	var group sync.WaitGroup
	for range min(h.Workers, jobs) {
		group.Go(func() {
			var w trial.Worker
			for job := int(next.Add(1)) - 1; job < jobs && ctx.Err() == nil; job = int(next.Add(1)) - 1 {
				var found finding
				var failed error
				if ended := w.Batch(func() { found, failed = do(ctx, &w, job) }); ended != nil {
					if failed = w.Run(ctx, ended, nil).Failed; failed == nil {
						failed = trial.NewPanicError(ended.Algorithm.Name, guard.Exited)
					}
				}
				mu.Lock()
				if failed != nil {
					err = failed
					stop()
				} else if found.beats(best) {
					best = found
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return best, err
}

// newHunter checks a hunt and fills in its defaults.
func newHunter(r *trial.Registry, h Hunt) (*hunter, error) {
	in, err := r.Instance(h.Setting)
	if err != nil {
		return nil, err
	}
	for i, what := range h.Over {
		switch {
		case !slices.Contains(Variables, what):
			return nil, fmt.Errorf("over %q%s; allowed are %s", what, suggest.DidYouMean(what, Variables), strings.Join(Variables, ", "))
		case slices.Contains(h.Over[:i], what):
			return nil, fmt.Errorf("over %s: %s stands there twice", strings.Join(h.Over, ","), what)
		}
	}
	if err := h.varies(in); err != nil {
		return nil, err
	}
	if err := h.schedules(r, in); err != nil {
		return nil, err
	}
	if err := huntable(in); err != nil {
		return nil, err
	}
	h.Budget, h.MaxStates = cmp.Or(h.Budget, DefaultHuntRuns), cmp.Or(h.MaxStates, DefaultHuntStates)
	if h.Workers <= 0 {
		h.Workers = runtime.GOMAXPROCS(0)
	}
	h.Setting = in.Setting
	return &hunter{Hunt: h, registry: r, cases: newCases(in, h.Over)}, nil
}

// huntable refuses an instance that is too large, has faults, or does not run in rounds.
func huntable(in *trial.Instance) error {
	_, constant := in.Unit()
	switch no := in.Unexplored(); {
	case in.N > maxHuntN:
		return fmt.Errorf("n is %d; the worst case is looked for among up to %d processes", in.N, maxHuntN)
	case no != "":
		return fmt.Errorf("the worst case is looked for without %s", no)
	case in.Setting.Schedule != "" || !constant:
		return fmt.Errorf("the worst case is looked for with a constant delay, in rounds, or over %s", OverSchedule)
	}
	return nil
}

// varies fills in what varies, and checks that the setting does not give it.
func (h *Hunt) varies(in *trial.Instance) error {
	s := h.Setting
	placed := s.IDs != "" || s.Placement != ""
	chosen := s.Initiators != "" && s.Initiators != "all" && !strings.HasPrefix(s.Initiators, "random:")
	everyone := in.Algorithm.Assumes.AllInitiate && !s.OutsideModel
	if h.Over == nil {
		if !placed {
			h.Over = append(h.Over, OverIDs)
		}
		if !chosen && !everyone {
			h.Over = append(h.Over, overInitiators)
		}
	}
	ids, initiators := slices.Contains(h.Over, OverIDs), slices.Contains(h.Over, overInitiators)
	switch {
	case h.Over == nil:
		return fmt.Errorf("nothing varies: identities and initiators are given; what can vary is %s", strings.Join(Variables, ", "))
	case ids && placed:
		return fmt.Errorf("over %s: the identities are given, or where they sit; give neither", OverIDs)
	case initiators && everyone:
		return fmt.Errorf("over %s: %s assumes that every process initiates", overInitiators, in.Algorithm.Name)
	case initiators && chosen:
		return fmt.Errorf("over %s: initiators %q are given; give none, or random:K for every set of K", overInitiators, s.Initiators)
	}
	return nil
}

// schedules checks Timers and Grain, and fills in their defaults.
func (h *Hunt) schedules(r *trial.Registry, in *trial.Instance) error {
	if !slices.Contains(h.Over, OverSchedule) {
		if h.Timers != "" || h.Grain != 0 {
			return fmt.Errorf("timers and grain are for schedules; over %s, runs are in rounds", strings.Join(h.Over, ","))
		}
		return nil
	}
	e, err := exploration(r, Search{Setting: in.Setting, Timers: h.Timers, Grain: h.Grain})
	if err != nil {
		return err
	}
	h.Timers, h.Grain = e.Search.Timers, e.Search.Grain
	if h.Metric == "time" && h.Timers == trial.FreeTimers {
		return fmt.Errorf("with %s timers there is no bound on delay, and no longest time; give %s timers", trial.FreeTimers, trial.BoundedTimers)
	}
	return nil
}
