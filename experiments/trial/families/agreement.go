package families

import (
	"time"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Agreement returns the metrics of an election in a network whose links come and go. Published shares of
// time "with a leader" differ in what they count, so there are three of them, each with its interval within
// the run.
func Agreement() []trial.Metric {
	return []trial.Metric{
		average("with_leader", "share of live processes that have a leader, wherever it is and whether or not it lives: average over time", "processes with a leader", func(a *agreement) float64 { return a.withLeader }),
		average("leader_here", "share of live processes whose leader is alive and in their component of the graph: average over time", "processes whose leader is here", func(a *agreement) float64 { return a.leaderHere }),
		average("agreed", "share of time in which each component had exactly one live leader, which all of it followed", "time in agreement", func(a *agreement) float64 { return a.agreed }),
		within("with_leader", func(a *agreement) *batchMeans { return &a.batches[0] }),
		within("leader_here", func(a *agreement) *batchMeans { return &a.batches[1] }),
		within("agreed", func(a *agreement) *batchMeans { return &a.batches[2] }),
		average("components", "number of components of the live processes: average over time", "components", func(a *agreement) float64 { return a.components }),
		{Name: "elections", Unit: "elections", Meaning: "how often a process began to take itself for the leader", Axis: "elections",
			Measure: agreeing(func(a *agreement) (float64, bool) { return float64(a.elections), true })},
		{Name: "changes", Unit: "changes", Meaning: "how often a link came or went", Axis: "changes of links",
			Measure: agreeing(func(a *agreement) (float64, bool) { return float64(a.changes), true })},
		{Name: "agreement_time", Unit: trial.Units, Meaning: "mean time from the end of an agreement of all components to the next one; none if no agreement ended and was followed by another", Axis: "time to agree again",
			Measure: trial.TimedBy(func(j *electionJudge) (time.Duration, bool) {
				a := j.run.agreement
				if a == nil || a.agreements == 0 {
					return 0, false
				}
				return a.apart / time.Duration(a.agreements), true
			})},
	}
}

// average is the metric of an integral over time, divided by the time.
func average(name, meaning, axis string, integral func(*agreement) float64) trial.Metric {
	return trial.Metric{Name: name, Meaning: meaning, Axis: axis,
		Measure: agreeing(func(a *agreement) (float64, bool) {
			return integral(a) / float64(a.last), a.last > 0
		})}
}

// within is the metric of how far an average may be off.
func within(name string, of func(*agreement) *batchMeans) trial.Metric {
	return trial.Metric{Name: name + "_half", Meaning: "half of the 95 % interval of " + name + ", by the means of 20 to 39 batches of the run; none if it is too short", Axis: "half of the interval of " + name,
		Measure: agreeing(func(a *agreement) (float64, bool) { return of(a).half() })}
}

// agreeing is the measure of a run that was judged in each component.
func agreeing(measure func(*agreement) (v float64, ok bool)) trial.Measure {
	return trial.JudgedBy(func(j *electionJudge) (float64, bool) {
		if j.run.agreement == nil {
			return 0, false
		}
		return measure(j.run.agreement)
	})
}

// agreement measures who had which leader for how long.
type agreement struct {
	checker *election.Checker

	last                                       time.Duration // until when it has measured
	withLeader, leaderHere, agreed, components float64       // integrals over time, in nanoseconds
	batches                                    [3]batchMeans // of the first three
	present                                    sight         // since then

	elections, changes, agreements int
	ended                          time.Duration // the last agreement, if there was one
	apart                          time.Duration // between agreements, in total
}

// sight is what an observer of the whole network sees at an instant.
type sight struct {
	withLeader, leaderHere float64 // shares of the live processes
	agreed                 bool
	components             int
}

// advance adds the time until now, in which nothing has changed.
func (a *agreement) advance(now time.Duration) {
	for i, v := range [...]float64{a.present.withLeader, a.present.leaderHere, oneIf(a.present.agreed)} {
		a.batches[i].add(now-a.last, v)
	}
	span := float64(now - a.last)
	a.last = now
	a.withLeader += float64(span * a.present.withLeader)
	a.leaderHere += float64(span * a.present.leaderHere)
	a.agreed += float64(span * oneIf(a.present.agreed))
	a.components += float64(span * float64(a.present.components))
}

// conclude adds the time until the end of a run: until it came to rest, but not before the time up to which it is
// watched, or was cut off.
func (a *agreement) conclude(r *trial.Result, now time.Duration) {
	if r.End == netem.Quiescent {
		now = time.Duration(max(r.Time, r.Instance.Until))
	}
	a.advance(max(now, a.last))
}

// changed looks again, after something has changed.
func (a *agreement) changed(now time.Duration) {
	a.advance(now)
	was := a.present.agreed
	a.present = see(a.checker.Components())
	switch is := a.present.agreed; {
	case was && !is:
		a.ended = now
	case is && !was && a.ended > 0:
		a.apart += now - a.ended
		a.agreements++
	}
}

// see sums components up.
func see(all []election.Component) (s sight) {
	live, decided, here := 0, 0, 0
	s.agreed, s.components = true, len(all)
	for _, c := range all {
		live, decided, here = live+c.Live, decided+c.Decided, here+c.Here
		s.agreed = s.agreed && c.Agreed
	}
	if live > 0 {
		s.withLeader, s.leaderHere = float64(decided)/float64(live), float64(here)/float64(live)
	}
	return s
}

// neighborsOf tells the neighbours of each process of an instance whose links are all there.
func neighborsOf(in *trial.Instance) func(protocols.ID) []protocols.ID {
	return func(p protocols.ID) []protocols.ID { return netem.NeighborsOf(in.Topology, p) }
}

// localOutcome is the outcome of an election that has a leader in each component.
func localOutcome(all []election.Component) trial.Outcome {
	outcome := Elected
	for _, c := range all {
		switch {
		case c.Leaders == 0:
			return NoLeader
		case c.Leaders > 1:
			outcome = SeveralLeaders
		}
	}
	return outcome
}
