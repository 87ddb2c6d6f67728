package cli

import (
	"os"
	"strings"
	"testing"
)

// A live run is written as a case, and its replay is the run that was printed.
func TestLive(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, flags := range []string{"", " --sockets udp", " --transport reliable(20ms) --detector heartbeat(20ms,2s) --outside-model", " --delay uniform(0,2ms) --fault 'duplicate 2nd PROBE' --outside-model"} {
		got, status := object(t, words("live lcr --n 5 --placement decreasing --json -o case.json"+flags)...)
		live, run := got["live"].(map[string]any), got["run"].(map[string]any)
		if end := live["end"]; status != 0 || end != "rest" || live["wrong"] != nil {
			if end == "silence" && strings.Contains(flags, "udp") {
				continue // a datagram was lost
			}
			t.Errorf("%q: status %d, %v", flags, status, live)
			continue
		}
		if flags == "" && (run["messages"] != 15.0 || run["outcome"] != "elected") {
			t.Errorf("%v messages, %v", run["messages"], run["outcome"])
		}
		again, status := object(t, "run", "--schedule", "case.json", "--json")
		if status != 0 || again["fingerprint"] != run["fingerprint"] || again["messages"] != run["messages"] {
			t.Errorf("%q: status %d, fingerprint %v, not %v", flags, status, again["fingerprint"], run["fingerprint"])
		}
	}
}

// Links do not come and go over sockets.
func TestNoMotionOverSockets(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("contacts.txt", []byte("0 1 5 6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := bullring(t, words("live echo --n 3 --motion contacts:contacts.txt --outside-model")...)
	if text := strings.Join(strings.Fields(got.errors), " "); got.status != 2 || !strings.Contains(text, "this cannot run live: links come and go, and sockets have no instant at which both ends know of it") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
}

// What was seen live is explained from the case.
func TestLiveViolation(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, words("live bully --n 3 --initiators 0 --delay 100ms --assume 1ms --outside-model -o case.json --note seen --view page.html --trace")...)
	for _, want := range []string{"E1     violated", "over tcp, at rest after ", "latency  p50 ", "links impose 100ms; the algorithm assumes at most 1ms", "E1 is violated: process 0 elected 1 while the better 2 was alive, at step 2\nbecause of ", "saved: bullring why case.json --instead 1\nwhy: bullring why case.json\n\nwritten to case.json\nagain: bullring run --schedule case.json\nview: bullring view case.json\n", "start"} {
		if got.status != 0 || !strings.Contains(got.out, want) {
			t.Errorf("status %d, %s%s; want %q", got.status, got.out, got.errors, want)
		}
	}
	if page, err := os.ReadFile("page.html"); err != nil || !strings.Contains(string(page), "<html") {
		t.Error(err)
	}
	for _, line := range []string{"why case.json", "replay case.json", "export case.json --as mermaid"} {
		if got := bullring(t, words(line)...); got.status != 0 {
			t.Errorf("%s: status %d, %s", line, got.status, got.errors)
		}
	}
}

func TestLiveComparison(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, words("live bully --n 3 --initiators 0 --delay 10ms --assume 1ms --outside-model --runs 22 --keep found")...)
	for _, want := range []string{"22 live runs over tcp", "\nE1 violated  22    100.0 % (85.1 to 100.0)  22        100.0 % (85.1 to 100.0)  overlap\n", "written to found/E1-seed20.json\nnot written: the cases of 2 more runs\n"} {
		if got.status != 0 || !strings.Contains(got.out, want) {
			t.Errorf("status %d, %s%s; want %q", got.status, got.out, got.errors, want)
		}
	}
	if got := bullring(t, "replay", "found/E1-seed1.json"); got.status != 0 {
		t.Error(got)
	}
	x, status := object(t, words("live lcr --n 3 --runs 2 --json")...)
	if shares := x["shares"].([]any); status != 0 || len(shares) != 2 || shares[0].(map[string]any)["intervals_overlap"] != true || x["messages"] != 10.0 {
		t.Errorf("status %d, %v", status, x)
	}
}

func TestLiveErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("notes.txt", []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line   string
		status int
		want   string
	}{
		{"live lcr --sockets sctp", statusUsage, "is none of tcp"},
		{"live bully --delay exp(1ms)", statusUsage, "has no bound"},
		{"live lcr --max-events 9", statusUsage, "unknown flag"},
		{"live nosuch --n 3", statusUsage, `unknown algorithm "nosuch"`},
		{"live lcr --n 1025 --processes", statusUsage, "at most 1024 OS processes"},
		{"live lcr --fault 'lie 1 as 9' --outside-model", statusUsage, "lie"},
		{"live lcr --medium radio(1mbit) --outside-model", statusUsage, "processes share a medium"},
		{"live lcr -o notes.txt", statusUsage, "case that bullring wrote"},
		{"live lcr --view notes.txt", statusUsage, "--view: "},
		{"live lcr --keep d", statusUsage, "--keep goes with --runs"},
		{"live lcr --runs 2 -o case.json", statusUsage, "are for one run"},
		{"live lcr --runs 2 --seed 3", statusUsage, "has the seeds 1 to 2"},
		{"live bully --n 3 --delay 10s --limit 20ms", statusUndecided, "--limit sets the limit"},
		{"live lcr --n 3 --fault 'clog 0->1' --outside-model", statusUndecided, "end of a fault that has no end"},
	} {
		if got := bullring(t, words(c.line)...); got.status != c.status || !strings.Contains(got.errors, c.want) {
			t.Errorf("%s: status %d, %s; want %d, %q", c.line, got.status, got.errors, c.status, c.want)
		}
	}
}

// An algorithm that panics live panics in the replay, and the case shows it.
func TestLivePanics(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range panics {
		got := perform(t.Context(), badRegistry(), "live", "bad", "--n", "4", "--variant", c.variant, "-o", c.variant+".json")
		_, reason, _ := strings.Cut(c.run, ": ")
		if got.status != statusFailed || !strings.Contains(got.errors, strings.TrimPrefix(reason, "netem: ")) {
			t.Errorf("%s: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
		}
		if got := perform(t.Context(), badRegistry(), "live", "bad", "--n", "4", "--variant", c.variant, "--runs", "2"); got.status != statusFailed {
			t.Errorf("%s, --runs 2: status %d\n%s%s", c.variant, got.status, got.out, got.errors)
		}
		if c.explored == "" { // it panics outside of its handlers
			continue
		}
		again := perform(t.Context(), badRegistry(), "why", c.variant+".json")
		if again.status != 0 || !strings.Contains(again.out, "the handler panics: ") {
			t.Errorf("%s: status %d\n%s%s", c.variant, again.status, again.out, again.errors)
		}
	}
}
