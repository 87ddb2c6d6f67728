package detector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// usage says what Parse allows.
const usage = "allowed are heartbeat(PERIOD,TIMEOUT), adaptive(PERIOD,MARGIN) and phi(PERIOD,THRESHOLD), as in heartbeat(10ms,30ms)"

// options are the named arguments, by method.
var options = [...][]string{
	Heartbeat: {"first"},
	Adaptive:  {"window", "first"},
	Phi:       {"window", "deviation", "first"},
}

// Parse reads heartbeat(PERIOD,TIMEOUT), adaptive(PERIOD,MARGIN) or
// phi(PERIOD,THRESHOLD). Named arguments may follow: first=DURATION for all methods,
// window=COUNT for adaptive and phi, deviation=DURATION for phi. Defaults are 10ms for
// PERIOD, three periods for TIMEOUT, one period for MARGIN, and 8 for THRESHOLD.
func Parse(text string) (Config, error) {
	name, rest, call := strings.Cut(strings.TrimSpace(text), "(")
	name = strings.TrimSpace(name)
	method := slices.Index(methodNames[:], name)
	inside, closed := strings.CutSuffix(rest, ")")
	switch {
	case method < 0:
		return Config{}, fmt.Errorf("detector %q: unknown method %q; %s", text, name, usage)
	case call && !closed:
		return Config{}, fmt.Errorf("detector %q: the closing parenthesis is missing", text)
	}
	c := Config{Method: Method(method), Period: 10 * time.Millisecond}
	var words []string
	if call {
		words = strings.Split(inside, ",")
	}
	if err := c.read(words); err != nil {
		return Config{}, fmt.Errorf("detector %q: %w", text, err)
	}
	if err := c.problem(); err != nil {
		return Config{}, fmt.Errorf("detector %q: %w", text, err)
	}
	return c, nil
}

// read reads the arguments: first those without names, by place, then the named ones.
func (c *Config) read(words []string) error {
	places, named := 0, []string{}
	for i, word := range words {
		name, value, isNamed := strings.Cut(strings.TrimSpace(word), "=")
		var err error
		switch {
		case isNamed && slices.Contains(named, name):
			err = fmt.Errorf("%s is given twice", name)
		case isNamed:
			named = append(named, name)
			err = c.setOption(name, value)
		case len(named) > 0:
			err = fmt.Errorf("%q stands behind %s=; arguments without a name come first", name, named[0])
		case places == 2:
			err = fmt.Errorf("%q is one too many; %s", name, usage)
		default:
			places++
			err = c.setPlace(i, name)
		}
		if err != nil {
			return fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	if places < 2 {
		c.setSecond()
	}
	return nil
}

func (c *Config) setPlace(place int, word string) (err error) {
	switch {
	case place == 0:
		c.Period, err = duration("PERIOD", word)
	case c.Method == Heartbeat:
		c.Timeout, err = duration("TIMEOUT", word)
	case c.Method == Adaptive:
		c.Margin, err = duration("MARGIN", word)
	default:
		if c.Threshold, err = strconv.ParseFloat(word, 64); err != nil {
			err = fmt.Errorf("THRESHOLD is %q, which is not a number", word)
		}
	}
	return err
}

// setSecond sets the default of the second argument.
func (c *Config) setSecond() {
	switch c.Method {
	case Heartbeat:
		c.Timeout = 3 * c.Period
	case Adaptive:
		c.Margin = c.Period
	case Phi:
		c.Threshold = 8
	}
}

func (c *Config) setOption(name, word string) (err error) {
	allowed := options[c.Method]
	switch {
	case !slices.Contains(allowed, name):
		return fmt.Errorf("%s has no %q; allowed is %s", c.Method, name, strings.Join(allowed, ", "))
	case name == "window":
		if c.Window, err = strconv.Atoi(word); err != nil || c.Window < 1 {
			return fmt.Errorf("window is %q, and must be a whole number from 1 to %d", word, MaxWindow)
		}
	case name == "deviation":
		c.Deviation, err = duration(name, word)
	case name == "first":
		c.First, err = duration(name, word)
	}
	return err
}

// duration reads a duration above 0.
func duration(name, word string) (time.Duration, error) {
	d, err := time.ParseDuration(word)
	switch {
	case err != nil && word != "" && strings.Trim(word, "0123456789.") == "":
		return 0, fmt.Errorf("%s is %q, which lacks a unit, as in %sms", name, word, word)
	case err != nil:
		return 0, fmt.Errorf("%s is %q, which is not a duration, such as 10ms", name, word)
	case d <= 0:
		return 0, fmt.Errorf("%s is %q, and must be above 0", name, word)
	}
	return d, nil
}
