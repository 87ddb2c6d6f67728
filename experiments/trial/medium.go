package trial

import (
	"fmt"
	"slices"

	"bullring/faults"
	"bullring/netem/medium"
)

// checkMedium checks the medium without a trial.
func checkMedium(text string) error {
	if text == "" {
		return nil
	}
	_, err := medium.Parse(text)
	return err
}

// readMedium reads the medium that processes share. On it, links do nothing but delay.
func readMedium(in *Instance, s *Setting) (err error) {
	if s.Medium == "" {
		return nil
	}
	if in.Medium, err = medium.Parse(s.Medium); err != nil {
		return err
	}
	s.Medium = in.Medium.String()
	switch {
	case s.Link != "":
		return fmt.Errorf("medium %q with link %q: processes that share a medium have no links of their own that lose messages or have a rate; --delay says how long a signal takes", s.Medium, s.Link)
	case in.Delta > 0:
		return fmt.Errorf("medium %q with bound on delay (delta) %v: transmissions collide at any time", s.Medium, in.Delta)
	}
	return nil
}

// Energy is that of the bits sent and heard over the medium, in joules. ok is false without a medium.
func (r *Result) Energy() (joules float64, ok bool) {
	radio := r.Instance.Medium
	if radio == nil {
		return 0, false
	}
	return radio.Energy(r.Counters.BitsAired, r.Counters.BitsHeard), true
}

// checkAired refuses faults that change links, or may, if processes share a medium.
func checkAired(in *Instance) error {
	i := slices.IndexFunc(in.Plan, func(f faults.Fault) bool { return faults.Plan{f}.Effects().Links })
	if in.Medium == nil || i < 0 {
		return nil
	}
	return fmt.Errorf("medium %q with fault %q: processes that share a medium have no links of their own that could do something else", in.Medium, in.Plan[i])
}
