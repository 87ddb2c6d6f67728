package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// heardPrograms are the programs of docs/nodes and of testdata/heard with their library, in the working
// directory.
func heardPrograms(t *testing.T) {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"../../docs/nodes/*.py", "testdata/heard/*.py"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(err, pattern)
		}
		for _, file := range files {
			texts[filepath.Base(file)] = string(read(t, file))
		}
	}
	programs(t)
	for name, text := range texts {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// wrongProgram writes a program in which a text is replaced.
func wrongProgram(t *testing.T, name, right, wrong string) {
	t.Helper()
	text := string(read(t, name))
	if strings.Count(text, right) != 1 {
		t.Fatalf("%s has %q %d times", name, right, strings.Count(text, right))
	}
	if err := os.WriteFile("wrong.py", []byte(strings.Replace(text, right, wrong, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// forgetful are the crashes of a majority between its votes and the decision that a partition hides.
var forgetful = []string{
	"--n", "3", "--initiators", "0", "--inputs", "0,1,2", "--outside-model", "--fault", "at 3500us crash 1", "--fault", "at 3600us restart 1",
	"--fault", "at 3500us crash 2", "--fault", "at 3600us restart 2", "--fault", "at 4100us partition {0 | 1 2} for 60ms",
}

// A program is judged by the check of its family, as an algorithm or by the name of the family: the right
// one agrees with the algorithm, and a wrong one is caught by name.
func TestHeardPrograms(t *testing.T) {
	heardPrograms(t)
	with := strings.Fields
	for _, c := range []struct {
		name        string
		family      string // with the flags that say what is promised
		flags       []string
		text, wrong string // wrong stands in the place of text
		says        string // of the wrong one
	}{
		{"ricartagrawala", "mutex", with("--n 3"), "self.mine is not None and", "False and", "ME1 violated process 1 entered while process 0 was inside, at 2ms"},
		{"ricartagrawala", "mutex", with("--n 3"), "in self.deferred:", "in ():", "ME2 violated deadlock: process 1 and 1 more wait for ever"},
		{"ricartagrawala", "mutex", with("--n 2 --initiators 0"), `self.say("leave")`, "return", "ME2 violated process 0 has left 0 of 1 times"},
		{"causal", "broadcast --param promise=causal", with("--n 4 --delay exp(1ms) --param reactions=1 --seed 2"), "self.delivered[q] >= number", "True", "causal order violated process 2 delivers 0.2, and not before it 3.1"},
		{"causal", "broadcast", with("--n 3"), "for q in self.neighbors:", "for q in self.neighbors[1:]:", "validity violated process 1 has not delivered 0.1"},
		{"benor", "consensus --variant asynchronous", []string{"--n", "3", "--fault", "at 0s crash 1"}, "< len(self.names) - self.f", "< len(self.names)", "termination violated process 0 has not decided"},
		{"paxos", "consensus --variant asynchronous", forgetful, "self.kept.update(self.stored)", "pass", "agreement violated process 1 decides 2, and process 0 decided 0"},
		{"twophase", "commit", with("--n 3 --inputs 0,1,1"), "if all(self.votes.values())", "if any(self.votes.values())", "AC2 violated process 0 commits against the vote of process 0"},
		{"tarry", "wave --variant traversal", with("--n 4"), "if self.open:", "if self.open and self.father:", "dependence violated process 0 decides, and that depends on no event of process 1"},
		{"tarry", "wave --variant traversal", with("--n 4"), "of=source", "of=self.neighbors[1]", "tree violated the fathers of process 1 do not lead to process 0"},
		{"sequencer", "multicast", with("--n 4 --delay exp(1ms) --fifo=false"), "self.held[self.count]", "list(self.held.values())[self.count - 1]", "total order violated process 2 delivered 3.1 in place 1, where others have 0.1"},
		{"chandylamport", "snapshot", with("--n 4 --delay uniform(0s,3ms)"), "messages=len(amounts)", "messages=0", "consistent violated the channel from process 2 to process 0 was recorded with 0 messages, and had 1"},
		{"chandylamport", "snapshot", with("--n 4 --delay uniform(0s,3ms)"), "value=self.balance", "value=100", "conserved violated"},
		{"chandylamport", "snapshot", with("--n 4"), "amounts = self.content.pop(source)", "return", "complete violated"},
		{"berkeley", "clocksync", []string{"--n", "4", "--fault", "at 0s clock 1 offset 5ms"}, "if len(self.offsets) < len(self.names)", "if True", "adjusted violated the clock of process 3 was adjusted 0 times, not 1"},
	} {
		right := bullring(t, append([]string{"run", "--node", "python3 " + c.name + ".py", "--like", c.name}, c.flags...)...)
		if right.status != 0 || !strings.Contains(right.out, "The program agrees with "+c.name) {
			t.Errorf("%s %q: status %d\n%s%s", c.name, c.flags, right.status, right.out, right.errors)
		}
		alone := append(with("run "+c.family), c.flags...)
		if right := bullring(t, append(alone, "--node", "python3 "+c.name+".py")...); right.status != 0 || strings.Contains(right.out, "violated") {
			t.Errorf("%s as %s %q: status %d\n%s%s", c.name, c.family, c.flags, right.status, right.out, right.errors)
		}
		wrongProgram(t, c.name+".py", c.text, c.wrong)
		wants := 1
		if c.name == "paxos" {
			wants = 0 // more processes crash than the model allows
		}
		for _, args := range [][]string{append([]string{"run", c.name}, c.flags...), alone} {
			got := bullring(t, append(args, "--node", "python3 wrong.py")...)
			if text := strings.Join(strings.Fields(got.out), " "); got.status != wants || !strings.Contains(text, c.says) {
				t.Errorf("%q with %q: status %d; want %d and %q\n%s%s", args, c.wrong, got.status, wants, c.says, got.out, got.errors)
			}
		}
	}
}

// An exploration by the name of a family has the states of the algorithm; the clients of mutual exclusion in
// Go boot in a step each, which is three more. A wrong program is refuted with a smallest run.
func TestExploredFamilies(t *testing.T) {
	heardPrograms(t)
	for _, c := range []struct{ args, program, says string }{
		{"mutex --n 3", "ricartagrawala.py", "states 105 transitions 200 depth 18"},
		{"broadcast --n 3 --full", "causal.py", "states 132 transitions 312 depth 9"},
		{"broadcast --n 3 --full --param promise=(reliable,causal)", "causal.py", "agreement, FIFO order, causal order and rest hold in every run; all 132 states were looked at"},
		{"election --topology ring --n 3 --param decide=leader --placement every --full", "lcr.py", "states 117 transitions 183 depth 9"},
		{"commit --n 2 --variant crash", "twophase.py", "all 10 states"},
		{"snapshot --n 2", "chandylamport.py", "all 206 states of the reduced search"}, // as chandylamport
		{"clocksync --n 2", "berkeley.py", "all 7 states"},
	} {
		got := bullring(t, append(append([]string{"explore"}, strings.Fields(c.args)...), "--node", "python3 "+c.program)...)
		if text := strings.Join(strings.Fields(got.out), " "); got.status != 0 || !strings.Contains(text, "PROVEN") || !strings.Contains(text, c.says) {
			t.Errorf("%s with %s: status %d; want 0 and %q\n%s%s", c.args, c.program, got.status, c.says, got.out, got.errors)
		}
	}
	wrongProgram(t, "ricartagrawala.py", "self.mine is not None and", "False and")
	got := bullring(t, "explore", "mutex", "--n", "3", "--node", "python3 wrong.py")
	if text := strings.Join(strings.Fields(got.out), " "); got.status != 1 || !strings.Contains(text, "SMALLER: n 2, ") || !strings.Contains(text, "VIOLATED: ME1 after 6 steps") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}

// Clocks that are farther apart than the parameter allows are caught, and a program without a clock is told.
func TestClocksOfPrograms(t *testing.T) {
	heardPrograms(t)
	run := func(program string, args ...string) outcome {
		return bullring(t, append([]string{"run", "clocksync", "--node", "python3 " + program, "--n", "3", "--fault", "at 0s clock 1 offset 5ms", "--param", "spread=1ms,rounds=2"}, args...)...)
	}
	if got := run("berkeley.py"); got.status != 0 || !strings.Contains(got.out, "in the end clocks differ by at most 1ms") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	wrongProgram(t, "berkeley.py", "self.adjust(m[\"by\"])", "self.adjust(-m[\"by\"])")
	if got := run("wrong.py"); got.status != 1 || !strings.Contains(got.out, "close     violated  in the end clocks differ by ") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	got := bullring(t, "run", "mutex", "--node", "python3 berkeley.py", "--n", "2")
	if text := strings.Join(strings.Fields(got.out), " "); !strings.Contains(text, "to the service clock, but the processes of mutex have no clocks") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}

// A service whose coordinator is replaced is judged by what programs say, too: the algorithm tells also how long
// nobody was served. A new coordinator that does not learn who is inside lets two in.
func TestHeardFailover(t *testing.T) {
	heardPrograms(t)
	crashed := []string{"--n", "4", "--initiators", "0,1,2", "--param", "cs=10ms", "--fault", "at 2500us crash 3"}
	names := [][]string{{"centralized-failover"}, {"mutex", "--variant", "crash"}}
	run := func(program string, name []string) outcome {
		return bullring(t, slices.Concat([]string{"run"}, name, []string{"--node", "python3 " + program}, crashed)...)
	}
	for i, name := range names {
		got := run("failover.py", name)
		if text := strings.Join(strings.Fields(got.out), " "); got.status != 0 || !strings.Contains(text, "outcome served") || strings.Contains(text, "gap 10.500 successors 1") != (i == 0) {
			t.Errorf("%q: status %d\n%s%s", name, got.status, got.out, got.errors)
		}
	}
	wrongProgram(t, "failover.py", "            if self.waits or self.inside:\n", "            if self.waits:\n")
	for _, name := range names {
		got := run("wrong.py", name)
		if text := strings.Join(strings.Fields(got.out), " "); got.status != 1 || !strings.Contains(text, "ME1 violated process 2 entered while process 0 was inside, at 6ms") {
			t.Errorf("%q: status %d\n%s%s", name, got.status, got.out, got.errors)
		}
	}
}

// A program that says nothing has not done the work of its client: it is no right program.
func TestSilentPrograms(t *testing.T) {
	heardPrograms(t)
	silent := "from bullring import Node, run\nclass Silent(Node):\n    def on_start(self, source, m):\n        pass\nrun(Silent)\n"
	for _, c := range []struct{ name, says string }{
		{"ricartagrawala", "ME2 violated process 0 has left 0 of 1 times"},
		{"causal", "validity violated process 0 has broadcast 0 of 1 items"},
		{"sequencer", "validity violated process 0 has multicast 0 of 1 items"},
		{"twophase", "AC5 violated process 0 is alive and cannot decide"},
		{"tarry", "decision violated no process has decided"},
		{"election", "E2 violated process 0 has not decided"},
		{"consensus", "termination violated process 0 has not decided"},
		{"broadcast", "validity violated process 0 has broadcast 0 of 1 items"},
		{"multicast", "validity violated process 0 has multicast 0 of 1 items"},
		{"mutex", "ME2 violated process 0 has left 0 of 1 times"},
		{"commit", "AC5 violated process 0 is alive and cannot decide"},
		{"wave", "decision violated no process has decided"},
		{"termination", "liveness violated the computation has terminated, and no process has announced that"},
		{"snapshot", "complete violated"},
		{"clocksync", "adjusted violated the clock of process 1 was adjusted 0 times, not 1"},
		{"chandylamport", "complete violated"},
		{"berkeley", "adjusted violated the clock of process 1 was adjusted 0 times, not 1"},
		{"centralized-failover", "ME2 violated process 0 has left 0 of 1 times"},
		{"sequencer-failover", "validity violated process 0 has multicast 0 of 1 items"},
	} {
		if err := os.WriteFile("silent.py", []byte(silent), 0o666); err != nil {
			t.Fatal(err)
		}
		got := bullring(t, "run", c.name, "--node", "python3 silent.py", "--n", "2")
		if text := strings.Join(strings.Fields(got.out), " "); got.status != 1 || !strings.Contains(text, c.says) {
			t.Errorf("%s: status %d; want 1 and %q\n%s%s", c.name, got.status, c.says, got.out, got.errors)
		}
	}
}

// What is said against the order of words, or of no node, ends the run and is named.
func TestWordsOutOfOrder(t *testing.T) {
	heardPrograms(t)
	for _, c := range []struct{ name, text, wrong, says string }{
		{"ricartagrawala", `self.say("ask")`, `self.say("enter")`, "the word enter, but it has not asked since it entered before"},
		{"ricartagrawala", `self.say("ask")`, `self.say("leave")`, "the word leave, but it is not inside"},
		{"ricartagrawala", `self.say("enter")`, `self.say("ask")`, "the word ask, but it has not left since it asked before"},
		{"causal", "origin=origin", `origin="n9"`, `the word deliver, but "n9" is no node; the nodes are n0 to n1`},
		{"tarry", ", of=source", "", "the word child, but it has no of"},
		{"paxos", "self.store(**self.kept)", `self.send("storage", "write", value=1)`, "to the service storage, which knows write with a value that is an object"},
	} {
		wrongProgram(t, c.name+".py", c.text, c.wrong)
		got := bullring(t, "run", c.name, "--node", "python3 wrong.py", "--n", "2")
		if text := strings.Join(strings.Fields(got.out), " "); got.status != 1 || !strings.Contains(text, c.says) {
			t.Errorf("%s with %q: status %d; want 1 and %q\n%s%s", c.name, c.wrong, got.status, c.says, got.out, got.errors)
		}
	}
}
