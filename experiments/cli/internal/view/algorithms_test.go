package view

import (
	"fmt"
	"io"
	"strings"
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

// The algorithms of a family stand together, whatever was registered between them.
func TestFamiliesAreListedOnce(t *testing.T) {
	all := few(t)
	var out strings.Builder
	err := eighty.Print(&out, Algorithms{Program: "bullring", All: []*trial.Algorithm{all[0], all[2], all[1]}}.Text)
	if text := out.String(); err != nil || strings.Count(text, "ELECTION") != 1 || strings.Index(text, "raft") > strings.Index(text, "MUTEX") || !strings.Contains(text, "list FAMILY") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// An algorithm can say who starts if nobody else does. That is no part of the command that repeats a run.
func TestDefaultInitiators(t *testing.T) {
	changroberts, err := registry.Find("changroberts")
	if err != nil {
		t.Fatal(err)
	}
	declared, own := *changroberts, &trial.Registry{}
	declared.Initiators = "first"
	own.Register(declared)
	for initiators, want := range map[string]struct {
		number int
		flag   string
	}{"": {1, "--initiators 0"}, "first": {1, ""}, "0,2": {2, "--initiators 0,2"}, "all": {4, "--initiators all"}} {
		in, err := own.Instance(trial.Setting{Algorithm: "changroberts", N: 4, Initiators: initiators})
		if err != nil {
			t.Fatal(err)
		}
		command := CommandLine("bullring", in)
		if in.Initiators.Len() != want.number || !strings.Contains(command, want.flag) || strings.Contains(command, "--initiators") != (want.flag != "") {
			t.Errorf("initiators %q: %v start, %s", initiators, in.Initiators.List(), command)
		}
	}
	defer func() {
		if x := fmt.Sprint(recover()); !strings.Contains(x, `declares initiators "x"`) {
			t.Error(x)
		}
	}()
	declared.Name, declared.Initiators = "other", "x"
	own.Register(declared)
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
