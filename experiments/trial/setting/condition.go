package setting

import (
	"slices"
	"strconv"
	"strings"
)

// Condition is a row of the table: a field of a [Setting], and its name and its words
// wherever people or files meet it.
type Condition struct {
	Name string // of the axis and the column; with - for _, of the flag
	Kind Kind
	Seed Seeding

	// Usual is the value in a cell of a sweep that does not name the condition. Default is
	// what an instance writes where its setting has no value; "" if the algorithm decides,
	// or if the condition is then absent.
	Usual, Default string

	Axis   string // the values and their default, for authors of sweeps
	Column Column
	Flag   Flag

	// Plain makes a setting simpler in this respect, for shrinking; nil if shrinking has a
	// way of its own, or leaves the condition alone.
	Plain func(*Setting)

	text   func(*Setting) *string // where a setting has it as text
	number func(*Setting) *int    // or as a number
	not    func(*Setting) *bool   // or as the opposite of a truth value
}

// Column tells what a table says of a condition.
type Column struct {
	Unit     string
	Meaning  string
	Optional bool // only in tables of sweeps that give the condition a value; a new condition is optional
}

// Flag tells what help and completion say of a condition. The mark {} stands before the
// words of Form or Usage: a search puts its own words there, such as every.
type Flag struct {
	Group    Group
	Form     string // what a value looks like
	Usage    string
	Complete []string // words that the shell offers; nil if there are none
}

// Group is the heading under which help lists a flag.
type Group string

// The groups, in the order of help.
const (
	System  Group = "Flags of the system"
	Network Group = "Flags of the network"
	Faults  Group = "Flags of faults"
	Limits  Group = "Flags of limits"
)

// Kind is the type of the values of a condition.
type Kind int

// The kinds.
const (
	Word      Kind = iota // text in one line
	Choice                // one of the words that Flag.Complete lists
	Duration              // a duration
	Addresses             // addresses of processes, or words for them
	Lines                 // text that may be empty or have several lines
	Truth                 // true or false
	Count                 // an integer from 1
	Number                // an integer from 0, or nothing
)

// String says what a value has to be.
func (k Kind) String() string {
	return [...]string{"text", "a word", "a duration", "addresses", "text", "true or false", "a whole number", "a whole number"}[k]
}

// Seeding tells whether the seeds of trials depend on a condition. Conditions that decide
// no seed have trials with the same seeds at all their values, which can be compared.
type Seeding int

// The ways. A new condition is Given or Apart, so that sweeps without it keep their seeds.
const (
	Apart  Seeding = iota // seeds do not depend on it
	Given                 // they do where it is given
	Always                // they do, and its usual value is part of the key, too
)

// Get returns the value in a setting as text.
func (c *Condition) Get(s *Setting) string {
	switch {
	case c.text != nil:
		return *c.text(s)
	case c.number != nil:
		return strconv.Itoa(*c.number(s))
	}
	return strconv.FormatBool(!*c.not(s))
}

// Set gives a setting the value. It reports whether the value is of the kind.
func (c *Condition) Set(s *Setting, value string) bool {
	switch {
	case c.text != nil:
		*c.text(s) = value
		return true
	case c.number != nil:
		k, err := strconv.Atoi(value)
		*c.number(s) = k
		return err == nil
	}
	*c.not(s) = value == "false"
	return value == "true" || value == "false"
}

// Text returns where a setting keeps the value; nil if it is no text there.
func (c *Condition) Text(s *Setting) *string {
	if c.text == nil {
		return nil
	}
	return c.text(s)
}

// FlagName is the name of the flag, without dashes.
func (c *Condition) FlagName() string { return strings.ReplaceAll(c.Name, "_", "-") }

// Find returns the condition of that name, nil if there is none.
func Find(name string) *Condition {
	for i := range Conditions {
		if Conditions[i].Name == name {
			return &Conditions[i]
		}
	}
	return nil
}

// InOrder returns all conditions: the named ones in the order of the names, and each other
// one after the condition that stands before it in the table. So what was published in an
// order of its own keeps it, and a new condition needs no entry.
func InOrder(names ...string) []*Condition {
	all := make([]*Condition, len(names), len(Conditions))
	for i, name := range names {
		if all[i] = Find(name); all[i] == nil {
			panic("setting: no condition " + name)
		}
	}
	var before *Condition
	for i := range Conditions {
		c := &Conditions[i]
		if !slices.Contains(all, c) {
			all = slices.Insert(all, slices.Index(all, before)+1, c)
		}
		before = c
	}
	return all
}
