package sweep

import (
	"slices"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// Report describes a sweep that has run.
type Report struct {
	Cells   int
	Trials  int  // of the sweep or its shard, at most
	Done    int  // trials that have run, from the first on
	Stored  int  // of Done, those that had run before
	Already bool // the sweep was complete, and no trial ran
	// Outdated: the folder holds the same trials for an earlier version of the sweep, with
	// other labels, comparisons or figures. Run writes the files again, without figures.
	Outdated bool
	Growth   *Growth // what became of the trials of an earlier version; nil if there is none
	Outside  int     // of Done, those outside the model
	Failed   int     // of Done, those inside the model that violate a check
	// CutOff is the number of trials inside the model that ended at a limit.
	CutOff int
	// Inconclusive is the number of trials in which a program did not answer in time.
	Inconclusive int
	// FirstFailed is the row of the first failed trial; 0 if none failed.
	FirstFailed int
	Outcomes    []Count
	Checks      []CheckCount
	Files       []string // written, by name
}

// Progress says how far a sweep is.
type Progress struct {
	Done, Trials int  // Trials: at most, unless Fixed
	Fixed        bool // no stopping rule decides the number of trials
	Stored       int  // of Done, those that had run before
	Cells        int
	CellsDone    int
	Elapsed      time.Duration
	Outcomes     []Count // of the trials so far, in the order of the sweep
	Failed       int     // of these, those inside the model that violate a check
	CutOff       int     // of these, those inside the model that ended at a limit
}

// progressEvery is the shortest time between two calls of Sweep.Progress.
const progressEvery = 100 * time.Millisecond

// Count is how often an outcome occurred.
type Count struct {
	Name  string
	Times int
}

// CheckCount is how often a check had each verdict.
type CheckCount struct {
	Name                       string
	Holds, Violated, Undecided int
	NotPromised                int
}

// add counts a verdict.
func (c *CheckCount) add(v protocols.Verdict) { c.addAll(v, 1) }

// addAll counts so many verdicts.
func (c *CheckCount) addAll(v protocols.Verdict, n int) {
	switch v {
	case protocols.Holds:
		c.Holds += n
	case protocols.Violated:
		c.Violated += n
	case protocols.NotPromised:
		c.NotPromised += n
	default:
		c.Undecided += n
	}
}

// tally counts outcomes and verdicts of trials.
type tally struct {
	layout results.Layout

	done        int
	outside     int
	failed      int // inside the model
	firstFailed int // row of the first of them
	cutOff      int // inside the model
	late        int // inconclusive
	outcomes    map[trial.Outcome]int
	checks      []CheckCount // as layout.Checks
}

func newTally(l results.Layout) *tally {
	t := &tally{layout: l, outcomes: map[trial.Outcome]int{}}
	for _, name := range l.Checks {
		t.checks = append(t.checks, CheckCount{Name: name})
	}
	return t
}

func (t *tally) add(s *results.Sample) {
	t.done++
	t.outcomes[s.Outcome]++
	if s.Outcome == trial.Inconclusive {
		t.late++
	}
	switch {
	case s.Outside:
		t.outside++
	case slices.Contains(s.Verdicts, protocols.Violated):
		t.failed++
		if t.failed == 1 {
			t.firstFailed = t.done
		}
	case s.Outcome == trial.Unfinished:
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

// addDigest adds trials that have no rows. before is the number of trials of earlier cells.
func (t *tally) addDigest(before int, d *results.Digest) {
	t.done += d.Trials
	t.outside += d.Outside
	if d.Failed > 0 && t.failed == 0 {
		t.firstFailed = before + d.FirstFailed
	}
	t.failed += d.Failed
	t.cutOff += d.CutOff
	t.late += d.Inconclusive
	for outcome, n := range d.Outcomes {
		t.outcomes[outcome] += n
	}
	for i := range t.checks {
		for v, n := range d.Verdicts[t.checks[i].Name] {
			t.checks[i].addAll(protocols.Verdict(v), n)
		}
	}
}

// counts are the outcomes that occurred.
func (t *tally) counts() []Count {
	var list []Count
	for _, outcome := range t.layout.Outcomes {
		if t.outcomes[outcome] > 0 {
			list = append(list, Count{string(outcome), t.outcomes[outcome]})
		}
	}
	return list
}

// report returns the counts as a report.
func (t *tally) report(cells, trials int) *Report {
	return &Report{
		Cells: cells, Trials: trials, Done: t.done,
		Outside: t.outside, Failed: t.failed, FirstFailed: t.firstFailed, CutOff: t.cutOff, Inconclusive: t.late,
		Outcomes: t.counts(), Checks: t.checks,
	}
}
