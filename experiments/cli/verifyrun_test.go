package cli

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"bullring/internal/build"
)

// A page is run again, and all that it says is compared.
func TestVerifyPage(t *testing.T) {
	t.Chdir(t.TempDir())
	crash := []string{"view", "bully", "--n", "5", "--initiators", "0", "--dead", "last", "--fault", "at 2ms crash 3"}
	expect(t, 0, "", append(crash, "-o", "whole.html")...)
	expect(t, 0, "", append(crash, "--data", "-o", "whole.json")...)
	expect(t, 0, "", append(crash, "--from", "4", "--to", "9", "-o", "cut.html")...)
	expect(t, 0, "", "view", "lcr", "--n", "4", "--beside", "whole.json", "-o", "two.html")
	for file, says := range map[string]string{
		"whole.html": "identical: the run of the page, made again here\n", "whole.json": "identical: the run of the data, made again here\n",
		"cut.html": "identical: the run of the page", "two.html": "identical: 2 of 2 runs of the page, made again here\n",
	} {
		expect(t, 0, says, "verify", file)
	}
	expect(t, 0, `"answer": "same"`, "verify", "whole.html", "--json")

	honest := read(t, "whole.html")
	for _, c := range []struct {
		pattern, by string
		status      int
		says        string
	}{
		{`"messages":\d+`, `"messages":1`, statusFailed, "different: messages; compared was the run"},
		{`"t":\d+`, `"t":7`, statusFailed, "different: events; "},
		{`"outcome":"elected`, `"outcome":"erected`, statusFailed, "different: outcome; "},
		{`"seed":1`, `"seed":2`, statusFailed, "different: branch, seed; "},
		{`--seed 1`, `--seed 2`, statusFailed, "different: branch, scene, seed; "},
		{`<h1 id="name">`, `<h1 id="name">Forged`, statusFailed, "different: what is around the runs; "},
		{`"again":"bullring run`, `"again":"rm -r run`, statusUndecided, "which is no bullring run"},
		{`"again":"bullring run bully`, `"again":"bullring run whole.json`, statusUndecided, "there is no algorithm \"whole.json\""},
		{`"again":"[^"]*",`, ``, statusUndecided, "it names no command"},
	} {
		changed := regexp.MustCompile(c.pattern).ReplaceAllLiteral(honest, []byte(c.by))
		if bytes.Equal(changed, honest) {
			t.Fatalf("%s: nothing is changed", c.pattern)
		}
		if err := os.WriteFile("changed.html", changed, 0o666); err != nil {
			t.Fatal(err)
		}
		expect(t, c.status, c.says, "verify", "changed.html")
	}

	// Another version may use other words, but its run is the same.
	older := bytes.Replace(honest, []byte(`"made_by":"bullring `+build.ThisProgram().String()), []byte(`"made_by":"bullring v0`), 1)
	for _, c := range []struct {
		from, to string
		status   int
		says     string
	}{
		{"", "", 0, "identical: the run of the page"},
		{`"title":"`, `"title":"Old `, statusUndecided, "not compared: what is around the runs, title; the rest is identical: the run of the page, made again here\n"},
		{`"correct":`, `"correct":false,"correct":`, statusUndecided, "not compared: what is around the runs; "},
		{`"messages":`, `"messages":1`, statusFailed, "different: messages; "},
	} {
		if err := os.WriteFile("changed.html", bytes.Replace(older, []byte(c.from), []byte(c.to), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		expect(t, c.status, c.says, "verify", "changed.html")
	}
}

// A diagram of one run is verified by the command in it.
func TestVerifyDiagramOfARun(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, file := range []string{"d.svg", "d.pdf", "d.png", "d.tikz"} {
		expect(t, 0, "", "diagram", "lcr", "--n", "4", "--delay", "uniform(0,2ms)", "--title", "LCR", "-o", file)
		expect(t, 0, "identical: the run of the diagram, made again here\n", "verify", file)
	}
	honest := string(read(t, "d.svg"))
	for _, c := range []struct {
		from, to string
		status   int
		says     string
	}{
		{`name="Processes" content="4"`, `name="Processes" content="5"`, statusFailed, "different: Processes; compared was the run"},
		{`--seed 1`, `--seed 2`, statusFailed, "different: Seed, Fingerprint; "},
		{`name="Fingerprint"`, `name="Footprint"`, statusFailed, "different: Fingerprint; not compared: \"Footprint\" in its metadata; "},
		{`name="Seed"`, `name="Author" content="me"/><meta xmlns="http://www.w3.org/1999/xhtml" name="Seed"`, statusUndecided, "not compared: \"Author\" in its metadata; "},
	} {
		changed := strings.Replace(honest, c.from, c.to, 1)
		if changed == honest {
			t.Fatalf("%s: nothing is changed:\n%.2000s", c.from, honest)
		}
		if err := os.WriteFile("changed.svg", []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		expect(t, c.status, c.says, "verify", "changed.svg")
	}
	// The diagram of a case has no command, and its run may be outside the model.
	expect(t, statusFailed, "", "explore", "peterson", "--ids", "4,2,3,1", "--loss", "1", "--shrink=false", "-o", "found.json")
	expect(t, 0, "", "diagram", "found.json", "-o", "case.svg")
	expect(t, 0, "identical: the run of the diagram, made again here\n", "verify", "case.svg")
}

// A page or a diagram of programs runs again if it may start them.
func TestVerifyPageOfPrograms(t *testing.T) {
	programs(t)
	if got := bullring(t, "view", "--node", "python3 lcr.py", "--n", "3", "-o", "page.html"); got.status != 0 {
		t.Fatal(got.errors)
	}
	if got := bullring(t, "diagram", "--node", "python3 lcr.py", "--n", "3", "-o", "diagram.svg"); got.status != 0 {
		t.Fatal(got.errors)
	}
	for _, c := range []struct {
		status int
		says   string
		more   []string
	}{
		{statusUndecided, "not run: the run starts the program", nil},
		{0, "identical: the run of the ", []string{"--allow-nodes"}},
		{statusUndecided, "for 1ns (--node-timeout)", []string{"--allow-nodes", "--node-timeout", "1ns"}},
	} {
		for _, file := range []string{"page.html", "diagram.svg"} {
			if got := bullring(t, append([]string{"verify", file}, c.more...)...); got.status != c.status || !strings.Contains(got.out, c.says) {
				t.Errorf("%s %q: status %d, want %d and %q\n%s%s", file, c.more, got.status, c.status, c.says, got.out, got.errors)
			}
		}
	}
}
