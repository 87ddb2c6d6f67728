package experiments

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bullring/internal/suggest"
	"bullring/netem/explore"
	"bullring/plots"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Algorithm is an algorithm as experiments know it: its message type is
// forgotten. Judged makes one.
type Algorithm struct {
	Name   string // one word, unique in a registry
	Family string // such as election
	Title  string // one line
	Source string // the paper or book
	Cost   string // one line for tables
	Doc    string // what else there is to say of it, in lines
	// Papers are the keys of its sources in the registry's bibliography, the original
	// first.
	Papers []string
	// Look is its colour and marker in figures; plots chooses for the zero Look.
	Look plots.Look
	// LabelLooks gives looks to labels: to those under which a variant is known.
	LabelLooks map[string]plots.Look
	// Kinds names the kinds of messages, in the order of the counters.
	Kinds []string
	// Checks names the checks that every run is held to.
	Checks []string
	// Outcomes are the ways in which a run can come out.
	Outcomes []Outcome
	// Metrics are what a run measures: those of the family and, behind them, those
	// that the declaration gives.
	Metrics []Metric
	// Variants are groups of words. A variant takes one word of each group,
	// and the first of a group where it takes none.
	Variants [][]string
	// Params are what else can be set.
	Params  []Param
	Assumes Assumptions
	Bounds  []Bound
	// Rotations: neither processes nor messages hold addresses, so that on a ring
	// turning a run makes another.
	Rotations bool
	// Remark, if not nil, is what a reader of the run of an instance has to know, and a
	// textbook does not say; "" is nothing.
	Remark func(*Instance) string
	// Seeded, if not nil, is what the processes of an instance take from the seed when they
	// are made, such as their places; "" is nothing. What they draw later is not meant.
	Seeded func(*Instance) string
	// Distribution, if not nil, is the exact distribution of the number of
	// messages over random placements: p[k] is the probability of k.
	Distribution func(*Instance) (p []float64, ok bool)
	// Pictured reports why runs of an instance have no picture, or nil; it is nil if
	// those of none have. Its Judge is a Picturer.
	Pictured func(*Instance) error

	others []other
	// forgeable: its messages can be altered, by links and by processes that lie.
	forgeable bool
	// family is what Judged was given.
	family *Family
	// processes makes the processes of an instance, with their messages in boxes.
	processes func(*Instance) func(protocols.ID) protocols.Process[box.Message]
	// newRunner makes what runs trials one after another in the same memory.
	newRunner func() runner
	// explore looks at all runs of some instances.
	explore func(context.Context, []*Instance, explore.Network, explore.Options) (*explore.Result, error)
}

// other is the declaration for variants that assume something else.
type other struct {
	word      string
	algorithm *Algorithm
}

// Or returns the algorithm with another declaration for the variants with that word:
// other assumptions, messages, bounds. Name, variants, parameters and looks are the
// same, and so are title, source, papers and cost that it leaves empty. It panics if there is no such word.
func (a Algorithm) Or(word string, b Algorithm) Algorithm {
	if !slices.ContainsFunc(a.Variants, func(g []string) bool { return slices.Contains(g, word) }) {
		panic(fmt.Sprintf("experiments: algorithm %q has no variant %q to be declared", a.Name, word))
	}
	b.Name, b.Family, b.Variants, b.Params = a.Name, a.Family, a.Variants, a.Params
	b.Look, b.LabelLooks = a.Look, a.LabelLooks
	b.Title, b.Source, b.Cost = cmp.Or(b.Title, a.Title), cmp.Or(b.Source, a.Source), cmp.Or(b.Cost, a.Cost)
	if b.Papers == nil {
		b.Papers = a.Papers
	}
	a.others = append(slices.Clone(a.others), other{word, &b})
	return a
}

// of is the declaration for a variant.
func (a *Algorithm) of(v Variant) *Algorithm {
	for _, o := range a.others {
		if v.Has(o.word) {
			return o.algorithm
		}
	}
	return a
}

// Declarations are the declaration of the algorithm, with "", and those that Or added for
// some variants, with their word.
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

// Processes makes the processes of an instance of the algorithm, with their messages in
// boxes, for a service that is composed with them.
func (a *Algorithm) Processes(in *Instance) func(protocols.ID) protocols.Process[box.Message] {
	return a.processes(in)
}

// Relation says how a measured value stands to a bound.
type Relation uint8

// The relations. A run in which a proven one does not hold is an error in
// theory or code; the mean is no statement about a single run.
const (
	Exactly Relation = iota
	AtMost
	AtLeast
	Mean
)

var relationSigns = [...]string{"=", "<=", ">=", "mean"}

// String is the sign of the relation.
func (r Relation) String() string { return relationSigns[r] }

// Bound is what theory says of a metric.
type Bound struct {
	Name       string // unique within the algorithm: exact, best, worst, mean...
	Metric     string // the name of one of the algorithm's
	Formula    string
	Convention string // what counts, who starts
	Relation   Relation
	// Again: it speaks of runs in which a process starts later, too. Else all start
	// together.
	Again bool
	// Value is the bound for an instance; ok is false where it says nothing.
	Value func(*Instance) (v float64, ok bool)
	// Curve, if not nil, is what figures draw in place of Value: the same where that says
	// something, and more where trials are not compared with it.
	Curve func(*Instance) (v float64, ok bool)
}

// Variant settles the groups of words of an algorithm from a comma-separated
// list.
func (a *Algorithm) Variant(text string) (Variant, error) {
	v := make(Variant, len(a.Variants))
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		group := slices.IndexFunc(a.Variants, func(g []string) bool { return slices.Contains(g, word) })
		switch {
		case group < 0 && len(a.Variants) == 0:
			return nil, fmt.Errorf("variant %q: %s has no variants", word, a.Name)
		case group < 0:
			return nil, fmt.Errorf("variant %q: %s has no such variant%s; allowed are %s", word, a.Name,
				suggest.DidYouMean(word, slices.Concat(a.Variants...)), a.variantsText())
		case v[group] != "" && v[group] != word:
			return nil, fmt.Errorf("variant %q: %q and %q exclude each other", text, v[group], word)
		}
		v[group] = word
	}
	for i, g := range a.Variants {
		if v[i] == "" {
			v[i] = g[0]
		}
	}
	return v, nil
}

func (a *Algorithm) variantsText() string {
	groups := make([]string, len(a.Variants))
	for i, g := range a.Variants {
		groups[i] = strings.Join(g, "|")
	}
	return strings.Join(groups, ", ")
}

// Variant is one word of each group of an algorithm's variants.
type Variant []string

// Has reports whether the variant contains the word.
func (v Variant) Has(word string) bool { return slices.Contains(v, word) }

// text prints the variant shortly: its first word, and those of the other
// groups that are not the default.
func (v Variant) text(groups [][]string) string {
	var words []string
	for i, w := range v {
		if i == 0 || w != groups[i][0] {
			words = append(words, w)
		}
	}
	return strings.Join(words, ",")
}

// Registry is a set of algorithms by name.
type Registry struct {
	// Bibliography has the papers that the algorithms name; nil if there is none.
	Bibliography *Bibliography

	Algorithms []*Algorithm
	zeros      []string // metrics that are Zero
}

// Register adds algorithms. It panics if a name is taken or a declaration is
// incomplete: that is a mistake in a program, not in its input.
func (r *Registry) Register(algorithms ...Algorithm) {
	for _, a := range algorithms {
		if a.Name == "" || a.newRunner == nil {
			panic(fmt.Sprintf("experiments: the declaration of algorithm %q lacks a name or a family's constructor", a.Name))
		}
		if err := checkTopologies(a.Assumes.Topologies); err != nil {
			panic(fmt.Sprintf("experiments: algorithm %q declares %v", a.Name, err))
		}
		if slices.Contains(r.Names(), a.Name) {
			panic(fmt.Sprintf("experiments: algorithm %q is registered twice", a.Name))
		}
		r.Algorithms = append(r.Algorithms, &a)
		for i := range a.Metrics {
			if m := &a.Metrics[i]; m.Zero && !slices.Contains(r.zeros, m.Name) {
				r.zeros = append(r.zeros, m.Name)
			}
		}
	}
}

// All returns the algorithms in the order in which they were registered.
func (r *Registry) All() []*Algorithm { return r.Algorithms }

// Names returns their names.
func (r *Registry) Names() []string {
	names := make([]string, len(r.Algorithms))
	for i, a := range r.Algorithms {
		names[i] = a.Name
	}
	return names
}

// Find returns the algorithm of that name.
func (r *Registry) Find(name string) (*Algorithm, error) {
	for _, a := range r.Algorithms {
		if a.Name == name {
			return a, nil
		}
	}
	return nil, fmt.Errorf("unknown algorithm %q%s", name, suggest.Among(name, r.Names()))
}
