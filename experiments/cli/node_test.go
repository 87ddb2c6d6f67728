package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// interpreter is the path of Python, or "" if there is none. The python3 in the PATH may be the
// script of a version manager, which takes longer than the programs of these tests.
var interpreter = sync.OnceValue(func() string {
	path, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(path))
})

// programs is a directory with LCR in Python, right and wrong, and becomes the working directory.
// Its python3 looks for no packages: the programs need none, and the search is most of a start.
func programs(t *testing.T) {
	t.Helper()
	if interpreter() == "" {
		t.Skip("python3 is not installed: nodes in other languages are NOT tested here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "python3"), []byte("#!/bin/sh\nexec '"+interpreter()+"' -S \"$@\"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	right := string(read(t, "../real/foreign/testdata/lcr.py"))
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"lcr.py":   right,
		"wrong.py": strings.Replace(right, `b["rank"] > rank`, `b["rank"] > rank or rank == 4`, 1),
		"logs.py":  strings.Replace(right, `elif t == "probe":`, "elif t == \"probe\":\n        send(\"c0\", {\"type\": \"log\", \"text\": \"hello\"})\n        print(\"hello\", file=sys.stderr, flush=True)", 1),
		"dies.py":  strings.Replace(right, `elif t == "probe":`, "elif t == \"probe\":\n        1 / 0", 1),
		"hangs.py": strings.Replace(right, `elif t == "probe":`, "elif t == \"probe\":\n        __import__(\"time\").sleep(3600 if rank == 3 else 0)", 1),
		"once.py":  strings.Replace(right, `elif t == "probe":`, "elif t == \"probe\":\n        import os, time\n        if rank == 3 and not os.path.isdir(\"once\"):\n            try:\n                os.mkdir(\"once\")\n            except OSError:\n                pass\n            else:\n                time.sleep(3600)", 1),
		"clock.py": strings.Replace(right, `"rank": rank}`, `"rank": rank, "now": __import__("time").time_ns()}`, 1),
	} {
		if text == right && name != "lcr.py" {
			t.Fatalf("%s is lcr.py", name)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A program is compared with an algorithm, and with itself; the status tells a grader.
func TestLike(t *testing.T) {
	programs(t)
	ids := []string{"--ids", "1,4,5,2,3,6"}
	for _, c := range []struct {
		args   []string
		status int
		says   []string
	}{
		{[]string{"--node", "python3 lcr.py", "--like", "lcr"}, 0, []string{"The program agrees with lcr: 14 acts, fingerprint e2c0a40bc20ecf3d", "elected: identity 6", "# sha256 lcr.py "}},
		{[]string{"--node", "python3 lcr.py", "--like", "lcr", "--json"}, 0, []string{`"agrees": true`, `"node": "python3 lcr.py # sha256 lcr.py `}},
		{[]string{"--node", "python3 wrong.py", "--like", "lcr"}, 1, []string{"The program parts from lcr at act 8.", "the program  ", "differs  ", `PROBE{"rank":1}`}},
		{[]string{"--node", "python3 wrong.py", "--like", "lcr", "--timers"}, 1, []string{"The program parts from lcr at event 7."}},
		{[]string{"--node", "python3 lcr.py", "--like", "lcr", "--timers"}, 0, []string{"agrees with lcr: 19 events, fingerprint e2c0a40bc20ecf3d"}},
		{[]string{"--node", "python3 lcr.py", "--timers"}, 2, []string{"--like names it"}},
		{[]string{"--timers"}, 2, []string{"--timers is about a program"}},
		{[]string{"--node", "python3 lcr.py", "--twice", "--topology", "ring"}, 0, []string{"agrees with a second run of it: 19 events"}},
		{[]string{"--node", "python3 clock.py", "--twice", "--kinds", "PROBE"}, 1, []string{"The program parts from a second run of it at event 1."}},
		{[]string{"--node", "python3 dies.py", "--like", "lcr"}, 1, []string{"Until the run was cut off, 6 acts agreed with lcr.", "ended: exit status 1; its standard error ends with", "ZeroDivisionError"}},
		{[]string{"--node", "true"}, 1, []string{"node n0 (true), told init: ended: exit status 0"}},
		{[]string{"--node", "python3 lcr.py", "--kinds", "TOKEN"}, 1, []string{`a message of type "probe"; the kinds of messages are TOKEN`}},
		{[]string{"--like", "lcr"}, 2, []string{"--like is about a program"}},
		{[]string{"lcr", "--node", "python3 lcr.py", "--like", "lcr"}, 2, []string{"--like lcr names the algorithm"}},
		{[]string{"dht", "--node", "python3 lcr.py"}, 2, []string{"the judge of dht looks into its processes"}},
		{[]string{"mutex"}, 2, []string{"mutex is a family; its algorithms are centralized, centralized-failover, ", "reverselink; a program of it is named by --node"}},
		{[]string{"mutexx", "--node", "python3 lcr.py"}, 2, []string{`unknown algorithm "mutexx" (did you mean "mutex"?)`}},
		{[]string{"termination", "--node", "python3 lcr.py", "--param", "kinds=(PROBE)"}, 2, []string{"the judge asks about messages WORK, which are not among them"}},
		{[]string{"bracha", "--node", "python3 lcr.py", "--fault", "byzantine 0 as silent"}, 2, []string{"a program has none"}},
		{[]string{"--node", "no-such-program"}, 2, []string{`node "no-such-program" does not start`}},
		{[]string{"--node", "python3 'lcr.py"}, 2, []string{"a quote ' is not closed"}},
	} {
		got := bullring(t, append(append([]string{"run"}, c.args...), ids...)...)
		for _, says := range c.says {
			if got.status != c.status || !strings.Contains(got.out+got.errors, says) {
				t.Errorf("%q: status %d, want %d and %q\n%s%s", c.args, got.status, c.status, says, got.out, got.errors)
			}
		}
	}
	if got := bullring(t, "run", "--node", "cat", "--n", "1025"); got.status != 2 || !strings.Contains(got.errors, "a run starts at most 1024") {
		t.Error(got)
	}
}

// A program that does not answer in time is neither right nor wrong, whatever the command: with a
// slow machine a right one can be late, too.
func TestLatePrograms(t *testing.T) {
	programs(t)
	late := []string{"--node", "python3 hangs.py", "--node-timeout", "100ms", "--n", "4"}
	for _, args := range [][]string{
		{"run", "lcr", "--json"}, {"run", "--like", "lcr"}, {"check", "lcr"}, {"shrink", "lcr"}, {"shrink", "lcr", "--fails", "no-panic"},
		{"criticality", "lcr"}, {"why", "lcr"}, {"view", "lcr", "-o", "a.html"},
	} {
		got := bullring(t, append(args, late...)...)
		if got.status != 3 || !strings.Contains(got.errors, "did not answer for 100ms (--node-timeout)") || strings.Contains(got.out+got.errors, "panic") {
			t.Errorf("%q: status %d, want 3\n%s%s", args, got.status, got.out, got.errors)
		}
	}
	got := bullring(t, "run", "--twice", "--node", "python3 once.py", "--node-timeout", "500ms", "--n", "4", "--topology", "ring")
	if err := os.Remove("once"); err != nil || got.status != 3 { // one of the two runs is late
		t.Errorf("run --twice, %v: status %d, want 3\n%s%s", err, got.status, got.out, got.errors)
	}
	text := "name: a\nreplicates: 2\nalgorithms: lcr\naxes: {n: 4, node: [none, python3 hangs.py]}\n"
	if err := os.WriteFile("a.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, the rows are there
		got := bullring(t, "sweep", "a.yaml", "-o", "out", "--progress", "off", "--no-plot", "--allow-nodes", "--node-timeout", "100ms")
		if got.status != 3 || !strings.Contains(got.out, "elected 2, inconclusive 2") || !strings.Contains(got.errors, "2 trials are inconclusive") {
			t.Errorf("sweep: status %d, want 3\n%s%s", got.status, got.out, got.errors)
		}
	}
	if got := bullring(t, "replay", "out", "3", "--allow-nodes", "--node-timeout", "100ms"); got.status != 3 {
		t.Errorf("replay: status %d, want 3\n%s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, "verify", "out", "--all", "--allow-nodes", "--node-timeout", "100ms"); got.status != 3 || !strings.Contains(got.out, "not run: 2 of the trials; identical are 2 of 4") {
		t.Errorf("verify: status %d, want 3\n%s%s", got.status, got.out, got.errors)
	}
	summary := string(read(t, "out/summary.csv"))
	if head, _, _ := strings.Cut(summary, "\n"); !strings.Contains(head, "inconclusive") {
		t.Errorf("summary.csv does not count them: %s", head)
	}
}

// What an exploration or a search of a program prints about its file can be pasted. Without --allow-nodes
// the file starts nothing.
func TestFilesOfPrograms(t *testing.T) {
	programs(t)
	expect(t, 1, "view: bullring view f.json --allow-nodes", "explore", "lcr", "--n", "2", "--node", "python3 dies.py", "-o", "f.json")
	expect(t, 0, "agrees with f.json", "replay", "f.json", "--allow-nodes")
	expect(t, 0, "again: bullring replay g.json --allow-nodes", "worst", "lcr", "--n", "2", "--node", "python3 lcr.py", "--over", "schedule", "-o", "g.json")
	if got := bullring(t, "replay", "f.json"); got.status != 2 || got.out != "" || !strings.Contains(got.errors, "--allow-nodes allows that") {
		t.Errorf("replay: status %d, want 2\n%s%s", got.status, got.out, got.errors)
	}
}

// A program that is late says nothing about the run that costs most.
func TestWorstOfLatePrograms(t *testing.T) {
	programs(t)
	got := bullring(t, "worst", "lcr", "--n", "3", "--node", "sleep 100", "--node-limit", "300ms")
	if got.status != 3 || !strings.Contains(got.errors, "(sleep 100), told init: the run takes more than 300ms (--node-limit)") {
		t.Errorf("status %d, want 3\n%s%s", got.status, got.out, got.errors)
	}
}

// No program is Byzantine, and so none is explored as one: its lies would be missing.
func TestHonestPrograms(t *testing.T) {
	programs(t)
	got := bullring(t, "explore", "bracha", "--n", "4", "--f", "1", "--liars", "1", "--node", "python3 lcr.py")
	if got.status != 2 || !strings.Contains(strings.Join(strings.Fields(got.errors), " "), "a program has none") {
		t.Errorf("status %d, want 2\n%s%s", got.status, got.out, got.errors)
	}
}

// A command that starts no programs takes none.
func TestNoProgramsHere(t *testing.T) {
	got := bullring(t, "node", "--maelstrom", "lcr", "--node", "cat")
	if says := "node takes no --node; it goes with run, check"; got.status != 2 || !strings.Contains(got.errors, says) {
		t.Errorf("node: status %d, %s; want 2 and %q", got.status, got.errors, says)
	}
}

// A sweep starts programs only if the command line says so; then its rows are verified,
// replayed and explained like others. A program that has changed is noticed.
func TestSweepOfPrograms(t *testing.T) {
	programs(t)
	text := "name: a\nreplicates: 2\nalgorithms: lcr\naxes: {n: 4, delay: exp(1ms), node: [none, python3 lcr.py]}\nfigures: [{name: f, y: messages}]\n"
	if err := os.WriteFile("a.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	expect(t, 2, "--allow-nodes", "sweep", "a.yaml", "-o", "out", "--progress", "off")
	expect(t, 2, "--allow-nodes", "slurm", "a.yaml", "--tasks", "2", "-o", "cluster")
	expect(t, 0, "2 of 2 to run", "slurm", "a.yaml", "--tasks", "2", "-o", "cluster", "--allow-nodes", "--node-timeout", "10s")
	if script, err := os.ReadFile("cluster/slurm/array.sh"); !strings.Contains(string(script), " --progress off '--allow-nodes=true' '--node-timeout=10s'\n") {
		t.Errorf("%v: the tasks may not start programs:\n%s", err, script)
	}
	expect(t, 0, "4 of 4", "sweep", "a.yaml", "-o", "out", "--progress", "off", "--allow-nodes")
	expect(t, 2, "--allow-nodes", "replay", "out", "3")
	expect(t, 0, "agrees with row 3", "replay", "out", "3", "--allow-nodes")
	expect(t, 0, "view: bullring view out 3 --allow-nodes", "replay", "out", "3", "--allow-nodes")
	expect(t, 0, "is the leader", "why", "out", "3", "--allow-nodes")
	expect(t, 0, "identical", "verify", "out", "--allow-nodes")
	expect(t, 3, "not run: 2 of the trials; identical are 2 of 4 trials, run again here\n", "verify", "out")
	expect(t, 3, "not run: 2 of the trials; identical are 2 of 4 trials behind the figure, run again here\n", "verify", "out/figures/f.png")
	expect(t, 3, " for 1ns (--node-timeout)", "verify", "out", "--allow-nodes", "--node-timeout", "1ns")
	native, program := expect(t, 0, "", "replay", "out", "1"), expect(t, 0, "", "replay", "out", "3", "--allow-nodes")
	if print := fingerprintIn(native.out); print == "" || print != fingerprintIn(program.out) {
		t.Errorf("the fingerprints are %q and %q", print, fingerprintIn(program.out))
	}
	if err := os.Rename("wrong.py", "lcr.py"); err != nil {
		t.Fatal(err)
	}
	expect(t, 3, "is not the file that ran before", "verify", "out", "--allow-nodes")
}

// fingerprintIn is the fingerprint in the report of a run.
func fingerprintIn(report string) string {
	_, after, _ := strings.Cut(report, "\nfingerprint ")
	print, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	return print
}

// No program survives bullring, however that ends.
func TestProgramsEnd(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only the kernel of Linux kills programs with their parent: NOT tested here")
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT} {
		pids := filepath.Join(t.TempDir(), "pids")
		cmd := exec.CommandContext(t.Context(), os.Args[0], "run", "--n", "2", "--node-timeout", "1h", "--node", `sh -c "echo $$ >>`+pids+`; exec sleep 1000"`)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		until := func(what string, done func() bool) {
			t.Helper()
			for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("%v: after a minute %s", signal, what)
				}
			}
		}
		var started []string
		until("two programs have not started", func() bool {
			text, _ := os.ReadFile(pids)
			started = strings.Fields(string(text))
			return len(started) == 2
		})
		cmd.Process.Signal(signal)
		cmd.Wait()
		until("a program is alive", func() bool {
			for _, pid := range started {
				if state, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(state), ") Z ") {
					return false
				}
			}
			return true
		})
	}
}

// A sweep measures programs that are wrong: one that breaks a bound, and one that dies. Their rows are there with
// and without rows, and are those that verify runs again.
func TestWrongProgramsAreRows(t *testing.T) {
	programs(t)
	for _, keep := range []string{"rows", "summary"} {
		text := "name: a\nreplicates: 2\nkeep: " + keep + "\nalgorithms: lcr\naxes: {n: 5, placement: increasing, node: [none, python3 wrong.py, python3 dies.py]}\nmetrics: {points: 10 * correct}\n"
		if err := os.WriteFile("a.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time, the trials are there
			got := bullring(t, "sweep", "a.yaml", "-o", keep, "--progress", "off", "--no-plot", "--allow-nodes")
			if !strings.Contains(got.out, "trials    6 of 6, in 3 cells") || !strings.Contains(got.out, "unfinished 2, elected") {
				t.Fatalf("keep %s: status %d\n%s%s", keep, got.status, got.out, got.errors)
			}
		}
		expect(t, 0, "identical", "verify", keep, "--all", "--allow-nodes")
		if keep == "rows" {
			expect(t, 1, "lcr breaks a proven bound", "replay", keep, "3", "--allow-nodes")
			expect(t, 1, "ended: exit status 1", "replay", keep, "5", "--allow-nodes")
		}
		lines := strings.Split(strings.TrimSpace(string(read(t, keep+"/summary.csv"))), "\n")
		column := slices.Index(strings.Split(lines[0], ","), "points_mean")
		for i, want := range []string{"10", "10", "0"} {
			if got := strings.Split(lines[i+1], ","); column < 0 || got[column] != want {
				t.Errorf("keep %s: points of %s are not %s", keep, lines[i+1], want)
			}
		}
	}
}
