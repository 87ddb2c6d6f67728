package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"bullring/experiments"
)

func listCommand(registry *experiments.Registry) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the algorithms",
		Long: `List the algorithms with what they cost and what they run on. With --json,
everything that is declared of them: sources, kinds of messages, variants,
assumptions, and the bounds with formula and convention.`,
		Example: "  bullring list\n  bullring list --json",
		Args:    func(cmd *cobra.Command, args []string) error { return arguments(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			return output(cmd, func(w io.Writer) error {
				if asJSON {
					return writeJSON(w, declarations(registry))
				}
				return writeTable(w, registry)
			})
		},
		ValidArgsFunction: completeWords(),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func writeTable(w io.Writer, registry *experiments.Registry) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tFAMILY\tTOPOLOGY\tMODEL\tTOLERATES\tCOST\tSOURCE")
	for _, a := range registry.All() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", a.Name, a.Family, a.Assumes.Topology(), a.Assumes.Model(), a.Assumes.Tolerance(), a.Cost, a.Source)
	}
	return t.Flush()
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

func declarations(registry *experiments.Registry) []declaration {
	list := []declaration{}
	for _, a := range registry.All() {
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
