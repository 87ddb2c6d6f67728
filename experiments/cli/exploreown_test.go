package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// Own properties are judged, and a case judges them again in its run.
func TestExploreOwnProperties(t *testing.T) {
	got := bullring(t, "explore", "lamport", "--n", "2", "--always", "all(clock <= 9)", "--always", "count(inside) <= 1", "--sometimes", "max(clock) > 4")
	for _, want := range []string{"own1      always      holds    all(clock <= 9)", "own3      sometimes   holds    max(clock) > 4", "PROVEN for n = 2", "rest, own1 and own2 hold"} {
		if got.status != 0 || !strings.Contains(strings.Join(strings.Fields(got.out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("status %d, no %q in\n%s%s", got.status, want, got.out, got.errors)
		}
	}
	file := filepath.Join(t.TempDir(), "case.json")
	got = bullring(t, "explore", "lamport", "--n", "2", "--always", "all(clock <= 4)", "--out", file)
	if got.status != 1 || !strings.Contains(got.errors, "own1 is violated: all(clock <= 4)") {
		t.Errorf("status %d: %s%s", got.status, got.out, got.errors)
	}
	for _, command := range [][]string{{"run", "--schedule", file}, {"replay", file}} {
		if got := bullring(t, command...); !strings.Contains(got.out+got.errors, "agrees") && !strings.Contains(got.out, "own1   violated   all(clock <= 4): false at step 10") {
			t.Errorf("%v: %s%s", command, got.out, got.errors)
		}
	}
	got, x := exploreJSON(t, "lamport --n 2 --always max(clock)<3 --sometimes any(inside) --counterexamples 3")
	others, _ := x["others"].([]any)
	if got.status != 1 || len(others) != 2 || x["full"] != true {
		t.Errorf("status %d, %d others, full %v", got.status, len(others), x["full"])
	}
	_, x = exploreJSON(t, "lamport --n 2 --sometimes any(inside) --strategy random --runs 20")
	properties := x["properties"].([]any)
	if last := properties[len(properties)-1].(map[string]any); last["runs"] != 20. {
		t.Errorf("in %v of 20 runs is a process inside", last["runs"])
	}
}

func TestExploreOwnPropertiesRefused(t *testing.T) {
	for command, want := range map[string]string{
		"lamport --always all(clok<=4)":                         `always "all(clok<=4)": column 5: "clok" is no field of a process (did you mean "clock"?)`,
		"lamport --eventually clock<4":                          "each process has its clock; say all(clock ...)",
		"lamport --n 2 --sometimes p2.clock<4":                  "there is no process 2; allowed are p0 to p1",
		"lcr --always all(status==leader)":                      "a word that is the name of a field, too, stands in quotes",
		"lcr --counterexamples 2 --strategy dfs":                "--counterexamples goes with --strategy bfs; given is --strategy dfs",
		"lcr --counterexamples 0":                               "--counterexamples",
		"lcr " + strings.Repeat("--always all(leader>=0) ", 33): "33 properties; allowed are up to 32",
	} {
		got := bullring(t, append([]string{"explore"}, words(strings.TrimSpace(command))...)...)
		if got.status != 2 || !strings.Contains(strings.Join(strings.Fields(got.errors), " "), want) {
			t.Errorf("%s: status %d, %s", command, got.status, got.errors)
		}
	}
}
