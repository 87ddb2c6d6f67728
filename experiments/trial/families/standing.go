package families

import (
	"time"

	"bullring/experiments/trial"
	"bullring/protocols/election"
)

// Standing returns the metrics of where the leaders stand in their components, of an election whose promise has a
// criterion. They come behind those of [Agreement].
func Standing() []trial.Metric {
	return []trial.Metric{
		{Name: "best_here", Meaning: "share of live processes whose leader is the best of their component: by the criterion of the algorithm, or by rank; average over time", Axis: "processes with the best leader",
			Measure: standing(func(s *standings) (float64, bool) { return s.best / float64(s.last), s.last > 0 })},
		{Name: "leader_path", Meaning: "longest shortest path from a process to its leader over the diameter of the component: mean over the components with several processes and a leader of one of them, average over the time in which there are any", Axis: "path to the leader / diameter",
			Measure: standing(func(s *standings) (float64, bool) { return s.path / float64(s.connected), s.connected > 0 })},
	}
}

// standing is the measure of a run whose leaders were looked at.
func standing(measure func(*standings) (v float64, ok bool)) trial.Measure {
	return trial.JudgedBy(func(j *electionJudge) (float64, bool) {
		if j.run.standings == nil {
			return 0, false
		}
		return measure(j.run.standings)
	})
}

// standings measures where the leaders stood for how long. Shortest paths are looked for once in each span of time in
// which nothing changes, and not after each change.
type standings struct {
	checker *election.Checker

	last       time.Duration // until when it has measured
	best, path float64       // integrals over time, in nanoseconds
	connected  time.Duration // how long there was a path to be measured

	stale   bool // something has changed since it looked
	present position
}

// position is what there is at an instant.
type position struct {
	best, path float64 // a share of the live processes; a mean over components
	connected  bool
}

// passed adds the time until now, in which nothing has changed. It is called before a change.
func (s *standings) passed(now time.Duration) {
	span := now - s.last
	if span <= 0 {
		return
	}
	if s.last = now; s.stale {
		s.present, s.stale = positionOf(s.checker.Standings()), false
	}
	s.best += float64(float64(span) * s.present.best)
	if s.present.connected {
		s.path += float64(float64(span) * s.present.path)
		s.connected += span
	}
}

func positionOf(all []election.Standing) (p position) {
	live, best, measured := 0, 0, 0
	for _, s := range all {
		live, best = live+s.Live, best+s.Best
		if s.Diameter > 0 && s.Here > 0 {
			p.path += float64(s.Path) / float64(s.Diameter)
			measured++
		}
	}
	if live > 0 {
		p.best = float64(best) / float64(live)
	}
	if p.connected = measured > 0; p.connected {
		p.path /= float64(measured)
	}
	return p
}
