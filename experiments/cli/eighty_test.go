package cli

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/catalog"
)

// otherText are the commands whose output is not for people.
var otherText = []string{"completion", "bash", "fish", "powershell", "zsh", "schema", "node", "bullring", "help"}

// No line of text that a command prints is wider than 80 columns where there is no terminal,
// unless it is one word. Each command has a row, but for those whose output is a script or
// data.
func TestEightyColumns(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	t.Setenv("COLUMNS", "")
	if err := os.WriteFile("dies.yaml", []byte(strings.Replace(sampleAssignment, "python3", "false", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	commands := []string{
		"list", "list --fault 'at 1ms crash 2'", "explain raft", "explain bully", "explain ghs", "explain decentralized", "explain dht", "explain centralized-failover", "version",
		"run lcr --n 8 --placement decreasing", "run bully --n 5 --initiators 0 --dead last --fault 'at 2ms crash 3' --fault 'at 90ms restart 3'",
		"run raft --n 5 --fault 'random swarm of crashes, restarts until 20ms then heal' --seed 2", "run ghs --n 12 --seed 7",
		"run decentralized --n 9 --param requests=2 --delay 'exp(1ms)'",
		"run lcr --link 'loss 10% duplicate 20% corrupt 10%' --link '0->1: delay 3ms' --outside-model --seed 5",
		"run chandylamport --n 6 --topology 'er(0.6)'",
		"why bully --n 5 --initiators 0 --dead last --delay uniform(0,3ms) --assume 1ms --outside-model --seed 2",
		"view lcr -o lcr.html", "diagram lcr --n 4 -o lcr.svg", "export lcr --n 4 --as mermaid -o lcr.mmd",
		"criticality bully --n 4 --initiators 0 --all", "check lcr --n 4 --trials 2", "explore bully --n 3 --initiators 0 --crash 1",
		"explore peterson --ids 4,2,3,1 --loss 1 -o found.json", "explore itairodeh --n 2",
		"shrink bully --n 4 --initiators 0 --fault 'partition {0 1 | 2 3}' --outside-model --fails E1", "worst changroberts --n 4",
		"conjecture changroberts --let k=1..3 --initiators random:{k} --n 4..9", "conjecture peterson --n 2,4,8,16", "conjecture ghs --n 3..10",
		"rare itairodeh --n 2 --level draws --reach 12 --effort 20", "rare lcr --level lost --reach 1 --effort 20", "run itairodeh --n 2 --forks 3:a,9:b",
		"run changroberts --n 8 --trace=lanes", "run bully --n 5 --initiators 0 --link 'loss 20%' --outside-model --trace=lanes",
		"hunt bully --outside-model --of crashes,partitions --n 4 --failures 2 --settings 300",
		"judge bully --n 2 --settings 20", "judge decentralized --n 2",
		"link wan loss 5% duplicate 1% --samples 2000", "link --presets", "link loss 30% 50% --samples 2000",
		"live lcr --n 3 --sockets tcp", "live bully --n 3 --initiators 0 --runs 3 --sockets tcp",
		"sweep demo.yaml --dry-run", "sweep demo.yaml", "sweep demo.yaml", "status out/demo", "verify out/demo", "report out/demo -o report.html",
		"plot out/demo", "replay out/demo 1", "slurm demo.yaml --tasks 3 -o out/shards", "merge out/demo", "tour",
		"grade dies.yaml dies.yaml --sandbox off",
	}
	named := map[string]bool{}
	for _, line := range commands {
		args := words(line)
		named[args[0]] = true
		got := bullring(t, args...)
		if got.status == statusUsage && args[0] != "merge" {
			t.Errorf("%s: %s", line, got.errors)
		}
		eighty(t, line, got.out)
		eighty(t, line, got.errors)
	}
	for _, wrong := range []string{
		"run floodset --n 4 --dead 0,1", "run byllu", "run lcr --fault 'at 1ms crsh 2'", "run lcr --n 4 --link 'loss 5% dleay 3ms'", "run bully --param requests=3",
		"explore lcr --n 12 --placement every", "sweep nothing.yaml", "run lcr --topology hyper", "run lcr --ids 1,2,3,4,5,6,7,8,9,9", "sweep demo.yaml --shard 7/3", "explain bullyy", "verify demo.yaml",
	} {
		got := bullring(t, words(wrong)...)
		if got.status == 0 || got.errors == "" {
			t.Errorf("%s is right: %s", wrong, got.out)
		}
		eighty(t, wrong, got.errors)
	}
	visit(newCommand(catalog.New(), clockwork.NewRealClock()), func(c *cobra.Command) {
		if !named[c.Name()] && !slices.Contains(otherText, c.Name()) {
			t.Errorf("%s has no row", c.Name())
		}
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		eighty(t, strings.Join(args, " "), bullring(t, args...).out)
	})
}

// eighty fails for a line that is too wide and more than one word.
func eighty(t *testing.T, command, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "func ") { // the code of the tour is as it is in its file
			continue
		}
		if columns := utf8.RuneCountInString(line); columns > usualColumns && strings.Contains(line, " ") {
			t.Errorf("%s: a line has %d columns: %s", command, columns, line)
		}
	}
}

// COLUMNS sets the columns, down to a least.
func TestColumns(t *testing.T) {
	for set, want := range map[string]int{"": 80, "wide": 80, "-1": 80, "120": 120, "60": 60, "10": 40} {
		t.Setenv("COLUMNS", set)
		if got := formOf(t.Output()).Columns; got != want {
			t.Errorf("COLUMNS=%s: %d columns, want %d", set, got, want)
		}
	}
}

// Each command stands under a heading of the help.
func TestCommandsHaveGroups(t *testing.T) {
	root := newCommand(catalog.New(), clockwork.NewRealClock())
	for _, c := range root.Commands() {
		if c.GroupID == "" {
			t.Errorf("%s has no group", c.Name())
		}
	}
	if help := bullring(t, "--help").out; !strings.Contains(help, "\n\nSearch among runs:\n  check ") || strings.Contains(help, "\nCommands:") {
		t.Error(help)
	}
}

func TestVersionCommand(t *testing.T) {
	got := expect(t, 0, "\nepoch    1\n", "version")
	if first, _, _ := strings.Cut(got.out, "\n"); !strings.HasPrefix(first, "version  ") || !strings.Contains(got.out, "\nsystem   ") {
		t.Error(got.out)
	}
}

// Each algorithm has one line in the list of all, and its family's list says more.
func TestListIsShort(t *testing.T) {
	t.Setenv("COLUMNS", "")
	all := catalog.New().All()
	families := map[string]bool{}
	for _, a := range all {
		families[a.Family] = true
	}
	got := bullring(t, "list").out
	if lines, want := strings.Count(got, "\n"), len(all)+2*len(families)+2; lines != want {
		t.Errorf("%d lines, want %d\n%s", lines, want, got)
	}
	if of := bullring(t, "list", "snapshot").out; !strings.Contains(of, "TOLERATES") || strings.Contains(got, "TOLERATES") {
		t.Errorf("a family is listed as %s", of)
	}
}

// The conditions select the algorithms that run under them without --outside-model.
func TestListWhatFits(t *testing.T) {
	for command, names := range map[string][2]string{
		"list --fault 'at 1ms crash 2'":  {"bully", "lcr"},
		"list election --topology ring":  {"lcr", "bully"},
		"list --topology torus --n 12":   {"ghs", "lcr"},
		"list mutex":                     {"raymond", "lcr"},
		"list --family mutex":            {"raymond", "lcr"},
		"list election --link 'loss 5%'": {"raft", "lcr"},
		"list election --delay exp(1ms)": {"lcr", "bully"},
		"list --fifo=false":              {"lcr", "chandylamport"},
	} {
		got := expect(t, 0, "\n"+names[0]+" ", words(command)...)
		if strings.Contains(got.out, "\n"+names[1]+" ") {
			t.Errorf("%s lists %s\n%s", command, names[1], got.out)
		}
	}
}
