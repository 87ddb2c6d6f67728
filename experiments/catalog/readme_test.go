package catalog_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog"
)

// The table of the README stands between these lines.
const (
	tableBegins = "<!-- the catalogue: go test ./experiments/catalog -run TestReadme -update-docs -->\n"
	tableEnds   = "<!-- the end of the catalogue -->\n"
)

// measuredAt is how many processes the run of the README has, where nothing else is
// needed.
const measuredAt = 16

// The table of the README is that of the registry, and what it says was measured is.
func TestReadme(t *testing.T) {
	const file = "../../README.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), tableBegins)
	old, after, closed := strings.Cut(rest, tableEnds)
	if !found || !closed {
		t.Fatalf("%s has no lines %q and %q", file, tableBegins, tableEnds)
	}
	table := readmeTable(t)
	switch {
	case *updateDocs:
		if err := os.WriteFile(file, []byte(before+tableBegins+table+tableEnds+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case old != table:
		t.Errorf("the table of the README is not that of the registry: go test ./experiments/catalog -run TestReadme -update-docs")
	}
}

func readmeTable(t *testing.T) string {
	var b strings.Builder
	family := ""
	for _, a := range catalog.New().All() {
		if a.Family != family {
			family = a.Family
			fmt.Fprintf(&b, "\n**%s**\n\n| algorithm | on | tolerates | cost | measured | source |\n|---|---|---|---|---|---|\n", family)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", a.Name, a.Assumes.Topology(), a.Assumes.Tolerance(), cellText(a.Cost), measured(t, a), cellText(a.Source))
	}
	return b.String()
}

// cellText is a text as a cell of a table.
func cellText(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// measured runs an algorithm with random identities and sets its messages beside the
// bound that says most of them.
func measured(t *testing.T, a *experiments.Algorithm) string {
	t.Helper()
	registry := catalog.New()
	in, err := registry.Instance(experiments.Setting{Algorithm: a.Name, N: measuredAt, Placement: "random", Seed: 1})
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	r := new(experiments.Worker).Run(context.Background(), in, nil)
	if err := r.BrokenBound(); err != nil {
		t.Fatal(err)
	}
	metric := "messages"
	if a.Family == "mutex" {
		metric = "messages_per_entry"
	}
	v, _ := r.Metric(metric)
	text := short(v)
	if metric != "messages" {
		text += " an entry"
	}
	for _, relation := range []experiments.Relation{experiments.Exactly, experiments.AtMost, experiments.Mean} {
		for _, b := range r.Bounds {
			if b.Relation == relation && (b.Metric == metric || b.Metric == "messages") {
				value := b.Value
				if b.Metric == "messages" && metric != "messages" {
					entries, _ := r.Metric("entries")
					value /= entries
				}
				if relation == experiments.Mean {
					return fmt.Sprintf("%s (mean %s)", text, short(value))
				}
				return fmt.Sprintf("%s (%s %v %s)", text, b.Name, relation, short(value))
			}
		}
	}
	return text
}

func short(v float64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), ".")
}
