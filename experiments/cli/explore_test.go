package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// exploreJSON performs an exploration and returns what it printed as JSON.
func exploreJSON(t *testing.T, command string) (outcome, map[string]any) {
	t.Helper()
	got := bullring(t, append(append([]string{"explore"}, words(command)...), "--json")...)
	var x map[string]any
	if err := json.Unmarshal([]byte(got.out), &x); err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, got.out, got.errors)
	}
	return got, x
}

// Every flag shows in what was explored.
func TestExploreFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		command string
		status  int
		want    map[string]any
	}{
		{"lcr", 0, map[string]any{
			"algorithm": "lcr", "variant": "leader-only", "n": 3, "placement": "increasing", "ids": []any{1, 2, 3}, "attributes": nil,
			"initiators": "all", "dead": []any{}, "instances": 1, "topology": "ring", "fifo": true, "detector": "perfect",
			"timers": "free", "grain": nil, "assume": "1ms", "processing": "0s", "loss": 0, "duplicate": 0, "crash": 0, "restart": 0,
			"strategy": "bfs", "full": false, "max_states": nil, "max_memory": explore.DefaultMemory, "seed": 1,
			"complete": true, "stopped": nil, "reduced": true, "sampled": nil, "counterexample": nil, "outside_model": []any{},
		}},
		{"lcr --full", 0, map[string]any{"states": 18, "reduced": false, "full": true}},
		{"lcr --full --strategy dfs", 0, map[string]any{"states": 18, "strategy": "dfs"}},
		{"lcr --n 2 --placement every", 0, map[string]any{"placement": "every", "ids": nil, "instances": 2}},
		{"lcr --ids 5,9,7,2 --attr 1,1,1,3 --topology biring", 0, map[string]any{"n": 4, "ids": []any{5, 9, 7, 2}, "attributes": []any{1, 1, 1, 3}, "topology": "biring"}},
		{"lcr --variant min,all-terminate --placement random --seed 7", 0, map[string]any{"variant": "all-terminate,min", "placement": "random", "seed": 7}},
		{"changroberts --initiators every", 0, map[string]any{"initiators": "every", "instances": 7}},
		{"changroberts --initiators 0,2", 0, map[string]any{"initiators": "0,2"}},
		{"changroberts --fifo=false", 0, map[string]any{"fifo": false, "outside_model": []any{"links are not FIFO"}}},
		{"lcr --loss 1", statusFailed, map[string]any{"loss": 1, "outside_model": []any{"links lose messages"}}},
		{"lcr --duplicate 1", 0, map[string]any{"duplicate": 1, "outside_model": []any{"links duplicate messages"}}},
		{"bully --dead last --initiators 0", 0, map[string]any{"dead": []any{2}, "timers": "bounded", "grain": 1}},
		{"bully --n 2 --initiators 0 --crash 1 --restart 1", 0, map[string]any{"crash": 1, "restart": 1}},
		{"bully --initiators 0 --grain 2 --assume 4ms --processing 2ms", 0, map[string]any{"grain": 2, "assume": "4ms", "processing": "2ms"}},
		{"bully --initiators 0 --detector none", 0, map[string]any{"detector": "none", "outside_model": []any{"there is no failure detector"}}},
		{"bully --initiators 0 --timers free", statusFailed, map[string]any{"timers": "free", "grain": nil, "outside_model": []any{"delays have no bound"}}},
		{"ringlist --initiators 0 --timers free", 0, map[string]any{"timers": "free"}},
		{"raft --n 2 --timeouts 3", 0, map[string]any{"timeouts": 3, "rounds": nil, "at_limit": 127, "states": 209, "complete": true, "stopped": nil}},
		{"floodset --rounds 2", 0, map[string]any{"timeouts": nil, "rounds": 2, "at_limit": 0, "states": 28}},
		{"raft --n 2 --timeouts 3 --max-states 50", statusUndecided, map[string]any{"states": 50, "complete": false, "stopped": "there are more than 50 states, the limit"}},
		{"bully --timers free --timeouts 1", statusFailed, map[string]any{"timeouts": 1, "outside_model": []any{"delays have no bound"}}},
		{"bully --max-states 50", statusUndecided, map[string]any{"max_states": 50, "states": 50, "complete": false, "stopped": "there are more than 50 states, the limit"}},
		{"bully --n 4 --max-memory 1MB", statusUndecided, map[string]any{"max_memory": 1 << 20, "complete": false, "stopped": "the states take more than 1 MB, the limit"}},
		{"lcr --full --supertrace --max-memory 1MB", 0, map[string]any{
			"states": 18, "strategy": "dfs", "max_memory": 1 << 20, "complete": false, "stopped": "different states may have the same bits", "sampled": nil,
		}},
		{"lcr --full --supertrace --strategy dfs --max-states 7 --max-memory 1MB", 0, map[string]any{"states": 7, "stopped": "there are more than 7 states, the limit"}},
		{"bully --timers free --supertrace --max-memory 1MB", statusFailed, map[string]any{"complete": false, "stopped": nil}},
		{"lcr --full --safety", 0, map[string]any{"states": 18, "safety": true, "endless": false, "on_disk": nil}},
		{"bully --safety --disk states", 0, map[string]any{"states": 645, "safety": true, "endless": true, "on_disk": "map[missed:2.621416342485631e-24]", "reduced": false}},
		{"bully --safety --disk begun --max-states 50", statusUndecided, map[string]any{"complete": false, "stopped": "there are more than 50 states, the limit"}},
		{"bully --safety --disk begun", 0, map[string]any{"states": 645, "complete": true}},
		{"lcr --strategy random --runs 20 --seed 3", 0, map[string]any{"states": nil, "complete": false, "seed": 3, "transitions": 20 * 8, "rests": 20}},
	} {
		got, x := exploreJSON(t, c.command)
		if got.status != c.status {
			t.Errorf("%s: status %d, want %d: %s", c.command, got.status, c.status, got.errors)
		}
		for name, want := range c.want {
			if fmt.Sprint(x[name]) != fmt.Sprint(want) && x[name] != want {
				if v, ok := x[name].(float64); !ok || fmt.Sprint(int64(v)) != fmt.Sprint(want) {
					t.Errorf("%s: %s is %v, want %v", c.command, name, x[name], want)
				}
			}
		}
	}
}

// What was found is printed, and the error names the property that is violated.
func TestExploreText(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		command, out, error string
		status              int
	}{
		{"explore lcr --placement every --full", "PROVEN for n = 3, every placement, these initiators, no faults: ", "", 0},
		{"explore bully --timers free --dead 2", "\nVIOLATED: E1 after 3 steps:\n\n      step 1  start   0  | sends ELECTION(1) to 1\n", "bullring: E1 is violated: no process elects a leader while a better process is alive", statusFailed},
		{"explore raft --n 3 --max-states 200", "Something may rise without end. Along the run to the state found last: term of process 0 from 0 to 196 in 199 steps; messages from 0 to 1", "undecided: there are more than 200 states, the limit", statusUndecided},
		{"explore bully --max-states 50 --safety --disk states", "\nThe same command goes on from the last checkpoint in states.", "undecided: there are more than 50 states, the limit", statusUndecided},
		{"explore bully --n 4 --timers free --crash 1 --safety --disk found", "\nSMALLER: n 2, complete, every placement of 1..2", "bullring: E1 is violated", statusFailed},
		{"explore bully --max-states 50", "\nUNDECIDED: ", "undecided: there are more than 50 states, the limit", statusUndecided},
		{"explore lcr --strategy pct --runs 7", "\nSAMPLED: none of 7 runs violates ", "", 0},
	} {
		got := bullring(t, words(c.command)...)
		if got.status != c.status || !strings.Contains(got.out, c.out) || !strings.Contains(got.errors, c.error) {
			t.Errorf("%s: status %d\n%s%s\nlacks %q or %q", c.command, got.status, got.out, got.errors, c.out, c.error)
		}
	}
}

// Neither the number of workers shows nor the time that it took.
func TestExploreWorkers(t *testing.T) {
	for _, command := range []string{
		"explore bully --n 3 --crash 1 --initiators every", "explore peterson --ids 4,2,3,1 --loss 1", "explore changroberts --placement every --initiators every --json",
		"explore bully --max-states 777 --json", "explore ringlist --initiators 0 --crash 1 --full --json",
	} {
		one := bullring(t, append(words(command), "--workers", "1")...)
		for range 3 {
			if two := bullring(t, append(words(command), "--workers", "2")...); two.out != one.out || two.status != one.status {
				t.Fatalf("%s: with two workers\n%s\nwith one\n%s", command, two.out, one.out)
			}
		}
	}
}

func TestExploreInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("a signal"))
	for _, command := range []string{"explore lcr", "explore lcr --strategy random"} {
		got := perform(ctx, catalog.New(), words(command)...)
		if got.status != statusInterrupted || !strings.Contains(got.errors, "interrupted: a signal") || !strings.Contains(got.out, "E1        always      undecided") {
			t.Errorf("%s: status %d, %s\n%s", command, got.status, got.errors, got.out)
		}
		if strings.Contains(command, "random") != strings.Contains(got.out, "SAMPLED: none of 0 runs") {
			t.Errorf("%s:\n%s", command, got.out)
		}
	}
	var x map[string]any
	if got := perform(ctx, catalog.New(), "explore", "lcr", "--json"); json.Unmarshal([]byte(got.out), &x) != nil || x["stopped"] != "a signal" || x["complete"] != false {
		t.Error(got.out)
	}
}

// wrongProcess is one of an algorithm that goes wrong: it hands on what it receives
// for ever, or panics when it receives something for the second time.
type wrongProcess struct {
	rank     election.Rank
	panics   bool
	received int
}

func (p *wrongProcess) Decision() election.Decision { return election.Decision{} }

func (p *wrongProcess) Start(n protocols.Node[lcr.Message]) {
	n.Send(n.Neighbor(0), lcr.Message{Type: lcr.Probe, Rank: p.rank})
}

func (p *wrongProcess) Receive(n protocols.Node[lcr.Message], _ protocols.ID, m lcr.Message) {
	if p.panics {
		if p.received++; p.received == 2 {
			panic("once was enough")
		}
	}
	n.Send(n.Neighbor(0), m)
}

func (p *wrongProcess) Timeout(protocols.Node[lcr.Message], protocols.Timer) {}

// wrongRegistry has algorithms that go wrong.
func wrongRegistry() *trial.Registry {
	r := &trial.Registry{}
	for _, name := range []string{"restless", "panicky"} {
		r.Register(families.Election(trial.Algorithm{Name: name, Title: "goes wrong", Assumes: trial.Assumptions{Topologies: []string{"ring"}}},
			func(*trial.Instance) election.Promise { return election.Promise{} },
			func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
				return func(p protocols.ID) election.Process[lcr.Message] {
					return &wrongProcess{rank: in.Ranks.At(p), panics: name == "panicky"}
				}
			}))
	}
	return r
}

// A run that goes on for ever is a counterexample, with a mark where it repeats; kept
// as a case it does not claim more than it shows.
func TestExploreEndless(t *testing.T) {
	t.Chdir(t.TempDir())
	own := wrongRegistry()
	got := perform(t.Context(), own, "explore", "restless", "--n", "2", "--initiators", "0", "--shrink=false", "-o", "case.json", "--note", "As feared.")
	const want = `VIOLATED: E2 after 4 steps; the last 2 repeat for ever:

      step 1  start   0  | sends PROBE(1) to 1
      step 2  deliver 0 -> 1  PROBE(1)  | sends PROBE(1) to 0
--- from here on for ever ---
      step 3  deliver 1 -> 0  PROBE(1)  | sends PROBE(1) to 1
      step 4  deliver 0 -> 1  PROBE(1)  | sends PROBE(1) to 0

written to case.json
view: bullring view case.json
`
	if got.status != statusFailed || !strings.HasSuffix(got.out, want) {
		t.Errorf("status %d\n%s\nwant\n%s", got.status, got.out, want)
	}
	c, err := search.ReadCase("case.json")
	if err != nil || c.Failure != "unfinished" || c.Note != "As feared. E2 is violated by a run that goes on for ever: its last 2 steps repeat." {
		t.Error(c, err)
	}
	if got := perform(t.Context(), own, "replay", "case.json"); got.status != 0 || !strings.Contains(got.out, "The run agrees with case.json.") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	got = perform(t.Context(), own, "run", "--schedule", "case.json")
	if got.status != statusUndecided || !strings.Contains(got.errors, "undecided: the run ends after 4 steps, and something is left to happen") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
}

// So is one in which a handler panics.
func TestExplorePanic(t *testing.T) {
	if search.Panics != search.Failure(explore.NoPanic.Name) {
		t.Errorf("a case calls it %q, a search %q", search.Panics, explore.NoPanic.Name)
	}
	t.Chdir(t.TempDir())
	own := wrongRegistry()
	got := perform(t.Context(), own, "explore", "panicky", "--n", "2", "--initiators", "0", "--shrink=false", "-o", "case.json")
	const want = `step 4 of the schedule, "deliver 0->1 PROBE(1)": the handler panics: once was enough`
	if got.status != statusFailed || !strings.Contains(got.out, "VIOLATED: no-panic after 4 steps:") || !strings.HasSuffix(got.out, want+"\nwritten to case.json\nview: bullring view case.json\n") {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
	for _, c := range []struct {
		command string
		status  int
	}{{"replay case.json", 0}, {"run --schedule case.json", statusFailed}, {"why case.json", 0}} {
		if got := perform(t.Context(), own, words(c.command)...); got.status != c.status || !strings.Contains(got.out+got.errors, want) {
			t.Errorf("%s: status %d\n%s%s", c.command, got.status, got.out, got.errors)
		}
	}
	var x struct {
		Counterexample struct{ Property, Panicked string }
	}
	got = perform(t.Context(), own, "explore", "panicky", "--n", "2", "--json")
	if err := json.Unmarshal([]byte(got.out), &x); err != nil || x.Counterexample.Property != "no-panic" || x.Counterexample.Panicked != "once was enough" {
		t.Errorf("%v\n%s", err, got.out)
	}
}

// A counterexample that is kept repeats, in every command that takes one.
func TestExploreCase(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, "explore", "peterson", "--ids", "4,2,3,1", "--loss", "1", "--out", "case.json", "--note", "who lost is passed over")
	if got.status != statusFailed || !strings.HasSuffix(got.out, "written to case.json\nview: bullring view case.json\n") {
		t.Fatalf("status %d, %s%s", got.status, got.out, got.errors)
	}
	_, trace, _ := strings.Cut(got.out, "steps:\n\n")
	trace, _, _ = strings.Cut(trace, "\n\n")
	if got := bullring(t, "replay", "case.json", "--trace"); got.status != 0 || !strings.HasPrefix(got.out, trace) || !strings.HasSuffix(got.out, "The run agrees with case.json.\n") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	got = bullring(t, "run", "--schedule", "case.json", "--trace")
	if got.status != 0 || !strings.HasPrefix(got.out, trace) || !strings.Contains(got.out, "a schedule of 14 steps, timers free\nOUTSIDE THE MODEL: links lose messages\n") ||
		!strings.Contains(got.out, " 14 steps (elected at 14, last decision at 14)") || strings.Contains(got.out, "again:") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	var x map[string]any
	if got := bullring(t, "run", "--schedule", "case.json", "--json"); json.Unmarshal([]byte(got.out), &x) != nil ||
		len(x["schedule"].([]any)) != 15 || x["time_unit"] != "steps" || x["end"] != "out of steps" {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, "why", "case.json"); got.status != 0 || !strings.HasPrefix(got.out, "E1 is violated: process 2 elected 3 while the better 4 was alive, at step 14\n") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, "criticality", "case.json"); got.status != statusUsage || !strings.Contains(got.errors, "takes no run that follows a schedule") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	if got := bullring(t, "explore", "lcr", "-o", "none.json"); got.status != 0 || !strings.HasSuffix(got.out, "there is no run to be written to none.json\n") {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
	if _, err := os.Stat("none.json"); err == nil {
		t.Error("something was written")
	}
	if got := bullring(t, "explore", "lcr", "--loss", "1", "-o", "none/case.json"); got.status != statusUsage || !strings.Contains(got.errors, "no such file or directory") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
}

// A smaller system in which the same breaks is found, and its run is the one that is
// printed, kept and repeated.
func TestExploreShrink(t *testing.T) {
	t.Chdir(t.TempDir())
	const want = `SMALLER: n 2, complete, every placement of 1..2, every set of initiators, 6 instances
FIFO links, timers free, no faults
VIOLATED: E1 after 3 steps; identities 1,2, initiators 0:

      step 1  start   0  | sends ELECTION(1) to 1
      step 2  deliver 0 -> 1  ELECTION(1)  | sends ANSWER(2) to 0, COORDINATOR(2) to 0  | is the leader
      step 3  timeout 0  timer 0 (run)  | is the leader
`
	got := bullring(t, "explore", "bully", "--n", "4", "--timers", "free", "--crash", "1", "--shrink", "-o", "case.json")
	if got.status != statusFailed || !strings.Contains(got.out, want) {
		t.Errorf("status %d\n%s\nlacks\n%s", got.status, got.out, want)
	}
	if got := bullring(t, "replay", "case.json"); got.status != 0 || !strings.Contains(got.out, "n 2, complete") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	_, x := exploreJSON(t, "bully --n 4 --timers free --shrink")
	if c := x["counterexample"].(map[string]any); x["n"] != 4.0 || c["n"] != 2.0 || fmt.Sprint(c["steps"]) != "[start 0 deliver 0->1 ELECTION(1) timeout 0 timer 0]" {
		t.Error(c)
	}
}

// The instants of a schedule with time are instants, and that of a step in which
// time passes is left out.
func TestScheduleWithTime(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, "explore", "modifiedring", "--detector", "none", "--crash", "1", "--initiators", "0", "-o", "case.json")
	if got.status != statusFailed || !strings.Contains(got.out, "\n   step 1 0s  start   0  | sends ELECTION(1)@0.1 to 1\n") || strings.Contains(got.out, "tick") {
		t.Errorf("status %d\n%s", got.status, got.out)
	}
	if got := bullring(t, "run", "--schedule", "case.json"); got.status != 0 || !strings.Contains(got.out, ", timers bounded 1\n") || !strings.Contains(got.out, " s (elected never, ") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}

// Whatever is wrong with a case is told, and where.
func TestScheduleErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := bullring(t, "explore", "bully", "--timers", "free", "--initiators", "0", "--shrink=false", "-o", "case.json"); got.status != statusFailed {
		t.Fatal(got)
	}
	text, err := os.ReadFile("case.json")
	if err != nil {
		t.Fatal(err)
	}
	const timeout = `"timeout 0 timer 0"`
	for _, c := range []struct {
		from, to    string
		run, replay int
		want        string
	}{
		{timeout, `"timeout 0 timer 1"`, statusUsage, statusFailed, `step 2 of the schedule, "timeout 0 timer 1", is not possible: process 0 has no timer 1 armed`},
		{timeout, `"timeout 9 timer 0"`, statusUsage, statusFailed, "there is no process 9; addresses are 0..2"},
		{timeout, `"deliver 0->1 ELECTION(2)"`, statusUsage, statusFailed, "what is under way from 0 to 1 is ELECTION(1)"},
		{timeout, `"crash 0", "timeout 0 timer 0"`, statusUsage, statusFailed, "step 3 of the schedule"},
		{timeout, `"kick 0"`, statusUsage, statusUsage, `schedule, line 3: step "kick 0" is not understood`},
		{"timers free", "timers loose", statusUsage, statusUsage, `schedule: its first line is "timers loose"`},
		{"timers free", "timers free, clocks, clock", statusUsage, statusUsage, `schedule: its first line is "timers free, clocks, clock"`},
		{"timers free", "timers bounded 0", statusUsage, statusUsage, `schedule: its first line is "timers bounded 0"`},
		{"timers free", "timers bounded 1", statusUsage, statusFailed, "timer 0 of process 0 is not due before"},
		{`"delay": "1ms",`, `"delay": "1ms", "fault": "at 1ms crash 2",`, statusUsage, statusUsage, "a run that follows a schedule has no plan of faults"},
		{`"failure": "E1"`, `"failure": "E3"`, 0, statusUsage, `there is no failure "E3"`},
		{`"failure": "E1"`, `"failure": "E2"`, 0, statusFailed, `the run does not fail any more: it showed "E2"`},
		{`"outcome": "unfinished"`, `"outcome": "elected"`, 0, statusFailed, `the outcome was "elected", and is "unfinished" now`},
		{timeout, `"deliver 0->1 ELECTION(1)", "timeout 0 timer 0"`, 0, statusFailed, "the fingerprint was "},
	} {
		tampered := strings.Replace(string(text), c.from, c.to, 1)
		if tampered == string(text) {
			t.Fatalf("%s is not in the case", c.from)
		}
		if err := os.WriteFile("tampered.json", []byte(tampered), 0o666); err != nil {
			t.Fatal(err)
		}
		run, replay := bullring(t, "run", "--schedule", "tampered.json"), bullring(t, "replay", "tampered.json")
		if run.status != c.run || replay.status != c.replay || !strings.Contains(run.errors+replay.errors, c.want) {
			t.Errorf("%s: run %d, replay %d, lacks %q:\n%s%s", c.to, run.status, replay.status, c.want, run.errors, replay.errors)
		}
		if why := bullring(t, "why", "tampered.json"); why.status != c.run {
			t.Errorf("%s: why %d, run %d", c.to, why.status, c.run)
		}
	}
}

func TestScheduleFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := bullring(t, "shrink", "lcr", "--n", "3", "--fault", "drop every message", "-o", "plain.json"); got.status != 0 {
		t.Fatal(got)
	}
	for _, c := range []struct{ command, want string }{
		{"run --schedule plain.json", "the case plain.json has no schedule; to run it again: bullring replay plain.json"},
		{"run lcr --schedule plain.json", `with --schedule plain.json there is no ALGORITHM, the file names it; given is ["lcr"]`},
		{"run --schedule plain.json --n 3", "--n goes with an ALGORITHM"},
		{"run --schedule none.json", "none.json: no such file"},
	} {
		if got := bullring(t, words(c.command)...); got.status != statusUsage || got.out != "" || !strings.Contains(got.errors, c.want) {
			t.Errorf("%s: status %d, %q lacks %q", c.command, got.status, got.errors, c.want)
		}
	}
}

// A command offers values for every flag that has one. Of files the shell itself does.
func TestFlagCompletion(t *testing.T) {
	visit(newCommand(catalog.New(), clockwork.NewRealClock()), func(cmd *cobra.Command) {
		offerFlags(cmd)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, some := cmd.GetFlagCompletionFunc(f.Name); !some && f.Value.Type() != "bool" && f.Value.Type() != "FILE" {
				t.Errorf("%s --%s has no completion", cmd.Name(), f.Name)
			}
		})
	})
	for flag, want := range map[string][]string{
		"placement": append([]string{"every"}, trial.Placements...), "initiators": {"every", "all"}, "strategy": explore.Strategies,
		"timers": {"free", "bounded"}, "detector": {"perfect", "none"},
	} {
		got := bullring(t, "__complete", "explore", "bully", "--"+flag, "")
		if offered := strings.Split(got.out, "\n"); slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(offered, w) }) {
			t.Errorf("--%s offers %q, want %q", flag, offered, want)
		}
	}
}

func TestSearchProgress(t *testing.T) {
	clock, out := clockwork.NewFakeClock(), make(lines)
	s := &searching{meter: newMeter(out, clock, progressAuto)}
	s.begin(s.progress)
	if err := clock.BlockUntilContext(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s.update(explore.Progress{States: 1234, Transitions: 60_000, Depth: 7, Memory: 3 << 20})
	clock.Advance(lineEvery)
	if got, want := <-out, "1,234 states, 60,000 transitions, depth 7, 5s, 12,000/s, 3 MB\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	go s.finish(&explore.Result{Transitions: 90_000, Depth: 9, Sampled: explore.Sampled{Runs: 10}})
	if got, want := <-out, "10 runs, 90,000 transitions, depth 9, 5s, 18,000/s\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	quiet := newSearching(io.Discard)
	quiet.abandon()
	if text, _ := quiet.progress(time.Second); text != "" {
		t.Errorf("%q is said of a search that never began", text)
	}
}

func TestSize(t *testing.T) {
	var v uint64
	for text, want := range map[string]uint64{"1MB": 1 << 20, "3gb": 3 << 30, "1025MB": 1025 << 20} {
		if err := size(&v).Set(text); err != nil || v != want || size(&v).String() != strings.ToUpper(text) {
			t.Errorf("%s is %d, %v; printed as %s", text, v, err, size(&v))
		}
	}
	for _, text := range []string{"", "1", "MB", "0MB", "-1MB", "1.5GB", "1TB", "8589934592GB", "18446744073709551616MB"} {
		if err := size(&v).Set(text); err == nil {
			t.Errorf("%q is accepted, as %d", text, v)
		}
	}
}
