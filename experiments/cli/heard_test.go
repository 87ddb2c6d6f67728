package cli

import (
	"os"
	"path/filepath"
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
