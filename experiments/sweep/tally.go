package sweep

import (
	"slices"

	"bullring/experiments"
	"bullring/experiments/results"
	"bullring/protocols"
)

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
