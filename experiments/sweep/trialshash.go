package sweep

import (
	"bullring/experiments"
	"bullring/experiments/results"
)

// trialsHash is that of the sweep. It is computed once.
func (s *Sweep) trialsHash() string {
	if s.trials == "" {
		s.trials = results.TrialsHash(s.Spec, s.Spec.Cells())
	}
	return s.trials
}

// trialsOf is the hash of what decides the trials of an attempt; "" if its sweep cannot
// be read. Earlier versions did not record it.
func trialsOf(r *experiments.Registry, a *attempt) string {
	if a.Trials != "" {
		return a.Trials
	}
	s, err := attemptSweep(r, a)
	if err != nil {
		return ""
	}
	return s.trialsHash()
}
