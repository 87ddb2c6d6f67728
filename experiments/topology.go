package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/netem"
	"bullring/netem/graph"
)

// Classes of topologies, for [Assumptions.Topologies]. Whether a topology belongs to a class
// is computed. No class allows a link from a process to itself, or two links with the same
// ends.
const (
	AnyTree           = "any tree"
	Connected         = "connected"          // undirected
	StronglyConnected = "strongly connected" // directed or not
)

// class is one of the classes.
type class struct {
	word, text string
	covers     func(netem.Family) bool // every topology of the family belongs to the class
	lacks      func(*Instance) string  // why a topology does not belong to it, or ""
}

var classes = []class{
	{
		AnyTree, "any tree",
		func(f netem.Family) bool { return slices.Contains([]string{"line", "star", "tree"}, f.Name) },
		func(in *Instance) string {
			if !in.undirected() || !in.graph.Tree() {
				return "it is no tree"
			}
			return ""
		},
	}, {
		Connected, "any connected graph",
		func(f netem.Family) bool { return !f.OneWay },
		func(in *Instance) string {
			switch {
			case !in.undirected():
				return "not every link has one back"
			case !in.graph.Connected():
				return "it is not connected"
			}
			return ""
		},
	}, {
		StronglyConnected, "any strongly connected graph, directed or not",
		func(netem.Family) bool { return true },
		func(in *Instance) string {
			if !in.graph.StronglyConnected() {
				return "it is not strongly connected"
			}
			return ""
		},
	},
}

// classOf returns the class of that name, or nil.
func classOf(word string) *class {
	if i := slices.IndexFunc(classes, func(c class) bool { return c.word == word }); i >= 0 {
		return &classes[i]
	}
	return nil
}

// familyOf returns the family of a topology; ok is false if it is read from a file.
func familyOf(topology string) (f netem.Family, ok bool) {
	if IsGraphFile(topology) {
		return f, false
	}
	name := netem.FamilyOf(topology)
	i := slices.IndexFunc(netem.Families, func(f netem.Family) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return netem.Families[i], true
}

// checkTopologies checks the topologies that an algorithm declares.
func checkTopologies(declared []string) error {
	if len(declared) == 0 {
		return errors.New("no topology")
	}
	for i, word := range declared {
		if classOf(word) != nil && i > 0 {
			continue
		}
		if _, ok := familyOf(word); !ok {
			return fmt.Errorf("topology %q; the first one is the default and names a family, further ones may be classes: %q, %q or %q",
				word, AnyTree, Connected, StronglyConnected)
		}
	}
	return nil
}

// topologyWords returns the declared topologies for people. It leaves out families that a
// declared class covers.
func topologyWords(declared []string) []string {
	covered := func(f netem.Family) bool {
		return slices.ContainsFunc(declared, func(word string) bool { c := classOf(word); return c != nil && c.covers(f) })
	}
	var words []string
	for _, word := range declared {
		text := word
		if c := classOf(word); c != nil {
			text = c.text
		} else if f, ok := familyOf(word); ok {
			if covered(f) {
				continue
			}
			text = f.Name
		}
		words = append(words, text)
	}
	return words
}

// Topologies returns an example of each accepted topology for a command line, the default
// first.
func (a *Algorithm) Topologies() []string {
	words := []string{a.Assumes.Topologies[0]}
	for _, f := range netem.Families {
		if !slices.Contains(words, f.Example) && a.accepts(f) {
			words = append(words, f.Example)
		}
	}
	if slices.ContainsFunc(a.Assumes.Topologies, func(word string) bool { return classOf(word) != nil }) {
		words = append(words, GraphFile)
	}
	return words
}

// accepts reports whether the algorithm runs on every topology of a family.
func (a *Algorithm) accepts(f netem.Family) bool {
	return slices.ContainsFunc(a.Assumes.Topologies, func(word string) bool {
		if c := classOf(word); c != nil {
			return c.covers(f)
		}
		return netem.FamilyOf(word) == f.Name
	})
}

// Graph returns the topology as a graph, which computes its diameter and more on demand.
// Its edges have the weights of the file of the topology, or else a random permutation of
// 1 to the number of edges.
func (in *Instance) Graph() *graph.Graph { return in.graph }

// readSize reads the file of a topology. It gives the number of processes if nothing else
// does.
func (in *Instance) readSize(s *Setting) (err error) {
	if !IsGraphFile(s.Topology) {
		return nil
	}
	if in.graph, err = readGraph(s.Topology, in.read); err != nil {
		return fmt.Errorf("topology %q: %w", s.Topology, err)
	}
	if s.N == 0 && s.IDs == "" {
		s.N = in.graph.Len()
	}
	return nil
}

func (in *Instance) readTopology(s *Setting) (err error) {
	given := s.Topology
	switch {
	case in.graph != nil && in.graph.Len() != in.N:
		return fmt.Errorf("topology %q: it has %d processes, and n is %d", given, in.graph.Len(), in.N)
	case in.graph != nil:
		in.Topology = in.graph
	default:
		if given == "" {
			given = in.defaultTopology()
		}
		if err := netem.CheckTopology(given); err != nil {
			return err
		}
		if in.refusesFamily(given) { // before a large graph is made
			return fmt.Errorf("topology %q: %w", given, in.runsOn(""))
		}
		if in.Topology, err = netem.ParseTopology(given, in.N, s.Seed); err != nil {
			return err
		}
		in.graph = graph.Of(in.Topology)
	}
	s.Topology = in.Topology.String()
	if !in.graph.Weighted() {
		in.graph = in.graph.WithWeights(s.Seed)
	}
	if err := in.checkTopology(); err != nil {
		return fmt.Errorf("topology %q: %w", given, err)
	}
	return nil
}

// defaultTopology is the first topology of the algorithm, or the first with links in both
// directions if they are needed.
func (in *Instance) defaultTopology() string {
	declared := in.Algorithm.Assumes.Topologies
	if in.linksBack() {
		for _, word := range declared {
			if f, ok := familyOf(word); ok && !f.OneWay {
				return word
			}
		}
	}
	return declared[0]
}

// checkTopology returns why the algorithm, or a transformer below it, does not run on the
// topology.
func (in *Instance) checkTopology() error {
	declared := in.Algorithm.Assumes.Topologies
	f, named := familyOf(in.Topology.String())
	accepted := named && slices.ContainsFunc(declared, func(word string) bool {
		return classOf(word) == nil && netem.FamilyOf(word) == f.Name
	})
	why := ""
	for _, word := range declared {
		c := classOf(word)
		if accepted || c == nil {
			continue
		}
		if !in.graph.Simple() {
			why = fmt.Sprintf("with n = %d, two of its links have the same ends; ", in.N)
			break
		}
		if why = c.lacks(in); why == "" {
			accepted = true
		} else {
			why += "; "
		}
	}
	switch {
	case !accepted:
		return in.runsOn(why)
	case in.linksBack() && !in.undirected():
		allowed := "topologies with links in both directions"
		if slices.Contains(declared, "biring") {
			allowed = "biring"
		}
		return fmt.Errorf("a reliable link and heartbeats need a link back for every link; allowed is %s", allowed)
	}
	return nil
}

func (in *Instance) runsOn(why string) error {
	return fmt.Errorf("%s%s runs on %s", why, in.Algorithm.Name, strings.Join(topologyWords(in.Algorithm.Assumes.Topologies), ", "))
}

// refusesFamily reports whether the algorithm runs on no topology of the family.
func (in *Instance) refusesFamily(topology string) bool {
	return !slices.ContainsFunc(in.Algorithm.Assumes.Topologies, func(word string) bool {
		return classOf(word) != nil || netem.FamilyOf(word) == netem.FamilyOf(topology)
	})
}

// undirected reports whether every link has one in the other direction. A ring counts as
// directed, also one of two processes.
func (in *Instance) undirected() bool {
	f, named := familyOf(in.Topology.String())
	return !(named && f.OneWay) && in.graph.Symmetric()
}

// linksBack reports whether a transformer needs links in both directions.
func (in *Instance) linksBack() bool { return in.Transport != nil || in.Detector != nil }
