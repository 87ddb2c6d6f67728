package reliable

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Config is a reliable link as a value. Its text is reliable(RTO,TRIES).
type Config struct {
	// RTO is the first wait for an acknowledgement, after which the oldest message is
	// sent again; positive, and more than a round trip unless needless retransmissions
	// are wanted. The wait doubles with every try up to Cap, and is RTO again when a
	// message is acknowledged.
	RTO time.Duration
	// Tries is the number of sends of a message before the peer is given up. 0 is no
	// limit; then a run with a dead process that is not suspected does not come to rest.
	Tries int
	// Cap is the longest wait for an acknowledgement, at least RTO; 0 is 64 RTO. With
	// a Cap of RTO all waits are equal.
	Cap time.Duration
	// Patient: the link goes on trying a peer that the failure detector suspects. It is
	// for detectors that make mistakes. An impatient link may lose messages that are not
	// acknowledged when a live process is suspected.
	Patient bool
}

// Default has the values of arguments that are missing in a text. RTO is ten times the
// default delay of a link; 16 tries take 703 RTO, some seven seconds.
var Default = Config{RTO: 10 * time.Millisecond, Tries: 16}

// Longest is the upper limit of RTO and Cap.
const Longest = 12 * time.Hour

// validate reports what is wrong with the configuration.
func (c Config) validate() error {
	if err := c.problem(); err != nil {
		return fmt.Errorf("reliable: %w", err)
	}
	return nil
}

func (c Config) problem() error {
	switch {
	case c.RTO <= 0 || c.RTO > Longest:
		return fmt.Errorf("RTO is %v, and must be above 0 and at most %v", c.RTO, Longest)
	case c.Tries < 0:
		return fmt.Errorf("TRIES is %d, and must be 0, for ever, or more", c.Tries)
	case c.Cap != 0 && (c.Cap < c.RTO || c.Cap > Longest):
		return fmt.Errorf("CAP is %v, and must be at least RTO, %v, and at most %v", c.Cap, c.RTO, Longest)
	}
	return nil
}

// longest is the longest wait for an acknowledgement.
func (c Config) longest() time.Duration {
	if c.Cap == 0 {
		return 64 * c.RTO
	}
	return c.Cap
}

// String prints the configuration as Parse reads it.
func (c Config) String() string {
	words := []string{c.RTO.String(), strconv.Itoa(c.Tries)}
	if c.Cap != 0 {
		words = append(words, c.Cap.String())
	}
	if c.Patient {
		words = append(words, "patient")
	}
	return "reliable(" + strings.Join(words, ",") + ")"
}

// usage says what Parse allows.
const usage = "allowed is reliable(RTO,TRIES,CAP,patient), as in reliable(10ms,16); what is left out behind is the default"

// Parse reads reliable, reliable(RTO), reliable(RTO,TRIES) or reliable(RTO,TRIES,CAP),
// each with or without patient as the last word. Missing arguments are those of Default.
func Parse(text string) (Config, error) {
	c := Default
	name, rest, call := strings.Cut(strings.TrimSpace(text), "(")
	inside, closed := strings.CutSuffix(rest, ")")
	switch {
	case strings.TrimSpace(name) != "reliable":
		return Config{}, fmt.Errorf("link %q: unknown transformer %q; %s", text, strings.TrimSpace(name), usage)
	case !call:
		return c, nil
	case !closed:
		return Config{}, fmt.Errorf("link %q: the closing parenthesis is missing", text)
	}
	words := strings.Split(inside, ",")
	if last := len(words) - 1; strings.TrimSpace(words[last]) == "patient" {
		c.Patient, words = true, words[:last]
	}
	if len(words) > 3 {
		return Config{}, fmt.Errorf("link %q: %d arguments; %s", text, len(words), usage)
	}
	for i, word := range words {
		if err := c.set(i, strings.TrimSpace(word)); err != nil {
			return Config{}, fmt.Errorf("link %q: argument %d, %w", text, i+1, err)
		}
	}
	if err := c.problem(); err != nil {
		return Config{}, fmt.Errorf("link %q: %w", text, err)
	}
	return c, nil
}

// set reads the argument in a place.
func (c *Config) set(place int, word string) (err error) {
	switch place {
	case 0:
		c.RTO, err = time.ParseDuration(word)
	case 1:
		c.Tries, err = strconv.Atoi(word)
	case 2:
		c.Cap, err = time.ParseDuration(word)
	}
	if err == nil {
		return nil
	}
	want := [...]string{"RTO: %q is not a duration, such as 10ms", "TRIES: %q is not a whole number", "CAP: %q is not a duration, such as 640ms"}
	return fmt.Errorf(want[place], word)
}
