package view

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"bullring/experiments/trial"
)

// Algorithms is a list of algorithms, those of a family together.
type Algorithms struct {
	Program string // its name, for the command that tells more
	All     []*trial.Algorithm
}

// Text implements View. Of one family it says where an algorithm runs and what it tolerates; of
// several each has one line.
func (v Algorithms) Text(w io.Writer) error {
	t, family := newTable(w), ""
	all := byFamily(v.All)
	several := len(all) > 0 && all[0].Family != all[len(all)-1].Family
	for _, a := range all {
		if a.Family != family {
			if family != "" {
				t.row("", "") // one table, so that its columns stand below each other
			}
			family = a.Family
			if several {
				t.row(strings.ToUpper(family), "COST")
			} else {
				t.row(strings.ToUpper(family), "TOPOLOGY", "TOLERATES", "COST")
			}
		}
		if several {
			t.row(a.Name, shortCost(a.Cost))
		} else {
			t.row(a.Name, a.Assumes.Topology(), a.Assumes.Tolerance(), a.Cost)
		}
	}
	more := ""
	if several {
		more = fmt.Sprintf("%s list FAMILY tells where algorithms run and what they tolerate, too;\n", v.Program)
	}
	_, err := fmt.Fprintf(w, "\n%s%s explain NAME tells what an algorithm assumes, promises and costs.\n", more, v.Program)
	return err
}

// usualInitiators are those who start if a setting names none.
func usualInitiators(a *trial.Algorithm) string {
	if a.Assumes.OneInitiates {
		return trial.FirstInitiates
	}
	return cmp.Or(a.Initiators, "all")
}

// byFamily puts the algorithms of a family together, where the first of them stands.
func byFamily(all []*trial.Algorithm) (grouped []*trial.Algorithm) {
	for i, a := range all {
		of := func(b *trial.Algorithm) bool { return b.Family == a.Family }
		if !slices.ContainsFunc(all[:i], of) {
			grouped = append(grouped, slices.DeleteFunc(slices.Clone(all[i:]), func(b *trial.Algorithm) bool { return !of(b) })...)
		}
	}
	return grouped
}

// shortCost is the beginning of a cost that fits in a line beside a name: up to a semicolon, or
// else to a comma.
func shortCost(cost string) string {
	const longest = 55
	cost, _, _ = strings.Cut(cost, ";")
	for len(cost) > longest && strings.Contains(cost, ", ") {
		cost = cost[:strings.LastIndex(cost, ", ")]
	}
	return cost
}

// declaration is an algorithm as JSON.
type declaration struct {
	Name        string             `json:"name"`
	Family      string             `json:"family"`
	Title       string             `json:"title"`
	Source      string             `json:"source"`
	Cost        string             `json:"cost"`
	Kinds       list[string]       `json:"kinds"`
	Checks      list[string]       `json:"checks"`
	Variants    list[list[string]] `json:"variants"`
	Params      list[trial.Param]  `json:"params"`
	Initiators  string             `json:"initiators"` // that start by default
	Metrics     list[string]       `json:"metrics"`
	Assumptions assumptions        `json:"assumptions"`
	Bounds      list[trial.Bound]  `json:"bounds"`
}

type assumptions struct {
	Words        list[string] `json:"words"`
	Topologies   list[string] `json:"topologies"`
	AllInitiate  bool         `json:"all_initiate"`
	OneInitiates bool         `json:"one_initiates"`
	FIFO         bool         `json:"fifo"`
	NoCrash      bool         `json:"no_crash"`
	NoRestart    bool         `json:"no_restart"`
	BoundedDelay bool         `json:"bounded_delay"`
}

// JSON implements View.
func (v Algorithms) JSON() any {
	all := list[declaration]{}
	for _, a := range v.All {
		d := declaration{
			Name: a.Name, Family: a.Family, Title: a.Title, Source: a.Source, Cost: a.Cost, Initiators: usualInitiators(a),
			Kinds: a.Kinds, Checks: a.Checks, Bounds: a.Bounds, Params: a.Params,
			Assumptions: assumptions{
				Words: a.Assumes.Words(), Topologies: a.Assumes.Topologies, AllInitiate: a.Assumes.AllInitiate, OneInitiates: a.Assumes.OneInitiates,
				FIFO: a.Assumes.FIFO, NoCrash: a.Assumes.NoCrash, NoRestart: a.Assumes.NoRestart, BoundedDelay: a.Assumes.BoundedDelay,
			},
		}
		for _, words := range a.Variants {
			d.Variants = append(d.Variants, words)
		}
		for _, m := range a.Metrics {
			d.Metrics = append(d.Metrics, m.Name)
		}
		all = append(all, d)
	}
	return all
}
