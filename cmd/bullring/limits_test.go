package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullring/internal/counts"
)

// limits are numbers of pages, and of the help, that a constant of the source decides. A page has the phrase with
// the value of the constant.
var limits = []struct{ page, phrase, source, constant string }{
	{"docs/spec.md", "1..#, or a [stopping rule]", "experiments/campaign/spec/replicates.go", "maxReplicates"},
	{"docs/spec.md", "or # trials (", "experiments/campaign/spec/spec.go", "maxTrials"},
	{"docs/spec.md", "trials (# with [`keep: summary`]", "experiments/campaign/spec/keep.go", "maxSummarised"},
	{"docs/check.md", "the latest # messages", "protocols/conduct/conduct.go", "mostMessages"},
	{"docs/check.md", "With up to # processes", "protocols/conduct/conduct.go", "mostLooked"},
	{"docs/check.md", "after the first # of a run", "protocols/conduct/conduct.go", "mostCalls"},
	{"docs/check.md", "with the first # events", "experiments/campaign/sweep/check.go", "conductEvents"},
	{"docs/check.md", "fewest processes, up to # of them", "experiments/campaign/sweep/check.go", "conductProcesses"},
	{"experiments/cli/check.go", "checks the first # events", "experiments/campaign/sweep/check.go", "conductEvents"},
	{"experiments/cli/export.go", "up to # messages", "experiments/show/export/mermaid.go", "mostMessages"},
	{"experiments/cli/export.go", "up to # events", "experiments/show/export/itf.go", "mostStates"},
	{"experiments/cli/view.go", "A page has at most # events", "experiments/show/page/cut.go", "MostEvents"},
	{"docs/diagrams.md", "room for # processes", "plots/spacetime/diagram.go", "MaxLanes"},
	{"docs/diagrams.md", "and # messages. A larger run", "plots/spacetime/diagram.go", "MaxArrows"},
	{"docs/diagrams.md", "more than # links that come", "plots/spacetime/diagram.go", "MaxChanges"},
	{"docs/exports.md", "| # messages |", "experiments/show/export/mermaid.go", "mostMessages"},
	{"docs/exports.md", "more than # messages", "experiments/show/export/mermaid.go", "mostMessages"},
	{"docs/exports.md", "the # letters", "experiments/show/export/mermaid.go", "mostBytes"},
	{"docs/exports.md", "| # events |", "experiments/show/export/itf.go", "mostStates"},
	{"docs/explore.md", "for up to # steps", "netem/explore/sample.go", "DefaultSteps"},
	{"docs/live.md", "`--limit` (#;", "experiments/real/lab/lab.go", "DefaultLimit"},
	{"docs/live.md", "; # for families", "experiments/real/lab/lab.go", "EndlessLimit"},
	{"docs/live.md", "more than # nodes a machine", "experiments/real/lab/processes.go", "mostNodes"},
	{"docs/model.md", "`--max-events`, # by default", "experiments/trial/setting.go", "DefaultMaxEvents"},
	{"docs/nodes.md", "limits: # for each answer", "experiments/real/foreign/nodes.go", "DefaultWait"},
	{"docs/nodes.md", "a line, # lines", "experiments/real/foreign/child.go", "mostLines"},
	{"docs/nodes.md", "an event, # programs a run", "experiments/real/foreign/nodes.go", "mostPrograms"},
	{"docs/nodes.md", "(on Linux), # messages", "experiments/trial/setting.go", "programMaxPending"},
	{"docs/nodes.md", "Up to # lines of an event", "experiments/real/foreign/written.go", "mostWritten"},
	{"docs/nodes.md", "are shown, # bytes", "experiments/real/foreign/written.go", "longestWritten"},
	{"docs/model.md", "[programs](nodes.md) #", "experiments/trial/setting.go", "programMaxPending"},
	{"docs/nodes.md", "but at least # questions", "experiments/real/foreign/audit.go", "leastAgain"},
	{"docs/nodes.md", "choices of up to # can be explored", "netem/explore/handlers.go", "maxChoices"},
	{"docs/results.md", "A figure of more than # trials", "experiments/campaign/figures/receipt.go", "mostDigests"},
	{"docs/results.md", "A table of more than # rows", "experiments/campaign/report/table.go", "mostRows"},
	{"docs/spec.md", "more than # entries", "experiments/campaign/spec/spec.go", "maxEntries"},
	{"docs/spec.md", "more than # conditions of a kind", "experiments/campaign/spec/condition.go", "maxConditions"},
	{"docs/spec.md", "more than # bytes", "experiments/campaign/spec/spec.go", "MaxFile"},
	{"docs/spec.md", "The limit of # cells", "experiments/campaign/spec/spec.go", "maxCells"},
	{"docs/view.md", "A page has at most # events", "experiments/show/page/cut.go", "MostEvents"},
	{"docs/view.md", "a run with more than # events", "experiments/cli/recording.go", "mostRecorded"},
}

// The limits that pages name are those of the source.
func TestLimitsOfPages(t *testing.T) {
	for _, l := range limits {
		if phrase := strings.ReplaceAll(l.phrase, "#", valueOf(t, l.source, l.constant)); !strings.Contains(prose(t, l.page), phrase) {
			t.Errorf("%s does not say %q, as %s of %s has it", l.page, phrase, l.constant, l.source)
		}
	}
}

// valueOf is the value of a constant, as pages print it.
func valueOf(t *testing.T, source, name string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", source), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	value, isTime := "", false
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || spec.Names[0].Name != name {
			return true
		}
		text := types.ExprString(spec.Values[0])
		isTime = strings.Contains(text, "time.")
		text = strings.ReplaceAll(text, "time.Second", fmt.Sprint(int64(time.Second)))
		v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
		if err != nil {
			t.Fatal(err)
		}
		n64, _ := constant.Int64Val(v.Value)
		if value = counts.Grouped(uint64(n64)); isTime {
			value = time.Duration(n64).String()
		}
		return false
	})
	if value == "" {
		t.Fatalf("%s has no constant %s", source, name)
	}
	return value
}
