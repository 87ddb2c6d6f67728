package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A counterexample, a smallest run, a failure that a hunt finds and a live run are explained as why
// explains them: with the same words, the same reasons and the same commands.
func TestExplainedAlike(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		command string
		why     string // the arguments of the command that explains the run
		status  int
	}{
		{"explore bully --timers free --shrink=false -o case.json", "case.json", 1},
		{"explore bully --timers free --crash 1 --n 4 -o case.json", "case.json", 1},
		{"explore peterson --ids 4,2,3,1 --loss 1 -o case.json", "case.json", 1},
		{"explore changroberts --n 2 --loss 2 -o case.json", "case.json", 1},
		{"shrink lcr --n 12 --placement random --link 'loss 10%' --outside-model -o case.json", "case.json", 0},
		{"shrink bully --n 5 --initiators 0 --dead last --delay uniform(0,3ms) --assume 1ms --outside-model -o case.json", "case.json", 0},
		{"hunt bully --outside-model --of partitions --n 4 --settings 300 --cases hunted", "hunted/bully-E1-1.json", 0},
		{"live lcr --n 4 --link 'loss 20%' --seed 2 --outside-model -o case.json", "case.json", 0},
	} {
		os.Remove("case.json")
		os.RemoveAll("hunted")
		text := bullring(t, words(c.command)...)
		why := bullring(t, words("why "+c.why)...)
		short, _, _ := strings.Cut(why.out, "\n\n")
		if text.status != c.status || !strings.Contains(text.out, short+"\n") || !strings.Contains(short, "\nbecause ") {
			t.Errorf("%s: status %d, the words of why\n%s\nare not in\n%s%s", c.command, text.status, short, text.out, text.errors)
		}
		if _, saved, _ := strings.Cut(why.out, "\nsaved: "); !strings.Contains(text.out, "\nsaved: "+strings.Split(saved, "\n")[0]) {
			t.Errorf("%s: the command of why, %q, is not in\n%s", c.command, saved, text.out)
		}
	}
	for _, c := range []struct {
		command string
		at      []string // where the explanation is in the JSON
	}{
		{"explore peterson --ids 4,2,3,1 --loss 1 -o case.json", []string{"counterexample"}},
		{"shrink lcr --n 12 --placement random --link 'loss 10%' --outside-model -o case.json", nil},
		{"live lcr --n 4 --link 'loss 20%' --seed 2 --outside-model -o case.json", nil},
	} {
		os.Remove("case.json")
		got := under(t, []byte(bullring(t, words(c.command+" --json")...).out), append(slices.Clone(c.at), "explanation")...)
		why := []byte(bullring(t, "why", "case.json", "--json").out)
		for _, key := range []string{"violation", "reasons", "unable"} {
			if is, want := under(t, got, key), under(t, why, key); !bytes.Equal(is, want) {
				t.Errorf("%s: %s is %s, and %s for why", c.command, key, is, want)
			}
		}
	}
}

// under is what stands in JSON under some keys, on one line.
func under(t *testing.T, text []byte, keys ...string) []byte {
	t.Helper()
	for _, key := range keys {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatalf("%v, for %s in %s", err, key, text)
		}
		text = fields[key]
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return line.Bytes()
}

// A run that goes on for ever breaks no check by a step, and one that holds breaks none.
func TestNotExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, words("explore decentralized --n 2 --initiators all --json")...)
	if is := under(t, []byte(got.out), "counterexample", "explanation"); string(is) != "null" {
		t.Errorf("a run that goes on for ever has the explanation %s", is)
	}
	got = bullring(t, words("live lcr --n 4 --json")...)
	if is := under(t, []byte(got.out), "explanation"); string(is) != "null" {
		t.Errorf("a live run in which all checks hold has the explanation %s", is)
	}
}
