package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

// An author puts names into CITATION.cff and sentences into README.md, as the pages ask. Both
// outlive what writes the documents again, and the folder is as good as before.
func TestFilesOfAnAuthor(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	const placeholder = `  - name: "the authors of this study"`
	const names = "  - family-names: Chang\n    given-names: Ernest\n  - name: a group"
	expect(t, 0, "", "sweep", "demo.yaml", "--progress", "off")
	written := string(read(t, "out/demo/CITATION.cff"))
	edited(t, "out/demo/CITATION.cff", placeholder, names)
	signed := string(read(t, "out/demo/CITATION.cff"))
	if signed == written {
		t.Fatal("the file has no line to replace")
	}
	expect(t, 0, "identical: 20 of 75 trials", "verify", "out/demo", "--progress", "off")
	expect(t, 0, "identical: all 75 trials", "verify", "out/demo", "--all", "--progress", "off")
	expect(t, 0, "complete", "status", "out/demo")
	edited(t, "out/demo/README.md", "\n## Files", "\nOur paper says more.\n\n## Files")
	described := string(read(t, "out/demo/README.md"))
	expect(t, 0, "complete", "status", "out/demo")
	for _, args := range [][]string{{"plot", "out/demo"}, {"sweep", "demo.yaml", "--again", "--progress", "off"}} {
		expect(t, 0, "its author has changed it, so it stays", args...)
		if got := string(read(t, "out/demo/README.md")); got != described {
			t.Errorf("%q: README.md of the author is gone:\n%s", args, got)
		}
		if got := string(read(t, "out/demo/CITATION.cff")); got != signed {
			t.Errorf("%q: the names in CITATION.cff are gone:\n%s", args, got)
		}
	}
	expect(t, statusUndecided, "not compared: README.md; identical are all 75 trials, run again here\n", "verify", "out/demo", "--all", "--progress", "off")
	if err := os.Remove("out/demo/README.md"); err != nil {
		t.Fatal(err)
	}
	expect(t, 0, "", "plot", "out/demo")
	expect(t, 0, "identical: all 75 trials", "verify", "out/demo", "--all", "--progress", "off")

	// What is beside the names is not the author's.
	for _, change := range []string{"type: dataset", "references:", placeholder} {
		if err := os.WriteFile("out/demo/CITATION.cff", []byte(strings.Replace(written, change, "doi: 10.1000/1\n"+change, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		expect(t, statusFailed, "CITATION.cff was changed", "verify", "out/demo", "--progress", "off")
	}
}

// The script of a sweep over programs starts them if it is told to, and finds them where its
// caller is, beside the folder, or in it.
func TestReproduceOfPrograms(t *testing.T) {
	programs(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text := "name: a\nreplicates: 1\nalgorithms: lcr\naxes: {n: 3, node: python3 lcr.py}\n"
	if err := os.WriteFile("a.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", "a.yaml", "-o", "in/out", "--progress", "off", "--allow-nodes"); got.status != 0 {
		t.Fatal(got.errors)
	}
	script := filepath.Join(here, "in", "out", "reproduce.sh")
	step := func(status int, says string, args ...string) {
		t.Helper()
		cmd := exec.Command("sh", append([]string{script}, args...)...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "BULLRING="+os.Args[0])
		got, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != status || !strings.Contains(string(got), says) {
			t.Errorf("%q: %v, want status %d and %q\n%s", args, err, status, says, got)
		}
	}
	step(2, "--allow-nodes allows that", "again")
	step(2, "--again: it takes DIR, --smoke", "--again")
	step(0, "same       results.csv\n", "again", "--allow-nodes")
	step(statusUndecided, "not run: 1 of the trials", "--smoke")
	for _, to := range []string{"in/lcr.py", "in/out/lcr.py"} {
		if err := errors.Join(os.Rename("lcr.py", to), os.MkdirAll("elsewhere", 0o755)); err != nil {
			t.Fatal(err)
		}
		t.Chdir("elsewhere")
		step(0, "identical: all 1 trials", "--smoke", "--allow-nodes", "--node-timeout=30s")
		step(0, "same       results.csv\n", "--allow-nodes", filepath.Base(to)+filepath.Base(filepath.Dir(to)))
		t.Chdir(here)
		if err := os.Rename(to, "lcr.py"); err != nil {
			t.Fatal(err)
		}
	}
}
