package hunt

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"bullring/des"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/protocols"
)

// Hunt says where to look for runs that fail, and when to end.
type Hunt struct {
	Registry  *trial.Registry
	Algorithm *trial.Algorithm
	// Fix gives a drawn setting what does not vary. It may be nil. N is the number of processes if
	// that does not vary, else 0.
	Fix func(*trial.Setting)
	N   int
	// Least is the fewest processes that are drawn, up to 16; 0 is 1. A run that is shrunk may have fewer.
	Least int
	// Classes are the classes of faults to draw swarms of, as plans name them. Nil stands for those
	// that the model may allow, and for single faults; empty for none.
	Classes   []string
	Schedules Schedules // which runs follow one, where that is possible: see Walkable
	// OutsideModel: runs outside of the model of the algorithm count, too. Without it they are
	// passed over.
	OutsideModel bool
	Seed         uint64
	Settings     uint64          // the most that are drawn; 0 is no limit
	Over         func() bool     // reports whether the time is over; nil is no limit
	Failures     int             // ends after so many different ones; 0 is no limit
	Start        []trial.Setting // that come first, as they are, and are varied
	Workers      int             // 0 is all processors
	// Progress, if not nil, is called now and then, by one goroutine at a time.
	Progress func(*Report)
}

// Report is what a hunt has done so far.
type Report struct {
	Drawn    uint64 // settings
	Runs     uint64 // of these, those that were run; the others are outside of the model, or no settings
	Walks    uint64 // runs that followed a schedule
	Limited  uint64 // runs that ended at a limit
	Late     uint64 // settings that were not run to the end because a program did not answer, or did not start
	Found    []*Found
	Coverage Coverage
}

// Found is a failure, with the first run that showed it.
type Found struct {
	Failure search.Failure
	Detail  string         // the sentence of the check, or of the panic
	First   uint64         // the number of the setting, from 1
	Setting trial.Setting  // as drawn
	Shrunk  *search.Shrunk // the smallest run found that fails alike; nil if there was no time
	Needs   []string       // what that run, or without it the first one, has: kinds of faults, and what its links do
	Kind    []string       // of the changes that save that run, else Needs; failures of the same check and kind are one
	Inside  bool           // that run is inside the model
	// Explanation says why that run fails. It is nil if a handler panics, if a bound is broken, or if there was no
	// time.
	Explanation *reason.Explanation
	Times       uint64 // how many runs were taken for this failure
}

// perBatch is the number of settings that are drawn and run before what they showed is looked
// at. It is part of what a hunt finds.
const perBatch = 128

// mostSeeds is the largest number of settings that are kept to be varied.
const mostSeeds = 256

// mostEvents ends a run of a hunt. Longer runs are rare, and take the time of many others.
const mostEvents = 20_000

// linksMove is what a run has that has motion.
const linksMove = "links that come and go"

// mostLate ends a hunt whose programs do not answer: each costs the time for which one waits for it.
const mostLate = 3

// hunter is a hunt under way.
type hunter struct {
	*Hunt
	report  *Report
	late    atomic.Int64 // settings of programs that were late
	subject subject
	workers []trial.Worker
	walked  Schedules         // Schedules, or none if they are not possible
	seeds   []trial.Setting   // that are varied
	alike   map[string]*Found // by what is seen of a failing run before it is shrunk
	same    map[string]*Found // by the check that fails, and why
}

// Run hunts until its limits or the end of the context, which is no error.
func (h *Hunt) Run(ctx context.Context) *Report {
	workers := h.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	u := &hunter{
		Hunt: h, report: &Report{Coverage: newCoverage()}, subject: h.subject(), workers: make([]trial.Worker, workers),
		walked: h.Schedules, seeds: slices.Clone(h.Start), alike: map[string]*Found{}, same: map[string]*Found{},
	}
	if h.Walkable() != nil {
		u.walked = NoSchedules
	}
	for ctx.Err() == nil && !u.done() {
		batch := make([]try, perBatch)
		for i := range batch {
			batch[i] = u.draw(u.report.Drawn + uint64(i))
		}
		if h.Settings > 0 {
			batch = batch[:min(uint64(len(batch)), h.Settings-u.report.Drawn)]
		}
		u.run(ctx, batch)
		for i := range batch {
			if ctx.Err() != nil || u.Failures > 0 && len(u.report.Found) >= u.Failures {
				break
			}
			u.learn(ctx, &batch[i])
		}
		if h.Progress != nil {
			h.Progress(u.report)
		}
	}
	return u.report
}

func (u *hunter) done() bool {
	switch {
	case u.Settings > 0 && u.report.Drawn >= u.Settings, u.Failures > 0 && len(u.report.Found) >= u.Failures, u.late.Load() >= mostLate:
		return true
	}
	return u.report.Drawn >= uint64(len(u.Start)) && u.Over != nil && u.Over()
}

// try is one setting, and what its run showed.
type try struct {
	setting trial.Setting
	walk    *search.Search // whose steps it follows; nil for none
	run     bool           // it has run
	late    bool           // a program did not answer, or did not start
	result  summary
	seen    *seen
}

// summary is what is kept of a result.
type summary struct {
	failure search.Failure
	detail  string // "" without a failure
	limited bool
	kinds   []string // of the faults that were drawn
	needs   []string
	inside  bool // the model
}

// draw draws the setting of a number: one to start with, a variation of one that showed something
// new, or a new one.
func (u *hunter) draw(number uint64) try {
	if number < uint64(len(u.Start)) {
		return try{setting: u.Start[number]}
	}
	d := draw{Stream: des.NewStream(u.Seed, "hunt "+u.Algorithm.Name, number), algorithm: u.subject.algorithm, n: u.N, least: u.Least, classes: u.Classes}
	var s trial.Setting
	if len(u.seeds) > 0 && d.oneIn(2) {
		s = d.vary(u.seeds[d.Intn(len(u.seeds))])
	} else {
		s = d.setting()
	}
	walker, walks := u.walks(number)
	if walks {
		walker.walker(&s)
	}
	s.MaxEvents, s.OutsideModel = mostEvents, u.OutsideModel
	u.subject.plain(&s)
	if u.Fix != nil {
		u.Fix(&s)
	}
	t := try{setting: s}
	if walks {
		t.walk = walker.walk(s)
	}
	return t
}

// run runs the settings of a batch that are settings, and inside the model.
func (u *hunter) run(ctx context.Context, batch []try) {
	var next atomic.Int64
	var all sync.WaitGroup
	for i := range u.workers {
		all.Go(func() {
			for {
				k := next.Add(1) - 1
				if k >= int64(len(batch)) || ctx.Err() != nil || u.late.Load() >= mostLate {
					return
				}
				u.try(ctx, &u.workers[i], &batch[k])
			}
		})
	}
	all.Wait()
}

func (u *hunter) try(ctx context.Context, w *trial.Worker, t *try) {
	if t.walk != nil {
		walked, err := search.Walk(ctx, u.Registry, *t.walk)
		if err != nil {
			return
		}
		t.setting = walked
	}
	in, err := u.Registry.Instance(t.setting)
	if err != nil {
		return
	}
	t.seen = newSeen(in)
	r := w.Run(ctx, in, t.seen.tracer)
	if r.End == netem.Interrupted || ctx.Err() != nil {
		return
	}
	if r.Failed != nil && !r.Panicked() {
		u.late.Add(1)
		t.late = true
		return
	}
	t.run, t.result = true, summaryOf(r)
}

// summaryOf is what a result shows. A run that is not correct and breaks nothing has no failure:
// it may have ended too early.
func summaryOf(r *trial.Result) summary {
	s := summary{limited: r.End != netem.Quiescent && r.End != netem.Stopped && !r.Panicked(), needs: needsOf(r.Instance), inside: len(r.Instance.Outside) == 0}
	s.kinds = faultsOf(r.Instance.Setting.Schedule)
	if r.Instance.Motion != nil {
		s.kinds = append(s.kinds, linksMove)
	}
	for _, f := range r.Instance.Drawn {
		s.kinds = append(s.kinds, f.Kind.String())
	}
	slices.Sort(s.kinds)
	s.kinds = slices.Compact(s.kinds)
	switch failure := search.FailureOf(r); {
	case failure == search.Panics:
		s.failure, s.detail = failure, r.Failed.Error()
	case failure != "" && failure != search.Incorrect:
		i := slices.IndexFunc(r.Checks, func(c protocols.Check) bool { return c.Name == string(failure) })
		s.failure, s.detail = failure, r.Checks[i].Detail
	default:
		if err := r.BrokenBound(); err != nil {
			s.failure, s.detail = search.Bound, err.Error()
		}
	}
	return s
}

// learn takes note of what a run showed. It shrinks a run that fails unlike all before.
func (u *hunter) learn(ctx context.Context, t *try) {
	u.report.Drawn++
	if t.late {
		u.report.Late++
	}
	if !t.run {
		return
	}
	u.report.Runs++
	if t.walk != nil {
		u.report.Walks++
	}
	if t.result.limited {
		u.report.Limited++
	}
	if u.report.Coverage.add(t.seen, t.result.kinds, u.report.Drawn) && len(u.seeds) < mostSeeds {
		u.seeds = append(u.seeds, t.setting)
	}
	if t.result.detail == "" {
		return
	}
	key := fmt.Sprint(t.result.failure, t.result.needs)
	if known := u.alike[key]; known != nil {
		known.Times++
		return
	}
	found := u.found(ctx, t)
	why := fmt.Sprint(found.Failure, found.Kind)
	if known := u.same[why]; known != nil {
		known.Times++
		u.alike[key] = known
		return
	}
	u.alike[key], u.same[why] = found, found
	u.report.Found = append(u.report.Found, found)
}

// found is a failure with the smallest run that shows it.
func (u *hunter) found(ctx context.Context, t *try) *Found {
	f := &Found{
		Failure: t.result.failure, Detail: t.result.detail, First: u.report.Drawn, Setting: t.setting,
		Needs: t.result.needs, Inside: t.result.inside, Times: 1,
	}
	u.shrink(ctx, f)
	if f.Kind == nil {
		f.Kind = f.Needs
	}
	return f
}

// shrink finds the smallest run of a failure, and the reason of that.
func (u *hunter) shrink(ctx context.Context, f *Found) {
	shrunk, err := search.Shrink(ctx, u.Registry, f.Setting, f.Failure, nil)
	if err != nil { // interrupted
		return
	}
	in := shrunk.Result.Instance
	f.Shrunk, f.Needs, f.Inside = shrunk, needsOf(in), len(in.Outside) == 0
	if f.Failure == search.Panics || f.Failure == search.Bound {
		return
	}
	e := reason.Full.Of(string(f.Failure)).Explain(ctx, u.Registry, in)
	if ctx.Err() != nil {
		return
	}
	if f.Explanation = e; len(e.Reasons) > 0 {
		f.Kind = kindsOf(in, e.Reasons[0].Changes)
	}
}
