package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var allLanguages = flag.Bool("nodes", false, "fail where the languages of docs/nodes are not there")

// The examples of docs/nodes have the fingerprints of the catalogue.
func TestNodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	buildGo(t, filepath.Join(root, "docs/nodes/go"), "./lcr", filepath.Join(dir, "lcr"))
	compileJava(t, filepath.Join(root, "docs/nodes/java"), filepath.Join(dir, "java"))
	const floodSetDies = " --n 6 --f 2 --delay 'uniform(0,1ms)' --fault 'crash 2 after 3 sends' --fault 'at 1500us crash 4' --seed 3"
	const benOrDies = " --n 7 --f 3 --delay 'exp(1ms)' --fault 'crash 2 after 3 sends' --fault 'at 1500us crash 4' --seed 3"
	const paxosDies = " --n 5 --f 2 --initiators all --delay 'uniform(0,1ms)' --fault 'crash 2 after 3 sends' --fault 'at 15ms restart 2'" +
		" --fault 'at 2ms crash 0' --fault 'at 20ms restart 0' --seed 4"
	const reacting = " --n 4 --delay 'exp(1ms)' --param requests=3,reactions=2 --seed 3"
	const asking = " --n 5 --delay 'exp(1ms)' --param requests=3,cs=2ms --initiators 0,2,3,4 --seed 3"
	const inRounds = " --n 6 --placement random --delay 'uniform(0,1ms)' --seed 3"
	const deadOnRing = inRounds + " --initiators 0,2 --dead 1"
	const crashOnRing = inRounds + " --initiators 0,2 --fault 'at 3ms crash 5'"
	const some = " --initiators 0,2"
	const raftDies = " --n 5 --param base=10ms,width=10ms --delay 'exp(1ms)' --fault 'at 16ms crash 1' --fault 'at 18ms restart 1'" +
		" --fault 'at 20ms start 3' --fault 'at 30ms crash 0' --fault 'at 40ms restart 0' --seed 5"
	const bullyDies = " --n 5 --dead last --initiators 0,1 --fault 'at 2ms crash 3' --fault 'at 20ms restart 3'"
	for _, c := range []struct{ node, like, flags string }{
		{"python3 docs/nodes/lcr.py", "lcr", ""},
		{"node docs/nodes/lcr.mjs", "lcr", ""},
		{"./lcr", "lcr", ""},
		{"java -cp java LCR", "lcr", ""},
		{"python3 docs/nodes/changroberts.py", "changroberts", " --initiators 0,2"},
		{"python3 docs/nodes/itairodeh.py", "itairodeh", ""},
		{"python3 docs/nodes/floodset.py", "floodset", floodSetDies},
		{"python3 docs/nodes/safra.py", "safra", ""},
		{"python3 docs/nodes/bully.py", "bully", bullyDies},
		{"python3 docs/nodes/benor.py", "benor", benOrDies},
		{"python3 docs/nodes/paxos.py", "paxos", paxosDies},
		{"python3 docs/nodes/causal.py", "causal", reacting},
		{"python3 docs/nodes/ricartagrawala.py", "ricartagrawala", asking},
		{"python3 docs/nodes/suzukikasami.py", "suzukikasami", asking},
		{"python3 docs/nodes/lelann.py", "lelann", some},
		{"python3 docs/nodes/hirschbergsinclair.py", "hirschbergsinclair", some},
		{"python3 docs/nodes/franklin.py", "franklin", some},
		{"python3 docs/nodes/peterson.py", "peterson", some},
		{"python3 docs/nodes/petersonfirst.py", "peterson", some + " --variant first"},
		{"python3 docs/nodes/petersonimproved.py", "peterson", some + " --variant improved"},
		{"python3 docs/nodes/echo.py", "echo", some},
		{"python3 docs/nodes/afekgafni.py", "afekgafni", " --initiators 0,2,4"},
		{"python3 docs/nodes/floodmax.py", "floodmax", inRounds},
		{"python3 docs/nodes/timeslice.py", "timeslice", inRounds},
		{"python3 docs/nodes/optfloodmax.py", "floodmax", inRounds + " --variant opt"},
		{"python3 docs/nodes/itairodehsync.py", "itairodeh", " --n 6 --delay 'uniform(0,1ms)' --variant sync --seed 3"},
		{"python3 docs/nodes/variablespeeds.py", "variablespeeds", inRounds},
		{"python3 docs/nodes/afekgafnisync.py", "afekgafnisync", inRounds},
		{"python3 docs/nodes/ringlist.py", "ringlist", deadOnRing},
		{"python3 docs/nodes/modifiedring.py", "modifiedring", crashOnRing},
		{"python3 docs/nodes/raft.py", "raft", raftDies},
		{"python3 docs/nodes/electiontree.py", "electiontree", crashOnRing},
		{"python3 docs/nodes/ingram.py", "ingram", " --n 5 --topology biring --delay 'uniform(1ms,3ms)' --fault 'at 5ms down 0<->1; at 20ms down 2<->3; at 22ms up 0<->1; at 40ms up 2<->3'"},
	} {
		t.Run(c.node, func(t *testing.T) {
			needs(t, c.node)
			flags := c.flags
			if !strings.Contains(flags, "--n ") {
				flags += " --n 6 --placement random --delay 'exp(1ms)' --seed 3"
			}
			want := fingerprint.FindString(run(t, dir, "bullring run "+c.like+flags))
			out := run(t, dir, "bullring run --node '"+c.node+"' --like "+c.like+flags)
			if got := fingerprint.FindString(out); got == "" || got != want || !strings.Contains(out, "agrees with "+c.like) {
				t.Errorf("the fingerprint of %s is %q:\n%s", c.like, want, out)
			}
		})
	}
}

// The table of docs/nodes.md has the sizes of explorations of the examples, and of the algorithms in Go.
func TestExploredNodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs/nodes.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	buildGo(t, filepath.Join(root, "docs/nodes/go"), "./lcr", filepath.Join(dir, "lcr"))
	compileJava(t, filepath.Join(root, "docs/nodes/java"), filepath.Join(dir, "java"))
	rows := exploredRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 37 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		node, flags, size, questions, original := row[1], row[2], row[3], row[4], row[5]
		if states, _, _ := strings.Cut(size, " "); testing.Short() && len(states) > len("999") {
			continue
		}
		t.Run(node+" "+flags, func(t *testing.T) {
			needs(t, node)
			if original = strings.ReplaceAll(original, ", ", " | "); original == "the same" {
				original = size
			}
			explored := func(more string) (size, out string) {
				out = run(t, dir, "bullring explore "+flags+more)
				for _, line := range sizes.FindAllStringSubmatch(out, -1) {
					size += " | " + line[1]
				}
				return strings.TrimPrefix(size, " | "), out
			}
			if got, out := explored(""); got != original {
				t.Errorf("the algorithm has %s, want %s\n%s", got, original, out)
			}
			if got, out := explored(" --node '" + node + "'"); got != size || !strings.Contains(out, "The program answered "+questions+" questions") {
				t.Errorf("the program has %s, want %s and %s questions\n%s", got, size, questions, out)
			}
		})
	}
}

// statePrograms are LCR with fields of each kind that a library tells. What a process sends shows what kinds they
// are, so that a kind that is lost makes another run.
var statePrograms = map[string]string{
	"kinds.py": `from collections import deque
from bullring import Node, run

class Kinds(Node):
    def on_init(self, source, m):
        super().on_init(source, m)
        self.a, self.b, self.c, self.d = {2, 1}, (1, (2, "x")), deque([1, {3: frozenset()}]), {1: "i", "1": "t", (1,): None}
        self.e, self.g = {"set": [1]}, {"z": 1.5, "y": [True, None]}

    def on_start(self, source, m):
        self.go(self.rank)

    def on_probe(self, source, m):
        self.a.add(m["rank"])
        self.c.appendleft(m["rank"])
        self.d[m["rank"]] = tuple(self.c)
        if m["rank"] > self.rank:
            self.go(m["rank"])
        elif m["rank"] == self.rank:
            self.decide(self.rank, elected=True)

    def go(self, rank):
        self.log("goes", rank, [True])
        kinds = repr([sorted(self.a), self.b, self.c, self.d, self.e, self.g])
        self.send(self.neighbors[0], "probe", rank=rank, kinds=kinds)

run(Kinds)
`,
	"kinds.mjs": `import { Node, run } from './bullring.mjs'

run(class extends Node {
  a = new Set([2, 1]); b = new Map([[1, 'i'], ['1', { x: [null] }]]); c = { Map: undefined, y: [true, 1.5] }

  on_start() { this.go(this.rank) }

  on_probe(source, m) {
    this.a.add(m.rank)
    this.b.set(m.rank, new Set([m.rank]))
    if (m.rank > this.rank) this.go(m.rank)
    else if (m.rank === this.rank) this.decide(this.rank, true)
  }

  go(rank) {
    this.log('goes', rank, [true])
    const kinds = [[...this.a], this.b.get(1), [...this.b.keys()], [...this.b.values()].map(v => v?.size ?? v), this.c].map(v => JSON.stringify(v)).join()
    this.send(this.neighbors[0], { type: 'probe', rank, kinds })
  }
})
`,
	"Kinds.java": `import java.util.*;

class Kinds extends Bullring {
	private final Set<Integer> a = new HashSet<>(List.of(2, 1));
	private Map<Object, Object> b = new HashMap<>(Map.of(1, "i", 1L, "l", "1", 1.5));
	private Deque<Long> c = new ArrayDeque<>();
	private int[][] d = {{1}, {}};
	private String[] e = {"x", null};
	private int times;
	private Boolean none;

	void on_start(String source, Map<String, Object> m) { go(rank); }

	void on_probe(String source, Map<String, Object> m) {
		long his = (Long) m.get("rank");
		times++;
		a.add((int) his);
		b.put(his, new TreeMap<>(Map.of("seen", new LinkedList<>(c))));
		c.addFirst(his);
		d[1] = new int[]{(int) his};
		if (his > rank) go(his);
		else if (his == rank) decide(rank, true);
	}

	private void go(long rank) {
		log("goes", rank, List.of(true));
		String numbers = "";
		for (Integer i : new TreeSet<>(a)) numbers += i + " ";
		for (long i : c) numbers += i + " ";
		Object kinds = numbers + b.get(1) + b.get(1L) + b.get("1") + b.get(rank) + Arrays.deepToString(d) + Arrays.toString(e) + times + none;
		send(neighbors.get(0), "probe", "rank", rank, "kinds", kinds);
	}

	public static void main(String[] args) { run(Kinds::new); }
}
`,
	"kinds/main.go": `package main

import bullring "example.org/nodes"

func main() {
	bullring.Run(func(n *bullring.Node) bullring.Handlers {
		known := &struct{ Seen map[int64]bool }{map[int64]bool{}}
		n.State = known
		return bullring.Handlers{
			"start": func(string, bullring.Body) {
				n.Log("goes", n.Rank, []bool{true})
				n.Send(n.Neighbors[0], bullring.Body{"type": "probe", "rank": n.Rank})
			},
			"probe": func(_ string, m bullring.Body) {
				rank := m.Int("rank")
				known.Seen[rank] = true
				if rank > n.Rank {
					n.Send(n.Neighbors[0], bullring.Body{"type": "probe", "rank": rank, "seen": len(known.Seen)})
				} else if rank == n.Rank {
					n.Decide(n.Rank, true)
				}
			},
		}
	})
}
`,
}

// What the libraries tell of a process makes it again, whatever its fields are. What it logs stands in the trace.
func TestStatesOfLibraries(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	nodes := filepath.Join(dir, "kinds")
	if err := os.CopyFS(nodes, os.DirFS(filepath.Join(root, "docs/nodes"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range statePrograms {
		switch filepath.Ext(name) {
		case ".go":
			name = "go/" + name
		case ".java":
			name = "java/" + name
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(nodes, name)), 0o777), os.WriteFile(filepath.Join(nodes, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	buildGo(t, filepath.Join(nodes, "go"), "./kinds", filepath.Join(nodes, "known"))
	compileJava(t, filepath.Join(nodes, "java"), filepath.Join(dir, "java"))
	for _, node := range []string{"python3 kinds/kinds.py", "node kinds/kinds.mjs", "./kinds/known", "java -cp java Kinds"} {
		t.Run(node, func(t *testing.T) { explainItself(t, dir, node) })
	}
}

// explainItself explores a program of statePrograms, and looks for what it logs.
func explainItself(t *testing.T, dir, node string) {
	t.Helper()
	needs(t, node)
	if out := run(t, dir, "bullring explore lcr --placement every --node '"+node+"'"); !strings.Contains(out, "PROVEN for n = 3, every placement") {
		t.Errorf("%s:\n%s", node, out)
	}
	if out := run(t, dir, "bullring run lcr --n 2 --trace --node '"+node+"'"); !logged.MatchString(out) {
		t.Errorf("%s:\n%s", node, out)
	}
}

// needs skips a test whose program cannot run here.
func needs(t *testing.T, node string) {
	t.Helper()
	program, _, _ := strings.Cut(node, " ")
	programs := []string{program}
	switch {
	case strings.HasPrefix(program, "./"):
		return // it was built
	case program == "java":
		programs = append(programs, "javac")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if *allLanguages {
				t.Fatal(err)
			}
			t.Skip("NOT RUN:", err)
		}
	}
}

// buildGo builds a program with the library in Go.
func buildGo(t *testing.T, dir, what, file string, flags ...string) {
	t.Helper()
	build := exec.Command("go", slices.Concat([]string{"build", "-C", dir, "-o", file}, flags, []string{what})...)
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// compileJava compiles the programs in Java of a folder, if there is a compiler.
func compileJava(t *testing.T, dir, into string) {
	t.Helper()
	if _, err := exec.LookPath("javac"); err != nil {
		return
	}
	sources, err := filepath.Glob(filepath.Join(dir, "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("javac", append([]string{"-Xlint:all", "-Werror", "--release", "11", "-encoding", "UTF-8", "-d", into}, sources...)...)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

var (
	logged      = regexp.MustCompile(`0s  start   1 .* \| logs "goes 2 \[[tT]rue\]"`)
	exploredRow = regexp.MustCompile("(?m)^\\| `([^`]*)` \\| `([^`]*)` \\| ([0-9,]+ \\| [0-9,]+ \\| [0-9,]+) \\| ([0-9,]+) \\| (.*) \\|$")
	sizes       = regexp.MustCompile(`(?m)^(?:states|transitions|depth) +([0-9,]+)$`)
)

// fingerprint matches the fingerprint of a run.
var fingerprint = regexp.MustCompile(`(?m)^fingerprint .*`)
