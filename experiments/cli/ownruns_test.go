package cli

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// A condition that must always hold is violated if, and only if, what the run measures says so; one that must
// hold in the end, if its last state says so.
func TestOwnPropertiesOfRuns(t *testing.T) {
	registry, violated := catalog.New(), 0
	var worker trial.Worker
	for seed := range uint64(40) {
		for most := range 4 {
			in, err := registry.Instance(trial.Setting{
				Algorithm: "raft", N: 5, Dead: "4", Param: "base=10ms,width=4ms", Seed: seed,
				Properties: trial.Properties(fmt.Sprintf("always max(term) <= %d\neventually count(role == \"leader\") == 1 and max(term) == min(term)", most)),
			})
			if err != nil {
				t.Fatal(err)
			}
			r := worker.Run(t.Context(), in, nil)
			term, ok := r.Metric("term")
			if want := term > float64(most); !ok || (r.Verdict("own1") == protocols.Violated) != want || r.Verdict("own2") != protocols.Holds {
				t.Errorf("seed %d: term %v, at most %d is %v; in the end %v", seed, term, most, r.Verdict("own1"), r.Verdict("own2"))
			}
			if r.Verdict("own1") == protocols.Violated {
				violated++
			}
		}
	}
	if violated < 20 || violated > 140 {
		t.Errorf("%d are violated", violated)
	}
}

// Commands about a run take such conditions, and print them in commands.
func TestOwnPropertiesOfCommands(t *testing.T) {
	setting := []string{"raft", "--n", "3", "--delay", "exp(1ms)", "--param", "base=10ms,width=8ms", "--always", "max(term) <= 0", "--eventually", "all(leader != 2)"}
	command := func(name string, more ...string) []string { return append(append([]string{name}, setting...), more...) }
	got := bullring(t, command("run")...)
	again := "--always 'max(term) <= 0' --eventually 'all(leader != 2)' --seed 1"
	flat := strings.Join(strings.Fields(strings.ReplaceAll(got.out, "\\", "")), " ")
	if got.status != 1 || !strings.Contains(flat, again) || !strings.Contains(flat, "own1 violated max(term) <= 0: false at ") {
		t.Errorf("status %d, no %s in\n%s", got.status, again, got.out)
	}
	_, line, _ := strings.Cut(flat, "again: bullring ")
	line, _, _ = strings.Cut(line, "view:")
	if repeated := bullring(t, words(strings.TrimSpace(line))...); repeated.out != got.out {
		t.Errorf("%s prints\n%s", line, repeated.out)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{command("why"), 0, "own1 is violated: max(term) <= 0: false at "},
		{command("shrink"), 0, `that shows "own1"`},
		{command("rare", "--check", "own1", "--level", "term", "--effort", "10", "--repetitions", "2"), 0, "P(own1 violated) = 1, 95 % interval"},
		{command("rare", "--check", "own3", "--level", "term"), statusUsage, `no check "own3"; it has E1, E2, own1, own2`},
		{[]string{"run", "lcr", "--n", "8", "--placement", "decreasing", "--always", "run.messages <= 36", "--eventually", "run.sent_PROBE + run.sent_ANNOUNCE == run.messages"}, 0, "own1 holds run.messages <= 36"},
		{[]string{"run", "lcr", "--n", "8", "--placement", "decreasing", "--always", "run.messages < 36"}, 1, "own1 violated run.messages < 36: false at rest, with messages 36"},
		{[]string{"run", "lcr", "--n", "8", "--max-events", "9", "--always", "run.messages < 36"}, statusUndecided, "own1 undecided"},
		{[]string{"why", "lcr", "--n", "8", "--placement", "decreasing", "--always", "run.messages < 36"}, 0, "own1 is violated: run.messages < 36: false at rest, with messages 36"},
		{[]string{"rare", "raft", "--n", "5", "--dead", "last", "--param", "base=10ms,width=5ms", "--level", "term", "--eventually", "run.term < 3", "--check", "own1", "--effort", "100"}, 0, "P(own1 violated) = 0.03"},
		{[]string{"run", "lcr", "--always", "run.mesages < 9"}, statusUsage, `column 5: "mesages" is not measured of a run (did you mean "messages"?)`},
		{[]string{"explore", "lcr", "--n", "3", "--always", "run.messages < 9"}, statusUsage, `always "run.messages < 9": what is measured of a whole run is no part of a state`},
		{[]string{"rare", "lcr", "--level", "max(run.messages)", "--reach", "3"}, statusUsage, "run.messages is of a whole run, and a moment of it is looked at here"},
		{command("hunt"), statusUsage, `unknown flag "--always"`},
		{[]string{"run", "raft", "--sometimes", "any(term > 2)"}, statusUsage, `unknown flag "--sometimes"`},
		{[]string{"run", "raft", "--always", "max(trem) < 2"}, statusUsage, `"trem" is no field of a process (did you mean "term"?)`},
		{[]string{"run", "raft", "--always", ""}, statusUsage, "column 1: it cannot be read"},
	} {
		got := bullring(t, c.args...)
		if said := strings.Join(strings.Fields(got.out+got.errors), " "); got.status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("%q: status %d, no %q in\n%s", c.args, got.status, c.want, said)
		}
	}
	if shrunk := bullring(t, command("shrink")...).out; !strings.Contains(shrunk, "\nn 3, ") {
		t.Errorf("numbers in conditions may be about three processes:\n%s", shrunk)
	}
}
