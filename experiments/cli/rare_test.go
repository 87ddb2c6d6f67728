package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// What is asked for has to make sense. An event that no run comes to has the status of what is not known.
func TestRareStatus(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"itairodeh --n 2 --level draws --reach 8 --effort 50", 0, "P(draws 8) = 0.1"},
		{"itairodeh --n 2 --level draws --reach 8 --effort 50 --levels none", 0, "\ndraws 8  0.1"},
		{"itairodeh --n 2 --level draws --reach 8 --effort 50 --levels 4,6", 0, "\ndraws 6  0.2"},
		{"itairodeh --n 2 --level draws --reach 20 --effort 50 --method restart", 0, "from 20 repetitions that begin with 50 runs"},
		{"itairodeh --n 2 --level draws --reach 20 --effort 50 --method restrat", statusUsage, `allowed are effort, restart (did you mean "restart"?)`},
		{"itairodeh --n 2 --reach 5ms --effort 50", 0, "P(time 5ms) = 0.2"},
		{"lcr --n 4 --check E1 --level messages --effort 5", statusUndecided, "no run came to the event, so its probability has no upper bound here"},
		{"lcr --n 4", statusUsage, "either --reach or --check says what the event is"},
		{"lcr --n 4 --reach 5 --check E1", statusUsage, "either --reach or --check"},
		{"lcr --n 4 --reach 5", statusUsage, `--reach: level time of "5"; it takes a duration above 0`},
		{"lcr --n 4 --level draws --reach 5ms", statusUsage, `level draws of "5ms"; it takes a whole number above 0`},
		{"lcr --n 4 --level draws --reach 5 --levels 3,2", statusUsage, "levels rise, and the last one is below --reach"},
		{"lcr --n 4 --level draws --reach 5 --levels 3,5", statusUsage, "levels rise"},
		{"lcr --n 4 --level nothing --reach 5", statusUsage, `lcr has no level "nothing"; it has time, draws, lost, crashes, messages, rank.ID`},
		{"lcr --n 4 --level draws --reach 5 --forks 1:1", statusUsage, "a schedule or forks"},
	} {
		expect(t, c.status, c.says, words("rare "+c.args)...)
	}
}

// The run that is named repeats: it draws as often as was asked for, and a page of it, its explanation and its
// check find the same run.
func TestRareRunRepeats(t *testing.T) {
	t.Chdir(t.TempDir())
	var r struct{ Again, View, Fingerprint string }
	if err := json.Unmarshal([]byte(expect(t, 0, "", words("rare itairodeh --n 2 --level draws --reach 20 --effort 50 --json")...).out), &r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Again, " --forks ") {
		t.Fatalf("%s has no forks", r.Again)
	}
	again := words(r.Again)[1:]
	var run struct {
		Fingerprint, Forks string
		Draws              int
	}
	if err := json.Unmarshal([]byte(expect(t, 0, "", append(again, "--json")...).out), &run); err != nil {
		t.Fatal(err)
	}
	if run.Fingerprint != r.Fingerprint || run.Forks == "" {
		t.Errorf("%s has fingerprint %s; want %s", r.Again, run.Fingerprint, r.Fingerprint)
	}
	expect(t, 0, "", append(words(r.View)[1:], "-o", "page.html")...)
	expect(t, 0, "identical: the run of the page", "verify", "page.html")
	expect(t, 0, "", append([]string{"why"}, again[1:]...)...)
	expect(t, statusUsage, "", append([]string{"explore"}, again[1:]...)...)
}

// A fork changes the way of processes that move. A page that showed where they are would show where they had
// been without it, so it does not.
func TestForksOfMotion(t *testing.T) {
	t.Chdir(t.TempDir())
	command := func(name string, more ...string) []string {
		return append([]string{name, "ingram", "--n", "5", "--motion", "walk(200mx200m, 100m, 20m/s, 2s)", "--until", "60s"}, more...)
	}
	plain, forked := expect(t, 0, "", command("run")...), expect(t, 0, "", command("run", "--forks", "40:7")...)
	if again := expect(t, 0, "", command("run", "--forks", "40:7")...); plain.out == forked.out || again.out != forked.out {
		t.Errorf("a fork changes nothing, or not always the same:\n%s", forked.out)
	}
	for file, more := range map[string][]string{"plain.html": nil, "forked.html": {"--forks", "40:7"}} {
		expect(t, 0, "", command("view", append(more, "-o", file)...)...)
		expect(t, 0, "identical: the run of the page", "verify", file)
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(string(page), `"ground":{`); shown != (more == nil) {
			t.Errorf("%s shows where processes are: %v", file, shown)
		}
	}
}
