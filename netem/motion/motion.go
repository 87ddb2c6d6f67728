package motion

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// Motion is what a text says of links that come and go. It does not change, and makes any number of
// sources.
type Motion struct {
	kind  *kind
	model model
	text  string
	from  des.Time
}

// model is one kind of motion with its numbers.
type model interface {
	// source makes the changes of a run. They may be of any links between the processes of the
	// topology.
	source(t netem.Topology, seed uint64) source
}

// source is a netem.Source whose changes may be of links that the topology does not have, and may be
// quiet.
type source interface {
	Begin(link func(a, b protocols.ID))
	Next() (c netem.Change, ok bool)
}

// drawing is a source that draws as it goes on.
type drawing interface {
	// renew has it draw from these streams from now on. The numbers are those of its streams.
	renew(stream func(numbers ...uint64) des.Stream)
}

// quietUntil is no change: there is none before t, and none at t has been told yet. So a source whose
// next change is far away, or never comes, hands the run back now and then.
func quietUntil(t des.Time) netem.Change { return netem.Change{At: t} }

func isQuiet(c netem.Change) bool { return c.A == c.B }

// mostIdle is how long a source goes on without a change, in its own steps.
const mostIdle = 1 << 12

// sized is a model that has only some processes.
type sized interface {
	// fits says why the model is not for n processes; nil if it is.
	fits(n int) error
}

// opener reads a file that a text names. It returns the name by which the text is printed, which may
// pin the content.
type opener = func(name string) (text []byte, pinned string, err error)

// Parse reads a text. open reads the file that it names, and returns its content and the name by which
// the motion prints it, which may pin the content. Errors name the column, what stands there, and what
// is allowed.
func Parse(text string, open func(name string) (text []byte, pinned string, err error)) (*Motion, error) {
	m, err := parse(text, open)
	if err != nil {
		return nil, fmt.Errorf("motion %q: %w", text, err)
	}
	return m, nil
}

// String prints the motion as Parse reads it.
func (m *Motion) String() string { return m.text }

// Endless reports whether there is always a next change, so that the motion does not keep a run
// alive.
func (m *Motion) Endless() bool { return !m.kind.file }

// Drawn reports whether the seed decides the motion: a file does not say it.
func (m *Motion) Drawn() bool { return !m.kind.file }

// Check says why the motion is not for n processes; nil if it is.
func (m *Motion) Check(n int) error {
	if s, ok := m.model.(sized); ok {
		if err := s.fits(n); err != nil {
			return fmt.Errorf("motion %q: %w", m, err)
		}
	}
	return nil
}

// Source returns the changes of one run on a topology, which has the links that may ever be.
func (m *Motion) Source(t netem.Topology, seed uint64) netem.Source {
	s := &onTopology{source: m.model.source(t, seed), topology: t, seed: seed, from: m.from, endless: m.Endless()}
	s.sample, s.some = someLink(t)
	return s
}

// onTopology are the changes of links that a topology has, from an instant on. That is the beginning
// of the run.
type onTopology struct {
	source   source
	topology netem.Topology
	seed     uint64
	from     des.Time
	endless  bool
	first    *netem.Change // the first change after the beginning, if Begin has met it

	// A link of the topology, if there is some, and whether it is up. To set it to what it is is no
	// change.
	sample netem.Link
	some   bool
	up     bool
}

// Begin implements netem.Source.
func (s *onTopology) Begin(link func(a, b protocols.ID)) {
	up := map[netem.Link]bool{}
	s.source.Begin(func(a, b protocols.ID) {
		if netem.HasLink(s.topology, netem.LinkBetween(a, b)) {
			up[netem.LinkBetween(a, b)] = true
		}
	})
	for s.from > 0 && s.first == nil {
		c, more := s.source.Next()
		switch p := netem.LinkBetween(c.A, c.B); {
		case !more || c.At > s.from:
			s.first = &c
		case !c.Up:
			delete(up, p)
		case netem.HasLink(s.topology, netem.LinkBetween(c.A, c.B)):
			up[p] = true
		}
		if !more {
			s.some = false
		}
	}
	s.up = up[s.sample]
	for _, p := range sorted(up) {
		link(p.A, p.B)
	}
}

// Next implements netem.Source.
func (s *onTopology) Next() (c netem.Change, ok bool) {
	for idle := 0; s.some; idle++ {
		if s.first != nil {
			c, ok, s.first = *s.first, true, nil
		} else if c, ok = s.source.Next(); !ok {
			break
		}
		c.At -= s.from
		there := !isQuiet(c) && netem.HasLink(s.topology, netem.LinkBetween(c.A, c.B))
		switch {
		case there && netem.LinkBetween(c.A, c.B) == s.sample:
			s.up = c.Up
		case !there && (isQuiet(c) || idle >= mostIdle):
			return netem.Change{At: c.At, A: s.sample.A, B: s.sample.B, Up: s.up}, true
		}
		if there {
			return c, true
		}
	}
	return netem.Change{}, false
}

// Background implements netem.Background.
func (s *onTopology) Background() bool { return s.endless }

// Fork implements netem.Forker. What was drawn stays: the changes up to the next one, and the ways and times
// that have begun.
func (s *onTopology) Fork(salts []uint64) {
	if d, draws := s.source.(drawing); draws {
		d.renew(func(numbers ...uint64) des.Stream {
			return des.NewStream(s.seed, "motion fork", slices.Concat(numbers, salts)...)
		})
	}
}

// someLink is a link of a topology.
func someLink(t netem.Topology) (p netem.Link, some bool) {
	for a := range protocols.ID(t.Len()) {
		for port := range t.Degree(a) {
			if b := t.Neighbor(a, port); a != b {
				return netem.LinkBetween(a, b), true
			}
		}
	}
	return p, false
}

// sorted are the links of a set, ascending.
func sorted(set map[netem.Link]bool) []netem.Link {
	return slices.SortedFunc(maps.Keys(set), netem.Link.Compare)
}

// parse reads a text: a kind with its arguments, and options behind commas.
func parse(text string, open opener) (*Motion, error) {
	words := split(text, 1)
	head := words[0]
	k, err := kindOf(head)
	if err != nil {
		return nil, err
	}
	a := &arguments{kind: k, open: open, end: head.column + len(head.text)}
	options := words[1:]
	if k.file {
		a.left = []word{head.after(len(k.name) + 1)}
		for len(options) > 0 && !isOption(options[0]) {
			a.left, options = append(a.left, options[0]), options[1:]
		}
	} else {
		inner := head.after(len(k.name) + 1)
		inner.text = strings.TrimSuffix(inner.text, ")")
		a.left, a.end = split(inner.text, inner.column), a.end-1
	}
	m := &Motion{kind: k, model: k.read(a)}
	if a.finish(); a.err != nil {
		return nil, a.err
	}
	m.text = a.print()
	return m, m.readOptions(options)
}

func isOption(w word) bool { return w.text == "steady" || strings.HasPrefix(w.text, "from ") }

// steadier is a model that can begin in its stationary law.
type steadier interface{ beginSteady() error }

func (m *Motion) readOptions(options []word) error {
	steady := false
	for _, o := range options {
		after, from := strings.CutPrefix(o.text, "from ")
		s, can := m.model.(steadier)
		switch {
		case from && m.from > 0, o.text == "steady" && steady:
			return o.fail("stands there twice")
		case from && m.inRounds():
			return o.fail("is not for %s: %s", m.kind.name, m.kind.start)
		case from:
			d, reason := parseTime(strings.TrimSpace(after))
			if reason != "" {
				return o.fail("%s", reason)
			}
			m.from = des.Time(d)
			m.text += ", from " + d.String()
		case o.text == "steady" && can:
			if err := s.beginSteady(); err != nil {
				return o.fail("%v", err)
			}
			steady = true
			m.text += ", steady"
		case o.text == "steady":
			return o.fail("is for waypoint: %s", m.kind.start)
		default:
			return o.fail("is no option; allowed are from D, such as from 300s, and for waypoint steady")
		}
	}
	return nil
}

// parseTime reads a duration of whole microseconds.
func parseTime(text string) (d time.Duration, reason string) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil || d < 0 || d > des.MaxDuration:
		return 0, fmt.Sprintf("is no duration from 0s to %v, such as 20s", des.MaxDuration)
	case d%time.Microsecond != 0:
		return 0, "is no whole number of microseconds"
	}
	return d, ""
}
