package detector

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Method says how to choose the deadline of the next heartbeat.
type Method uint8

// The three methods.
const (
	Heartbeat Method = iota // a constant time after the last heartbeat
	Adaptive                // the estimated arrival, plus a margin
	Phi                     // the instant at which its absence has become improbable
)

var methodNames = [...]string{"heartbeat", "adaptive", "phi"}

// String is the word for the method in a text.
func (m Method) String() string { return methodNames[m] }

// Config is a failure detector as a value. Its text is heartbeat(PERIOD,TIMEOUT),
// adaptive(PERIOD,MARGIN) or phi(PERIOD,THRESHOLD). Fields of other methods are
// zero.
type Config struct {
	Method Method
	// Period is the time between two heartbeats; positive.
	Period time.Duration
	// Timeout, with Heartbeat, is the longest silence of a neighbour; at least Period.
	// If it exceeds Period by the largest difference between two delays, no process is
	// suspected wrongly.
	Timeout time.Duration
	// Margin, with Adaptive, is the longest delay of a heartbeat after its expected
	// arrival (alpha); positive.
	Margin time.Duration
	// Threshold, with Phi, is the phi at which a neighbour is suspected. If intervals
	// are normally distributed, a live neighbour is suspected with a probability of
	// 10^-Threshold a heartbeat. Above 0, at most MaxThreshold.
	Threshold float64
	// Window, with Adaptive and Phi, is the number of heartbeats in the estimate; 0 is
	// 100.
	Window int
	// Deviation, with Phi, is a lower bound on the estimated standard deviation of
	// intervals; 0 is Period/10.
	Deviation time.Duration
	// First is the time within which the first heartbeat must come after the boot of
	// the observer, and with Phi also the second after the first; 0 is Timeout, or 10
	// periods with the other methods.
	First time.Duration
}

// The limits of a configuration.
const (
	Longest      = 12 * time.Hour // of any duration
	MaxThreshold = 300
	MaxWindow    = 10_000
)

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	if err := c.problem(); err != nil {
		return fmt.Errorf("detector: %w", err)
	}
	return nil
}

func (c Config) problem() error {
	if c.Method > Phi {
		return fmt.Errorf("no method %d", c.Method)
	}
	return cmp.Or(
		c.duration("PERIOD", c.Period, true, true),
		c.duration("TIMEOUT", c.Timeout, c.Method == Heartbeat, true),
		c.duration("MARGIN", c.Margin, c.Method == Adaptive, true),
		c.duration("deviation", c.Deviation, c.Method == Phi, false),
		c.duration("first", c.First, true, false),
		c.numbers(),
	)
}

// duration checks one of the durations. has: the method has it; must: it is required.
func (c Config) duration(name string, d time.Duration, has, must bool) error {
	switch {
	case !has && d != 0:
		return fmt.Errorf("%s has no %s, which is %v", c.Method, name, d)
	case d < 0 || d > Longest || has && must && d == 0:
		return fmt.Errorf("%s of %s is %v, and must be above 0 and at most %v", name, c.Method, d, Longest)
	}
	return nil
}

// numbers checks the rest.
func (c Config) numbers() error {
	switch {
	case c.Method == Heartbeat && c.Timeout < c.Period:
		return fmt.Errorf("TIMEOUT of heartbeat is %v, less than PERIOD, %v: every process would be suspected between two heartbeats", c.Timeout, c.Period)
	case c.Method == Phi && !(c.Threshold > 0 && c.Threshold <= MaxThreshold):
		return fmt.Errorf("THRESHOLD of phi is %v, and must be above 0 and at most %v", c.Threshold, MaxThreshold)
	case c.Method != Phi && c.Threshold != 0:
		return fmt.Errorf("%s has no THRESHOLD, which is %v", c.Method, c.Threshold)
	case c.Method == Heartbeat && c.Window != 0:
		return fmt.Errorf("heartbeat has no window, which is %d", c.Window)
	case c.Window < 0 || c.Window > MaxWindow:
		return fmt.Errorf("window of %s is %d, and must be 1 to %d", c.Method, c.Window, MaxWindow)
	}
	return nil
}

// complete replaces zeros by the values that they stand for.
func (c Config) complete() Config {
	if c.Window == 0 {
		c.Window = 100
	}
	if c.Deviation == 0 {
		c.Deviation = c.Period / 10
	}
	switch {
	case c.First != 0:
	case c.Method == Heartbeat:
		c.First = c.Timeout
	default:
		c.First = 10 * c.Period
	}
	return c
}

// String prints the configuration as Parse reads it.
func (c Config) String() string {
	words := []string{c.Period.String()}
	switch c.Method {
	case Heartbeat:
		words = append(words, c.Timeout.String())
	case Adaptive:
		words = append(words, c.Margin.String())
	case Phi:
		words = append(words, strconv.FormatFloat(c.Threshold, 'g', -1, 64))
	}
	if c.Window != 0 {
		words = append(words, "window="+strconv.Itoa(c.Window))
	}
	if c.Deviation != 0 {
		words = append(words, "deviation="+c.Deviation.String())
	}
	if c.First != 0 {
		words = append(words, "first="+c.First.String())
	}
	return c.Method.String() + "(" + strings.Join(words, ",") + ")"
}
