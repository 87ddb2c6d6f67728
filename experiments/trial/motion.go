package trial

import (
	"fmt"

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
	if m.Endless() && s.Until == "" && s.MaxTime == "" {
		return fmt.Errorf("motion %q never ends: say how long to watch, with --until, or when the run ends at the latest, with --max-time", m)
	}
	in.Motion, s.Motion = m, m.String()
	return nil
}

// changes are the changes of links in one run; nil if there are none.
func (m *Moving) changes(t netem.Topology, seed uint64) netem.Source {
	if m.Motion == nil {
		return nil
	}
	return m.Motion.Source(t, seed)
}
