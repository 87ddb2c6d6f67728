package cli

import (
	"os"
	"strings"
	"testing"
)

// judgedPrograms is the directory of programs, with a library and what students hand in.
func judgedPrograms(t *testing.T) {
	t.Helper()
	raw := string(read(t, "../real/foreign/testdata/lcr.py"))
	heardPrograms(t)
	const head, foot = "from bullring import Node, run\n\n\n", "\n\nrun(It)\n"
	const start = "class It(Node):\n    def on_start(self, source, m):\n"
	for name, text := range map[string]string{
		"mute.py":   "import time\ntime.sleep(3600)\n",
		"dies.py":   head + start + "        1 / 0" + foot,
		"loops.py":  head + start + "        while True:\n            self.send(self.neighbors[0], \"probe\", rank=self.rank)" + foot,
		"spins.py":  head + start + "        while True:\n            pass" + foot,
		"chatty.py": head + start + "        print(\"debug\")" + foot,
		"doubles.py": head + start + "        self.say(\"broadcast\")\n        for q in self.neighbors:\n            self.send(q, \"item\")\n        self.say(\"deliver\", origin=self.name, number=1)\n\n" +
			"    def on_item(self, source, m):\n        for _ in range(2):\n            self.say(\"deliver\", origin=source, number=1)" + foot,
		"opaque.py": head + start + "        self.own = object()\n        self.send(self.neighbors[0], \"probe\", rank=self.rank)\n\n" +
			"    def on_probe(self, source, m):\n        if m[\"rank\"] > self.rank:\n            self.send(self.neighbors[0], **m)\n        elif m[\"rank\"] == self.rank:\n            self.decide(self.rank, elected=True)" + foot,
		"mine.py": head + start + "        self.send(self.neighbors[0], \"probe\", rank=self.rank)\n\n" +
			"    def on_probe(self, source, m):\n        if m[\"rank\"] == self.rank:\n            self.decide(self.rank, elected=True)\n        else:\n            self.send(self.neighbors[0], **m)" + foot,
		"hides.py": head + "best = 0\n\n\n" + start + "        self.send(self.neighbors[0], \"probe\", rank=self.rank)\n\n" +
			"    def on_probe(self, source, m):\n        global best\n        if m[\"rank\"] == self.rank:\n            self.decide(self.rank, elected=True)\n        elif m[\"rank\"] > max(best, self.rank):\n            best = m[\"rank\"]\n            self.send(self.neighbors[0], **m)" + foot,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plain := strings.Replace(raw, `elif t == "state":`, `elif t == "no such":`, 1)
	if err := os.WriteFile("plain.py", []byte(plain), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A right program is proven or sampled, and a wrong one violates something, by name. One that is late is neither.
func TestJudgePrograms(t *testing.T) {
	judgedPrograms(t)
	for _, c := range []struct {
		program, args string
		status        int
		says          string
	}{
		{"lcr.py", "lcr", 0, "PROVEN for n = 2 without faults: every run was explored, and none violates anything. "},
		{"lcr.py", "election --topology ring --param decide=leader", 0, "PROVEN for n = 2 without faults"},
		{"ricartagrawala.py", "ricartagrawala", 0, "PROVEN for n = 2 without faults"},
		{"ricartagrawala.py", "mutex", 0, "at least one in a hundred, were asked again"},
		{"floodset.py", "floodset", 0, "PROVEN for n = 2 without faults or with up to 1 crash"},
		{"bully.py", "bully --delay 1ms --settings 1", 0, "PROVEN for n = 2 without faults or with up to 1 crash or with up to 1 crash, 1 restart"},
		{"plain.py", "lcr", 0, "SAMPLED: nothing that was tried violates anything"},
		{"mine.py", "lcr", 1, "VIOLATED: E1: process 0 elected 1 while the better 2 was alive"},
		{"hides.py", "lcr", 1, "VIOLATED: not deterministic: lcr is not deterministic: "},
		{"dies.py", "lcr", 1, "VIOLATED: no-panic: node n0 (python3 dies.py), told start: ended: exit status 1"},
		{"loops.py", "lcr", 1, "VIOLATED: no-panic: node n0 (python3 loops.py), told start: wrote more than 16384 lines in one step"},
		{"chatty.py", "lcr", 1, `VIOLATED: no-panic: node n0 (python3 chatty.py), told start: wrote line`},
		{"doubles.py", "broadcast", 1, "VIOLATED: no duplication: process 1 delivers 0.1 twice."},
		{"opaque.py", "lcr", 0, "SAMPLED: nothing that was tried violates anything"},
		{"spins.py", "lcr --node-timeout 1s", 3, "INCONCLUSIVE: conduct, n 2: node n0 (python3 spins.py), told start: did not answer for 1s (--node-timeout)."},
		{"mute.py", "lcr --node-limit 1s", 3, "INCONCLUSIVE: conduct, n 2: node n"},
		{"mine.py", "lcr --budget 1ms", 3, "INCONCLUSIVE: conduct, n 2: the time was over."},
	} {
		if testing.Short() && c.status == 0 && c.program != "lcr.py" {
			continue
		}
		args := append([]string{"judge"}, strings.Fields(c.args)...)
		got := bullring(t, append(args, "--node", "python3 "+c.program, "--n", "2", "--settings", "8", "--trials", "1")...)
		if text := strings.Join(strings.Fields(got.out), " "); got.status != c.status || !strings.Contains(text+" ", c.says) {
			t.Errorf("%s as %s: status %d; want %d and %q\n%s%s", c.program, c.args, got.status, c.status, c.says, got.out, got.errors)
		}
	}
}

// The smallest run that fails is kept, repeated and explained by the commands that are printed.
func TestJudgeFiles(t *testing.T) {
	judgedPrograms(t)
	expect(t, 1, "again: bullring replay f.json --allow-nodes", "judge", "lcr", "--n", "2", "--node", "python3 mine.py", "--trials", "1", "-o", "f.json")
	expect(t, 0, "agrees with f.json", "replay", "f.json", "--allow-nodes")
	expect(t, 1, "ME2: the run goes on for ever: its last 6 steps repeat", "judge", "decentralized", "--n", "2", "-o", "g.json")
	expect(t, 0, "agrees with g.json", "replay", "g.json")
	got := bullring(t, "judge", "lcr", "--n", "2", "--settings", "20", "-o", "none.json")
	if got.status != 0 || strings.Contains(got.out, "again:") {
		t.Errorf("judge: status %d\n%s%s", got.status, got.out, got.errors)
	}
	if _, err := os.Stat("none.json"); err == nil {
		t.Error("a run without a failure was written")
	}
}

// Bad input is refused before anything is tried.
func TestJudgeInput(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"judge", "which says what is demanded"},
		{"judge lcr --n 4..2", "it takes a number from 1 to 16, or two such as 2..4"},
		{"judge lcr --restart 1", "--restart 1 brings back crashed processes"},
		{"judge lcr --variant none", "has no such variant"},
		{"judge no-such", "unknown algorithm"},
		{"judge mutex", "a program of it is named by --node"},
		{"judge hypercube --topology ring", "unknown algorithm"},
		{"judge dht --node cat", "looks into its processes"},
		{"hunt dht --node cat", "looks into its processes"},
		{"hunt lcr --node cat --schedules only", "no schedules are drawn for programs"},
	} {
		got := bullring(t, strings.Fields(c.args)...)
		if text := strings.Join(strings.Fields(got.errors), " "); got.status != statusUsage || got.out != "" || !strings.Contains(text, c.says) {
			t.Errorf("%s: status %d, want %q\n%s%s", c.args, got.status, c.says, got.out, got.errors)
		}
	}
}

// A hunt takes programs. Those that are late are neither right nor failures.
func TestHuntPrograms(t *testing.T) {
	judgedPrograms(t)
	for _, c := range []struct {
		program, flags string
		status         int
		says           string
	}{
		{"lcr.py", "--settings 20", 0, "NOTHING FOUND"},
		{"mine.py", "--settings 20 --least 2", 1, "inside the model: E"},
		{"spins.py", "--node-timeout 500ms --settings 300", 3, "a program did not answer in time"},
	} {
		args := append([]string{"hunt", "lcr", "--node", "python3 " + c.program, "--n", "3"}, strings.Fields(c.flags)...)
		if got := bullring(t, args...); got.status != c.status || !strings.Contains(got.out, c.says) {
			t.Errorf("%q: status %d; want %d and %q\n%s%s", args, got.status, c.status, c.says, got.out, got.errors)
		}
	}
}
