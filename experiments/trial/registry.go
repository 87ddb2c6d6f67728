package trial

import (
	"fmt"
	"slices"
	"strings"

	"bullring/internal/suggest"
	"bullring/netem/explore"
)

// Registry holds the algorithms that a program knows. Its zero value is empty.
type Registry struct {
	// Bibliography has the papers of the algorithms. It may be nil.
	Bibliography *Bibliography
	// Nodes runs programs as processes. If it is nil, a setting with a Node is refused.
	Nodes Nodes
	// Read reads the files that settings name. If it is nil, they are read from this machine.
	Read func(name string) ([]byte, error)

	algorithms []*Algorithm
	zeros      []string // names of metrics that are Zero
}

// Register adds algorithms. It panics if a name is taken or a declaration is incomplete:
// that is a mistake in the program, not in its input.
func (r *Registry) Register(algorithms ...Algorithm) {
	for _, a := range algorithms {
		if a.Name == "" || a.newRunner == nil {
			panic(fmt.Sprintf("experiments: the declaration of algorithm %q lacks a name or a family's constructor", a.Name))
		}
		if err := checkTopologies(a.Assumes.Topologies); err != nil {
			panic(fmt.Sprintf("experiments: algorithm %q declares %v", a.Name, err))
		}
		if err := CheckCondition("initiators", a.Initiators); err != nil {
			panic(fmt.Sprintf("experiments: algorithm %q declares %v", a.Name, err))
		}
		if slices.Contains(r.Names(), a.Name) {
			panic(fmt.Sprintf("experiments: algorithm %q is registered twice", a.Name))
		}
		if err := checkNames(&a); err != nil {
			panic(fmt.Sprintf("experiments: algorithm %q: %v", a.Name, err))
		}
		for _, d := range a.Declarations() {
			if err := checkBands(d.Bands); err != nil {
				panic(fmt.Sprintf("experiments: algorithm %q: %v", a.Name, err))
			}
		}
		r.algorithms = append(r.algorithms, &a)
		for i := range a.Metrics {
			if m := &a.Metrics[i]; m.Zero && !slices.Contains(r.zeros, m.Name) {
				r.zeros = append(r.zeros, m.Name)
			}
		}
	}
}

// checkNames returns an error if a check or an outcome has no name, or one of another: a failure is
// asked for by the name of either. An exploration adds two checks.
func checkNames(a *Algorithm) error {
	for i, c := range a.Checks {
		if c == "" || c == explore.NoPanic.Name || c == restName || slices.Contains(a.Checks[:i], c) {
			return fmt.Errorf("%q names no check, or two", c)
		}
	}
	for i, o := range a.Outcomes {
		if o == "" || slices.Contains(a.Checks, string(o)) || slices.Contains(a.Outcomes[:i], o) {
			return fmt.Errorf("%q names no outcome, or two things among its outcomes and its checks", o)
		}
	}
	return nil
}

// All returns the algorithms in the order in which they were registered.
func (r *Registry) All() []*Algorithm { return r.algorithms }

// Names returns their names.
func (r *Registry) Names() []string {
	names := make([]string, len(r.algorithms))
	for i, a := range r.algorithms {
		names[i] = a.Name
	}
	return names
}

// Find returns the algorithm of that name, or what is bare of it.
func (r *Registry) Find(name string) (*Algorithm, error) { return r.find(name, false) }

// find is Find. With a node, the error suggests families, too.
func (r *Registry) find(name string, node bool) (*Algorithm, error) {
	for _, a := range slices.Concat(r.algorithms, r.Bare()) {
		if a.Name == name {
			return a, nil
		}
	}
	known := r.Names()
	if node {
		for _, a := range r.Bare() {
			known = append(known, a.Name)
		}
	}
	return nil, fmt.Errorf("unknown algorithm %q%s", name, suggest.Among(name, known))
}

// Bare are the declarations of programs by the names of families, and of a program of which nothing is
// judged: see [Algorithm].Bare. There are none without Nodes.
func (r *Registry) Bare() []*Algorithm {
	if r.Nodes == nil {
		return nil
	}
	return r.Nodes.Bare()
}

// Metric returns the metric of that name. It is one that an algorithm of the registry
// measures, the ratio of a measured value to a declared bound, or the number of messages of a kind.
func (r *Registry) Metric(name string) (*Metric, error) {
	bound, ratio := strings.CutPrefix(name, RatioPrefix)
	for _, a := range r.algorithms {
		if m, ok := a.Metric(name); ok {
			return m, nil
		}
		if b, err := a.Bound(bound); ratio && err == nil {
			return &Metric{Name: name, Meaning: "measured, divided by " + b.Name, Axis: "measured / " + b.Name}, nil
		}
		if kind, sent := strings.CutPrefix(name, SentPrefix); sent && a.Sends(kind) {
			return &Metric{Name: name, Unit: "messages", Meaning: "messages of kind " + kind + " sent", Axis: kind + " messages"}, nil
		}
	}
	return nil, fmt.Errorf("unknown metric %q%s; %sNAME is the measured value divided by the bound NAME, and %sKIND counts the messages of a kind", name, suggest.Among(name, r.Metrics()), RatioPrefix, SentPrefix)
}

// Metrics returns the names of all metrics of the algorithms.
func (r *Registry) Metrics() []string {
	var names []string
	for _, a := range r.algorithms {
		for i := range a.Metrics {
			if name := a.Metrics[i].Name; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Effects returns the effects that a strike can have, from nothing to the worst.
func (r *Registry) Effects() []Effect {
	effects := []Effect{Same, Slower}
	for _, a := range r.algorithms {
		for _, e := range a.family.Effects {
			if !slices.Contains(effects, e) {
				effects = append(effects, e)
			}
		}
	}
	return append(effects, OtherOutcome, Endless, Breaks)
}

// Papers returns the BibTeX entries of the papers of some algorithms.
func (r *Registry) Papers(algorithms []*Algorithm) ([]string, error) {
	var entries []string
	for _, a := range algorithms {
		for _, key := range a.Papers {
			entry, ok := r.Bibliography.Entry(key)
			if !ok {
				return nil, fmt.Errorf("algorithm %q: its paper %q is not in the bibliography of the registry", a.Name, key)
			}
			if !slices.Contains(entries, entry) {
				entries = append(entries, entry)
			}
		}
	}
	return entries, nil
}

// Pictured returns why runs of an instance have no picture, or nil if they have one.
func (r *Registry) Pictured(in *Instance) error {
	if in.Algorithm.Pictured != nil {
		return in.Algorithm.Pictured(in)
	}
	var have []string
	for _, a := range r.algorithms {
		if a.Pictured != nil {
			have = append(have, a.Name)
		}
	}
	if len(have) == 0 {
		have = []string{"none"}
	}
	return fmt.Errorf("runs of %s have no picture; those that have one: %s", in.Algorithm.Name, strings.Join(have, ", "))
}
