package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
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
	lacks      func(*System) string    // why a topology does not belong to it, or ""
}

var classes = []class{
	{
		AnyTree, "any tree",
		func(f netem.Family) bool { return slices.Contains([]string{"line", "star", "tree"}, f.Name) },
		func(sys *System) string {
			if !sys.undirected() || !sys.graph.Tree() {
				return "it is no tree"
			}
			return ""
		},
	}, {
		Connected, "any connected graph",
		func(f netem.Family) bool { return !f.OneWay },
		func(sys *System) string {
			switch {
			case !sys.undirected():
				return "not every link has one back"
			case !sys.graph.Connected():
				return "it is not connected"
			}
			return ""
		},
	}, {
		StronglyConnected, "any strongly connected graph, directed or not",
		func(netem.Family) bool { return true },
		func(sys *System) string {
			if !sys.graph.StronglyConnected() {
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

// defaultTopology is the first topology of the algorithm, or the first with links in both
// directions if they are needed.
func (a *Algorithm) defaultTopology(linksBack bool) string {
	declared := a.Assumes.Topologies
	if linksBack {
		for _, word := range declared {
			if f, ok := familyOf(word); ok && !f.OneWay {
				return word
			}
		}
	}
	return declared[0]
}

// checkTopology returns why the algorithm, or a transformer below it that needs links back, does
// not run on a topology.
func (a *Algorithm) checkTopology(sys *System, linksBack bool) error {
	declared := a.Assumes.Topologies
	f, named := familyOf(sys.Topology.String())
	accepted := named && slices.ContainsFunc(declared, func(word string) bool {
		return classOf(word) == nil && netem.FamilyOf(word) == f.Name
	})
	why := ""
	for _, word := range declared {
		c := classOf(word)
		if accepted || c == nil {
			continue
		}
		if !sys.graph.Simple() {
			why = fmt.Sprintf("with n = %d, two of its links have the same ends; ", sys.N)
			break
		}
		if why = c.lacks(sys); why == "" {
			accepted = true
		} else {
			why += "; "
		}
	}
	switch {
	case !accepted:
		return a.runsOn(why)
	case linksBack && !sys.undirected():
		allowed := "topologies with links in both directions"
		if slices.Contains(declared, "biring") {
			allowed = "biring"
		}
		return fmt.Errorf("a reliable link and heartbeats need a link back for every link; allowed is %s", allowed)
	}
	return nil
}

func (a *Algorithm) runsOn(why string) error {
	return fmt.Errorf("%s%s runs on %s", why, a.Name, strings.Join(topologyWords(a.Assumes.Topologies), ", "))
}

// refusesFamily reports whether the algorithm runs on no topology of the family.
func (a *Algorithm) refusesFamily(topology string) bool {
	return !slices.ContainsFunc(a.Assumes.Topologies, func(word string) bool {
		return classOf(word) != nil || netem.FamilyOf(word) == netem.FamilyOf(topology)
	})
}

// Graph returns the topology as a graph, which computes its diameter and more on demand.
// Its edges have the weights of the file of the topology, or else a random permutation of
// 1 to the number of edges.
func (sys *System) Graph() *graph.Graph { return sys.graph }

// undirected reports whether every link has one in the other direction. A ring counts as
// directed, also one of two processes.
func (sys *System) undirected() bool {
	f, named := familyOf(sys.Topology.String())
	return !(named && f.OneWay) && sys.graph.Symmetric()
}

// complete reports whether the topology is the complete graph: no crashes cut it in two.
func (sys *System) complete() bool { return sys.Topology.String() == "complete" }

// divided reports whether the processes dead from the start cut the others in two.
func (sys *System) divided() bool {
	if len(sys.Dead) == 0 || sys.complete() {
		return false
	}
	reached := slices.Clone(sys.dead) // marks the dead too: they forward nothing
	queue := []protocols.ID{protocols.ID(slices.Index(reached, false))}
	for reached[queue[0]] = true; len(queue) > 0; queue = queue[1:] {
		for port := range sys.Topology.Degree(queue[0]) {
			if q := sys.Topology.Neighbor(queue[0], port); !reached[q] {
				reached[q] = true
				queue = append(queue, q)
			}
		}
	}
	return slices.Contains(reached, false)
}

// readSize reads the file of a topology. It gives the number of processes if nothing else
// does.
func (sys *System) readSize(s *Setting, files readFile) (err error) {
	if !IsGraphFile(s.Topology) {
		return nil
	}
	if sys.graph, err = readGraph(s.Topology, files); err != nil {
		return fmt.Errorf("topology %q: %w", s.Topology, err)
	}
	if s.N == 0 && s.IDs == "" {
		s.N = sys.graph.Len()
	}
	return nil
}

// readTopology reads the topology, for an algorithm. linksBack says that a transformer below it
// needs links in both directions.
func (sys *System) readTopology(s *Setting, a *Algorithm, linksBack bool) (err error) {
	given := s.Topology
	switch {
	case sys.graph != nil && sys.graph.Len() != sys.N:
		return fmt.Errorf("topology %q: it has %d processes, and n is %d", given, sys.graph.Len(), sys.N)
	case sys.graph != nil:
		sys.Topology = sys.graph
	default:
		if given == "" {
			given = a.defaultTopology(linksBack)
		}
		if err := netem.CheckTopology(given); err != nil {
			return err
		}
		if a.refusesFamily(given) { // before a large graph is made
			return fmt.Errorf("topology %q: %w", given, a.runsOn(""))
		}
		if sys.Topology, err = netem.ParseTopology(given, sys.N, s.Seed); err != nil {
			return err
		}
		sys.graph = graph.Of(sys.Topology)
	}
	s.Topology = sys.Topology.String()
	if !sys.graph.Weighted() {
		sys.graph = sys.graph.WithWeights(s.Seed)
	}
	if err := a.checkTopology(sys, linksBack); err != nil {
		return fmt.Errorf("topology %q: %w", given, err)
	}
	return nil
}

// readTopology reads the topology of a setting.
func readTopology(in *Instance, s *Setting) error {
	return in.System.readTopology(s, in.Algorithm, in.linksBack())
}

// drawTopology draws the topology anew.
func drawTopology(in *Instance, s *Setting) error {
	in.graph = nil
	return readTopology(in, s)
}
