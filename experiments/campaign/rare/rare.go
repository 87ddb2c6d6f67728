package rare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"bullring/experiments/campaign/stats"
	"bullring/experiments/trial"
)

// Question asks for the probability of an event, over all seeds.
type Question struct {
	Registry *trial.Registry
	Setting  trial.Setting // its seed decides what is drawn
	Level    trial.Level
	Reach    int64   // the event is that the level gets as high as that; 0 if it is that Check is violated
	Check    string  // the name of a check
	Levels   []int64 // rising; nil lets a pilot choose them, and without any the runs are plain ones

	Method      Method
	Effort      int // runs a level; under Restart those that begin
	Repetitions int
	Workers     int // 0 is all processors
	// Progress is told how far the repetitions are, and may be nil.
	Progress func(*Report)
}

// Method says how many parts of runs go on from a level.
type Method string

// The methods. The zero value is FixedEffort.
const (
	FixedEffort Method = "effort"  // as many at each level
	Restart     Method = "restart" // as many of each run that comes to it (Villén-Altamirano & Villén-Altamirano, ITC-13 1991)
)

// Methods are their names, the default first.
var Methods = []string{string(FixedEffort), string(Restart)}

// Report is what is known of the probability.
type Report struct {
	Question    *Question
	Levels      []int64      // between the start and the event
	Factors     []int        // into how many parts each level splits a run; nil unless under Restart
	Repetitions []Repetition // those that were completed
	Cost        Cost
	Example     *trial.Result // a run in which the event happens, to its end; nil if none was found
}

// Repetition is one estimate, independent of the others.
type Repetition struct {
	Estimate  float64
	Runs      []int // that began at the start and at each level
	Survivors []int // of these, those that came to the next level or, last, to the event
}

// Cost is what an estimate has cost.
type Cost struct {
	Runs, Events uint64
	Limited      uint64 // runs that ended at a limit before they came to their level
}

// Ask estimates the probability. It ends early with the context; then the report has the repetitions
// that were completed.
func (q *Question) Ask(ctx context.Context) (*Report, error) {
	r := &Report{Question: q}
	w, err := q.walkers(ctx, &r.Cost)
	if err != nil {
		return nil, err
	}
	s := &splitter{seed: q.Setting.Seed, effort: q.Effort, goal: q.Reach, levels: slices.Clone(q.Levels), walk: w.all}
	if s.levels == nil {
		err = s.pilot()
	}
	if err == nil && q.Method == Restart && len(s.levels) > 0 {
		err = s.chooseFactors()
	}
	r.Levels, r.Factors = s.levels, s.factors
	var found *particle
	for k := 1; err == nil && k <= q.Repetitions; k++ {
		var one Repetition
		var rare *particle
		if one, rare, err = s.repeat(uint64(k)); err != nil {
			break
		}
		r.Repetitions = append(r.Repetitions, one)
		if found == nil {
			found = rare
		}
		if q.Progress != nil {
			q.Progress(r)
		}
	}
	if found != nil {
		if failed := w.example(found, r); failed != nil {
			return nil, failed
		}
	}
	if ctx.Err() != nil {
		return r, nil
	}
	return r, err
}

// checkedEvents are the first events of a run, in which Sound looks for the level.
const checkedEvents = 1 << 10

// Sound returns an error if the question cannot be asked: its setting has no such level or check, or forks,
// a schedule or programs. It runs the first events of one run.
func (q *Question) Sound(ctx context.Context) error {
	first := *q
	first.Setting.MaxEvents, first.Workers = checkedEvents, 1
	_, err := first.walkers(ctx, &Cost{})
	return err
}

// Summary has the mean of the repetitions, which is the estimate, and its 95 % interval within 0 and 1.
func (r *Report) Summary() stats.Summary {
	all := make([]float64, len(r.Repetitions))
	for i, one := range r.Repetitions {
		all[i] = one.Estimate
	}
	s := stats.Summarize(all)
	s.Lo, s.Hi = max(0, s.Lo), min(1, s.Hi)
	return s
}

// HasInterval reports whether there is an interval: if no run came to the event, all estimates are 0 and
// have no spread.
func (r *Report) HasInterval() bool {
	s := r.Summary()
	return s.HasInterval() && s.Mean > 0
}

// RelativeError is the standard error of the estimate, as a share of it. ok is false if it is not known.
func (r *Report) RelativeError() (share float64, ok bool) {
	s := r.Summary()
	return s.SD / math.Sqrt(float64(s.N)) / s.Mean, r.HasInterval()
}

// PlainRuns is the number of plain runs whose estimate has the same relative error. ok is false if that
// is not known, or 0.
func (r *Report) PlainRuns() (runs float64, ok bool) {
	share, ok := r.RelativeError()
	if !ok || share == 0 {
		return 0, false
	}
	p := r.Summary().Mean
	return (1 - p) / p / (share * share), true
}

// Stage is what the repetitions say of a level, or of the event.
type Stage struct {
	Level     int64   // 0 for a check
	Reached   float64 // the estimated probability that a run comes to it
	Of        float64 // of the runs from the level before, the share that came to it
	Survivors float64 // runs a repetition that came to it
	Parts     int     // into which each is split under Restart; else 0
}

// Stages has the levels and then the event.
func (r *Report) Stages() []Stage {
	all := make([]Stage, len(r.Levels)+1)
	before := 1.0
	for k := range all {
		if all[k].Level = r.Question.Reach; k < len(r.Levels) {
			all[k].Level = r.Levels[k]
			if r.Factors != nil {
				all[k].Parts = r.Factors[k]
			}
		}
		for _, one := range r.Repetitions {
			product := 1.0
			for i, survivors := range one.Survivors[:min(k+1, len(one.Survivors))] {
				product *= float64(survivors) / float64(one.Runs[i])
			}
			all[k].Reached += product / float64(len(r.Repetitions))
			if k < len(one.Survivors) {
				all[k].Survivors += float64(one.Survivors[k]) / float64(len(r.Repetitions))
			}
		}
		if before > 0 {
			all[k].Of = all[k].Reached / before
		}
		before = all[k].Reached
	}
	return all
}

// What makes an estimate doubtful.
const (
	fewSurvivors = 10  // of a level
	wideSpread   = 100 // between the largest and the smallest repetition that is not 0
)

// Doubts says in words why the interval may promise too much.
func (r *Report) Doubts() (doubts []string) {
	doubt := func(format string, args ...any) { doubts = append(doubts, fmt.Sprintf(format, args...)) }
	zero, least, most := 0, math.Inf(1), 0.0
	for _, one := range r.Repetitions {
		if one.Estimate == 0 {
			zero++
			continue
		}
		least, most = min(least, one.Estimate), max(most, one.Estimate)
	}
	switch all := len(r.Repetitions); {
	case all == 0:
		return nil
	case zero == all:
		doubt("no run came to the event, so its probability has no upper bound here")
	case zero > 0:
		doubt("in %d of %d repetitions no run came to the event: more runs a level are needed, or other levels", zero, all)
	}
	if most >= wideSpread*least {
		doubt("the repetitions differ by orders of magnitude, from %.1e to %.1e: the mean hangs on few of them", least, most)
	}
	if few := r.coarse(); len(few) > 0 {
		doubt("too coarse: fewer than %d runs a repetition come to %s", fewSurvivors, strings.Join(few, ", "))
	}
	if r.Cost.Limited > 0 {
		doubt("%d runs ended at a limit, and count as if they never came to their level", r.Cost.Limited)
	}
	return doubts
}

// coarse names the stages to which few runs came. They are rare after the stage before them.
func (r *Report) coarse() (names []string) {
	for _, s := range r.Stages() {
		if s.Survivors < fewSurvivors {
			names = append(names, r.Name(s))
		}
	}
	return names
}

// Name is the name of a stage.
func (r *Report) Name(s Stage) string {
	if s.Level == 0 {
		return r.Question.Check + " violated"
	}
	return string(r.Question.Level) + " " + r.Question.Level.Text(s.Level)
}
