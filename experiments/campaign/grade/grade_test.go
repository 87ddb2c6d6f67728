package grade_test

import (
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/grade"
	"bullring/experiments/catalog"
	"bullring/experiments/real/foreign"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
)

// election is an assignment of two parts. COMMAND and LIMITS stand for what differs.
const election = `title: A ring
algorithm: election
command: {py: "COMMAND"}
limits: {LIMITS}
parts:
  - name: elects
    points: 3
    partial: true
    runs: {topology: ring, param: decide=leader, n: [2, 3], placement: decreasing}
  - name: like LCR
    points: 1.5
    cost: {n: 3, like: lcr}
`

// lcr is a right submission, after %s in its handler of start.
const lcr = `from bullring import Node, run

class Mine(Node):
    def on_start(self, source, m):
        %s
        self.send(self.neighbors[0], "probe", rank=self.rank)

    def on_probe(self, source, m):
        if m["rank"] > self.rank:
            self.send(self.neighbors[0], "probe", rank=m["rank"])
        elif m["rank"] == self.rank:
            self.decide(self.rank, elected=True)

run(Mine)
`

// wrong is a submission that elects on its own.
var wrong = strings.Replace(right, "        self.send(self.neighbors[0], \"probe\", rank=self.rank)\n", "        self.decide(self.rank, elected=True)\n", 1)

var right = fmt.Sprintf(lcr, "pass")

// class writes an assignment and files into a folder, and returns the paths of both.
func class(t *testing.T, text, limits string, files map[string]string) (assignment, folder string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	dir := t.TempDir()
	library, err := filepath.Abs("../../../docs/nodes")
	if err != nil {
		t.Fatal(err)
	}
	text = strings.NewReplacer("COMMAND", "env PYTHONPATH="+library+" python3 {file}", "LIMITS", limits).Replace(text)
	assignment, folder = filepath.Join(dir, "a.yaml"), filepath.Join(dir, "class")
	write(t, assignment, text)
	for name, text := range files {
		write(t, filepath.Join(folder, name), text)
	}
	return assignment, folder
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// grader grades what is in a folder. asked counts the parts that were run.
func grader(t *testing.T, assignment string) (g *grade.Grader, asked *int) {
	t.Helper()
	r, nodes, asked := catalog.New(), &foreign.Nodes{}, new(int)
	t.Cleanup(nodes.Close)
	r.Nodes = nodes
	a, err := grade.Open(r, assignment)
	if err != nil {
		t.Fatal(err)
	}
	return &grade.Grader{Assignment: a, Registry: r, Progress: func(string, string, int, int) { *asked++ }, Words: grade.Words{
		Line:    func(words []string) string { return strings.Join(words, " ") },
		Command: func(in *trial.Instance) string { return fmt.Sprintf("run --n %d", in.N) },
		Like:    func(*trial.Instance) string { return "run --like" },
		Case:    func(file string) string { return "why " + file },
		Reasons: func(*reason.Explanation) []string { return []string{"a reason"} },
		Parting: func(*foreign.Comparison) string { return "they part" },
	}}, asked
}

// graded are the points of the submissions in some paths.
func graded(t *testing.T, g *grade.Grader, paths ...string) *grade.Grades {
	t.Helper()
	found, _, err := g.Find(paths)
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.Grade(t.Context(), found)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// table is the points of a report, in words.
func table(r *grade.Grades) (rows []string) {
	for _, g := range r.Graded {
		row := g.Name
		for _, m := range g.Marks {
			row += " " + m.Cell()
		}
		rows = append(rows, row)
	}
	return rows
}

// Points go by what a program does, not by its name, how long it takes, or how many processors there are.
func TestPoints(t *testing.T) {
	assignment, folder := class(t, election, "events: 500", map[string]string{
		"right.py": right, "copy.py": right, "wrong.py": wrong, "half.py": strings.Replace(right, "if m[\"rank\"] > self.rank:", "if m[\"rank\"] > self.rank and len(self.names) < 3:", 1),
		"slow.py":      fmt.Sprintf(lcr, "import time; time.sleep(0.05)"),
		"ends.py":      strings.Replace(right, "if m[\"rank\"] > self.rank:", "if True:", 1),
		"bullring.mjs": "no submission", ".hidden.py": "none", "notes.txt": "none",
	})
	want := []string{"copy 3 1.5", "ends 0 0", "half 1.5 0", "right 3 1.5", "slow 3 1.5", "wrong 0 0"}
	g, _ := grader(t, assignment)
	r := graded(t, g, folder)
	if got := table(r); !slices.Equal(got, want) || r.Undecided() {
		t.Errorf("%q", got)
	}
	if why := r.Graded[1].Marks[0].Why; !strings.Contains(why, "does not end within 500 events") {
		t.Error(why)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if got := table(graded(t, g, filepath.Join(folder, "half.py"), filepath.Join(folder, "slow.py"))); !slices.Equal(got, []string{want[2], want[4]}) {
		t.Errorf("with one processor: %q", got)
	}
}

// A limit of real time takes no points: the part is inconclusive, and the next grading runs it again.
func TestInconclusive(t *testing.T) {
	assignment, folder := class(t, election, "answer: 200ms", map[string]string{"hangs.py": fmt.Sprintf(lcr, "import time; time.sleep(60)")})
	out := filepath.Join(t.TempDir(), "out")
	for range 2 {
		g, asked := grader(t, assignment)
		g.Folder = opened(t, out)
		r := graded(t, g, folder)
		m := r.Graded[0].Marks[0]
		if !r.Undecided() || m.Verdict != grade.Inconclusive || !strings.Contains(m.Why, "grade it again") || !strings.Contains(m.Why, "limits: answer") || *asked != 2 {
			t.Errorf("%+v, %d parts run", m, *asked)
		}
	}
}

func opened(t *testing.T, out string) *grade.Folder {
	t.Helper()
	f, err := grade.OpenFolder(out, false)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A folder has what the report says, in the forms of other programs. What is there is not run again,
// unless the submission has changed; and what the package did not write is not overwritten.
func TestFolder(t *testing.T) {
	assignment, folder := class(t, election, "events: 500", map[string]string{"right.py": right, "wrong.py": wrong})
	out := filepath.Join(t.TempDir(), "out")
	g, asked := grader(t, assignment)
	g.Folder = opened(t, out)
	r := graded(t, g, folder)
	if *asked != 4 {
		t.Errorf("%d parts run", *asked)
	}
	checkJUnit(t, r, read(t, out, grade.JUnitXML))
	rows, err := csv.NewReader(strings.NewReader(read(t, out, grade.PointsCSV))).ReadAll()
	if want := [][]string{{"submission", "elects", "like LCR", "total", "of", "state"}, {"right", "3", "1.5", "4.5", "4.5", "graded"}, {"wrong", "0", "0", "0", "4.5", "graded"}}; err != nil || fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("%q, %v", rows, err)
	}
	page := read(t, out, "wrong.html")
	for _, part := range []string{"wrong: 0 of 4.5 points", "<td>like LCR</td>", "E1 is violated", "a reason", "data:image/svg+xml;base64,", "run --n 2"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page has no %q", part)
		}
	}
	g, asked = grader(t, assignment)
	g.Folder = opened(t, out)
	write(t, filepath.Join(folder, "wrong.py"), right)
	if got := table(graded(t, g, folder)); !slices.Equal(got, []string{"right 3 1.5", "wrong 3 1.5"}) || *asked != 2 {
		t.Errorf("%q, %d parts run", got, *asked)
	}
	for _, file := range []string{grade.PointsCSV, grade.JUnitXML, "wrong.html", "mine.txt"} {
		before, _ := os.ReadFile(filepath.Join(out, file))
		for _, text := range []string{"mine", strings.Replace(string(before), "E1", "E2", 1) + "a remark"} {
			write(t, filepath.Join(out, file), text)
			if _, err := grade.OpenFolder(out, false); err == nil || !strings.Contains(err.Error(), file) {
				t.Errorf("%s: %v", file, err)
			}
		}
		write(t, filepath.Join(out, file), string(before))
		if before == nil {
			os.Remove(filepath.Join(out, file))
		}
	}
}

func read(t *testing.T, folder, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkJUnit compares a file of JUnit with a report.
func checkJUnit(t *testing.T, r *grade.Grades, text string) {
	t.Helper()
	var all struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(text), &all); err != nil || len(all.Suites) != len(r.Graded) {
		t.Fatalf("%v: %s", err, text)
	}
	for i, s := range all.Suites {
		failures := 0
		for k, c := range s.Cases {
			m := r.Graded[i].Marks[k]
			if c.Name != m.Part || (c.Failure != nil) != (m.Points < m.Of) || c.Failure != nil && c.Failure.Message != m.Why {
				t.Errorf("%s: %+v", s.Name, c)
			}
			if c.Failure != nil {
				failures++
			}
		}
		if s.Name != r.Graded[i].Name || s.Tests != len(r.Parts) || s.Failures != failures || s.Errors != 0 {
			t.Errorf("%+v", s)
		}
	}
}

// A grading that is interrupted keeps the submissions that were done, and the next one goes on.
func TestInterrupted(t *testing.T) {
	assignment, folder := class(t, election, "events: 500", map[string]string{"a.py": right, "b.py": right})
	out := filepath.Join(t.TempDir(), "out")
	g, _ := grader(t, assignment)
	g.Folder = opened(t, out)
	ctx, cancel := context.WithCancel(t.Context())
	g.Progress = func(submission, _ string, _, _ int) {
		if submission == "b" {
			cancel()
		}
	}
	found, _, err := g.Find([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := g.Grade(ctx, found); err != nil || len(r.Graded) != 1 || r.Graded[0].Inconclusive {
		t.Fatalf("%v, %v", r, err)
	}
	g, asked := grader(t, assignment)
	g.Folder = opened(t, out)
	if got := table(graded(t, g, folder)); !slices.Equal(got, []string{"a 3 1.5", "b 3 1.5"}) || *asked != 2 {
		t.Errorf("%q, %d parts run", got, *asked)
	}
}

// What is ambiguous is refused, with what to do.
func TestFind(t *testing.T) {
	assignment, folder := class(t, election, "events: 500", map[string]string{
		"one/x.py": "", "one/bullring.py": "", "two/main.py": "", "two/help.py": "", "three.py": "", "notes.txt": "", "empty/notes.txt": "",
	})
	g, _ := grader(t, assignment)
	found, passed, err := g.Find([]string{folder})
	var names []string
	for _, s := range found {
		names = append(names, s.Name)
	}
	if err != nil || !slices.Equal(names, []string{"one", "three", "two"}) || len(passed) != 2 || !strings.Contains(found[2].Program, "main.py") {
		t.Errorf("%q, passed over %q, %v", names, passed, err)
	}
	for name, c := range map[string]struct{ file, says string }{
		"two programs": {"four/a.py", "the one to start is to be called main"},
		"one name":     {"one.py", "two submissions are named one"},
		"a formula":    {"=1.py", "rename it"},
	} {
		write(t, filepath.Join(folder, c.file), "")
		write(t, filepath.Join(folder, filepath.Dir(c.file), "b.py"), "")
		if _, _, err := g.Find([]string{folder}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		os.RemoveAll(filepath.Join(folder, "four"))
		os.Remove(filepath.Join(folder, c.file))
		os.Remove(filepath.Join(folder, "b.py"))
	}
	if _, _, err := g.Find([]string{filepath.Join(folder, "notes.txt")}); err == nil {
		t.Error("a text is a submission")
	}
}

// All of an assignment is checked before a program starts, and mistakes have their place in the file.
func TestRefusedAssignments(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"title: A ring\n", "", `an assignment needs the key title`},
		{"algorithm: election", "algorithm: lrc", `did you mean`},
		{"partial: true", "partiel: true", `a part has no key "partiel"`},
		{"points: 3", "points: 0", "points is 0"},
		{"{py:", "{txt: 'cat', py:", "{file} stands for the file"},
		{"n: [2, 3]", "seeds: 2", "nothing says how many processes"},
		{"placement: decreasing", "placement: upwards", "placement"},
		{"placement: decreasing", "fault: at noon crash 1", "fault"},
		{"placement: decreasing", "node: cat", `no key "node"`},
		{"like: lcr", "holds: messages", "formulas with <"},
		{"like: lcr", "holds: mesages < 3", "mesages"},
		{"like: lcr", "bounds: true", "declares no bounds"},
		{"like: lcr", "like: lcr, topology: complete", "ring"},
		{"cost: {n: 3, like: lcr}", "cost: {n: 3}", "a cost takes"},
		{"cost: {n: 3, like: lcr}", "judge: {n: 3, delay: [1ms, 2ms]}", "judge takes one setting"},
		{"cost: {n: 3, like: lcr}", "judge: {n: 3}\n    cost: {n: 3, like: lcr}", "a part takes one of the keys runs, cost, judge, and has cost, judge"},
		{"name: like LCR", "name: elects", "two parts are named"},
		{"name: like LCR", `name: "=1"`, "begins as a formula does"},
		{"LIMITS", "events: 0", "events is 0"},
		{"LIMITS", "answer: never", "answer is"},
	} {
		assignment, folder := class(t, strings.Replace(election, c.old, c.new, 1), "events: 500", map[string]string{"right.py": right})
		r := catalog.New()
		r.Nodes = &foreign.Nodes{}
		a, err := grade.Open(r, assignment)
		if err == nil {
			g := &grade.Grader{Assignment: a, Registry: r, Progress: func(string, string, int, int) { t.Errorf("%s: a program started", c.new) }}
			var found []grade.Submission
			if found, _, err = a.Find([]string{folder}); err == nil {
				_, err = g.Grade(t.Context(), found)
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "a.yaml:") {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

// A program that wants more than the sandbox gives costs itself alone.
func TestGreedy(t *testing.T) {
	assignment, folder := class(t, election, "events: 500, memory_mib: 512", map[string]string{
		"a.py": right, "b.py": fmt.Sprintf(lcr, "b = bytearray(10 << 30)"), "c.py": right,
	})
	g, _ := grader(t, assignment)
	box := &foreign.Sandbox{Memory: g.Limits.Memory << 20}
	if missing := box.Missing(); missing != "" {
		t.Skip(missing)
	}
	g.Registry.Nodes.(*foreign.Nodes).Sandbox = box
	r := graded(t, g, folder)
	if got := table(r); !slices.Equal(got, []string{"a 3 1.5", "b 0 0", "c 3 1.5"}) || !strings.Contains(r.Graded[1].Marks[0].Why, "MemoryError") {
		t.Errorf("%q: %s", got, r.Graded[1].Marks[0].Why)
	}
}
