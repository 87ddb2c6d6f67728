package trial

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bullring/internal/suggest"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Algorithm is the declaration of an algorithm. [Judged] completes it.
type Algorithm struct {
	Name   string // one word, unique in a registry
	Family string // such as election; Judged sets it
	Title  string // one line
	Source string // the paper or book
	Cost   string // one line for tables
	Doc    string // the comment of its package
	// Pseudocode is a block for each handler. The line with which a block begins is not
	// indented and names the events: "on start:", "on TOKEN(x) from q or timeout retry:". A
	// block to which others refer begins without "on": "to ask:".
	Pseudocode string
	// Papers are the keys of its sources in the registry's bibliography, the original
	// first.
	Papers []string
	// Look is its colour and marker in figures. For the zero Look, plots chooses.
	Look looks.Look
	// LabelLooks are the looks of labels under which variants are known.
	LabelLooks map[string]looks.Look
	// Kinds names the kinds of its messages, in the order of the counters.
	Kinds []string
	// Checks names the checks of every run.
	Checks []string
	// Outcomes are all possible outcomes of a run.
	Outcomes []Outcome
	// Metrics are measured in every run: those of the family, then those of the
	// declaration.
	Metrics []Metric
	// Bands are conditions of its processes, in addition to those of the family: see [Family.Bands].
	Bands []Band
	// Variants are groups of words. A variant has one word of each group; the first word
	// of a group is the default.
	Variants [][]string
	Params   []Param
	Inputs   *Inputs // nil if processes begin without inputs
	// Initiators are those who start if a setting names none, such as 0,1 for the processes at these
	// addresses, or FirstInitiates. "" is all, or the first if one initiates.
	Initiators string
	Liars      []Liar // what Byzantine processes can do; the processes of the declaration do it
	Assumes    Assumptions
	Bounds     []Bound
	// Clock: its processes read their clocks (Node.Now). Without it, a process that does
	// panics.
	Clock bool
	// Rotations: neither processes nor messages contain addresses. So a rotation of a run
	// on a ring is another run.
	Rotations bool
	// Remark, if not nil, returns what a reader of a run should know and no textbook says,
	// or "".
	Remark func(*Instance) string
	// Seeded, if not nil, names what the processes draw from the seed when they are made,
	// such as their places, or "". Later draws do not count.
	Seeded func(*Instance) string
	// Distribution, if not nil, is the exact distribution of the number of messages over
	// random placements: p[k] is the probability of k.
	Distribution func(*Instance) (p []float64, ok bool)
	// Bare: it has no processes of its own, and a setting has to name a program. Such is a family by its
	// name, which judges a program alone.
	Bare bool
	// Pictured is nil if no run has a picture. Else it returns why the runs of an instance
	// have none, or nil, and the Judge is a Picturer.
	Pictured func(*Instance) error

	others    []other
	family    *Family
	measured  map[string]*Metric // by name, with those of Family.Optional
	programs  bool               // its processes are programs: see WithProcesses
	forgeable bool               // links and lying processes can alter its messages
	judge     func(in *Instance, measured bool) Judge
	processes func(*Instance) func(protocols.ID) protocols.Process[box.Message]
	stack     func(*Instance, *View, func(protocols.ID, any)) func(protocols.ID) protocols.Process[box.Message]
	newRunner func() runner
	explore   func(context.Context, []*Instance, explore.Network, explore.Options) (*explore.Result, error)
}

// other is the declaration for the variants that have a word.
type other struct {
	word      string
	algorithm *Algorithm
}

// Or returns the algorithm with another declaration, b, for the variants that have the
// word. They share name, variants, parameters and looks. Title, source, papers, cost, Doc and
// Pseudocode are inherited where b leaves them empty. Or panics if there is no such word.
func (a Algorithm) Or(word string, b Algorithm) Algorithm {
	if !slices.ContainsFunc(a.Variants, func(g []string) bool { return slices.Contains(g, word) }) {
		panic(fmt.Sprintf("experiments: algorithm %q has no variant %q to be declared", a.Name, word))
	}
	b.Name, b.Family, b.Variants, b.Params, b.Inputs = a.Name, a.Family, a.Variants, a.Params, a.Inputs
	b.Liars, b.Initiators, b.Bare = a.Liars, a.Initiators, a.Bare
	b.Look, b.LabelLooks = a.Look, a.LabelLooks
	b.Title, b.Source, b.Cost = cmp.Or(b.Title, a.Title), cmp.Or(b.Source, a.Source), cmp.Or(b.Cost, a.Cost)
	b.Doc, b.Pseudocode = cmp.Or(b.Doc, a.Doc), cmp.Or(b.Pseudocode, a.Pseudocode)
	if b.Papers == nil {
		b.Papers = a.Papers
	}
	a.others = append(slices.Clone(a.others), other{word, &b})
	return a
}

// of returns the declaration for a variant.
func (a *Algorithm) of(v Variant) *Algorithm {
	for word, d := range a.Declarations() {
		if word != "" && v.Has(word) {
			return d
		}
	}
	return a
}

// Declarations yields the algorithm itself with "", then each declaration that [Algorithm.Or]
// added, with its word.
func (a *Algorithm) Declarations() iter.Seq2[string, *Algorithm] {
	return func(yield func(string, *Algorithm) bool) {
		if !yield("", a) {
			return
		}
		for _, o := range a.others {
			if !yield(o.word, o.algorithm) {
				return
			}
		}
	}
}

// Processes returns what makes the process of an address. Services use it to compose
// their messages with those of the algorithm.
func (a *Algorithm) Processes(in *Instance) func(protocols.ID) protocols.Process[box.Message] {
	return a.processes(in)
}

// Metric returns the metric of that name.
func (a *Algorithm) Metric(name string) (*Metric, bool) { return metricIn(a.Metrics, name) }

func metricIn(metrics []Metric, name string) (*Metric, bool) {
	for i := range metrics {
		if metrics[i].Name == name {
			return &metrics[i], true
		}
	}
	return nil, false
}

// IsTime reports whether a metric is counted in the unit of times.
func (a *Algorithm) IsTime(metric string) bool {
	m := a.measured[metric]
	return m != nil && m.IsTime()
}

// Measures reports whether runs of the algorithm measure a metric of that name. It may have
// no column of its own: see [Family.Optional].
func (a *Algorithm) Measures(metric string) bool {
	m := a.measured[metric]
	return m != nil && m.Measure != nil
}

// Sends reports whether messages of the algorithm can be of a kind of that name, in some declaration.
func (a *Algorithm) Sends(kind string) bool {
	for _, d := range a.Declarations() {
		if slices.Contains(d.Kinds, kind) {
			return true
		}
	}
	return false
}

// DeclaredMetrics returns the metrics that the family or the algorithm declares: those that
// other families or algorithms do not have.
func (a *Algorithm) DeclaredMetrics() []Metric {
	usual := familyMetrics(nil, nil)
	return slices.DeleteFunc(slices.Clone(a.Metrics), func(m Metric) bool {
		_, everywhere := metricIn(usual, m.Name)
		return everywhere
	})
}

// OwnMetrics returns the declared metrics that have a line of their own in reports of runs.
func (a *Algorithm) OwnMetrics() []Metric {
	return slices.DeleteFunc(a.DeclaredMetrics(), func(m Metric) bool { return m.Unlisted || m.Aside != "" })
}

// Bound returns the bound of that name, of any declaration.
func (a *Algorithm) Bound(name string) (*Bound, error) {
	var names []string
	for _, d := range a.Declarations() {
		for i := range d.Bounds {
			if d.Bounds[i].Name == name {
				return &d.Bounds[i], nil
			}
			if !slices.Contains(names, d.Bounds[i].Name) {
				names = append(names, d.Bounds[i].Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s declares no bounds", a.Name)
	}
	return nil, fmt.Errorf("%s has no bound %q%s; it has %s", a.Name, name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
}

// IsEndless reports whether runs of the algorithm never come to rest: its judge ends them.
func (a *Algorithm) IsEndless() bool { return a.family.Endless }

// param returns the index of a parameter, or -1.
func (a *Algorithm) param(name string) int {
	return slices.IndexFunc(a.Params, func(p Param) bool { return p.Name == name })
}

// ParamNames returns the names of the parameters.
func (a *Algorithm) ParamNames() []string {
	names := make([]string, len(a.Params))
	for i, p := range a.Params {
		names[i] = p.Name
	}
	return names
}

// strategies are the names of the strategies.
func (a *Algorithm) strategies() []string {
	var names []string
	for _, l := range a.Liars {
		names = append(names, l.Name)
	}
	return names
}

// Hears reports whether the family judges by what processes say, so that they can be programs.
func (a *Algorithm) Hears() bool { return a.family.Ear != nil }

// NewEar returns the Ear for the process of an address in a program: see [Family].Ear.
func (a *Algorithm) NewEar(in *Instance, p protocols.ID, crashed Ear) Ear {
	return a.family.Ear(in, p, crashed)
}
