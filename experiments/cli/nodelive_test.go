package cli

import (
	"os"
	"strings"
	"testing"
)

// A live run of programs is written as a case, which names them. Their replay is the run that was printed.
func TestLivePrograms(t *testing.T) {
	programs(t)
	got, status := object(t, words("live lcr --n 4 --node 'python3 lcr.py' --json -o case.json")...)
	live, run := got["live"].(map[string]any), got["run"].(map[string]any)
	if status != 0 || live["end"] != "rest" || live["wrong"] != nil || run["messages"] != 7.0 || run["outcome"] != "elected" || got["view"] != "bullring view case.json --allow-nodes" {
		t.Errorf("status %d, %v", status, got)
	}
	again, status := object(t, words("run --schedule case.json --allow-nodes --json")...)
	if status != 0 || again["fingerprint"] != run["fingerprint"] {
		t.Errorf("status %d, fingerprint %v, not %v", status, again["fingerprint"], run["fingerprint"])
	}
	expect(t, 2, "--allow-nodes", "run", "--schedule", "case.json")
	expect(t, 0, "", "diagram", "case.json", "--allow-nodes", "-o", "case.svg")
	expect(t, 0, "", "view", "case.json", "--allow-nodes", "-o", "case.html")
	expect(t, 0, "PROBE", "export", "case.json", "--allow-nodes", "--as", "mermaid")
	expect(t, 0, "elected", "replay", "case.json", "--allow-nodes")
	expect(t, 0, "outcome       elected: identity 3 at address 2", words("live election --param decide=leader --topology ring --n 3 --node 'python3 lcr.py'")...)
	expect(t, 0, "2 live runs over tcp", words("live lcr --n 3 --node 'python3 lcr.py' --runs 2")...)
	expect(t, 2, "each program is an OS process already", words("live lcr --n 3 --node 'python3 lcr.py' --processes")...)
	if err := os.Rename("wrong.py", "lcr.py"); err != nil {
		t.Fatal(err)
	}
	expect(t, 2, "is not the file that ran before", "replay", "case.json", "--allow-nodes")
}

// A wrong program is judged and explained, and one that ends or hangs is named.
func TestLiveProgramsThatFail(t *testing.T) {
	programs(t)
	forwards := strings.Replace(string(read(t, "lcr.py")), `b["rank"] > rank`, `b["rank"] != rank`, 1)
	if err := os.WriteFile("forwards.py", []byte(forwards), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line   string
		status int
		says   []string
	}{
		{"live lcr --n 3 --node 'python3 forwards.py' -o forwards.json", statusFailed, []string{"E1 violated process ", "E2 violated 3 leaders", "why: bullring why forwards.json --allow-nodes"}},
		{"live lcr --n 3 --node 'python3 dies.py' -o dies.json", statusFailed, []string{"node n", "(python3 dies.py), told PROBE{", "ended: exit status 1; its standard error ends with", "ZeroDivisionError"}},
		{"live lcr --n 3 --node 'python3 hangs.py' --node-timeout 1s -o hangs.json", statusUndecided, []string{"cut short; node n2 (python3 hangs.py), told PROBE{", "did not answer for 1s (--node-timeout)"}},
		{"live lcr --n 3 --node 'python3 hangs.py' --limit 1s", statusUndecided, []string{"ended by --limit 1s; process 2 does not return from Receive(PROBE{"}},
		{"live lcr --n 3 --node 'cat'", statusFailed, []string{"the run could not begin: node n", "(cat), told init: wrote line 1 of its output"}},
	} {
		got := bullring(t, words(c.line)...)
		for _, says := range c.says {
			if text := strings.Join(strings.Fields(got.out+got.errors), " "); got.status != c.status || !strings.Contains(text, strings.Join(strings.Fields(says), " ")) {
				t.Errorf("%s: status %d, want %d and %q in\n%s%s", c.line, got.status, c.status, says, got.out, got.errors)
			}
		}
	}
	expect(t, 0, "E1 is violated: process ", "why", "forwards.json", "--allow-nodes")
	expect(t, 0, "", words("shrink lcr --n 3 --node 'python3 forwards.py' -o small.json")...)
	expect(t, 2, "--allow-nodes", "live", "small.json")
	expect(t, statusFailed, "over tcp, at rest", "live", "small.json", "--allow-nodes")
	expect(t, 0, "ended: exit status 1", "why", "dies.json", "--allow-nodes")
}
