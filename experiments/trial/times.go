package trial

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/netem"
)

// Times are the part of an instance that says how long its parts take, and when it ends.
type Times struct {
	Assumed    time.Duration // the bound on delay that the algorithm assumes; above 0
	Processing time.Duration
	MaxTime    des.Time
	Until      des.Time
	Forks      []netem.Fork  // events from which on the run draws from other streams
	Tick       time.Duration // the step of time: 1ns, or that of SetTick; 0 if timers are free and there are no clocks
}

// readTimes reads the times of a trial over these links.
func (t *Times) readTimes(s *Setting, over *Links) (err error) {
	if err := t.readAssumed(s.Assume, over); err != nil {
		return err
	}
	if err := ReadDuration("processing time", s.Processing, &t.Processing); err != nil {
		return err
	}
	t.Assumed = max(t.Assumed, 1) // timeouts are multiples of the bound, and must be above 0
	if s.MaxEvents == 0 {
		s.MaxEvents = DefaultMaxEvents
	}
	t.MaxTime = lastInstant
	if s.MaxTime != "" {
		d, err := time.ParseDuration(s.MaxTime)
		if err != nil || d <= 0 || d > time.Duration(lastInstant) {
			return fmt.Errorf("time limit %q is not a positive duration up to %v", s.MaxTime, lastInstant)
		}
		t.MaxTime = des.Time(d)
	}
	if t.Forks, err = netem.ParseForks(s.Forks); err != nil {
		return err
	}
	s.Forks = netem.ForksText(t.Forks)
	return ReadDuration("end of observation", s.Until, (*time.Duration)(&t.Until))
}

// readAssumed reads the bound on delay that the algorithm assumes: a duration, or a quantile
// of the delays on the slowest link.
func (t *Times) readAssumed(text string, over *Links) error {
	u, quantile, err := parseQuantile(text)
	if err != nil {
		return err
	}
	if !quantile {
		t.Assumed = over.longestDelay()
		return ReadDuration("assumed bound on delay", text, &t.Assumed)
	}
	t.Assumed = over.Delay.Quantile(u)
	for _, l := range over.Lines {
		t.Assumed = max(t.Assumed, over.whole(l.Line).Quantile(u))
	}
	return nil
}

// parseQuantile reads pP, the delay that P percent of the messages do not exceed. It returns
// P as a fraction of 2^64. ok is false if the text does not begin with p.
func parseQuantile(text string) (u uint64, ok bool, err error) {
	percent, ok := strings.CutPrefix(text, "p")
	if !ok {
		return 0, false, nil
	}
	p, err := des.ParseProbability(percent + "%")
	if err != nil || p == des.Never || p == des.Always {
		return 0, true, fmt.Errorf("assumed bound on delay %q: a quantile takes a percentage between 0 and 100, such as p50 or p99.9", text)
	}
	return uint64(p) << 1, true, nil
}

// checkAssumed checks a bound on delay without its trial.
func checkAssumed(text string) error {
	if _, quantile, err := parseQuantile(text); quantile {
		return err
	}
	var d time.Duration
	return ReadDuration("assumed bound on delay", text, &d)
}

// SetTick sets Tick to the step in which time passes with these timers. grain is the number
// of steps of time in the bound on delay.
func (t *Times) SetTick(timers string, grain int) {
	t.Tick = 0
	if timers == BoundedTimers {
		t.Tick = t.Assumed / time.Duration(grain)
	}
}

// ReadDuration reads a duration into value. An empty text leaves value as it is.
func ReadDuration(name, text string, value *time.Duration) error {
	if text == "" {
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > des.MaxDuration {
		return fmt.Errorf("%s %q is not a duration from 0s to %v", name, text, des.MaxDuration)
	}
	*value = d
	return nil
}

// lastInstant, 73 years, is the default time limit. No delay or timer that begins before it
// ends after the last instant that can be scheduled. A million processes that each take
// twelve hours to pass a message on would otherwise get there.
const lastInstant = des.Time(640_000 * time.Hour)
