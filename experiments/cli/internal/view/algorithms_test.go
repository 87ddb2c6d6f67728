package view

import (
	"io"
	"testing"

	"bullring/experiments/trial"
)

// few are algorithms of two families, with a text of documentation that is short.
func few(t *testing.T) (all []*trial.Algorithm) {
	t.Helper()
	for _, name := range []string{"lcr", "raft", "tokenring"} {
		a, err := registry.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		short := *a
		short.Doc = "What its package says.\n"
		all = append(all, &short)
	}
	return all
}

func TestAlgorithms(t *testing.T) {
	var g golden
	all := few(t)
	g.add(t, "a list", Algorithms{Program: "bullring", All: all})
	g.addJSON(t, "a list", Algorithms{Program: "bullring", All: all[:1]})
	for _, a := range all {
		g.heading(a.Name)
		if err := eighty.Print(&g, func(w io.Writer) error { return Explain(w, a) }); err != nil {
			t.Error(err)
		}
	}
	g.compare(t, "algorithms")
}
