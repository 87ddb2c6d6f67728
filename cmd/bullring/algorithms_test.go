package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// What is between these lines of a page is written from the registry.
const (
	registryBegins = "<!-- written from the registry: make docs -->\n"
	registryEnds   = "<!-- end -->\n"
)

// measuredAt is the number of processes of the run whose messages the table shows.
const measuredAt = 16

// The list of README.md and the tables of docs/algorithms.md are those of the registry.
func TestAlgorithmsPages(t *testing.T) {
	registry := catalog.New()
	holds(t, "../../README.md", algorithmsList(registry))
	holds(t, "../../docs/algorithms.md", algorithmsTables(t, registry))
}

// holds compares the written part of a page, or writes it.
func holds(t *testing.T, page, want string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(text), registryBegins)
	got, after, ends := strings.Cut(rest, registryEnds)
	switch {
	case !begins || !ends:
		t.Fatalf("%s has no lines %q and %q", page, registryBegins, registryEnds)
	case *update && got != want:
		if err := os.WriteFile(page, []byte(before+registryBegins+want+registryEnds+after), 0o666); err != nil {
			t.Fatal(err)
		}
	case got != want:
		t.Errorf("the algorithms of %s are not those of the registry: make docs", page)
	}
}

// algorithmsList is a line a family, with the names of its algorithms.
func algorithmsList(registry *trial.Registry) string {
	var b strings.Builder
	family := ""
	for _, a := range registry.All() {
		if a.Family == family {
			fmt.Fprintf(&b, ", `%s`", a.Name)
			continue
		}
		if family != "" {
			b.WriteString("\n")
		}
		family = a.Family
		fmt.Fprintf(&b, "- [**%s**](docs/algorithms.md#%s): `%s`", family, family, a.Name)
	}
	return b.String() + "\n"
}

// algorithmsTables is a heading and a table a family.
func algorithmsTables(t *testing.T, registry *trial.Registry) string {
	var b strings.Builder
	family := ""
	for _, a := range registry.All() {
		if a.Family != family {
			family = a.Family
			fmt.Fprintf(&b, "\n## %s\n\n| algorithm | on | tolerates | cost | measured | source |\n|---|---|---|---|---|---|\n", family)
		}
		row := []string{source(a), a.Assumes.Topology(), a.Assumes.Tolerance(), a.Cost, measurement(t, registry, a), a.Source}
		for i := range row {
			row[i] = strings.ReplaceAll(row[i], "|", `\|`)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	return b.String() + "\n"
}

// source is the name of an algorithm, with a link to its package if that has its name.
func source(a *trial.Algorithm) string {
	pkg := path.Join("../protocols", a.Family, a.Name)
	if _, err := os.Stat(path.Join("../../docs", pkg)); err != nil {
		return "`" + a.Name + "`"
	}
	return fmt.Sprintf("[`%s`](%s)", a.Name, pkg)
}

// measurement runs an algorithm with random identities and compares its messages, those of
// an entry where there are entries, with the bound that says most of them.
func measurement(t *testing.T, registry *trial.Registry, a *trial.Algorithm) string {
	t.Helper()
	in, err := registry.Instance(trial.Setting{Algorithm: a.Name, N: measuredAt, Placement: "random", Seed: 1})
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	r := new(trial.Worker).Run(context.Background(), in, nil)
	if err := r.BrokenBound(); err != nil {
		t.Fatal(err)
	}
	metric, unit := "messages_per_entry", " an entry"
	value, ok := r.Metric(metric)
	if !ok {
		metric, unit = "messages", ""
		value, _ = r.Metric(metric)
	}
	text := short(value) + unit
	for _, relation := range []trial.Relation{trial.Exactly, trial.AtMost, trial.Mean} {
		for _, b := range r.Bounds {
			if b.Relation != relation || b.Metric != metric && b.Metric != "messages" {
				continue
			}
			bound := b.Value
			if b.Metric != metric { // of all messages, where those of an entry are shown
				entries, _ := r.Metric("entries")
				bound /= entries
			}
			if relation == trial.Mean {
				return fmt.Sprintf("%s (mean %s)", text, short(bound))
			}
			return fmt.Sprintf("%s (%s %v %s)", text, b.Name, relation, short(bound))
		}
	}
	return text
}

// short prints a number with two decimals at most.
func short(v float64) string {
	return cmp.Or(strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", v), "0"), "."), "0")
}
