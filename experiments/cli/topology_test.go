package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// anywhere is LCR for graphs on which the first ports happen to make a ring.
func anywhere() *trial.Registry {
	r := &trial.Registry{}
	r.Register(families.Election(trial.Algorithm{
		Name: "anywhere", Title: "LCR on its first ports", Assumes: trial.Assumptions{Topologies: []string{"ring", trial.StronglyConnected}},
	}, func(*trial.Instance) election.Promise { return election.Promise{LeaderOnly: true} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] { return lcr.New(in.Ranks.At(p), lcr.Config{}) }
		}))
	return r
}

// A file says how many processes there are, and the command that repeats the run says
// which file it was.
func TestTopologyFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my ring.txt")
	if err := os.WriteFile(path, []byte("directed\n0 1\n1 2\n2 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	topology := trial.GraphFile + path
	first := perform(t.Context(), anywhere(), "run", "anywhere", "--topology", topology)
	if first.status != 0 || !strings.Contains(first.out, "n 3, "+topology+"@") || !strings.Contains(first.out, "elected: identity 3") {
		t.Fatalf("status %d: %s%s", first.status, first.out, first.errors)
	}
	_, again, _ := strings.Cut(first.out, "again: bullring ")
	second := perform(t.Context(), anywhere(), words(strings.TrimSpace(again))...)
	if second.status != 0 || second.out != first.out {
		t.Errorf("again: %s%s; want %s", second.out, second.errors, first.out)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--n", "4"}, "it has 3 processes, and n is 4"},
		{[]string{"--ids", "7,9"}, "it has 3 processes, and n is 2"},
		{[]string{"--transport", "reliable(5ms,0)"}, "need a link back for every link"},
	} {
		got := perform(t.Context(), anywhere(), append([]string{"run", "anywhere", "--topology", topology}, c.args...)...)
		if got.status != 2 || !strings.Contains(got.errors, c.want) {
			t.Errorf("%q: status %d, %s; want %q", c.args, got.status, got.errors, c.want)
		}
	}
}

// What is offered for --topology is accepted, with some number of processes.
func TestOfferedTopologies(t *testing.T) {
	offered := perform(t.Context(), anywhere(), cobra.ShellCompRequestCmd, "run", "anywhere", "--topology", "")
	words := strings.Fields(offered.out)
	if !slices.Contains(words, trial.GraphFile) || !slices.Contains(words, "ws(4,0.1)") || !slices.Contains(words, "grid(2x4)") {
		t.Errorf("offered are %q", words)
	}
	for _, topology := range words {
		if strings.HasPrefix(topology, ":") || topology == trial.GraphFile {
			continue
		}
		n := map[string]string{"grid(2x4)": "8", "torus(3x4)": "12"}[topology]
		if n == "" {
			n = "16"
		}
		got := perform(t.Context(), anywhere(), "run", "anywhere", "--topology", topology, "--n", n, "--max-events", "1000")
		if strings.Contains(got.errors, "topology") || !strings.Contains(got.out, "fingerprint") {
			t.Errorf("%s: status %d, %s", topology, got.status, got.errors)
		}
	}
}
