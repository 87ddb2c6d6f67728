package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// outcome is what a command did.
type outcome struct {
	status      int
	out, errors string
}

func perform(ctx context.Context, registry *trial.Registry, args ...string) outcome {
	return performAt(ctx, clockwork.NewRealClock(), registry, args...)
}

// performAt performs a command by a clock.
func performAt(ctx context.Context, clock clockwork.Clock, registry *trial.Registry, args ...string) outcome {
	var out, errs bytes.Buffer
	root := newCommand(registry, clock)
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	status := execute(ctx, root)
	return outcome{status, out.String(), errs.String()}
}

// The memory of a command line is free when it has run: tests run thousands in one OS process.
func TestNothingStays(t *testing.T) {
	var catalogs []weak.Pointer[trial.Algorithm]
	for _, args := range [][]string{{"list"}, {"run", "lcr", "--n", "4"}, {"run", "lcr", "--no-such"}} {
		registry := catalog.New()
		perform(t.Context(), registry, args...)
		catalogs = append(catalogs, weak.Make(registry.All()[0]))
	}
	runtime.GC()
	for i, c := range catalogs {
		if c.Value() != nil {
			t.Errorf("the catalog of command line %d is still in memory", i)
		}
	}
}

// bullring performs a command over the catalog.
func bullring(t *testing.T, args ...string) outcome {
	t.Helper()
	got := perform(t.Context(), catalog.New(), args...)
	fitsSchema(t, got.out, args)
	return got
}

// expect performs a command that has to end with a status, and to print or complain so.
func expect(t *testing.T, status int, says string, args ...string) outcome {
	t.Helper()
	got := bullring(t, args...)
	if got.status != status || !strings.Contains(got.out+got.errors, says) {
		t.Errorf("%q: status %d, want %d and %q\n%s%s", args, got.status, status, says, got.out, got.errors)
	}
	return got
}

// words splits a command line as a shell does, as far as the examples and the
// command that repeats a run go: single quotes, and '\” for one.
func words(line string) []string {
	var list []string
	word, inWord, inQuotes := "", false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			inWord, inQuotes = true, !inQuotes
		case inQuotes:
			word += string(c)
		case c == '\\':
			i++
			inWord, word = true, word+string(line[i])
		case c == ' ':
			if inWord {
				list = append(list, word)
			}
			word, inWord = "", false
		default:
			inWord, word = true, word+string(c)
		}
	}
	if inWord {
		list = append(list, word)
	}
	return list
}

// Every example of every help text works, those of sweep first: the others read
// what they write.
func TestExamples(t *testing.T) {
	nodes, err := filepath.Abs("../../docs/nodes")
	if err != nil {
		t.Fatal(err)
	}
	for i, registry := range []*trial.Registry{catalog.New(), ownRegistry()} {
		t.Chdir(t.TempDir())
		if err := os.CopyFS("docs/nodes", os.DirFS(nodes)); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"demo.yaml", "edited.yaml"} {
			if err := os.WriteFile(name, []byte(sampleSpec(registry)), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var lines []string
		visit(newCommand(registry, clockwork.NewRealClock()), func(c *cobra.Command) {
			if c.Example == "" || c.Short == "" {
				t.Errorf("%s has no example, or nothing to say of itself", c.CommandPath())
			}
			lines = append(lines, strings.Split(c.Example, "\n")...)
		})
		writers := []string{"replay", "run", "shrink", "sweep"} // sweep before what reads
		slices.SortStableFunc(lines, func(a, b string) int {
			return slices.Index(writers, words(b)[1]) - slices.Index(writers, words(a)[1])
		})
		for _, line := range lines {
			command, _, _ := strings.Cut(line, " > ") // where a shell puts it
			args := words(command)
			if args[1] == "node" || args[1] == "grade" { // TestHosts has a run that it can join, and docs/class.md what is graded
				continue
			}
			if slices.Contains(args, "--node") && interpreter() == "" {
				continue
			}
			if testing.Short() && i > 0 && slices.Contains([]string{"live", "worst"}, args[1]) { // they take long
				continue
			}
			got := perform(t.Context(), registry, args[1:]...)
			if i > 0 && (args[1] == "hunt" || args[1] == "judge") && got.status == statusFailed { // some of these algorithms are wrong
				got.status = 0
			}
			if i > 0 && args[1] == "rare" && got.status == statusUndecided { // what is rare there may be impossible here
				got.status = 0
			}
			if got.status != 0 || got.out == "" {
				t.Errorf("%s: status %d, %q, %s", line, got.status, got.out, got.errors)
			}
		}
	}
}

// A command that is printed can be typed, whatever the program is called.
func TestPrintedCommandsNameTheProgram(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "--no-plot", "--progress", "off")
	if err := os.WriteFile("out/demo/summary.csv", []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"list": "\nmine explain NAME tells", "run lcr --n 3": "\nagain: mine run lcr",
		"verify out/demo --progress off": ": mine verify out/demo --all\n",
	} {
		var out bytes.Buffer
		mine := named(newCommand(catalog.New(), clockwork.NewRealClock()), "mine")
		mine.SetArgs(words(command))
		mine.SetOut(&out)
		mine.SetErr(io.Discard)
		execute(t.Context(), mine)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %q is lacking:\n%s", command, want, &out)
		}
	}
}

// A flag that the help of a command names is a flag of that command, or of the one whose name
// stands before it: run --schedule.
func TestHelpNamesFlagsThatAreThere(t *testing.T) {
	others := []string{"array", "prefix"} // flags of sbatch and of brew
	flag := regexp.MustCompile(`^--([a-z][a-z-]*)`)
	root, flags := newCommand(catalog.New(), clockwork.NewRealClock()), 0
	visit(root, func(c *cobra.Command) {
		owner := c
		for _, word := range strings.Fields(c.Short + " " + c.Long) {
			if m := flag.FindStringSubmatch(word); m != nil {
				flags++
				if owner.Flags().Lookup(m[1]) == nil && !slices.Contains(others, m[1]) {
					t.Errorf("the help of %q names %s, and %q has no such flag", c.CommandPath(), word, owner.CommandPath())
				}
				continue
			}
			owner = c
			if other, _, err := root.Find([]string{word}); err == nil && other != root {
				owner = other
			}
		}
	})
	if flags < 50 {
		t.Errorf("found %d flags only", flags)
	}
}

func TestHelp(t *testing.T) {
	visit(newCommand(catalog.New(), clockwork.NewRealClock()), func(c *cobra.Command) {
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		if got := bullring(t, args...); got.status != 0 || !strings.Contains(got.out, "Examples:\n"+c.Example) {
			t.Errorf("%q: status %d\n%s", args, got.status, got.out)
		}
	})
	mine := named(newCommand(catalog.New(), clockwork.NewRealClock()), "mine")
	if run, _, err := mine.Find([]string{"run"}); err != nil || !strings.Contains(run.Example, "  mine run lcr") || strings.Contains(run.Example, "bullring") || run.CommandPath() != "mine run" {
		t.Errorf("a program of another name: %v, %s", err, run.Example)
	}
	if got := bullring(t); !strings.Contains(got.out, "Find out what there is:") || got.status != 0 {
		t.Errorf("without arguments: status %d\n%s", got.status, got.out)
	}
	if got := bullring(t, "--version"); !strings.Contains(got.out, "epoch ") || got.status != 0 {
		t.Errorf("--version: status %d, %s", got.status, got.out)
	}
}

// What was given, and what is allowed.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"rnu", `unknown command "rnu" (did you mean "run"?)`},
		{"help rnu", `unknown command "rnu" (did you mean "run"?)`},
		{"completion elvish", `unknown command "elvish"; allowed are bash, fish, powershell, zsh`},
		{"list all", `FAMILY "all"; allowed are election, consensus, broadcast, commit, wave, termination, mutex, `},
		{"list elections", `FAMILY "elections" (did you mean "election"?)`},
		{"list election mutex", `list takes FAMILY and no more; given is ["election" "mutex"]`},
		{"list election --family mutex", `list takes no argument; given is ["election"]`},
		{"list --topology foo", `no algorithm fits; lcr: unknown topology "foo"`},
		{"list multicast --topology ring", "no algorithm fits; "},
		{"run", "run takes an algorithm; allowed are lcr, "},
		{"run lrc", `unknown algorithm "lrc" (did you mean "lcr"?)`},
		{"run lcr bully", `run takes ALGORITHM and no more; given is ["lcr" "bully"]`},
		{"run lcr --ids 1, 2", "the list of --ids takes no spaces, or quotes around them"},
		{"run lcr --fifo false", "as in --fifo=false"},
		{"run lcr --fifo=maybe", `--fifo "maybe": allowed are true and false`},
		{"run lcr --plcement random", `unknown flag "--plcement" (did you mean "--placement"?); bullring run --help lists the flags`},
		{"run lcr -x", `unknown flag "-x"`},
		{"run lcr --n", "--n needs a value: --n number"},
		{"run lcr --=3", "bad flag syntax"},
		{"run lcr --n 0", `--n "0": it takes a whole number from 1 to 16777215`},
		{"run lcr --n -1", `--n "-1": it takes`},
		{"run lcr --n 10000000000", `--n "10000000000": it takes`},
		{"run lcr --n 1e3", `--n "1e3": it takes`},
		{"run lcr --n ٣", `--n "٣": it takes`},
		{"run lcr --n 4 --ids 1,2", "n is 4, but 2 identities are given"},
		{"run lcr --ids 1,1", "identity 1 stands at positions 0 and 1"},
		{"run lcr --ids 1,٣", `identity "٣" at position 1 is not a whole number`},
		{"run lcr --ids 1,\x00", `identity "\x00" at position 1 is not a whole number`},
		{"run lcr --ids=", `--ids "": it is empty; leave the flag out for its default`},
		{"run lcr --ids 1,2 --placement random", "give either identities or a placement"},
		{"run lcr --placement randm", `unknown placement "randm" (did you mean "random"?); allowed are increasing, decreasing, alternating, random`},
		{"run lcr --variant mn", `variant "mn": lcr has no such variant`},
		{"run lcr --variant min,max", "exclude each other"},
		{"run lcr --attr 1,2", "2 attributes for 8 processes"},
		{"run lcr --initiators 0", "not every process initiates"},
		{"run bully --initiators 8", "there is no process 8; addresses are 0..7"},
		{"run bully --initiators random:9", "random:K takes a number from 1 to 8"},
		{"run bully --dead 0,1,2,3,4,5,6,7", "all 8 processes are dead; at least one must live"},
		{"run bully --dead everything", `"everything" is not an address`},
		{"run bully --dead 7 --initiators 7", "process 7 is dead from the start and cannot initiate"},
		{"run lcr --dead 7", "the guarantees of lcr do not apply here: a process crashes"},
		{"run lcr --topology complete", `topology "complete": lcr runs on ring, biring`},
		{"run lcr --delay 1", `"1" lacks a unit, as in 1ms`},
		{"run lcr --delay 1e400h", `"1e400h" is not a duration`},
		{"run lcr --delay=-1ms", `"-1ms" is negative`},
		{"run bully --delay exp(1ms)", "delay exp(1ms) has no bound"},
		{"run lcr --sync --delay uniform(0,2ms)", "--sync and --delay uniform(0s,2ms): rounds need a constant delay"},
		{"run lcr --sync --delay 0s", "rounds need a constant delay above 0"},
		{"run bully --fault boom", `faults, line 1, column 1: "boom" is no fault; allowed are crash, fail, restart`},
		{"run lcr --seed -1", `--seed "-1": it takes a whole number from 0 to 18446744073709551615`},
		{"run lcr --max-events 0", `--max-events "0": it takes a whole number from 1`},
		{"run lcr --max-time 2000000h", "is not a positive duration up to 640000h"},
		{"explore", "explore takes an algorithm; allowed are lcr, "},
		{"explore lrc", `unknown algorithm "lrc" (did you mean "lcr"?)`},
		{"explore lcr --n 33 --initiators all", "explore: 33 processes; at most 32 can be explored"},
		{"explore lcr --n 9 --placement every", "every placement of 9 processes is too many; allowed are up to 8"},
		{"explore bully --n 17 --initiators every", "every set of initiators of 17 processes is too many; allowed are up to 16"},
		{"explore bully --n 8 --placement every --initiators every", "are too many to be explored together; allowed are up to 65536"},
		{"explore lcr --ids 1,2 --placement every", "identities are given, and every placement of 1..n; give either"},
		{"explore lcr --delay 3ms", `unknown flag "--delay"`},
		{"explore lcr --timers fre", `--timers "fre": allowed are free, bounded (did you mean "free"?)`},
		{"explore lcr --grain 2", "grain 2: it is the number of steps of time in the bound on delay, and goes with bounded timers"},
		{"explore lcr --rounds 3", "up to 3 rounds: the processes of lcr do not number their rounds; a limit of timeouts keeps"},
		{"explore raft --timeouts 0", `--timeouts "0": it takes a whole number from 1 to 255`},
		{"explore bully --grain 3", "grain 3 does not divide the bound on delay, 1ms"},
		{"explore lcr --detector phi(10ms,8)", `--detector "phi(10ms,8)": allowed are perfect, none`},
		{"explore lcr --strategy bsf", `--strategy "bsf": allowed are bfs, dfs, random, pct (did you mean "bfs"?)`},
		{"explore lcr --runs 5", "--runs goes with --strategy random or pct; given is --strategy bfs"},
		{"explore lcr --max-steps 5 --strategy dfs", "--max-steps goes with --strategy random or pct; given is --strategy dfs"},
		{"explore lcr --changes 2 --strategy random", "--changes goes with --strategy pct; given is --strategy random"},
		{"explore lcr --max-states 5 --strategy pct", "--max-states goes with --strategy bfs or dfs; given is --strategy pct"},
		{"explore lcr --max-memory 1GB --strategy pct", "--max-memory goes with --strategy bfs or dfs; given is --strategy pct"},
		{"explore lcr --full --strategy random", "--full goes with --strategy bfs or dfs; given is --strategy random"},
		{"explore lcr --supertrace --strategy bfs", "--supertrace goes with --strategy dfs; given is --strategy bfs"},
		{"explore lcr --supertrace --strategy random", "--supertrace goes with --strategy dfs; given is --strategy random"},
		{"explore lcr --supertrace --workers 2", "--workers goes with --strategy bfs; given is --strategy dfs"},
		{"explore lcr --supertrace --runs 5", "--runs goes with --strategy random or pct; given is --strategy dfs"},
		{"explore lcr --safety --disk=", `--disk "": it takes the name of a folder`},
		{"explore lcr --disk states", "--disk goes with --safety: whether a run goes on for ever cannot be told from states on disk"},
		{"explore lcr --disk states --safety --strategy dfs", "--disk goes with --strategy bfs; given is --strategy dfs"},
		{"explore lcr --disk states --safety --counterexamples 2", "--disk looks for one counterexample; --counterexamples goes without it"},
		{"explore lcr --disk no/such/states --safety", "folder no/such/states: mkdir no/such/states: no such file or directory"},
		{"explore lcr --safety --strategy random", "--safety goes with --strategy bfs or dfs; given is --strategy random"},
		{"explore lcr --safety --supertrace", "--supertrace looks for no run that goes on for ever, either: it goes without --safety"},
		{"explore lcr --workers 2 --strategy dfs", "--workers goes with --strategy bfs; given is --strategy dfs"},
		{"explore lcr --max-memory 12", `--max-memory "12": it takes a whole number above 0 and a unit, MB or GB, as in 512MB`},
		{"explore lcr --loss 256", `--loss "256": it takes a whole number from 0 to 255`},
		{"explore bully --restart 1", "--restart 1 brings back crashed processes, and no process crashes; --crash says how many may"},
		{"explore ingram --notice any", "--notice any is about changes of links, and no link changes; --link-changes says how many may"},
		{"explore ingram --down 0", `--down: link "0"; a link is two addresses, such as 0-2`},
		{"explore ingram --down 0-7", "the link 0-7 is down at first, and topology complete has no such link"},
		{"explore lcr --note text", "--note is for the file that --out writes; without it there is none"},
		{"sweep", "sweep takes SPEC.yaml and no more; given is nothing"},
		{"sweep none.yaml", "none.yaml: no such file"},
		{"sweep demo.yaml --workers 0", `--workers "0": it takes a whole number from 1 to 4096`},
		{"sweep demo.yaml --progress of", `--progress "of": allowed are auto, plain, off (did you mean "off"?)`},
		{"plot none", "none holds no results of a sweep"},
		{"replay none 1", "none holds no results of a sweep"},
		{"replay none 0", `row "0": ROW takes a whole number from 1`},
		{"replay none", `none: no such file or directory`},
		{"replay", "replay takes DIR ROW | FILE; given is nothing"},
		{"why none", `unknown algorithm "none"; allowed are lcr, changroberts`},
		{"why .", ". is a directory; which of its rows? bullring why . ROW"},
		{"why none 1 --n 3", "--n goes with an ALGORITHM"},
		{"shrink lcr --n 3 --fails E3", `--fails "E3" (did you mean "E1"?); allowed are E1, E2, incorrect`},
		{"criticality lcr --by 3ms", "--by 3ms is for --strike delay; given is --strike drop"},
		{"criticality lcr --strike kick", `--strike "kick": allowed are drop, delay, duplicate, crash, repair`},
		{"criticality lcr --strike repair --by 3ms", "--by 3ms is for --strike delay; given is --strike repair"},
		{"criticality lcr --strike repair", "--strike repair: no check is violated, so that there is nothing to repair; the outcome is elected"},
		{"run lcr --link lossy5%", `"lossy5%"`},
		{"run lcr --link 0->9:loss", `link "0->9:loss"`},
		{"run lcr --gst 5ms", "without a bound on delay (delta) there is nothing that holds from then on"},
		{"run lcr --detector phy(10ms)", `detector "phy(10ms)"`},
		{"run lcr --transport tcp", `transport "tcp"`},
		{"run lcr --topology ring --transport reliable", `topology "ring": a reliable link and heartbeats need a link back for every link`},
		{"run lcr --picture lcr.png", "--picture: runs of lcr have no picture; those that have one: repelling"},
		{"run repelling --picture tokens.jpg", `--picture: picture "tokens.jpg": its name has to end in .svg, .pdf, .png, .tikz or .tex`},
		{"run repelling --picture=", `--picture "": it is empty`},
		{"run repelling --param dimensions=3 --picture tokens.png", "--picture: runs of repelling have a picture in two dimensions only; given is dimensions=3"},
		{"run lcr --faults none.txt", "the plan: stat none.txt"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			got := bullring(t, strings.Split(c.args, " ")...)
			if got.status != statusUsage || got.out != "" {
				t.Errorf("status %d, output %q", got.status, got.out)
			}
			if !strings.HasPrefix(got.errors, "bullring: ") || !strings.Contains(got.errors, c.want) {
				t.Errorf("%q lacks %q", got.errors, c.want)
			}
		})
	}
}

// An error stays readable, whatever was given.
func TestErrorsArePrintable(t *testing.T) {
	for _, args := range [][]string{
		{"run", "bully", "--dead", strings.Repeat("7,", 100_000)},
		{"run", "bully", "--delay", strings.Repeat("1", 100_000)},
		{"run", "lcr", "--ids", strings.Repeat("1,", 1_000_001)},
		{"sweep", "\x1b[2J\x00"},
		{strings.Repeat("x", 10_000)},
	} {
		got := bullring(t, args...)
		if got.status != statusUsage || len(got.errors) > 2000 || strings.ContainsAny(got.errors, "\x00\x1b") {
			t.Errorf("%.40q: status %d, %d bytes: %.100q", args, got.status, len(got.errors), got.errors)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"run", ""}, []string{"lcr\t", "bully\t"}},
		{[]string{"run", "lcr", "--placement", ""}, trial.Placements},
		{[]string{"run", "lcr", "--topology", ""}, []string{"ring", "biring"}},
		{[]string{"run", "--topology", ""}, []string{"ring", "biring", "complete"}},
		{[]string{"run", "bully", "--variant", ""}, []string{"B", "A", "C", "overlap", "min"}},
		{[]string{"run", "bully", "--variant", "A,"}, []string{"A,overlap", "A,min"}},
		{[]string{"run", "lcr", "--delay", ""}, []string{"1ms", "exp(1ms)"}},
		{[]string{"sweep", "demo.yaml", "--progress", ""}, []string{"auto", "plain", "off"}},
		{[]string{"sweep", ""}, []string{"yaml", ":8"}},
		{[]string{"plot", ""}, []string{":16"}},
		{[]string{"re"}, []string{"replay\t"}},
	} {
		got := bullring(t, append([]string{cobra.ShellCompRequestCmd}, c.args...)...)
		for _, w := range c.want {
			if !strings.Contains("\n"+got.out, "\n"+w) {
				t.Errorf("%q offers %q, without %q", c.args, got.out, w)
			}
		}
	}
	if got := bullring(t, cobra.ShellCompRequestCmd, "run", "lcr", "--topology", ""); strings.Contains(got.out, "complete\n") {
		t.Errorf("a topology is offered that lcr does not run on: %q", got.out)
	}
}

func TestList(t *testing.T) {
	table := bullring(t, "list")
	for _, a := range catalog.New().All() {
		if !strings.Contains(table.out, "\n"+a.Name+" ") {
			t.Errorf("%s is not listed:\n%s", a.Name, table.out)
		}
	}
	if of := bullring(t, "list", "--family", "mutex"); !strings.Contains(of.out, "\nraymond ") || strings.Contains(of.out, "\nlcr ") {
		t.Errorf("the family mutex is listed as %s", of.out)
	}
	if got := bullring(t, "list", "--family", "mutexes"); got.status != 2 || !strings.Contains(got.errors, `--family "mutexes" (did you mean "mutex"?)`) {
		t.Errorf("%+v", got)
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(bullring(t, "list", "--json").out), &list); err != nil {
		t.Fatal(err)
	}
	for i, a := range catalog.New().All() {
		if list[i]["name"] != a.Name || len(list[i]["bounds"].([]any)) != len(a.Bounds) || list[i]["assumptions"] == nil {
			t.Errorf("%s is listed as %v", a.Name, list[i])
		}
	}
}

// ownRegistry is somebody else's, with algorithms that promise what they do not
// keep.
func ownRegistry() *trial.Registry {
	declare := func(name string, promise election.Promise, bounds ...trial.Bound) trial.Algorithm {
		return families.Election(trial.Algorithm{
			Name: name, Title: "an algorithm of somebody else's", Assumes: trial.Assumptions{Topologies: []string{"ring"}}, Bounds: bounds,
		}, func(*trial.Instance) election.Promise { return promise },
			func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
				return func(p protocols.ID) election.Process[lcr.Message] { return lcr.New(in.Ranks.At(p), lcr.Config{}) }
			})
	}
	is := func(v float64) func(*trial.Instance) (float64, bool) {
		return func(*trial.Instance) (float64, bool) { return v, true }
	}
	r := &trial.Registry{}
	r.Register(
		declare("honest", election.Promise{LeaderOnly: true}),
		declare("boastful", election.Promise{LeaderOnly: true}, trial.Bound{
			Name: "free", Metric: "messages", Formula: "0", Convention: "wishful", Relation: trial.Exactly, Value: is(0),
		}),
		declare("silent", election.Promise{}),
	)
	return r
}

// What a registry promises and a run does not keep ends with status 1, after
// the result.
func TestFailures(t *testing.T) {
	own := ownRegistry()
	for _, c := range []struct {
		args  []string
		error string
	}{
		{[]string{"run", "boastful"}, "boastful breaks a proven bound: messages are 15, but free says = 0 (0; wishful)"},
		{[]string{"run", "silent"}, "check E2 is violated, inside the model of silent: process 0 has not decided"},
	} {
		got := perform(t.Context(), own, c.args...)
		if got.status != statusFailed || !strings.Contains(got.out, "outcome") || !strings.Contains(got.errors, c.error) {
			t.Errorf("%q: status %d, %s\n%s", c.args, got.status, got.errors, got.out)
		}
	}
	got := perform(t.Context(), own, "run", "boastful", "--json")
	var result struct {
		Bounds []struct {
			Ratio  *float64
			Broken bool
		}
	}
	if err := json.Unmarshal([]byte(got.out), &result); err != nil || len(result.Bounds) != 1 {
		t.Fatal(err, got.out)
	}
	if b := result.Bounds[0]; b.Ratio != nil || !b.Broken {
		t.Errorf("15 messages where 0 are allowed: %+v; the ratio is no number", b)
	}
}

// The name of the program is the one that its author gave the command.
func TestProgramName(t *testing.T) {
	root := newCommand(ownRegistry(), clockwork.NewRealClock())
	root.Use = "rodeo"
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetArgs([]string{"run", "honest"})
	if execute(t.Context(), root) != 0 || !strings.Contains(out.String(), "again: rodeo run honest --n 8 --seed 1") {
		t.Error(out.String())
	}
	root.SetArgs([]string{"runn"})
	if execute(t.Context(), root) != statusUsage || !strings.HasPrefix(errs.String(), "rodeo: ") {
		t.Error(errs.String())
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a signal"))
	got := perform(ctx, catalog.New(), "run", "lcr", "--json")
	if got.status != statusInterrupted || !strings.Contains(got.errors, "interrupted: a signal") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	if !strings.Contains(got.out, `"outcome": "unfinished"`) || !strings.Contains(got.out, `"end": "interrupted"`) {
		t.Error(got.out)
	}

	t.Chdir(t.TempDir())
	if err := os.WriteFile("demo.yaml", []byte(sampleSpec(catalog.New())), 0o666); err != nil {
		t.Fatal(err)
	}
	got = perform(ctx, catalog.New(), "sweep", "demo.yaml")
	if got.status != statusInterrupted || !strings.Contains(got.errors, "of 75 trials") {
		t.Errorf("status %d, %s\n%s", got.status, got.errors, got.out)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputFails(t *testing.T) {
	for _, args := range [][]string{{"list"}, {"run", "lcr"}, {"run", "lcr", "--json"}, {"run", "lcr", "--trace"}} {
		root := newCommand(catalog.New(), clockwork.NewRealClock())
		var errs bytes.Buffer
		root.SetOut(full{})
		root.SetErr(&errs)
		root.SetArgs(args)
		if status := execute(t.Context(), root); status != statusFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%q: status %d, %s", args, status, &errs)
		}
	}
}

// outcomeOf is every file that has to be the same however often a sweep was killed:
// all but the manifest and the list of what was written, which tell how often it was.
func outcomeOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "manifest.json" || e.Name() == results.ClaimsFile {
			return err
		}
		files[strings.TrimPrefix(path, dir)] = string(read(t, path))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return files
}

func sameFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left over", name)
		}
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs", name)
		}
	}
}

// edited replaces a text in a file.
func edited(t *testing.T, file, before, after string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), before) {
		t.Fatalf("%s has no %q: %v", file, before, err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), before, after, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}
