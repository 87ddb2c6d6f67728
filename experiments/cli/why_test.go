package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/cli/internal/view"
)

// explained is what why --json says of a violation.
type explained struct {
	Violation *struct{ Check, At, Sentence string }
	Reasons   []struct {
		Changes         []string
		Effect, Command string
	}
}

// The command of each reason is run again, and does what the reason says: the check holds, or it
// breaks in another way.
func TestCommandsOfReasons(t *testing.T) {
	kinds := map[string]int{}
	for _, run := range []string{
		"bully --n 5 --initiators 0 --dead last --delay uniform(0,3ms) --assume 1ms --outside-model --seed 2",
		"bully --n 5 --initiators 0 --dead last --delay uniform(0,3ms) --assume 1ms --outside-model --seed 7",
		"bully --n 5 --fault random?swarm?until?30ms --outside-model --seed 14",
		"bully --n 4 --fault at?1ms?partition?{0?1?|?2?3}?for?20ms --outside-model",
		"ringlist --n 8 --link loss?20% --outside-model --seed 1",
		"ringlist --n 8 --link loss?20% --outside-model --seed 3",
		"ghs --n 8 --link loss?5% --outside-model --seed 2",
		"ghs --n 8 --link loss?5% --outside-model --seed 3",
		"ricartagrawala --n 4 --link duplicate?20% --param requests=3,think=1ms --outside-model --seed 3",
		"../catalog/testdata/cases/bully-live.json",
		"../catalog/testdata/cases/bully-mistaken.json",
	} {
		args := strings.Fields(run)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "?", " ")
		}
		var e explained
		if err := json.Unmarshal([]byte(bullring(t, slices.Concat([]string{"why", "--json"}, args)...).out), &e); err != nil {
			t.Fatal(run, err)
		}
		if e.Violation == nil || len(e.Reasons) == 0 {
			t.Errorf("%s: %+v", run, e)
			continue
		}
		for i, r := range e.Reasons {
			words := append(view.Words(r.Command)[1:], "--json")
			kinds[words[0]]++
			again := bullring(t, words...)
			detail, violated := broken(t, again.out, e.Violation.Check)
			if violated != (r.Effect == "other") || violated && detail == e.Violation.Sentence {
				t.Errorf("%s: reason %d, %v, is %q; its command %q finds %q", run, i+1, r.Changes, r.Effect, r.Command, detail)
			}
		}
	}
	if kinds["run"] < 10 || kinds["why"] < 10 {
		t.Errorf("the commands %v are too few of a kind", kinds)
	}
}

// broken tells how a check breaks in a run, given its result as JSON.
func broken(t *testing.T, result, check string) (detail string, violated bool) {
	t.Helper()
	var r struct {
		Checks []struct{ Name, Verdict, Detail string }
	}
	if err := json.Unmarshal([]byte(result), &r); err != nil {
		t.Fatal(err, result)
	}
	for _, c := range r.Checks {
		if c.Name == check {
			return c.Detail, c.Verdict != "holds"
		}
	}
	t.Fatalf("there is no check %s:\n%s", check, result)
	return "", false
}

func TestInsteadOfNothing(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"why lcr --n 4 --instead 1", "--instead 1: this run has 0 reasons"},
		{"why lcr --n 4 --instead -1", "--instead -1: reasons are counted from 1"},
		{"why lcr --n 4 --link slot?1ms?loss?30% --outside-model --seed 2 --instead 1", "--instead 1: this run has 0 reasons"},
	} {
		args := strings.Fields(c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "?", " ")
		}
		if got := bullring(t, args...); got.status == 0 || !strings.Contains(got.errors, c.says) {
			t.Errorf("%v: status %d, %s", args, got.status, got.errors)
		}
	}
}

// The page of a run marks the events that the saved run lacks, their causes, and the late message.
// That of a run in which nothing is wrong marks the past of the verdict.
func TestPagesMarkTheExplanation(t *testing.T) {
	for _, c := range []struct {
		args string
		want []int
	}{
		{"view bully --n 5 --initiators 0 --dead last --delay uniform(0,3ms) --assume 1ms --outside-model --seed 2 --data -o -", []int{3, 9, 10, 23}},
		{"view lcr --n 2 --data -o -", []int{1, 2, 3, 4, 5}},
	} {
		var d struct{ Slice []int }
		if err := json.Unmarshal([]byte(bullring(t, strings.Fields(c.args)...).out), &d); err != nil || !slices.Equal(d.Slice, c.want) {
			t.Errorf("%s: %v, the page marks %v, want %v", c.args, err, d.Slice, c.want)
		}
	}
}
