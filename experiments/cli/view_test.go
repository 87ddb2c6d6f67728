package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/page"
)

// viewed are the runs in what a command wrote.
func viewed(t *testing.T, path string) []page.Data {
	t.Helper()
	runs, err := page.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// Every subject of why is a subject of view, and so are data and pages.
func TestViewSubjects(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	failing := []string{"bully", "--n", "3", "--initiators", "0", "--dead", "last", "--delay", "uniform(0,3ms)", "--assume-delay", "1ms"}
	for _, prepare := range [][]string{
		{"sweep", "demo.yaml", "--no-plot", "--progress", "off"},
		append([]string{"shrink", "-o", "case.json"}, failing...),
		{"explore", "peterson", "--ids", "4,2,3,1", "--loss", "1", "-o", "schedule.json"},
		{"view", "lcr", "--n", "3", "--data", "-o", "lcr.json"},
		{"view", "lcr", "--n", "3", "--beside", "case.json", "-o", "two.html"},
	} {
		if got := bullring(t, prepare...); got.status > 1 || got.out == "" {
			t.Fatalf("%v: status %d, %s", prepare, got.status, got.errors)
		}
	}
	for _, c := range []struct {
		args []string
		file string
		runs int
	}{
		{[]string{"lcr", "--n", "3", "--fault", "drop 2nd message", "--outside-model"}, "lcr.html", 1},
		{[]string{"out/demo", "1", "-o", "row.html"}, "row.html", 1},
		{[]string{"case.json"}, "bully.html", 1},
		{[]string{"schedule.json"}, "peterson.html", 1},
		{[]string{"lcr.json", "-o", "data.html"}, "data.html", 1},
		{[]string{"lcr.json", "--beside", "lcr.json", "-o", "same.html"}, "same.html", 2},
		{[]string{"two.html", "-o", "again.html"}, "again.html", 2},
		{[]string{"lcr", "--n", "3", "--data"}, "lcr.json", 1},
	} {
		got := bullring(t, append([]string{"view"}, c.args...)...)
		if got.status != 0 || got.out != "written to "+c.file+"\n" || got.errors != "" {
			t.Errorf("%v: status %d, %q, %s", c.args, got.status, got.out, got.errors)
			continue
		}
		if runs := viewed(t, c.file); len(runs) != c.runs || len(runs[0].Events) == 0 {
			t.Errorf("%v: %d runs", c.args, len(runs))
		}
	}
	if why := bullring(t, "why", "case.json"); !strings.HasPrefix(why.out, viewed(t, "bully.html")[0].What+"\n") {
		t.Errorf("the page says %q, why %s", viewed(t, "bully.html")[0].What, why.out)
	}
}

// What cannot be shown is refused, and no file is left.
func TestViewRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"cut.json": `{"format": 1, "n": 3, "ev`, "later.json": `{"format": 7}`, "mine.html": "<p>mine</p>", "mine.json": "{}",
		"lcr.html": "mine, too",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"cut.json"}, statusUsage, "cut.json: it is damaged, or no JSON of a run, at line 1, column 25"},
		{[]string{"later.json"}, statusUsage, "format 7, and this program reads formats 1 to 2"},
		{[]string{"mine.json"}, statusUsage, "mine.json is no case: it names no algorithm"},
		{[]string{"folder"}, statusUsage, "folder is a directory; which of its rows?"},
		{[]string{"none.json"}, statusUsage, "there is no file of that name"},
		{[]string{"lcr", "-o", "mine.html"}, statusUsage, "mine.html is there, and is not a page that bullring view wrote"},
		{[]string{"lcr", "--data", "-o", "mine.json"}, statusUsage, "mine.json is there, and is not data that bullring view wrote"},
		{[]string{"lcr"}, statusUsage, "lcr.html is there, and is not a page"},
		{[]string{"lcr", "-o", "none/x.html"}, statusUsage, "none"},
		{[]string{"lcr", "-o", "folder"}, statusUsage, "no regular file"},
		{[]string{"lcr", "--beside", "later.json", "-o", "x.html"}, statusUsage, "--beside: later.json: the data has format 7"},
		{[]string{"lcr", "--beside", "folder", "-o", "x.html"}, statusUsage, "--beside: "},
		{[]string{"lcr", "--data", "--beside", "lcr.json"}, statusUsage, "--data writes one run"},
		{[]string{"lcr", "--open", "-o", "-"}, statusUsage, "--open is for a file"},
		{[]string{"lcr", "--data", "--open"}, statusUsage, "--open is for a page"},
		{[]string{"lcr", "--from", "-3", "-o", "x.html"}, statusUsage, "the number of an event, from 1, or a time"},
		{[]string{"lcr", "--from", "1h", "-o", "x.html"}, statusFailed, "no event is left: the run has 23"},
		{[]string{"later.json", "--n", "3"}, statusUsage, "--n goes with an ALGORITHM"},
	} {
		got := bullring(t, append([]string{"view"}, c.args...)...)
		if got.status != c.status || !strings.Contains(got.errors, c.want) || got.out != "" {
			t.Errorf("%v: status %d, %q, %s", c.args, got.status, got.out, got.errors)
		}
	}
	files, err := filepath.Glob("*")
	if err != nil || len(files) != 6 {
		t.Errorf("%v, %v", files, err)
	}
}

// A run without events has a page, too.
func TestViewOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("none.json", []byte(`{"setting": {"algorithm": "lcr", "n": 2, "schedule": ["timers free"]}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	got := bullring(t, "view", "none.json")
	if d := viewed(t, "lcr.html")[0]; got.status != 0 || len(d.Events) != 0 || d.Outcome != "unfinished" {
		t.Errorf("status %d, %d events, %s, %s", got.status, len(d.Events), d.Outcome, got.errors)
	}
}

// A page of two runs, a part of one, and standard output.
func TestViewParts(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, "view", "lcr", "--n", "4", "--data", "-o", "-", "--from", "6", "--to", "2ms")
	var d page.Data
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || d.Cut == nil || d.Cut.From != 6 || d.Events[len(d.Events)-1].Time != 2_000_000 {
		t.Errorf("%v, %+v, %s", err, d.Cut, got.errors)
	}
	bullring(t, "view", "lcr", "--n", "5", "--data", "-o", "five.json")
	bullring(t, "view", "lcr", "--n", "4", "--beside", "five.json", "--to", "2ms", "-o", "two.html")
	for _, d := range viewed(t, "two.html") {
		if d.Cut == nil || d.Events[len(d.Events)-1].Time != 2_000_000 {
			t.Errorf("a part of two runs: %+v", d.Cut)
		}
	}
	long := bullring(t, "view", "lcr", "--n", "450", "--placement", "decreasing")
	if long.status != statusFailed || !strings.Contains(long.errors, "events, and a page has at most 100,000: --from and --to cut the run") {
		t.Errorf("status %d, %s", long.status, long.errors)
	}
}

// --open starts the program of the platform with the path of the page, and says what went
// wrong if there is none.
func TestViewOpens(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the browser of this platform cannot be replaced")
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", t.TempDir())
	got := bullring(t, "view", "lcr", "--n", "3", "--open")
	if got.status != statusFailed || !strings.Contains(got.errors, "--open: no browser could be started") || !strings.Contains(got.errors, "lcr.html") {
		t.Errorf("no browser: status %d, %s", got.status, got.errors)
	}
	programs := t.TempDir()
	t.Setenv("PATH", programs)
	for script, want := range map[string]string{"#!/bin/sh\necho \"$1\" > opened\n": "", "#!/bin/sh\nexit 3\n": "--open: xdg-open: exit status 3"} {
		if err := os.WriteFile(filepath.Join(programs, "xdg-open"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		got := bullring(t, "view", "lcr", "--n", "3", "--open")
		if (want == "") != (got.status == 0) || !strings.Contains(got.errors, want) {
			t.Errorf("%q: status %d, %s", script, got.status, got.errors)
		}
	}
	folder, _ := os.Getwd()
	if opened, err := os.ReadFile("opened"); err != nil || string(opened) != filepath.Join(folder, "lcr.html")+"\n" {
		t.Errorf("%q, %v", opened, err)
	}
}

// The commands that other commands print for what they found show it: the page has the
// fingerprint that replay or why know.
func TestPrintedPages(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	failing := []string{"bully", "--n", "3", "--initiators", "0", "--dead", "last", "--delay", "uniform(0,3ms)", "--assume-delay", "1ms"}
	bullring(t, "sweep", "demo.yaml", "--no-plot", "--progress", "off")
	for _, args := range [][]string{
		append([]string{"shrink"}, failing...),
		append([]string{"shrink", "-o", "small case.json"}, failing...),
		append([]string{"why", "--seed", "7", "--outside-model"}, failing...),
		{"why", "small case.json"},
		{"replay", "small case.json"},
		{"replay", "out/demo", "2"},
		{"worst", "lcr", "--n", "3"},
		{"worst", "lcr", "--n", "3", "--over", "ids,schedule", "-o", "worst.json"},
		{"explore", "peterson", "--ids", "4,2,3,1", "--loss", "1", "--shrink=false", "-o", "found.json"},
		{"replay", "found.json"},
		{"why", "found.json"},
	} {
		got := bullring(t, args...)
		_, after, printed := strings.Cut("\n"+got.out, "\nview: ")
		line, _, _ := strings.Cut(after, "\n")
		if !printed || !strings.HasPrefix(line, "bullring view ") {
			t.Errorf("%v prints no command: %s%s", args, got.out, got.errors)
			continue
		}
		if v, _ := object(t, append(args, "--json")...); v["view"] != line {
			t.Errorf("%v: %q, as JSON %v", args, line, v["view"])
		}
		shown := bullring(t, append(words(line)[1:], "-o", "shown.html")...)
		if shown.status != 0 {
			t.Errorf("%s: status %d, %s", line, shown.status, shown.errors)
			continue
		}
		if fingerprint := viewed(t, "shown.html")[0].Fingerprint; args[0] == "replay" && !strings.Contains(got.out, fingerprint) {
			t.Errorf("%v shows another run: %s", args, fingerprint)
		}
	}
	for _, args := range [][]string{
		{"worst", "lcr", "--n", "3", "--over", "ids,schedule"},
		{"explore", "peterson", "--ids", "4,2,3,1", "--loss", "1", "--shrink=false"},
		{"explore", "lcr", "--n", "2", "-o", "none.json"},
	} {
		if got := bullring(t, args...); strings.Contains(got.out, "\nview: ") {
			t.Errorf("%v prints a command that cannot work: %s", args, got.out)
		}
	}
}

// run --view writes the page of the very run that it prints, and prints the same as without.
func TestRunView(t *testing.T) {
	t.Chdir(t.TempDir())
	run := []string{"run", "bully", "--n", "5", "--initiators", "0", "--dead", "last", "--fault", "at 2ms crash 3"}
	for _, also := range [][]string{nil, {"--trace"}, {"--trace=lanes"}, {"--json"}, {"--json", "--trace"}} {
		want := bullring(t, append(run, also...)...)
		got := bullring(t, append(append(run, also...), "--view", "run.html")...)
		if got != want {
			t.Errorf("%v: %+v; without the page %+v", also, got, want)
		}
	}
	bullring(t, append([]string{"view", "-o", "view.html"}, run[1:]...)...)
	one, err := os.ReadFile("run.html")
	two, also := os.ReadFile("view.html")
	if err != nil || also != nil || string(one) != string(two) {
		t.Errorf("run and view write different pages: %v, %v", err, also)
	}
	if err := os.WriteFile("mine.html", []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, append(run, "--view", "mine.html")...); got.status != statusUsage || got.out != "" || !strings.Contains(got.errors, "--view: mine.html is there") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	long := bullring(t, "run", "lcr", "--n", "450", "--placement", "decreasing", "--view", "long.html")
	if long.status != statusFailed || !strings.Contains(long.out, "\nagain: ") || !strings.Contains(long.errors, "--view: no page was written: there are") {
		t.Errorf("status %d, %s%s", long.status, long.out, long.errors)
	}
	if _, err := os.Stat("long.html"); err == nil {
		t.Error("a page is there")
	}
}

// A run in which a handler panics has a page that ends with that step; an interrupted one has
// none.
func TestViewOfRunsThatBreakOff(t *testing.T) {
	t.Chdir(t.TempDir())
	got := perform(t.Context(), wrongRegistry(), "view", "panicky", "--n", "2")
	if got.status != 0 {
		t.Fatalf("status %d, %s", got.status, got.errors)
	}
	d := viewed(t, "panicky.html")[0]
	if last := d.Events[len(d.Events)-1]; !last.Panics || d.Failed == "" {
		t.Errorf("%q, and the last event is %+v", d.Failed, last)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"view", "lcr", "--n", "300"}, {"run", "lcr", "--n", "300", "--view", "lcr.html"}} {
		got := perform(interrupted, catalog.New(), args...)
		if _, err := os.Stat("lcr.html"); got.status != statusInterrupted || err == nil {
			t.Errorf("%v: status %d, %v, %s", args, got.status, err, got.errors)
		}
	}
}

// A page names no folder, whatever the run was read from.
func TestPagesNameNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "Alice's folder <b>")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	for name, text := range map[string]string{
		"net.txt":   "0 1\n1 2\n2 0\n",
		"delay.txt": "1ms\n2ms\n3ms\n",
		"plan.txt":  "at 2ms crash 1 # as in " + dir + "\n",
		"case.json": `{"note": "from ` + strings.ReplaceAll(dir, `"`, "") + `", "setting": {"algorithm": "echo", "n": 3, "topology": "file:` + filepath.Join(dir, "net.txt") + `", "initiators": "0"}}`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bare := filepath.Join(t.TempDir(), "delay.txt") // the words of a link have no spaces
	if err := os.Rename("delay.txt", bare); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"echo", "--topology", "file:" + filepath.Join(dir, "net.txt"), "--faults", filepath.Join(dir, "plan.txt"), "--link", "delay trace " + bare, "--initiators", "0", "--outside-model"},
		{"echo", "--topology", "file:net.txt", "--initiators", "0", "--fault", "at 1ms link 0->1 delay trace " + bare, "--outside-model"},
		{filepath.Join(dir, "case.json")},
	} {
		for _, out := range [][]string{{"-o", filepath.Join(dir, "page.html")}, {"--data", "-o", "-"}} {
			got := bullring(t, append(append([]string{"view"}, args...), out...)...)
			text := got.out
			if len(out) == 2 {
				written, err := os.ReadFile("page.html")
				if err != nil {
					t.Fatalf("%v: %v, %s", args, err, got.errors)
				}
				text = string(written)
			}
			for _, folder := range []string{"Alice", filepath.Dir(bare), filepath.Base(filepath.Dir(bare))} {
				if at := strings.Index(text, folder); at >= 0 && got.status == 0 {
					t.Errorf("%v: ...%s...", args, text[max(0, at-80):min(len(text), at+80)])
				}
			}
			if got.status != 0 || !strings.Contains(text, "net.txt@") {
				t.Errorf("%v: status %d, %s", args, got.status, got.errors)
			}
		}
	}
}
