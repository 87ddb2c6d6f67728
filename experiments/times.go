package experiments

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
)

func (in *Instance) readTimes(s *Setting) error {
	in.FIFO = !s.Unordered
	if err := in.readAssumed(s.Assume); err != nil {
		return err
	}
	if err := ReadDuration("processing time", s.Processing, &in.Processing); err != nil {
		return err
	}
	in.Assumed = max(in.Assumed, 1) // timeouts are multiples of the bound, and must be above 0
	if s.MaxEvents == 0 {
		s.MaxEvents = DefaultMaxEvents
	}
	in.MaxTime = lastInstant
	if s.MaxTime != "" {
		d, err := time.ParseDuration(s.MaxTime)
		if err != nil || d <= 0 || d > time.Duration(lastInstant) {
			return fmt.Errorf("time limit %q is not a positive duration up to %v", s.MaxTime, lastInstant)
		}
		in.MaxTime = des.Time(d)
	}
	return ReadDuration("end of observation", s.Until, (*time.Duration)(&in.Until))
}

// readAssumed reads the bound on delay that the algorithm assumes: a duration, or a quantile
// of the delays on the slowest link.
func (in *Instance) readAssumed(text string) error {
	u, quantile, err := parseQuantile(text)
	if err != nil {
		return err
	}
	if !quantile {
		in.Assumed = in.longestDelay()
		return ReadDuration("assumed bound on delay", text, &in.Assumed)
	}
	in.Assumed = in.Delay.Quantile(u)
	for _, l := range in.Lines {
		in.Assumed = max(in.Assumed, in.whole(l.Line).Quantile(u))
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

// unboundedAssumed is the assumed bound if delays have none, in means. An exponential delay
// exceeds it once in 150 messages.
const unboundedAssumed = 5

// lastInstant, 73 years, is the default time limit. No delay or timer that begins before it
// ends after the last instant that can be scheduled. A million processes that each take
// twelve hours to pass a message on would otherwise get there.
const lastInstant = des.Time(640_000 * time.Hour)

// longestDelay is the bound on the delay of a message. Without a bound it is
// unboundedAssumed times the mean.
func (in *Instance) longestDelay() time.Duration {
	if in.synchronous() {
		return in.Delta
	}
	_, longest, bounded := in.Delay.Bounds()
	if !bounded {
		longest = unboundedAssumed * in.Delay.Mean()
	}
	for _, l := range in.Lines {
		line := in.whole(l.Line)
		_, most, bounded := line.Bounds()
		if !bounded {
			most = unboundedAssumed * line.Mean()
		}
		longest = max(longest, most)
	}
	return longest
}
