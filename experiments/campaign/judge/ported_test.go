package judge_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/catalog"
	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
)

var (
	allPorted    = flag.Bool("ported", false, "judge all defects in programs, and right programs 200 times on a busy machine (half an hour)")
	updatePorted = flag.Bool("update-ported", false, "judge all defects and rewrite the section of docs/defects.md on programs; read the diff")
)

// small says that a part will do.
func small() bool { return !*allPorted && !*updatePorted }

const (
	root      = "../../.."
	page      = root + "/docs/defects.md"
	ownBegins = "<!-- programs -->\n"
	ends      = "<!-- the end of the section -->\n"
)

// within is the time in which a defect is to be found.
const within = time.Minute

// python is Python itself: the python3 in the PATH may be the script of a version manager.
func python(t testing.TB) string {
	t.Helper()
	text, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("python3 is not installed: programs in Python are NOT judged here")
	}
	return strings.TrimSpace(string(text)) + " -S"
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// with is a program of docs/nodes with a defect in it. The zero value is none.
func with(t testing.TB, program string, d ported) string {
	t.Helper()
	text := read(t, filepath.Join(root, "docs/nodes", program+".py"))
	if d == (ported{}) {
		return text
	}
	if count := strings.Count(text, d.Is); count != 1 {
		t.Errorf("%s, %s: the program has the text %d times: %q", program, d.Name, count, d.Is)
	}
	return strings.Replace(text, d.Is, d.Becomes, 1)
}

// judgedPort judges a program with a defect, or as it is. The program is waited for as long as wait; 0 is what is usual.
func judgedPort(t testing.TB, c judge.Case, python, program string, d ported, wait time.Duration) (*judge.Report, error) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{program + ".py": with(t, program, d), "bullring.py": with(t, "bullring", ported{})} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	all := &foreign.Nodes{Allowed: true, Wait: wait}
	defer all.Close()
	c.Registry = catalog.New()
	c.Registry.Nodes = all
	c.Setting.Node = python + " " + filepath.Join(dir, program+".py")
	return c.Run(t.Context())
}

// Each defect of the elections and of the two locks in docs/defects.md is in a program, or the tables say why not;
// each is a change of its program; and the page has a row for it.
func TestPorts(t *testing.T) {
	text := read(t, page)
	own := section(t, text, ownBegins)
	known := map[string]bool{}
	for _, p := range ports {
		for _, d := range p.Defects {
			with(t, p.Program, d)
			known[p.Go+": "+d.Name] = true
			if row := fmt.Sprintf("\n| %s | **%s** | ", p.Program, d.Name); strings.Count(own, row) != 1 {
				t.Errorf("docs/defects.md has %d times %q (-update-ported)", strings.Count(own, row), row)
			}
		}
	}
	for _, name := range []string{"elections", "mutual exclusion"} {
		for _, row := range defectRow.FindAllStringSubmatch(section(t, text, "<!-- "+name+" -->\n"), -1) {
			algorithm, defect := row[1], row[1]+": "+row[2]
			lock := name != "elections" && algorithm != "ricartagrawala" && algorithm != "suzukikasami"
			_, without := withoutProgram[algorithm]
			_, left := unported[defect]
			if !known[defect] && !lock && !without && !left {
				t.Errorf("no program has the defect %q", defect)
			}
			delete(known, defect)
		}
	}
	rows := len(defectRow.FindAllString(own, -1))
	if says := fmt.Sprintf("Of %d defects in programs %d are caught.", rows, rows-strings.Count(own, "| not caught |")); !strings.Contains(text, says) {
		t.Errorf("docs/defects.md does not say %q", says)
	}
	for defect := range known {
		t.Errorf("docs/defects.md does not know the defect %q", defect)
	}
}

// section is what stands between two comments.
func section(t testing.TB, text, begins string) string {
	t.Helper()
	_, rest, begun := strings.Cut(text, begins)
	inside, _, ended := strings.Cut(rest, ends)
	if !begun || !ended {
		t.Fatalf("docs/defects.md has no section %q", begins)
	}
	return inside
}

// Of the seeded defects in programs at least 95 % are caught, each within a minute. The small form has one
// defect of each program, and limits that do not depend on the machine.
func TestPortedDefects(t *testing.T) {
	python := python(t)
	var rows []string
	caught, slowest := 0, time.Duration(0)
	for i, p := range ports {
		if small() && i > 0 && ports[i-1].Program == p.Program {
			continue
		}
		for _, d := range p.Defects {
			t.Run(p.Program+"/"+d.Name, func(t *testing.T) {
				c := judge.Case{Setting: p.Setting, Limit: within}
				if small() {
					c = judge.Case{Setting: p.Setting, Sizes: []int{2, 3}, States: 2_000, Settings: 5, Trials: 1}
				}
				r, err := judgedPort(t, c, python, p.Program, d, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				row := fmt.Sprintf("| %s | **%s** | %s |\n", p.Program, d.Name, found(r))
				if rows = append(rows, row); r.Verdict == judge.Refuted {
					caught, slowest = caught+1, max(slowest, r.Spent)
				}
				if !small() && !*updatePorted && r.Spent < within/4 && !strings.Contains(section(t, read(t, page), ownBegins), row) { // time has cut no stage
					t.Errorf("docs/defects.md does not have what came out (-update-ported): %s", row)
				}
				t.Logf("%s after %.1f s: %s", r.Verdict, r.Spent.Seconds(), found(r))
				if r.Verdict != judge.Refuted {
					t.Logf("%+v", r.Tried)
				}
			})
			if small() {
				break
			}
		}
	}
	t.Logf("%d of %d are caught, the slowest after %.1f s", caught, len(rows), slowest.Seconds())
	if 100*caught < 95*len(rows) {
		t.Errorf("%d of %d are caught; want 95 %%", caught, len(rows))
	}
	if *updatePorted {
		updatePage(t, rows, caught)
	}
}

// found tells how a defect was found.
func found(r *judge.Report) string {
	if r.Failure == nil {
		return "not caught |"
	}
	last := r.Tried[len(r.Tried)-1]
	where := string(last.Stage)
	if last.Stage == judge.Explore {
		where = fmt.Sprintf("%s, n = %d", last.Stage, last.N)
	}
	return where + " | " + r.Failure.Check
}

// updatePage writes the section of the page.
func updatePage(t *testing.T, rows []string, caught int) {
	t.Helper()
	text := read(t, page)
	table := "| program | defect | found by | violated |\n|---|---|---|---|\n" + strings.Join(rows, "")
	text = strings.Replace(text, ownBegins+section(t, text, ownBegins), ownBegins+table, 1)
	text = caughtInPrograms.ReplaceAllString(text, fmt.Sprintf("Of %d defects in programs %d are caught.", len(rows), caught))
	if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

var (
	defectRow        = regexp.MustCompile(`(?m)^\| ([^|]*) \| \*\*([^*]*)\*\*`)
	caughtInPrograms = regexp.MustCompile(`Of \d+ defects in programs \d+ are caught\.`)
)

// No right program is condemned on a machine that is busy with ten other processes, whatever is late there. How
// often a judgement comes to no verdict is logged.
func TestRightUnderLoad(t *testing.T) {
	python := python(t)
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh: right programs are NOT judged under load here")
	}
	judgements, busy, atOnce := 200, 10, 4
	if small() {
		judgements, busy, atOnce = 3, 2, 1
	}
	for range busy {
		other := exec.Command("sh", "-c", "while :; do :; done")
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		defer other.Wait()
		defer other.Process.Kill()
	}
	verdicts := map[judge.Verdict]int{}
	var mutex sync.Mutex
	var spent []time.Duration
	var next atomic.Int64
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for k := next.Add(1) - 1; k < int64(judgements); k = next.Add(1) - 1 {
				p := ports[k%int64(len(ports))]
				c := judge.Case{Setting: p.Setting, Sizes: []int{2, 3}, States: 500, Settings: 10, Trials: 1, Seed: 1 + uint64(k), Limit: within}
				r, err := judgedPort(t, c, python, p.Program, ported{}, 0)
				if err != nil {
					t.Errorf("%s, seed %d: %v", p.Program, c.Seed, err)
					return
				}
				if r.Failure != nil {
					t.Errorf("%s, seed %d: %s, %s: %+v", p.Program, c.Seed, r.Failure.Check, r.Failure.Detail, r.Failure.Setting)
				}
				mutex.Lock()
				verdicts[r.Verdict]++
				spent = append(spent, r.Spent)
				mutex.Unlock()
			}
		})
	}
	all.Wait()
	if slices.Sort(spent); len(spent) > 0 {
		t.Logf("%v; %.1f s in the middle, %.1f s at most", verdicts, spent[len(spent)/2].Seconds(), spent[len(spent)-1].Seconds())
	}
}

// A program that does nothing where runs never end violates nothing, and is not proven: no run comes out as it should.
func TestNoRunComesOut(t *testing.T) {
	python, dir := python(t), t.TempDir()
	for file, text := range map[string]string{"idle.py": "from bullring import Node, run\n\n\nclass Idle(Node):\n    def on_start(self, source, m):\n        pass\n\n\nrun(Idle)\n", "bullring.py": with(t, "bullring", ported{})} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all := &foreign.Nodes{Allowed: true}
	defer all.Close()
	c := judge.Case{
		Registry: catalog.New(), Sizes: []int{2}, Stages: []judge.Stage{judge.Explore},
		Setting: trial.Setting{Algorithm: "mutex", Variant: "endless", Node: python + " " + filepath.Join(dir, "idle.py")},
	}
	c.Registry.Nodes = all
	r, err := c.Run(t.Context())
	if err != nil || r.Verdict != judge.Inconclusive || r.Tried[0].Result != judge.Unfinished || r.Tried[0].Why != "no run comes out as it should" {
		t.Errorf("%v, %+v", err, r)
	}
}
