package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/internal/suggest"
)

func listCommand(registry *experiments.Registry) *cobra.Command {
	var asJSON bool
	var family string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the algorithms",
		Long: `List the algorithms by family, with what they run on, tolerate and cost; what does
not fit a line ends with three dots, and bullring explain tells all of it. With
--json, everything that is declared of them: sources, kinds of messages, variants,
assumptions, and the bounds with formula and convention.`,
		Example: examples(registry, "bullring list", "bullring list --family election", "bullring list --json"),
		Args:    func(cmd *cobra.Command, args []string) error { return arguments(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, families := ofFamily(registry, family)
			if len(all) == 0 && family != "" {
				return fmt.Errorf("--family %q%s", family, suggest.Among(family, families))
			}
			return output(cmd, func(w io.Writer) error {
				if asJSON {
					return writeJSON(w, declarations(all))
				}
				return writeTable(w, all)
			})
		},
		ValidArgsFunction: completeWords(),
	}
	textFlag(cmd, &family, "family", "FAMILY", "those of one family, such as election or mutex (default all)")
	_, families := ofFamily(registry, "")
	completeFlag(cmd, "family", completeWords(families...))
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// ofFamily are the algorithms of a family, or all, and the families that there are.
func ofFamily(registry *experiments.Registry, family string) (of []*experiments.Algorithm, families []string) {
	for _, a := range registry.All() {
		if !slices.Contains(families, a.Family) {
			families = append(families, a.Family)
		}
		if family == "" || a.Family == family {
			of = append(of, a)
		}
	}
	return of, families
}

// The widths of the columns of a list, which is no wider than a terminal of 100 columns.
const (
	nameWidth      = 22
	topologyWidth  = 21
	toleratesWidth = 18
	costWidth      = 100 - nameWidth - topologyWidth - toleratesWidth - 3
)

func writeTable(w io.Writer, all []*experiments.Algorithm) error {
	row := func(name, topology, tolerates, cost string) {
		line := fmt.Sprintf("%-*s %-*s %-*s %s", nameWidth, name, topologyWidth, short(topology, topologyWidth),
			toleratesWidth, short(tolerates, toleratesWidth), short(cost, costWidth))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	family := ""
	for _, a := range all {
		if a.Family != family {
			if family != "" {
				fmt.Fprintln(w)
			}
			family = a.Family
			row(strings.ToUpper(family), "TOPOLOGY", "TOLERATES", "COST")
		}
		row(a.Name, a.Assumes.Topology(), a.Assumes.Tolerance(), a.Cost)
	}
	_, err := fmt.Fprintln(w, "\nbullring explain NAME tells what an algorithm assumes, promises and costs.")
	return err
}

// short is a text in so many letters at most: one that is longer ends with dots.
func short(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return strings.TrimRight(string(letters[:most-3]), " ,;") + "..."
}

// declaration is an algorithm as JSON.
type declaration struct {
	Name        string          `json:"name"`
	Family      string          `json:"family"`
	Title       string          `json:"title"`
	Source      string          `json:"source"`
	Cost        string          `json:"cost"`
	Kinds       []string        `json:"kinds"`
	Checks      []string        `json:"checks"`
	Variants    [][]string      `json:"variants"`
	Params      []param         `json:"params"`
	Metrics     []string        `json:"metrics"`
	Assumptions assumptions     `json:"assumptions"`
	Bounds      []declaredBound `json:"bounds"`
}

type param struct {
	Name    string `json:"name"`
	Values  string `json:"values"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
}

type assumptions struct {
	Words        []string `json:"words"`
	Topologies   []string `json:"topologies"`
	AllInitiate  bool     `json:"all_initiate"`
	FIFO         bool     `json:"fifo"`
	NoCrash      bool     `json:"no_crash"`
	NoRestart    bool     `json:"no_restart"`
	BoundedDelay bool     `json:"bounded_delay"`
}

type declaredBound struct {
	Name       string `json:"name"`
	Metric     string `json:"metric"`
	Relation   string `json:"relation"`
	Formula    string `json:"formula"`
	Convention string `json:"convention"`
}

func declarations(all []*experiments.Algorithm) []declaration {
	list := []declaration{}
	for _, a := range all {
		d := declaration{
			Name: a.Name, Family: a.Family, Title: a.Title, Source: a.Source, Cost: a.Cost,
			Kinds: orEmpty(a.Kinds), Checks: orEmpty(a.Checks), Variants: orEmpty(a.Variants), Bounds: []declaredBound{}, Params: []param{}, Metrics: []string{},
			Assumptions: assumptions{
				Words: a.Assumes.Words(), Topologies: a.Assumes.Topologies, AllInitiate: a.Assumes.AllInitiate,
				FIFO: a.Assumes.FIFO, NoCrash: a.Assumes.NoCrash, NoRestart: a.Assumes.NoRestart, BoundedDelay: a.Assumes.BoundedDelay,
			},
		}
		for _, p := range a.Params {
			d.Params = append(d.Params, param{p.Name, p.Form, p.Default, p.Meaning})
		}
		for _, m := range a.Metrics {
			d.Metrics = append(d.Metrics, m.Name)
		}
		for _, b := range a.Bounds {
			d.Bounds = append(d.Bounds, declaredBound{b.Name, b.Metric, b.Relation.String(), b.Formula, b.Convention})
		}
		list = append(list, d)
	}
	return list
}
