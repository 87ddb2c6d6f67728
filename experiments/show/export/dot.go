package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/show/history"
	"bullring/protocols"
)

// dot is the relation "happened before" for Graphviz: a node an event, an edge from each cause
// to its effect. The events of a process stand in one line. If links come and go, the graph at the
// verdict stands in a frame.
var dot = Format{Name: "dot", Begins: "digraph run {\n", write: func(w *bytes.Buffer, h *history.History) error {
	fmt.Fprintf(w, "digraph run {\n  label=%s;\n  rankdir=LR;\n  node [shape=box, fontsize=10];\n", quoted(title(h)))
	for i := range h.Events {
		e := &h.Events[i]
		fmt.Fprintf(w, "  e%d [label=%s", e.Order, quoted(fmt.Sprintf("#%d %s", e.Order, brief(e))))
		switch {
		case atProcess(e):
			fmt.Fprintf(w, ", group=%s", process(e.Who))
		case e.Absent:
			w.WriteString(", style=dashed")
		default:
			w.WriteString(", shape=plaintext")
		}
		w.WriteString("];\n")
		for _, cause := range slices.Compact(slices.Sorted(slices.Values(e.After))) {
			fmt.Fprintf(w, "  e%d -> e%d", cause, e.Order)
			if before := &h.Events[cause-1]; atProcess(e) && atProcess(before) && before.Who == e.Who {
				w.WriteString(" [weight=8]")
			}
			w.WriteString(";\n")
		}
	}
	if h.Moves() {
		writeGraph(w, h)
	}
	w.WriteString("}\n")
	return nil
}}

// writeGraph writes the graph at the verdict.
func writeGraph(w *bytes.Buffer, h *history.History) {
	w.WriteString("  subgraph cluster_graph {\n    label=\"the graph at the verdict\";\n    node [shape=circle];\n    edge [dir=none];\n")
	for p := range h.Result.Instance.N {
		fmt.Fprintf(w, "    %s;\n", process(protocols.ID(p)))
	}
	for _, link := range h.LinksAt(h.Verdict()) {
		fmt.Fprintf(w, "    %s -> %s;\n", process(link.A), process(link.B))
	}
	w.WriteString("  }\n")
}

// quoted is a text as a label: Graphviz understands escape sequences and entities of HTML.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(text) + `"`
}
