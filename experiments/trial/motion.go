package trial

import (
	"fmt"
	"time"

	"bullring/netem"
	"bullring/netem/motion"
)

// Moving is the part of an instance that says how links come and go besides its faults.
type Moving struct {
	Motion *motion.Motion // nil if they do not
}

// parseMotion reads how links come and go. read reads the file that the text names.
func parseMotion(text string, read readFile) (*motion.Motion, error) {
	return motion.Parse(text, func(name string) (content []byte, pinned string, err error) {
		content, _, pinned, err = readPinned("", name, read)
		return content, pinned, err
	})
}

// checkMotion checks how links come and go without a trial.
func checkMotion(text string, read readFile) error {
	if text == "" {
		return nil
	}
	_, err := parseMotion(text, read)
	return err
}

// readMotion reads how links come and go. A motion that never ends does not keep a run alive, so
// something else has to say how long the run is.
func readMotion(in *Instance, s *Setting) (err error) {
	if s.Motion == "" {
		return nil
	}
	m, err := parseMotion(s.Motion, in.files)
	if err != nil {
		return err
	}
	if err := m.Check(in.N); err != nil {
		return err
	}
	halts := in.Algorithm.Assumes.ConnectedRounds // whatever links do
	if m.Endless() && !halts && s.Until == "" && s.MaxTime == "" {
		return fmt.Errorf("motion %q never ends: say how long to watch, with --until, or when the run ends at the latest, with --max-time", m)
	}
	in.Motion, s.Motion = m, m.String()
	if round, ok := m.Rounds(); ok {
		return readRounds(in, round, s)
	}
	return nil
}

// readRounds has the processes take the rounds of the motion for theirs. Its links come when three quarters of a round
// are over.
func readRounds(in *Instance, round time.Duration, s *Setting) error {
	if !in.complete() {
		return fmt.Errorf("motion %q has links between any two processes, and the topology is %s; it needs complete", in.Motion, s.Topology)
	}
	if s.Assume == "" {
		s.Assume = round.String()
	}
	return nil
}

// changes are the changes of links in one run; nil if there are none.
func (m *Moving) changes(t netem.Topology, seed uint64) netem.Source {
	if m.Motion == nil {
		return nil
	}
	return m.Motion.Source(t, seed)
}
