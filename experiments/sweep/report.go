package sweep

import (
	"slices"
	"time"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/protocols"
)

// Report is what there is to say of a sweep that has run.
type Report struct {
	Cells   int
	Trials  int  // that the sweep, or its shard, asks for, at most
	Done    int  // of them, from the first on
	Stored  int  // of these, that had run before
	Already bool // it was complete, and nothing was run
	// Outdated: the folder holds the same trials for an earlier version of the sweep, with
	// other labels, comparisons or figures. Run writes its files anew, without figures.
	Outdated bool
	Outside  int // of those done, outside the model of their algorithm
	Failed   int // of these, inside the model, and a check is violated all the same
	// CutOff is how many ended at a limit, inside the model.
	CutOff int
	// FirstFailed is the row of the first of the failed, 0 for none.
	FirstFailed int
	Outcomes    []Count
	Checks      []CheckCount
	Files       []string // written, by name
}

// Progress is how far a sweep is.
type Progress struct {
	Done, Trials int  // Trials: at most, unless Fixed
	Fixed        bool // how many trials there are does not depend on how they come out
	Stored       int  // of those done, that had run before
	Cells        int
	CellsDone    int
	Elapsed      time.Duration
	Outcomes     []Count // of the trials that were looked at, in order
	Failed       int     // of these, inside the model, and a check is violated
	CutOff       int     // of these, ended at a limit, inside the model
}

// progressEvery is the shortest time between two calls of Sweep.Progress.
const progressEvery = 100 * time.Millisecond

// Count is how often something was so.
type Count struct {
	Name  string
	Times int
}

// CheckCount is how often a check came out how.
type CheckCount struct {
	Name                       string
	Holds, Violated, Undecided int
	NotPromised                int
}

func (c *CheckCount) add(v protocols.Verdict) {
	switch v {
	case protocols.Holds:
		c.Holds++
	case protocols.Violated:
		c.Violated++
	case protocols.NotPromised:
		c.NotPromised++
	default:
		c.Undecided++
	}
}

// tally counts what there is to say of trials.
type tally struct {
	layout results.Layout

	done        int
	outside     int
	failed      int // inside the model
	firstFailed int // the number of the first of them
	cutOff      int // inside the model
	outcomes    map[experiments.Outcome]int
	checks      []CheckCount // as layout.checks
}

func newTally(l results.Layout) *tally {
	t := &tally{layout: l, outcomes: map[experiments.Outcome]int{}}
	for _, name := range l.Checks {
		t.checks = append(t.checks, CheckCount{Name: name})
	}
	return t
}

func (t *tally) add(s *results.Sample) {
	t.done++
	t.outcomes[s.Outcome]++
	switch {
	case s.Outside:
		t.outside++
	case slices.Contains(s.Verdicts, protocols.Violated):
		t.failed++
		if t.failed == 1 {
			t.firstFailed = t.done
		}
	case s.Outcome == experiments.Unfinished:
		t.cutOff++
	}
	for i, name := range s.Algorithm.Checks {
		for j := range t.checks {
			if t.checks[j].Name == name {
				t.checks[j].add(s.Verdicts[i])
			}
		}
	}
}

// counts are the outcomes that there were.
func (t *tally) counts() []Count {
	var list []Count
	for _, outcome := range t.layout.Outcomes {
		if t.outcomes[outcome] > 0 {
			list = append(list, Count{string(outcome), t.outcomes[outcome]})
		}
	}
	return list
}

// report is what there is to say of these trials.
func (t *tally) report(cells, trials int) *Report {
	return &Report{
		Cells: cells, Trials: trials, Done: t.done,
		Outside: t.outside, Failed: t.failed, FirstFailed: t.firstFailed, CutOff: t.cutOff,
		Outcomes: t.counts(), Checks: t.checks,
	}
}
